import './refusals.ts'

export { memberChecks } from './member-checks.ts'
export { entrantOf, type Entrant } from './blocks.ts'
export { buyMembership, type FeeAsk } from './annual-fee.ts'
export { takeBackPoints, type RefundedOrder } from './points.ts'
export { bookPurchase, lockBuyer, type Buyer, type Purchase } from './purchase.ts'
export { memberDayOf, memberPricesOf, type MemberDay, type MemberPrice } from './prices.ts'
export { recharge, type RechargeAsk } from './recharge.ts'
export { giveTicketsBy, type TicketGift } from './ticket-gifts.ts'
export { endUnpaidLevels, memberOf, type Member } from './membership-terms.ts'

/** Demo data of this module, loaded only when it is seeded. */
export const membersStory = () => import('./members.demo.ts')
export { changeAccount, lockCustomer, POINTS_MAX, survivorOf, type AccountChange } from './accounts.ts'
export { becomesCustomerOf, bookingShop, seenIn } from './booking-shop.ts'
export { takeFromSpent } from './wx-user.server.ts'
