import { useCan } from '#kit/web/session/can.ts'
import { isPaidThere, ORDER } from './dictionaries.ts'

const REFUNDABLE: readonly number[] = [ORDER.paid, ORDER.finished, ORDER.partlyRefunded]

/** Whether the user may refund an order, or ask for it: by right, and by the order's state. */
export function useMayRefund() {
  const mayNow = useCan('refunds_approve')
  const mayAsk = useCan('refunds_add')
  return (order: { status?: unknown; payType?: unknown }) =>
    (mayNow || mayAsk) && !isPaidThere(order) && REFUNDABLE.includes(Number(order.status))
}
