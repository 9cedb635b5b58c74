import { basicShopInfo, wxUser } from '#domains/shops/index.ts'
import { isOnline } from '#domains/shops/doors.ts'
import { refunds, shoppingOrder } from '#domains/orders/index.ts'
import { formatDecimal } from '#kit/fields/field-kind.ts'
import type { Resource } from '#kit/resource/index.ts'
import { may } from '#kit/server/caller.ts'
import { dataScope } from '#kit/server/data-scope.ts'
import { readTogether, sql, type Sql } from '#kit/server/db.ts'
import { boundOf } from '#kit/server/list-of.ts'
import { route, type Call } from '#kit/server/room.ts'
import { alive, tableOf } from '#kit/server/rows.ts'
import { shanghaiText } from '#kit/server/time.ts'
import { needsOf, waitingOf, type WaitingRow } from './needs.ts'

const DAY_MS = 86_400_000

type DayFigures = { sales: number; orders: number; customers: number; refunds: number; refundCount: number }
const none: DayFigures = { sales: 0, orders: 0, customers: 0, refunds: 0, refundCount: 0 }

/** `from … where …` of what the caller may see of a resource, alias `r`; nothing at all without its permission. */
function seen(call: Call, resource: Resource<any, any>): Sql {
  const ofTenant = call.caller.isPlatform ? sql`` : sql` and r.tenant_id = ${call.caller.tenantId}`
  const allowed = may(call.caller, resource.code) ? sql`` : sql` and false`
  return sql`from ${tableOf(resource)} r where true${ofTenant}${alive(resource)}${dataScope(resource, call.caller)}${allowed}`
}

const dayOf = (now: Date, back: number) => shanghaiText(new Date(now.getTime() - back * DAY_MS)).slice(0, 10)
const yuan = (cents: number) => formatDecimal(cents, 2)

/** Days compared: today, yesterday and the same weekday last week, those two up to the same time of day and whole. */
function daysOf(now: Date) {
  return { today: dayOf(now, 0), yesterday: dayOf(now, 1), lastWeek: dayOf(now, 7), time: shanghaiText(now).slice(11) }
}

type SalesRow = { day: string; shopId: string; isSoFar: boolean; sales: number; orders: number; customers: number }
type RefundRow = { day: string; shopId: string; isSoFar: boolean; refunds: number; refundCount: number }

/** No sale is written before it is made: lets the platform's reading of all tenants use the index of the list. */
const written = (days: { lastWeek: string }) =>
  sql`r.create_time >= ${days.lastWeek}::date::timestamptz - interval '1 hour'`

function statements(call: Call, days: ReturnType<typeof daysOf>): Sql[] {
  const inDays = (
    column: Sql,
  ) => sql`((${column} >= ${days.yesterday}::date::timestamptz and ${column} < ${days.today}::date::timestamptz + interval '1 day')
    or (${column} >= ${days.lastWeek}::date::timestamptz and ${column} < ${days.lastWeek}::date::timestamptz + interval '1 day'))`
  const soFar = (column: Sql) => sql`(${column}::time <= ${days.time}::time)`
  return [
    sql`select r.pay_time::date::text as day, r.shop_id, ${soFar(sql`r.pay_time`)} as is_so_far, sum(r.pay_amount)::float8 as sales, count(*)::int as orders,
      (count(distinct r.wx_user_id) + count(*) filter (where r.wx_user_id is null))::int as customers
      ${seen(call, shoppingOrder)} and ${inDays(sql`r.pay_time`)} and ${written(days)} and r.status in (1, 2, 3, 4) group by 1, 2, 3`,
    sql`select r.finish_time::date::text as day, r.shop_id, ${soFar(sql`r.finish_time`)} as is_so_far, sum(r.amount)::float8 as refunds, count(*)::int as refund_count
      ${seen(call, refunds)} and ${inDays(sql`r.finish_time`)} and r.status = 3 group by 1, 2, 3`,
    sql`select r.id, r.shop_name, r.shop_code, r.status, r.last_seen_time ${seen(call, basicShopInfo)} and r.status <> 3 order by r.shop_code, r.id limit 500`,
    sql`select count(*)::int as n from (select 1 ${seen(call, wxUser)} and r.create_time >= ${days.today}::date::timestamptz limit 10001) c`,
  ]
}

function figuresOf(
  sales: SalesRow[],
  refunded: RefundRow[],
  keep: (row: { day: string; shopId: string; isSoFar: boolean }) => boolean,
): DayFigures {
  const out = { ...none }
  for (const row of sales) {
    if (!keep(row)) continue
    out.sales += row.sales
    out.orders += row.orders
    out.customers += row.customers
  }
  for (const row of refunded) {
    if (!keep(row)) continue
    out.refunds += row.refunds
    out.refundCount += row.refundCount
  }
  return out
}

const wire = (figures: DayFigures) => ({ ...figures, sales: yuan(figures.sales), refunds: yuan(figures.refunds) })

/** The home page's first figures, within what the caller may see, in one round trip to the database. */
async function today(call: Call): Promise<Record<string, unknown>> {
  const now = call.services.now()
  const days = daysOf(now)
  const needs = needsOf(call)
  const found = await readTogether(call.services.pool, boundOf(call), [...statements(call, days), ...needs.map((one) => one.statement)])
  const [sales, refunded, shops, newcomers] = found as [
    SalesRow[],
    RefundRow[],
    { id: string; shopName: string; shopCode: string; status: number; lastSeenTime: string | null }[],
    { n: number }[],
  ]
  const waiting = found.slice(4) as WaitingRow[][]
  const day = (wanted: string, shopId?: string, soFar = false) =>
    figuresOf(sales, refunded, (row) => row.day === wanted && (!shopId || row.shopId === shopId) && (!soFar || row.isSoFar))
  return {
    date: days.today,
    time: days.time,
    today: wire(day(days.today)),
    yesterday: wire(day(days.yesterday)),
    yesterdaySoFar: wire(day(days.yesterday, undefined, true)),
    lastWeek: wire(day(days.lastWeek)),
    lastWeekSoFar: wire(day(days.lastWeek, undefined, true)),
    newCustomers: newcomers[0]?.n ?? 0,
    needs: waitingOf(call, needs, waiting),
    shops: shops.map(({ lastSeenTime, ...shop }) => ({
      ...shop,
      lastSeenTime: lastSeenTime ?? '',
      online: isOnline(lastSeenTime, now),
      today: wire(day(days.today, shop.id)),
      yesterdaySoFar: wire(day(days.yesterday, shop.id, true)),
      needs: waitingOf(call, needs, waiting, shop.id),
    })),
  }
}

export const homeRoute = route({
  method: 'GET',
  path: '/api/shop/home/today',
  title: { zh: '今日概况', en: 'Today at a glance' },
  tx: false,
  can: {
    signedIn:
      'everybody has a home page; each figure needs the permission of the rows it counts and stays within the caller’s shops',
  },
  handle: today,
})
