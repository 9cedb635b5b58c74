import './refusals.ts'

export {
  pinyinInitials,
  isOnline,
  pinyinSearchKey,
  recordShopSeen,
  OFFLINE_AFTER_SECONDS,
} from './basic-shop-info.server.ts'
export { regionsOfDistrict } from './place.ts'
export {
  findShopConf,
  loadTerminalSettings,
  recordReportedSettings,
  insertDefaultShopConf,
} from './shop-conf.server.ts'
export { endUnmanned, startUnmanned } from './unmanned.ts'
export { replaceShopStaff, findShopScopeIds } from './staff.ts'
export type { StoryAccountChange, StoryShopStaff, StoryCustomer } from './shops.demo.ts'
/** What the story's later parts stand on: the shops have their history, orders and customers are there. */
export type { StorySeedContext } from './story-stage.ts'

/** Demo data of this module, loaded only when it is seeded. */
export const importShopsStory = () => import('./shops.demo.ts')
export { findTimeWindowAt } from './hours.ts'
export { resolveDoorSetting, settingsApart } from './door-settings.ts'
