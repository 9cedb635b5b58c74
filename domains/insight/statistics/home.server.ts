import { notPracticeTenantSql } from '#domains/platform/system/api.ts'
import { formatYuan } from '#kit/fields/money/cents.ts'
import { basicShopInfo } from '#domains/shops/shops/index.ts'
import { isOnline } from '#domains/shops/shops/api.ts'
import { shoppingOrder } from '#domains/sales/orders/index.ts'
import { hasPermission, type Caller } from '#kit/server/base/caller.ts'
import { empty, readBatch, sql, type Sql } from '#kit/server/database/db.ts'
import { visibleFields } from '#kit/server/database/data-scope.ts'
import { unitOfWorkOptionsForRead } from '#kit/server/resource/list-of.ts'
import { defineRoute, type Call } from '#kit/server/module/module.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import {
  identifiedCustomersByGroupSql,
  identifiedCustomersSql,
  parseShopIdsFilter,
  rollupSumsByGroupSql,
} from './figures.ts'
import { buildTodoCountQueries, summarizeWaitingTodos, loadTodoLines, type TodoCountRow } from './needs.ts'
import { addDays, shiftPeriodBack, wholeDayPeriod, type StatisticsPeriod } from './period.ts'
import { salesRollup } from './rollups.ts'
import { EMPTY_SALES_SUMS, statisticsInputFields, type SalesSums } from './statistics.server.ts'
import { fromVisibleRowsSql } from './storage.ts'

const SHOPS_MAX = 500
const TENANTS_MAX = 50
const TENANT_DAYS = 7
const DAY_MS = 86_400_000
const DAYS = ['today', 'yesterday', 'yesterdaySoFar', 'lastWeek', 'lastWeekSoFar'] as const
type Day = (typeof DAYS)[number]
type ShopSums = SalesSums & { shopId: string }
type ShopRow = {
  id: string
  shopName: string
  shopCode: string
  status: number
  lastSeenTime: string | null
  longitude: number | null
  latitude: number | null
}
type TenantRow = {
  id: string
  tenantId: string
  tenantName: string
  expireTime: string | null
  shops: number
  online: number
  urgent: number
  sales: number
  orders: number
  total: number
}
type TenantDay = { tenantId: string; day: string; sales: number }

/** Kind of home page: for the platform, a chain, a boss of some shops, or a clerk. */
type HomeRole = 'platform' | 'tenant' | 'boss' | 'clerk'

/** Returns the kind of home page. Among people limited to shops the role decides between boss and clerk. */
export function resolveHomeRole({
  isPlatform,
  limits,
  roleAliases,
}: Pick<Caller, 'isPlatform' | 'limits' | 'roleAliases'>): HomeRole {
  if (isPlatform) return 'platform'
  if (!limits.shop) return 'tenant'
  return roleAliases.includes('boss') ? 'boss' : 'clerk'
}

/** Shortcuts the caller may use. */
const shortcutsOf = ({ caller, services, lang }: Call) =>
  services.registry.modules
    .flatMap((module) => module.shortcuts ?? [])
    .filter(({ can }) => hasPermission(caller, can))
    .sort((a, b) => a.sort - b.sort)
    .map(({ key, label, icon, path }) => ({ key, label: label[lang], icon, path }))

/** Periods compared: today, and yesterday and last week's same weekday, each whole and up to the same time. */
function daysOf(now: Date): Record<Day, StatisticsPeriod> {
  const today = formatShanghaiTime(now).slice(0, 10)
  const soFar = (back: number) => shiftPeriodBack(wholeDayPeriod(today), back * DAY_MS, now.getTime())
  return {
    today: wholeDayPeriod(today),
    yesterday: wholeDayPeriod(addDays(today, -1)),
    yesterdaySoFar: soFar(1),
    lastWeek: wholeDayPeriod(addDays(today, -7)),
    lastWeekSoFar: soFar(7),
  }
}

const added = (rows: readonly SalesSums[]): SalesSums => {
  const out = { ...EMPTY_SALES_SUMS }
  for (const row of rows) for (const key of Object.keys(out) as (keyof SalesSums)[]) out[key] += row[key]
  return out
}

const wire = (sums: SalesSums) => ({
  sales: formatYuan(sums.sales),
  orders: sums.orders,
  refunds: formatYuan(sums.refunds),
  refundCount: sums.refundCount,
})

