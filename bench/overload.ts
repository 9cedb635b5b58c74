// npm run bench -- overload [--connections 1000] [--seconds 15]
// Many connections of one tenant to one node, which repeat at once or as told by the answer, and a user of another
// tenant beside them. What cannot be served in time must be refused at once.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createServerApp } from '#apps/server/src/app.ts'
import { seedDatabaseOnce, readSeedState } from '#apps/server/src/seed-once.ts'
import { startEmbeddedPostgres } from '#apps/database/embedded-postgres.ts'
import { migrate } from '#kit/server/database/migrate.ts'
import { md5Hex } from '#kit/server/security/index.ts'
import { makeNode, type Part } from './chaos-world.ts'
import { benchFolder, BENCH_START } from './folder.ts'
import { load, type Figures, type Shot } from './load.ts'

const { values } = parseArgs({
  options: { connections: { type: 'string', default: '1000' }, seconds: { type: 'string', default: '15' } },
})
const [connections, seconds] = [Number(values.connections), Number(values.seconds)]
const log = (line: string) => console.log(line)
const LIST = '/api/shop/shoppingOrder/web/boss/list?current=1&size=10'
const NEIGHBOURS = 2

const folder = benchFolder()
const database = await startEmbeddedPostgres({ dataDir: join(folder, 'postgres'), log: log })
let node: Part | undefined

async function seedDemoData(): Promise<void> {
  await migrate(database.url, new URL('../migrations/', import.meta.url))
  const app = await createServerApp(
    {
      ...BENCH_START,
      dataDir: join(folder, 'own'),
      databaseUrl: database.url,
    },
    { DB_POOL: '6', LOG_LEVEL: 'silent' },
  )
  await seedDatabaseOnce(app, await readSeedState(database.url, 'demo'), () => {}, { days: 7 })
  await app.stop()
}

/** Returns the calls of a user: views, and now and then a remark saved on an order. */
async function shotsOf(port: number, tenantId: string, account: string, saves: number): Promise<() => Shot> {
  const who = { tenantId, username: account, password: md5Hex(account) }
  const login = new URLSearchParams({ grant_type: 'password', scope: 'all', ...who })
  const signedIn = await fetch(`http://127.0.0.1:${port}/api/blade-auth/oauth/token?${login}`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa('script:script_secret')}`, 'tenant-id': tenantId },
  })
  const { access_token: token } = (await signedIn.json()) as { access_token: string }
  const headers = { 'blade-auth': token }
  const list = await (await fetch(`http://127.0.0.1:${port}${LIST}`, { headers })).json()
  const ids = (list as { data: { records: { id: string }[] } }).data.records.map((row) => row.id)
  const pick = () => ids[Math.floor(Math.random() * ids.length)]!
  const save = (): Shot => {
    const body = JSON.stringify({ id: pick(), remark: `note ${Math.random()}` })
    return { method: 'POST', path: '/api/shop/shoppingOrder/submit', headers, body }
  }
  const detail = () => `/api/shop/shoppingOrder/detail?id=${pick()}`
  const look = (): Shot => ({ path: Math.random() < 0.5 ? LIST : detail(), headers })
  return () => (Math.random() < saves ? save() : look())
}

function line(name: string, { perSecond, p50Ms, p99Ms, p99DoneMs, failures, later, asked }: Figures): void {
  const share = ((later / asked) * 100).toFixed(1)
  const times = [perSecond, p50Ms, p99Ms, p99DoneMs].map((one) => one.toFixed(0))
  log(`| ${[name, ...times, `${share} %`, failures - later].join(' | ')} |`)
}

try {
  await seedDemoData()
  node = await makeNode(1, folder, {
    DATABASE_URL: database.url,
    SIMULATORS: 'off',
    LOG_LEVEL: 'fatal',
    RATE_LIMIT: '0',
    SECRETS_KEY: 'overload'.repeat(8),
  })
  await node.start()
  const { port } = node
  const looks = await shotsOf(port, '100001', 'wu', 0)
  const mixed = await shotsOf(port, '100001', 'wu', 0.2)
  const neighbour = await shotsOf(port, '100002', 'tang', 0.2)
  await load(port, mixed, { connections: 32, seconds: 3 })
  log('\n| who | answers/s | p50 ms | p99 ms | p99 ms of what was done | told "come again" | other failures |')
  log('| --- | ---: | ---: | ---: | ---: | ---: | ---: |')
  line('32 connections, looking and saving', await load(port, mixed, { connections: 32, seconds }))
  const cases = [
    ['looking', looks, 0],
    ['looking and saving', mixed, 0],
    ['looking and saving, waiting two seconds when told to', mixed, 2000],
  ] as const
  for (const [name, shots, restMs] of cases) {
    // The neighbours connect before the crowd: a process accepts one new connection per turn of its event loop.
    const neighbours = load(port, neighbour, { connections: NEIGHBOURS, seconds: seconds + 1 })
    await new Promise((resolve) => setTimeout(resolve, 500))
    const result = await load(port, shots, { connections, seconds, restMs })
    line(`${connections} connections, ${name}`, result)
    line(`${NEIGHBOURS} of another tenant beside them`, await neighbours)
  }
} finally {
  await node?.kill()
  await database.stop()
  rmSync(folder, { recursive: true, force: true })
}
process.exit(0)
