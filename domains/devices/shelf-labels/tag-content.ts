import { createHash } from 'node:crypto'
import type { Db } from '#kit/server/database/db.ts'
import { truncateText } from '#kit/server/foreign-text.ts'
import { defineSlot } from '#kit/server/slots.ts'
import {
  builtInTagLayout,
  drawTagLines,
  DEFAULT_TAG_SIZE,
  type DrawnTag,
  type TagLine,
  type TagSize,
} from './tag-templates.ts'

/** What tags say of a campaign, and whether they must say it before it counts. */
export type TagPromotion = { id: string; text: string }

/** The promotions goods of a shop are part of, by goods; filled by whoever knows campaigns. */
export const tagPromotionsSlot =
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

/** More of what campaigns promise than the largest tag shows in its smallest writing. */
const PROMOTION_MAX = 120

export const createTagContent = (good: TagGood, promotions: readonly TagPromotion[] = []): TagContent => ({
  name: good.name,
  upc: good.upc,
  spec: good.spec ?? '',
  unit: good.unit ?? '',
  priceFen: good.salePrice ?? 0,
  memberPriceFen: good.vipPrice,
  promotion: shortened(promotions.map(({ text }) => text).join(' ')),
  promotionIds: promotions.map(({ id }) => id),
})

const shortened = (text: string): string =>
  text.length <= PROMOTION_MAX ? text : `${truncateText(text, PROMOTION_MAX - 1)}…`

/**
 * How a tag is to draw it: by a template that came with the product, or by one of the tenant's (`layout`), and on which
 * size.
 */
export type TagAppearance = {
  template: string
  size: TagSize
  layoutId: string | null
  layout: readonly TagLine[] | null
}

/** The same for the same picture: a tag whose hash stays costs no battery. */
export const hashTagPicture = ({ template, size, layout }: TagAppearance, content: TagContent): string =>
  createHash('sha256')
    .update(JSON.stringify([layout ?? template, content, ...(size === DEFAULT_TAG_SIZE ? [] : [size])]))
    .digest('hex')
    .slice(0, 16)

/** A picture as every way to a tag takes it. */
export const drawTagPicture = ({ template, size, layout }: TagAppearance, content: TagContent): DrawnTag => ({
  size,
  lines: drawTagLines(layout ?? builtInTagLayout(template), content, size),
})
