import type { Field } from '../fields/field-kind.ts'
import { isTimeField, isWriteOnlyField, fieldKindOf } from '../fields/kinds.ts'
import { baseFields, type Resource } from './define-resource.ts'
import { localize, type Lang, type LocalizedText } from './localized-text.ts'

/** What a report may say of a family's rows: how many there are, or the sum or average of one of their fields. */
export type Measure<K extends string = string> = {
  label: LocalizedText
  /** What the figure means, for its reader. */
  help?: LocalizedText
  /** The field added up, or averaged; rows are counted where neither is said. */
  sum?: K
  average?: K
  /** Fields added to each row's value or taken off it, and one it is multiplied by. */
  plus?: readonly K[]
  less?: readonly K[]
  times?: K
  /** What more of it means: shown in the colour of that beside what it was; without it in none. */
  more?: 'good' | 'bad'
  /** Which rows count, as the list's filter; keys end in `_in`, `_null` or `_notnull`, so that others may meet them. */
  where?: Record<string, string>
}

/** What a figure is read in. */
export type MeasureUnit = 'yuan' | 'pieces' | 'measure'

export const timeGranularities = ['day', 'week', 'month'] as const
export type TimeGranularity = (typeof timeGranularities)[number]

/** A way to tell rows apart: a field, and of a time the part of it. */
export type Dimension = { key: string; fieldKey: string; field: Field; part?: TimeGranularity }

const fieldOf = (resource: Resource<any, any>, key: string): Field | undefined =>
  Object.hasOwn(resource.fields, key) ? resource.fields[key] : key === 'createTime' ? baseFields.createTime : undefined

/** Rows that are alike in it are many: a choice, a reference to rows of one other family, a time. */
function tellsApart(resource: Resource<any, any>, field: Field): boolean {
  const { choices, many } = fieldKindOf(field)
  if (many) return false
  if (choices === 'rows') return !!field.to && field.to !== resource.name && field.keyType !== 'text'
  return !!choices || isTimeField(field)
}

const known = new WeakMap<object, readonly Dimension[]>()
/** What reports may tell a family's rows apart by: what it declares, else all references, choices and times. */
export function dimensionsOf(resource: Resource<any, any>): readonly Dimension[] {
  let all = known.get(resource)
  if (!all) {
    const keys =
      resource.dimensions ??
      [...Object.keys(resource.fields), 'createTime'].filter((key) => tellsApart(resource, fieldOf(resource, key)!))
    all = keys.flatMap((key) => {
      const field = fieldOf(resource, key)!
      if (field.computed || field.asked === false || isWriteOnlyField(field)) return []
      if (!isTimeField(field)) return [{ key, fieldKey: key, field }]
      return timeGranularities.map((part) => ({ key: `${key}.${part}`, fieldKey: key, field, part }))
    })
    known.set(resource, all)
  }
  return all
}

/** The fields a measure is made of; those of its `where` are the list's filter's. */
export const measureFieldKeys = ({ sum, average, plus = [], less = [], times }: Measure): string[] =>
  [sum, average, ...plus, ...less, times].filter((key) => key !== undefined)

export function measureUnitOf(resource: Resource<any, any>, measure: Measure): MeasureUnit {
  const fields = measureFieldKeys(measure).map((key) => resource.fields[key] as Field)
  if (fields.some((field) => fieldKindOf(field).currency)) return 'yuan'
  return measure.average || fields.some((field) => field.decimals) ? 'measure' : 'pieces'
}

const PARTS = {
  day: { zh: '日', en: 'day' },
  week: { zh: '周', en: 'week' },
  month: { zh: '月', en: 'month' },
}

/** What a dimension is called: a time with the part of it. */
export function dimensionLabel({ field, part }: Dimension, lang: Lang): string {
  const label = localize(field.label, lang)
  if (!part) return label
  return lang === 'zh' ? `${label}（${PARTS[part].zh}）` : `${label} (${PARTS[part].en})`
}
