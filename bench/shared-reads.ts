// npm run bench -- shared-reads [--rounds 5] [--seconds 4] [--delay 0.15] [--only ordinary]
// Reads that share connections against reads that each take one of the pool, in the same run: beside the database and
// over a network (each way `--delay` milliseconds and what the proxy takes: it says how long a round trip took), at
// ordinary load and with as many calls as it can answer. The rounds are interleaved, so that what else the machine does
// falls on both alike.
import { fork, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { findFreePort } from '#apps/database/embedded-postgres-process.ts'
import { startEmbeddedPostgres } from '#apps/database/embedded-postgres.ts'
import { openPool } from '#kit/server/database/connections.ts'
import { md5Hex } from '#kit/server/security/index.ts'
import { benchFolder } from './folder.ts'
import { load, median, type Figures, type Shot } from './load.ts'
import { databaseMeter, processorMs } from './meter.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '4' },
    delay: { type: 'string', default: '0.15' },
    only: { type: 'string', default: '' },
  },
})
const [rounds, seconds] = [Number(values.rounds), Number(values.seconds)]
const TENANT = '100001'
const ORDER = '/api/shop/shoppingOrder'
const file = (path: string) => fileURLToPath(new URL(path, import.meta.url))

type Server = { port: number; process: ChildProcess }
type Measured = Figures & { serverMs: number; databaseMs: number }

/** Starts a server of one process and waits until it is ready. */
async function startServer(folder: string, url: string, isSharing: boolean): Promise<Server> {
  const port = await findFreePort()
  const preload = isSharing ? [] : ['--import', file('./pooled-reads.preload.ts')]
  const args = ['--disable-warning=ExperimentalWarning', ...preload, file('../apps/server/src/main.ts')]
  const server = spawn(process.execPath, args, {
    env: {
      ...process.env,
      DATABASE_URL: url,
      DATA_DIR: folder,
      PORT: String(port),
      HOST: '127.0.0.1',
      WORKERS: '1',
      RATE_LIMIT: '0',
      LOG_LEVEL: 'warn',
      SIMULATORS: 'off',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  await new Promise<void>((resolve, reject) => {
    server.once('exit', (code) => reject(new Error(`the server ended with ${code}: ${output}`)))
    server.stdout.on('data', (part: Buffer) => {
      output += part.toString()
      if (output.includes('Ready:')) resolve()
    })
  })
  return { port, process: server }
}

/** Signs in as an administrator of a tenant; returns calls that read. */
async function shotsOf(url: string, port: number): Promise<Record<'list' | 'detail', () => Shot>> {
  const who = { tenantId: TENANT, username: 'wu', password: md5Hex('wu') }
  const query = new URLSearchParams({ grant_type: 'password', scope: 'all', ...who })
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
  return {
    list: () => ({ path: `${ORDER}/web/boss/list?current=1&size=10`, headers }),
    detail: () => ({ path: `${ORDER}/detail?id=${pick()}`, headers }),
  }
}

/** Returns the median of how long an empty statement takes there and back. */
async function roundTripMs(url: string): Promise<number> {
  const pool = openPool({ connectionString: url, max: 1 })
  const times: number[] = []
  for (let n = 0; n < 300; n++) {
    const began = performance.now()
    await pool.query({ name: 'one', text: 'select 1' })
    times.push(performance.now() - began)
  }
  await pool.end()
  return median(times)
}

const LOADS = {
  'ordinary: 4 people, 50 ms between': { connections: 4, pauseMs: 50 },
  'busy: 16 people, 20 ms between': { connections: 16, pauseMs: 20 },
  'all it can: 32 at once': { connections: 32, pauseMs: 0 },
}

const folder = benchFolder()
const database = await startEmbeddedPostgres({
  dataDir: join(folder, 'postgres'),
  settings: { max_connections: '300' },
  log: (line) => console.log(line),
})
const children: ChildProcess[] = []
try {
  const near = database.url
  const proxyPort = await findFreePort()
  children.push(fork(file('./delaying-proxy.ts'), [String(proxyPort), new URL(near).port, values.delay]))
  const far = Object.assign(new URL(near), { port: String(proxyPort), search: '' }).href
  const networks = { beside: near, 'over a network': far }
  const servers: Record<string, { shared: Server; pooled: Server }> = {}
  for (const [network, url] of Object.entries(networks)) {
    const shared = await startServer(folder, url, true)
    const pooled = await startServer(folder, url, false)
    servers[network] = { shared, pooled }
    children.push(shared.process, pooled.process)
  }
  const shots = await shotsOf(near, servers.beside!.shared.port)
  const meter = await databaseMeter(openPool({ connectionString: near, max: 1 }))
  const measure = async ({ port, process: { pid } }: Server, shot: () => Shot, how: object): Promise<Measured> => {
    const before = { server: processorMs(pid!), database: meter() }
    const figures = await load(port, shot, { ...how, seconds })
    const perCall = (ms: number) => ms / figures.asked
    return {
      ...figures,
      serverMs: perCall(processorMs(pid!) - before.server),
      databaseMs: perCall(meter() - before.database),
    }
  }
  for (const { shared, pooled } of Object.values(servers))
    for (const { port } of [shared, pooled])
      for (const shot of Object.values(shots)) await load(port, shot, { connections: 32, seconds: 1.5 })

  console.log(`\nMedian of ${rounds} interleaved rounds of ${seconds} s; shared / pooled, and what sharing saves`)
  for (const [network, url] of Object.entries(networks))
    console.log(`${network}: a round trip takes ${(await roundTripMs(url)).toFixed(2)} ms`)
  console.log(
    '\n| network | load | call | answers/s | p50 ms | p99 ms | CPU ms of server | CPU ms of database | failures |',
  )
  console.log('| --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |')
  for (const [network, { shared, pooled }] of Object.entries(servers))
    for (const [name, how] of Object.entries(LOADS).filter(([name]) => name.startsWith(values.only)))
      for (const [call, shot] of Object.entries(shots)) {
        const found = { shared: [] as Measured[], pooled: [] as Measured[] }
        for (let round = 0; round < rounds; round++) {
          const turns = [
            ['shared', shared],
            ['pooled', pooled],
          ] as const
          for (const [kind, server] of round % 2 ? turns : turns.toReversed())
            found[kind].push(await measure(server, shot, how))
        }
        const cell = (key: 'perSecond' | 'p50Ms' | 'p99Ms' | 'serverMs' | 'databaseMs') => {
          const digits = key === 'perSecond' ? 0 : 2
          const [one, other] = [found.shared, found.pooled].map((all) => median(all.map((each) => each[key])))
          const ratio = median(found.shared.map((each, n) => each[key] / found.pooled[n]![key]))
          return `${one!.toFixed(digits)} / ${other!.toFixed(digits)} = ${ratio.toFixed(2)}`
        }
        const failures = [...found.shared, ...found.pooled].reduce((sum, one) => sum + one.failures, 0)
        const cells = (['perSecond', 'p50Ms', 'p99Ms', 'serverMs', 'databaseMs'] as const).map(cell)
        console.log(`| ${[network, name, call, ...cells, failures].join(' | ')} |`)
      }
} finally {
  for (const child of children) child.kill('SIGTERM')
  await Promise.all(children.map(async (child) => child.exitCode ?? child.signalCode ?? once(child, 'exit')))
  await database.stop()
  rmSync(folder, { recursive: true, force: true })
}
process.exit(0)
