// npm run bench -- lists [--rows 1000000] [--rounds 3] [--seconds 4] [--port 18081]
// The product's own server against bare Fastify and pg running the same SQL, interleaved, on the same database in the
// same run.
import { fork, type ChildProcess } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { openPool } from '#kit/server/database/connections.ts'
import { createServerApp } from '../apps/server/src/app.ts'
import { startEmbeddedPostgres } from '#apps/database/embedded-postgres.ts'
import { migrate } from '#kit/server/database/migrate.ts'
import { md5Hex } from '../kit/server/security/index.ts'
import { countRoundTrips, type CountedStatement, type RoundTrips } from '#tests/support/round-trips.ts'
import { benchFolder, BENCH_START } from './folder.ts'
import { load, median, type Figures, type Shot } from './load.ts'
import { databaseMeter, processorMs } from './meter.ts'

const option = (name: string, fallback: number) =>
  Number(process.argv[process.argv.indexOf(`--${name}`) + 1] || fallback) || fallback
const ROWS = process.argv.includes('--rows') ? option('rows', 1_000_000) : 1_000_000
const ROUNDS = process.argv.includes('--rounds') ? option('rounds', 3) : 3
const SECONDS = process.argv.includes('--seconds') ? option('seconds', 4) : 4
const PORT = process.argv.includes('--port') ? option('port', 18_081) : 18_081
const TENANTS = 20
const SHOPS = 50
const LIST = '/api/shop/shoppingOrder/web/boss/list'
const log = (line: string) => console.log(line)

const folder = benchFolder()
const database = process.env.BENCH_DATABASE_URL
  ? undefined
  : await startEmbeddedPostgres({ dataDir: join(folder, 'postgres'), log: log })
const url = process.env.BENCH_DATABASE_URL ?? database!.url
const children: ChildProcess[] = []

async function fill(owner: pg.Pool): Promise<void> {
  log(`Writing ${ROWS.toLocaleString()} orders of ${TENANTS} tenants with ${SHOPS} shops each`)
  await owner.query(
    `insert into basic_shop_info (id, tenant_id, shop_name, shop_code, status)
      select t * 1000 + s, (200000 + t)::text, 'shop ' || s, 'S' || s, 1
      from generate_series(0, ${TENANTS - 1}) t, generate_series(0, ${SHOPS - 1}) s`,
  )
  await owner.query(`insert into shopping_order (id, tenant_id, order_no, shop_id, status, source, type, quantity,
    summary, goods_amount, discount_amount, pay_amount, refund_amount, pay_type, pay_time, create_time)
    select 9000000000 + n, (200000 + n % ${TENANTS})::text, 'B' || n,
    (n % ${TENANTS}) * 1000 + (n / ${TENANTS}) % ${SHOPS}, 1 + (n / 7) % 4, 'register', 'store', 1 + n % 5,
    'goods ' || n % 300, 1000 + n % 9000, 0, 1000 + n % 9000, 0, 'wechat',
      timestamptz '2026-11-01' - make_interval(secs => n * 30), timestamptz '2026-11-01' - make_interval(secs => n * 30)
      from generate_series(1, ${ROWS}) n`)
  await owner.query('vacuum analyze shopping_order')
  await owner.query('vacuum analyze basic_shop_info')
}

function signInShot(tenantId: string, account: string, password: string): Shot {
  const query = new URLSearchParams({
    grant_type: 'password',
    tenantId,
    username: account,
    password: md5Hex(password),
    scope: 'all',
  })
  return {
    method: 'POST',
    path: `/api/blade-auth/oauth/token?${query}`,
    headers: { authorization: `Basic ${btoa('script:script_secret')}`, 'tenant-id': tenantId },
  }
}

