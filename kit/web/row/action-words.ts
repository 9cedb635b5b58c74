import type { Field, Fields } from '#kit/fields/base/field-kind.ts'
import { fieldKindOf } from '#kit/fields/kinds.ts'
import { formatYuan, formatAmount } from '#kit/fields/money/cents.ts'
import { valueLabelKeyOf, type Action } from '#kit/resource/define-resource.ts'
import { placeholderNames, localize, type Lang, type LocalizedText } from '#kit/base/localized-text.ts'
import { sumCentsOfColumn } from './money-totals.tsx'
import type { UntypedRow } from './form-values.ts'

/** Returns a field's value as text for a reader: an amount with ¥, a share with %, a name instead of an id. */
export function formatFieldValue(key: string, field: Field, row: UntypedRow): unknown {
  const { currency, suffix } = fieldKindOf(field)
  if (currency) return currency + formatAmount(row[key])
  if (suffix) return String(row[key]) + suffix
  return row[valueLabelKeyOf(key, field)] || row[key]
}

/** Several rows to be confirmed together: their number and the sums of their amounts, by field. */
type Many = { count: number; sums: Readonly<Record<string, string>> }

/** Adds up the amounts of the given rows. */
const manyOf = (fields: Fields, rows: readonly UntypedRow[]): Many => ({
  count: rows.length,
  sums: Object.fromEntries(
    Object.entries(fields)
      .filter(([key, field]) => fieldKindOf(field).currency && rows.every((row) => row[key] !== undefined))
      .map(([key]) => [key, formatYuan(sumCentsOfColumn(rows, key))]),
  ),
})

/**
 * Returns the question that confirms an action. For one row its `{field}` placeholders are filled in, amounts with ¥
 * and names instead of ids. For several rows, sentences with placeholders are replaced by the number of rows and the
 * sums.
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
  // Keeps the sentences without placeholders, which hold for every row. A point within "1.5" or "e.g." ends no
  // sentence.
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

/** Returns the title of a row, or its id if the title is empty. */
export const rowTitleOf = (resource: { title: string; fields: Fields }, row: UntypedRow): string => {
  const field = resource.fields[resource.title]
  return String((field && row[valueLabelKeyOf(resource.title, field)]) || row[resource.title] || row.id || '')
}
