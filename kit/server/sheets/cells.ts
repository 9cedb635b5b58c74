import { removeInvisibleCharacters } from '../../fields/base/clean-text.ts'
import type { Field, Fields } from '../../fields/base/field-kind.ts'
import { isHeavyField, isWriteOnlyField, fieldKindOf } from '../../fields/kinds.ts'
import { baseFields, valueLabelKeyOf, type Resource } from '../../resource/define-resource.ts'
import type { Lang } from '../../base/localized-text.ts'
import type { Caller } from '../base/caller.ts'
import { visibleFields } from '../database/data-scope.ts'
import { hasTenantColumn } from '../database/row-sql.ts'
import {
  truncateCellText,
  cellStyleOf,
  sheetSerialToDateTime,
  textDisplayWidth,
  type SheetCell,
  type SheetHeading,
} from './write-sheet.ts'

type Any = Resource<any, any>

export const YES_NO_TEXTS = { zh: ['是', '否'], en: ['Yes', 'No'] } as const

/** Returns a field of the resource, or a base column that every resource has. */
export const findResourceField = (resource: Any, key: string): Field | undefined =>
  Object.hasOwn(resource.fields, key)
    ? (resource.fields as Fields)[key]
    : key === 'tenantId' && !hasTenantColumn(resource)
      ? undefined
      : Object.hasOwn(baseFields, key)
        ? baseFields[key as keyof typeof baseFields]
        : undefined

/**
 * Returns the columns of an export: the requested ones its reader may see, and the id at the end if it was not
 * requested.
 */
export function exportColumnKeys(resource: Any, caller: Caller, requested: readonly string[]): string[] {
  const visible = visibleFields(resource, caller)
  const inList = new Set<string>(resource.list.columns)
  const keys = [
    ...new Set([...(requested.length ? requested : resource.list.columns), ...ownExported(resource)]),
  ].filter((key) => {
    const field = findResourceField(resource, key)
    if (!field || isWriteOnlyField(field) || field.own?.inExport === false) return false
    if (!inList.has(key) && isHeavyField(field)) return false
    return !visible || visible.has(key) || key in baseFields
  })
  return keys.includes('id') ? keys : [...keys, 'id']
}

/** Custom fields that are part of every export. */
const ownExported = (resource: Any): string[] =>
  Object.entries(resource.fields as Fields).flatMap(([key, { own }]) => (own?.inExport ? [key] : []))

/** Fields that people fill in and a sheet can import. */
export const importableFields = (resource: Any): [string, Field][] =>
  Object.entries(resource.fields as Fields).filter(
    ([, field]) =>
      !field.computed &&
      !isWriteOnlyField(field) &&
      ['edit', 'add'].includes(field.form ?? 'edit') &&
      field.own?.inImport !== false,
  )

const headings = new WeakMap<object, Record<Lang, Map<string, string>>>()
/** Returns the heading of each field by its key; labels that occur twice get the key appended. */
export function columnHeadings(resource: Any, lang: Lang): Map<string, string> {
  let known = headings.get(resource)
  if (!known) {
    const make = (tongue: Lang) => {
      const all = Object.entries({ ...baseFields, ...(resource.fields as Fields) })
      const times = new Map<string, number>()
      for (const [, { label }] of all) times.set(label[tongue], (times.get(label[tongue]) ?? 0) + 1)
      return new Map(
        all.map(([key, { label }]) => [
          key,
          times.get(label[tongue])! > 1 ? `${label[tongue]} (${key})` : label[tongue],
        ]),
      )
    }
    known = { zh: make('zh'), en: make('en') }
    headings.set(resource, known)
  }
  return known[lang]
}

const WIDTH = 18

export function sheetHeading(resource: Any, key: string, lang: Lang, more: Partial<SheetHeading> = {}): SheetHeading {
  const field = findResourceField(resource, key)!
  const text = columnHeadings(resource, lang).get(key)!
  const width = Math.max(fieldKindOf(field).sheet?.width ?? WIDTH, textDisplayWidth(text) + 4)
  return { text, width, look: cellStyleOf(field), ...more }
}

/** Returns a field's value as a cell, as shown in the list. `row`: stored values, where available. */
export function toSheetCell(
  key: string,
  field: Field,
  wire: Record<string, unknown>,
  row: Record<string, unknown> | undefined,
  lang: Lang,
): SheetCell {
  const value = wire[key]
  if (isNothing(value) || row?.[key] === null) return ''
  const { choices, isParent, readsAs } = fieldKindOf(field)
  switch (choices) {
    case 'rows':
      return isParent && value === '0' ? '' : truncateCellText(String(wire[valueLabelKeyOf(key, field)] || value))
    case 'dictionary':
    case 'regions':
      return String(wire[valueLabelKeyOf(key, field)] || (value === -1 ? '' : value))
    case 'yesNo':
      return YES_NO_TEXTS[lang][value === true ? 0 : 1]
    default:
      return readsAs === 'number' ? numberCell(field, value) : textCell(value)
  }
}

const isNothing = (value: unknown): boolean => value === undefined || value === null || value === ''

/** A number as far as spreadsheets keep its digits, otherwise text; an absent computed one is -1 on the wire. */
function numberCell(field: Field, value: unknown): SheetCell {
  const number = Number(value)
  if (field.computed && number === -1) return ''
  return Number.isFinite(number) && Math.abs(number) < 1e15 ? number : String(value)
}

const textCell = (value: unknown): SheetCell =>
  truncateCellText(typeof value === 'object' ? JSON.stringify(value) : String(value))

/** Normalises a cell's content, so that cells that mean the same are equal as texts. */
export function normalizedCellText(field: Field, cell: SheetCell): string {
  if (cell === '') return ''
  const { readsAs, many, clean } = fieldKindOf(field)
  if (readsAs === 'number') {
    const number = typeof cell === 'number' ? cell : Number(clean(cell, field) || Number.NaN)
    return Number.isFinite(number) ? String(Number(number.toFixed(8))) : String(cell).trim()
  }
  if (readsAs === 'day' || readsAs === 'moment')
    return clean(typeof cell === 'number' ? sheetSerialToDateTime(cell) : cell, field).trim()
  const text = removeInvisibleCharacters(String(cell)).replace(/\r\n?/g, '\n').trim()
  return many ? splitCellValues(text).join(',') : text
}

/** Splits a cell at commas, also Chinese ones, and line breaks. Empty parts are dropped. */
export const splitCellValues = (text: string): string[] =>
  text
    .split(/[,，\n]/)
    .map((part) => part.trim())
    .filter(Boolean)
