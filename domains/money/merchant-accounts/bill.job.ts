import { sql } from '#kit/server/database/db.ts'
import { defineQueue } from '#kit/server/jobs/index.ts'
import { defineModuleJob } from '#kit/server/module/module.ts'
import type { Services } from '#kit/server/module/services.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { makeBill, billPeriodOf, type BillPeriod } from './make-bill.ts'

const DAY_MS = 86_400_000
/** Days whose unchecked bills are remade every night: registers that were offline deliver sales late. */
const LOOK_BACK = 3

async function makeAll(services: Services, periods: readonly BillPeriod[]): Promise<void> {
  const merchants = await services.unit({ crossTenantReason: 'bills of all merchants are made at night' }, (db) =>
    db.query<{ id: string; tenantId: string }>(
      // Also stopped and removed merchants, for what they sold before. Merchants without activity get no bill.
      sql`select id, tenant_id from merchant_info order by tenant_id, id`,
    ),
  )
  for (const { id, tenantId } of merchants)
    for (const period of periods) await services.unit({ tenantId }, (db) => makeBill(db, id, period, 'kept'))
}

const dayBefore = (now: Date, days: number) => formatShanghaiTime(new Date(now.getTime() - days * DAY_MS)).slice(0, 10)

/** Makes yesterday's bills and remakes those of the two days before, which late sales may have changed. */
export const makeDailyBillsJob = defineModuleJob({
  queue: defineQueue('bill.daily'),
  cron: '10 3 * * *',
  timeoutSeconds: 1800,
  run: (_payload, { services }) =>
    makeAll(
      services,
      Array.from({ length: LOOK_BACK }, (_none, n) => billPeriodOf('day', dayBefore(services.now(), LOOK_BACK - n))),
    ),
})

/**
 * Makes the bills of last month on the first three days of a month, so that late sales of its last day are included.
 */
export const makeMonthlyBillsJob = defineModuleJob({
  queue: defineQueue('bill.monthly'),
  cron: '40 3 1-3 * *',
  timeoutSeconds: 3600,
  run: (_payload, { services }) => {
    const today = formatShanghaiTime(services.now()).slice(0, 10)
    return makeAll(services, [billPeriodOf('month', dayBefore(new Date(`${today.slice(0, 7)}-01T04:00:00Z`), 1))])
  },
})
