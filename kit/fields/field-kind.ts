import type { LocalizedText } from '../resource/localized-text.ts'
import type { FieldProblemCode } from './problems.ts'
import type { AnyFieldOptions, FieldOptions } from './options.ts'

/** Comparison operators a search box or a filter key may ask for (wire contract §1.6). */
export type FilterOperator =
  | 'like'
  | 'likeleft'
  | 'likeright'
  | 'notlike'
  | 'eq'
  | 'ne'
  | 'gt'
  | 'ge'
  | 'lt'
  | 'le'
  | 'in'
  | 'range'
  | 'null'
  | 'notnull'
  /**
   * A number found by its end or its beginning, `PART_SEARCH_CHARACTERS_MIN` characters and more of it, both on an
   * index.
   */
  | 'part'

/** So many characters of a number are a part one may look for; fewer would find half the table. */
export const PART_SEARCH_CHARACTERS_MIN = 6

/**
 * A declared field: its kind, its options, and (as types only) the value a handler sees and the fields it names. Which
 * kind may say what is told by the builders (`f`).
 */
export type Field<V = unknown, N extends string = string> = FieldOptions<N | true> &
  AnyFieldOptions<N> & { kind: string; readonly value?: V } & OfTenant

/** What only fields say that a tenant added to a family by itself (resource/custom-fields.ts). */
type OfTenant = {
  own?: { inForm: boolean; inExport: boolean; inImport: boolean }
  /** Its choices, where no dictionary has them. */
  entries?: readonly { key: string; zh: string; en: string; colour?: string; isOff?: boolean }[]
}

export type Fields = Record<string, Field>

const entries = new WeakMap<Fields, [string, Field][]>()

/** `Object.entries` of a declaration, which does not change: each call of a family goes through it several times. */
export function fieldEntries(fields: Fields): readonly [string, Field][] {
  const known = entries.get(fields)
  if (known) return known
  const made = Object.entries(fields)
  entries.set(fields, made)
  return made
}

const withOption = new WeakMap<Fields, Map<keyof Field, [string, Field][]>>()

/** Those of them that say this of themselves; few do, so nobody looks through all for them with each call. */
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
 * Why an input was refused: a code of `problems.ts` and what its sentence mentions; `words` is the sentence where a
 * field has one of its own for this fault.
 */
export type FieldProblem = { code: FieldProblemCode; params?: Record<string, unknown>; words?: LocalizedText }
/** What a field's own `rule` has against a text. */
export type FieldRuleViolation = { words: LocalizedText; params?: Record<string, unknown> }
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
  /** Operator of a bare filter key. */
  operator: FilterOperator
  /** JSON Schema of the wire value. */
  schema: (field: Field) => Record<string, unknown>
  /** A wire value that is valid by the field's own rules, different for each n. */
  sample: (field: Field, n: number) => unknown
  /** Many values in one: an SQL array, a comma list on the wire. */
  many?: boolean
  sortable?: boolean

  // What others ask of a kind, so that none of them needs its name. A kind says what differs from the ordinary alone.

  /**
   * What a single value is: how filters, data scopes, sheets and the browser compare and write it. Unless said, it is
   * compared by what `parse` makes of it and written as the wire has it.
   */
  readsAs?: 'text' | 'number' | 'day' | 'moment'
  /** What a stored value is held between, where the kind or the field says so. */
  bounds?: (field: Field) => { min?: number; max?: number }
  /** Any words will do: no form they must have. */
  isFree?: boolean
  /**
   * What people type or paste, as `parse` reads it; asked of every text, in forms, calls, filters and imports alike.
   * What nobody sees has been taken out before.
   */
  clean?: (text: string, field: Field) => string
  /**
   * Where its values come from, and the words for them: rows of another family, entries of a dictionary, regions of
   * the country, or yes and no. The words of the first three travel beside the value (`valueLabelKeyOf`).
   */
  choices?: 'rows' | 'dictionary' | 'regions' | 'yesNo'
  /** The row it names is the one above this row; "0" for none. */
  isParent?: boolean
  /** Written and never read back: it stands in no answer, filter, history or sheet. */
  writeOnly?: boolean
  /**
   * A whole document, for which a cell is too small: structured data, which travels in bodies alone, or HTML, which the
   * server cleans before it is stored and leaves out of lists as it does what is declared `heavy`.
   */
  document?: 'data' | 'html'
  /** Picked, not typed: what is missing is to be chosen. */
  isPicked?: boolean
  /** Signs of a number: before an amount, behind a share. */
  currency?: string
  suffix?: string
  /** Ends the wire key its search box fills, whatever the field asks for; "" where several may be chosen. */
  searchSuffix?: string
  /** Suffixes of the two keys of a range; `ge` and `le` unless said. */
  rangeSuffixes?: readonly [from: string, to: string]
  /** What a filter was given, as the column holds it. */
  fromFilter?: (input: string) => string
  /** Stored value to what the driver takes. */
  toColumn?: (stored: unknown) => unknown
  /** Whether a wire value means "nothing", as -1 does where numbers travel as text; undefined leaves it to `parse`. */
  isBlank?: (wire: unknown, field: Field) => boolean | undefined
  /** What a form holds for "nothing"; "" unless said. Where it is said, nothing is an answer too. */
  emptyAs?: unknown
  /** Wire value to what a form holds, and back; the same unless said. Neither is asked about "nothing". */
  toForm?: (wire: unknown) => unknown
  fromForm?: (held: unknown, field: Field) => unknown
  /** Its column in a workbook. */
  sheet?: SheetFormat
  /** How it stands in a printed document: as words unless said, as pictures, or not at all. */
  onPaper?: 'pictures' | false
  /** How a rule of a data scope writes a value; false where no rule says anything of it. */
  inRules?: LocalizedText | false
  /** A wire value it refuses, if there is one. */
  wrong?: (field: Field) => unknown
}

/** How a kind stands in a workbook. */
type SheetFormat = {
  /** Number format of its cells; `text` unless said. */
  look?: 'text' | 'plain' | 'amount' | 'day' | 'moment'
  /** Width of the column in characters; 18 unless said. */
  width?: number
  /** What the template says of filling it in; "text" unless said. */
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

/** Characters a line of text may have where its field says nothing. */
export const TEXT_CHARACTERS_MAX = 255

/** Text kinds share this: a string, no control characters, not longer than `max` characters. */
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

/** The refusal of a text of fewer characters than the field's `min`, for kinds that have one. */
export function refuseTooShort(text: string, field: Field): FieldParseResult<never> | undefined {
  const min = field.min
  return min !== undefined && [...text].length < min ? fieldParseRefusal('too_short', { min }) : undefined
}

/** A text of one character too many. */
export const sampleTooLongText = (field: Field, max: number): string => 'x'.repeat((field.max ?? max) + 1)

/** Many-valued kinds share this: a comma list or an array of strings, each element through `one`. */
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

/** -1, which the older clients send for an absent key or amount (wire contract §1.4). */
export const isMinusOneInput = (input: unknown): boolean => input === -1 || input === '-1'

const ID_MAX = 9223372036854775807n
export function parseIdInput(input: unknown): FieldParseResult<string> {
  // An object of the body may bring a toString of its own.
  const text = typeof input === 'string' || typeof input === 'number' ? String(input) : ''
  if (!/^\d{1,19}$/.test(text) || BigInt(text) > ID_MAX) return fieldParseRefusal('not_an_id')
  return { value: BigInt(text).toString() }
}

/** Decimal text to an integer scaled by 10^decimals, without going through binary fractions. */
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
