import { sql, type Db } from '#kit/server/database/db.ts'
import { SALES_RATE_DAYS, computeSalesRate, withStock, type SalesRate } from './sales-rate.ts'

const DAY_MS = 86_400_000
const dayBefore = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) - days * DAY_MS).toISOString().slice(0, 10)

type Moved = { goodId: string; before: number | null; day: string | null; sold: number; had: boolean; after: number }

/** Ledger values of a product that never moved. */
const UNMOVED = { sold: 0, had: false, after: null }

/**
 * Loads the sales rate of each of these products from the ledger up to `today`; 0 for products that never had stock.
 */
export async function loadSalesRates(
  db: Db,
  goodIds: readonly string[],
  today: string,
): Promise<ReadonlyMap<string, SalesRate>> {
  if (!goodIds.length) return new Map()
  const dates = Array.from({ length: SALES_RATE_DAYS }, (_, n) => dayBefore(today, SALES_RATE_DAYS - 1 - n))
  const since = sql`${dates[0]}::date::timestamptz`
  const rows = await db.query<Moved>(sql`select g.id::text as good_id, b.after as before, m.day::text as day,
      coalesce(m.sold, 0)::int as sold, coalesce(m.had, false) as had, m.after
    from unnest(${[...goodIds]}::bigint[]) g(id)
    left join lateral (select l.after, l.seq from storage_log l where l.tenant_id = ${db.tenantId} and l.good_id = g.id
      and l.create_time < ${since} order by l.seq desc limit 1) b on true
    left join lateral (select l.create_time::date as day, -sum(l.change) filter (where l.type in ('sale', 'refund'))
      as sold, bool_or(l.after > 0 or l.after - l.change > 0) as had,
      (array_agg(l.after order by l.seq desc))[1] as after
      from storage_log l where l.tenant_id = ${db.tenantId} and l.good_id = g.id and l.seq > coalesce(b.seq, -1)
      and l.create_time >= ${since} and l.create_time < (${today}::date + 1)::timestamptz group by 1) m on true
    order by g.id, m.day`)
  const rates = new Map<string, SalesRate>()
  for (const [goodId, moved] of Map.groupBy(rows, (row) => row.goodId)) {
    const byDay = new Map(moved.map((row) => [row.day, row]))
    const days = dates.map((date) => ({ ...(byDay.get(date) ?? UNMOVED), date }))
    rates.set(goodId, computeSalesRate(withStock(days, moved[0]!.before)))
  }
  return rates
}
