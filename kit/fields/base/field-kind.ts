import type { LocalizedText } from '../../base/localized-text.ts'
import type { FieldProblemCode } from './problems.ts'
import type { AnyFieldOptions, FieldOptions, FilterOperator } from './options.ts'

/** Characters a part of a number must have to be searched for; a shorter part would match half the table. */
export const PART_SEARCH_CHARACTERS_MIN = 6

/**
 * A declared field: its kind, its options and, as types only, the value a handler sees and the fields it names. The
 * builders (`f`) limit which options each kind accepts.
 */
export type Field<V = unknown, N extends string = string> = FieldOptions<N | true> &
  AnyFieldOptions<N> & { kind: string; readonly value?: V } & OfTenant

/** Options that only custom fields have, which a tenant adds to a resource by itself (resource/custom-fields.ts). */
type OfTenant = {
  own?: { inForm: boolean; inExport: boolean; inImport: boolean }
  /** The choices of a custom field, which has no dictionary. */
  entries?: readonly { key: string; zh: string; en: string; colour?: string; isOff?: boolean }[]
}

export type Fields = Record<string, Field>

const entries = new WeakMap<Fields, [string, Field][]>()

/** Returns `Object.entries` of a declaration, cached because each call to a resource goes through it several times. */
export function fieldEntries(fields: Fields): readonly [string, Field][] {
  const known = entries.get(fields)
  if (known) return known
  const made = Object.entries(fields)
  entries.set(fields, made)
  return made
}

const withOption = new WeakMap<Fields, Map<keyof Field, [string, Field][]>>()

/**
 * Returns the entries of the fields that set `option`; cached, so that a call does not search all fields for the few.
 */
export function fieldEntriesWithOption(fields: Fields, option: keyof Field): readonly [string, Field][] {
  let known = withOption.get(fields)
  if (!known) withOption.set(fields, (known = new Map()))
  let hit = known.get(option)
  if (!hit) known.set(option, (hit = fieldEntries(fields).filter(([, field]) => field[option] !== undefined)))
  return hit
}

/** Value of a field inside the server: null when empty, and so never null where the field is required. */
export type FieldValueOf<F> = F extends { readonly value?: infer V }
  ? F extends { required: true }
    ? NonNullable<V>
    : V
  : never

export type { FieldProblemCode } from './problems.ts'

/**
 * Why an input was refused: a code of `problems.ts` and the parameters of its sentence. `words` replaces that sentence
 * if the field has its own.
 */
export type FieldProblem = { code: FieldProblemCode; params?: Record<string, unknown>; words?: LocalizedText }
export type FieldParseResult<V> = { value: V | null } | { problem: FieldProblem }

/**
 * One kind of field, seen from the server and from forms. Values: `wire` is JSON, `stored` is what handlers and SQL
 * see.
 */
