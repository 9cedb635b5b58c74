import { defineDict } from '#kit/resource/index.ts'

/** States of a bill: generated → checked → paid; one with differences is disputed and checked again. */
export const BILL_STATE = { generated: 0, checked: 1, paid: 2, disputed: 3 } as const
/** States of a profit share: waiting → processing → finished / failed; failed → unfrozen. */
export const PROFIT_SHARE_STATE = { waiting: 0, processing: 1, finished: 2, failed: 3, unfrozen: 4 } as const
/**
 * Kinds of profit-sharing moves: share part of an order's money, unfreeze the rest for the merchant, return a share.
 */
export const PROFIT_SHARE_MOVE_KIND = { share: 'share', unfreeze: 'unfreeze', return: 'return' } as const
/**
 * States of an application: draft → submitting → auditing → toVerify or toSign → signing → finished. Rejected and
 * failed ones are corrected and submitted again; cancelled ones are submitted under a new number.
 */
export const APPLY_STATE = {
  draft: 'draft',
  submitting: 'submitting',
  submitFailed: 'submitFailed',
  auditing: 'auditing',
  toSign: 'toSign',
  toVerify: 'toVerify',
  signing: 'signing',
  finished: 'finished',
  rejected: 'rejected',
  cancelled: 'cancelled',
} as const
type Apply = (typeof APPLY_STATE)[keyof typeof APPLY_STATE]

/** States in which an application may be edited and submitted, as WeChat Pay is not reviewing it. */
export const EDITABLE_APPLY_STATES: readonly Apply[] = ['draft', 'submitFailed', 'rejected', 'cancelled']
/** States in which WeChat Pay is processing an application; its state is queried. */
export const PENDING_APPLY_STATES = ['auditing', 'toVerify', 'toSign', 'signing'] as const satisfies readonly Apply[]

/**
 * States of a change of the settlement account: draft → waiting (for a second approval) → asked → sent (unconfirmed) →
 * auditing → done / failed; a declined or failed one can be requested again.
 */
export const SETTLEMENT_CHANGE_STATE = {
  draft: 'draft',
  waiting: 'waiting',
  declined: 'declined',
  asked: 'asked',
  sent: 'sent',
  auditing: 'auditing',
  done: 'done',
  failed: 'failed',
} as const

/** Payment channels whose money passes through the payment platform and is in its statement. */
export const PAYMENT_PLATFORM_CHANNELS = ['wechat', 'alipay'] as const

