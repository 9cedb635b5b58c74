export { balanceLog, integralLog } from './account-log.resource.ts'
export { basicShopInfo } from './basic-shop-info.resource.ts'
export { wxUser } from './wx-user.resource.ts'
export { event, type EventType } from './event.resource.ts'
