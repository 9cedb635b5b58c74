import type { Field, Fields } from '#kit/fields/field-kind.ts'
import { fieldKindOf } from '#kit/fields/kinds.ts'
import { formatYuan } from '#kit/fields/money/cents.ts'
import { valueLabelKeyOf, type Action } from '#kit/resource/define-resource.ts'
import { placeholderNames, localize, type Lang, type LocalizedText } from '#kit/resource/localized-text.ts'
import { sumCentsOfColumn } from '../list/money-totals.tsx'
import type { UntypedRow } from './form-values.ts'
import { formatAmount } from '../parts/money.tsx'

/** A value as a reader would say it: an amount with ¥, a name instead of an id. */
export function formatFieldValue(key: string, field: Field, row: UntypedRow): unknown {
  const { currency, suffix } = fieldKindOf(field)
  if (currency) return currency + formatAmount(row[key])
  if (suffix) return String(row[key]) + suffix
  return row[valueLabelKeyOf(key, field)] || row[key]
}

/** Several rows a confirmation is about: how many, and what their amounts come to, by field. */
type Many = { count: number; sums: Readonly<Record<string, string>> }

/** Amounts of rows at hand, added up. */
const manyOf = (fields: Fields, rows: readonly UntypedRow[]): Many => ({
  count: rows.length,
  sums: Object.fromEntries(
    Object.entries(fields)
      .filter(([key, field]) => fieldKindOf(field).currency && rows.every((row) => row[key] !== undefined))
      .map(([key]) => [key, formatYuan(sumCentsOfColumn(rows, key))]),
  ),
})

/**
 * A confirmation as a reader would say it. Of one row its `{field}` holes are filled, amounts with ¥, names instead of
 * ids; a sentence that speaks of one row says nothing of several: those are told by their number and their sums.
 */
export function confirmationText(
  action: Pick<Action, 'label' | 'confirm'>,
  lang: Lang,
  fields: Fields,
  rows: readonly UntypedRow[],
  many = manyOf(fields, rows),
): string {
  const words = action.confirm!
  const holes = placeholderNames(words).filter((name) => name !== 'count')
  if (holes.length && (many.count !== 1 || rows.length !== 1))
    return confirmMany(action.label, words, lang, fields, many)
  const row = rows[0] ?? {}
  const params = Object.fromEntries(
    Object.entries(fields)
      .filter(([key]) => row[key] !== undefined)
      .map(([key, field]) => [key, formatFieldValue(key, field, row)]),
  )
  return localize(words, lang, { ...row, ...params, count: many.count })
}

function confirmMany(
  label: LocalizedText,
  words: LocalizedText,
  lang: Lang,
  fields: Fields,
  { count, sums }: Many,
): string {
  const shown = placeholderNames(words).flatMap((key) => {
    const field = fields[key]
    return field && sums[key] !== undefined
      ? [{ label: localize(field.label, lang), sum: formatFieldValue(key, field, sums) }]
      : []
  })
  // What follows the question holds for each of them. A point within "1.5" or "e.g." ends no sentence.
  const rest = localize(words, lang)
    .split(/(?<=[？?。])|(?<=(?<!\b(?:e\.g|i\.e))\.)(?=\s|$)/)
    .filter((sentence) => !/\{\w+\}/.test(sentence))
    .join('')
    .trim()
  const head =
    lang === 'zh'
      ? `${label.zh}：共 ${count} 条${shown.map((one) => `，${one.label}合计 ${String(one.sum)}`).join('')}？`
      : `${label.en}: ${count} rows${shown.map((one) => `, ${one.label} ${String(one.sum)} in all`).join('')}?`
  return rest ? `${head}${lang === 'zh' ? '' : ' '}${rest}` : head
}

/** How a row is called: its title, else its id. */
export const rowTitleOf = (resource: { title: string; fields: Fields }, row: UntypedRow): string => {
  const field = resource.fields[resource.title]
  return String((field && row[valueLabelKeyOf(resource.title, field)]) || row[resource.title] || row.id || '')
}