export const merchantDictionaries = [
  defineDict({
    code: 'settlement_status',
    label: { zh: '结算账户变更状态', en: 'Settlement account change status' },
    entries: [
      { key: SETTLEMENT_CHANGE_STATE.draft, zh: '草稿', en: 'Draft', colour: 'default' },
      { key: SETTLEMENT_CHANGE_STATE.waiting, zh: '待另一人确认', en: 'Awaiting second approval', colour: 'warning' },
      { key: SETTLEMENT_CHANGE_STATE.declined, zh: '已驳回', en: 'Rejected', colour: 'default' },
      { key: SETTLEMENT_CHANGE_STATE.asked, zh: '待提交', en: 'Queued', colour: 'processing' },
      {
        key: SETTLEMENT_CHANGE_STATE.sent,
        zh: '已提交，微信支付未确认',
        en: 'Submitted, awaiting confirmation',
        colour: 'warning',
      },
      { key: SETTLEMENT_CHANGE_STATE.auditing, zh: '微信支付审核中', en: 'WeChat Pay reviewing', colour: 'processing' },
      { key: SETTLEMENT_CHANGE_STATE.done, zh: '已变更', en: 'Changed', colour: 'success' },
      { key: SETTLEMENT_CHANGE_STATE.failed, zh: '失败', en: 'Failed', colour: 'error' },
    ],
  }),
  defineDict({
    code: 'merchant_type',
    label: { zh: '商户类型', en: 'Merchant type' },
    entries: [
      { key: 'enterprise', zh: '企业', en: 'Company' },
      { key: 'individual', zh: '个体工商户', en: 'Sole trader' },
      { key: 'institution', zh: '事业单位', en: 'Institution' },
      { key: 'government', zh: '政府机关', en: 'Government' },
      { key: 'other', zh: '社会组织', en: 'Organization' },
    ],
  }),
  defineDict({
    code: 'merchant_status',
    label: { zh: '商户状态', en: 'Merchant status' },
    entries: [
      { key: '1', zh: '正常', en: 'Active', colour: 'success' },
      { key: '0', zh: '停用', en: 'Inactive', colour: 'default' },
    ],
  }),
  defineDict({
    code: 'bill_type',
    label: { zh: '账单周期', en: 'Bill interval' },
    entries: [
      { key: 'day', zh: '日账单', en: 'Daily' },
      { key: 'month', zh: '月账单', en: 'Monthly' },
    ],
  }),
  defineDict({
    code: 'bill_status',
    label: { zh: '账单状态', en: 'Bill status' },
    entries: [
      { key: '0', zh: '待核对', en: 'To be verified', colour: 'warning' },
      { key: '1', zh: '已核对', en: 'Verified', colour: 'processing' },
      { key: '2', zh: '已付款', en: 'Paid', colour: 'success' },
      { key: '3', zh: '有争议', en: 'Disputed', colour: 'error' },
    ],
  }),
  defineDict({
    code: 'bill_line_kind',
    label: { zh: '收支', en: 'Type' },
    entries: [
      { key: 'pay', zh: '收款', en: 'Payment' },
      { key: 'refund', zh: '退款', en: 'Refund' },
      { key: 'share', zh: '分账', en: 'Profit share' },
    ],
  }),
  defineDict({
    code: 'bill_check',
    label: { zh: '核对结果', en: 'Reconciliation result' },
    entries: [
      { key: 'open', zh: '未核对', en: 'Not reconciled', colour: 'default' },
      { key: 'matched', zh: '一致', en: 'Matched', colour: 'success' },
      { key: 'missingHere', zh: '我方缺少', en: 'Missing in our records', colour: 'error' },
      { key: 'missingThere', zh: '平台缺少', en: 'Missing at platform', colour: 'error' },
      { key: 'different', zh: '金额不同', en: 'Amount mismatch', colour: 'warning' },
      { key: 'offline', zh: '不经平台', en: 'Outside platform', colour: 'default' },
    ],
  }),
  defineDict({
    code: 'share_status',
    label: { zh: '分账状态', en: 'Profit share status' },
    entries: [
      { key: '0', zh: '待分账', en: 'Pending', colour: 'warning' },
      { key: '1', zh: '处理中', en: 'Processing', colour: 'processing' },
      { key: '2', zh: '已完成', en: 'Completed', colour: 'success' },
      { key: '3', zh: '失败', en: 'Failed', colour: 'error' },
      { key: '4', zh: '已解冻', en: 'Released', colour: 'default' },
    ],
  }),
  defineDict({
    code: 'share_kind',
    label: { zh: '分账类型', en: 'Profit share type' },
    entries: [
      { key: 'share', zh: '分账', en: 'Profit share', colour: 'processing' },
      { key: 'unfreeze', zh: '解冻', en: 'Release', colour: 'default' },
      { key: 'return', zh: '回退', en: 'Return', colour: 'warning' },
    ],
  }),
  defineDict({
    code: 'pay_apply_status',
    label: { zh: '进件状态', en: 'Onboarding status' },
    entries: [
      { key: 'draft', zh: '草稿', en: 'Draft', colour: 'default' },
      { key: 'submitting', zh: '提交中', en: 'Submitting', colour: 'processing' },
      { key: 'submitFailed', zh: '提交失败', en: 'Submission failed', colour: 'error' },
      { key: 'auditing', zh: '审核中', en: 'Under review', colour: 'processing' },
      { key: 'toSign', zh: '待签约', en: 'Awaiting signature', colour: 'warning' },
      { key: 'toVerify', zh: '待账户验证', en: 'Awaiting account verification', colour: 'warning' },
      { key: 'signing', zh: '开通权限中', en: 'Activating', colour: 'processing' },
      { key: 'finished', zh: '已完成', en: 'Completed', colour: 'success' },
      { key: 'rejected', zh: '已驳回', en: 'Rejected', colour: 'error' },
      { key: 'cancelled', zh: '已作废', en: 'Voided', colour: 'default' },
    ],
  }),
  defineDict({
    code: 'pay_contact_type',
    label: { zh: '管理员类型', en: 'Administrator type' },
    entries: [
      { key: 'LEGAL', zh: '法人或经营者', en: 'Legal representative or owner' },
      { key: 'SUPER', zh: '经办人', en: 'Agent' },
    ],
  }),
  defineDict({
    code: 'pay_account_type',
    label: { zh: '结算账户类型', en: 'Settlement account type' },
    entries: [
      { key: 'corporate', zh: '对公账户', en: 'Corporate account' },
      { key: 'personal', zh: '经营者个人银行卡', en: 'Personal bank card of the owner' },
    ],
  }),
]
