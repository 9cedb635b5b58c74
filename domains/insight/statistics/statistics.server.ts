import { formatYuan } from '#kit/fields/money/cents.ts'
import { f } from '#kit/resource/index.ts'
import { raw, readBatch, sql, type Sql } from '#kit/server/database/db.ts'
import { unitOfWorkOptionsForRead } from '#kit/server/resource/list-of.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { defineRoute, type Call, type Route } from '#kit/server/module/module.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import type { LocalizedText } from '#kit/base/localized-text.ts'
import {
  identifiedCustomersByHourSql,
  identifiedCustomersByDaySql,
  identifiedCustomersSql,
  requireReadableAmounts,
  raiseWorkMemSql,
  parseShopIdsFilter,
  rollupSumsByGroupSql,
  type StatisticsFilter,
} from './figures.ts'
import {
  addDays,
  dayTextOfMs,
  startOfDayMs,
  shiftPeriodBack,
  isPeriodRunning,
  parsePeriodFilter,
  wholeDayPeriod,
  type StatisticsPeriod,
} from './period.ts'
import { goodsRollup, salesRollup } from './rollups.ts'
import { stockValueSql } from './storage.ts'

const DAYS_MAX = 1200
const ROWS_MAX = 1000
export type SalesSums = {
  sales: number
  orders: number
  guests: number
  items: number
  cost: number
  discount: number
  freight: number
  refunds: number
  refundCount: number
}
type GoodsSums = { sales: number; items: number; cost: number; refunds: number; refundItems: number }
type People = { members: number; newcomers: number; orders: number; again: number }

export const EMPTY_SALES_SUMS: SalesSums = {
  sales: 0,
  orders: 0,
  guests: 0,
  items: 0,
  cost: 0,
  discount: 0,
  freight: 0,
  refunds: 0,
  refundCount: 0,
}

/**
 * Formats sums for the wire. Income is what was paid in the period, refunds what was returned in it, whenever sold;
 * profit is income less freight and cost.
 */
const salesWire = (sums: SalesSums) => ({
  income: formatYuan(sums.sales),
  refunds: formatYuan(sums.refunds),
  net: formatYuan(sums.sales - sums.refunds),
  orders: sums.orders,
  refundCount: sums.refundCount,
  items: sums.items,
  discount: formatYuan(sums.discount),
  cost: formatYuan(sums.cost),
  profit: formatYuan(sums.sales - sums.freight - sums.cost),
})

const goodsWire = (sums: GoodsSums) => ({
  amount: formatYuan(sums.sales),
  quantity: sums.items,
  cost: formatYuan(sums.cost),
  profit: formatYuan(sums.sales - sums.cost),
  refunds: formatYuan(sums.refunds),
  refundQuantity: sums.refundItems,
})

const today = (call: Call) => dayTextOfMs(call.services.now().getTime())
const lastDays = (call: Call, days: number): StatisticsPeriod => ({
  from: startOfDayMs(addDays(today(call), 1 - days)),
  to: startOfDayMs(addDays(today(call), 1)),
})

const askOf = (call: Call, fallback?: StatisticsPeriod): StatisticsFilter => ({
  period: parsePeriodFilter(call.query, fallback),
  shopIds: parseShopIdsFilter(call.query),
})
const read = async (call: Call, statements: readonly Sql[]): Promise<unknown> =>
  (await readBatch(call.services.pool, unitOfWorkOptionsForRead(call), [raiseWorkMemSql, ...statements])).slice(1)

function sizeOf(call: Call, fallback: number): number {
  const { size } = call.query
  if (!size) return fallback
  if (!/^\d{1,6}$/.test(size)) throw new Refused('bad_parameter', { name: 'size' })
  return Math.min(Math.max(Number(size), 1), ROWS_MAX)
}

/**
 * Returns the sales of a period, of today and of yesterday up to the same time, and the present stock. With `compare`
 * also the sales of the period before.
 */