/** Statements for the platform only: tenants by today's sales, and failed or late background jobs. */
const platformStatements = (today: StatisticsPeriod, now: Date): Sql[] => [
  sql`select t.id, t.tenant_id, t.tenant_name, t.expire_time, count(*) over ()::int as total, coalesce(s.shops,
    0)::int as shops, coalesce(s.online, 0)::int as online, coalesce(e.urgent, 0)::int as urgent, coalesce(d.sales,
    0) as sales, coalesce(d.orders, 0)::int as orders
    from tenant t left join (select tenant_id, count(*) as urgent from shop_event where level = 3 and status in (0, 1)
    group by 1) e on e.tenant_id = t.tenant_id
     left join (select tenant_id, count(*) as shops, count(*)
     filter (where last_seen_time > ${new Date(now.getTime() - 180_000).toISOString()}::timestamptz) as online
     from basic_shop_info where is_deleted = 0 and status = 1 group by 1) s on s.tenant_id = t.tenant_id
    left join (select tenant_id, sum(sales) as sales, sum(orders) as orders from (
      select tenant_id, sales, orders from sales_by_day where at = ${new Date(today.from).toISOString()}
      union all select tenant_id, sales, orders from sales_delta where at >= ${new Date(today.from).toISOString()}
      and at < ${new Date(today.to).toISOString()}) x group by 1) d on d.tenant_id = t.tenant_id
    where t.is_deleted = 0${notPracticeTenantSql('t')}
    order by d.sales desc nulls last, t.tenant_id limit ${TENANTS_MAX}`,
  sql`select tenant_id, to_char(at at time zone 'Asia/Shanghai', 'YYYY-MM-DD') as day, sum(sales) as sales
    from (
      select tenant_id, at, sales from sales_by_day
      where at >= ${new Date(today.from - (TENANT_DAYS - 1) * DAY_MS).toISOString()}
      and at < ${new Date(today.to).toISOString()}
      union all select tenant_id, at, sales from sales_delta
      where at >= ${new Date(today.from - (TENANT_DAYS - 1) * DAY_MS).toISOString()}
      and at < ${new Date(today.to).toISOString()}) x group by 1, 2`,
  sql`select (count(*) filter (where state = 'failed'))::int as failed, (count(*) filter (where state = 'asked'
    and run_at < ${new Date(now.getTime() - 600_000).toISOString()}))::int as late
    from job where state = 'asked' or (state = 'failed'
    and finish_time > ${new Date(now.getTime() - DAY_MS).toISOString()})`,
]

/** Returns the figures of the home page the caller may see. */
async function today(call: Call): Promise<Record<string, unknown>> {
  const now = call.services.now()
  const shopIds = parseShopIdsFilter(call.query)
  const needs = buildTodoCountQueries(call)
  const { sums, members, shops, platform, waiting } = await readHome(call, { now, shopIds, needs })
  const figures = (day: Day) => {
    const at = DAYS.indexOf(day)
    const total = added(sums[at] ?? [])
    return { ...wire(total), customers: (members[at]?.[0]?.members ?? 0) + total.guests }
  }
  const ofShop = (day: Day, shopId: string) =>
    wire(sums[DAYS.indexOf(day)]?.find((row) => row.shopId === shopId) ?? EMPTY_SALES_SUMS)
  const role = resolveHomeRole(call.caller)
  // Items that are merely due concern the shop, so the platform sees only problems.
  const waits = summarizeWaitingTodos(call, needs, waiting, shopIds).filter(
    ({ tone, resource }) =>
      role !== 'platform' || tone === 'bad' || !call.services.registry.resource(resource).scope.shop,
  )
  const date = formatShanghaiTime(now).slice(0, 10)
  return {
    role,
    shortcuts: shortcutsOf(call),
    /** Resources whose changes must refresh the page. */
    hears: [...new Set(needs.map(({ need }) => need.resource))],
    date,
    time: formatShanghaiTime(now).slice(11),
    ...Object.fromEntries(DAYS.map((day) => [day, figures(day)])),
    newCustomers: members[0]?.[0]?.newcomers ?? 0,
    // People who work in shops see the rows, not only their number.
    needs: role === 'boss' || role === 'clerk' ? await loadTodoLines(call, needs, waits, shopIds) : waits,
    shops: shops.map(({ lastSeenTime, ...shop }) => ({
      ...shop,
      lastSeenTime: lastSeenTime ?? '',
      online: isOnline(lastSeenTime, now),
      today: ofShop('today', shop.id),
      yesterdaySoFar: ofShop('yesterdaySoFar', shop.id),
      needs: summarizeWaitingTodos(call, needs, waiting, [shop.id]),
    })),
    ...(platform.tenants && { platform: platformOf({ ...platform, tenants: platform.tenants }, date) }),
  }
}

