import sql, { join, raw, Sql } from 'sql-template-tag'
import type { Fields } from '../../fields/base/field-kind.ts'
import { isReferenceField, fieldKindOf } from '../../fields/kinds.ts'
import type { Resource } from '../../resource/define-resource.ts'
import { sentenceLabelParams, type LocalizedText } from '../../base/localized-text.ts'
import type { Db } from '../database/db.ts'
import { notDeletedSql, columnNameSql, hasTenantColumn, tableNameSql } from '../database/row-sql.ts'
import { Refused } from '../base/refused.ts'
import type { Call } from '../module/module.ts'
import { referenceableRowsSql } from './list-of.ts'
import { hasListPermission } from './may-list.ts'
import { lockAgainstReferencing, referencesTo, type Reference } from './references.ts'
import { publishRowsChanged } from './submit-of.ts'

type Any = Resource<any, any>

/** SQL `from … where …` of live rows that refer to these ids, alias `r`. */
function referencingRows(db: Db, { resource, key, field, of }: Reference, given: readonly string[] | Sql): Sql {
  const ids = given instanceof Sql ? given : sql`${given}::bigint[]`
  const mine = sql`r.${columnNameSql(key)}`
  const named = fieldKindOf(field).many ? sql`${mine} && ${ids}` : sql`${mine} = any(${ids})`
  const meant = of === undefined ? sql`` : sql` and r.${columnNameSql(field.by!)}::text = ${of}`
  const tenant = hasTenantColumn(resource) && !db.isCrossTenant ? sql` and r.tenant_id = ${db.tenantId}` : sql``
  return sql`from ${tableNameSql(resource)} r where ${named}${meant}${tenant}${notDeletedSql(resource)}`
}

const COUNTED = 1000

/** Number of rows that refer to the removed ones by one field; `seen`: how many of them the caller's list shows. */
type ReferenceCount = { reference: Reference; n: number; seen: number }

/** Counts, in one statement, the live rows that refer to these by each field, without rows that are removed as well. */
async function countReferences(
  call: Call,
  references: readonly Reference[],
  target: Any,
  ids: readonly string[],
): Promise<ReferenceCount[]> {
  if (!references.length) return []
  const { db } = call
  const counts = references.map((reference, at) => {
    const others = reference.resource.name === target.name ? sql` and not r.id = any(${ids}::bigint[])` : sql``
    const seen = referenceableRowsSql(call, reference.resource)
    const rows = sql`select (true${seen}) as is_seen ${referencingRows(db, reference, ids)}${others} limit ${COUNTED}`
    return sql`select ${raw(String(at))} as at, count(*)::int as n,
      count(*) filter (where is_seen)::int as seen from (${rows}) rows`
  })
  const found = await db.query<{ at: number; n: number; seen: number }>(join(counts, ' union all '))
  return found.filter(({ n }) => n > 0).map(({ at, ...figures }) => ({ reference: references[at]!, ...figures }))
}

/** "3 purchase orders", "2 devices of a work order"; `1000+` from the counting limit. */
function counted(n: number, label: LocalizedText): LocalizedText {
  const many = n >= COUNTED ? `${n}+` : String(n)
  const { label: one, labels } = sentenceLabelParams(label, 'en')
  return { zh: `${many} 条${label.zh}`, en: `${many} ${n === 1 ? one : labels}` }
}

const OTHERS: LocalizedText = { zh: '其他数据', en: 'other record' }

/**
 * Refuses the removal, listing the resources that still refer to the rows; rows the caller may not see are summed up as
 * "other records".
 */
async function rejectReferenced(call: Call, target: Any, rows: readonly Row[], found: readonly ReferenceCount[]) {
  const named = new Map<Any, { n: number; seen: number }>()
  for (const { reference, n, seen } of found) {
    const sum = named.get(reference.resource) ?? { n: 0, seen: 0 }
    named.set(reference.resource, { n: sum.n + n, seen: sum.seen + seen })
  }
  const parts: LocalizedText[] = []
  let others = 0
  for (const [resource, { n, seen }] of named) {
    const served = call.services.registry.served.get(resource.name)!
    const visible = seen && (await hasListPermission(call, served)) ? seen : 0
    if (visible) parts.push(counted(visible, resource.label))
    others += n - visible
  }
  if (others) parts.push(counted(others, OTHERS))
  const by = { zh: parts.map(({ zh }) => zh).join('、'), en: parts.map(({ en }) => en).join(', ') }
  const isForGood = [...named.keys()].some((resource) => resource.remove === false)
  const stoodOn = join(
    found.map(({ reference }) => sql`exists (select 1 ${referencingRows(call.db, reference, sql`array[t.id]`)})`),
    ' or ',
  )
  const ids = rows.map(({ id }) => id)
  const first = await call.db.one<{ id: string }>(
    sql`select t.id from unnest(${ids}::bigint[]) t(id) where ${stoodOn} limit 1`,
  )
  const row = rows.find(({ id }) => id === first?.id)
  const name = row ? titleOf(target, row) : target.label
  throw new Refused(isForGood ? 'named_for_good' : 'still_named', { name, by })
}

