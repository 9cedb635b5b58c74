import './refusals.ts'

export { initialsOf, isOnline, searchKeyOf, shopWasSeen, SILENT_SECONDS } from './basic-shop-info.server.ts'
export { placeOf } from './place.ts'
export { confOf, settingsForTerminals, settingsReported, startConf } from './shop-conf.server.ts'
export { endUnmanned, startUnmanned } from './unmanned.ts'
export { setStaff, shopsOf } from './staff.ts'
export type { AccountRow, ShopPeople, StoryCustomer } from './shops.demo.ts'
/** What the story's later parts stand on: the shops have their history, orders and customers are there. */
export type { StoryStage } from './story-stage.ts'

/** Demo data of this module, loaded only when it is seeded. */
export const shopsStory = () => import('./shops.demo.ts')
export { windowAt } from './hours.ts'
export { doorSetting, settingsApart } from './door-settings.ts'
