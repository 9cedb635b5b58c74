export { ORDER, orderFlags, payTypes, REFUND, type OrderFlag, type PayType } from './dictionaries.ts'
export { refunds } from './refunds.resource.ts'
export { shoppingOrderDetail } from './shopping-order-detail.resource.ts'
export { shoppingOrder } from './shopping-order.resource.ts'
