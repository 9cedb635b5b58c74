import type { Action } from '#kit/resource/define-resource.ts'
import { refunds } from './refunds.resource.ts'

type Decision = keyof typeof refunds.actions

const asks: Record<Decision, { zh: string; en: string }> = {
  approve: { zh: '退款 {amount} 给 {wxUserId}?', en: 'Refund {amount} to {wxUserId}?' },
  reject: { zh: '拒绝给 {wxUserId} 的退款 {amount}?', en: 'Reject the refund of {amount} to {wxUserId}?' },
  redirect: {
    zh: '{wxUserId} 原来的卡收不到 {amount}，改退到哪里？',
    en: 'The card of {wxUserId} cannot receive {amount}. Where should the refund go?',
  },
  handOver: {
    zh: '确认已把 {amount} 退还给 {wxUserId}？确认后不再经平台退款',
    en: 'Confirm that {amount} was refunded to {wxUserId}? The platform no longer refunds it after that.',
  },
  retry: { zh: '重新退款 {amount} 给 {wxUserId}?', en: 'Retry the refund of {amount} to {wxUserId}?' },
}

/** Returns the action with a confirmation that names the customer, if known. */
export function createRefundAction(name: Decision, refund: { wxUserName?: unknown }): Action {
  const action = refunds.actions[name] as Action
  return { ...action, confirm: refund.wxUserName ? asks[name] : action.confirm }
}
