import sql, { empty, join } from 'sql-template-tag'
import type { Field, Fields } from '../../fields/base/field-kind.ts'
import { isWriteOnlyField, fieldKindOf } from '../../fields/kinds.ts'
import { referencedResourceName } from '../../fields/ref/referenced-resource.ts'
import { f } from '../../resource/f.ts'
import { permissionCodeOf, type Resource } from '../../resource/define-resource.ts'
import { hasPermission } from '../base/caller.ts'
import { readBatch } from '../database/db.ts'
import { containsTextSql, parsePageRequest, isSearchableField } from '../query/filters.ts'
import { unitOfWorkOptionsForRead, pageEnvelope, visibleRowsSql, type ListPage } from '../resource/list-of.ts'
import { presentRows, selectColumnsSql } from '../resource/present.ts'
import { Refused } from '../base/refused.ts'
import { requireIdList, forEachTenantOfRows } from '../resource/remove-of.ts'
import { invalidInputRefusal, defineRoute, type Call, type ServedResource } from '../module/module.ts'
import { notDeletedSql, columnNameSql, hasTenantColumn, tableNameSql } from '../database/row-sql.ts'
import { restoreRow } from '../database/rows.ts'
import { lockVisibleRow, publishRowsChanged } from '../resource/submit-of.ts'
import { authoriseCall } from '../request/pipeline.ts'
import { lockAgainstRemoval, removalRuleOf } from '../resource/references.ts'
import { requireListPermission } from '../resource/may-list.ts'
import { findRoute, requireServedResource } from '../resource/call-route.ts'

type Row = Record<string, unknown> & { id: string }

/** Whether the caller may see and restore removed rows of a resource: those who may remove its rows. */
const mayRestore = ({ caller }: Call, { tenancy, code, restore }: Resource<any, any>) =>
  restore &&
  hasPermission(caller, permissionCodeOf({ code }, 'list')) &&
  hasPermission(caller, permissionCodeOf({ code }, 'delete')) &&
  (tenancy !== 'platform' || caller.isPlatform)

function binOf(call: Call): ServedResource {
  const served = requireServedResource(call)
  if (!served.resource.restore) throw new Refused('not_restorable', { label: served.resource.label })
  if (!mayRestore(call, served.resource)) throw new Refused('forbidden')
  return served
}

/** SQL condition that leaves out the platform's rows of a shared resource, which tenants may not restore. */
const owned = ({ resource }: ServedResource, { caller }: Call) =>
  resource.tenancy === 'shared' && !caller.isPlatform ? sql` and r.tenant_id = ${caller.tenantId}` : empty

const fromBin = (served: ServedResource, call: Call, key: string | null) => {
  const { resource } = served
  const titles = [resource.title, resource.titleCode].filter((name): name is string =>
    isSearchableField(resource, name, call.caller),
  )
  const like =
    key && titles.length
      ? sql` and (${join(
          titles.map((name) => containsTextSql(sql`r.${columnNameSql(name)}::text`, key)),
          ' or ',
        )})`
      : empty
  return sql`${visibleRowsSql(served, call, 'removed')}${owned(served, call)}${like}`
}

async function listBin(served: ServedResource, call: Call, key: string | null): Promise<ListPage> {
  const { resource, hooks } = served
  const page = parsePageRequest(call.query)
  const from = fromBin(served, call, key)
  await call.services.labels.ready(call.caller.tenantId)
  const user = call.services.registry.served.has('user')
    ? selectColumnsSql(call.services.registry, resource, 'detail')
    : selectColumnsSql(call.services.registry, resource, 'list')
  const [rows, counted] = await readBatch(call.services.pool, unitOfWorkOptionsForRead(call), [
    sql`select ${user} ${from} order by r.update_time desc, r.id desc
      limit ${page.size} offset ${(page.current - 1) * page.size}`,
    sql`select count(*)::int as n ${from}`,
  ])
  const records = await presentRows(call, resource, hooks, rows!)
  return pageEnvelope(records, counted![0]!.n as number, page)
}

/**
 * Checks the rows a restored row refers to. Refuses if one that it needs is itself removed; empties references that the
 * other's removal would have emptied. Returns the row.
 */
async function checkParents(call: Call, resource: Resource<any, any>, row: Row): Promise<Row> {
  const emptied: Record<string, unknown> = {}
  for (const [key, field] of Object.entries(resource.fields as Fields) as [string, Field][]) {
    const parents = parentsIn(resource, key, field, row)
    if (!parents) continue
    const { ids, mustBeThere } = parents
    const living = await lockLiving(call, call.services.registry.resource(parents.to), ids)
    if (ids.every((id) => living.has(id))) continue
    if (mustBeThere) throw invalidInputRefusal({ [key]: { problem: { code: 'not_found' }, field } })
    emptied[key] = fieldKindOf(field).many ? ids.filter((id) => living.has(id)) : null
  }
  return Object.keys(emptied).length ? call.db.update(resource, row.id, emptied) : row
}

type Parents = { to: string; ids: string[]; mustBeThere: boolean }

/**
 * Returns the rows a field refers to, if their removal would have emptied the field or been refused; otherwise
 * undefined.
 */
function parentsIn(resource: Resource<any, any>, key: string, field: Field, row: Row): Parents | undefined {
  const kind = fieldKindOf(field)
  const to = referencedResourceName(field, row)
  if (kind.choices !== 'rows' || field.computed || !to || field.keyType === 'text') return undefined
  const onRemoval = removalRuleOf(resource, field)
  const isRequired = (field.required && !kind.many) || kind.isParent || onRemoval === 'refuse'
  if (!isRequired && onRemoval !== 'empty') return undefined
  const ids = [row[key] ?? []].flat().filter((id): id is string => id !== (kind.isParent ? '0' : ''))
  return ids.length ? { to, ids, mustBeThere: isRequired } : undefined
}

