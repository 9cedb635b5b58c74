import { meetsCondition } from '../fields/base/condition.ts'
import type { Field } from '../fields/base/field-kind.ts'
import { fieldKindOf, isBlankWireValue } from '../fields/kinds.ts'
import { formatMoney } from '../fields/money/cents.ts'
import { valueLabelKeyOf, type Resource } from './define-resource.ts'
import { localize, pluralizeUnit, type Lang } from '../base/localized-text.ts'
import { rowFieldOf, rowLayoutOf, type RowLayout } from './row-layout.ts'

type WireRow = Readonly<Record<string, unknown>>

/** A row's two lines as text; parts without a value are "" or left out. */
export type RowText = {
  title: string
  sub: readonly string[]
  /** The last characters of its number, as "…155489". */
  number: string
  amount: string
  below: string
}

/** Characters of a number that people read out to tell rows apart. */
const TAIL = 6

/** A reference whose word is a long number is shown by its end, as the row's own number is. */
const shortenNumber = (text: string): string => (/^[A-Z]{0,4}\d{9,}$/.test(text) ? tailOf(text) : text)

/** Returns the end of a number as "…155489"; a short one whole. */
export const tailOf = (number: string): string =>
  [...number].length > TAIL ? `…${[...number].slice(-TAIL).join('')}` : number

/**
 * Returns the value of a field of a wire row as text for a reader: the label of a choice or reference, money with ¥, a
 * number with its unit, the field's own label for "yes". "" for an empty value and for "no".
 */
export function fieldTextOf(key: string, field: Field, row: WireRow, lang: Lang): string {
  const value = row[key]
  const kind = fieldKindOf(field)
  if (kind.choices === 'yesNo') return value === true || value === 1 || value === '1' ? localize(field.label, lang) : ''
  if (isBlankWireValue(value, field)) return ''
  if (kind.currency) return formatMoney(value)
  if (kind.choices) return oneLine(row[valueLabelKeyOf(key, field)] || (kind.choices === 'rows' ? '' : value))
  if (kind.readsAs === 'moment') return oneLine(value).slice(5, 16)
  if (kind.readsAs === 'number') return numberText(value, field, kind.suffix, lang)
  return oneLine(value)
}

function numberText(value: unknown, { unit }: Field, suffix: string | undefined, lang: Lang): string {
  if (suffix) return `${String(value)}${suffix}`
  if (!unit) return String(value)
  return `${String(value)}${lang === 'zh' ? '' : ' '}${pluralizeUnit(unit, lang, value)}`
}

/** Joins what the wire sends for a value into one line. */
const oneLine = (value: unknown): string =>
  (Array.isArray(value) ? value.join(', ') : typeof value === 'object' ? '' : String(value)).replace(/\s+/g, ' ').trim()

/** Returns the two lines of a wire row. `lang`: of units and field labels; labels in the row have it already. */
export function rowTextOf(
  resource: Resource<any, any>,
  row: WireRow,
  lang: Lang,
  layout = rowLayoutOf(resource),
): RowText {
  const text = (key: string | undefined) => {
    const field = key === undefined ? undefined : rowFieldOf(resource, key)
    return field ? fieldTextOf(key!, field, row, lang) : ''
  }
  const number = tailOf(text(layout.number))
  const title = titleText(resource, layout, row, lang) || number || tailOf(String(row.id ?? ''))
  // What repeats the title, or another part, is said once.
  const sub = [...new Set(layout.sub.map((key) => shortenNumber(text(key))))].filter(
    (part) => part !== '' && part !== title,
  )
  return {
    title,
    sub,
    number: number === title ? '' : number,
    amount: amountText(resource, layout, row, lang),
    below: text(layout.below),
  }
}

/** The parts of the title that have a value; an empty field's own words only if no part has one. */
function titleText(resource: Resource<any, any>, { title }: RowLayout, row: WireRow, lang: Lang): string {
  const fields = title.flatMap((key) => {
    const field = rowFieldOf(resource, key)
    return field ? [[key, field] as const] : []
  })
  const parts = fields.map(([key, field]) => fieldTextOf(key, field, row, lang)).filter(Boolean)
  if (parts.length) return [...new Set(parts)].join(' ')
  const words = fields.find(([, { emptyLabel }]) => emptyLabel)?.[1].emptyLabel
  return words ? localize(words, lang) : ''
}

function amountText(resource: Resource<any, any>, { amount }: RowLayout, row: WireRow, lang: Lang): string {
  const field = amount && rowFieldOf(resource, amount.key)
  if (!field) return ''
  const text = fieldTextOf(amount.key, field, row, lang)
  const signed = amount.isSigned && /^[¥\d]/.test(text) && Number(row[amount.key]) > 0 ? `+${text}` : text
  const from = amount.from === undefined ? '' : fieldTextOf(amount.from, rowFieldOf(resource, amount.from)!, row, lang)
  return from && text && from !== text ? `${from} → ${text}` : signed
}

/** Returns whether a row needs somebody by one of its declared warnings, by the key of the field it names. */
export function rowWarnings({ warn }: RowLayout, row: WireRow): ReadonlySet<string> {
  const holds = ([key, test]: [string, RowLayout['warn'][string]]): boolean => {
    if (!('le' in test)) return meetsCondition(row, { [key]: test })
    const value = row[key] ?? ''
    return value !== '' && Number(value) <= test.le
  }
  return new Set(
    Object.entries(warn)
      .filter(holds)
      .map(([key]) => key),
  )
}
