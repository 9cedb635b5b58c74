import type { Field, Fields } from '../../fields/field-kind.ts'
import { toDatetime } from '../../fields/datetime/datetime.ts'
import { kindOf } from '../../fields/kinds.ts'
import { baseFields, labelKeyOf, type Resource } from '../../resource/define-resource.ts'
import type { Lang } from '../../resource/words.ts'
import type { Caller } from '../caller.ts'
import { visibleFields } from '../data-scope.ts'
import { hasTenant } from '../rows.ts'
import { cut, lookOf, momentOf, widthOf, type Cell, type Heading } from './write-sheet.ts'

type Any = Resource<any, any>

const ONES = new Set(['ref', 'tree'])
const NUMBERS = new Set(['number', 'money', 'percent'])

export const yesNo = { zh: ['是', '否'], en: ['Yes', 'No'] } as const

/** A field of a family, or one of the columns every family has. */
export const fieldOf = (resource: Any, key: string): Field | undefined =>
  Object.hasOwn(resource.fields, key) ? (resource.fields as Fields)[key]
  : key === 'tenantId' && !hasTenant(resource) ? undefined
  : Object.hasOwn(baseFields, key) ? baseFields[key as keyof typeof baseFields] : undefined

const isSecret = (field: Field) => !!field.secret || field.kind === 'password'

/** The columns a list may be written with: those asked for that its reader may see, the id last if nobody asked for it. */
export function exportKeys(resource: Any, caller: Caller, asked: readonly string[]): string[] {
  const visible = visibleFields(resource, caller)
  const inList = new Set<string>(resource.list.columns)
  const keys = [...new Set(asked.length ? asked : resource.list.columns)].filter((key) => {
    const field = fieldOf(resource, key)
    if (!field || isSecret(field)) return false
    if (!inList.has(key) && (field.heavy || field.kind === 'richText')) return false
    return !visible || visible.has(key) || key in baseFields
  })
  return keys.includes('id') ? keys : [...keys, 'id']
}

/** Which fields a person fills in, as a sheet asks for them. */
export const importFields = (resource: Any): [string, Field][] =>
  Object.entries(resource.fields as Fields).filter(([, field]) => !field.computed && !isSecret(field) && ['edit', 'add'].includes(field.form ?? 'edit'))

const headings = new WeakMap<object, Record<Lang, Map<string, string>>>()
/** The heading of each column by its key. Two fields of one label are told apart by their keys. */
export function headingsOf(resource: Any, lang: Lang): Map<string, string> {
  let known = headings.get(resource)
  if (!known) {
    const make = (tongue: Lang) => {
      const all = Object.entries({ ...baseFields, ...(resource.fields as Fields) }) as [string, Field][]
      const times = new Map<string, number>()
      for (const [, { label }] of all) times.set(label[tongue], (times.get(label[tongue]) ?? 0) + 1)
      return new Map(all.map(([key, { label }]) => [key, times.get(label[tongue])! > 1 ? `${label[tongue]} (${key})` : label[tongue]]))
    }
    known = { zh: make('zh'), en: make('en') }
    headings.set(resource, known)
  }
  return known[lang]
}

const WIDTHS: Record<string, number> = { text: 18, longText: 32, richText: 40, datetime: 20, date: 12, money: 12, number: 10, percent: 10, boolean: 8, dict: 12, phone: 14, region: 28, ref: 20, refs: 28, tree: 20 }

export function sheetHeading(resource: Any, key: string, lang: Lang, more: Partial<Heading> = {}): Heading {
  const field = fieldOf(resource, key)!
  const text = headingsOf(resource, lang).get(key)!
  return { text, width: Math.max(WIDTHS[field.kind] ?? 18, widthOf(text) + 4), look: lookOf(field), ...more }
}

/** What a reader of the list sees in a column, as a cell. `row` are the stored values, where they are known. */
export function cellOf(key: string, field: Field, wire: Record<string, unknown>, row: Record<string, unknown> | undefined, lang: Lang): Cell {
  const value = wire[key]
  if (value === undefined || value === null || value === '' || (row && row[key] === null)) return ''
  const { kind } = field
  if (ONES.has(kind) || kind === 'refs') return kind === 'tree' && value === '0' ? '' : cut(String(wire[labelKeyOf(key, field)] || value))
  if (kind === 'dict' || kind === 'dicts' || kind === 'region') return String(wire[labelKeyOf(key, field)] || (value === -1 ? '' : value))
  if (kind === 'boolean') return yesNo[lang][value === true ? 0 : 1]
  if (NUMBERS.has(kind)) {
    if (field.computed && Number(value) === -1) return ''
    const number = Number(value)
    return Number.isFinite(number) && Math.abs(number) < 1e15 ? number : String(value)
  }
  return cut(typeof value === 'object' ? JSON.stringify(value) : String(value))
}

const tidyNumber = (text: string, kind: string) => text.replace(/[,，\s¥￥]/g, '').replace(kind === 'percent' ? /%$/ : /(?!)/, '')

/** What a cell says, whatever form it has: two cells that say the same have the same text here. */
export function saysOf(field: Field, cell: Cell): string {
  if (cell === '') return ''
  const { kind } = field
  if (NUMBERS.has(kind)) {
    const number = typeof cell === 'number' ? cell : Number(tidyNumber(cell, kind) || Number.NaN)
    return Number.isFinite(number) ? String(Number(number.toFixed(8))) : String(cell).trim()
  }
  if (kind === 'date' || kind === 'datetime') {
    const text = typeof cell === 'number' ? momentOf(cell) : cell.trim().replace(/^(\d{4})[/.](\d{1,2})[/.](\d{1,2})/, (_all, year: string, month: string, day: string) => `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`)
    return kind === 'date' && toDatetime(text) ? text.slice(0, 10) : (toDatetime(text) ?? text)
  }
  const text = String(cell).replace(/\r\n?/g, '\n').trim()
  return kindOf(field).many ? partsOf(text).join(',') : text
}

/** The parts of a cell that holds several. */
export const partsOf = (text: string): string[] => text.split(/[,，\n]/).map((part) => part.trim()).filter(Boolean)
