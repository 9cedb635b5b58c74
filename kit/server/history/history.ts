import sql, { empty, raw, type Sql } from 'sql-template-tag'
import type { Field } from '../../fields/base/field-kind.ts'
import { isReferenceField, isWriteOnlyField, fieldKindOf } from '../../fields/kinds.ts'
import { referencedResourceName } from '../../fields/ref/referenced-resource.ts'
import { f } from '../../resource/f.ts'
import { valueLabelKeyOf, permissionCodeOf, toSqlName, type Resource } from '../../resource/define-resource.ts'
import { localize, type Lang } from '../../base/localized-text.ts'
import { hasPermission } from '../base/caller.ts'
import { isSecretFieldValue, isSame } from '../database/change-log.ts'
import { visibleFields } from '../database/data-scope.ts'
import { readBatch, upgradeActor } from '../database/db.ts'
import { unitOfWorkOptionsForRead, visibleRowsSql } from '../resource/list-of.ts'
import { presentRows, canReadTitle, rowTitleSql } from '../resource/present.ts'
import { Refused } from '../base/refused.ts'
import { defineRoute, type Call, type ServedResource } from '../module/module.ts'
import { resourceColumnsSql, storedFields, tenantIdOfRow } from '../database/row-sql.ts'
import { lockVisibleRow, requireRowId } from '../resource/submit-of.ts'
import { forEachTenantOfRows } from '../resource/remove-of.ts'
import { requireListPermission } from '../resource/may-list.ts'
import { PendingApproval } from '../request/approval-gate.ts'
import { findRoute, requireServedResource, callRoute } from '../resource/call-route.ts'

type Any = Resource<any, any>
type Values = Record<string, unknown>
type Entry = {
  id: string
  kind: string
  via: string
  version: number
  userId: string
  createTime: string
  was: Values
  now: Values
}

const SIZE_MAX = 100

const entriesSql = (tenantId: string, resource: Any, id: string, more: Sql, limit: number): Sql =>
  sql`select id::text, kind, via, version, user_id::text as "userId", create_time as "createTime", was, now
    from row_change where tenant_id = ${tenantId} and resource = ${resource.name} and row_id = ${id}${more}
    order by id desc limit ${limit}`

/** Returns a row the caller may see, also from the recycle bin if they may restore it. Refuses otherwise. */
async function rowOf(served: ServedResource, call: Call, id: string): Promise<Values> {
  const { resource } = served
  const read = (state: 'alive' | 'removed') =>
    sql`select ${resourceColumnsSql(resource)} ${visibleRowsSql(served, call, state)} and r.id = ${id}`
  const mayRestore = resource.restore && hasPermission(call.caller, permissionCodeOf(resource, 'delete'))
  const [living, removed] = await readBatch(call.services.pool, unitOfWorkOptionsForRead(call), [
    read('alive'),
    ...(mayRestore ? [read('removed')] : []),
  ])
  const row = living![0] ?? removed?.[0]
  if (!row) throw new Refused('not_found', { label: resource.label })
  return row
}

/** Titles of the rows that reference fields point to, by resource and id, also for values of the past. */
async function titlesOf(call: Call, resource: Any, rows: Values[]): Promise<Map<string, string>> {
  const { registry, pool } = call.services
  const wanted = new Map<string, Set<string>>()
  const fields = Object.entries<Field>(resource.fields).filter(
    ([, field]) => isReferenceField(field) && (field.to || field.resourceByValue) && field.keyType !== 'text',
  )
  for (const row of rows) {
    for (const [key, field] of fields) {
      const to = referencedResourceName(field, row)
      if (to)
        for (const id of [row[key] ?? []].flat()) (wanted.get(to) ?? wanted.set(to, new Set()).get(to)!).add(String(id))
    }
  }
  const targets = [...wanted].filter(([, ids]) => ids.size)
  if (!targets.length) return new Map()
  const found = await readBatch(
    pool,
    unitOfWorkOptionsForRead(call),
    targets.map(([to, ids]) => {
      const target = registry.resource(to)
      const title = raw(rowTitleSql(registry, target, 'x', call.lang))
      return sql`select x.id::text, ${title} as title from ${raw(`"${target.table}"`)} x
        where x.id = any(${[...ids]}::bigint[])`
    }),
  )
  return new Map(
    targets.flatMap(([to], at) =>
      found[at]!.map((row) => [`${to}/${String(row.id)}`, String(row.title ?? '')] as const),
    ),
  )
}

