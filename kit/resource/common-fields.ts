import { fragment } from './fragment.ts'

/** Fields of many families that belong to the noun of none. */
export const ownName = fragment.text({ label: { zh: '名称', en: 'Name' }, max: 50, search: 'like', width: 160 })

export const REMARK = { zh: '备注', en: 'Remark' }
export const remark = fragment.text({ label: REMARK, max: 200 })
export const longRemark = fragment.longText({ label: REMARK, max: 500 })

/** Why somebody does what they do. */
export const reason = fragment.text({ label: { zh: '原因', en: 'Reason' }, max: 200 })

export const enabled = fragment.boolean({
  label: { zh: '启用', en: 'In use' },
  default: true,
  search: 'eq',
  width: 80,
})

/**
 * Whether the address of a provider may lie inside. Said by who wrote it (`settleProvider`): a connection for a
 * tenant's own leads outside, whatever its name comes to mean. What the system wrote says nothing.
 */
export const mayBeInside = fragment.boolean({
  label: { zh: '可访问内网', en: 'May lie inside' },
  form: 'hidden',
  secret: true,
  detail: false,
})

/** The place of a row among its neighbours. */
export const sort = fragment.number({ label: { zh: '排序', en: 'Sort' }, min: 0, default: 0, width: 80 })

export const startTime = fragment.datetime({ label: { zh: '开始时间', en: 'From' }, search: 'range', width: 160 })
export const endTime = fragment.datetime({ label: { zh: '结束时间', en: 'Until' }, search: 'range', width: 160 })

/** Where a business is called, on a landline too. */
export const contactPhone = fragment.phone({ label: { zh: '联系电话', en: 'Phone' }, landline: true, width: 130 })

/** What a picker is asked for. */
export const keyword = fragment.text({ label: { zh: '关键字', en: 'Keyword' }, max: 50 })
