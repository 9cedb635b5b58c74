import type { Field } from '#kit/fields/base/field-kind.ts'
import { isReferenceField } from '#kit/fields/kinds.ts'
import type { Resource } from '#kit/resource/index.ts'
import type { LocalizedText } from '#kit/base/localized-text.ts'
import { resourceWithTenantFields, type RowReadContext, type StaleRow } from './effects.ts'

const NAMED_MAX = 3

/**
 * Returns why a request was not executed: which fields of which rows changed. Leaves out values, which not all may see.
 */
export function explainStaleRows(
  looker: RowReadContext,
  moved: readonly StaleRow[],
  isOtherwise: boolean,
): LocalizedText {
  const changes = moved
    .slice(0, NAMED_MAX)
    .map((one) => changeText(resourceWithTenantFields(looker, one.resource), one))
  const rest = moved.length - changes.length
  const zh = changes.map((one) => one.zh).join('；') + (rest > 0 ? `；另有 ${rest} 条` : '')
  const en = changes.map((one) => one.en).join('; ') + (rest > 0 ? `; and ${rest} more` : '')
  return isOtherwise
    ? { zh: `现在执行的结果与同意的不同：${zh}`, en: `It would do something else by now: ${en}` }
    : { zh: `提交之后数据已变：${zh}`, en: `Changed since it was asked: ${en}` }
}

function changeText(resource: Resource<any, any>, { before, after, keys }: StaleRow): LocalizedText {
  const title = titleOf(resource, before ?? after)
  const row = {
    zh: `${resource.label.zh}${title && `“${title}”`}`,
    en: `${resource.label.en}${title && ` "${title}"`}`,
  }
  if (!after) return { zh: `${row.zh}已不在`, en: `${row.en} is not there` }
  if (!before) return { zh: `${row.zh}原来没有`, en: `${row.en} was not there` }
  const fields = keys.flatMap((key) => {
    const field = resource.fields[key] as Field | undefined
    return field && field.form !== 'hidden' ? [field.label] : []
  })
  const names = (lang: 'zh' | 'en') => fields.map((label) => label[lang]).join(lang === 'zh' ? '、' : ', ')
  return fields.length ? { zh: `${row.zh}的${names('zh')}`, en: `${row.en}: ${names('en')}` } : row
}

/** Returns a row's title; '' when it is masked or secret. */
function titleOf(resource: Resource<any, any>, row: Record<string, unknown> | null): string {
  const field = resource.fields[resource.title] as Field | undefined
  return !field || field.mask || field.secret || isReferenceField(field) ? '' : String(row?.[resource.title] ?? '')
}
