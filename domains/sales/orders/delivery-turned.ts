import type { RowOf } from '#kit/resource/index.ts'
import type { Db } from '#kit/server/database/db.ts'
import { defineSlot } from '#kit/server/slots.ts'
import type { deliveryInfo } from './delivery-info.resource.ts'

/** Told in the transaction in which somebody of a shop moves a delivery of its own on. */
export const deliveryAdvancedSlot =
  defineSlot<(db: Db, delivery: RowOf<typeof deliveryInfo>) => Promise<void>>('deliveryTurned')