/** Creates tenants and signs in their administrators. Returns the tokens. */
async function people(
  ask: (path: string, options: RequestInit) => Promise<any>,
  owner: pg.Pool,
): Promise<{ platform: string; tenants: { tenantId: string; token: string }[] }> {
  const signIn = async (tenantId: string, account: string, password: string) => {
    const { path, ...options } = signInShot(tenantId, account, password)
    const answer = await ask(path, options)
    if (!answer.access_token) throw new Error(`${account} of ${tenantId} cannot sign in: ${JSON.stringify(answer)}`)
    return answer.access_token as string
  }
  const platform = await signIn('000000', 'admin', 'admin')
  const tenants = []
  for (let t = 0; t < 2; t++) {
    const made = await ask('/api/blade-system/tenant/submit', {
      method: 'POST',
      headers: { 'blade-auth': platform, 'content-type': 'application/json' },
      body: JSON.stringify({ tenantName: `Bench ${t}`, linkman: 'bench', contactNumber: '13800000000' }),
    })
    if (made.code !== 200) throw new Error(JSON.stringify(made))
    const { rows } = await owner.query('select tenant_id from tenant where tenant_name = $1', [`Bench ${t}`])
    const tenantId = rows[0].tenant_id as string
    // The new tenant takes over a twentieth of the orders.
    for (const table of ['shopping_order', 'basic_shop_info'])
      await owner.query(`update ${table} set tenant_id = $1 where tenant_id = $2`, [tenantId, String(200000 + t)])
    // Nobody could change the first password here.
    await owner.query('update sys_user set must_change_password = false where tenant_id = $1', [tenantId])
    tenants.push({ tenantId, token: await signIn(tenantId, 'admin', 'admin') })
  }
  await owner.query('vacuum full analyze shopping_order')
  return { platform, tenants }
}

/** Returns the round trips of a call once caches are filled. */
async function sentFor(
  app: Awaited<ReturnType<typeof createServerApp>>,
  shot: Shot,
  isRepeated = true,
): Promise<RoundTrips> {
  const ask = async () => {
    const answer = await app.http.inject({
      method: shot.method ?? 'GET',
      url: shot.path,
      headers: { ...shot.headers, ...(shot.body && { 'content-type': 'application/json' }) },
      payload: shot.body,
    })
    if (answer.statusCode !== 200) throw new Error(answer.body)
  }
  if (isRepeated) await ask()
  return countRoundTrips(ask)
}

/** A call's statements that read orders, which the bare server runs too. */
type Texts = CountedStatement[]
const ofOrders = ({ sent }: RoundTrips): Texts => sent.filter(({ text }) => text.includes('shopping_order'))

