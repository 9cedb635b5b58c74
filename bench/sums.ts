// npm run bench -- sums [--orders 10000000] [--shops 50] [--rounds 5]: the statistics over the stored sums of a year
// with that many orders, without the orders themselves: the cost when only sums are read. That the sums are right is
// tested elsewhere.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { createServerApp } from '../apps/server/src/app.ts'
import { rebuildDailyVisitorsSql } from '#domains/insight/statistics/api.ts'
import { createOwnerPool } from '#kit/server/database/db.ts'
import { startEmbeddedPostgres } from '#apps/database/embedded-postgres.ts'
import { migrate } from '#kit/server/database/migrate.ts'
import { md5Hex } from '../kit/server/security/index.ts'
import { median } from './load.ts'
import { benchFolder, BENCH_START } from './folder.ts'

const option = (name: string, fallback: number) =>
  process.argv.includes(`--${name}`) ? Number(process.argv[process.argv.indexOf(`--${name}`) + 1]) : fallback
const [orders, shops, rounds] = [option('orders', 10_000_000), option('shops', 50), option('rounds', 5)]
const [DAYS, GOODS, T] = [365, 60, "'000000'"]
const customers = Math.ceil(orders / 40 / shops)
/** Orders with a known customer, per shop and day. */
const known = Math.ceil((orders * 0.55) / DAYS / shops)

const folder = benchFolder()
const database = await startEmbeddedPostgres({ dataDir: join(folder, 'postgres'), log: console.log })
await migrate(database.url, new URL('../migrations/', import.meta.url))
const app = await createServerApp({
  ...BENCH_START,
  dataDir: folder,
  databaseUrl: database.url,
})
const owner = createOwnerPool(database.url)
owner.on('error', () => {})
await app.seed()

const day = "(date_trunc('day', now(), 'Asia/Shanghai') - make_interval(days => d))"
const sums = 'sales, orders, guests, items, cost, discount, freight, refunds, refund_count'
const total = (list: string) =>
  list
    .split(', ')
    .map((name) => `sum(${name})`)
    .join(', ')
const month = "date_trunc('month', at, 'Asia/Shanghai')"
const steps = [
  `insert into basic_shop_info (id, tenant_id, shop_name, shop_code, status) select s, ${T}, 'shop ' || s, 'S' || s, 1
    from generate_series(1, ${shops}) s`,
  `insert into good_info (id, tenant_id, name, shop_id, upc, sale_price, cost_price, stock, stock_seq)
    select s * 1000 + g, ${T}, 'goods ' || g, s, 'G' || g, 500, 300, 0, 0
    from generate_series(1, ${shops}) s, generate_series(1, ${GOODS}) g`,
  // 15 % buy in a shop that is not their own.
  `insert into people_by_day (tenant_id, shop_id, at, wx_user_id, orders) select ${T}, s, ${day}, (case
    when random() < 0.85 then s else 1 + floor(random() * ${shops})::int
    end) * 1000000 + floor(power(random(), 1.7) * ${customers})::int, 1
    from generate_series(1, ${DAYS}) d, generate_series(1, ${shops}) s, generate_series(1, ${known})
    on conflict do nothing`,
  `insert into people_by_month (tenant_id, shop_id, at, wx_user_id, orders)
    select tenant_id, shop_id, ${month}, wx_user_id, sum(orders) from people_by_day group by 1, 2, 3, 4`,
  `insert into sales_by_hour (tenant_id, shop_id, at, ${sums})
    select ${T}, s, ${day} + make_interval(hours => h), 90000, 100, 45, 180, 60000, 300, 0, 700, 1
    from generate_series(1, ${DAYS}) d, generate_series(1, ${shops}) s, generate_series(0, 23) h`,
  `insert into sales_by_day (tenant_id, shop_id, at, ${sums})
    select tenant_id, shop_id, date_trunc('day', at, 'Asia/Shanghai'), ${total(sums)} from sales_by_hour
    group by 1, 2, 3`,
  `insert into goods_by_day (tenant_id, shop_id, at, good_id, sales, items, cost, refunds, refund_items)
    select ${T}, s, ${day}, s * 1000 + g, 9000, 18, 6000, 70, 1
    from generate_series(1, ${DAYS}) d, generate_series(1, ${shops}) s, generate_series(1, ${GOODS}) g`,
  `insert into goods_by_month (tenant_id, shop_id, at, good_id, sales, items, cost, refunds, refund_items)
    select tenant_id, shop_id, ${month}, good_id, ${total('sales, items, cost, refunds, refund_items')}
    from goods_by_day group by 1, 2, 3, 4`,
  ...rebuildDailyVisitorsSql('000000'),
  'vacuum analyze',
]
for (const text of steps) await owner.query(text)
const { rows: sizes } = await owner.query<{ people: number; roamers: number }>(
  'select (select count(*)::int from people_by_day) as people, (select count(*)::int from roamers_by_day) as roamers',
)

