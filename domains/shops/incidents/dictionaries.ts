import { eventDictionaries } from '#domains/shops/shop-events/index.ts'
import { defineDict, type DictEntry } from '#kit/resource/index.ts'

/** States of a case: 0 waiting → 1 taken → 2 done, or 3 ended by itself. */
export const GUARD_CASE_STATE = { waiting: 0, taken: 1, done: 2, itself: 3 } as const

/** States of a shift: 0 running → 1 over, with its handover written. */
export const GUARD_SHIFT_STATE = { running: 0, over: 1 } as const

/** Outcomes of cases that nobody decided at the desk. */
export const AUTOMATIC_CASE_OUTCOME = {
  itself: 'itself',
  elsewhere: 'elsewhere',
  approved: 'approved',
  rejected: 'rejected',
} as const

/** Outcomes a person at the desk can choose. */
export const operatorCaseOutcomeKeys = ['harmless', 'spoken', 'called', 'sent', 'police', 'blocked', 'other'] as const

/** Kinds of cases in addition to the types of events. */
const ownKinds: readonly DictEntry[] = [
  { key: 'suspicious', zh: '可疑到店', en: 'Suspicious visit', colour: 'warning' },
  { key: 'refund', zh: '退款申请', en: 'Refund request', colour: 'processing' },
]

export const guardDictionaries = [
  defineDict({
    code: 'guard_kind',
    label: { zh: '值守事件类型', en: 'Case type' },
    entries: [...eventDictionaries.find(({ code }) => code === 'event_type')!.entries, ...ownKinds],
  }),
  defineDict({
    code: 'guard_case_status',
    label: { zh: '值守事件状态', en: 'Case status' },
    entries: [
      { key: '0', zh: '待接手', en: 'Unassigned', colour: 'error' },
      { key: '1', zh: '处理中', en: 'In progress', colour: 'processing' },
      { key: '2', zh: '已处理', en: 'Closed', colour: 'success' },
      { key: '3', zh: '自行恢复', en: 'Auto-resolved', colour: 'default' },
    ],
  }),
  defineDict({
    code: 'guard_outcome',
    label: { zh: '处理结果', en: 'Case outcome' },
    entries: [
      { key: 'harmless', zh: '无异常', en: 'No issue', colour: 'default' },
      { key: 'spoken', zh: '已喊话劝阻', en: 'Talked down', colour: 'success' },
      { key: 'called', zh: '已电话联系', en: 'Contacted by phone', colour: 'success' },
      { key: 'sent', zh: '已派人到场', en: 'Staff dispatched', colour: 'processing' },
      { key: 'police', zh: '已报警', en: 'Reported to police', colour: 'error' },
      { key: 'blocked', zh: '已加入黑名单', en: 'Added to blocklist', colour: 'error' },
      { key: 'other', zh: '其他', en: 'Other', colour: 'default' },
      { key: AUTOMATIC_CASE_OUTCOME.elsewhere, zh: '在别处处理', en: 'Handled elsewhere', colour: 'default' },
      { key: AUTOMATIC_CASE_OUTCOME.approved, zh: '已同意退款', en: 'Refund approved', colour: 'success' },
      { key: AUTOMATIC_CASE_OUTCOME.rejected, zh: '已拒绝退款', en: 'Refund rejected', colour: 'warning' },
      { key: AUTOMATIC_CASE_OUTCOME.itself, zh: '自行恢复', en: 'Auto-resolved', colour: 'default' },
    ],
  }),
  defineDict({
    code: 'guard_shift_status',
    label: { zh: '值班状态', en: 'Shift status' },
    entries: [
      { key: '0', zh: '值班中', en: 'On shift', colour: 'processing' },
      { key: '1', zh: '已交班', en: 'Handed over', colour: 'success' },
    ],
  }),
  defineDict({
    code: 'guard_deed',
    label: { zh: '值守动作', en: 'Case action' },
    entries: [
      { key: 'claim', zh: '接手', en: 'Took case' },
      { key: 'release', zh: '放回', en: 'Released' },
      { key: 'handOver', zh: '移交', en: 'Handed off' },
      { key: 'say', zh: '喊话', en: 'Talked down' },
      { key: 'finish', zh: '处理完', en: 'Closed' },
    ],
  }),
  defineDict({
    code: 'loss_kind',
    label: { zh: '损耗类型', en: 'Shrinkage type' },
    entries: [
      { key: 'unpaid', zh: '未付款离店', en: 'Walkout', colour: 'error' },
      { key: 'expired', zh: '过期', en: 'Expired', colour: 'warning' },
      { key: 'miscounted', zh: '账实不符', en: 'Count variance', colour: 'default' },
      { key: 'price', zh: '价签与收银不一致', en: 'Price mismatch', colour: 'processing' },
      { key: 'refund', zh: '退款滥用', en: 'Refund abuse', colour: 'error' },
      { key: 'written', zh: '其他报损', en: 'Other write-off', colour: 'default' },
    ],
  }),
  defineDict({
    code: 'loss_basis',
    label: { zh: '损耗金额依据', en: 'Shrinkage amount basis' },
    entries: [
      { key: 'cost', zh: '进价', en: 'At cost', colour: 'default' },
      { key: 'price', zh: '少收的差价', en: 'Undercharged amount', colour: 'default' },
      { key: 'money', zh: '退出的金额', en: 'Refunded amount', colour: 'default' },
      { key: 'unknown', zh: '进价未知', en: 'Cost unknown', colour: 'warning' },
    ],
  }),
  defineDict({
    code: 'loss_certainty',
    label: { zh: '把握程度', en: 'Confidence' },
    entries: [
      { key: 'sure', zh: '确定', en: 'Confirmed', colour: 'success' },
      { key: 'likely', zh: '很可能', en: 'Likely', colour: 'processing' },
      { key: 'guess', zh: '推测', en: 'Possible', colour: 'default' },
    ],
  }),
]
