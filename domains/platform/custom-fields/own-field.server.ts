import sql from 'sql-template-tag'
import type { Field, FieldProblem } from '#kit/fields/base/field-kind.ts'
import { parseFieldInput } from '#kit/fields/kinds.ts'
import {
  customFieldToField,
  isCustomFieldKind,
  customFieldKey,
  customFieldKinds,
  permissionCodeOf,
  customSlotsOfLetter,
  type PatchOf,
  type CustomField,
  type CustomFieldKind,
  type Resource,
  type RowOf,
  objectSchema,
  textSchema,
} from '#kit/resource/index.ts'
import { hasPermission } from '#kit/server/base/caller.ts'
import type { Db } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/base/refused.ts'
import {
  invalidInputRefusal,
  invalidFieldRefusal,
  defineRoute,
  serve,
  type Call,
  type ServedResource,
  type ModuleRegistry,
} from '#kit/server/module/module.ts'
import { customFieldClearingQueue, customFieldIndexQueue } from './queues.ts'
import { parseCustomFieldChoices } from './choices.ts'
import { rowToCustomField, publishCustomFieldsChanged } from './memory.ts'
import { extensibleResourcesCall } from './own-field.calls.ts'
import { ownField } from './own-field.resource.ts'

type Draft = PatchOf<typeof ownField>
type Row = RowOf<typeof ownField>
/** A field with its stored and changed values merged. */
type MergedField = Draft & { family: string; kind: CustomFieldKind; labelZh: string; labelEn: string }

/** Whether a resource can have custom fields: it must use the kit's list, detail and saving. */
const takesOwn = ({ resource, hooks }: ServedResource): boolean =>
  resource.ownFields &&
  !hooks.list &&
  !['list', 'detail', 'submit'].some((one) => hooks.without?.includes(one as never))

function resourceOf(registry: ModuleRegistry, name: string): Resource<any, any> {
  const served = registry.served.get(name)
  if (!served) throw invalidFieldRefusal(ownField, 'family', 'not_a_choice')
  if (!takesOwn(served)) throw new Refused('own_not_here', { family: served.resource.label }, { field: 'family' })
  return served.resource
}

/** Refuses a name that another field of the resource has: nobody could tell them apart on screen or in a workbook. */
async function checkNames(
  db: Db,
  resource: Resource<any, any>,
  wanted: MergedField,
  id: string | undefined,
): Promise<void> {
  const same = (one: string, other: string) => one.trim().toLowerCase() === other.trim().toLowerCase()
  const declared = Object.values<Field>(resource.fields).map(({ label }) => label)
  const others = await db.query<{ zh: string; en: string }>(
    sql`select label_zh as zh, label_en as en from own_field where tenant_id = ${db.tenantId}
      and family = ${wanted.family} and is_deleted = 0 and id is distinct from ${id ?? null}::bigint`,
  )
  for (const label of [...declared, ...others]) {
    if (same(label.zh, wanted.labelZh)) throw invalidFieldRefusal(ownField, 'labelZh', 'taken')
    if (same(label.en, wanted.labelEn)) throw invalidFieldRefusal(ownField, 'labelEn', 'taken')
  }
}

/**
 * Returns a free slot for the kind. Slots of removed fields stay taken until their values are cleared. Refuses when all
 * are taken.
 */
async function freeSlot(db: Db, resource: Resource<any, any>, kind: CustomFieldKind): Promise<string> {
  const slots = customSlotsOfLetter(customFieldKinds[kind].letter)
  const taken = await db.query<{ slot: string; isRemoved: boolean }>(
    sql`select slot, is_deleted = 1 as is_removed from own_field where tenant_id = ${db.tenantId}
      and family = ${resource.name} and slot = any(${slots})`,
  )
  const free = slots.find((slot) => !taken.some((one) => one.slot === slot))
  if (free) return free
  const removed = taken.filter(({ isRemoved }) => isRemoved).length
  throw new Refused('own_no_room', { family: resource.label, max: slots.length, removed }, { field: 'kind' })
}

async function nextNumber(db: Db): Promise<number> {
  const counted = await db.one<{ last: number }>(
    sql`insert into own_field_count (tenant_id, last) values (${db.tenantId}, 1)
      on conflict (tenant_id) do update set last = own_field_count.last + 1 returning last`,
  )
  return counted!.last
}

const USED: Record<string, readonly CustomFieldKind[]> = {
  refersTo: ['ref'],
  options: ['choice', 'choices'],
  decimals: ['number'],
  unit: ['number'],
  defaultValue: ['text', 'longText', 'number', 'money', 'percent', 'boolean', 'choice', 'phone', 'email', 'url'],
}

