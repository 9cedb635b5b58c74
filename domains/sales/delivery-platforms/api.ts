/** Demo data of this module, loaded only when it is seeded. */
export const thirdpartyStory = () => import('./thirdparty.demo.ts')
/** What the stories of the two delivery platforms have in common. */
export { storyOnPlatform } from './on-platform.demo.ts'
export { accountOf, openedAccount, turnOf, type Account } from './accounts.ts'
export { resolveMissing, recordDifferences, type Difference } from './differences.ts'
export { requestPlatformAction, isRefundedByUs, partialRefundAction } from './actions.ts'
export { refundOnPlatform } from './platform-refund.ts'
export { applyPlatformOrder, fetchPlatformOrder } from './inbound.ts'
export type {
  PlatformOrderLine,
  PlatformOrder,
  PlatformRefund,
  PlatformDeliveryState,
  PlatformOrderState,
} from './platform-order.ts'
export {
  platformOf,
  platformsOf,
  registerPlatform,
  type PlatformAction,
  type PlatformActionKind,
  type ActionLine,
  type PlatformFields,
  type BatchItem,
  type Parity,
  type Patch,
  type Platform,
  type DeliveryStep,
  type Row,
  type PlatformSettlement,
  type SyncFamily,
  type BatchSync,
} from './platform.ts'
export { isLatestSnapshot, snapshotStartedAt, unlessChangedMeanwhile } from './snapshots.ts'
export {
  syncHooks,
  localProductOf,
  availableOnPlatform,
  shouldBeOpen,
  presentShop,
  localShopOf,
  shopAt,
  repushOpenState,
} from './platform-links.ts'
export { finishBatch } from './sync.ts'
export { enqueueSync } from './enqueue-sync.ts'
