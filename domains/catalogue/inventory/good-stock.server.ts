import { sql } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { extend, invalidFieldRefusal } from '#kit/server/module/module.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import type { RowOf } from '#kit/resource/index.ts'
import { resolveEvents } from '#domains/shops/shop-events/api.ts'
import { goodInfo, isLowStock } from '#domains/catalogue/products/index.ts'
import { TRANSFER_STATE } from './dictionaries.ts'
import { moveStock } from './stock.ts'
import { checkLowStock } from './stock-alerts.ts'

type Goods = RowOf<typeof goodInfo>

const watched = (row: Goods) => ({
  id: row.id,
  shopId: row.shopId,
  name: row.name,
  stock: row.stock ?? 0,
  lowStock: row.lowStock,
})

/** Moves the refusal of a batch to the form field that caused it: the quantity or the batch. */
const atField = (quantity: string) => (error: unknown) => {
  const code = error instanceof Refused ? error.code : undefined
  const field = code === 'batch_too_small' ? quantity : code === 'batch_of_other_good' ? 'batchId' : undefined
  throw field ? new Refused((error as Refused).code, (error as Refused).params, { field }) : error
}

/**
 * Adds stock to products: low-stock events, a refusal to remove goods in transfer, and the actions that correct, count
 * and write off stock.
 */
export const goodStockExtension = extend(goodInfo, {
  afterSave: async (row, was, { db }) => {
    if (was)
      await checkLowStock(db, [
        { good: watched(row), wasLow: isLowStock(was.stock ?? 0, was.lowStock), before: was.stock ?? 0 },
      ])
  },
  // Removing the product resolved its event, so it is raised again.
  afterRestore: (row, { db }) => checkLowStock(db, [{ good: watched(row), wasLow: false, before: row.stock ?? 0 }]),
  // Goods in transfer may come back to their shop, so they cannot be removed.
  beforeRemove: async (rows, { db }) => {
    for (const { id, name } of rows) {
      const moving = await db.one<{ transferNo: string }>(
        sql`select transfer_no from stock_transfer where tenant_id = ${db.tenantId}
          and status = ${TRANSFER_STATE.onTheWay}
          and lines @> ${JSON.stringify([{ goodId: id }])}::jsonb limit 1`,
      )
      if (moving) throw new Refused('good_on_way', { name, transferNo: moving.transferNo })
    }
  },
  afterRemove: async (rows, { db }) => {
    for (const row of rows) await resolveEvents(db, { shopId: row.shopId, type: 'lowStock', goodId: row.id })
  },
  actions: {
    correct: async (row, input, call) => {
      const change = input.change
      const batches = input.batchId ? [{ batchId: input.batchId, quantity: Math.abs(change) }] : undefined
      if (!batches && -change > (row.stock ?? 0))
        throw invalidFieldRefusal({ fields: goodInfo.actions.correct.input }, 'change', 'too_small', {
          min: -Math.max(row.stock ?? 0, 0),
        })
      await call.services.labels.ready(call.db.tenantId)
      const reason = call.services.labels.dict(
        call.db.tenantId,
        goodInfo.actions.correct.input.reason,
        input.reason,
        'zh',
      )
      await moveStock(call.db, [{ goodId: row.id, change, batches }], {
        type: 'correct',
        refType: 'goods',
        refId: row.id,
        remark: [reason, input.remark].filter(Boolean).join('：').slice(0, 200),
      }).catch(atField('change'))
      publishRowsChanged(call, goodInfo, [row])
      return { id: row.id, stock: (row.stock ?? 0) + change }
    },
    stocktake: async (row, input, call) => {
      const change = input.counted - (row.stock ?? 0)
      // Missing goods leave the batches first expired first; surplus has no receipt and goes to the open batch.
      await moveStock(call.db, [{ goodId: row.id, change }], {
        type: 'stocktake',
        refType: 'goods',
        refId: row.id,
        remark: input.remark,
      })
      publishRowsChanged(call, goodInfo, [row])
      return { id: row.id, stock: input.counted, change }
    },
    loss: async (row, input, call) => {
      const batches = input.batchId ? [{ batchId: input.batchId, quantity: input.quantity }] : undefined
      if (!batches && input.quantity > (row.stock ?? 0))
        throw invalidFieldRefusal(
          { fields: { quantity: goodInfo.actions.loss.input.quantity } },
          'quantity',
          'too_large',
          {
            max: Math.max(row.stock ?? 0, 0),
          },
        )
      await moveStock(call.db, [{ goodId: row.id, change: -input.quantity, batches }], {
        type: 'loss',
        refType: 'goods',
        refId: row.id,
        remark: input.remark,
      }).catch(atField('quantity'))
      publishRowsChanged(call, goodInfo, [row])
      return { id: row.id, stock: (row.stock ?? 0) - input.quantity }
    },
  },
})
