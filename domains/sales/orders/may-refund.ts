import { useHasPermission } from '#kit/web/session/can.ts'
import { isPaidOnPlatform, ORDER_STATE } from './dictionaries.ts'

const REFUNDABLE: readonly number[] = [ORDER_STATE.paid, ORDER_STATE.finished, ORDER_STATE.partlyRefunded]

/**
 * Returns a function that tells whether the user may refund an order or request it, by permission and the order's
 * state.
 */
export function useMayRefund() {
  const mayNow = useHasPermission('refunds_approve')
  const mayAsk = useHasPermission('refunds_add')
  return (order: { status?: unknown; payType?: unknown }) =>
    (mayNow || mayAsk) && !isPaidOnPlatform(order) && REFUNDABLE.includes(Number(order.status))
}
