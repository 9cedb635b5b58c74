// npm run bench -- writes [--rounds 5] [--seconds 3] [--only submit]
// Saving a remark and a register's sale, against the same rows written by bare pg, interleaved, on the same database in
// the same run: statements, round trips and database time of one call alone, and CPU time of the server under load.
import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { startEmbeddedPostgres } from '#apps/database/embedded-postgres.ts'
import { openPool } from '#kit/server/database/connections.ts'
import { migrate } from '#kit/server/database/migrate.ts'
import { md5Hex } from '#kit/server/security/index.ts'
import { countRoundTrips, type RoundTrips } from '#tests/support/round-trips.ts'
import { createServerApp } from '../apps/server/src/app.ts'
import { startChild, type Child } from './child.ts'
import { benchFolder, BENCH_START } from './folder.ts'
import { load, median, type Figures, type Shot } from './load.ts'

const option = (name: string, fallback: number) => {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? fallback : Number(process.argv[at + 1])
}
const ROUNDS = option('rounds', 5)
const SECONDS = option('seconds', 3)
const PORT = option('port', 18_091)
/** Each connection is the register of another shop. */
const [SHOPS, GOODS, CUSTOMERS, ORDERS] = [32, 100, 100, 20_000]
const PLENTY = 1_000_000
const log = (line: string) => console.log(line)

const pick = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)]!
type Line = { goodId: string; batchId: string; upc: string; name: string }
type Shop = { id: string; registerId: string; headers: Record<string, string>; goods: Line[]; customers: string[] }

/** Inserts shops with a register and stock, and customers with past orders and a level within reach. */
async function fill(owner: pg.Pool, tenantId: string): Promise<Shop[]> {
  const secret = 'bench-secret'
  const digest = createHash('sha256').update(secret).digest('hex')
  const tables = [
    `insert into basic_shop_info (id, tenant_id, shop_name, shop_code, status)
      select 7000000 + s, $1, 'shop ' || s, 'S' || s, 1 from generate_series(1, ${SHOPS}) s`,
    `insert into cash_register (id, tenant_id, name, sn, shop_id, status)
      select 8000000 + s, $1, 'register ' || s, 'BENCH-' || s, 7000000 + s, 1 from generate_series(1, ${SHOPS}) s`,
    `insert into register_key (tenant_id, register_id, digest)
      select $1, 8000000 + s, '${digest}' from generate_series(1, ${SHOPS}) s`,
    `insert into good_info (id, tenant_id, shop_id, upc, name, sale_price, cost_price, stock, stock_seq, on_sale)
      select s * 10000000 + n, $1, 7000000 + s, (6900000000000 + n)::text, 'goods ' || n, 350, 200, ${PLENTY}, 0, true
      from generate_series(1, ${SHOPS}) s, generate_series(1, ${GOODS}) n`,
    `insert into storage_batch (id, tenant_id, shop_id, good_id, upc, batch_no, quantity, remaining, cost_price)
      select id + 5000000, tenant_id, shop_id, id, upc, 'B' || id, ${PLENTY}, ${PLENTY}, 200 from good_info
      where tenant_id = $1`,
    `insert into wx_user (id, tenant_id, nickname, balance, integral)
      select 400000000000 + s * 1000 + n, $1, 'customer ' || n, 0, 0
      from generate_series(1, ${SHOPS}) s, generate_series(1, ${CUSTOMERS}) n`,
    `insert into vip_level (id, tenant_id, name, rank, discount_rate, integral_times, spend_threshold, enabled)
      values (6000001, $1, 'gold', 1, 100, 1, ${PLENTY}, true)`,
    `insert into shopping_order (id, tenant_id, order_no, shop_id, wx_user_id, status, source, type, quantity, summary,
      goods_amount, discount_amount, pay_amount, refund_amount, pay_type, pay_time, create_time)
      select 9000000000 + n, $1, 'B' || n, 7000001 + n % ${SHOPS},
      400000000001 + (1 + n % ${SHOPS}) * 1000 + n / ${SHOPS} % ${CUSTOMERS}, 2, 'register', 'store', 2, 'goods', 700,
      0, 700, 0, 'cash', now() - make_interval(secs => n), now() - make_interval(secs => n)
      from generate_series(1, ${ORDERS}) n`,
  ]

  for (const text of tables) await owner.query(text, [tenantId])
  await owner.query('vacuum analyze')

  return Array.from({ length: SHOPS }, (_none, at) => {
    const s = at + 1
    return {
      id: String(7_000_000 + s),
      registerId: String(8_000_000 + s),
      headers: { authorization: `Basic ${btoa(`BENCH-${s}:${secret}`)}` },
      customers: Array.from({ length: CUSTOMERS }, (_one, n) => String(400_000_000_001 + s * 1000 + n)),
      goods: Array.from({ length: GOODS }, (_one, n) => ({
        goodId: String(s * 10_000_000 + n + 1),
        batchId: String(s * 10_000_000 + n + 5_000_001),
        upc: String(6_900_000_000_001 + n),
        name: `goods ${n + 1}`,
      })),
    }
  })
}

