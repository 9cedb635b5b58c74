import { defineDict } from '#kit/resource/index.ts'
import { KINDS } from './kinds.ts'

/**
 * open → (waits for a second person, who may decline) → asked → settled; accepted by a person, explained by itself.
 * Each may become open again.
 */
export const STATE = {
  open: 'open',
  waits: 'waits',
  declined: 'declined',
  asked: 'asked',
  settled: 'settled',
  accepted: 'accepted',
  explained: 'explained',
} as const

/** Somebody has to do something about it. */
export const UNSETTLED = [STATE.open, STATE.waits, STATE.declined, STATE.asked] as const

export const tallyDictionaries = [
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
    entries: Object.entries(KINDS).map(([key, { name }]) => ({ key, ...name })),
  }),
  defineDict({
    code: 'tally_state',
    label: { zh: '差异状态', en: 'Discrepancy status' },
    entries: [
      { key: STATE.open, zh: '待处理', en: 'Open', colour: 'error' },
      { key: STATE.waits, zh: '等第二人', en: 'Awaiting second approval', colour: 'warning' },
      { key: STATE.declined, zh: '第二人已驳回', en: 'Rejected by second approver', colour: 'error' },
      { key: STATE.asked, zh: '已处理，待确认', en: 'Processed, awaiting confirmation', colour: 'processing' },
      { key: STATE.settled, zh: '已了结', en: 'Resolved', colour: 'success' },
      { key: STATE.accepted, zh: '已认可', en: 'Accepted', colour: 'default' },
      { key: STATE.explained, zh: '无需处理', en: 'No action needed', colour: 'default' },
    ],
  }),
]
