import { BENCH_START } from './folder.ts'
// npm run bench -- home [--data ./year] [--rounds 7]: the home page and the statistics over a year of trade (npm run
// trade-year), against plain SQL that counts the rows, interleaved in the same run. Prints whether both give the same
// figures.
import { resolve } from 'node:path'
import { createServerApp } from '../apps/server/src/app.ts'
import { createOwnerPool } from '#kit/server/database/db.ts'
import { startEmbeddedPostgres } from '#apps/database/embedded-postgres.ts'
import { YEAR_TENANT } from '../scripts/trade-year-steps.ts'
import { median } from './load.ts'
import { signIn } from './tenant.ts'

const option = (name: string, fallback: string) =>
  process.argv.includes(`--${name}`) ? process.argv[process.argv.indexOf(`--${name}`) + 1]! : fallback
const dataDir = resolve(option('data', './year'))
const rounds = Number(option('rounds', '7'))
const database = await startEmbeddedPostgres({ dataDir: `${dataDir}/postgres`, log: console.log })
const app = await createServerApp({
  ...BENCH_START,
  dataDir,
  databaseUrl: database.url,
})
const owner = createOwnerPool(database.url)
await app.seed()

const headers = await signIn(app, YEAR_TENANT)
const { rows: ends } = await owner.query<{ n: number; first: string; last: string }>(
  `select count(*)::int as n, to_char(min(pay_time), 'YYYY-MM-DD') as first, to_char(max(pay_time),
    'YYYY-MM-DD') as last from shopping_order where tenant_id = '${YEAR_TENANT}'`,
)
const { n, first, last } = ends[0]!
const within = (column: string, from: string) =>
  `${column} >= timestamptz '${from} 00:00:00+08' and ${column} < timestamptz '${last} 00:00:00+08' + interval '1 day'`
const sold = (from: string) => `tenant_id = '${YEAR_TENANT}' and status in (1, 2, 3, 4) and ${within('pay_time', from)}`
const cents = (text: string) => Math.round(Number(text) * 100)
const month = new Date(Date.parse(last) - 29 * 86_400_000).toISOString().slice(0, 10)

type Case = { name: string; path: string; plain?: string; figure?: (data: any) => number }
const year = `createTime_dategt=${first}&createTime_datelt=${last}`
const total = (key: string) => (rows: Record<string, string>[]) => rows.reduce((sum, row) => sum + cents(row[key]!), 0)
const cases: Case[] = [
  { name: 'home page', path: 'home/today' },
  {
    name: 'countSaleAndStorage, the year',
    path: `statistics/countSaleAndStorage?${year}`,
    figure: (data) => cents(data.sale.income),
    plain: `select sum(pay_amount)::float8 as n from shopping_order where ${sold(first)}`,
  },
  {
    name: 'incomePanelByDate, the year',
    path: `statistics/incomePanelByDate?${year}`,
    figure: (rows) => rows.reduce((sum: number, row: { customers: number }) => sum + row.customers, 0),
    plain: `select sum(c)::float8 as n from (select pay_time::date, sum(pay_amount),
      count(distinct wx_user_id) + count(*) filter (where wx_user_id is null) as c from shopping_order
      where ${sold(first)} group by 1) d`,
  },
  {
    name: 'incomePanelByDate, 30 days',
    path: `statistics/incomePanelByDate?createTime_dategt=${month}&createTime_datelt=${last}`,
    figure: total('income'),
    plain: `select sum(s)::float8 as n from (select pay_time::date, sum(pay_amount) as s, count(distinct wx_user_id)
      from shopping_order where ${sold(month)} group by 1) d`,
  },
  {
    name: 'dataByDate, one day',
    path: `statistics/dataByDate?createTime_dategt=${last}&createTime_datelt=${last}`,
    figure: total('income'),
    plain: `select sum(s)::float8 as n from (select extract(hour
      from pay_time), sum(pay_amount) as s, count(distinct wx_user_id) from shopping_order where ${sold(last)}
      group by 1) d`,
  },
  {
    name: 'countOrderPeople, the year',
    path: `statistics/countOrderPeople?${year}`,
    figure: (data) => data.members,
    plain: `select count(distinct wx_user_id)::float8 as n from shopping_order where ${sold(first)}`,
  },
  {
    name: 'countOrderPeople, 30 days',
    path: `statistics/countOrderPeople?createTime_dategt=${month}&createTime_datelt=${last}`,
    figure: (data) => data.newCustomers,
    plain: `select count(*)::float8 as n from (select wx_user_id from shopping_order where tenant_id = '${YEAR_TENANT}'
      and status in (1, 2, 3, 4) and wx_user_id is not null group by 1 having ${within('min(pay_time)', month)}) f`,
  },
  {
    name: 'countOrderSumPrice, the year',
    path: `statistics/countOrderSumPrice?${year}`,
    figure: total('amount'),
    plain: `select sum(s)::float8 as n from (select shop_id, sum(pay_amount) as s from shopping_order
      where ${sold(first)} group by 1) d`,
  },
  {
    name: 'countOrderSumPriceByGoodType, the year',
    path: `statistics/countOrderSumPriceByGoodType?${year}`,
    figure: total('amount'),
    plain: `select sum(s)::float8 as n from (select g.good_type_id, sum(d.amount) as s from shopping_order o
      join shopping_order_detail d on d.order_id = o.id join good_info g on g.id = d.good_id
      where o.tenant_id = '${YEAR_TENANT}' and o.status in (1, 2, 3, 4) and ${within('o.pay_time', first)}
      group by 1) t`,
  },
]
const times = cases.map(() => ({ ours: [] as number[], plain: [] as number[], same: '' }))
const HOME = 20
for (let round = 0; round < HOME + rounds; round++) {
  for (const [at, { path, plain, figure }] of cases.entries()) {
    // The home page is measured in rounds of its own: the recounts would push its data out of memory.
    if (round < HOME !== !plain) continue
    let began = performance.now()
    const answer = await app.http.inject({ method: 'GET', url: `/api/shop/${path}`, headers })
    times[at]!.ours.push(performance.now() - began)
    if (answer.statusCode !== 200) throw new Error(answer.body)
    if (!plain) continue
    began = performance.now()
    const { rows } = await owner.query<{ n: number }>(plain)
    times[at]!.plain.push(performance.now() - began)
    const [ours, theirs] = [figure!(answer.json().data), rows[0]!.n]
    times[at]!.same = ours === theirs ? 'yes' : `no: ${ours} / ${theirs}`
  }
}
console.log(`\n${n.toLocaleString()} orders from ${first} to ${last}, median of ${rounds} (slowest)\n`)
console.log('| call | ms | counting the rows, ms | ratio | same figures |\n| --- | ---: | ---: | ---: | --- |')
for (const [at, { name, plain }] of cases.entries()) {
  const { ours, plain: rows, same } = times[at]!
  console.log(
    `| ${name} | ${median(ours).toFixed(0)} (${Math.max(...ours).toFixed(0)}) | ` +
      `${plain ? median(rows).toFixed(0) : ''} | ${plain ? (median(rows) / median(ours)).toFixed(1) : ''} | ` +
      `${same} |`,
  )
}
await app.stop()
await owner.end()
await database.stop()
process.exit(times.every(({ same }) => !same || same === 'yes') ? 0 : 1)
