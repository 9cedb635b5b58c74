import { hasBarcodeSql } from '#domains/catalogue/products/api.ts'
import { raw, sql, type Db } from '#kit/server/database/db.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import { extend } from '#kit/server/module/module.ts'
import { goodInfo } from '#domains/catalogue/products/index.ts'
import { queueTagsOfGoods } from '#domains/devices/shelf-labels/api.ts'
import { CAMPAIGN_STATE } from './dictionaries.ts'
import { discountConf } from './discount-conf.resource.ts'
import { discountTicket } from './discount-ticket.resource.ts'

/**
 * Updates the barcodes stored with campaigns and tickets when a product's barcode changes. Barcodes of removed products
 * stay: the same products of other shops are meant as well, and an empty list would mean all products.
 */
export const goodBarcodeExtension = extend(goodInfo, {
  afterSave: async (row, was, { db, services }) => {
    if (!was || was.upc === row.upc) return
    const campaigns = await syncCampaignBarcodes(db, discountConf, row.id)
    await syncCampaignBarcodes(db, discountTicket, row.id)
    if (!campaigns.some(({ status }) => status === CAMPAIGN_STATE.published)) return
    // Tags show campaigns, in all shops with products of the old or the new barcode.
    const touched = await db.query<{ id: string }>(
      sql`select id from good_info where tenant_id = ${db.tenantId} and ${hasBarcodeSql(sql`upc`, [was.upc, row.upc])}
        and is_deleted = 0 order by id`,
    )
    await queueTagsOfGoods(
      db,
      touched.map(({ id }) => id),
      services.now(),
    )
  },
})

/**
 * Recomputes the barcodes of the rows that name a product. Locks the rows first: the second statement then sees
 * concurrent changes to other products of the same row.
 */
async function syncCampaignBarcodes(
  db: Db,
  resource: typeof discountConf | typeof discountTicket,
  goodId: string,
): Promise<{ id: string; status: number | null }[]> {
  const isCampaign = resource.name === discountConf.name
  const table = raw(isCampaign ? 'discount_conf' : 'discount_ticket')
  const affected = await db.query<{ id: string; status: number | null }>(
    sql`select id, ${isCampaign ? sql`status` : sql`null::integer`} as status from ${table}
      where tenant_id = ${db.tenantId} and good_ids @> array[${goodId}::bigint] and is_deleted = 0
      order by id for no key update`,
  )
  if (!affected.length) return affected
  await db.run(
    sql`update ${table} c set update_time = now(), version = version + 1, upcs = array(select distinct g.upc
      from good_info g where g.tenant_id = c.tenant_id and g.id = any(c.good_ids) order by g.upc)
      where c.tenant_id = ${db.tenantId} and c.id = any(${affected.map(({ id }) => id)}::bigint[])`,
  )
  publishRowsChanged({ db }, resource, affected)
  return affected
}
