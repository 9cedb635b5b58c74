import './refusals.ts'

export { changeAccount, type AccountChange } from './accounts.ts'
export {
  initialsOf,
  isOnline,
  refuseShopRemoval,
  searchKeyOf,
  shopWasSeen,
  SILENT_SECONDS,
} from './basic-shop-info.server.ts'
export { setStaff, shopsOf } from './staff.ts'
export { countPurchase } from './wx-user.server.ts'
export type { AccountRow, ShopPeople, StoryCustomer } from './shops.story.ts'

/** The demo story of this room, loaded when it is told. */
export const shopsStory = () => import('./shops.story.ts')
