import { BENCH_START, CHAOS_MARK } from './folder.ts'
// What `npm run chaos` breaks: processes of the product, a database, Redis, a broker and a disk, all started for it on
// loopback.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createServerApp, type ServerApp } from '#apps/server/src/app.ts'
import { withSeedLock, seedDatabaseOnce, readSeedState } from '#apps/server/src/seed-once.ts'
import { startEmbeddedPostgres } from '#apps/database/embedded-postgres.ts'
import { findFreePort } from '#apps/database/embedded-postgres-process.ts'
import { migrate } from '#kit/server/database/migrate.ts'
import type { MakePair, Pair } from './chaos-pair.ts'
import { startProxy, type Proxy } from './chaos-proxy.ts'
import { startReaper } from '#tests/support/process-reaper.ts'
import { startS3Simulator } from '#simulators/s3/s3.simulator.ts'
import { startPaymentChannel, type SimulatedChannel } from '#simulators/payments/payments.simulator.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const DISK_MB = 1500
// The same key as the nodes', so that this process can decrypt their secrets.
process.env.SECRETS_KEY = 'chaos-'.repeat(6)

/** A process that can be killed and started again on the same port. */
export type Part = { name: string; port: number; kill: () => Promise<void>; start: () => Promise<void> }
/**
 * A process of the product. `stop` ends it gracefully; `become` runs the version in another folder from the next start
 * on.
 */
type Node = Part & { pid: () => number; stop: () => Promise<void>; become: (root: string) => void }
export type World = {
  app: ServerApp
  url: string
  channel: SimulatedChannel
  nodes: Node[]
  /** Addresses that the trade calls in turn. */
  doors: string[]
  pair?: Pair
  /** Uses the nodes that are ready. */
  proxy: Proxy
  /** Undefined: Redis is not installed on this machine. */
  redis?: Part
  broker?: Part
  store: Part
  disk?: { fill: () => void; free: () => void }
  killDatabase: () => unknown
  close: () => Promise<void>
}

const has = (program: string) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0

type Ended = Part & { pid: () => number; stop: () => Promise<void> }

function part(name: string, port: number, launch: () => ChildProcess, isUp: () => Promise<boolean>): Ended {
  let child: ChildProcess | undefined
  process.on('exit', () => child?.kill('SIGKILL'))
  const isOver = () => !child || child.exitCode !== null || child.signalCode !== null
  const end = async (signal: NodeJS.Signals) => {
    if (isOver()) return
    const gone = once(child!, 'exit')
    child!.kill(signal)
    await gone
  }
  return {
    name,
    port,
    pid: () => child!.pid!,
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
    start: async () => {
      child = launch()
      const until = Date.now() + 120_000
      while (!(await isUp().catch(() => false))) {
        if (isOver()) throw new Error(`${name} ended with ${child.exitCode ?? child.signalCode}`)
        if (Date.now() > until) throw new Error(`${name} does not come up`)
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
    },
  }
}

const answers = async (port: number) => {
  await fetch(`http://127.0.0.1:${port}/`, { signal: AbortSignal.timeout(300) }).catch((error: Error) => {
    // A broker or database hangs up on HTTP or says nothing: any error but a refused connection means that it runs.
    if (String((error.cause as { code?: string } | undefined)?.code) === 'ECONNREFUSED') throw error
  })
  return true
}

async function sidePart(program: string, args: (port: number) => string[]): Promise<Part | undefined> {
  if (!has(program)) return undefined
  const port = await findFreePort()
  const side = part(
    program,
    port,
    () => spawn(program, args(port), { stdio: 'ignore' }),
    () => answers(port),
  )
  await side.start()
  return side
}

/**
 * Cleanup: PostgreSQL's processes have sessions of their own and an empty environment, so they are found by the folder;
 * the disk is unmounted.
 */
const REMOVE = `
for file in "$2"/*/cluster/postmaster.pid; do
  pid=$(head -n 1 "$file") && grep -qaF "$2" "/proc/$pid/cmdline" && kill -9 "$pid"
done
sleep 1
umount -l "$2"
rm -rf "$2"`

/** Mounts a small disk where that is possible, else makes an ordinary folder without `disk`. */
function makeFolder(log: (line: string) => void): { folder: string; disk?: World['disk']; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'store-chaos-'))
  spawnSync('chmod', ['755', folder])
  startReaper(CHAOS_MARK, folder, REMOVE)
  const mounted =
    process.getuid?.() === 0 &&
    spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MB}m,mode=755`, 'tmpfs', folder]).status === 0
  if (!mounted) log('No disk can be mounted here (that takes root on Linux): the disk that fills up is left out.')
  const filler = join(folder, 'filler')
  const remove = () => {
    if (mounted) spawnSync('umount', ['-l', folder])
    rmSync(folder, { recursive: true, force: true })
  }
  process.on('exit', remove)
  return {
    folder,
    ...(mounted
      ? {
          disk: {
            fill: () => void spawnSync('dd', ['if=/dev/zero', `of=${filler}`, 'bs=1M']),
            free: () => rmSync(filler, { force: true }),
          },
        }
      : {}),
    remove,
  }
}

/** Starts the product in a process of its own. */
export async function makeNode(n: number, folder: string, env: NodeJS.ProcessEnv): Promise<Node> {
  let root = ROOT
  const port = await findFreePort()
  const dataDir = join(folder, `node${n}`)
  mkdirSync(dataDir)
  const launch = () => {
    const log = openSync(join(tmpdir(), `store-chaos-node${n}.log`), 'a')
    const settings = { ...process.env, ...env, DATA_DIR: dataDir, PORT: String(port), HOST: '127.0.0.1' }
    const main = join(root, 'apps/server/src/main.ts')
    return spawn(process.execPath, ['--disable-warning=ExperimentalWarning', main], {
      env: settings,
      stdio: ['ignore', log, log],
    })
  }
  const isUp = async () => {
    const url = `http://127.0.0.1:${port}/api/blade-auth/oauth/captcha`
    return (await fetch(url, { signal: AbortSignal.timeout(10_000) })).status === 200
  }
  return { ...part(`node ${n}`, port, launch, isUp), become: (other) => (root = other) }
}

