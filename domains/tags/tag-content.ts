import { createHash } from 'node:crypto'
import type { Db } from '#kit/server/database/db.ts'
import { defineSlot } from '#kit/server/slots.ts'

/** What tags say of a campaign, and whether they must say it before it counts. */
export type TagPromotion = { id: string; text: string }

/** The promotions goods of a shop are part of, by goods; filled by whoever knows campaigns. */
export const tagPromotions =
  defineSlot<(db: Db, shopId: string, goodIds: readonly string[], now: Date) => Promise<Map<string, TagPromotion[]>>>(
    'tagPromotions',
  )

/** Goods as a tag shows them; amounts in cents. */
export type TagContent = {
  name: string
  upc: string
  spec: string
  unit: string
  priceFen: number
  memberPriceFen: number | null
  promotion: string
  promotionIds: string[]
}

export type TagGood = {
  name: string
  upc: string
  spec: string | null
  unit: string | null
  salePrice: number | null
  vipPrice: number | null
}

export const contentOf = (good: TagGood, promotions: readonly TagPromotion[] = []): TagContent => ({
  name: good.name,
  upc: good.upc,
  spec: good.spec ?? '',
  unit: good.unit ?? '',
  priceFen: good.salePrice ?? 0,
  memberPriceFen: good.vipPrice,
  promotion: promotions.map(({ text }) => text).join(' '),
  promotionIds: promotions.map(({ id }) => id),
})

/** The same for the same picture: a tag whose hash stays costs no battery. */
export const hashOf = (template: string, content: TagContent): string =>
  createHash('sha256')
    .update(JSON.stringify([template, content]))
    .digest('hex')
    .slice(0, 16)
