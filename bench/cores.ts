// npm run bench -- cores [--rounds 3] [--seconds 4] [--workers 2]
// The product with one process and with several, against bare Fastify and pg with as many (bench/bare.ts with
// node:cluster), interleaved on the demo database. Database and load generator share the machine.
import cluster from 'node:cluster'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { rmSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startEmbeddedPostgres } from '#apps/database/embedded-postgres.ts'
import { findFreePort } from '#apps/database/embedded-postgres-process.ts'
import { openPool } from '#kit/server/database/connections.ts'
import { md5Hex } from '#kit/server/security/index.ts'
import { chooseWorkerCount } from '../apps/server/src/workers.ts'
import { benchFolder } from './folder.ts'
import { load, median, type Figures, type Shot } from './load.ts'

const option = (name: string, fallback: number) => {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? fallback : Number(process.argv[at + 1]) || fallback
}
const ROUNDS = option('rounds', 3)
const SECONDS = option('seconds', 4)
const MANY = option('workers', Math.max(2, chooseWorkerCount(0, true)))
const TENANT = '100001'
const ORDER = '/api/shop/shoppingOrder'
const log = (line: string) => console.log(line)
const file = (path: string) => fileURLToPath(new URL(path, import.meta.url))

await measureAll()

async function measureAll(): Promise<void> {
  const folder = benchFolder()
  const children: ChildProcess[] = []
  const database = await startEmbeddedPostgres({ dataDir: join(folder, 'postgres'), log: log })
  try {
    const start = (workers: number, port: number) => startProduct(workers, { port, folder, url: database.url })
    const [one, many] = [await findFreePort(), await findFreePort()]
    // The first one seeds the demo data.
    children.push(await start(1, one), await start(MANY, many))
    const shots = await shotsOf(database.url, one)
    const bare = { one: await findFreePort(), many: await findFreePort() }
    const statements = join(folder, 'statements.json')
    writeFileSync(statements, JSON.stringify(shots.bareStatements))
    for (const [workers, port] of [
      [1, bare.one],
      [MANY, bare.many],
    ] as const)
      startBare(workers, [database.url, String(port), statements])
    await untilServed(bare.one)
    await untilServed(bare.many)
    const cases: [name: string, ports: [number, number], shot: () => Shot][] = [
      ['ours: list', [one, many], shots.list],
      ['ours: detail', [one, many], shots.detail],
      ['bare: save', [bare.one, bare.many], () => ({ path: shots.bareSave })],
      ['ours: save', [one, many], shots.save],
    ]
    await table(cases)
  } finally {
    for (const child of children) child.kill('SIGTERM')
    await Promise.all(children.map(async (child) => child.exitCode ?? once(child, 'exit')))
    for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill('SIGKILL')
    await database.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  process.exit(0)
}

type Figured = { one: Figures[]; many: Figures[] }

async function table(cases: [string, [number, number], () => Shot][]): Promise<void> {
  const figures = new Map<string, Figured>(cases.map(([name]) => [name, { one: [], many: [] }]))
  for (const [, ports, shot] of cases) for (const port of ports) await load(port, shot, { seconds: 1 })
  for (let round = 0; round < ROUNDS; round++)
    for (const [name, [one, many], shot] of cases) {
      figures.get(name)?.one.push(await load(one, shot, { seconds: SECONDS }))
      figures.get(name)?.many.push(await load(many, shot, { seconds: SECONDS }))
    }
  log(`\n${availableParallelism()} cores, 32 connections, median of ${ROUNDS} rounds of ${SECONDS} s`)
  log('Database and load share the cores with the server.\n')
  log(`| case | 1 process: req/s | p99 ms | ${MANY} processes: req/s | p99 ms | rise | failures |`)
  log('| --- | ---: | ---: | ---: | ---: | ---: | ---: |')
  for (const [name, { one, many }] of figures) {
    const rate = (all: Figures[]) => median(all.map(({ perSecond }) => perSecond))
    const p99 = (all: Figures[]) => median(all.map(({ p99Ms }) => p99Ms)).toFixed(1)
    const failures = [...one, ...many].reduce((sum, figure) => sum + figure.failures, 0)
    log(
      `| ${name} | ${rate(one).toFixed(0)} | ${p99(one)} | ${rate(many).toFixed(0)} | ${p99(many)} | ` +
        `${(rate(many) / rate(one)).toFixed(2)} | ${failures} |`,
    )
  }
}

type ServerUnderTest = { port: number; folder: string; url: string }

async function startProduct(workers: number, { port, folder, url }: ServerUnderTest): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', file('../apps/server/src/main.ts')], {
    env: {
      ...process.env,
      DATABASE_URL: url,
      DATA_DIR: folder,
      PORT: String(port),
      HOST: '127.0.0.1',
      WORKERS: String(workers),
      RATE_LIMIT: '0',
      LOG_LEVEL: 'warn',
      SIMULATORS: 'off',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  const wanted = workers > 1 ? `${workers} processes serve` : 'Ready:'
  await new Promise<void>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}: ${output}`)))
    child.stdout.on('data', (part: Buffer) => {
      output += part.toString()
      if (output.includes(wanted)) resolve()
    })
  })
  return child
}

function startBare(workers: number, args: string[]): void {
  cluster.setupPrimary({ exec: file('./bare.ts'), args })
  for (let n = 0; n < workers; n++) cluster.fork()
}

async function untilServed(port: number): Promise<void> {
  while (!(await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined)))
    await new Promise((resolve) => setTimeout(resolve, 50))
}

/** Returns the calls to measure: of the product, signed in as a tenant's administrator, and of the bare server. */
async function shotsOf(url: string, port: number) {
  const query = new URLSearchParams({
    grant_type: 'password',
    tenantId: TENANT,
    username: 'wu',
    password: md5Hex('wu'),
    scope: 'all',
  })
  const response = await fetch(`http://127.0.0.1:${port}/api/blade-auth/oauth/token?${query}`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa('script:script_secret')}`, 'tenant-id': TENANT },
  })
  const { access_token: token } = (await response.json()) as { access_token: string }
  const headers = { 'blade-auth': token }
  const owner = openPool({ connectionString: url, max: 1 })
  const { rows } = await owner.query<{ id: string }>(
    'select id from shopping_order where tenant_id = $1 order by id desc limit 2000',
    [TENANT],
  )
  await owner.end()
  const pick = () => rows[Math.floor(Math.random() * rows.length)]?.id
  const save = () => JSON.stringify({ id: pick(), remark: `note ${Math.floor(Math.random() * 1e6)}` })
  const bareStatements = {
    save: [
      {
        text: `update shopping_order set remark = md5(random()::text) where tenant_id = $1 and id =
          (select id from shopping_order where tenant_id = $1 offset floor(random() * 2000) limit 1)`,
        values: [TENANT],
      },
    ],
  }
  const values = (name: keyof typeof bareStatements) =>
    encodeURIComponent(JSON.stringify(bareStatements[name].map((one) => one.values)))
  return {
    bareStatements,
    bareSave: `/save?values=${values('save')}`,
    list: (): Shot => ({ path: `${ORDER}/web/boss/list?current=1&size=10`, headers }),
    detail: (): Shot => ({ path: `${ORDER}/detail?id=${pick()}`, headers }),
    save: (): Shot => ({ method: 'POST', path: `${ORDER}/submit`, headers, body: save() }),
  }
}
