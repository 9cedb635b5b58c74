export {
  orderLineBenefitKinds,
  DELIVERY_STATE,
  ORDER_STATE,
  orderIrregularities,
  payTypes,
  REFUND_STATE,
  SOLD_ORDER_STATES,
  type OrderLineBenefit,
  type OrderFlag,
  type PayType,
} from './dictionaries.ts'
export { deliveryAddress } from './delivery-address.resource.ts'
export { deliveryInfo } from './delivery-info.resource.ts'
export { refundLimit } from './refund-limit.resource.ts'
export { refunds } from './refunds.resource.ts'
export { shoppingOrderDetail } from './shopping-order-detail.resource.ts'
export { orderIdField, shoppingOrder } from './shopping-order.resource.ts'
