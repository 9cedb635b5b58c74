import type { Field } from '../fields/base/field-kind.ts'
import type { FilterOperator } from '../fields/base/options.ts'
import type { Resource } from './define-resource.ts'
import type { CustomSlotLetter } from './custom-columns.ts'
import type { LocalizedText } from '../base/localized-text.ts'

/**
 * Fields a tenant adds to a resource itself ("own" fields). Their values lie in spare typed columns of the resource's
 * table; each tenant uses these columns for its own fields. A field takes one column (`slot`, "t3") and is named by its
 * own number and that slot, `own12t3`, so that all code handles it like a declared field.
 */

type CustomFieldDeclaration = Omit<Partial<Field>, 'kind'> & { kind: string }
type OwnKindOf = {
  letter: CustomSlotLetter
  search: FilterOperator
  field: (own: CustomField) => CustomFieldDeclaration
}

const TEXT_MAX = 255
const LINES_MAX = 2000
/** One choice of a custom field. `isOff`: no longer offered, but still shown in rows that have it. */
export type CustomFieldChoice = { key: string; zh: string; en: string; colour?: string; isOff?: boolean }

const YES_NO: readonly CustomFieldChoice[] = [
  { key: 'yes', zh: '是', en: 'Yes', colour: 'success' },
  { key: 'no', zh: '否', en: 'No' },
]

const entriesOf = ({ key, entries = [] }: Pick<CustomField, 'key' | 'entries'>) => ({ dict: key, biz: true, entries })

/** The kinds of custom field: slot letter of each, search operator, and how it is declared as a field of the kit. */
export const customFieldKinds = {
  text: { letter: 't', search: 'like', field: () => ({ kind: 'text', max: TEXT_MAX }) },
  longText: { letter: 'x', search: 'like', field: () => ({ kind: 'longText', max: LINES_MAX }) },
  // An empty whole number is sent as -1, so custom whole numbers start at 0.
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
  // Yes and no as a choice: rows from before the field existed hold neither and match neither filter.
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

/** A custom field as its tenant declared it; `in…` say whether it appears in list, search, form, export and import. */
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

/** Custom fields of one tenant by resource name; a resource without any is absent. */
export type CustomFieldsByResource = Readonly<Record<string, readonly CustomField[]>>

/** Heading above the custom fields in forms and details. */
export const CUSTOM_FIELDS_GROUP_LABEL: LocalizedText = { zh: '自定义字段', en: 'Custom fields' }

/** Returns a custom field as a field declaration of the kit. */
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

/** Whether a resource supports custom fields and does not contain them yet. */
export const canReceiveCustomFields = (resource: Resource<any, any>): boolean =>
  resource.ownFields && !extended.has(resource)

/**
 * Returns the resource with this tenant's custom fields after its declared ones. Returns the same object for the same
 * arguments, so that caches keyed by resource also work for it.
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
  // Custom columns go before trailing base columns (creation time, …) of the list.
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
