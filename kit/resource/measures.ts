import type { Field } from '../fields/base/field-kind.ts'
import { isTimeField, isWriteOnlyField, fieldKindOf } from '../fields/kinds.ts'
import { baseFields, type Resource } from './define-resource.ts'
import { localize, type Lang } from '../base/localized-text.ts'
import type { Measure } from './measure.ts'

/** Unit of a figure: money, whole numbers, or numbers with decimals. */
export type MeasureUnit = 'yuan' | 'pieces' | 'measure'

export const reportDateGranularities = ['day', 'week', 'month'] as const
export type TimeGranularity = (typeof reportDateGranularities)[number]

/** Something rows are grouped by: a field, and for a time field whether by day, week or month. */
export type Dimension = { key: string; fieldKey: string; field: Field; part?: TimeGranularity }

const fieldOf = (resource: Resource<any, any>, key: string): Field | undefined =>
  Object.hasOwn(resource.fields, key) ? resource.fields[key] : key === 'createTime' ? baseFields.createTime : undefined

/** Whether grouping by the field makes sense: a choice, a reference to one other resource, or a time. */
function isGroupable(resource: Resource<any, any>, field: Field): boolean {
  const { choices, many } = fieldKindOf(field)
  if (many) return false
  if (choices === 'rows') return !!field.to && field.to !== resource.name && field.keyType !== 'text'
  return !!choices || isTimeField(field)
}

const known = new WeakMap<object, readonly Dimension[]>()
/**
 * Returns what reports may group a resource's rows by: the declared dimensions, else all references, choices and times.
 */
export function dimensionsOf(resource: Resource<any, any>): readonly Dimension[] {
  let all = known.get(resource)
  if (!all) {
    const keys =
      resource.dimensions ??
      [...Object.keys(resource.fields), 'createTime'].filter((key) => isGroupable(resource, fieldOf(resource, key)!))
    all = keys.flatMap((key) => {
      const field = fieldOf(resource, key)!
      if (field.computed || field.asked === false || isWriteOnlyField(field)) return []
      if (!isTimeField(field)) return [{ key, fieldKey: key, field }]
      return reportDateGranularities.map((part) => ({ key: `${key}.${part}`, fieldKey: key, field, part }))
    })
    known.set(resource, all)
  }
  return all
}

/** Fields a measure is computed from, without those of its `where`. */
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

/** Returns the label of a dimension; for a time with the granularity behind it. */
export function dimensionLabel({ field, part }: Dimension, lang: Lang): string {
  const label = localize(field.label, lang)
  if (!part) return label
  return lang === 'zh' ? `${label}（${PARTS[part].zh}）` : `${label} (${PARTS[part].en})`
}
