import './refusals.ts'

export { memberConsistencySql } from './member-checks.ts'
export { findShopEntrant, type ShopEntrant } from './blocks.ts'
export { buyMembership, type BuyMembershipRequest } from './annual-fee.ts'
export { takeBackPoints, type OrderRefundForPoints } from './points.ts'
export { bookPurchase, lockBuyer, type Buyer, type CustomerPurchase } from './purchase.ts'
export { findMemberDay, findMemberPrices, type MemberDay, type MemberPrice } from './prices.ts'
export { bookRecharge, type RechargeRequest } from './recharge.ts'
export { registerCouponGiver, type CouponGift } from './ticket-gifts.ts'
export { endLevelsLostByRefund, findMemberEntitlements, type MemberEntitlements } from './membership-terms.ts'

export const importMembersDemo = () => import('./members.demo.ts')
export {
  changeCustomerAccount,
  lockCustomer,
  POINTS_BALANCE_MAX,
  resolveMergedCustomerId,
  type AccountChange,
} from './accounts.ts'
export { addCustomerToShop, resolveBookingShopId, visibleCustomersSql } from './booking-shop.ts'
export { reduceCustomerTotalSpent } from './wx-user.server.ts'
