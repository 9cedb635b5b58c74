export { benefitKinds, ORDER, orderFlags, payTypes, REFUND, type Benefit, type OrderFlag, type PayType } from './dictionaries.ts'
export { refunds } from './refunds.resource.ts'
export { shoppingOrderDetail } from './shopping-order-detail.resource.ts'
export { shoppingOrder } from './shopping-order.resource.ts'
