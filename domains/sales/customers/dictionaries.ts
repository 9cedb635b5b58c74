import { defineDict } from '#kit/resource/index.ts'

const days = ['一', '二', '三', '四', '五', '六', '日']
const dayNames = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

/** States of a membership term; whether a valid one is running is a matter of time alone. */
export const MEMBERSHIP_TERM_STATE = { valid: 1, cancelled: 2, merged: 3 } as const
/** Payment states of a recharge or fee. */
export const MEMBER_PAYMENT_STATE = { waiting: 0, paid: 1, partly: 2, refunded: 3 } as const

/** An appeal: 0 open → 1 upheld, the entry stays, or 2 lifted, it ends. */
export const BLACK_LIST_APPEAL_STATE = { open: 0, upheld: 1, lifted: 2 } as const

export const memberDictionaries = [
  defineDict({
    code: 'appeal_status',
    label: { zh: '申诉状态', en: 'Appeal status' },
    entries: [
      { key: '0', zh: '待处理', en: 'Open', colour: 'warning' },
      { key: '1', zh: '维持', en: 'Upheld', colour: 'error' },
      { key: '2', zh: '已解除', en: 'Lifted', colour: 'success' },
    ],
  }),
  defineDict({
    code: 'vip_source',
    label: { zh: '会员来源', en: 'Membership source' },
    entries: [
      { key: 'fee', zh: '年费', en: 'Membership plan' },
      { key: 'spending', zh: '消费达标', en: 'Spending reached' },
      { key: 'office', zh: '后台赠送', en: 'Granted by back office' },
      { key: 'merge', zh: '账户合并', en: 'Account merge' },
    ],
  }),
  defineDict({
    code: 'vip_status',
    label: { zh: '会员状态', en: 'Membership status' },
    entries: [
      { key: '1', zh: '有效', en: 'Valid', colour: 'success' },
      { key: '2', zh: '已取消', en: 'Canceled', colour: 'error' },
      { key: '3', zh: '已合并', en: 'Merged', colour: 'default' },
    ],
  }),
  defineDict({
    code: 'time_state',
    label: { zh: '时效', en: 'Validity' },
    entries: [
      { key: 'coming', zh: '未开始', en: 'Upcoming', colour: 'default' },
      { key: 'running', zh: '生效中', en: 'Active', colour: 'success' },
      { key: 'over', zh: '已结束', en: 'Ended', colour: 'default' },
    ],
  }),
  defineDict({
    code: 'vip_day_cycle',
    label: { zh: '会员日周期', en: 'Member day cycle' },
    entries: [
      { key: 'weekly', zh: '每周', en: 'Weekly' },
      { key: 'monthly', zh: '每月', en: 'Monthly' },
    ],
  }),
  defineDict({
    code: 'vip_day_number',
    label: { zh: '会员日日期', en: 'Member day date' },
    entries: Array.from({ length: 31 }, (_unused, at) => ({
      key: String(at + 1),
      zh: at < 7 ? `${at + 1}（周${days[at]!}）` : `${at + 1}`,
      en: at < 7 ? `${at + 1} (${dayNames[at]!})` : `${at + 1}`,
    })),
  }),
  defineDict({
    code: 'member_pay_type',
    label: { zh: '收款方式', en: 'Payment method' },
    entries: [
      { key: 'cash', zh: '现金', en: 'Cash', colour: 'default' },
      { key: 'wechat', zh: '微信支付', en: 'WeChat Pay', colour: 'success' },
      { key: 'alipay', zh: '支付宝', en: 'Alipay', colour: 'processing' },
      { key: 'card', zh: '银行卡', en: 'Bank card', colour: 'default' },
      { key: 'balance', zh: '余额', en: 'Balance', colour: 'warning' },
      { key: 'other', zh: '其他', en: 'Other', colour: 'default' },
    ],
  }),
  defineDict({
    code: 'member_pay_status',
    label: { zh: '支付状态', en: 'Payment status' },
    entries: [
      { key: '0', zh: '待支付', en: 'Awaiting payment', colour: 'warning' },
      { key: '1', zh: '已到账', en: 'Paid', colour: 'success' },
      { key: '2', zh: '部分退款', en: 'Partially refunded', colour: 'warning' },
      { key: '3', zh: '已退款', en: 'Refunded', colour: 'default' },
    ],
  }),
  defineDict({
    code: 'merge_state',
    label: { zh: '合并状态', en: 'Merge status' },
    entries: [
      { key: 'moving', zh: '转移中', en: 'In progress', colour: 'processing' },
      { key: 'done', zh: '已完成', en: 'Completed', colour: 'success' },
    ],
  }),
]