/** Presents past values as the detail view would: reference labels, masks, hidden fields. */
export async function presentHistoricalRows(served: ServedResource, call: Call, rows: Values[]): Promise<Values[]> {
  const { resource, hooks } = served
  const titles = await titlesOf(call, resource, rows)
  for (const row of rows) {
    for (const [key, field] of Object.entries(resource.fields) as [string, Field][]) {
      if (isReferenceField(field) && (field.to || field.resourceByValue))
        row[valueLabelKeyOf(key, field)] = [row[key] ?? []]
          .flat()
          .map((id) => titles.get(`${referencedResourceName(field, row)}/${String(id)}`) ?? '')
          .join(',')
    }
  }
  return presentRows(call, resource, hooks, rows)
}

/** Values of those fields that are still declared. */
const ofToday = (resource: Any, values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([key]) => key in resource.fields && !resource.fields[key].computed))

async function peopleOf(call: Call, ids: string[]): Promise<Map<string, string>> {
  const user = call.services.registry.served.get('user')?.resource as Any | undefined
  if (!user || !ids.length || !canReadTitle(call.services.registry, user, call.caller)) return new Map()
  const [rows] = await readBatch(call.services.pool, unitOfWorkOptionsForRead(call), [
    sql`select id::text, ${raw(`"${toSqlName(user.title)}"`)}::text as name from ${raw(`"${user.table}"`)}
      where id = any(${ids}::bigint[])`,
  ])
  return new Map(rows!.map((row) => [row.id as string, String(row.name ?? '')]))
}

const UPGRADE = { zh: '版本更新', en: 'Upgrade' }

const viaWords = (call: Call, via: string, lang: Lang): string => {
  if (via === upgradeActor.via) return localize(UPGRADE, lang)
  const title = findRoute(call.services.registry, via)?.title ?? own.find((one) => one.path === via)?.title
  return title ? localize(title, lang) : ''
}

type PastChange = {
  id: string
  kind: string
  time: string
  userId: string
  userName: string
  via: string
  version: number
  keys: string[]
  hidden: string[]
  was: Values
  now: Values
  mayRestore: boolean
}

/** Returns the changes of one row, newest first, with labels for the values of then. */
async function historyOf(
  served: ServedResource,
  call: Call,
  id: string,
  before: string | null,
  size: number,
): Promise<{ records: PastChange[]; more: boolean; version: number; created: Values }> {
  const { resource } = served
  const row = await rowOf(served, call, id)
  await call.services.labels.ready(call.caller.tenantId)
  const [found] = await readBatch(call.services.pool, unitOfWorkOptionsForRead(call), [
    entriesSql(tenantIdOfRow(resource, row), resource, id, before ? sql` and id < ${before}` : empty, size + 1),
  ])
  const entries = (found as Entry[]).slice(0, size)
  const wire = await presentHistoricalRows(served, call, sidesOf(resource, row, entries))
  const createUser = (row.createUser as string | null) ?? SYSTEM_USER_ID
  const people = await peopleOf(call, [...new Set([...entries.map(({ userId }) => userId), createUser])])
  return {
    records: entries.map((entry, at) => changeOf(call, resource, entry, [wire[2 * at]!, wire[2 * at + 1]!], people)),
    more: found!.length > size,
    version: row.version as number,
    created: { time: row.createTime ?? '', ...personOf(createUser, people) },
  }
}

/** User id of changes the system made by itself. */
const SYSTEM_USER_ID = '0'
const personOf = (userId: string, people: ReadonlyMap<string, string>) => ({
  userId: userId === SYSTEM_USER_ID ? '' : userId,
  userName: people.get(userId) ?? '',
})

/** Reconstructs the whole row before and after each change, going back from its current values. */
function sidesOf(resource: Any, row: Values, entries: readonly Entry[]): Values[] {
  let after = row
  return entries.flatMap((entry) => {
    const now = { ...after, ...ofToday(resource, entry.now) }
    const was = { ...now, ...ofToday(resource, entry.was) }
    after = was
    return [was, now]
  })
}

function changeOf(
  call: Call,
  resource: Any,
  entry: Entry,
  [was, now]: [Values, Values],
  people: ReadonlyMap<string, string>,
): PastChange {
  const fields = resource.fields as Record<string, Field>
  const visibleKeys = visibleFields(resource, call.caller)
  // A secret is null on both sides. Other fields the caller may not see were already removed by presenting.
  const isSecret = (key: string) => entry.now[key] === null && entry.was[key] === null
  const known = Object.keys(entry.now).filter((key) => fields[key] && (visibleKeys?.has(key) ?? true))
  const keys = known.filter((key) => !isSecret(key) && key in now)
  const wordKeys = keys.flatMap((key) => [key, valueLabelKeyOf(key, fields[key]!)])
  const side = (one: Values) => Object.fromEntries(wordKeys.filter((key) => key in one).map((key) => [key, one[key]]))
  return {
    id: entry.id,
    kind: entry.kind,
    time: entry.createTime,
    ...personOf(entry.userId, people),
    via: viaWords(call, entry.via, call.lang),
    version: entry.version,
    keys,
    hidden: known.filter((key) => isSecret(key) && fields[key]!.form !== 'hidden'),
    was: side(was),
    now: side(now),
    mayRestore: isSaved(call, resource) && keys.some((key) => isRestorable(fields[key]!)),
  }
}

