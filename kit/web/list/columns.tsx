import type { ReactNode } from 'react'
import type { Field } from '#kit/fields/base/field-kind.ts'
import { isWriteOnlyField, fieldKindOf, isBlankWireValue } from '#kit/fields/kinds.ts'
import { webFieldKindOf } from '#kit/fields/web.ts'
import { baseFields, valueLabelKeyOf, type BaseKey, type Resource } from '#kit/resource/define-resource.ts'
import { formatFieldValue } from '../row/action-words.ts'
import { FieldCell, type CellOverrides } from '../row/field-cell.tsx'
import type { UntypedRow } from '../row/form-values.ts'
import { canSort } from '#kit/resource/list-capabilities.ts'
import { pluralizeUnit } from '#kit/base/localized-text.ts'
import type { Lang, LocalizedText } from '../base/language.tsx'
import { measureTextWidth } from './text-width.ts'

/** A column of `DataTable`: its heading and width, and how it draws the cell of a row. */
export type TableColumn<R extends object = UntypedRow> = {
  key: string
  label: LocalizedText
  width: number
  align?: 'right' | 'center'
  sortable?: boolean
  hidden?: boolean
  /** The user dragged the column to this width. */
  isDrawn?: boolean
  cell: (row: R) => ReactNode
  /** Returns the plain text of a cell, if it is known without rendering; it names rows for screen readers. */
  text?: (row: R) => string
  /** Returns the width in pixels that the heading and this row's cell need, if known; may be less than `width`. */
  need?: (row: R) => number
  /** The column is never narrower than its cells need, because they cannot be cut (tags). */
  fits?: boolean
  /** The cells are buttons or inputs of full width, so another column holds the button that opens the row. */
  isInput?: boolean
  /** Returns whether the cell is empty; cards leave it out then. */
  isBlank?: (row: R) => boolean
  /** Cell for a card on a phone, if it differs. */
  card?: (row: R) => ReactNode
}

const OPTIONAL_BASE: BaseKey[] = ['createTime', 'updateTime', 'id']

const fieldOf = (resource: Resource<any, any>, key: string): Field | undefined =>
  (resource.fields as Record<string, Field>)[key] ?? baseFields[key as BaseKey]

/** Least width, in pixels, that shows the label uncut. English labels are longer than Chinese ones. */
const labelWidth = (field: Field, lang: Lang) =>
  (lang === 'zh' ? field.label.zh.length * 14.2 : field.label.en.length * 7.8) + 48

const PADDING = 38
/** The longest relative times, to estimate the column width. */
const MOMENT = { zh: '59 分钟前', en: '59 min ago' }
/** Returns a function that estimates the width a row needs for a field; undefined if it cannot be estimated. */
function needOf(key: string, field: Field, lang: Lang): ((row: UntypedRow) => number) | undefined {
  const { drawnAs, width } = webFieldKindOf(field)
  // A row without the label has it looked up when the tag is drawn, so its width is not known yet.
  if (drawnAs === 'tag')
    return (row) =>
      row[valueLabelKeyOf(key, field)] || isBlankWireValue(row[key], field)
        ? tagWidth(String(row[valueLabelKeyOf(key, field)] ?? ''))
        : (field.width ?? width)
  if (drawnAs === 'mark') return () => TAG
  if (drawnAs === 'moment')
    return () => PADDING + Math.max(measureTextWidth(MOMENT[lang]), measureTextWidth('12-30 20:00'))
  if (drawnAs !== 'text') return undefined
  const unit = measureTextWidth(field.unit ? pluralizeUnit(field.unit, lang, 2) : '')
  return (row) =>
    PADDING +
    measureTextWidth(String(row[valueLabelKeyOf(key, field)] || row[key] || field.emptyLabel?.[lang] || '')) +
    unit +
    (fieldKindOf(field).readsAs === 'number' ? 24 : 0)
}

const TAG = 64
/** Estimated width of a dictionary tag with its text and icon. */
const tagWidth = (text: string) => TAG + measureTextWidth(text)

function columnOf(
  resource: Resource<any, any>,
  key: string,
  cells: CellOverrides | undefined,
  lang: Lang,
): TableColumn {
  const field = fieldOf(resource, key)
  if (!field) throw new Error(`${resource.name}: list column "${key}" is no field`)
  const kind = webFieldKindOf(field)
  const isBase = !(key in resource.fields)
  const need = cells?.[key] ? undefined : needOf(key, field, lang)
  return {
    key,
    label: field.label,
    width: Math.round(Math.max(field.width ?? Math.min(kind.width, 260), Math.min(labelWidth(field, lang), 320))),
    align: kind.align,
    sortable: isBase ? key === 'createTime' || key === 'updateTime' || key === 'id' : canSort(resource, key, field),
    cell: (row) => <FieldCell name={key} field={field} row={row} place="table" cells={cells} />,
    text:
      kind.drawnAs === 'text' || kind.drawnAs === 'tag'
        ? (row) => (isBlankWireValue(row[key], field) ? '' : String(formatFieldValue(key, field, row) ?? ''))
        : undefined,
    need: need && ((row) => Math.max(labelWidth(field, lang), need(row))),
    fits: kind.drawnAs === 'tag',
    isBlank:
      kind.drawsBlank || field.emptyLabel || cells?.[key] ? undefined : (row) => isBlankWireValue(row[key], field),
    card: (row) => <FieldCell name={key} field={field} row={row} place="card" cells={cells} />,
  }
}

/** Returns the columns of a resource's list: the declared ones, then hidden ones the user may switch on. */
export function tableColumnsOf(resource: Resource<any, any>, lang: Lang, cells?: CellOverrides): TableColumn[] {
  const declared = resource.list.columns
  const others = Object.entries(resource.fields as Record<string, Field>).filter(
    ([key, field]) =>
      !declared.includes(key) &&
      !isWriteOnlyField(field) &&
      !field.computed &&
      !field.heavy &&
      !fieldKindOf(field).document &&
      field.detail !== false,
  )
  const hidden = [...others.map(([key]) => key), ...OPTIONAL_BASE.filter((key) => !declared.includes(key))]
  return [
    ...declared.map((key) => columnOf(resource, key, cells, lang)),
    ...hidden.map((key) => ({ ...columnOf(resource, key, cells, lang), hidden: true })),
  ]
}
