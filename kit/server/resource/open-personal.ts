import type { Field } from '../../fields/base/field-kind.ts'
import { fieldKindOf } from '../../fields/kinds.ts'
import { isPersonalField, withoutMask } from '../../fields/base/masks.ts'
import { PERSONAL_REASON_LENGTH, isMeaningfulReason } from '../../fields/personal-reason.ts'
import { f } from '../../resource/f.ts'
import { permissionCodeOf, type Resource } from '../../resource/define-resource.ts'
import { visibleFields } from '../database/data-scope.ts'
import { sql, type Db } from '../database/db.ts'
import { storedFields } from '../database/row-sql.ts'
import { defineRefusals, Refused, type CodesOf } from '../base/refused.ts'
import { authoriseCall } from '../request/pipeline.ts'
import { defineRoute, type Call, type ServedResource } from '../module/module.ts'
import { defineSlot } from '../base/slots.ts'
import { visibleRowsSql } from './list-of.ts'
import { requireListPermission } from './may-list.ts'
import { selectColumnsSql } from './present.ts'
import { forEachTenantOfRows } from './remove-of.ts'

const refusals = defineRefusals({
  reason_says_nothing: {
    zh: '{label}请写明为什么要看，至少 {min} 个字',
    en: '{label}: enter a reason of at least {min} {min|character|characters}',
  },
  nothing_personal: { zh: '{label}没有需要打开的个人信息', en: '{label} has no personal data to reveal' },
})

declare module '../base/refused.ts' {
  // oxlint-disable-next-line typescript/consistent-type-definitions
  interface Refusals extends CodesOf<typeof refusals> {}
}

type Opening = {
  family: string
  rowId: string
  title: string
  fields: readonly string[]
  reason: string
  /** Values of the row's scope fields: `{ shop: […] }`. */
  owners?: Record<string, readonly string[]>
}

/** Log of who viewed whose personal data and why; provided by the logs module. */
type Openings = {
  /** Records the viewing in the same transaction; returns until when the data stays visible. */
  note: (db: Db, call: Call, opening: Opening) => Promise<Date>
  /** Until when the caller may see the row's data again; undefined if they have not opened it. */
  until: (db: Db, call: Call, row: Pick<Opening, 'family' | 'rowId'>) => Promise<Date | undefined>
}

export const personalOpeningsSlot = defineSlot<Openings>('personalOpenings')

/** Fields with personal data, which nobody sees unmasked without giving a reason. */
const personalOf = (resource: Resource<any, any>): [string, Field][] =>
  storedFields(resource).filter(([, field]) => isPersonalField(field))

export const hasPersonalFields = (resource: Resource<any, any>): boolean =>
  Object.values<Field>(resource.fields).some((field) => isPersonalField(field) && !field.computed)

type Opened = { until: string; values: Record<string, unknown> }

/**
 * Checks list and `open` permission, then runs `work` with a database handle of the row's tenant and the visible
 * personal fields.
 */
async function withRow(
  call: Call,
  id: string,
  work: (own: Call, served: ServedResource, fields: [string, Field][]) => Promise<Opened>,
): Promise<Opened> {
  const served = call.services.registry.served.get(call.query.resource ?? '')
  if (!served) throw new Refused('no_such_path')
  const { resource } = served
  await requireListPermission(call, served)
  const seen = visibleFields(resource, call.caller)
  const fields = personalOf(resource).filter(([key]) => seen?.has(key) ?? true)
  if (!fields.length) throw new Refused('nothing_personal', { label: resource.label })
  await authoriseCall(call.caller, permissionCodeOf(resource, 'open'), `${resource.path}/open`, call.services)
  let answer: Opened | undefined
  await forEachTenantOfRows(call, resource, [id], async (_ids, db) => {
    answer = await work({ ...call, db }, served, fields)
  })
  return answer!
}

/** Returns the personal fields unmasked, and no other field. */
async function wholeOf(
  call: Call,
  { resource, hooks }: ServedResource,
  id: string,
  fields: [string, Field][],
  until: Date,
) {
  const columns = selectColumnsSql(call.services.registry, resource, 'detail', [
    ...fields.map(([key]) => key),
    resource.title,
  ])
  const row = await call.db.one(
    sql`select ${columns} ${visibleRowsSql({ resource, hooks } as ServedResource, call)} and r.id = ${id}`,
  )
  if (!row) throw new Refused('not_found', { label: resource.label })
  const values = Object.fromEntries(
    fields.map(([key, field]) => [key, fieldKindOf(field).wire(row[key], withoutMask(field))]),
  )
  return { until: until.toISOString(), values, title: String(row[resource.title] ?? '') }
}

async function open(call: Call<{ id: string; reason: string }>): Promise<Opened> {
  const { id, reason } = call.input
  return withRow(call, id, async (own, served, fields) => {
    requireReason(reason)
    const log = own.services.slots.find(personalOpeningsSlot)
    if (!log) throw new Refused('forbidden')
    const { title, ...shown } = await wholeOf(own, served, id, fields, own.services.now())
    const keys = fields.map(([key]) => key)
    const { resource } = served
    const owners = await ownersOf(own.db, resource, id)
    const until = await log.note(own.db, own, { family: resource.name, rowId: id, title, fields: keys, reason, owners })
    return { ...shown, until: until.toISOString() }
  })
}

/** Values of the row's scope fields, such as its shop. */
async function ownersOf(db: Db, resource: Resource<any, any>, id: string): Promise<Record<string, string[]>> {
  const row = ((await db.get(resource, id)) ?? {}) as Record<string, unknown>
  return Object.fromEntries(
    Object.entries<string>(resource.scope).map(([limit, key]) => [limit, [row[key] ?? []].flat().map(String)]),
  )
}

async function again(call: Call<{ id: string }>): Promise<Opened> {
  const { id } = call.input
  return withRow(call, id, async (own, served, fields) => {
    const until = await own.services.slots
      .find(personalOpeningsSlot)
      ?.until(own.db, own, { family: served.resource.name, rowId: id })
    if (!until) return { until: '', values: {} }
    const { title: _title, ...shown } = await wholeOf(own, served, id, fields, until)
    return shown
  })
}

function requireReason(reason: string): void {
  if (!isMeaningfulReason(reason))
    throw new Refused('reason_says_nothing', { label: REASON, min: PERSONAL_REASON_LENGTH.min }, { field: 'reason' })
}

const REASON = { zh: '原因', en: 'Reason' }
const id = f.ref('', { label: { zh: '编号', en: 'ID' }, required: true })
const why = { signedIn: 'for who may list the resource and holds its permission to open, each time with a reason' }

export const personalDataRoutes = [
  defineRoute({
    method: 'POST',
    path: '/api/kit/personal/:resource',
    title: { zh: '打开个人信息', en: 'Reveal personal data' },
    can: why,
    input: {
      id,
      reason: f.text({ label: REASON, required: true, max: PERSONAL_REASON_LENGTH.max }),
    },
    handle: (call) => open(call),
  }),
  defineRoute({
    method: 'GET',
    path: '/api/kit/personal/:resource',
    title: { zh: '已打开的个人信息', en: 'Revealed personal data' },
    can: why,
    input: { id },
    handle: (call) => again(call),
  }),
]