async function countSaleAndStorage(call: Call) {
  const now = call.services.now().getTime()
  const ask = askOf(call, wholeDayPeriod(today(call)))
  const of = (period: StatisticsPeriod) => rollupSumsByGroupSql(call, salesRollup, { ...ask, period }, {})
  const yesterday = { from: startOfDayMs(addDays(today(call), -1)), to: now - 86_400_000 }
  const length = ask.period.to - ask.period.from
  const compared =
    call.query.compare === 'true' && Number.isFinite(length) ? shiftPeriodBack(ask.period, length, now) : undefined
  const [period, day, before, storage, then] = (await read(call, [
    of(ask.period),
    of(wholeDayPeriod(today(call))),
    of(yesterday),
    stockValueSql(call, ask.shopIds),
    ...(compared ? [of(compared)] : []),
  ])) as [
    SalesSums[],
    SalesSums[],
    SalesSums[],
    { goods: number; items: number; cost: number; price: number; low: number }[],
    SalesSums[] | undefined,
  ]
  const { cost, price, ...counts } = storage[0]!
  return {
    sale: salesWire(period[0]!),
    today: salesWire(day[0]!),
    yesterday: salesWire(before[0]!),
    ...(compared && {
      before: {
        from: formatShanghaiTime(new Date(compared.from)),
        to: formatShanghaiTime(new Date(compared.to)),
        isSoFar: isPeriodRunning(ask.period, now),
        ...salesWire(then![0]!),
      },
    }),
    storage: { ...counts, cost: formatYuan(cost), price: formatYuan(price) },
  }
}

/** Returns each day of the period, also those without sales; of an open period from the first to the last sale. */
function daysBetween(period: StatisticsPeriod, found: readonly string[]): string[] {
  const sorted = found.toSorted((a, b) => a.localeCompare(b))
  const first = Number.isFinite(period.from) ? dayTextOfMs(period.from) : sorted[0]
  const last = Number.isFinite(period.to) ? dayTextOfMs(period.to - 1) : sorted.at(-1)
  if (!first || !last || first > last) return []
  if (startOfDayMs(last) - startOfDayMs(first) > DAYS_MAX * 86_400_000) return sorted
  const days: string[] = []
  for (let day = first; day <= last; day = addDays(day, 1)) days.push(day)
  return days
}

export async function loadIncomeByDate(call: Call) {
  const ask = askOf(call, lastDays(call, 30))
  const by = { date: "to_char(at, 'YYYY-MM-DD')" }
  // Dates are formatted after grouping by day, as there are many more rows of persons.
  const byDay = sql`select to_char(d.at, 'YYYY-MM-DD') as date, d.members from
    (${identifiedCustomersByDaySql(call, ask)}) d`
  const [sales, people] = (await read(call, [rollupSumsByGroupSql(call, salesRollup, ask, by), byDay])) as [
    (SalesSums & { date: string })[],
    { date: string; members: number }[],
  ]
  const salesOf = new Map(sales.map((row) => [row.date, row]))
  const membersOf = new Map(people.map((row) => [row.date, row.members]))
  return daysBetween(
    ask.period,
    sales.map((row) => row.date),
  ).map((date) => {
    const row = salesOf.get(date) ?? EMPTY_SALES_SUMS
    return { date, ...salesWire(row), customers: (membersOf.get(date) ?? 0) + row.guests }
  })
}

/** Returns the figures of a day by hour, or of several days added up by hour. */
async function dataByDate(call: Call) {
  const ask = askOf(call, wholeDayPeriod(today(call)))
  const [sales, people] = (await read(call, [
    rollupSumsByGroupSql(call, salesRollup, ask, { hour: 'extract(hour from at)::int' }, true),
    identifiedCustomersByHourSql(call, ask),
  ])) as [(SalesSums & { hour: number })[], { hour: number; members: number }[]]
  return Array.from({ length: 24 }, (_, hour) => {
    const row = sales.find((one) => one.hour === hour) ?? EMPTY_SALES_SUMS
    return { hour, ...salesWire(row), customers: (people.find((one) => one.hour === hour)?.members ?? 0) + row.guests }
  })
}

