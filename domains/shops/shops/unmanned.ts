import type { RowOf } from '#kit/resource/index.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { requireTransition } from '#kit/server/resource/transition.ts'
import { unmannedLog } from './unmanned-log.resource.ts'

type Unmanned = RowOf<typeof unmannedLog>

/** Starts an unattended period; returns the open one if there is one already. */
export async function startUnmanned(
  db: Db,
  period: { shopId: string; trigger: 'schedule' | 'staff' | 'remote'; userId?: string; at: Date },
): Promise<Unmanned> {
  await db.advisoryLock(`unmanned/${period.shopId}`)
  const open = await findOpenUnmannedPeriod(db, period.shopId)
  if (open) return open
  const row = await db.insert(unmannedLog, {
    shopId: period.shopId,
    status: 1,
    trigger: period.trigger,
    startUser: period.userId ?? null,
    startTime: formatShanghaiTime(period.at),
    orders: 0,
    amount: 0,
    openKey: 'open',
  })
  publishRowsChanged({ db }, unmannedLog, [row])
  return row
}

export const findOpenUnmannedPeriod = async (db: Db, shopId: string): Promise<Unmanned | undefined> =>
  (await db.find(unmannedLog, sql`r.shop_id = ${shopId} and r.open_key is not null`))[0]

/** Ends a period and adds up the sales paid in it. Does nothing when it has already ended. */
export async function endUnmanned(
  db: Db,
  id: string,
  { at, userId }: { at: Date; userId?: string },
): Promise<Unmanned> {
  const period = (await db.get(unmannedLog, id, 'forUpdate'))!
  if (!period.openKey) return period
  const endTime = formatShanghaiTime(at)
  const sold = await db.one<{ orders: number; amount: number }>(sql`
    select count(*)::int as orders, coalesce(sum(pay_amount), 0) as amount from shopping_order
    where tenant_id = ${db.tenantId} and shop_id = ${period.shopId} and status between 1 and 4
    and pay_time >= ${`${period.startTime}+08`}::timestamptz and pay_time < ${`${endTime}+08`}::timestamptz`)
  const end = { endTime, endUser: userId ?? null, openKey: null, ...sold }
  return requireTransition({ db }, unmannedLog, id, 'end', end)
}
