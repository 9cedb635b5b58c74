// npm run chaos -- devices [--commands 1000] [--servers 1] [--seed 7] [--database postgres://…] [--broker mqtt://…]
// Sends commands of all kinds to simulated devices while messages are lost, duplicated, delayed and reordered, devices
// lose power and connection, and servers are killed. In the end, the state of each command on the server is compared
// with what the device did.
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { setTimeout as pause } from 'node:timers/promises'
import { startEmbeddedPostgres } from '#apps/database/embedded-postgres.ts'
import { createDatabase, databaseUrl, dropDatabase } from '#apps/database/test-cluster.ts'
import { createPool, type Pool } from '#kit/server/database/db.ts'
import { createRandom } from '#kit/server/base/random.ts'
import { lies, type FinalCommand } from '#simulators/gateways/judge.ts'
import type { ReceivedCommand } from '#simulators/gateways/ledger.ts'
import {
  beginRollout,
  kindsOf,
  layThings,
  namesOfAll,
  printedTwice,
  settingsFaults,
  SHOPS,
  type ChaosCall,
} from './chaos-kinds.ts'
import { makeNode } from './chaos-world.ts'
import {
  hasMosquitto,
  layGateways,
  playFleet,
  runningMosquitto,
  signIn,
  startMosquitto,
  startOwnBroker,
  untilOnline,
  type DeviceBroker,
  type PlayedFleet,
} from './devices-world.ts'
import { benchFolder } from './folder.ts'

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    commands: { type: 'string', default: '1000' },
    servers: { type: 'string', default: '1' },
    seed: { type: 'string', default: '7' },
    database: { type: 'string' },
    broker: { type: 'string' },
  },
})
const [commands, servers] = [Number(values.commands), Number(values.servers)]
const random = createRandom(Number(values.seed))
const log = (line: string) => console.log(line)
const AT_A_TIME = 16

type Node = Awaited<ReturnType<typeof makeNode>>
type Kinds = ReturnType<typeof kindsOf>

const WEATHER = [
  { faults: { drop: 0.1, duplicates: true }, share: 0.5 },
  { faults: { slow: 1_500 }, share: 0.2 },
  { faults: { reorder: true }, share: 0.2 },
  { faults: { clockError: 600_000 }, share: 0.2 },
  { faults: { deafAck: true }, share: 0.1 },
  { faults: { noResult: true }, share: 0.05 },
  { faults: { paperOut: true }, share: 0.1 },
  { faults: { tagRefuses: 0.5 }, share: 0.2 },
  { faults: { upgrade: 'rollback' }, share: 0.1 },
]
const CALM = Object.fromEntries(
  ['drop', 'duplicates', 'slow', 'reorder', 'deafAck', 'noResult'].map((name) => [name, null]),
)

const count = async (pool: Pool, where = 'true') =>
  (await pool.query<{ n: number }>(`select count(*)::int as n from device_command where ${where}`)).rows[0]!.n

/** Excludes commands refused before they were sent, to an offline or busy device: they test nothing. */
const LEFT = `not (state = 'refused' and tries = 0)`

/** Commands that each server has answered as done. */
const answered = new Map<Node, number>()

/** Calls one of the servers. Calls in progress on a server that dies are lost and not repeated. */
const askAt =
  (nodeOf: () => Node, headers: Record<string, string>): ChaosCall =>
  async (method, path, query = {}, body) => {
    const node = nodeOf()
    const named = Object.entries(query).map(([name, value]) => [name, String(value)])
    const url = `http://127.0.0.1:${node.port}/api/shop/${path}?${new URLSearchParams(named)}`
    const answer = await fetch(url, {
      method,
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(90_000),
    }).catch(() => undefined)
    if (!answer) return void (await pause(100))
    if (!answer.ok) return undefined
    answered.set(node, (answered.get(node) ?? 0) + 1)
    return ((await answer.json()) as { data?: Record<string, any> }).data
  }

async function askOn(ask: ChaosCall, kinds: Kinds, isEnough: () => boolean): Promise<void> {
  while (!isEnough()) await random.pick(kinds)(ask)
}

/** Cuts power or connection of random devices, and kills servers at certain points. */
async function strike(pool: Pool, fleet: PlayedFleet, nodes: Node[], isEnough: () => boolean): Promise<number> {
  const blows = servers > 1 ? [0.5] : [0.2, 0.4, 0.6, 0.8]
  let killed = 0
  while (!isEnough()) {
    const clientIds = [random.pick(namesOfAll)]
    await fleet.order({ clientIds, faults: random.chance(0.5) ? { powerCut: 2 } : { lateWill: 1_500 } })
    if ((await count(pool, LEFT)) > commands * (blows[killed] ?? 2)) {
      const node = nodes[killed++ % nodes.length]!
      await node.kill()
      log(`${node.name} killed after ${await count(pool, LEFT)} commands`)
      if (servers === 1) await node.start()
    }
    await pause(400)
  }
  return killed
}

async function untilNone(pool: Pool, where: string, maxMs: number): Promise<void> {
  const end = performance.now() + maxMs
  while ((await count(pool, where)) && performance.now() < end) await pause(250)
}