async function countOrderPeople(call: Call) {
  const ask = askOf(call)
  const [people, sales] = (await read(call, [
    identifiedCustomersSql(call, ask),
    rollupSumsByGroupSql(call, salesRollup, ask, {}),
  ])) as [People[], SalesSums[]]
  const { members, newcomers, again, orders } = people[0]!
  const { guests, sales: income, orders: all } = sales[0]!
  return {
    customers: members + guests,
    members,
    newCustomers: newcomers,
    returningCustomers: members - newcomers,
    repeatCustomers: again,
    guestOrders: guests,
    memberOrders: orders,
    orders: all,
    average: formatYuan(all ? Math.round(income / all) : 0),
  }
}

export async function loadSalesByShop(call: Call) {
  const ask = askOf(call)
  const [rows] = (await read(call, [
    sql`
    select x.*, s.shop_name from (${rollupSumsByGroupSql(call, salesRollup, ask, {
      tenantId: 'tenant_id',
      shopId: 'shop_id',
    })}) x
    left join basic_shop_info s on s.id = x."shopId" and s.tenant_id = x."tenantId"
    where x.orders <> 0 or x.refunds <> 0 order by x.sales desc, x."shopId" limit ${sizeOf(call, ROWS_MAX)}`,
  ])) as [(SalesSums & { shopId: string; shopName: string | null })[]]
  return rows.map(({ shopId, shopName, ...sums }) => ({
    shopId,
    shopName: shopName ?? '',
    amount: formatYuan(sums.sales),
    ...salesWire(sums),
  }))
}

const FREIGHT: LocalizedText = { zh: '运费', en: 'Delivery fee' }
const NO_TYPE: LocalizedText = { zh: '未分类', en: 'Uncategorized' }

/**
 * Returns the sales by product type, with delivery fees as a line, so that they add up to the income. For the platform,
 * types of the same name are one line, without an id if they are several.
 */
export async function loadSalesByGoodType(call: Call) {
  const ask = askOf(call)
  const [rows, sales] = (await read(call, [
    sql`
    select case when count(distinct g.good_type_id) = 1 then max(g.good_type_id) else 0
    end::text as good_type_id, max(t.name) as name, sum(x.sales) as sales, sum(x.items) as items,
    sum(x.cost) as cost, sum(x.refunds) as refunds, sum(x.refund_items) as refund_items
    from (${rollupSumsByGroupSql(call, goodsRollup, ask, { tenantId: 'tenant_id', goodId: 'good_id' })}) x
    left join good_info g on g.id = x."goodId" and g.tenant_id = x."tenantId"
    left join good_type t on t.id = g.good_type_id and t.tenant_id = g.tenant_id
    group by ${
      call.caller.isPlatform
        ? sql`coalesce(t.name,
      '')`
        : sql`coalesce(g.good_type_id, 0)`
    } order by 3 desc, 1`,
    rollupSumsByGroupSql(call, salesRollup, ask, {}),
  ])) as [(GoodsSums & { goodTypeId: string; name: string | null })[], SalesSums[]]
  const { freight, refunds } = sales[0]!
  // The part of the refunds that belongs to no product.
  const freightBack = Math.max(0, refunds - rows.reduce((sum, row) => sum + row.refunds, 0))
  return [
    ...rows
      .filter((row) => row.sales || row.refunds || row.items)
      .map(({ goodTypeId, name, ...sums }) => ({
        goodTypeId: goodTypeId === '0' ? '' : goodTypeId,
        name: name ?? NO_TYPE[call.lang],
        ...goodsWire(sums),
      })),
    ...(freight || freightBack
      ? [
          {
            goodTypeId: '',
            name: FREIGHT[call.lang],
            ...goodsWire({ sales: freight, items: 0, cost: 0, refunds: freightBack, refundItems: 0 }),
          },
        ]
      : []),
  ]
}

