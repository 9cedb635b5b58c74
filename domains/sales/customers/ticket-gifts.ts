import type { Db } from '#kit/server/database/db.ts'

export type CouponGift = { ticketId: string; wxUserId: string; refType: string; refId: string }
type Giver = {
  give: (db: Db, gift: CouponGift & { at: string }) => Promise<void>
  takeBack: (db: Db, gift: CouponGift) => Promise<void>
}

let giver: Giver | undefined
const needed = (): Giver => {
  if (!giver) throw new Error('nobody hands out tickets')
  return giver
}

/**
 * Registers the functions that give tickets and take them back. The tickets' module depends on this one, so it
 * registers them at load.
 */
export const registerCouponGiver = (by: Giver): void => void (giver = by)

export const couponGiver: Giver = {
  give: (db, gift) => needed().give(db, gift),
  takeBack: (db, gift) => needed().takeBack(db, gift),
}