export type FieldKind = {
  kind: string
  /** SQL type of the column. */
  column: (field: Field) => string
  /** Wire (or form) input to stored value; empty input has been turned to null before. */
  parse: (input: unknown, field: Field) => FieldParseResult<unknown>
  /** Stored value to wire; never null (wire contract §1.4). */
  wire: (stored: unknown, field: Field) => unknown
  /** Operator of a filter key without a suffix. */
  operator: FilterOperator
  /** JSON Schema of the wire value. */
  schema: (field: Field) => Record<string, unknown>
  /** A wire value that is valid by the field's own rules, different for each n. */
  sample: (field: Field, n: number) => unknown
  /** The value is a list: an SQL array, a comma list on the wire. */
  many?: boolean
  sortable?: boolean

  // Traits that other code asks a kind for, so that no code depends on a kind's name. A kind sets only what differs
  // from the default.

  /**
   * Type of a single value, by which filters, data scopes, sheets and the browser compare and write it. If unset, the
   * value is compared as `parse` returns it and written as on the wire.
   */
  readsAs?: 'text' | 'number' | 'day' | 'moment'
  /** Returns the limits of a stored value that the kind or the field sets. */
  bounds?: (field: Field) => { min?: number; max?: number }
  /** The kind prescribes no format: any text is valid. */
  isFree?: boolean
  /**
   * Normalizes typed or pasted text before `parse`. Applied to every text in forms, calls, filters and imports, after
   * invisible characters were removed.
   */
  clean?: (text: string, field: Field) => string
  /**
   * Source of the possible values and their labels: rows of another resource, entries of a dictionary, regions of
   * China, or yes and no. Labels of the first three travel in the row beside the value (`valueLabelKeyOf`).
   */
  choices?: 'rows' | 'dictionary' | 'regions' | 'yesNo'
  /** The value is the id of this row's parent in a tree; "0" for a root. */
  isParent?: boolean
  /** The value is written and never read back: answers, filters, history and sheets leave it out. */
  writeOnly?: boolean
  /**
   * The value is a whole document, too large for a cell. `data` is structured and travels in bodies only. `html` is
   * cleaned by the server before it is stored and left out of lists, like `heavy` fields.
   */
  document?: 'data' | 'html'
  /** The value is picked, not typed: a missing one is reported as "choose …" instead of "enter …". */
  isPicked?: boolean
  /** Sign shown before a number, such as ¥. */
  currency?: string
  /** Sign shown after a number, such as %. */
  suffix?: string
  /**
   * Suffix of the wire key its search box fills, whatever operator the field declares; "" for kinds of which several
   * values may be chosen.
   */
  searchSuffix?: string
  /** Suffixes of the two wire keys of a range; `ge` and `le` if unset. */
  rangeSuffixes?: readonly [from: string, to: string]
  /** Converts the text of a filter to the form the column holds. */
  fromFilter?: (input: string) => string
  /** Converts a stored value to what the database driver takes. */
  toColumn?: (stored: unknown) => unknown
  /**
   * Returns whether a wire value means "empty", as -1 does where numbers travel as text; undefined leaves that to
   * `parse`.
   */
  isBlank?: (wire: unknown, field: Field) => boolean | undefined
  /**
   * Form value of an empty field; "" if unset. If set, an empty value is shown as this one (such as "No") instead of a
   * dash.
   */
  emptyAs?: unknown
  /** Converts a wire value to the form's value; unchanged if unset. Not called for empty values. */
  toForm?: (wire: unknown) => unknown
  /** Converts a form's value back to the wire value; unchanged if unset. Not called for empty values. */
  fromForm?: (held: unknown, field: Field) => unknown
  /** Format of its column in a workbook. */
  sheet?: SheetFormat
  /** How a printed document shows the value: as text if unset, as pictures, or not at all (`false`). */
  onPaper?: 'pictures' | false
  /** Hint how a data scope rule writes a value; `false` if rules cannot use the field. */
  inRules?: LocalizedText | false
  /** Returns a wire value that the kind refuses, if there is one, for tests. */
  wrong?: (field: Field) => unknown
}

/** Format of a kind's column in a workbook. */
type SheetFormat = {
  /** Number format of its cells; `text` if unset. */
  look?: 'text' | 'plain' | 'amount' | 'day' | 'moment'
  /** Width of the column in characters; 18 if unset. */
  width?: number
  /** Instruction in the import template for filling in the column; "text" if unset. */
  hint?: LocalizedText
}

export const isEmptyInput = (input: unknown): boolean =>
  input === undefined ||
  input === null ||
  input === '' ||
  input === 'null' ||
  input === 'undefined' ||
  (Array.isArray(input) && input.length === 0)

export const fieldParseRefusal = (
  code: FieldProblemCode,
  params?: Record<string, unknown>,
): FieldParseResult<never> => ({
  problem: { code, params },
})

/** Longest line of text, in characters, if the field sets no `max`. */
export const TEXT_CHARACTERS_MAX = 255

/**
 * Parses the input of text kinds: takes a string or number, refuses U+0000, lone surrogates and more than `max`
 * characters.
 */