type PlatformRows = {
  tenants: TenantRow[] | undefined
  tenantDays: TenantDay[] | undefined
  jobs: { failed: number; late: number }[] | undefined
}

/** Reads all rows of the page in one round trip to the database. */
async function readHome(
  call: Call,
  {
    now,
    shopIds,
    needs,
  }: { now: Date; shopIds: readonly string[] | undefined; needs: ReturnType<typeof buildTodoCountQueries> },
) {
  const days = daysOf(now)
  const sees = visibleFields(shoppingOrder, call.caller)
  const hasSales = hasPermission(call.caller, shoppingOrder.code) && (!sees || sees.has('payAmount'))
  const ofShops = shopIds ? sql` and r.id = any(${shopIds}::bigint[])` : empty

  const sales = hasSales
    ? DAYS.map((day) => rollupSumsByGroupSql(call, salesRollup, { period: days[day], shopIds }, { shopId: 'shop_id' }))
    : []
  const people = hasSales
    ? [
        identifiedCustomersSql(call, { period: days.today, shopIds }),
        ...DAYS.slice(1).map((day) =>
          identifiedCustomersByGroupSql(call, { period: days[day], shopIds }, { one: '1' }),
        ),
      ]
    : []

  const platform = call.caller.isPlatform ? platformStatements(days.today, now) : []
  const shopRows = sql`select r.id, r.shop_name, r.shop_code, r.status, r.last_seen_time,
    r.longitude, r.latitude ${fromVisibleRowsSql(call, basicShopInfo)}${ofShops}
    and r.status <> 3 order by r.shop_code, r.id limit ${SHOPS_MAX}`

  const found = await readBatch(call.services.pool, unitOfWorkOptionsForRead(call), [
    ...sales,
    ...people,
    shopRows,
    ...platform,
    ...needs.map((one) => one.statement),
  ])

  const take = <T>(count: number) => found.splice(0, count) as T[][]
  const sums = take<ShopSums>(sales.length)
  const members = take<{ members: number; newcomers: number }>(people.length)
  const shops = take<ShopRow>(1)[0]!
  const [tenants, tenantDays, jobs] = take<never>(platform.length) as unknown as [
    PlatformRows['tenants'],
    PlatformRows['tenantDays'],
    PlatformRows['jobs'],
  ]

  return { sums, members, shops, platform: { tenants, tenantDays, jobs }, waiting: found as TodoCountRow[][] }
}

function platformOf({ tenants, tenantDays, jobs }: PlatformRows & { tenants: TenantRow[] }, date: string) {
  const lastDays = Array.from({ length: TENANT_DAYS }, (_, at) => addDays(date, at + 1 - TENANT_DAYS))
  return {
    tenants: tenants.map(({ total: _total, ...row }) => ({
      ...row,
      expireTime: row.expireTime ?? '',
      sales: formatYuan(row.sales),
      days: lastDays.map((day) => ({
        day,
        sales: formatYuan(tenantDays!.find((one) => one.tenantId === row.tenantId && one.day === day)?.sales ?? 0),
      })),
    })),
    tenantCount: tenants[0]?.total ?? 0,
    jobsFailed: jobs![0]!.failed,
    jobsLate: jobs![0]!.late,
  }
}

export const homeRoute = defineRoute({
  method: 'GET',
  path: '/api/shop/home/today',
  title: { zh: '今日概况', en: "Today's overview" },
  tx: false,
  documentedInput: { shopIds: statisticsInputFields.shopIds },
  can: {
    signedIn:
      'everybody has a home page; each figure needs the permission of the rows it counts and stays within the ' +
      "caller's shops",
  },
  handle: today,
})
