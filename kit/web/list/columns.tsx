import type { ReactNode } from 'react'
import type { Field } from '#kit/fields/field-kind.ts'
import { isWriteOnlyField, fieldKindOf } from '#kit/fields/kinds.ts'
import { webFieldKindOf } from '#kit/fields/web.ts'
import { baseFields, valueLabelKeyOf, type BaseKey, type Resource } from '#kit/resource/define-resource.ts'
import { formatFieldValue } from '../form/action-words.ts'
import { FieldCell, type CellOverrides } from '../detail/field-cell.tsx'
import { isBlankWireValue, type UntypedRow } from '../form/form-values.ts'
import { canSort } from '#kit/resource/list-capabilities.ts'
import { pluralizeUnit } from '#kit/resource/localized-text.ts'
import type { Lang, LocalizedText } from '../language.tsx'
import { measureTextWidth } from './text-width.ts'

/** A column of a DataTable. */
export type TableColumn<R extends object = UntypedRow> = {
  key: string
  label: LocalizedText
  width: number
  align?: 'right' | 'center'
  sortable?: boolean
  hidden?: boolean
  /** The user drew it to this width. */
  isDrawn?: boolean
  cell: (row: R) => ReactNode
  /** What it holds, in words, where that is known without drawing it. */
  text?: (row: R) => string
  /** Room its heading and this row need, where that is known; it may be less than the width. */
  need?: (row: R) => number
  /** Never narrower than its rows need: what they hold cannot be cut. */
  fits?: boolean
  /** Its cells are buttons or inputs as wide as themselves: what opens the row stands in another column. */
  isInput?: boolean
  /** Whether there is nothing to show: a card leaves it out. */
  isBlank?: (row: R) => boolean
  /** The same for a card on a phone, when it differs. */
  card?: (row: R) => ReactNode
}

const OPTIONAL_BASE: BaseKey[] = ['createTime', 'updateTime', 'id']

const fieldOf = (resource: Resource<any, any>, key: string): Field | undefined =>
  (resource.fields as Record<string, Field>)[key] ?? baseFields[key as BaseKey]

/**
 * A label must not be cut in its own column, whatever width was asked for: Latin words are longer than Chinese ones.
 */
const room = (field: Field, lang: Lang) =>
  (lang === 'zh' ? field.label.zh.length * 14.2 : field.label.en.length * 7.8) + 48

const PADDING = 38
/** The longest a time gets that is told by its distance. */
const MOMENT = { zh: '59 分钟前', en: '59 min ago' }
/** Room a row needs for a field as its kind draws it; undefined where that is not known. */
function needOf(key: string, field: Field, lang: Lang): ((row: UntypedRow) => number) | undefined {
  const { drawnAs, width } = webFieldKindOf(field)
  // Words that do not come with the row are looked up when the tag is drawn.
  if (drawnAs === 'tag')
    return (row) =>
      row[valueLabelKeyOf(key, field)] || isBlankWireValue(row[key], field)
        ? tagRoom(String(row[valueLabelKeyOf(key, field)] ?? ''))
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
/** Room a word of a dictionary needs in its tag, with the icon before it. */
const tagRoom = (text: string) => TAG + measureTextWidth(text)

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
    width: Math.round(Math.max(field.width ?? Math.min(kind.width, 260), Math.min(room(field, lang), 320))),
    align: kind.align,
    sortable: isBase ? key === 'createTime' || key === 'updateTime' || key === 'id' : canSort(resource, key, field),
    cell: (row) => <FieldCell name={key} field={field} row={row} place="table" cells={cells} />,
    text:
      kind.drawnAs === 'text' || kind.drawnAs === 'tag'
        ? (row) => (isBlankWireValue(row[key], field) ? '' : String(formatFieldValue(key, field, row) ?? ''))
        : undefined,
    need: need && ((row) => Math.max(room(field, lang), need(row))),
    fits: kind.drawnAs === 'tag',
    isBlank:
      kind.drawsBlank || field.emptyLabel || cells?.[key] ? undefined : (row) => isBlankWireValue(row[key], field),
    card: (row) => <FieldCell name={key} field={field} row={row} place="card" cells={cells} />,
  }
}

/** The columns of a resource's list; other fields are there to be switched on. */
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
