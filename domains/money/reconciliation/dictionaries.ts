import { defineDict } from '#kit/resource/index.ts'
import { DIFFERENCE_KINDS } from './kinds.ts'

/**
 * States of a difference: open → asked → settled, with a second approval waits → asked or declined. A person may set it
 * to accepted; kinds without an action are explained. Each may become open again.
 */
export const STATEMENT_DIFFERENCE_STATE = {
  open: 'open',
  waits: 'waits',
  declined: 'declined',
  asked: 'asked',
  settled: 'settled',
  accepted: 'accepted',
  explained: 'explained',
} as const

/** States in which a difference still needs attention. */
export const OPEN_DIFFERENCE_STATES = [
  STATEMENT_DIFFERENCE_STATE.open,
  STATEMENT_DIFFERENCE_STATE.waits,
  STATEMENT_DIFFERENCE_STATE.declined,
  STATEMENT_DIFFERENCE_STATE.asked,
] as const

export const reconciliationDictionaries = [
  defineDict({
    code: 'tally_side',
    label: { zh: '对账平台', en: 'Reconciliation platform' },
    entries: [
      { key: 'wechat', zh: '微信支付', en: 'WeChat Pay' },
      { key: 'ele', zh: '饿了么', en: 'Ele.me' },
      { key: 'meituan', zh: '美团', en: 'Meituan' },
    ],
  }),
  defineDict({
    code: 'tally_kind',
    label: { zh: '差异种类', en: 'Discrepancy type' },
    entries: Object.entries(DIFFERENCE_KINDS).map(([key, { name }]) => ({ key, ...name })),
  }),
  defineDict({
    code: 'tally_state',
    label: { zh: '差异状态', en: 'Discrepancy status' },
    entries: [
      { key: STATEMENT_DIFFERENCE_STATE.open, zh: '待处理', en: 'Open', colour: 'error' },
      { key: STATEMENT_DIFFERENCE_STATE.waits, zh: '等第二人', en: 'Awaiting second approval', colour: 'warning' },
      {
        key: STATEMENT_DIFFERENCE_STATE.declined,
        zh: '第二人已驳回',
        en: 'Rejected by second approver',
        colour: 'error',
      },
      {
        key: STATEMENT_DIFFERENCE_STATE.asked,
        zh: '已处理，待确认',
        en: 'Processed, awaiting confirmation',
        colour: 'processing',
      },
      { key: STATEMENT_DIFFERENCE_STATE.settled, zh: '已了结', en: 'Resolved', colour: 'success' },
      { key: STATEMENT_DIFFERENCE_STATE.accepted, zh: '已认可', en: 'Accepted', colour: 'default' },
      { key: STATEMENT_DIFFERENCE_STATE.explained, zh: '无需处理', en: 'No action needed', colour: 'default' },
    ],
  }),
]