type App = Awaited<ReturnType<typeof createServerApp>>
const BASIC = `Basic ${btoa('script:script_secret')}`

async function request(
  app: App,
  method: 'GET' | 'POST',
  url: string,
  headers: Record<string, string>,
  payload?: object,
) {
  const answer = await app.http.inject({ method, url, headers, ...(payload ? { payload } : {}) })
  if (answer.statusCode !== 200) throw new Error(`${url}: ${answer.body}`)
  return answer.json<Record<string, any>>()
}

async function signIn(app: App, tenantId: string): Promise<Record<string, string>> {
  const query = new URLSearchParams({
    grant_type: 'password',
    tenantId,
    username: 'admin',
    password: md5Hex('admin'),
    scope: 'all',
  })
  const headers = { authorization: BASIC, 'tenant-id': tenantId }
  const { access_token: token } = await request(app, 'POST', `/api/blade-auth/oauth/token?${query}`, headers)
  return { 'blade-auth': token as string }
}

let sold = 0
const saleNo = () => `B${process.pid}-${++sold}`
/** Returns two products, the lower id first, in the order the server locks them. */
const twoOf = (shop: Shop): Line[] => {
  const first = Math.floor(Math.random() * (GOODS - 1))
  const second = first + 1 + Math.floor(Math.random() * (GOODS - first - 1))
  return [shop.goods[first]!, shop.goods[second]!]
}

const saleBody = (shop: Shop, isKnown: boolean, saleTime: string) => ({
  saleNo: saleNo(),
  saleTime,
  payType: 'cash',
  payAmount: '7.00',
  ...(isKnown ? { customerId: pick(shop.customers) } : {}),
  lines: twoOf(shop).map(({ upc, name }) => ({ upc, name, price: '3.50', quantity: 1, discount: '0', amount: '3.50' })),
})
const bareSale = (shop: Shop, isKnown: boolean) => ({
  no: saleNo(),
  shopId: shop.id,
  registerId: shop.registerId,
  ...(isKnown ? { customerId: pick(shop.customers) } : {}),
  lines: twoOf(shop),
})
const remark = () => ({
  id: String(9_000_000_001 + Math.floor(Math.random() * ORDERS)),
  remark: `note ${Math.floor(Math.random() * 1e6)}`,
})

type Case = { name: string; ours: (shop: Shop) => Shot; bare: (shop: Shop) => Shot }
const [SUBMIT, SALE] = ['/api/shop/shoppingOrder/submit', '/api/terminal/sale']
const post = (path: string, headers: Record<string, string>, body: object): Shot => ({
  method: 'POST',
  path,
  headers,
  body: JSON.stringify(body),
})

function casesOf(admin: Record<string, string>): Case[] {
  const saleTime = new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')
  const sale = (name: string, isKnown: boolean): Case => ({
    name,
    ours: (shop) => post(SALE, shop.headers, saleBody(shop, isKnown, saleTime)),
    bare: (shop) => post('/sale', {}, bareSale(shop, isKnown)),
  })
  return [
    {
      name: 'submit (a remark)',
      ours: () => post(SUBMIT, admin, remark()),
      bare: () => post('/submit', {}, remark()),
    },
    sale('sale of two lines', false),
    sale('sale of two lines to a customer', true),
  ]
}

type Side = 'ours' | 'bare' | 'stepwise'
type Measured = { figures: Figures[]; cpuMs: number[] }

async function measure(cases: readonly Case[], shops: Shop[], children: Record<Side, [number, Child]>) {
  const all = new Map<string, Measured>()
  for (let round = -1; round < ROUNDS; round++)
    for (const one of cases)
      for (const side of ['bare', 'stepwise', 'ours'] as const) {
        const [port, child] = children[side]
        let turn = 0
        const shots = () => one[side === 'ours' ? 'ours' : 'bare'](shops[turn++ % SHOPS]!)
        const before = await child.cpu()
        const figures = await load(port, shots, { seconds: round < 0 ? 1 : SECONDS })
        const cpuMs = ((await child.cpu()) - before) / figures.asked
        if (round < 0) continue
        const measured = all.get(`${one.name}/${side}`) ?? { figures: [], cpuMs: [] }
        measured.figures.push(figures)
        measured.cpuMs.push(cpuMs)
        all.set(`${one.name}/${side}`, measured)
      }
  return all
}

