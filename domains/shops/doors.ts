import './refusals.ts'

export { changeAccount, lockCustomer, POINTS_MAX, survivorOf, type AccountChange } from './accounts.ts'
export { becomesCustomerOf, bookingShop, seenIn } from './booking-shop.ts'
export { initialsOf, isOnline, searchKeyOf, shopWasSeen, SILENT_SECONDS } from './basic-shop-info.server.ts'
export { isSamePayment, requireUnused } from './paid-once.ts'
export { placeOf } from './place.ts'
export { confOf, settingsForTerminals, settingsReported, startConf } from './shop-conf.server.ts'
export { tellPerson, type Notice } from './tell-person.ts'
export { endUnmanned, startUnmanned } from './unmanned.ts'
export { raiseEvent, reviseEvent, settleEvents, type Raised } from './event.server.ts'
export { setStaff, shopsOf } from './staff.ts'
export { countPurchase } from './wx-user.server.ts'
export type { AccountRow, ShopPeople, StoryCustomer } from './shops.story.ts'

/** The demo story of this room, loaded when it is told. */
export const shopsStory = () => import('./shops.story.ts')

/** What the story's later parts stand on: the shops have their history, orders and customers are there. */
export type { StoryStage } from './story-stage.ts'
/** The running of the shops: told once there is a history. */
export const runningStory = () => import('./running.story.ts')