/** Returns which of the rows are not removed, and locks them against removal until the transaction ends. */
async function lockLiving(call: Call, target: Resource<any, any>, ids: string[]): Promise<ReadonlySet<string>> {
  await lockAgainstRemoval(call.db, target, ids)
  const found = await call.db.query<{ id: string }>(
    sql`select r.id from ${tableNameSql(target)} r where r.id = any(${ids}::bigint[])${notDeletedSql(target)}`,
  )
  return new Set(found.map(({ id }) => id))
}

/** Runs the resource's save hooks for a restored row, as for a save without changes. */
async function resaveRestored(served: ServedResource, call: Call, back: Row): Promise<void> {
  const { resource, hooks } = served
  const row = await checkParents(call, resource, back)
  // Hooks that write further rows expect this row to be locked, as in a save.
  await lockVisibleRow(served, call, row.id)
  const draft = Object.fromEntries(
    Object.entries<Field>(resource.fields)
      .filter(([, field]) => (field.form ?? 'edit') === 'edit' && !field.computed && !isWriteOnlyField(field))
      .map(([key]) => [key, row[key]]),
  )
  await hooks.beforeSave?.(draft, row as never, call)
  await hooks.afterSave?.(row as never, row as never, call)
  await hooks.afterRestore?.(row as never, call)
  publishRowsChanged(call, resource, [row])
}

async function takeOut(served: ServedResource, call: Call, id: string) {
  const { resource, hooks } = served
  const found = await call.db.one(
    sql`select r.id ${visibleRowsSql(served, call, 'removed')}${owned(served, call)}${
      hasTenantColumn(resource)
        ? sql`
      and r.tenant_id = ${call.db.tenantId}`
        : empty
    } and r.id = ${id} for update`,
  )
  if (!found) throw new Refused('not_found', { label: resource.label })
  await hooks.beforeRestore?.(call)
  return restoreRow(call.db, resource, id)
}

const LABEL = {
  key: { zh: '关键字', en: 'Keyword' },
  ids: { zh: '编号', en: 'IDs' },
  current: { zh: '页码', en: 'Page' },
  size: { zh: '条数', en: 'Page size' },
}
const PATH = '/api/kit/bin'

export const recycleBinRoutes = [
  defineRoute({
    method: 'GET',
    path: PATH,
    title: { zh: '回收站', en: 'Recycle bin' },
    can: { signedIn: 'only resources whose rows the caller may remove' },
    tx: false,
    handle: async (call) => {
      const restorable = [...call.services.registry.served.values()].filter(({ resource }) =>
        mayRestore(call, resource),
      )
      if (!restorable.length) return []
      const [rows] = await readBatch(call.services.pool, unitOfWorkOptionsForRead(call), [
        join(
          restorable.map(
            (served) =>
              sql`select ${served.resource.name}::text as name, (select count(*)::int
                from (select 1 ${fromBin(served, call, null)} limit 1000) c) as n`,
          ),
          ' union all ',
        ),
      ])
      const counts = new Map(rows!.map((row) => [row.name as string, row.n as number]))
      return restorable.flatMap(({ resource }) =>
        counts.get(resource.name)
          ? [
              {
                resource: resource.name,
                label: resource.label[call.lang],
                count: counts.get(resource.name),
                title: resource.title,
                ...(resource.titleCode && { code: resource.titleCode }),
              },
            ]
          : [],
      )
    },
  }),
  defineRoute({
    method: 'GET',
    path: `${PATH}/:resource`,
    title: { zh: '回收站列表', en: 'List recycle bin' },
    can: { signedIn: 'removed rows inside tenant and data scope, for who may remove them' },
    tx: false,
    input: {
      key: f.text({ label: LABEL.key, max: 100 }),
      current: f.number({ label: LABEL.current, min: 1 }),
      size: f.number({ label: LABEL.size, min: 1, max: 1000 }),
    },
    handle: async (call) => {
      const served = binOf(call)
      await requireListPermission(call, served)
      return listBin(served, { ...call, query: { ...call.query, key: '' } }, call.input.key)
    },
  }),
  defineRoute({
    method: 'POST',
    path: `${PATH}/:resource/restore`,
    title: { zh: '从回收站恢复', en: 'Restore from recycle bin' },
    can: { signedIn: 'removed rows inside tenant and data scope, for who may remove them' },
    input: { ids: f.longText({ label: LABEL.ids, required: true, max: 20_000 }) },
    // A restored row has the same effect as an added one.
    comesTo: ({ services, query }) => {
      const resource = services.registry.served.get(query.resource ?? '')?.resource
      return resource ? [`${resource.path}/${resource.createPath ?? 'submit'}`] : []
    },
    handle: async (call) => {
      const served = binOf(call)
      const remove = findRoute(call.services.registry, `${served.resource.path}/remove`)
      if (remove) await authoriseCall(call.caller, remove.can, remove.path, call.services, remove)
      const ids = requireIdList(served.resource, call.input.ids)
      await forEachTenantOfRows(
        call,
        served.resource,
        ids,
        async (group, db) => {
          const inside = { ...call, db, query: {} }
          const rows = []
          // Restores all rows before checking any, so that a child can be restored together with its parent.
          for (const id of [...group].sort()) rows.push(await takeOut(served, inside, id))
          for (const row of rows) await resaveRestored(served, inside, row)
        },
        'removed',
      )
    },
  }),
]
