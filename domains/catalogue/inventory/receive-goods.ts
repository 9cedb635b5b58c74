import { sql, type Db } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { newId } from '#kit/server/database/snowflake.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import type { StockMovementSource, StockMovementType } from './dictionaries.ts'
import { moveStock } from './stock.ts'
import { storageBatch } from './storage-batch.resource.ts'

/** Received pieces of one product; `costPrice` in cents a piece. A missing batch number is generated. */
export type StockReceiptLine = {
  goodId: string
  quantity: number
  costPrice?: number | null
  productionDate?: string | null
  expiryDate?: string | null
  supplierId?: string | null
  supplierOrderId?: string | null
  batchNo?: string | null
  remark?: string | null
}

export type StockReceipt = {
  shopId: string
  lines: readonly StockReceiptLine[]
  refType: StockMovementSource
  refId: string
  type?: StockMovementType
  remark?: string | null
}

/** Returns a batch number from the date and the end of a new id, for receipts without one. */
export const newBatchNo = (now: Date): string =>
  `B${formatShanghaiTime(now).slice(2, 10).replaceAll('-', '')}-${newId().slice(-8)}`

/**
 * Takes a receipt into stock, one new batch for each line. Returns the batch of each line. Refuses goods of another
 * shop, quantities below one and batch numbers the product already has.
 */
export async function receiveGoods(db: Db, receipt: StockReceipt): Promise<{ goodId: string; batchId: string }[]> {
  const { lines, shopId } = receipt
  const ids = [...new Set(lines.map((line) => line.goodId))]
  // The goods first: stock is always locked goods before batches, in the order of their ids.
  const goods = await db.query<{ id: string; shopId: string; upc: string; costPrice: number | null }>(
    sql`select id, shop_id, upc, cost_price from good_info
      where tenant_id = ${db.tenantId} and id = any(${ids}::bigint[]) and is_deleted = 0 order by id for no key update`,
  )
  if (goods.length !== ids.length) {
    const gone = await db.one<{ name: string }>(
      sql`select name from good_info where tenant_id = ${db.tenantId} and id = any(${ids}::bigint[]) and is_deleted = 1
        order by id limit 1`,
    )
    throw gone ? new Refused('good_removed', gone) : new Refused('stock_unknown_good')
  }
  if (goods.some((good) => good.shopId !== shopId)) throw new Refused('good_of_other_shop')
  const batches = []
  for (const { quantity, ...line } of lines) {
    if (!Number.isSafeInteger(quantity) || quantity < 1) throw new Refused('receipt_quantity')
    const good = goods.find((one) => one.id === line.goodId)!
    batches.push(
      await db.insert(storageBatch, {
        ...line,
        shopId,
        quantity,
        upc: good.upc,
        batchNo: line.batchNo ?? newBatchNo(new Date()),
        costPrice: line.costPrice ?? good.costPrice,
        remaining: 0,
        isOpen: false,
      }),
    )
  }
  await moveStock(
    db,
    batches.map((batch) => ({ goodId: batch.goodId, change: batch.quantity, into: batch.id })),
    { type: receipt.type ?? 'in', refType: receipt.refType, refId: receipt.refId, remark: receipt.remark },
  )
  return batches.map((batch) => ({ goodId: batch.goodId, batchId: batch.id }))
}