/** Clears the properties that do not apply to this kind. */
function leaveOut(draft: Draft, kind: CustomFieldKind): void {
  for (const [key, kinds] of Object.entries(USED)) if (!kinds.includes(kind)) Object.assign(draft, { [key]: null })
}

/** Refuses a default value the field would not accept. */
function checkDefault(own: CustomField): void {
  if (!own.default) return
  const field = customFieldToField(own)
  const { defaultValue } = ownField.fields
  const refuse = (problem: FieldProblem) =>
    invalidInputRefusal({ defaultValue: { problem, field: { ...field, ...defaultValue } } })
  const parsed = parseFieldInput(own.default, { ...field, required: false })
  if ('problem' in parsed) throw refuse(parsed.problem)
  if (field.entries && !field.entries.some(({ key, isOff }) => key === own.default && !isOff))
    throw refuse({ code: 'not_a_choice' })
}

const nothing = {
  helpZh: null,
  helpEn: null,
  refersTo: null,
  options: null,
  decimals: null,
  unit: null,
  defaultValue: null,
}

async function prepareField(draft: Draft, was: Row | undefined, call: Call): Promise<void> {
  const { db, services } = call
  const kind = was?.kind ?? draft.kind
  if (!isCustomFieldKind(kind)) throw invalidFieldRefusal(ownField, 'kind', 'not_a_choice')
  const resource = resourceOf(services.registry, was?.family ?? draft.family ?? '')
  leaveOut(draft, kind)
  if (USED.options!.includes(kind) && (draft.options !== undefined || !was))
    draft.options = parseCustomFieldChoices(draft.options, was?.options)
  const wanted = { ...nothing, ...was, ...draft, kind } as MergedField
  if (wanted.required && !(wanted.inForm && wanted.inImport)) throw new Refused('own_required_places')
  await db.advisoryLock('own fields')
  await checkNames(db, resource, wanted, was?.id)
  if (!was) Object.assign(draft, { slot: await freeSlot(db, resource, kind), number: await nextNumber(db) })
  checkDefault(rowToCustomField({ ...wanted, ...draft } as Parameters<typeof rowToCustomField>[0])!)
}

/** Publishes a change of custom fields and enqueues the job that updates the indexes. */
async function changed({ db, services }: Call): Promise<void> {
  publishCustomFieldsChanged(db, services)
  await db.enqueue(customFieldIndexQueue, {}, { key: 'all' })
}

export const customFieldServer = serve(ownField, {
  beforeSave: prepareField,
  afterSave: (_row, _was, call) => changed(call),
  afterRemove: (_rows, call) => changed(call),
  afterRestore: async (row, call) => {
    if (row.isClearing) throw new Refused('own_cleared')
    await changed(call)
  },
  present: (wire, rows, { services, lang }) => {
    for (const [at, row] of rows.entries())
      wire[at]!.familyName = services.registry.served.get(row.family)?.resource.label[lang] ?? row.family
  },
  answer: {
    schema: objectSchema({ key: textSchema }),
    of: (row) => ({ key: customFieldKey(row.number ?? 0, row.slot ?? '') }),
  },
  actions: {
    clear: async (_row, _input, { db }) => {
      await db.enqueue(customFieldClearingQueue, { tenantId: db.tenantId }, { key: db.tenantId })
    },
  },
})

type Offered = { name: string; label: string; group: string; count: number }

/**
 * Returns the resources the caller may list that can have custom fields, grouped by menu, with the number of fields
 * each has.
 */
async function extensibleResources({ caller, services, lang, db }: Call): Promise<Offered[]> {
  const counts = await db.query<{ family: string; n: number }>(
    sql`select family, count(*)::int as n from own_field where tenant_id = ${db.tenantId} and is_deleted = 0
      group by family`,
  )
  const groups = new Map(
    services.registry.modules.flatMap((module) => module.menus ?? []).map(({ code, label }) => [code, label[lang]]),
  )
  return [...services.registry.served.values()].flatMap((served) => {
    const { resource } = served
    if (!takesOwn(served) || !hasPermission(caller, permissionCodeOf(resource, 'list'))) return []
    const under = resource.menu ? resource.menu.under : ''
    return [
      {
        name: resource.name,
        label: resource.label[lang],
        group: groups.get(under) ?? under,
        count: counts.find(({ family }) => family === resource.name)?.n ?? 0,
      },
    ]
  })
}

export const customFieldRoutes = [
  defineRoute(extensibleResourcesCall, {
    title: { zh: '可加字段的数据', en: 'Data that supports custom fields' },
    can: permissionCodeOf(ownField, 'list'),
    handle: extensibleResources,
  }),
]
