// npm run bench -- export [--rows 1000000]
// The export of a year's orders by the product's own server process: time, memory, and the same export with the server
// killed in the middle.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { openPool } from '#kit/server/database/connections.ts'
import { createServerApp } from '../apps/server/src/app.ts'
import { startEmbeddedPostgres } from '#apps/database/embedded-postgres.ts'
import { migrate } from '#kit/server/database/migrate.ts'
import { md5Hex } from '../kit/server/security/index.ts'
import { sheetRows } from '../kit/server/sheets/read-sheet.ts'
import { benchFolder, BENCH_START } from './folder.ts'

const at = process.argv.indexOf('--rows')
const ROWS = at > 0 ? Number(process.argv[at + 1]) : 1_000_000
const SHOPS = 50
const PORT = 18083
const log = (line: string) => console.log(line)
const seconds = (from: number) => ((performance.now() - from) / 1000).toFixed(1)
const mib = (kib: number) => Math.round(kib / 1024)

const folder = benchFolder()
const database = process.env.BENCH_DATABASE_URL
  ? undefined
  : await startEmbeddedPostgres({ dataDir: join(folder, 'postgres'), log: log })
const url = process.env.BENCH_DATABASE_URL ?? database!.url
const base = `http://127.0.0.1:${PORT}`
let server: ChildProcess | undefined

async function startServer(): Promise<void> {
  server = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', 'apps/server/src/main.ts'], {
    env: {
      ...process.env,
      PORT: String(PORT),
      HOST: '127.0.0.1',
      DATABASE_URL: url,
      DATA_DIR: folder,
      RATE_LIMIT: '0',
      LOG_LEVEL: 'warn',
      SIMULATORS: 'off',
      WORKERS: '1',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  for (let tries = 0; tries < 300; tries++) {
    if (
      await fetch(`${base}/api/health`).then(
        (answer) => answer.ok,
        () => false,
      )
    )
      return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('the server does not answer')
}

const killServer = async () => {
  server!.kill('SIGKILL')
  await once(server!, 'exit')
}

/** Resident memory of the server process in KiB. */
const resident = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server!.pid}/status`, 'utf8'))![1])

try {
  await migrate(url, new URL('../migrations/', import.meta.url))
  const app = await createServerApp({
    ...BENCH_START,
    host: '127.0.0.1',
    dataDir: folder,
    databaseUrl: url,
  })
  await app.seed()
  await app.stop()
  const owner = openPool({ connectionString: url, max: 2 })
  await owner.query(
    'create table if not exists installation (key text primary key, value text not null); insert into ' +
      "installation values ('story', 'empty'), ('told', 'x') on conflict do nothing",
  )
  log(`Writing ${ROWS.toLocaleString()} orders of ${SHOPS} shops`)
  await owner.query(
    `insert into basic_shop_info (id, tenant_id, shop_name, shop_code, status)
      select s, '000000', 'shop ' || s, 'S' || s, 1 from generate_series(1, ${SHOPS}) s`,
  )
  await owner.query(`insert into shopping_order (id, tenant_id, order_no, shop_id, status, source, type, quantity,
    summary, goods_amount, discount_amount, pay_amount, refund_amount, pay_type, pay_time, create_time)
    select 9000000000 + n, '000000', 'B' || n, 1 + n % ${SHOPS}, 1 + (n / 7) % 4, 'register', 'store', 1 + n % 5,
    'goods ' || n % 300, 1000 + n % 9000, 0, 1000 + n % 9000, 0, 'wechat',
      timestamptz '2026-11-01' - make_interval(secs => n * 30), timestamptz '2026-11-01' - make_interval(secs => n * 30)
      from generate_series(1, ${ROWS}) n`)
  await owner.query('vacuum analyze shopping_order')

  await startServer()
  const query = new URLSearchParams({
    grant_type: 'password',
    tenantId: '000000',
    username: 'admin',
    password: md5Hex('admin'),
    scope: 'all',
  })
  const { access_token: token } = (await (
    await fetch(`${base}/api/blade-auth/oauth/token?${query}`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa('script:script_secret')}`, 'tenant-id': '000000' },
    })
  ).json()) as { access_token: string }
  const headers = { 'blade-auth': token, 'content-type': 'application/json' }
  const ask = async (method: string, path: string): Promise<any> => {
    const answer = (await (
      await fetch(`${base}${path}`, { method, headers, ...(method === 'POST' ? { body: '{}' } : {}) })
    ).json()) as { code: number; data: unknown }
    if (answer.code !== 200) throw new Error(JSON.stringify(answer))
    return answer.data
  }
  for (let n = 0; n < 20; n++) await ask('GET', '/api/shop/shoppingOrder/web/boss/list?size=100')

  /** Starts an export and watches it. With `killAt` the server is killed once that many rows are written. */
  async function run(name: string, sort: string, killAt?: number): Promise<string> {
    const before = resident()
    const started = performance.now()
    let [peak, slowest, killed] = [before, 0, '']
    const { id } = await ask('POST', `/api/shop/shoppingOrder/export?${sort}`)
    for (;;) {
      const startedAt = performance.now()
      const task = await ask('GET', `/api/kit/tasks/${id}`)
      slowest = Math.max(slowest, performance.now() - startedAt)
      peak = Math.max(peak, resident())
      if (task.state === 'failed') throw new Error(task.problem)
      if (task.state === 'done') break
      if (killAt && !killed && task.done >= killAt) {
        killed = `, killed at ${task.done.toLocaleString()} rows after ${seconds(started)} s`
        await killServer()
        await startServer()
        peak = 0
      }
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    const memory = killed
      ? `peak ${mib(peak)} MiB after the restart`
      : `memory ${mib(before)} MiB before, ${mib(peak)} MiB at most: ${mib(peak - before)} MiB more`
    log(`${name}: ${seconds(started)} s${killed}; ${memory}; slowest answer meanwhile ${slowest.toFixed(0)} ms`)
    return id
  }

  const ids = [await run('export', 'descs=createTime'), await run('killed', 'ascs=payAmount', ROWS / 2)]
  for (const id of ids) {
    const bytes = readFileSync(join(folder, 'files', 'content', '000000', 'task', id, 'file.xlsx'))
    const seen = new Set<string>()
    for await (const rows of sheetRows(bytes, 8e9))
      for (const { line, cells } of rows) if (line > 1) seen.add(String(cells.at(-1)))
    log(`${(bytes.length / 1024 / 1024).toFixed(1)} MiB, ${seen.size.toLocaleString()} different rows`)
  }
  await owner.end()
} catch (error) {
  console.error(error)
  process.exitCode = 1
} finally {
  server?.kill('SIGTERM')
  await new Promise((resolve) => setTimeout(resolve, 1500))
  await database?.stop()
  rmSync(folder, { recursive: true, force: true })
}
process.exit()
