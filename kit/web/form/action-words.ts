import type { Field, Fields } from '#kit/fields/field-kind.ts'
import { kindOf } from '#kit/fields/kinds.ts'
import { labelKeyOf } from '#kit/resource/define-resource.ts'
import { say, type Lang, type Words } from '#kit/resource/words.ts'
import type { Row } from './form-values.ts'
import { amount } from '../parts/money.tsx'

/** A value as a reader would say it: an amount with ¥, a name instead of an id. */
export function readable(key: string, field: Field, row: Row): unknown {
  const { currency, suffix } = kindOf(field)
  if (currency) return currency + amount(row[key])
  if (suffix) return String(row[key]) + suffix
  return row[labelKeyOf(key, field)] || row[key]
}

/** A confirmation with its `{field}` holes filled as a reader would say them: amounts with ¥, names instead of ids. */
export function confirmText(words: Words, lang: Lang, fields: Fields, rows: readonly Row[]): string {
  const row = rows[0] ?? {}
  const params = Object.fromEntries(
    Object.entries(fields)
      .filter(([key]) => row[key] !== undefined)
      .map(([key, field]) => [key, readable(key, field, row)]),
  )
  return say(words, lang, { ...row, ...params, count: rows.length })
}

/** How a row is called: its title, else its id. */
export const titleOf = (resource: { title: string; fields: Fields }, row: Row): string => {
  const field = resource.fields[resource.title]
  return String((field && row[labelKeyOf(resource.title, field)]) || row[resource.title] || row.id || '')
}