type Row = Record<string, any> & { id: string }

const titleOf = (target: Any, row: Row): unknown =>
  isReferenceField((target.fields as Fields)[target.title]!) ? target.label : (row[target.title] ?? target.label)

/**
 * Applies the `onRemoval` rules of all fields that refer to these rows: refuses if one forbids the removal, and returns
 * a function that empties or removes the referring rows afterwards. `going` collects all rows of this removal, as a row
 * may refer to several of them but is removed once.
 */
export async function checkRemovalReferences(
  call: Call,
  target: Any,
  rows: readonly Row[],
  going = new Set<string>(),
): Promise<() => Promise<void>> {
  const ids = rows.map(({ id }) => id)
  for (const id of ids) going.add(placeOf(target, id))
  const references = (referencesTo(call.services.registry).get(target.name) ?? []).filter(
    ({ onRemoval }) => onRemoval !== 'keep',
  )
  const found = await countReferences(call, references, target, ids)
  const refusing = found.filter(({ reference }) => reference.onRemoval === 'refuse')
  if (refusing.length) await rejectReferenced(call, target, rows, refusing)
  const rules: (() => Promise<void>)[] = []
  for (const { reference } of found)
    rules.push(
      reference.onRemoval === 'empty'
        ? () => clearReferences(call, reference, ids)
        : await prepareCascade(call, reference, ids, going),
    )
  return async () => {
    for (const apply of rules) await apply()
  }
}

const placeOf = ({ name }: Any, id: string) => `${name}/${id}`

async function referencingIds(db: Db, reference: Reference, ids: readonly string[], lock = ''): Promise<string[]> {
  const found = await db.query<{ id: string }>(
    sql`select r.id ${referencingRows(db, reference, ids)} order by r.id ${raw(lock)}`,
  )
  return found.map(({ id }) => id)
}

async function lockReferencingRows({ db }: Call, reference: Reference, ids: readonly string[]): Promise<Row[]> {
  const found = await referencingIds(db, reference, ids, 'for update')
  return found.length ? db.find(reference.resource, sql`r.id = any(${found}::bigint[])`) : []
}

async function clearReferences(call: Call, reference: Reference, ids: readonly string[]): Promise<void> {
  const { resource, key, field } = reference
  const isMany = fieldKindOf(field).many
  const changed = []
  for (const row of await lockReferencingRows(call, reference, ids)) {
    const left = isMany ? (row[key] as string[]).filter((id) => !ids.includes(id)) : null
    changed.push(await call.db.update(resource, row.id, { [key]: left }))
  }
  if (changed.length) publishRowsChanged(call, resource, changed)
}

/**
 * Prepares the removal of rows that are removed along with those they refer to. They are treated like any removal:
 * locked against new references, their hooks run, and their own referring rows are handled.
 */
async function prepareCascade(
  call: Call,
  reference: Reference,
  ids: readonly string[],
  going: Set<string>,
): Promise<() => Promise<void>> {
  const { resource } = reference
  const { hooks } = call.services.registry.served.get(resource.name)!
  await lockAgainstReferencing(call.db, resource, await referencingIds(call.db, reference, ids))
  const rows = (await lockReferencingRows(call, reference, ids)).filter(({ id }) => !going.has(placeOf(resource, id)))
  if (!rows.length) return async () => {}
  for (const { id } of rows) going.add(placeOf(resource, id))
  await hooks.beforeRemove?.(rows as never, call, true)
  return async () => {
    const applyRules = await checkRemovalReferences(call, resource, rows, going)
    await call.db.remove(
      resource,
      rows.map(({ id }) => id),
    )
    await hooks.afterRemove?.(rows as never, call)
    await applyRules()
    publishRowsChanged(call, resource, rows)
  }
}
