import type { Words } from '../resource/words.ts'

/** Comparison operators a search box or a filter key may ask for (wire contract §1.6). */
export type Operator =
  | 'like' | 'likeleft' | 'likeright' | 'notlike'
  | 'eq' | 'ne' | 'gt' | 'ge' | 'lt' | 'le' | 'in' | 'range' | 'null' | 'notnull'

/** What every field may say about itself, whatever its kind. */
export type FieldOptions = {
  label: Words
  required?: boolean
  help?: Words
  /** Shown in the search bar with this operator. Any stored field may be filtered by its wire key all the same. */
  search?: Operator
  /** `edit` (default), `add` editable only while adding, `read` shown but fixed, `hidden` not in the form. */
  form?: 'edit' | 'add' | 'read' | 'hidden'
  /** false keeps the field out of the detail view. */
  detail?: boolean
  /** What it means that nothing stands here, such as "all shops"; a dash unless said. */
  blank?: Words
  /** Wire value a new row starts with. */
  default?: unknown
  /** Heading the form groups this field under. */
  group?: Words
  /** Width of the list column in pixels. */
  width?: number
  /** Takes both columns of a form, whatever its kind. */
  wide?: boolean
  /** Never sent to a client; only written. */
  secret?: boolean
  /** No column of its own: filled by the room's `present` or by a join. */
  computed?: boolean
  /** Left out of lists unless it is a column: long texts, stack traces. */
  heavy?: boolean
  /** Not shown by the specification: our best reading of the trade. */
  guess?: boolean
  /** Rows may be sorted by it (default: stored fields with an ordering kind). */
  sortable?: boolean
}

/** A declared field: its kind, its options, and (as a type only) the value a handler sees. */
export type Field<V = unknown> = FieldOptions & { kind: string; readonly value?: V } & Record<string, unknown>

export type Fields = Record<string, Field>

/** Value of a field inside the server: null when empty. */
export type ValueOf<F> = F extends { readonly value?: infer V } ? V : never

/** Why an input was refused: a code of `problems.ts` and what its sentence mentions. */
export type Problem = { code: string; params?: Record<string, unknown> }
export type Parsed<V> = { value: V | null } | { problem: Problem }

/** One kind of field, seen from the server and from forms. Values: `wire` is JSON, `stored` is what handlers and SQL see. */
export type FieldKind = {
  kind: string
  /** SQL type of the column. */
  column: (field: Field) => string
  /** Wire (or form) input to stored value; empty input has been turned to null before. */
  parse: (input: unknown, field: Field) => Parsed<unknown>
  /** Stored value to wire; never null (wire contract §1.4). */
  wire: (stored: unknown, field: Field) => unknown
  /** Column value as the driver gives it, to stored value. */
  fromColumn?: (raw: unknown) => unknown
  /** Operator of a bare filter key. */
  operator: Operator
  /** JSON Schema of the wire value. */
  schema: (field: Field) => Record<string, unknown>
  /** A wire value that is valid by the field's own rules, different for each n. */
  sample: (field: Field, n: number) => unknown
  /** Many values in one: an SQL array, a comma list on the wire. */
  many?: boolean
  sortable?: boolean
}

export const isEmpty = (input: unknown): boolean =>
  input === undefined || input === null || input === '' || input === 'null' || input === 'undefined' ||
  (Array.isArray(input) && input.length === 0)

export const refuse = (code: string, params?: Record<string, unknown>): Parsed<never> => ({ problem: { code, params } })

const TEXT_MAX = 255

/** Text kinds share this: a string, no control characters, not longer than `max` characters. */
export function parseText(input: unknown, field: Field, max = (field.max as number | undefined) ?? TEXT_MAX): Parsed<string> {
  if (typeof input !== 'string' && typeof input !== 'number') return refuse('not_text')
  const text = String(input)
  // PostgreSQL cannot store U+0000, and lone surrogates are not UTF-8.
  if (text.includes('\u0000') || !text.isWellFormed()) return refuse('bad_characters')
  if ([...text].length > max) return refuse('too_long', { max })
  const min = field.min as number | undefined
  if (min !== undefined && ['text', 'password'].includes(field.kind) && [...(field.kind === 'text' ? text.trim() : text)].length < min) return refuse('too_short', { min })
  return { value: text }
}

/** Many-valued kinds share this: a comma list or an array of strings, each element through `one`. */
export function parseMany(input: unknown, one: (part: string) => Parsed<string>, maxCount = 500): Parsed<string[]> {
  const parts = Array.isArray(input) ? input : typeof input === 'string' || typeof input === 'number' ? String(input).split(',') : undefined
  if (!parts) return refuse('not_a_list')
  if (parts.length > maxCount) return refuse('too_many', { max: maxCount })
  const values: string[] = []
  for (const part of parts) {
    if (typeof part !== 'string' && typeof part !== 'number') return refuse('not_a_list')
    const trimmed = String(part).trim()
    if (trimmed === '') continue
    const parsed = one(trimmed)
    if ('problem' in parsed) return parsed
    if (parsed.value !== null && !values.includes(parsed.value)) values.push(parsed.value)
  }
  return { value: values }
}

/** -1, which the older clients send for an absent key or amount (wire contract §1.4). */
export const isMinusOne = (input: unknown): boolean => input === -1 || input === '-1'

const ID_MAX = 9223372036854775807n
export function parseId(input: unknown): Parsed<string> {
  // An object of the body may bring a toString of its own.
  const text = typeof input === 'string' || typeof input === 'number' ? String(input) : ''
  if (!/^\d{1,19}$/.test(text) || BigInt(text) > ID_MAX) return refuse('not_an_id')
  return { value: BigInt(text).toString() }
}

/** Decimal text to an integer scaled by 10^decimals, without going through binary fractions. */
export function parseDecimal(input: unknown, decimals: number): number | undefined {
  const text = typeof input === 'number' ? String(input) : typeof input === 'string' ? input.trim() : ''
  const match = /^(-?)(\d{1,15})(?:\.(\d+))?$/.exec(text)
  if (!match) return undefined
  const [, sign, whole, fraction = ''] = match
  if (fraction.length > decimals && /[1-9]/.test(fraction.slice(decimals))) return undefined
  const scaled = Number(whole + fraction.slice(0, decimals).padEnd(decimals, '0'))
  if (!Number.isSafeInteger(scaled)) return undefined
  return sign && scaled !== 0 ? -scaled : scaled
}

export function formatDecimal(scaled: number, decimals: number): string {
  const digits = Math.abs(scaled).toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  return `${scaled < 0 ? '-' : ''}${whole}${decimals ? `.${digits.slice(-decimals)}` : ''}`
}

export function outOfRange(value: number, field: Field): Problem | undefined {
  const min = field.min as number | undefined
  const max = field.max as number | undefined
  if (min !== undefined && value < min) return { code: 'too_small', params: { min } }
  if (max !== undefined && value > max) return { code: 'too_large', params: { max } }
  return undefined
}