const SETTINGS = { max_wal_size: '128MB', min_wal_size: '64MB', shared_buffers: '128MB' }

async function makeDatabase(folder: string, makePair: MakePair | undefined, log: (line: string) => void) {
  if (makePair) {
    const pair = await makePair(folder, SETTINGS)
    return { pair, url: pair.url, killDatabase: pair.killPrimary, stop: pair.stop }
  }
  const dataDir = join(folder, 'postgres')
  const { url, stop } = await startEmbeddedPostgres({ dataDir, settings: SETTINGS, log: log })
  const pid = () => Number(readFileSync(join(dataDir, 'cluster', 'postmaster.pid'), 'utf8').split('\n')[0])
  return { url, stop, killDatabase: () => void process.kill(pid(), 'SIGKILL') }
}

/** Starts an object store that can be down and keeps its objects. */
async function makeStore(): Promise<{ store: Part; env: Record<string, string> }> {
  const simulator = await startS3Simulator()
  const { url, keys } = simulator
  const env = {
    S3_ENDPOINT: url,
    S3_BUCKET: 'chaos',
    S3_ACCESS_KEY: keys.accessKey,
    S3_SECRET_KEY: keys.secretKey,
  }
  const port = Number(new URL(url).port)
  return { store: { name: 'object store', port, kill: () => simulator.away(), start: () => simulator.back() }, env }
}

type ProxyOptions = { nodes: number; makePair: MakePair }

/** Creates two nodes on one database, or several behind a proxy on a database with a standby. */
export async function makeWorld(log: (line: string) => void, proxyOptions?: ProxyOptions): Promise<World> {
  const { folder, disk, remove } = makeFolder(log)
  const { stop: stopDatabase, ...database } = await makeDatabase(folder, proxyOptions?.makePair, log)
  await migrate(database.url, new URL('../migrations/', import.meta.url))
  const channel = await startPaymentChannel()
  const config = {
    ...BENCH_START,
    dataDir: join(folder, 'own'),
    databaseUrl: database.url,
  }

  const app = await createServerApp(config, { DB_POOL: '6', LOG_LEVEL: 'silent' })
  await withSeedLock(database.url, log, async () =>
    seedDatabaseOnce(app, await readSeedState(database.url, 'demo'), () => {}, { days: 1 }),
  )
  const redis = await sidePart('redis-server', (port) => ['--port', String(port), '--save', '', '--appendonly', 'no'])
  const conf = join(folder, 'mosquitto.conf')
  writeFileSync(conf, 'allow_anonymous true\n')

  const broker = await sidePart('mosquitto', (port) => ['-p', String(port)])
  if (!redis) log('There is no redis-server on this machine: the database does its work, and it cannot be killed.')
  if (!broker) log('There is no mosquitto on this machine: each node has its own broker, which dies with it.')
  const { store, env: storeEnv } = await makeStore()
  const env = {
    ...storeEnv,
    DATABASE_URL: database.url,
    SIMULATORS: 'off',
    WORKERS: '1',
    PAYMENT_CHANNEL_URL: channel.url,
    LOG_LEVEL: 'warn',
    RATE_LIMIT: '0',
    JOB_LEASE: '3',
    ...(proxyOptions ? { DRAIN: '2', TRUST_PROXY: 'loopback' } : {}),
    ...(redis ? { REDIS_URL: `redis://127.0.0.1:${redis.port}` } : {}),
    ...(broker ? { MQTT_URL: `mqtt://127.0.0.1:${broker.port}` } : {}),
  }

  const nodes: Node[] = []
  for (let n = 1; n <= (proxyOptions?.nodes ?? 2); n++) nodes.push(await makeNode(n, folder, env))
  await Promise.all(nodes.map((node) => node.start()))
  const proxy = await startProxy(nodes)

  return {
    app,
    ...database,
    channel,
    nodes,
    doors: proxyOptions ? [proxy.url] : nodes.map(({ port }) => `http://127.0.0.1:${port}`),
    proxy,
    redis,
    broker,
    store,
    disk,
    close: async () => {
      proxy.close()
      for (const one of [...nodes, redis, broker, store]) await one?.kill()
      await app.stop().catch(() => {})
      await channel.close()
      await stopDatabase()
      remove()
    },
  }
}
