import { reusableField } from './fragment.ts'
import type { LocalizedText } from '../base/localized-text.ts'

/** Reusable fields that belong to no single module. */
export const nameField = reusableField.text({ label: { zh: '名称', en: 'Name' }, max: 50, search: 'like', width: 160 })

export const REMARK_LABEL = { zh: '备注', en: 'Note' }
export const remarkField = reusableField.text({ label: REMARK_LABEL, max: 200 })
export const longRemarkField = reusableField.longText({ label: REMARK_LABEL, max: 500 })

/** A person's reason for an action. */
export const reasonField = reusableField.text({ label: { zh: '原因', en: 'Reason' }, max: 200 })

export const enabledField = reusableField.boolean({
  label: { zh: '启用', en: 'Active' },
  default: true,
  search: 'eq',
  width: 80,
})

/**
 * Whether a provider's server URL may point into the private network. `prepareProviderDraft` sets it when the URL is
 * written: true only for the platform, so that a tenant's connection never leads inside, even if its host name later
 * resolves to there. Rows the system wrote leave it empty.
 */
export const allowPrivateNetworkField = reusableField.boolean({
  label: { zh: '可访问内网', en: 'Private network allowed' },
  form: 'hidden',
  secret: true,
  detail: false,
})

/** Position of a row among its siblings, lowest first. */
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

/** Phone number of a business; landlines are allowed. */
export const contactPhoneField = reusableField.phone({
  label: { zh: '联系电话', en: 'Phone' },
  landline: true,
  width: 130,
})

/** Search text of a picker. */
export const keywordField = reusableField.text({ label: { zh: '关键字', en: 'Keyword' }, max: 50 })

/** Pattern of a one-line text field and the error message for a text that does not match. */
type Form = { pattern: string; patternWords: LocalizedText }

/** Base URL of a server: scheme, host and optional port, without path or query. */
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

/** Codes and numbers that are safe in file names and URLs. */
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
