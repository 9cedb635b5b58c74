import './refusals.ts'

export { checkLedgers, firstOf, orderChecks, type LedgerDifference } from './ledgers.ts'
export { shoppingOrderServer } from './orders.server.ts'
export { cancelUnpaid, onOrderCancelled } from './close-order.ts'
export { amountsOf, type OrderLine } from './order-amounts.ts'
export {
  prefetchOrderLocks,
  payOrder,
  placeOrder,
  onOrderPaid,
  writeOrder,
  type PrefetchedOrder,
  type DeliverTo,
  type OrderDraft,
  type OrderPayment,
} from './place-order.ts'
export { bringOn } from './deliveries.server.ts'
export { deliveryTurned } from './delivery-turned.ts'
export { bookExternalRefund, completePlatformOrder, applyRider, type ExternalRefund } from './from-platform.ts'
export { HOURS, WEEKDAYS } from './habits.demo.ts'

/** Demo data of this module, loaded only when it is seeded. */
export const ordersStory = () => import('./history.demo.ts')

/** Demo data that needs the shops' history, seeded after it. */
export const deliveriesStory = () => import('./deliveries.demo.ts')