const query = new URLSearchParams({
  grant_type: 'password',
  tenantId: '000000',
  username: 'admin',
  password: md5Hex('admin'),
  scope: 'all',
  type: 'account',
})
const signIn = await app.http.inject({
  method: 'POST',
  headers: { authorization: `Basic ${btoa('script:script_secret')}`, 'tenant-id': '000000' },
  url: `/api/blade-auth/oauth/token?${query.toString()}`,
})
const headers = { 'blade-auth': `bearer ${signIn.json<{ access_token: string }>().access_token}` }
const dayOf = (ago: number) => new Date(Date.now() + 8 * 3_600_000 - ago * 86_400_000).toISOString().slice(0, 10)
const year = `createTime_dategt=${dayOf(DAYS)}&createTime_datelt=${dayOf(1)}`
const days30 = `createTime_dategt=${dayOf(30)}&createTime_datelt=${dayOf(1)}`
const some = Array.from({ length: Math.ceil(shops / 3) }, (_, n) => n * 3 + 1)
  .filter((id) => id <= shops)
  .join(',')
const cases: [string, string][] = [
  ['countSaleAndStorage, the year', `countSaleAndStorage?${year}`],
  ['incomePanelByDate, the year', `incomePanelByDate?${year}`],
  ['incomePanelByDate, the year, a third of the shops', `incomePanelByDate?${year}&shopIds=${some}`],
  ['incomePanelByDate, 30 days', `incomePanelByDate?${days30}`],
  ['countOrderPeople, the year', `countOrderPeople?${year}`],
  ['countOrderPeople, 30 days', `countOrderPeople?${days30}`],
  ['countOrderSumPrice, the year', `countOrderSumPrice?${year}`],
  ['countOrderSumPriceByGoodType, the year', `countOrderSumPriceByGoodType?${year}`],
]
const plain = `select at, count(*) from (select distinct at, wx_user_id from people_by_day where tenant_id = ${T}) d
  group by at`
const times = cases.map((): number[] => [])
const plainTimes: number[] = []
for (let round = 0; round < rounds; round++) {
  for (const [at, [, path]] of cases.entries()) {
    const began = performance.now()
    const answer = await app.http.inject({ method: 'GET', url: `/api/shop/statistics/${path}`, headers })
    times[at]!.push(performance.now() - began)
    if (answer.statusCode !== 200) throw new Error(answer.body)
  }
  const began = performance.now()
  await owner.query(plain)
  plainTimes.push(performance.now() - began)
}
console.log(
  `\nSums of ${orders.toLocaleString()} orders: ${sizes[0]!.people.toLocaleString()} customers by shop and day, ` +
    `${sizes[0]!.roamers.toLocaleString()} of them in several shops; median of ${rounds} (slowest)\n`,
)
console.log('| call | ms |\n| --- | ---: |')
for (const [at, [name]] of cases.entries())
  console.log(`| ${name} | ${median(times[at]!).toFixed(0)} (${Math.max(...times[at]!).toFixed(0)}) |`)
console.log(
  `| plain SQL telling apart each customer of each day | ${median(plainTimes).toFixed(0)} ` +
    `(${Math.max(...plainTimes).toFixed(0)}) |`,
)
await app.stop()
await owner.end()
await database.stop()
rmSync(folder, { recursive: true, force: true })
process.exit()
