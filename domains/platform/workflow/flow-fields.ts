import { f, type LocalizedText } from '#kit/resource/index.ts'
import type { LabelLookup } from '#kit/server/module/services.ts'

/** Categories are sent as `flow_1`: dictionary code and key (wire contract §20.2). */
const PREFIX = 'flow_'
const entry = f.dict('flow', { label: { zh: '流程类型', en: 'Process category' } })

export const processCategoryField = () =>
  f.text({ label: entry.label, max: 40, form: 'read', search: 'eq', width: 120, required: true })

/** Label of a permission that only clients of the older protocol use for a button. */
export const olderClientLabel = (zh: string, en: string): LocalizedText => ({
  zh: `${zh}（旧版客户端）`,
  en: `${en} (older clients)`,
})

/** Returns the dictionary key of a category. */
export const processCategoryKeyOf = (given: string): string => given.slice(PREFIX.length)

/** Category of processes that decide on change requests (change.server.ts). */
export const CHANGE_REQUEST_CATEGORY = 'flow_change'
export const CHANGE_REQUEST_CATEGORY_LABEL = { zh: '变更审批', en: 'Change request' }

/** Returns the label of a category; the category itself when the dictionary has none. */
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
