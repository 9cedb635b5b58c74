import type { Field, FilterOperator } from '../fields/field-kind.ts'
import type { Resource } from './define-resource.ts'
import type { LocalizedText } from './localized-text.ts'

/**
 * Fields a tenant adds to a family by itself. Their values lie in spare columns that every family people write has:
 * typed, empty for who adds none, and taken by each tenant as it likes. A field takes one (`slot`, "t3") and is called
 * after it and its own number, `own12t3`, so that everything between the wire and SQL reads it as it reads any other.
 */

/** The spare columns of a family: so many of each letter, with their SQL type. */
export const CUSTOM_FIELD_SLOTS = {
  /** Short texts and choices, which an index holds whatever is written. */
  t: { count: 12, type: 'text' },
  /** Longer texts, which none could hold. */
  x: { count: 2, type: 'text' },
  /** What the database compares by an index before it has looked whose a row is; it may not with `numeric`. */
  f: { count: 8, type: 'float8' },
  d: { count: 4, type: 'date' },
  m: { count: 2, type: 'timestamptz(3)' },
  r: { count: 4, type: 'bigint' },
  l: { count: 2, type: 'text[]' },
} as const

export type CustomSlotLetter = keyof typeof CUSTOM_FIELD_SLOTS

/** The letter of a slot. */
export const customSlotLetterOf = (slot: string): CustomSlotLetter => slot.slice(0, 1) as CustomSlotLetter

export const customSlotsOfLetter = (letter: CustomSlotLetter): string[] =>
  Array.from({ length: CUSTOM_FIELD_SLOTS[letter].count }, (_none, at) => `${letter}${at + 1}`)

/** Spare columns by name, with their type. */
export const customColumnTypes: Readonly<Record<string, string>> = Object.fromEntries(
  (Object.keys(CUSTOM_FIELD_SLOTS) as CustomSlotLetter[]).flatMap((letter) =>
    customSlotsOfLetter(letter).map((slot) => [`own_${slot}`, CUSTOM_FIELD_SLOTS[letter].type]),
  ),
)

/** Which columns there are, as the migrations note it: `t12 x2 …`. */
export const customColumnsSignature = Object.entries(CUSTOM_FIELD_SLOTS)
  .map(([letter, { count }]) => letter + count)
  .join(' ')

const NAME = /^own\d+([a-z]\d+)$/

/** The column behind the name of an own field; undefined for every other name. */
export const customColumnNameOf = (name: string): string | undefined => {
  const slot = NAME.exec(name)?.[1]
  return slot && `own_${slot}`
}

export const customFieldKey = (number: number, slot: string): string => `own${number}${slot}`

type Made = Omit<Partial<Field>, 'kind'> & { kind: string }
type OwnKindOf = { letter: CustomSlotLetter; search: FilterOperator; field: (own: CustomField) => Made }

const TEXT_MAX = 255
const LINES_MAX = 2000
/** One choice of an own field. What is no longer offered keeps its words for rows that have it. */
export type CustomFieldChoice = { key: string; zh: string; en: string; colour?: string; isOff?: boolean }

const YES_NO: readonly CustomFieldChoice[] = [
  { key: 'yes', zh: '是', en: 'Yes', colour: 'success' },
  { key: 'no', zh: '否', en: 'No' },
]

const entriesOf = ({ key, entries = [] }: Pick<CustomField, 'key' | 'entries'>) => ({ dict: key, biz: true, entries })

