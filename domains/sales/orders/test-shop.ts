import './refusals.ts'
import { createPool, systemActor, unitOfWork, type Db } from '#kit/server/database/db.ts'
import { createJobWorker, type JobContext } from '#kit/server/jobs/index.ts'
import type { ModuleJob } from '#kit/server/module/module.ts'
import type { Services } from '#kit/server/module/services.ts'
import { createSharedStore } from '#kit/server/shared/index.ts'
import { createSlots } from '#kit/server/base/slots.ts'
import { testDatabase } from '#tests/support/database.ts'
import { goodInfo } from '#domains/catalogue/products/index.ts'
import { storageBatch } from '#domains/catalogue/inventory/index.ts'
import { moveStock } from '#domains/catalogue/inventory/api.ts'
import { basicShopInfo } from '#domains/shops/shops/index.ts'
import { wxUser } from '#domains/sales/customers/index.ts'
import { changeCustomerAccount } from '#domains/sales/customers/api.ts'
import { expireOrderJob, cancelDeliveryJob } from './close-order.ts'
import { paymentPortSlot, type PaymentPort } from '#domains/money/payment-channels/api.ts'
import { sendRefundJob } from './refund.job.ts'

export const tenantId = '100001'

/** A shop in its own database without the HTTP server, to test money and stock under parallel callers. */
export async function testShop(channel?: PaymentPort) {
  const database = await testDatabase()
  const pool = createPool(database.url, { max: 24 })
  const systemPool = createPool(database.url, { max: 4, role: 'store_platform' })
  const unit = <T>(work: (db: Db) => Promise<T>) => unitOfWork(pool, { tenantId }, systemActor, work)
  const slots = () => {
    const made = createSlots()
    if (channel) made.fill(paymentPortSlot, channel)
    return made
  }

  const services = {
    now: () => new Date(),
    slots: slots(),
    shared: createSharedStore(systemPool),
    logs: { operation: () => {}, error: () => {}, request: () => {} } as Services['logs'],
    pool,
    unit: (bound, work) => unitOfWork(pool, bound, systemActor, work),
  } as Partial<Services> as Services
  const withServices = (job: ModuleJob) => ({
    ...job,
    run: (payload: unknown, context: JobContext) => job.run(payload, { ...context, services }),
  })
  const jobs = createJobWorker({
    pool: systemPool,
    jobs: [sendRefundJob, expireOrderJob, cancelDeliveryJob].map(withServices),
  })
  const shop = await unit((db) => db.insert(basicShopInfo, { shopName: '西溪店', shopCode: 'T1', status: 1 }))
  let made = 0

  return {
    pool,
    unit,
    services,
    shop,
    databaseUrl: database.url,
    /** Runs background jobs until none is left. */
    runJobs: () => jobs.runDue(),
    good: (draft: { salePrice?: number; stock?: number; costPrice?: number } = {}) =>
      unit(async (db) => {
        const n = ++made
        const good = await db.insert(goodInfo, {
          shopId: shop.id,
          upc: `G${1000 + n}`,
          name: `商品${n}`,
          salePrice: draft.salePrice ?? 500,
          costPrice: draft.costPrice ?? 300,
          stock: 0,
          stockSeq: 0,
          lowStock: 0,
          onSale: true,
        })
        if (draft.stock) await receive(db, shop.id, good, draft.stock, '2030-01-01')
        return good
      }),
    receive: (good: { id: string; upc: string | null }, quantity: number, expiryDate: string | null) =>
      unit((db) => receive(db, shop.id, good, quantity, expiryDate)),
    customer: (balance: number) =>
      unit(async (db) => {
        const customer = await db.insert(wxUser, { nickname: '王小明', phone: '13800000000', balance: 0, integral: 0 })
        if (balance)
          await changeCustomerAccount(db, 'balance', {
            wxUserId: customer.id,
            change: balance,
            type: 'recharge',
            refType: 'recharge',
            refId: customer.id,
          })
        return customer
      }),
    close: async () => {
      await jobs.stop(0)
      await pool.end()
      await systemPool.end()
      await database.drop()
    },
  }
}

export type TestShop = Awaited<ReturnType<typeof testShop>>

let batches = 0
async function receive(
  db: Db,
  shopId: string,
  good: { id: string; upc: string | null },
  quantity: number,
  expiryDate: string | null,
) {
  const batch = await db.insert(storageBatch, {
    batchNo: `B${++batches}`,
    shopId,
    goodId: good.id,
    upc: good.upc,
    quantity,
    remaining: 0,
    expiryDate,
    costPrice: 300,
    isOpen: false,
  })
  await moveStock(db, [{ goodId: good.id, change: quantity, into: batch.id }], {
    type: 'in',
    refType: 'batch',
    refId: batch.id,
  })
  return batch
}
