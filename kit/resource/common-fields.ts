import { reusableField } from './fragment.ts'
import type { LocalizedText } from './localized-text.ts'

/** Fields of many families that belong to the noun of none. */
export const nameField = reusableField.text({ label: { zh: '名称', en: 'Name' }, max: 50, search: 'like', width: 160 })

export const REMARK_LABEL = { zh: '备注', en: 'Note' }
export const remarkField = reusableField.text({ label: REMARK_LABEL, max: 200 })
export const longRemarkField = reusableField.longText({ label: REMARK_LABEL, max: 500 })

/** Why somebody does what they do. */
export const reasonField = reusableField.text({ label: { zh: '原因', en: 'Reason' }, max: 200 })

export const enabledField = reusableField.boolean({
  label: { zh: '启用', en: 'Active' },
  default: true,
  search: 'eq',
  width: 80,
})

/**
 * Whether the address of a provider may lie inside. Said by who wrote it (`prepareProviderDraft`): a connection for a
 * tenant's own leads outside, whatever its name comes to mean. What the system wrote says nothing.
 */
export const allowPrivateNetworkField = reusableField.boolean({
  label: { zh: '可访问内网', en: 'Private network allowed' },
  form: 'hidden',
  secret: true,
  detail: false,
})

/** The place of a row among its neighbours. */
export const sortOrderField = reusableField.number({
  label: { zh: '排序', en: 'Sort order' },
  min: 0,
  default: 0,
  width: 80,
})

export const startTimeField = reusableField.datetime({
  label: { zh: '开始时间', en: 'Start' },
  search: 'range',
  width: 160,
})
export const endTimeField = reusableField.datetime({
  label: { zh: '结束时间', en: 'End' },
  isEnd: true,
  search: 'range',
  width: 160,
})

/** Where a business is called, on a landline too. */
export const contactPhoneField = reusableField.phone({
  label: { zh: '联系电话', en: 'Phone' },
  landline: true,
  width: 130,
})

/** What a picker is asked for. */
export const keywordField = reusableField.text({ label: { zh: '关键字', en: 'Keyword' }, max: 50 })

/** What a line of text must be like, with the sentence for one that is not. */
type Form = { pattern: string; patternWords: LocalizedText }

/** Where a server is, and nothing of what is asked of it. */
export const SERVER_URL_FORMAT: Form = {
  pattern: '^https?:\\/\\/[^\\s\\/?#]+\\/?$',
  patternWords: {
    zh: '{label}应以 http:// 或 https:// 开头，不带路径',
    en: '{label} must start with http:// or https:// and have no path',
  },
}
export const WEB_URL_FORMAT: Form = {
  pattern: '^https?:\\/\\/[^\\s\\/?#]+(\\/[^\\s?#]*)?$',
  patternWords: {
    zh: '{label}应以 http:// 或 https:// 开头，不含空格、? 和 #',
    en: '{label} must start with http:// or https:// and contain no spaces, ? or #',
  },
}

/** Codes and numbers that people, files and addresses all can bear. */
export const IDENTIFIER_FORMAT: Form = {
  pattern: '^[A-Za-z0-9_-]+$',
  patternWords: {
    zh: '{label}只能含字母、数字、下划线和连字符',
    en: '{label} can contain only letters, digits, _ and -',
  },
}
export const DOTTED_IDENTIFIER_FORMAT: Form = {
  pattern: '^[A-Za-z0-9_.-]+$',
  patternWords: {
    zh: '{label}只能含字母、数字、点、下划线和连字符',
    en: '{label} can contain only letters, digits, dots, _ and -',
  },
}
