import { sql } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/refused.ts'
import { invalidField, serve } from '#kit/server/module.ts'
import { shanghaiText } from '#kit/server/time.ts'
import { expiringAt } from './expiring.ts'
import { newBatchNo } from './receive-goods.ts'
import { moveStock, OPEN_BATCH } from './stock.ts'
import { storageBatch } from './storage-batch.resource.ts'
import { storageLog } from './storage-log.resource.ts'

export const storageLogServer = serve(storageLog, {
  present: (wire, _rows, { lang }) => {
    for (const row of wire) if (row.batchNo === OPEN_BATCH) row.batchNo = storageBatch.fields.isOpen.label[lang]
  },
})

export const storageBatchServer = serve(storageBatch, {
  // What the home page counts as expiring can be listed.
  where: ({ query, services }) =>
    query.isExpiring === 'true' ? expiringAt(shanghaiText(services.now()).slice(0, 10)) : sql``,
  beforeSave: async (draft, was, call) => {
    if (was?.isOpen) throw new Refused('written_elsewhere', { label: storageBatch.label })
    const production = draft.productionDate === undefined ? was?.productionDate : draft.productionDate
    const expiry = draft.expiryDate === undefined ? was?.expiryDate : draft.expiryDate
    if (production && expiry && expiry < production)
      throw invalidField(storageBatch, 'expiryDate', 'too_small', { min: production })
    if (draft.batchNo === OPEN_BATCH) throw invalidField(storageBatch, 'batchNo', 'taken')
    if (draft.batchNo === null && was) delete draft.batchNo
    if (was) return
    // The goods first: stock is always locked goods before batches.
    const good = await call.db.one<{ shopId: string; upc: string; costPrice: number | null }>(
      sql`select shop_id, upc, cost_price from good_info where id = ${draft.goodId}
        and tenant_id = ${call.db.tenantId} and is_deleted = 0 for no key update`,
    )
    if (!good) throw invalidField(storageBatch, 'goodId', 'not_found')
    if (good.shopId !== draft.shopId) throw new Refused('good_of_other_shop')
    draft.batchNo ??= newBatchNo(call.services.now())
    draft.upc = good.upc
    draft.costPrice ??= good.costPrice
    draft.remaining = 0
    draft.isOpen = false
  },
  afterSave: async (row, was, call) => {
    if (was) return
    await moveStock(call.db, [{ goodId: row.goodId, change: row.quantity, into: row.id }], {
      type: 'in',
      refType: 'batch',
      refId: row.id,
      remark: row.remark,
    })
  },
})
