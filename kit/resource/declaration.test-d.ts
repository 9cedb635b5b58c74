// Checked by the type checker alone: each line below is a wrong use that must not compile.
import {
  defineDict,
  defineResource,
  defineStates,
  f,
  reusableField,
  type BaseRow,
  type PatchOf,
  type UpdateOf,
  type NewRowOf,
  type RowOf,
  type WireRow,
  type LocalizedText,
} from './index.ts'

const label: LocalizedText = { zh: '名称', en: 'Name' }
const fields = { name: f.text({ label }), count: f.number({ label }) }
const base = {
  name: 'thing',
  path: '/api/t/thing',
  label,
  tenancy: 'tenant',
  fields,
  list: { columns: ['name'] },
} as const

export const right = defineResource({
  ...base,
  actions: { sell: { on: 'row', label, enabled: { count: { in: [1] } } } },
  scope: { shop: 'name' },
})

const goods = defineResource({
  ...base,
  fields: {
    ...fields,
    code: f.text({ label, required: true }),
    kind: f.dict('kind', { label, required: true, numeric: true }),
  },
})
/** A required field is never null in a row, and may be left out of a patch. */
export const sure = ({ code, kind }: RowOf<typeof goods>): [string, number] => [code, kind]
export const some: PatchOf<typeof goods> = { name: null }

// @ts-expect-error a field that is not required may be empty
export const unsure = ({ name }: RowOf<typeof goods>): string => name

// @ts-expect-error what is required is not emptied
export const emptied: PatchOf<typeof goods> = { code: null }

// @ts-expect-error a new row without a required field
export const halfBorn: NewRowOf<typeof goods> = { name: 'x' }

// @ts-expect-error a list column that is no field
defineResource({ ...base, list: { columns: ['nmae'] } })

// @ts-expect-error a resource without tenancy
defineResource({ name: 'thing', path: '/api/t/thing', label, fields, list: { columns: ['name'] } })

// @ts-expect-error an unknown tenancy
defineResource({ ...base, tenancy: 'everyone' })

// @ts-expect-error a condition on a field that does not exist
defineResource({ ...base, actions: { sell: { on: 'row', label, enabled: { stock: { in: [1] } } } } })

// @ts-expect-error a data scope on a field that does not exist
defineResource({ ...base, scope: { shop: 'shopId' } })

// @ts-expect-error a title that is no field
defineResource({ ...base, title: 'heading' })

// @ts-expect-error a unique set with a field that does not exist
defineResource({ ...base, unique: [['name', 'code']] })

// @ts-expect-error an index over a field that does not exist
defineResource({ ...base, indexes: [['colour']] })

// @ts-expect-error a label in one language
defineResource({ ...base, label: { zh: '物品' } })

// @ts-expect-error a field without label
f.text({ max: 3 })

// @ts-expect-error a field whose label lacks a language
f.number({ label: { en: 'Count' } })

// @ts-expect-error a secret that is misspelt goes out to everybody
f.text({ label, secrte: true })

// @ts-expect-error an option nobody has, beside one that names a field
f.number({ label, systemUpdated: 'stockSeq', requird: true })

// @ts-expect-error an option of another kind: amounts have two decimals
f.money({ label, decimals: 3 })

// @ts-expect-error limits are numbers
f.money({ label, min: 'none' })

// @ts-expect-error a pattern is read by one line of text alone
f.longText({ label, pattern: 'a+' })

// @ts-expect-error an option nobody has, of a dictionary
f.dict('kind', { label, numerical: true })

// @ts-expect-error an option nobody has, of a reference
f.ref('thing', { label, labelkey: 'thingName' })

// @ts-expect-error an upload of one file has no count
f.picture({ label, maxCount: 3 })

// @ts-expect-error an operator nobody knows
f.text({ label, search: 'sounds' })

// @ts-expect-error an operator this kind does not have
f.boolean({ label, search: 'range' })

// @ts-expect-error a parameter of a form nobody knows
f.text({ label, form: 'readonly' })

// @ts-expect-error the wire value of an amount is text
f.money({ label, default: 0 })

// @ts-expect-error the wire value of yes or no is no number
f.boolean({ label, default: 1 })

// @ts-expect-error a key of a dictionary of numbers is a number
f.dict('kind', { label, numeric: true, default: '1' })

// @ts-expect-error a mask nobody drew
f.phone({ label, mask: 'fone' })

// @ts-expect-error a field that moves with one that does not exist
defineResource({ ...base, fields: { name: f.text({ label, systemUpdated: 'seq' }) } })

// @ts-expect-error a reference that agrees in a field that does not exist
defineResource({ ...base, fields: { name: f.ref('thing', { label, same: 'shpoId' }) } })

// @ts-expect-error a resource given by a field that does not exist
defineResource({ ...base, fields: { name: f.ref('', { label, by: 'sort', resourceByValue: { a: 'thing' } }) } })

// @ts-expect-error an option of a field written without its builder
defineResource({ ...base, fields: { name: { kind: 'text', label, secrte: true } } })

// @ts-expect-error an option a resource does not have
defineResource({ ...base, writers: 'device' })

// @ts-expect-error an option lists do not have
defineResource({ ...base, list: { columns: ['name'], inlien: ['name'] } })