/** Whether people can set the field back: only fields they can edit, not states, counters or secrets. */
const isRestorable = (field: Field): boolean =>
  (field.form ?? 'edit') === 'edit' && !field.computed && !isWriteOnlyField(field)

/** Returns the restorable values from before a change, in form format, only those that differ from now. */
async function formerOf(served: ServedResource, call: Call, row: Values, change: string): Promise<Values> {
  const { resource } = served
  const entries = (await call.db.query(
    entriesSql(tenantIdOfRow(resource, row), resource, row.id as string, sql` and id >= ${change}`, 1000),
  )) as Entry[]
  if (entries.at(-1)?.id !== change) throw new Refused('not_found', { label: { zh: '修改记录', en: 'Change' } })
  const former: Values = {}
  for (const { was } of entries) Object.assign(former, ofToday(resource, was))
  const seen = visibleFields(resource, call.caller)
  // Secrets (by their name now or then) were never recorded, so they cannot be restored.
  const isSecret = (key: string, field: Field) =>
    isSecretFieldValue(field, key, row) || isSecretFieldValue(field, key, { ...row, ...former, [key]: row[key] })
  const fields = storedFields(resource).filter(
    ([key, field]) =>
      key in former &&
      isRestorable(field) &&
      (seen?.has(key) ?? true) &&
      !isSecret(key, field) &&
      !isSame(former[key], row[key]),
  )
  // Masked values are sent unmasked here, or the form would submit the asterisks.
  return Object.fromEntries(
    fields.map(([key, field]) => [
      key,
      former[key] === null ? '' : fieldKindOf(field).wire(former[key], { ...field, mask: undefined }),
    ]),
  )
}

/** Whether the resource has a `submit` route that people save its rows with. */
const isSaved = (call: Call, resource: Any): boolean =>
  !resource.appendOnly && !!findRoute(call.services.registry, `${resource.path}/submit`)

const LABEL = {
  id: { zh: '编号', en: 'ID' },
  change: { zh: '修改记录', en: 'Change' },
  before: { zh: '早于', en: 'Before' },
  size: { zh: '条数', en: 'Page size' },
  version: { zh: '版本', en: 'Version' },
}
const PATH = '/api/kit/history/:resource'

const own = [
  defineRoute({
    method: 'GET',
    path: PATH,
    title: { zh: '修改记录', en: 'History' },
    can: { signedIn: 'changes of rows the caller may list, fields the caller may see' },
    tx: false,
    input: {
      id: f.ref('', { label: LABEL.id, required: true }),
      before: f.ref('', { label: LABEL.before }),
      size: f.number({ label: LABEL.size, min: 1, max: SIZE_MAX }),
    },
    handle: async (call) => {
      const served = requireServedResource(call)
      await requireListPermission(call, served)
      return historyOf(served, call, call.input.id, call.input.before, call.input.size ?? 20)
    },
  }),
  defineRoute({
    method: 'POST',
    path: `${PATH}/restore`,
    title: { zh: '恢复旧版本', en: 'Restore earlier version' },
    can: { signedIn: "goes through the resource's own submit" },
    input: {
      id: f.ref('', { label: LABEL.id, required: true }),
      change: f.ref('', { label: LABEL.change, required: true }),
      version: f.number({ label: LABEL.version }),
    },
    handle: async (call) => {
      const served = requireServedResource(call)
      const { resource } = served
      await requireListPermission(call, served)
      if (!hasPermission(call.caller, permissionCodeOf(resource, 'edit'))) throw new Refused('forbidden')
      const { id, change, version } = call.input
      if (!isSaved(call, resource)) throw new Refused('written_elsewhere', { label: resource.label })
      let former: Values = {}
      await forEachTenantOfRows(call, resource, [requireRowId(resource, id)], async ([one], db) => {
        const inside = { ...call, db }
        former = await formerOf(served, inside, await lockVisibleRow(served, inside, one!), change)
      })
      if (!Object.keys(former).length) throw new Refused('nothing_to_restore')
      const answer = await callRoute(call, `${resource.path}/submit`, {
        body: { id, ...(version === null ? {} : { version }), ...former },
      })
      if (answer instanceof PendingApproval) return answer
      return { id, fields: Object.keys(former) }
    },
  }),
]

export const historyRoutes = own
