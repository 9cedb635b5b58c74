// npm run bench -- lists [--rows 1000000] [--rounds 3] [--seconds 4]
// The product's own server against bare Fastify + pg running the same SQL, interleaved, on the same database in the
// same run.
import { fork, type ChildProcess } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { openPool } from '#kit/server/database/connections.ts'
import { createApp } from '../apps/server/src/app.ts'
import { startEmbeddedPostgres } from '#apps/database/embedded-postgres.ts'
import { migrate } from '#kit/server/database/migrate.ts'
import { md5Hex } from '../kit/server/security/index.ts'
import { benchFolder, BENCH_START } from './folder.ts'
import { load, median, type Figures, type Shot } from './load.ts'

const option = (name: string, fallback: number) =>
  Number(process.argv[process.argv.indexOf(`--${name}`) + 1] || fallback) || fallback
const ROWS = process.argv.includes('--rows') ? option('rows', 1_000_000) : 1_000_000
const ROUNDS = process.argv.includes('--rounds') ? option('rounds', 3) : 3
const SECONDS = process.argv.includes('--seconds') ? option('seconds', 4) : 4
const TENANTS = 20
const SHOPS = 50
const LIST = '/api/shop/shoppingOrder/web/boss/list'
const say = (line: string) => console.log(line)

const folder = benchFolder()
const database = process.env.BENCH_DATABASE_URL
  ? undefined
  : await startEmbeddedPostgres({ dataDir: join(folder, 'postgres'), log: say })
const url = process.env.BENCH_DATABASE_URL ?? database!.url
const children: ChildProcess[] = []