export function parseTextInput(
  input: unknown,
  field: Field,
  max = field.max ?? TEXT_CHARACTERS_MAX,
): FieldParseResult<string> {
  if (typeof input !== 'string' && typeof input !== 'number') return fieldParseRefusal('not_text')
  const text = String(input)
  // PostgreSQL cannot store U+0000, and lone surrogates are not UTF-8.
  if (text.includes('\u0000') || !text.isWellFormed()) return fieldParseRefusal('bad_characters')
  if ([...text].length > max) return fieldParseRefusal('too_long', { max })
  return { value: text }
}

/** Returns the refusal of a text that is shorter than the field's `min`; undefined if it is long enough. */
export function refuseTooShort(text: string, field: Field): FieldParseResult<never> | undefined {
  const min = field.min
  return min !== undefined && [...text].length < min ? fieldParseRefusal('too_short', { min }) : undefined
}

/** Returns a text one character longer than the field allows, as a sample of an invalid value. */
export const sampleTooLongText = (field: Field, max: number): string => 'x'.repeat((field.max ?? max) + 1)

/**
 * Parses the input of list kinds: a comma list or an array, each element through `one`. Drops blanks and duplicates;
 * refuses more than `maxCount` elements.
 */
export function parseListInput(
  input: unknown,
  one: (part: string) => FieldParseResult<string>,
  maxCount = 500,
): FieldParseResult<string[]> {
  const parts = Array.isArray(input)
    ? input
    : typeof input === 'string' || typeof input === 'number'
      ? String(input).split(',')
      : undefined
  if (!parts) return fieldParseRefusal('not_a_list')
  if (parts.length > maxCount) return fieldParseRefusal('too_many', { max: maxCount })
  const values: string[] = []
  for (const part of parts) {
    if (typeof part !== 'string' && typeof part !== 'number') return fieldParseRefusal('not_a_list')
    const trimmed = String(part).trim()
    if (trimmed === '') continue
    const parsed = one(trimmed)
    if ('problem' in parsed) return parsed
    if (parsed.value !== null && !values.includes(parsed.value)) values.push(parsed.value)
  }
  return { value: values }
}

/** Returns whether an input is -1, which older clients send for an empty key or amount (wire contract §1.4). */
export const isMinusOneInput = (input: unknown): boolean => input === -1 || input === '-1'

const ID_MAX = 9223372036854775807n
export function parseIdInput(input: unknown): FieldParseResult<string> {
  // An object of the body may bring its own toString.
  const text = typeof input === 'string' || typeof input === 'number' ? String(input) : ''
  if (!/^\d{1,19}$/.test(text) || BigInt(text) > ID_MAX) return fieldParseRefusal('not_an_id')
  return { value: BigInt(text).toString() }
}

/**
 * Parses decimal text to an integer scaled by 10^decimals, without binary fractions. Returns undefined if it is no
 * number, needs more decimals or is too large.
 */
export function parseScaledDecimal(input: unknown, decimals: number): number | undefined {
  const text = typeof input === 'number' ? String(input) : typeof input === 'string' ? input.trim() : ''
  const match = /^(-?)(\d{1,15})(?:\.(\d+))?$/.exec(text)
  if (!match) return undefined
  const [, sign, whole, fraction = ''] = match
  if (fraction.length > decimals && /[1-9]/.test(fraction.slice(decimals))) return undefined
  const scaled = Number(whole + fraction.slice(0, decimals).padEnd(decimals, '0'))
  if (!Number.isSafeInteger(scaled)) return undefined
  return sign && scaled !== 0 ? -scaled : scaled
}

export function formatScaledDecimal(scaled: number, decimals: number): string {
  const digits = Math.abs(scaled)
    .toString()
    .padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  return `${scaled < 0 ? '-' : ''}${whole}${decimals ? `.${digits.slice(-decimals)}` : ''}`
}

export function findRangeProblem(value: number, field: Field): FieldProblem | undefined {
  const min = field.min
  const max = field.max
  if (min !== undefined && value < min) return { code: 'too_small', params: { min } }
  if (max !== undefined && value > max) return { code: 'too_large', params: { max } }
  return field.nonZero && value === 0 ? { code: 'zero' } : undefined
}
