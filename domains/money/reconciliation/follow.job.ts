import { VendorError } from '#domains/platform/external-apis/api.ts'
import { preparePlatformOrderUpdate, platformOf, shopAt } from '#domains/sales/delivery-platforms/api.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { defineModuleJob } from '#kit/server/module/module.ts'
import type { Services } from '#kit/server/module/services.ts'
import { defineSystemText } from '#kit/server/base/system-words.ts'
import { defineQueue } from '#kit/server/jobs/index.ts'
import { transition } from '#kit/server/resource/transition.ts'
import { enqueueComparison } from './compare.job.ts'
import { OPEN_DIFFERENCE_STATES } from './dictionaries.ts'
import { reconciliationDifference } from './reconciliation-difference.resource.ts'

const rereadPlatformOrderQueue = defineQueue<{ id: string }>('tally.follow')

const PLATFORM_SHOP_UNAVAILABLE = defineSystemText({
  zh: '平台的门店或账号现在不可用，没有读到订单',
  en: 'The platform store or account is unavailable. The order was not read.',
})

/** Queues reading the order of a difference from its platform, with the commit. */
export const enqueueOrderReread = (db: Db, id: string): Promise<void> =>
  db.enqueue(rereadPlatformOrderQueue, { id }, { key: id })

/** Returns the order of a difference with its platform and shop; undefined if the difference has been settled. */
const orderOf = (services: Services, tenantId: string, id: string) =>
  services.unit({ tenantId }, async (db) => {
    const row = await db.get(reconciliationDifference, id)
    if (!row || !OPEN_DIFFERENCE_STATES.includes(row.state as 'open')) return undefined
    const platform = platformOf(services, row.side!)
    const day = await db.one<{ accountNo: string }>(
      sql`select account_no from tally_day where tenant_id = ${tenantId} and id = ${row.dayId}`,
    )
    const shop = platform && day && (await shopAt(db, platform, day.accountNo))
    return { orderNo: row.transactionNo!, dayId: row.dayId!, platform, shop }
  })

/** Reopens a difference whose order could not be read, with the reason. */
async function openAgain(db: Db, id: string, why: string): Promise<void> {
  await transition(db, reconciliationDifference, id, 'reopen', { remark: why.slice(0, 300) }, { from: ['asked'] })
}

/** Reads an order again from its platform, then compares the day again. Can be repeated. */
export const rereadPlatformOrderJob = defineModuleJob({
  queue: rereadPlatformOrderQueue,
  concurrency: 2,
  timeoutSeconds: 60,
  backoffSeconds: (attempt) => Math.min(15 * 2 ** attempt, 600),
  run: async ({ id }, { tenantId, services }) => {
    const order = await orderOf(services, tenantId, id)
    if (!order) return
    const { platform, shop, orderNo, dayId } = order
    const within = (work: (db: Db) => Promise<void>) => services.unit({ tenantId }, work)
    try {
      const follow = platform && shop && (await preparePlatformOrderUpdate(services, platform, shop, orderNo))
      if (!follow) return await within((db) => openAgain(db, id, PLATFORM_SHOP_UNAVAILABLE))
      await within(async (db) => {
        await follow(db)
        await enqueueComparison(services, db, dayId, false)
      })
    } catch (error) {
      if (!(error instanceof VendorError) || !error.isUndone || error.isRetryable) throw error
      await within((db) => openAgain(db, id, `${error.message} (${error.code})`))
    }
  },
})
