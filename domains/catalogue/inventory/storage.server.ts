import type { PatchOf, RowOf } from '#kit/resource/index.ts'
import { sql } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { invalidFieldRefusal, serve, type Call } from '#kit/server/module/module.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { expiringBatchesSql } from './expiring.ts'
import { newBatchNo } from './receive-goods.ts'
import { moveStock, OPEN_BATCH_NO } from './stock.ts'
import { storageBatch } from './storage-batch.resource.ts'
import { storageLog } from './storage-log.resource.ts'

export const storageLogServer = serve(storageLog, {
  present: (wire, _rows, { lang }) => {
    for (const row of wire) if (row.batchNo === OPEN_BATCH_NO) row.batchNo = storageBatch.fields.isOpen.label[lang]
  },
})

type Batch = RowOf<typeof storageBatch>
type BatchDraft = PatchOf<typeof storageBatch>

/** Refuses an expiry date before the production date. */
function requireExpiryAfterProduction(draft: BatchDraft, was: Batch | undefined): void {
  const production = draft.productionDate === undefined ? was?.productionDate : draft.productionDate
  const expiry = draft.expiryDate === undefined ? was?.expiryDate : draft.expiryDate
  if (production && expiry && expiry < production)
    throw invalidFieldRefusal(storageBatch, 'expiryDate', 'too_small', { min: production })
}

/** Fills a new batch with barcode and cost of its product, and locks the product: always before its batches. */
async function fillFromGoods(draft: BatchDraft, { db, services }: Call): Promise<void> {
  const good = await db.one<{ shopId: string; upc: string; costPrice: number | null }>(
    sql`select shop_id, upc, cost_price from good_info where id = ${draft.goodId}
      and tenant_id = ${db.tenantId} and is_deleted = 0 for no key update`,
  )
  if (!good) throw invalidFieldRefusal(storageBatch, 'goodId', 'not_found')
  if (good.shopId !== draft.shopId) throw new Refused('good_of_other_shop')
  draft.batchNo ??= newBatchNo(services.now())
  draft.upc = good.upc
  draft.costPrice ??= good.costPrice
  draft.remaining = 0
  draft.isOpen = false
}

export const storageBatchServer = serve(storageBatch, {
  // Lists the batches that the home page counts as expiring.
  where: ({ query, services }) =>
    query.isExpiring === 'true' ? expiringBatchesSql(formatShanghaiTime(services.now()).slice(0, 10)) : sql``,
  beforeSave: async (draft, was, call) => {
    if (was?.isOpen) throw new Refused('written_elsewhere', { label: storageBatch.label })
    requireExpiryAfterProduction(draft, was)
    if (draft.batchNo === OPEN_BATCH_NO) throw invalidFieldRefusal(storageBatch, 'batchNo', 'taken')
    if (draft.batchNo === null && was) delete draft.batchNo
    if (!was) await fillFromGoods(draft, call)
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
