/** The demo story of this room, told once the shops have their history. */
export const thirdpartyStory = () => import('./thirdparty.story.ts')
/** What the stories of the two delivery platforms have in common. */
export { storyOnPlatform } from './on-platform.story.ts'
export { accountOf, openedAccount, turnOf, type Account } from './accounts.ts'
export { endUnfound, noteDifferences, type Difference } from './differences.ts'
export { askLater, isGivenBack, refundAsk } from './actions.ts'
export { giveThere } from './platform-refund.ts'
export { followOrder, hearOrder } from './inbound.ts'
export type { LineThere, OrderThere, RefundThere, RideThere, StateThere } from './platform-order.ts'
export {
  platformOf,
  platformsOf,
  servePlatform,
  type Ask,
  type AskKind,
  type AskedLine,
  type Facts,
  type Handed,
  type Parity,
  type Patch,
  type Platform,
  type RideKind,
  type Row,
  type SettledThere,
  type SyncFamily,
  type Together,
} from './platform.ts'
export { isLastReading, readingBegins, unlessHeard } from './snapshots.ts'
export {
  bringsThere,
  goodBehind,
  offeredThere,
  opensNow,
  presentPause,
  shopBehind,
  tellOpenAgain,
} from './platform-links.ts'
export { endHanded } from './sync.ts'
export { wakeSync } from './enqueue-sync.ts'
