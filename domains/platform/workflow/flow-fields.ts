import { f, type LocalizedText } from '#kit/resource/index.ts'
import type { LabelLookup } from '#kit/server/services.ts'

/** Categories travel as `flow_1`, the code of the dictionary and the key in it (wire contract §20.2). */
const PREFIX = 'flow_'
const entry = f.dict('flow', { label: { zh: '流程类型', en: 'Process category' } })

export const processCategoryField = () =>
  f.text({ label: entry.label, max: 40, form: 'read', search: 'eq', width: 120, required: true })

/** Words of a button that clients of the protocol show by a permission of its own, and our pages do not need. */
export const olderClientLabel = (zh: string, en: string): LocalizedText => ({
  zh: `${zh}（旧版客户端）`,
  en: `${en} (older clients)`,
})

/** The key of a category within its dictionary. */
export const processCategoryKeyOf = (given: string): string => given.slice(PREFIX.length)

/** Of processes that decide about a change (change.server.ts). */
export const CHANGE_REQUEST_CATEGORY = 'flow_change'
export const CHANGE_REQUEST_CATEGORY_LABEL = { zh: '变更审批', en: 'Change request' }

/** The words of a category; the category itself where the dictionary has none. */
export const processCategoryLabel = (
  labels: LabelLookup,
  tenantId: string,
  given: string | null,
  lang: 'zh' | 'en',
): string =>
  given === CHANGE_REQUEST_CATEGORY
    ? CHANGE_REQUEST_CATEGORY_LABEL[lang]
    : labels.dict(tenantId, entry, (given ?? '').slice(PREFIX.length), lang) || (given ?? '')

export const isProcessCategory = (labels: LabelLookup, tenantId: string, given: string): boolean =>
  given.startsWith(PREFIX) && labels.hasKey(tenantId, entry, given.slice(PREFIX.length))
