import { sql } from '#kit/server/database/db.ts'
import { extend } from '#kit/server/module/module.ts'
import { goodInfo } from '#domains/catalogue/products/index.ts'
import { queueTagsOfGoods } from './queue-tags.ts'
import { PRICE_TAG_STATE } from './dictionaries.ts'

/** The fields of goods that tags show. */
const SHOWN = ['salePrice', 'vipPrice', 'name', 'spec', 'unit', 'upc'] as const

/** Updates the tags when their goods change. */
export const goodTagsExtension = extend(goodInfo, {
  afterSave: async (row, was, { db, services }) => {
    if (was && SHOWN.some((key) => was[key] !== row[key])) await queueTagsOfGoods(db, [row.id], services.now())
  },
  // Unbinds the tags of removed goods.
  afterRemove: async (rows, { db }) => {
    await db.run(
      sql`update price_tag set status = ${PRICE_TAG_STATE.unbound}, good_id = null, upc = null, wanted_price = null,
        wanted_time = null, next_time = null, update_time = now(), version = version + 1
        where tenant_id = ${db.tenantId} and good_id = any(${rows.map((row) => row.id)}::bigint[]) and is_deleted = 0`,
    )
  },
})
