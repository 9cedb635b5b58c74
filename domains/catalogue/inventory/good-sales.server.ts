import { readBatch, sql } from '#kit/server/database/db.ts'
import { unitOfWorkOptionsForRead, visibleRowsSql } from '#kit/server/resource/list-of.ts'
import { defineRoute, type Call } from '#kit/server/module/module.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { goodInfoSalesCall } from './good-sales.calls.ts'
import { SALES_RATE_DAYS, computeSalesRate, withStock, type SalesRate } from './sales-rate.ts'
import { storageLogServer } from './storage.server.ts'

const DAYS = 30

type Day = { date: string; sold: number; received: number; lost: number; stock: number }
type Moved = Omit<Day, 'stock'> & { after: number | null; had: boolean; before: number | null }
type Sold = { total: number; days: Day[]; rate: Pick<SalesRate, 'perDay' | 'days'> }

/**
 * Returns what happened to a product on each of the last days: pieces sold less those refunded, received and lost, and
 * the closing stock. Also returns the sales rate, computed as everywhere (`computeSalesRate`).
 */
async function sales(call: Call<{ id: string; days: number | null }>): Promise<Sold> {
  const today = formatShanghaiTime(call.services.now()).slice(0, 10)
  const count = call.input.days ?? DAYS
  const since = sql`(${today}::date - ${Math.max(count, SALES_RATE_DAYS) - 1}::int)`
  const ledger = sql`${visibleRowsSql(storageLogServer, call)} and r.good_id = ${call.input.id}`
  const [rows] = await readBatch(call.services.pool, unitOfWorkOptionsForRead(call), [
    sql`
    with moved as (
      select r.create_time::date as day, -sum(r.change) filter (where r.type in ('sale', 'refund')) as sold,
      sum(r.change) filter (where r.type = 'in') as received,
        -sum(r.change) filter (where r.type = 'loss') as lost, (array_agg(r.after order by r.seq desc))[1] as after,
        bool_or(r.after > 0 or r.after - r.change > 0) as had
      ${ledger} and r.create_time >= ${since}::timestamptz group by 1
    )
    select d::date::text as date, coalesce(m.sold, 0)::int as sold, coalesce(m.received, 0)::int as received,
    coalesce(m.lost, 0)::int as lost, m.after, coalesce(m.had, false) as had,
    (select r.after ${ledger} and r.create_time < ${since}::timestamptz order by r.seq desc limit 1) as before
    from generate_series(${since}, ${today}::date, interval '1 day') d left join moved m on m.day = d::date order by d`,
  ])
  const all = withStock(rows as Moved[], (rows as Moved[])[0]?.before ?? null)
  const { perDay, days: stocked } = computeSalesRate(all.slice(-SALES_RATE_DAYS))
  const days = all.slice(-count).map(({ date, sold, received, lost, stock }) => ({ date, sold, received, lost, stock }))
  return { total: days.reduce((sum, day) => sum + day.sold, 0), days, rate: { perDay, days: stocked } }
}

export const goodSalesRoute = defineRoute(goodInfoSalesCall, {
  title: { zh: '近期销量', en: 'Recent sales' },
  can: 'goodInfo',
  tx: false,
  handle: sales,
})