const ORDERS: Record<string, string> = {
  amount: 'x.sales',
  quantity: 'x.items',
  profit: 'x.sales - x.cost',
  refunds: 'x.refunds',
}

/** Returns the products sold, best first by amount, quantity, profit or refunds. */
export async function loadGoodsSoldRanking(call: Call) {
  const ask = askOf(call, lastDays(call, 30))
  const order = ORDERS[call.query.by ?? 'amount']
  if (!order) throw new Refused('bad_parameter', { name: 'by' })
  const [rows] = (await read(call, [
    sql`
    select x.*, g.name, g.upc, s.shop_name
    from (${rollupSumsByGroupSql(call, goodsRollup, ask, {
      tenantId: 'tenant_id',
      goodId: 'good_id',
      shopId: 'shop_id',
    })}) x
    left join good_info g on g.id = x."goodId" and g.tenant_id = x."tenantId"
    left join basic_shop_info s on s.id = x."shopId" and s.tenant_id = x."tenantId"
    where x.sales <> 0 or x.refunds <> 0 or x.items <> 0 order by ${raw(order)} desc, x."goodId", x."shopId"
    limit ${sizeOf(call, 20)}`,
  ])) as [
    (GoodsSums & {
      goodId: string
      shopId: string
      name: string | null
      upc: string | null
      shopName: string | null
    })[],
  ]
  return rows.map(({ goodId, shopId, name, upc, shopName, ...sums }) => ({
    goodId: goodId === '0' ? '' : goodId,
    name: name ?? NO_GOODS[call.lang],
    upc: upc ?? '',
    shopId,
    shopName: shopName ?? '',
    ...goodsWire(sums),
  }))
}

const NO_GOODS: LocalizedText = { zh: '未建档商品', en: 'Unregistered product' }

const SHOPS: LocalizedText = { zh: '门店', en: 'Stores' }
const shops = f.refs('basicShopInfo', { label: SHOPS })
const bound = (zh: string, en: string) => f.datetime({ label: { zh, en } })
export const statisticsInputFields = {
  shopIds: shops,
  createTime_dategt: bound('支付时间起', 'Paid from'),
  createTime_datelt: bound('支付时间止', 'Paid until'),
}
const size = f.number({ label: { zh: '条数', en: 'Rows' }, min: 1, max: ROWS_MAX })

const figure = (
  name: string,
  title: LocalizedText,
  handle: (call: Call) => Promise<unknown>,
  more: NonNullable<Route['documentedInput']> = {},
): Route =>
  defineRoute({
    method: 'GET',
    path: `/api/shop/statistics/${name}`,
    title,
    can: ['businessAnalysis', 'shoppingOrder'],
    tx: false,
    documentedInput: { ...statisticsInputFields, ...more },
    handle: (call) => {
      requireReadableAmounts(call)
      return handle(call)
    },
  })

export const statisticsRoutes: Route[] = [
  figure('countSaleAndStorage', { zh: '销售与库存', en: 'Sales and stock' }, countSaleAndStorage, {
    compare: f.boolean({ label: { zh: '同期对比', en: 'Period comparison' } }),
  }),
  figure('incomePanelByDate', { zh: '每日收入', en: 'Daily revenue' }, loadIncomeByDate),
  figure('dataByDate', { zh: '分时收入', en: 'Hourly revenue' }, dataByDate),
  figure('countOrderPeople', { zh: '顾客统计', en: 'Customers' }, countOrderPeople),
  figure('countOrderSumPrice', { zh: '门店销售额', en: 'Sales by store' }, loadSalesByShop, { size }),
  figure('countOrderSumPriceByGoodType', { zh: '分类销售额', en: 'Sales by category' }, loadSalesByGoodType),
  figure('goodsSold', { zh: '商品销售', en: 'Product sales' }, loadGoodsSoldRanking, {
    size,
    by: f.text({ label: { zh: '排序', en: 'Sort by' }, max: 10 }),
  }),
]
