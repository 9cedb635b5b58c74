import type { RowOf } from '#kit/resource/index.ts'
import type { Db } from '#kit/server/database/db.ts'
import { defineSlot } from '#kit/server/base/slots.ts'
import type { deliveryInfo } from './delivery-info.resource.ts'

/** Called in the transaction that advances one of the shop's own deliveries. */
export const deliveryAdvancedSlot =
  defineSlot<(db: Db, delivery: RowOf<typeof deliveryInfo>) => Promise<void>>('deliveryTurned')