async function judge(pool: Pool, fleet: PlayedFleet, created: string): Promise<string[]> {
  const { rows } = await pool.query<FinalCommand>(`select id::text, method, state,
    (extract(epoch from expire_time) * 1000)::float8 as "expiresAt" from device_command where ${created}`)
  const received = new Map<string, ReceivedCommand>()
  const twice: string[] = []
  for (const name of namesOfAll) {
    const one = await fleet.read<Seen>(`/gateways/${name}`)
    for (const command of one.deeds) received.set(command.id, command)
    twice.push(...printedTwice(name, one.acts))
  }
  for (const [method, all] of Map.groupBy(rows, (row) => row.method)) {
    const states = Map.groupBy(all, ({ state }) => state)
    log(`${method}: ${[...states].map(([state, { length }]) => `${length} ${state}`).join(', ')}`)
  }
  log(
    `${rows.length} created, ${received.size} received by devices, ` +
      `${[...received.values()].filter(isDone).length} carried out`,
  )
  return [...lies(rows, received), ...twice, ...(await settingsFaults(pool, await fleet.read('/gateways')))]
}
type Seen = { deeds: ReceivedCommand[]; acts: { what: string; data: Record<string, unknown> }[] }
const isDone = ({ executed }: ReceivedCommand) => executed > 0

/** Creates a database on the server of `--database`, or starts an embedded one. */
async function makeDatabase(folder: string): Promise<{ url: string; stop: () => Promise<void> }> {
  const { database: running } = values
  if (!running) return startEmbeddedPostgres({ dataDir: join(folder, 'postgres'), log: log })
  const name = `chaos_${process.pid}`
  await createDatabase(running, name)
  return { url: databaseUrl(running, name), stop: () => dropDatabase(running, name) }
}

async function makeBroker(pool: Pool): Promise<DeviceBroker> {
  if (values.broker) return runningMosquitto(values.broker)
  if (servers > 1 && hasMosquitto()) return startMosquitto()
  if (servers > 1) log('There is no mosquitto on this machine: the servers share the embedded broker.')
  return startOwnBroker(pool)
}

/** Starts servers that share one database and one folder of files. */
async function makeNodes(folder: string, url: string, broker: DeviceBroker): Promise<Node[]> {
  const env: NodeJS.ProcessEnv = {
    DATABASE_URL: url,
    MQTT_URL: broker.officeUrl,
    SIMULATORS: 'off',
    LOG_LEVEL: 'fatal',
  }
  Object.assign(env, { WORKERS: '1', RATE_LIMIT: '0' })
  mkdirSync(join(folder, 'files'))
  const nodes: Node[] = []
  for (let n = 1; n <= servers; n++) {
    nodes.push(await makeNode(n, folder, env))
    symlinkSync(join(folder, 'files'), join(folder, `node${n}`, 'files'))
  }
  // Devices download from the last server, which is not killed while there are others.
  env.PUBLIC_URL = `http://127.0.0.1:${nodes.at(-1)!.port}`
  for (const node of nodes) await node.start()
  return nodes
}

/** Sends the wanted number of commands while faults are injected. */
async function play(pool: Pool, fleet: PlayedFleet, nodes: Node[], { ask, kinds }: { ask: ChaosCall; kinds: Kinds }) {
  let left = 0
  const isEnough = () => left >= commands
  const counting = setInterval(() => void count(pool, LEFT).then((n) => (left = n)), 200)
  const asking = Array.from({ length: AT_A_TIME }, () => askOn(ask, kinds, isEnough))
  await Promise.all([...asking, strike(pool, fleet, nodes, isEnough)])
  clearInterval(counting)
}

const folder = benchFolder()
const database = await makeDatabase(folder)
const pool = createPool(database.url, { role: 'store_platform', max: 3 })
await layGateways(database.url, folder, { ...SHOPS, count: SHOPS.gateways, days: 1 })
const broker = await makeBroker(pool)
let nodes: Node[] = []
let fleet: PlayedFleet | undefined
let faults: string[] = []
try {
  nodes = await makeNodes(folder, database.url, broker)
  const headers = await signIn(nodes[0]!.port, 'wu')
  const ask = askAt(() => random.pick(nodes), headers)
  const things = await layThings(pool, ask, `http://127.0.0.1:${nodes[0]!.port}`, headers)
  const upgradeKey = join(folder, 'upgrade.pem')
  writeFileSync(upgradeKey, things.upgradeKey)
  fleet = await playFleet(broker.deviceUrl, { ...SHOPS, upgradeKey })
  await untilOnline(pool, namesOfAll.length)
  log(`${servers} servers, ${namesOfAll.length} devices at ${broker.kind}`)
  for (const order of WEATHER) await fleet.order(order)
  const stopRollout = await beginRollout(ask, things.programIds[0]!)
  await play(pool, fleet, nodes, { ask, kinds: kindsOf(random, things) })
  if (servers > 1) nodes = nodes.slice(1)
  await stopRollout()
  await fleet.order({ faults: CALM })
  // Commands created later are not waited for: failed tags are retried automatically.
  const created = `create_time <= '${new Date().toISOString()}'`
  await untilNone(pool, `${created} and state in ('asked', 'sent', 'taken')`, 30_000)
  // A device that reconnects is asked for the result of commands without a confirmation.
  await fleet.order({ faults: { lateWill: 500 } })
  await untilNone(pool, `${created} and state in ('asked', 'sent', 'taken', 'unknown')`, 120_000)
  faults = await judge(pool, fleet, created)
  for (const [node, n] of answered) log(`${node.name} has answered ${n}`)
} finally {
  fleet?.stop()
  for (const node of nodes) await node.kill()
  await broker.close()
  await pool.end()
  await database.stop()
  rmSync(folder, { recursive: true, force: true })
}
for (const fault of faults) log(`WRONG: ${fault}`)
if (!faults.length) log('None is said to be done that was not, none came late, none twice, and each has an end.')
process.exit(faults.length ? 1 : 0)