async function child(
  file: string,
  args: string[],
  env: NodeJS.ProcessEnv,
  isReady: (port: number) => Promise<boolean>,
  port: number,
): Promise<number> {
  const one = fork(file, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  children.push(one)
  for (let tries = 0; tries < 1200; tries++) {
    if (await isReady(port).catch(() => false)) return one.pid!
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`${file} does not answer`)
}

type Case = {
  name: string
  port: number
  shots: () => Shot
  connections?: number
  sent?: Pick<RoundTrips, 'statements' | 'roundTrips'>
}
type Cost = Figures & { serverMs: number; databaseMs: number }

/** The bare server runs each statement on a connection of its own. */
const bareSent = (texts: Texts) => ({ statements: texts.length, roundTrips: texts.length })

/** Measures all cases in rounds and prints the table of their medians. */
async function measure(cases: Case[], database: () => number, server: (port: number) => number): Promise<void> {
  const costs = new Map<string, Cost[]>(cases.map(({ name }) => [name, []]))
  for (const { port, shots, connections } of cases) await load(port, shots, { seconds: 1, connections })
  for (let round = 0; round < ROUNDS; round++) {
    for (const { name, port, shots, connections } of cases) {
      const [ours, theirs] = [server(port), database()]
      const figures = await load(port, shots, { seconds: SECONDS, connections })
      const each = (used: number) => used / figures.asked
      costs.get(name)!.push({ ...figures, serverMs: each(server(port) - ours), databaseMs: each(database() - theirs) })
    }
  }
  const of = (name: string, figure: (one: Cost) => number) => median(costs.get(name)!.map(figure))
  const digits = (value: number) => (Number.isNaN(value) ? '' : value.toFixed(2))
  log(`\n${ROWS.toLocaleString()} orders, 32 connections, median of ${ROUNDS} rounds of ${SECONDS} s\n`)
  log('| case | req/s | p50 ms | p99 ms | failures | statements | round trips | server ms | database ms |')
  log('| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |')
  for (const { name, sent } of cases) {
    const failures = costs.get(name)!.reduce((sum, one) => sum + one.failures, 0)
    log(
      `| ${name} | ${of(name, (one) => one.perSecond).toFixed(0)} | ${of(name, (one) => one.p50Ms).toFixed(1)} | ` +
        `${of(name, (one) => one.p99Ms).toFixed(1)} | ${failures} | ` +
        `${sent?.statements ?? ''} | ${sent?.roundTrips ?? ''} | ${digits(of(name, (one) => one.serverMs))} | ` +
        `${digits(of(name, (one) => one.databaseMs))} |`,
    )
  }
  const [bareL, ourL, bareD, ourD, bareF, ourF, deep] = cases.map(({ name }) => of(name, (one) => one.perSecond))
  log(
    `\nlist / bare: ${(ourL! / bareL!).toFixed(2)} · detail / bare: ${(ourD! / bareD!).toFixed(2)} · tenant list ` +
      `/ bare: ${(ourF! / bareF!).toFixed(2)} · deep page / page 1: ${(deep! / ourF!).toFixed(2)}`,
  )
}

try {
  await migrate(url, new URL('../migrations/', import.meta.url))
  const start = {
    ...BENCH_START,
    host: '127.0.0.1',
    dataDir: folder,
  }
  const app = await createServerApp({ ...start, databaseUrl: url })
  await app.seed()
  const base = await app.start()
  const owner = openPool({ connectionString: url, max: 2 })
  await owner.query(
    'create table if not exists installation (key text primary key, value text not null); insert into ' +
      "installation values ('story', 'empty'), ('told', 'x') on conflict do nothing",
  )
  await fill(owner)
  const ask = async (path: string, options: RequestInit) => (await fetch(`${base}${path}`, options)).json()
  const { tenants } = await people(ask, owner)
  const { tenantId, token } = tenants[0]!
  const { rows: shops } = await owner.query<{ id: string }>('select id from basic_shop_info where tenant_id = $1', [
    tenantId,
  ])
  const { rows: orders } = await owner.query<{ id: string }>(
    'select id from shopping_order where tenant_id = $1 limit 5000',
    [tenantId],
  )
  const pick = <T>(list: T[]) => list[Math.floor(Math.random() * list.length)]!

  const listPath = () =>
    `${LIST}?shopId=${pick(shops).id}&status=${1 + Math.floor(Math.random() * 4)}&current=1&size=10`
  const detailPath = () => `/api/shop/shoppingOrder/detail?id=${pick(orders).id}`
  const headers = { 'blade-auth': token }
  const remark = () => JSON.stringify({ id: pick(orders).id, remark: `note ${Math.floor(Math.random() * 1e6)}` })
  const home = () => ({ path: '/api/shop/home/today', headers })
  // Sign-ins are limited by address: each one uses another, given by the proxy's header.
  const signIn = (): Shot => {
    const shot = signInShot(tenantId, 'admin', 'admin')
    const place = [10, ...Array.from({ length: 3 }, () => Math.floor(Math.random() * 256))].join('.')
    return { ...shot, headers: { ...shot.headers, 'x-forwarded-for': place } }
  }
  const submit = (): Shot => ({ method: 'POST', path: '/api/shop/shoppingOrder/submit', headers, body: remark() })
  const get = (path: string) => ({ path, headers })
  const sent = {
    list: await sentFor(app, get(`${LIST}?shopId=${shops[0]!.id}&status=1&current=1&size=10`)),
    detail: await sentFor(app, get(`/api/shop/shoppingOrder/detail?id=${orders[0]!.id}`)),
    // Repeated, it would not count the total again.
    first: await sentFor(app, get(`${LIST}?current=1&size=10`), false),
    submit: await sentFor(app, submit()),
    home: await sentFor(app, home()),
    signIn: await sentFor(app, signIn()),
  }
  const [listSql, detailSql, firstSql] = [sent.list, sent.detail, sent.first].map(ofOrders) as [Texts, Texts, Texts]
  const statements = join(folder, 'statements.json')
  writeFileSync(statements, JSON.stringify({ list: listSql, detail: detailSql, first: firstSql }))
  // Replaces the shop, status and order number in the captured values.
  const swap = (sqls: typeof listSql, from: unknown[], to: unknown[]) =>
    JSON.stringify(
      sqls.map((one) =>
        one.values.map((value) => (from.indexOf(String(value)) >= 0 ? to[from.indexOf(String(value))] : value)),
      ),
    )
  const bareList = () => `/list?values=${encodeURIComponent(swap(listSql, [shops[0]!.id], [pick(shops).id]))}`
  const bareDetail = () => `/detail?values=${encodeURIComponent(swap(detailSql, [orders[0]!.id], [pick(orders).id]))}`
  const bareFirst = () => `/first?values=${encodeURIComponent(JSON.stringify(firstSql.map((one) => one.values)))}`
  await app.stop()

  const bare = await child(
    'bench/bare.ts',
    [url, String(PORT), statements],
    {},
    async (port) => (await fetch(`http://127.0.0.1:${port}${bareList()}`)).ok,
    PORT,
  )
  const ours = await child(
    'apps/server/src/main.ts',
    [],
    {
      PORT: String(PORT + 1),
      MQTT_PORT: String(PORT + 2),
      HOST: '127.0.0.1',
      DATABASE_URL: url,
      DATA_DIR: folder,
      RATE_LIMIT: '0',
      TRUST_PROXY: '1',
      LOG_LEVEL: 'warn',
      WORKERS: '1',
    },
    async (port) => (await fetch(`http://127.0.0.1:${port}/api/health`)).ok,
    PORT + 1,
  )

  const deepPage = Math.floor(ROWS / TENANTS / 10) - 1
  const deepPath = () => `${LIST}?current=${deepPage - Math.floor(Math.random() * 50)}&size=10`
  const cases: Case[] = [
    { name: 'bare: list', port: PORT, shots: () => ({ path: bareList() }), sent: bareSent(listSql) },
    { name: 'ours: list (shop and state, with total)', port: PORT + 1, shots: () => get(listPath()), sent: sent.list },
    { name: 'bare: detail', port: PORT, shots: () => ({ path: bareDetail() }), sent: bareSent(detailSql) },
    { name: 'ours: detail', port: PORT + 1, shots: () => get(detailPath()), sent: sent.detail },
    { name: 'bare: list of the tenant', port: PORT, shots: () => ({ path: bareFirst() }), sent: bareSent(firstSql) },
    {
      name: 'ours: list of the tenant, page 1',
      port: PORT + 1,
      shots: () => get(`${LIST}?current=1&size=10`),
      sent: sent.first,
    },
    {
      name: `ours: list of the tenant, page ${deepPage} (the last but one)`,
      port: PORT + 1,
      shots: () => get(deepPath()),
    },
    { name: 'ours: submit (remark), with operation log', port: PORT + 1, shots: submit, sent: sent.submit },
    { name: 'ours: home page', port: PORT + 1, shots: home, sent: sent.home },
    // More sign-ins of one account at once would count as guessing.
    { name: 'ours: sign-in, 4 connections', port: PORT + 1, shots: signIn, connections: 4, sent: sent.signIn },
  ]
  await measure(cases, await databaseMeter(owner), (port) => processorMs(port === PORT ? bare : ours))
  await owner.end()
} finally {
  for (const one of children) one.kill('SIGTERM')
  await new Promise((resolve) => setTimeout(resolve, 1500))
  await database?.stop()
  rmSync(folder, { recursive: true, force: true })
}
process.exit(0)
