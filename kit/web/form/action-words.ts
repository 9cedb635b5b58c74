import type { Field, Fields } from '#kit/fields/field-kind.ts'
import { kindOf } from '#kit/fields/kinds.ts'
import { yuan } from '#kit/fields/money/cents.ts'
import { labelKeyOf, type Action } from '#kit/resource/define-resource.ts'
import { holesOf, localize, type Lang, type LocalizedText } from '#kit/resource/localized-text.ts'
import { sumOf } from '../list/money-totals.tsx'
import type { Row } from './form-values.ts'
import { amount } from '../parts/money.tsx'

/** A value as a reader would say it: an amount with ¥, a name instead of an id. */
export function readable(key: string, field: Field, row: Row): unknown {
  const { currency, suffix } = kindOf(field)
  if (currency) return currency + amount(row[key])
  if (suffix) return String(row[key]) + suffix
  return row[labelKeyOf(key, field)] || row[key]
}

/** Several rows a confirmation is about: how many, and what their amounts come to, by field. */
type Many = { count: number; sums: Readonly<Record<string, string>> }

/** Amounts of rows at hand, added up. */
const manyOf = (fields: Fields, rows: readonly Row[]): Many => ({
  count: rows.length,
  sums: Object.fromEntries(
    Object.entries(fields)
      .filter(([key, field]) => kindOf(field).currency && rows.every((row) => row[key] !== undefined))
      .map(([key]) => [key, yuan(sumOf(rows, key))]),
  ),
})

/**
 * A confirmation as a reader would say it. Of one row its `{field}` holes are filled, amounts with ¥, names instead of
 * ids; a sentence that speaks of one row says nothing of several: those are told by their number and their sums.
 */
export function confirmText(
  action: Pick<Action, 'label' | 'confirm'>,
  lang: Lang,
  fields: Fields,
  rows: readonly Row[],
  many = manyOf(fields, rows),
): string {
  const words = action.confirm!
  const holes = holesOf(words).filter((name) => name !== 'count')
  if (holes.length && (many.count !== 1 || rows.length !== 1))
    return confirmMany(action.label, words, lang, fields, many)
  const row = rows[0] ?? {}
  const params = Object.fromEntries(
    Object.entries(fields)
      .filter(([key]) => row[key] !== undefined)
      .map(([key, field]) => [key, readable(key, field, row)]),
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
  const shown = holesOf(words).flatMap((key) => {
    const field = fields[key]
    return field && sums[key] !== undefined
      ? [{ label: localize(field.label, lang), sum: readable(key, field, sums) }]
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
export const titleOf = (resource: { title: string; fields: Fields }, row: Row): string => {
  const field = resource.fields[resource.title]
  return String((field && row[labelKeyOf(resource.title, field)]) || row[resource.title] || row.id || '')
}
