import { createHash } from 'node:crypto'
import type { Db } from '#kit/server/database/db.ts'
import { truncateText } from '#kit/server/base/foreign-text.ts'
import { defineSlot } from '#kit/server/base/slots.ts'
import {
  builtInTagLayout,
  drawTagLines,
  DEFAULT_TAG_SIZE,
  type DrawnTag,
  type TagLine,
  type TagSize,
} from './tag-templates.ts'

/** A campaign's text on price tags. */
export type TagPromotion = { id: string; text: string }

/** Returns the promotions of goods, by goods id. Filled by the module that knows campaigns. */
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

/** Largest length in characters, more than the largest tag can show. */
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

/** How a tag's picture is drawn: the size, and a built-in template or one of the tenant's (`layout`). */
export type TagAppearance = {
  template: string
  size: TagSize
  layoutId: string | null
  layout: readonly TagLine[] | null
}

/** Returns a hash of the picture. A tag whose hash is unchanged is not updated, which saves its battery. */
export const hashTagPicture = ({ template, size, layout }: TagAppearance, content: TagContent): string =>
  createHash('sha256')
    .update(JSON.stringify([layout ?? template, content, ...(size === DEFAULT_TAG_SIZE ? [] : [size])]))
    .digest('hex')
    .slice(0, 16)

/** Draws the picture of a tag, in the form for providers and the browser. */
export const drawTagPicture = ({ template, size, layout }: TagAppearance, content: TagContent): DrawnTag => ({
  size,
  lines: drawTagLines(layout ?? builtInTagLayout(template), content, size),
})
