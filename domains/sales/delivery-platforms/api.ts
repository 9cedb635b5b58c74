export const importDeliveryPlatformsDemo = () => import('./thirdparty.demo.ts')
/** Writes the demo data that both delivery platforms share. */
export { seedPlatformDemo as seedPlatformStory } from './on-platform.demo.ts'
export {
  findPlatformAccount,
  decryptPlatformAccount,
  waitForPlatformRateLimit,
  type PlatformAccount,
} from './accounts.ts'
export { resolveDifferencesNotFound, recordDifferences, type PlatformDifference } from './differences.ts'
export { requestPlatformAction, isPartialRefundDone, createPartialRefundAction } from './actions.ts'
export { refundOnPlatform } from './platform-refund.ts'
export { applyPlatformOrder, preparePlatformOrderUpdate } from './inbound.ts'
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
  type PlatformActionLine,
  type PlatformFields,
  type BatchItem,
  type ListingParitySql,
  type PlatformRowPatch,
  type Platform,
  type DeliveryStep,
  type PlatformRow,
  type PlatformSettlement,
  type SyncedResource as SyncFamily,
  type BatchSync,
} from './platform.ts'
export { claimLatestSnapshot, readSnapshotStartTime, patchUnchangedFields } from './snapshots.ts'
export {
  createPlatformSyncHooks,
  findLocalProduct,
  computePlatformStock,
  shouldBeOpen,
  presentShop,
  lockLocalShop,
  shopAt,
  repushOpenState,
} from './platform-links.ts'
export { finishBatch } from './sync.ts'
export { enqueueSync } from './enqueue-sync.ts'