function print(cases: readonly Case[], all: Map<string, Measured>, trips: Map<string, RoundTrips>): void {
  log(`\n32 connections, median of ${ROUNDS} rounds of ${SECONDS} s\n`)
  log(
    '| case | statements | round trips | database ms | server ms | req/s | p50 ms | p99 ms | of the floor | failures |',
  )
  log('| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |')
  const titles = { bare: 'bare, in one message: ', stepwise: 'bare, one after the other: ', ours: 'ours: ' }
  for (const { name } of cases) {
    const rate = (side: Side) => median(all.get(`${name}/${side}`)!.figures.map((one) => one.perSecond))
    for (const side of ['bare', 'stepwise', 'ours'] as const) {
      const { figures, cpuMs } = all.get(`${name}/${side}`)!
      const of = (key: 'p50Ms' | 'p99Ms') => median(figures.map((one) => one[key])).toFixed(1)
      const known = side === 'ours' ? trips.get(name) : undefined
      const cells = [
        titles[side] + name,
        known?.statements ?? '',
        known?.roundTrips ?? '',
        known?.databaseMs.toFixed(1) ?? '',
        median(cpuMs).toFixed(2),
        rate(side).toFixed(0),
        of('p50Ms'),
        of('p99Ms'),
        side === 'bare' ? '' : (rate(side) / rate('bare')).toFixed(2),
        figures.reduce((sum, one) => sum + one.failures, 0),
      ]
      log(`| ${cells.join(' | ')} |`)
    }
  }
}

/** Measures one call after 30 others: the caller is cached and the statements are prepared. */
async function tripsOf(app: App, shot: () => Shot): Promise<RoundTrips> {
  const once = () => {
    const { path, headers, body } = shot()
    return request(app, 'POST', path, headers!, JSON.parse(body!) as object)
  }
  for (let n = 0; n < 30; n++) await once()
  const trips = await countRoundTrips(once)
  if (process.argv.includes('--texts'))
    for (const { text } of trips.sent) log(`  ${text.replace(/\s+/g, ' ').slice(0, 150)}`)
  return trips
}

const folder = benchFolder()
const database = await startEmbeddedPostgres({ dataDir: join(folder, 'postgres'), log: log })
const { url } = database
const children: Child[] = []
try {
  await migrate(url, new URL('../migrations/', import.meta.url))
  const app = await createServerApp({ ...BENCH_START, dataDir: folder, databaseUrl: url })
  await app.seed()
  await app.start()
  const owner = openPool({ connectionString: url, max: 2 })
  await owner.query(
    'create table if not exists installation (key text primary key, value text not null); insert into ' +
      "installation values ('story', 'empty'), ('told', 'x') on conflict do nothing",
  )
  const platform = await signIn(app, '000000')
  await request(app, 'POST', '/api/blade-system/tenant/submit', platform, {
    tenantName: 'Bench',
    linkman: 'bench',
    contactNumber: '13800000000',
  })
  const { rows } = await owner.query<{ id: string }>(`select tenant_id as id from tenant where tenant_name = 'Bench'`)
  const tenantId = rows[0]!.id
  await owner.query('update sys_user set must_change_password = false where tenant_id = $1', [tenantId])
  const shops = await fill(owner, tenantId)
  const admin = await signIn(app, tenantId)
  const only = process.argv.includes('--only') ? process.argv[process.argv.indexOf('--only') + 1]! : ''
  const cases = casesOf(admin).filter(({ name }) => name.includes(only))
  const trips = new Map<string, RoundTrips>()
  for (const one of cases) trips.set(one.name, await tripsOf(app, () => one.ours(shops[0]!)))
  await app.stop()
  if (ROUNDS) {
    const bare = async (port: number, ...more: string[]) =>
      startChild('bench/bare-writes.ts', [url, String(port), tenantId, ...more], {}, `http://127.0.0.1:${port}/ready`)
    const settings = { PORT: String(PORT), HOST: '127.0.0.1', DATABASE_URL: url, DATA_DIR: folder, RATE_LIMIT: '0' }
    children.push(
      await startChild(
        'apps/server/src/main.ts',
        [],
        { ...settings, MQTT_PORT: String(PORT + 3), LOG_LEVEL: 'warn', WORKERS: '1' },
        `http://127.0.0.1:${PORT}/api/health`,
      ),
      await bare(PORT + 1, '--piped'),
      await bare(PORT + 2),
    )
    const [ours, piped, stepwise] = children as [Child, Child, Child]
    const measured = await measure(cases, shops, {
      ours: [PORT, ours],
      bare: [PORT + 1, piped],
      stepwise: [PORT + 2, stepwise],
    })
    print(cases, measured, trips)
  } else for (const [name, one] of trips) log(`${name}: ${one.statements} statements, ${one.roundTrips} round trips`)
  await owner.end()
} finally {
  for (const one of children) one.process.kill('SIGTERM')
  await new Promise((resolve) => setTimeout(resolve, 1500))
  await database.stop()
  rmSync(folder, { recursive: true, force: true })
}
process.exit(0)
