import './refusals.ts'

export { checkLedgers, firstDifferencesSql, orderConsistencySql, type LedgerDifference } from './ledgers.ts'
export { shoppingOrderServer } from './orders.server.ts'
export { cancelUnpaid, onOrderCancelled } from './close-order.ts'
export { computeOrderAmounts, type OrderLineDraft } from './order-amounts.ts'
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
export { advanceShopDelivery } from './deliveries.server.ts'
export { deliveryAdvancedSlot } from './delivery-turned.ts'
export { bookExternalRefund, completePlatformOrder, applyPlatformRider, type ExternalRefund } from './from-platform.ts'
export { ORDER_HOUR_WEIGHTS, ORDER_WEEKDAY_WEIGHTS } from './habits.demo.ts'

export const importOrdersDemo = () => import('./history.demo.ts')

/** Demo data that needs the shops' history, seeded after it. */
export const importDeliveriesDemo = () => import('./deliveries.demo.ts')