async function fill(owner: pg.Pool): Promise<void> {
  say(`Writing ${ROWS.toLocaleString()} orders of ${TENANTS} tenants with ${SHOPS} shops each`)
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

/** Administrators of two tenants and the tokens they get through the front door. */
async function people(
  ask: (path: string, options: RequestInit) => Promise<any>,
  owner: pg.Pool,
): Promise<{ platform: string; tenants: { tenantId: string; token: string }[] }> {
  const signIn = async (tenantId: string, account: string, password: string) => {
    const query = new URLSearchParams({
      grant_type: 'password',
      tenantId,
      username: account,
      password: md5Hex(password),
      scope: 'all',
    })
    const answer = await ask(`/api/blade-auth/oauth/token?${query}`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa('script:script_secret')}`, 'tenant-id': tenantId },
    })
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
    // Nobody sits here who could change the first password.
    await owner.query('update sys_user set must_change_password = false where tenant_id = $1', [tenantId])
    tenants.push({ tenantId, token: await signIn(tenantId, 'admin', 'admin') })
  }
  await owner.query('vacuum full analyze shopping_order')
  return { platform, tenants }
}

/** The statements the server sends for a call: what the bare server is given. */
async function statementsOf(
  app: Awaited<ReturnType<typeof createApp>>,
  token: string,
  path: string,
): Promise<{ text: string; values: unknown[] }[]> {
  const seen: { text: string; values: unknown[] }[] = []
  const query = Reflect.get(pg.Client.prototype, 'query') as (...args: unknown[]) => unknown
  pg.Client.prototype.query = function (this: pg.Client, ...args: any[]) {
    if (args[0]?.text?.includes('shopping_order')) seen.push({ text: args[0].text, values: args[0].values })
    return query.apply(this, args)
  } as never
  try {
    const answer = await app.http.inject({ method: 'GET', url: path, headers: { 'blade-auth': token } })
    if (answer.statusCode !== 200) throw new Error(answer.body)
  } finally {
    pg.Client.prototype.query = query as never
  }
  return seen
}

async function child(
  file: string,
  args: string[],
  env: NodeJS.ProcessEnv,
  isReady: (port: number) => Promise<boolean>,
  port: number,
): Promise<void> {
  const one = fork(file, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  children.push(one)
  for (let tries = 0; tries < 200; tries++) {
    if (await isReady(port).catch(() => false)) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`${file} does not answer`)
}

try {
  await migrate(url, new URL('../migrations/', import.meta.url))
  const start = {
    ...BENCH_START,
    host: '127.0.0.1',
    dataDir: folder,
  }
  const app = await createApp({ ...start, databaseUrl: url })
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
  const listSql = await statementsOf(app, token, `${LIST}?shopId=${shops[0]!.id}&status=1&current=1&size=10`)
  const detailSql = await statementsOf(app, token, `/api/shop/shoppingOrder/detail?id=${orders[0]!.id}`)
  const firstSql = await statementsOf(app, token, `${LIST}?current=1&size=10`)
  const statements = join(folder, 'statements.json')
  writeFileSync(statements, JSON.stringify({ list: listSql, detail: detailSql, first: firstSql }))
  // The captured values with a shop, a status, an order of one's own in their places.
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

  await child(
    'bench/bare.ts',
    [url, '18081', statements],
    {},
    async (port) => (await fetch(`http://127.0.0.1:${port}${bareList()}`)).ok,
    18081,
  )
  await child(
    'apps/server/src/main.ts',
    [],
    { PORT: '18082', HOST: '127.0.0.1', DATABASE_URL: url, DATA_DIR: folder, RATE_LIMIT: '0', LOG_LEVEL: 'warn' },
    async (port) => (await fetch(`http://127.0.0.1:${port}/api/health`)).ok,
    18082,
  )

  const headers = { 'blade-auth': token }
  const deepPage = Math.floor(ROWS / TENANTS / 10) - 1
  const remark = () => JSON.stringify({ id: pick(orders).id, remark: `note ${Math.floor(Math.random() * 1e6)}` })
  const cases: Record<string, [port: number, shots: () => Shot]> = {
    'bare: list': [18081, () => ({ path: bareList() })],
    'ours: list (shop and state, with total)': [18082, () => ({ path: listPath(), headers })],
    'bare: detail': [18081, () => ({ path: bareDetail() })],
    'ours: detail': [18082, () => ({ path: detailPath(), headers })],
    'bare: list of the tenant': [18081, () => ({ path: bareFirst() })],
    'ours: list of the tenant, page 1': [18082, () => ({ path: `${LIST}?current=1&size=10`, headers })],
    [`ours: list of the tenant, page ${deepPage} (the last but one)`]: [
      18082,
      () => ({ path: `${LIST}?current=${deepPage - Math.floor(Math.random() * 50)}&size=10`, headers }),
    ],
    'ours: submit (remark), with operation log': [
      18082,
      () => ({ method: 'POST', path: '/api/shop/shoppingOrder/submit', headers, body: remark() }),
    ],
  }
  const figures: Record<string, Figures[]> = {}
  for (const [name, [port, shots]] of Object.entries(cases))
    await load(port, shots, { seconds: 1 }).then(() => (figures[name] = []))
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, [port, shots]] of Object.entries(cases))
      figures[name]!.push(await load(port, shots, { seconds: SECONDS }))
  }
  say(`\n${ROWS.toLocaleString()} orders, 32 connections, median of ${ROUNDS} rounds of ${SECONDS} s\n`)
  say('| case | req/s | p50 ms | p99 ms | failures |\n| --- | ---: | ---: | ---: | ---: |')
  const rate = (name: string) => median(figures[name]!.map((one) => one.perSecond))
  for (const [name, all] of Object.entries(figures))
    say(
      `| ${name} | ${rate(name).toFixed(0)} | ${median(all.map((one) => one.p50Ms)).toFixed(1)} | ` +
        `${median(all.map((one) => one.p99Ms)).toFixed(1)} | ${all.reduce((sum, one) => sum + one.failures, 0)} |`,
    )
  const [bareL, ourL, bareD, ourD, bareF, ourF, deep] = Object.keys(cases).map(rate)
  say(
    `\nlist / bare: ${(ourL! / bareL!).toFixed(2)} · detail / bare: ${(ourD! / bareD!).toFixed(2)} · tenant list ` +
      `/ bare: ${(ourF! / bareF!).toFixed(2)} · deep page / page 1: ${(deep! / ourF!).toFixed(2)}`,
  )
  await owner.end()
} finally {
  for (const one of children) one.kill('SIGTERM')
  await new Promise((resolve) => setTimeout(resolve, 1500))
  await database?.stop()
  rmSync(folder, { recursive: true, force: true })
}
process.exit(0)
