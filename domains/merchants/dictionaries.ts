import { defineDict } from '#kit/resource/index.ts'

/** generated → checked → paid; what does not agree is disputed and checked again. */
export const BILL = { generated: 0, checked: 1, paid: 2, disputed: 3 } as const
/** waiting → processing → finished / failed; failed → unfrozen. */
export const SHARE = { waiting: 0, processing: 1, finished: 2, failed: 3, unfrozen: 4 } as const
export const APPLY = { draft: 'draft', rejected: 'rejected' } as const

/** Means of payment whose money runs over the payment platform and stands in its statement. */
export const PLATFORM_CHANNELS = ['wechat', 'alipay'] as const

export const merchantDictionaries = [
  defineDict({
    code: 'merchant_type',
    label: { zh: '商户类型', en: 'Kind of merchant' },
    entries: [
      { key: 'enterprise', zh: '企业', en: 'Company' },
      { key: 'individual', zh: '个体工商户', en: 'Sole trader' },
      { key: 'institution', zh: '事业单位', en: 'Institution' },
      { key: 'government', zh: '政府机关', en: 'Government' },
      { key: 'other', zh: '社会组织', en: 'Organisation' },
    ],
  }),
  defineDict({
    code: 'merchant_status',
    label: { zh: '商户状态', en: 'State of a merchant' },
    entries: [
      { key: '1', zh: '正常', en: 'Active', colour: 'success' },
      { key: '0', zh: '停用', en: 'Stopped', colour: 'default' },
    ],
  }),
  defineDict({
    code: 'bill_type',
    label: { zh: '账单周期', en: 'Period' },
    entries: [
      { key: 'day', zh: '日账单', en: 'Daily' },
      { key: 'month', zh: '月账单', en: 'Monthly' },
    ],
  }),
  defineDict({
    code: 'bill_status',
    label: { zh: '账单状态', en: 'State of a bill' },
    entries: [
      { key: '0', zh: '待核对', en: 'To check', colour: 'warning' },
      { key: '1', zh: '已核对', en: 'Checked', colour: 'processing' },
      { key: '2', zh: '已付款', en: 'Paid', colour: 'success' },
      { key: '3', zh: '有争议', en: 'Disputed', colour: 'error' },
    ],
  }),
  defineDict({
    code: 'bill_line_kind',
    label: { zh: '收支', en: 'Kind' },
    entries: [
      { key: 'pay', zh: '收款', en: 'Payment' },
      { key: 'refund', zh: '退款', en: 'Refund' },
    ],
  }),
  defineDict({
    code: 'bill_check',
    label: { zh: '核对结果', en: 'Result of the check' },
    entries: [
      { key: 'open', zh: '未核对', en: 'Not checked', colour: 'default' },
      { key: 'matched', zh: '一致', en: 'Matched', colour: 'success' },
      { key: 'missingHere', zh: '我方缺少', en: 'Missing here', colour: 'error' },
      { key: 'missingThere', zh: '平台缺少', en: 'Missing there', colour: 'error' },
      { key: 'different', zh: '金额不同', en: 'Different', colour: 'warning' },
      { key: 'offline', zh: '不经平台', en: 'Not on the platform', colour: 'default' },
    ],
  }),
  defineDict({
    code: 'share_status',
    label: { zh: '分账状态', en: 'State of a share' },
    entries: [
      { key: '0', zh: '待分账', en: 'Waiting', colour: 'warning' },
      { key: '1', zh: '处理中', en: 'Processing', colour: 'processing' },
      { key: '2', zh: '已完成', en: 'Finished', colour: 'success' },
      { key: '3', zh: '失败', en: 'Failed', colour: 'error' },
      { key: '4', zh: '已解冻', en: 'Unfrozen', colour: 'default' },
    ],
  }),
  defineDict({
    code: 'pay_apply_status',
    label: { zh: '进件状态', en: 'State of an application' },
    entries: [
      { key: 'draft', zh: '草稿', en: 'Draft', colour: 'default' },
      { key: 'auditing', zh: '审核中', en: 'Under review', colour: 'processing' },
      { key: 'toSign', zh: '待签约', en: 'To sign', colour: 'warning' },
      { key: 'toVerify', zh: '待账户验证', en: 'To verify', colour: 'warning' },
      { key: 'finished', zh: '已完成', en: 'Finished', colour: 'success' },
      { key: 'rejected', zh: '已驳回', en: 'Rejected', colour: 'error' },
      { key: 'cancelled', zh: '已作废', en: 'Void', colour: 'default' },
    ],
  }),
  defineDict({
    code: 'pay_contact_type',
    label: { zh: '管理员类型', en: 'Kind of administrator' },
    entries: [
      { key: 'LEGAL', zh: '法人或经营者', en: 'Legal person or owner' },
      { key: 'SUPER', zh: '经办人', en: 'Agent' },
    ],
  }),
  defineDict({
    code: 'pay_account_type',
    label: { zh: '结算账户类型', en: 'Kind of account' },
    entries: [
      { key: 'corporate', zh: '对公账户', en: 'Corporate account' },
      { key: 'personal', zh: '经营者个人银行卡', en: "Owner's bank card" },
    ],
  }),
]
