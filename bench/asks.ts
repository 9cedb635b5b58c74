import type { Field } from '#kit/fields/base/field-kind.ts'
import { fieldKindOf } from '#kit/fields/kinds.ts'
import type { Resource } from '#kit/resource/define-resource.ts'
import { canSort } from '#kit/resource/list-capabilities.ts'
import { searchBarFields, searchBoxFilterKeys } from '#kit/web/list/filters.ts'
import { dayOf, idOf, OLD, RARE } from './fill.ts'

type Any = Resource<any, any>
type Query = Record<string, string>
export type BenchQuery = [what: string, query: Query]
type Size = (resource?: string) => number

/** Values to filter a search box by: found in many rows, in a few thousand old ones, in three, in none. */
function questionsOf(key: string, field: Field, rows: number, rowsOf: Size): BenchQuery[] {
  const keys = searchBoxFilterKeys(key, field)
  const kind = fieldKindOf(field)
  const type = kind.column(field)
  if ('from' in keys) {
    const between = (from: string, to: string) => ({ [keys.from]: from, [keys.to]: to })
    if (/time|date/.test(type))
      return [
        ['all', between('2000-01-01', '2030-01-01')],
        ['newest day', between(dayOf(2000), dayOf(2000))],
        ['a month long ago', between(dayOf(rows * 0.7), dayOf(rows * 0.6))],
        ['three', between('2001-01-01', '2001-01-02')],
        ['none', between('1999-01-01', '1999-01-02')],
      ]
    return [
      ['all', between('0', '99999')],
      ['some', between('20', '21')],
      ['none', between('99990', '99999')],
    ]
  }

  const ask = (values: Query) =>
    Object.entries(values).map(([what, value]): BenchQuery => [what, { [keys.one]: value }])
  if (kind.choices === 'rows')
    return ask({ one: idOf(7), 'long ago': idOf(rowsOf(field.to)), three: idOf(0), none: '7' })
  if (type === 'boolean') return ask({ many: 'true', three: 'false' })
  if (field.mask) return ask({ one: '13000000123', three: '19999999977', none: '15000000000' })
  if (field.search === 'like')
    return ask({ many: '号店', some: '号店 123', three: RARE.part, latin: RARE.latin, none: '没有' })

  if (kind.choices) {
    const k = type === 'integer' ? '' : 'k'
    return ask({
      many: `${k}0`,
      few: `${k}3`,
      'long ago': k + OLD,
      three: type === 'integer' ? RARE.number : RARE.text,
      none: `${k}88`,
      several: `${k}1,${k}2`,
    })
  }

  if (type.startsWith('text')) return ask({ one: '691', three: RARE.number, none: 'nothing', number: 'N000000000123' })
  return ask({ many: '3', three: '77', none: '99999' })
}

/**
 * Returns the queries to measure for a list: each search box with each of its values, and each sortable column in both
 * directions.
 */
export function asksOf(resource: Any, rowsOf: Size): BenchQuery[] {
  const fields = resource.fields as Record<string, Field>
  const filters = searchBarFields(resource.fields).flatMap(([key, field]) =>
    questionsOf(key, field, rowsOf(resource.name), rowsOf).map(([what, query]): BenchQuery => [
      `${key}: ${what}`,
      query,
    ]),
  )
  const sorted = (resource.list.columns as string[]).filter((key) => {
    const field = fields[key]
    return field ? canSort(resource, key, field) : key === 'createTime' || key === 'updateTime'
  })
  const orders = sorted.flatMap((key): BenchQuery[] => [
    [`by ${key}`, { ascs: key }],
    [`by ${key}, the other way`, { descs: key }],
  ])
  return [['nothing', {}], ...filters, ...orders]
}