/** What kinds there are, the slots they take, how their search box asks, and what field of the kit they are. */
export const customFieldKinds = {
  text: { letter: 't', search: 'like', field: () => ({ kind: 'text', max: TEXT_MAX }) },
  longText: { letter: 'x', search: 'like', field: () => ({ kind: 'longText', max: LINES_MAX }) },
  // Nothing stands for -1 on the wire of whole numbers, so these begin at 0.
  number: {
    letter: 'f',
    search: 'range',
    field: ({ decimals, unit }) => ({
      kind: 'number',
      big: true,
      ...(decimals ? { decimals } : { min: 0 }),
      ...(unit ? { unit: { zh: unit, en: unit } } : {}),
    }),
  },
  money: { letter: 'f', search: 'range', field: () => ({ kind: 'money' }) },
  percent: { letter: 'f', search: 'range', field: () => ({ kind: 'percent' }) },
  date: { letter: 'd', search: 'range', field: () => ({ kind: 'date' }) },
  datetime: { letter: 'm', search: 'range', field: () => ({ kind: 'datetime' }) },
  // A row that was there before says neither, and is found by neither.
  boolean: {
    letter: 't',
    search: 'eq',
    field: ({ key }) => ({ kind: 'dict', ...entriesOf({ key, entries: YES_NO }) }),
  },
  choice: { letter: 't', search: 'eq', field: (own) => ({ kind: 'dict', ...entriesOf(own) }) },
  choices: { letter: 'l', search: 'in', field: (own) => ({ kind: 'dicts', ...entriesOf(own) }) },
  ref: { letter: 'r', search: 'eq', field: ({ to }) => ({ kind: 'ref', to: to!, onRemoval: 'keep' }) },
  phone: { letter: 't', search: 'like', field: () => ({ kind: 'phone', landline: true }) },
  email: { letter: 't', search: 'like', field: () => ({ kind: 'email', max: 100 }) },
  url: { letter: 't', search: 'like', field: () => ({ kind: 'url', max: TEXT_MAX }) },
} satisfies Record<string, OwnKindOf>

export type CustomFieldKind = keyof typeof customFieldKinds

export const isCustomFieldKind = (kind: unknown): kind is CustomFieldKind =>
  typeof kind === 'string' && Object.hasOwn(customFieldKinds, kind)

/** A field as its tenant declares it. Where it stands and what it may be asked is said here alone. */
export type CustomField = {
  key: string
  kind: CustomFieldKind
  label: LocalizedText
  help?: LocalizedText
  required: boolean
  inList: boolean
  inSearch: boolean
  inForm: boolean
  inExport: boolean
  inImport: boolean
  entries?: readonly CustomFieldChoice[]
  decimals?: number
  unit?: string
  to?: string
  default?: string
}

/** The own fields of a tenant by the families they belong to; what is not there has none. */
export type CustomFieldsByResource = Readonly<Record<string, readonly CustomField[]>>

/** What of a family's fields a tenant added, under one heading. */
export const CUSTOM_FIELDS_GROUP_LABEL: LocalizedText = { zh: '自定义字段', en: 'Custom fields' }

/** An own field as every other field is declared. */
export function customFieldToField(own: CustomField): Field {
  const { search, field } = customFieldKinds[own.kind] as OwnKindOf
  return {
    ...field(own),
    label: own.label,
    group: CUSTOM_FIELDS_GROUP_LABEL,
    own: { inForm: own.inForm, inExport: own.inExport, inImport: own.inImport },
    ...(own.help ? { help: own.help } : {}),
    ...(own.required ? { required: true } : {}),
    ...(own.inSearch ? { search } : {}),
    ...(own.default ? { default: own.default } : {}),
  }
}

const known = new WeakMap<readonly CustomField[], WeakMap<object, Resource<any, any>>>()
const extended = new WeakSet<object>()

/** Whether a family may get own fields here and has none yet. */
export const canReceiveCustomFields = (resource: Resource<any, any>): boolean =>
  resource.ownFields && !extended.has(resource)

/**
 * A family as one tenant sees it: its declared fields, and then its own. The same answer for the same arrays, so that
 * what is remembered of a family by its declaration is remembered of this one too.
 */
export function resourceWithCustomFields(
  resource: Resource<any, any>,
  own: readonly CustomField[] | undefined,
): Resource<any, any> {
  if (!own?.length || !canReceiveCustomFields(resource)) return resource
  const made = known.get(own) ?? known.set(own, new WeakMap()).get(own)!
  const hit = made.get(resource)
  if (hit) return hit
  const shown = own.filter(({ inList }) => inList).map(({ key }) => key)
  const { columns, bulk } = resource.list
  // When a row was written stands last where it stands last.
  const last = columns.findLastIndex((key) => key in resource.fields) + 1
  const longer: Resource<any, any> = {
    ...resource,
    fields: { ...resource.fields, ...Object.fromEntries(own.map((one) => [one.key, customFieldToField(one)])) },
    list: {
      ...resource.list,
      columns: [...columns.slice(0, last), ...shown, ...columns.slice(last)],
      bulk: [...bulk, ...(resource.buttons.edit ? own.filter(({ inForm }) => inForm).map(({ key }) => key) : [])],
    },
  }
  made.set(resource, longer)
  extended.add(longer)
  return longer
}
