import type { Fields, Field } from '#kit/fields/base/field-kind.ts'
import { f } from '#kit/resource/index.ts'
import type { LocalizedText } from '#kit/base/localized-text.ts'

/** Field kinds a process form can use. */
export const PROCESS_FORM_INPUT_KINDS = [
  'text',
  'longText',
  'number',
  'money',
  'date',
  'datetime',
  'boolean',
  'dict',
  'person',
  'pictures',
  'files',
] as const
type Input = (typeof PROCESS_FORM_INPUT_KINDS)[number]

export type ProcessFormField = {
  name: string
  label: LocalizedText
  input: Input
  required?: boolean
  /** Dictionary of a choice field. */
  dict?: string
  help?: LocalizedText
}
export type ProcessForm = { key: string; label: LocalizedText; fields: ProcessFormField[] }

type Options = { label: LocalizedText; required?: boolean; help?: LocalizedText }

const builders: Record<Input, (options: Options, field: ProcessFormField) => Field<any, any>> = {
  text: (options) => f.text({ ...options, max: 200 }),
  longText: (options) => f.longText({ ...options, max: 5000 }),
  number: (options) => f.number({ ...options, decimals: 4 }),
  money: (options) => f.money(options),
  date: (options) => f.date(options),
  datetime: (options) => f.datetime(options),
  boolean: (options) => f.boolean(options),
  dict: (options, { dict }) => f.dict(dict ?? '', options),
  person: (options) => f.ref('user', { ...options, onRemoval: 'keep' }),
  pictures: (options) => f.pictures(options),
  files: (options) => f.files(options),
}

/** Converts a process form to the kit's fields, so that it has the same checks and inputs. */
export const processFormToFields = (form: ProcessForm | undefined): Fields =>
  Object.fromEntries(
    (form?.fields ?? []).map((field) => {
      const { label, required, help } = field
      return [field.name, builders[field.input]({ label, ...(required && { required }), ...(help && { help }) }, field)]
    }),
  )

const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,49}$/
const FORMS_MAX = 50
const FIELDS_MAX = 60
const isWords = (given: unknown): given is LocalizedText => {
  const { zh, en } = (given ?? {}) as Partial<LocalizedText>
  return typeof zh === 'string' && typeof en === 'string' && zh !== '' && en !== '' && (zh + en).length <= 200
}

/** Names the engine sets itself or JavaScript reserves. */
const TAKEN = new Set(['pass', 'loopCounter', '__proto__', 'constructor'])

/** Returns the first fault in forms sent by a client, as a form key or `key.field`; undefined when they are valid. */
export function findProcessFormFault(given: unknown): string | undefined {
  if (given === null || given === undefined) return undefined
  const forms = listOf(given)
  if (!forms || forms.length > FORMS_MAX) return 'forms'
  const keys = new Set<string>()
  for (const form of forms) {
    const wrong = wrongIn(form, keys)
    if (wrong !== undefined) return wrong
    keys.add(form.key!)
  }
  return undefined
}

const listOf = (given: unknown): Partial<ProcessForm>[] | undefined => {
  if (Array.isArray(given)) return given as Partial<ProcessForm>[]
  return isNothing(given) ? [] : undefined
}

/** Returns the first fault in one form; `keys` are those of the forms before it. */
function wrongIn(form: Partial<ProcessForm>, keys: ReadonlySet<string>): string | undefined {
  const { key, label, fields } = form ?? {}
  if (typeof key !== 'string' || !NAME.test(key) || keys.has(key)) return String(key ?? '?')
  if (!isWords(label) || !Array.isArray(fields) || fields.length > FIELDS_MAX) return key
  const wrong = wrongField(fields)
  return wrong === undefined ? undefined : `${key}.${wrong}`
}

const isNothing = (given: unknown) => typeof given === 'object' && given !== null && !Object.keys(given).length

function wrongField(fields: readonly Partial<ProcessFormField>[]): string | undefined {
  const names = new Set<string>()
  for (const field of fields) {
    const { name, label, input, dict, help } = field ?? {}
    const isKnown =
      typeof name === 'string' && NAME.test(name) && !TAKEN.has(name) && !names.has(name) && isWords(label)
    const isInput =
      PROCESS_FORM_INPUT_KINDS.includes(input!) && (input !== 'dict' || (typeof dict === 'string' && dict !== ''))
    if (!isKnown || !isInput || (help !== undefined && !isWords(help))) return String(name ?? '?')
    names.add(name)
  }
  return undefined
}

export const toProcessForms = (given: unknown): ProcessForm[] => (Array.isArray(given) ? (given as ProcessForm[]) : [])
export const findProcessForm = (given: unknown, key: string | undefined): ProcessForm | undefined =>
  key === undefined ? undefined : toProcessForms(given).find((one) => one.key === key)