// @ts-expect-error a field changed in its cell that does not exist
defineResource({ ...base, list: { columns: ['name'], inline: ['nmae'] } })

// @ts-expect-error a field set for many that does not exist
defineResource({ ...base, list: { columns: ['name'], bulk: ['nmae'] } })

// @ts-expect-error an order by a field that does not exist
defineResource({ ...base, list: { columns: ['name'], sort: '-nmae' } })

// @ts-expect-error a button there is not
defineResource({ ...base, buttons: { remove: false } })

// @ts-expect-error an option actions do not have
defineResource({ ...base, actions: { sell: { on: 'row', label, dangr: true } } })

// @ts-expect-error a condition on two fields of which one does not exist
defineResource({ ...base, actions: { sell: { on: 'row', label, enabled: { count: { eq: 1 }, stock: { eq: 1 } } } } })

// @ts-expect-error a test conditions do not have
defineResource({ ...base, actions: { sell: { on: 'row', label, enabled: { count: { eq: 1, not: 2 } } } } })

// @ts-expect-error a permission that no resource has
defineResource({ ...base, actions: { sell: { on: 'row', label, can: 'sell' } } })

// @ts-expect-error an argument that agrees in one the action does not have
defineResource({ ...base, actions: { sell: { on: 'row', label, input: { a: f.ref('thing', { label, same: 'b' }) } } } })

// @ts-expect-error an action that says not what it works on
defineResource({ ...base, actions: { sell: { label } } })

// @ts-expect-error an action without words
defineResource({ ...base, actions: { sell: { on: 'row' } } })

// @ts-expect-error an entry of a dictionary in one language
defineDict({ code: 'kind', label, entries: [{ key: '1', zh: '一' }] })

// What handlers see stays exact.
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const exact = defineResource({
  ...base,
  fields: {
    name: f.text({ label, required: true, search: 'like' }),
    count: f.number({ label, systemUpdated: true }),
    kind: f.dict('kind', { label, numeric: true, without: ['9'] }),
    mode: f.dict('mode', { label }),
    tags: f.tags({ label }),
    isOpen: f.boolean({ label, default: true }),
    shopId: f.ref('shop', { label, systemUpdated: 'count' }),
    agentId: f.ref('agent', { label, same: 'shopId' }),
  },
})
type Row = Omit<RowOf<typeof exact>, keyof BaseRow>
export const rowIsExact: Same<
  { [K in keyof Row]: Row[K] },
  {
    name: string
    count: number | null
    kind: number | null
    mode: string | null
    tags: string[] | null
    isOpen: boolean | null
    shopId: string | null
    agentId: string | null
  }
> = true
export const draftIsExact: Same<PatchOf<typeof exact>, Partial<{ [K in keyof Row]: Row[K] }>> = true

const maker = reusableField.ref('maker', { label, labelKey: 'madeBy', search: 'eq' })
const made = defineResource({ ...base, fields: { ...fields, makerId: maker({ required: true }), helperId: maker() } })
/** A reusable field has the same exact type as a field written with `f`. */
export const sureMaker = ({ makerId }: RowOf<typeof made>): string => makerId
export const madeBy = (row: WireRow<typeof made>): string => row.madeBy

// @ts-expect-error a fragment that is not required here may be empty
export const unsureHelper = ({ helperId }: RowOf<typeof made>): string => helperId

// @ts-expect-error an option the kind does not know
maker({ serach: 'eq' })

// @ts-expect-error a neighbour nobody declared
defineResource({ ...base, fields: { ...fields, makerId: maker({ same: 'shopId' }) } })

const ticketStates = defineStates({
  field: 'kind',
  values: { open: 0, over: 1, lost: 2 },
  initial: ['open'],
  moves: { close: { from: ['open'], to: 'over' }, judge: { from: ['open'], to: ['over', 'lost'] } },
})
const ticketFields = { ...fields, kind: f.dict('kind', { label, numeric: true }) }
const ticket = defineResource({ ...base, fields: ticketFields, states: ticketStates })

// @ts-expect-error a move to an unknown state
defineStates({ ...ticketStates, moves: { close: { from: ['open'], to: 'gone' } } })

// @ts-expect-error a move from an unknown state
defineStates({ ...ticketStates, moves: { close: { from: ['gone'], to: 'over' } } })

// @ts-expect-error rows created in an unknown state
defineStates({ ...ticketStates, initial: ['gone'] })

// @ts-expect-error states in a field that does not exist
defineResource({ ...base, states: ticketStates })

export const moves = defineResource({
  ...base,
  fields: ticketFields,
  states: ticketStates,
  actions: {
    finish: { on: 'row', label, move: 'close' },
    // @ts-expect-error an action that makes an undeclared move
    reopen: { on: 'row', label, move: 'open' },
  },
})

export const aside: UpdateOf<typeof ticket> = { name: 'x' }
// @ts-expect-error a state changed by hand
export const byHand: UpdateOf<typeof ticket> = { kind: 1 }
// @ts-expect-error a row's own values may hold its state too
export const byRow = (row: Partial<RowOf<typeof ticket>>): UpdateOf<typeof ticket> => row
