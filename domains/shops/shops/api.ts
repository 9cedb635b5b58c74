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
export type {
  DemoAccountChange as StoryAccountChange,
  DemoShopStaff as StoryShopStaff,
  DemoCustomer as StoryCustomer,
} from './shops.demo.ts'
/** Context for seeding demo data on top of the shops' history: shops, orders and customers exist. */
export type { DemoSeedContext as StorySeedContext } from './demo-seed-context.ts'

/** Imports the demo data of this module, only when it is seeded. */
export const importShopsDemo = () => import('./shops.demo.ts')
export { findTimeWindowAt } from './hours.ts'
export { resolveDoorSetting, storedDoorSettings } from './door-settings.ts'
