export {
  benefitKinds,
  DELIVERY,
  ORDER,
  orderFlags,
  payTypes,
  REFUND,
  SOLD,
  type Benefit,
  type OrderFlag,
  type PayType,
} from './dictionaries.ts'
export { deliveryAddress } from './delivery-address.resource.ts'
export { deliveryInfo } from './delivery-info.resource.ts'
export { refundLimit } from './refund-limit.resource.ts'
export { refunds } from './refunds.resource.ts'
export { shoppingOrderDetail } from './shopping-order-detail.resource.ts'
export { orderId, shoppingOrder } from './shopping-order.resource.ts'
