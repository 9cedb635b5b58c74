import { BENCH_START } from './folder.ts'
// What `npm run chaos` breaks: processes of the product, its database, Redis, a broker and a disk, all of its own and
// on loopback.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createApp, type App } from '#apps/server/src/app.ts'
import { inTurn, prepare, storyOf } from '#apps/server/src/first-start.ts'
import { startEmbeddedPostgres, type EmbeddedPostgres } from '#apps/database/embedded-postgres.ts'
import { freePort } from '#apps/database/embedded-postgres-process.ts'
import { migrate } from '#kit/server/database/migrate.ts'
import { startPaymentChannel, type SimulatedChannel } from '#simulators/payments/payments.simulator.ts'

const MAIN = fileURLToPath(new URL('../apps/server/src/main.ts', import.meta.url))
const DISK_MB = 1500

/** A process that is killed and started again, always at the same port. */
export type Part = { name: string; port: number; kill: () => Promise<void>; start: () => Promise<void> }
export type World = {
  app: App
  database: EmbeddedPostgres
  channel: SimulatedChannel
  nodes: Part[]
  /** undefined: not on this machine. */
  redis?: Part
  broker?: Part
  disk?: { fill: () => void; free: () => void }
  killDatabase: () => void
  close: () => Promise<void>
}

const has = (program: string) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0

function part(name: string, port: number, launch: () => ChildProcess, isUp: () => Promise<boolean>): Part {
  let child: ChildProcess | undefined
  process.on('exit', () => child?.kill('SIGKILL'))
  return {
    name,
    port,
    kill: async () => {
      if (!child || child.exitCode !== null || child.signalCode) return
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
    },
    start: async () => {
      child = launch()
      const until = Date.now() + 120_000
      while (!(await isUp().catch(() => false))) {
        if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode}`)
        if (Date.now() > until) throw new Error(`${name} does not come up`)
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
    },
  }
}

const answers = async (port: number) => {
  await fetch(`http://127.0.0.1:${port}/`, { signal: AbortSignal.timeout(300) }).catch((error: Error) => {
    // Whoever speaks another protocol hangs up or says nothing; nobody there refuses.
    if (String((error.cause as { code?: string } | undefined)?.code) === 'ECONNREFUSED') throw error
  })
  return true
}

async function sidePart(program: string, args: (port: number) => string[]): Promise<Part | undefined> {
  if (!has(program)) return undefined
  const port = await freePort()
  const side = part(
    program,
    port,
    () => spawn(program, args(port), { stdio: 'ignore' }),
    () => answers(port),
  )
  await side.start()
  return side
}

/** A small disk of its own where one may be mounted; else an ordinary folder, and no disk to fill. */
function makeFolder(say: (line: string) => void): { folder: string; disk?: World['disk']; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'store-chaos-'))
  spawnSync('chmod', ['755', folder])
  const mounted =
    process.getuid?.() === 0 &&
    spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MB}m,mode=755`, 'tmpfs', folder]).status === 0
  if (!mounted) say('No disk can be mounted here (that takes root on Linux): the disk that fills up is left out.')
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

/** The product as a process of its own. */
export async function makeNode(n: number, folder: string, env: NodeJS.ProcessEnv): Promise<Part> {
  const port = await freePort()
  const dataDir = join(folder, `node${n}`)
  mkdirSync(dataDir)
  const launch = () => {
    const log = openSync(join(tmpdir(), `store-chaos-node${n}.log`), 'a')
    const settings = { ...process.env, ...env, DATA_DIR: dataDir, PORT: String(port), HOST: '127.0.0.1' }
    return spawn(process.execPath, ['--disable-warning=ExperimentalWarning', MAIN], {
      env: settings,
      stdio: ['ignore', log, log],
    })
  }
  const isUp = async () => (await fetch(`http://127.0.0.1:${port}/api/blade-auth/oauth/captcha`)).status === 200
  return part(`node ${n}`, port, launch, isUp)
}

export async function makeWorld(say: (line: string) => void): Promise<World> {
  const { folder, disk, remove } = makeFolder(say)
  const dataDir = join(folder, 'postgres')
  const settings = { max_wal_size: '128MB', min_wal_size: '64MB', shared_buffers: '128MB' }
  const database = await startEmbeddedPostgres({ dataDir, settings, log: say })
  await migrate(database.url, new URL('../migrations/', import.meta.url))
  const channel = await startPaymentChannel()
  const config = {
    ...BENCH_START,
    dataDir: join(folder, 'own'),
    databaseUrl: database.url,
  }
  const app = await createApp(config, { DB_POOL: '6', LOG_LEVEL: 'silent' })
  await inTurn(database.url, say, async () => prepare(app, await storyOf(database.url, 'demo'), () => {}, { days: 1 }))
  const redis = await sidePart('redis-server', (port) => ['--port', String(port), '--save', '', '--appendonly', 'no'])
  const conf = join(folder, 'mosquitto.conf')
  writeFileSync(conf, 'allow_anonymous true\n')
  const broker = await sidePart('mosquitto', (port) => ['-p', String(port)])
  if (!redis) say('There is no redis-server on this machine: the database does its work, and it cannot be killed.')
  if (!broker) say('There is no mosquitto on this machine: each node has its own broker, which dies with it.')
  const env = {
    DATABASE_URL: database.url,
    SIMULATORS: 'off',
    PAYMENT_CHANNEL_URL: channel.url,
    LOG_LEVEL: 'warn',
    RATE_LIMIT: '0',
    JOB_LEASE: '3',
    SECRETS_KEY: 'chaos',
    ...(redis ? { REDIS_URL: `redis://127.0.0.1:${redis.port}` } : {}),
    ...(broker ? { MQTT_URL: `mqtt://127.0.0.1:${broker.port}` } : {}),
  }
  const nodes = [await makeNode(1, folder, env), await makeNode(2, folder, env)]
  await Promise.all(nodes.map((node) => node.start()))
  return {
    app,
    database,
    channel,
    nodes,
    redis,
    broker,
    disk,
    killDatabase: () =>
      process.kill(Number(readFileSync(join(dataDir, 'cluster', 'postmaster.pid'), 'utf8').split('\n')[0]), 'SIGKILL'),
    close: async () => {
      for (const one of [...nodes, redis, broker]) await one?.kill()
      await app.stop().catch(() => {})
      await channel.close()
      await database.stop()
      remove()
    },
  }
}
