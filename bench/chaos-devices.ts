// npm run chaos -- devices [--commands 1000] [--servers 1] [--seed 7] [--database postgres://…] [--broker mqtt://…]
// Commands of all kinds to a street of devices while messages are lost, doubled, late and out of order, devices lose
// their power and their lines, and servers are killed.
// In the end what the office says of each command is held against what the devices did.
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { setTimeout as pause } from 'node:timers/promises'
import { startEmbeddedPostgres } from '#apps/database/embedded-postgres.ts'
import { createDatabase, databaseUrl, dropDatabase } from '#apps/database/test-cluster.ts'
import { createPool, type Pool } from '#kit/server/database/db.ts'
import { createRandom } from '#kit/server/random.ts'
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

/** Refused before they were sent, to a device that is away or busy, they put nothing to the test. */
const LEFT = `not (state = 'refused' and tries = 0)`

/** How many each server has said were done. */
const answered = new Map<Node, number>()

/** One call at one of the servers; what a server that has just died knew is asked of nobody. */
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

/** Now and then a device loses its power or its line, and servers are killed on the way. */
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

async function judge(pool: Pool, fleet: PlayedFleet, asked: string): Promise<string[]> {
  const { rows } = await pool.query<FinalCommand>(`select id::text, method, state,
    (extract(epoch from expire_time) * 1000)::float8 as "expiresAt" from device_command where ${asked}`)
  const deeds = new Map<string, ReceivedCommand>()
  const twice: string[] = []
  for (const name of namesOfAll) {
    const one = await fleet.read<Seen>(`/gateways/${name}`)
    for (const deed of one.deeds) deeds.set(deed.id, deed)
    twice.push(...printedTwice(name, one.acts))
  }
  for (const [method, all] of Map.groupBy(rows, (row) => row.method)) {
    const states = Map.groupBy(all, ({ state }) => state)
    log(`${method}: ${[...states].map(([state, { length }]) => `${length} ${state}`).join(', ')}`)
  }
  log(`${rows.length} asked, ${deeds.size} heard by devices, ${[...deeds.values()].filter(isDone).length} carried out`)
  return [...lies(rows, deeds), ...twice, ...(await settingsFaults(pool, await fleet.read('/gateways')))]
}
type Seen = { deeds: ReceivedCommand[]; acts: { what: string; data: Record<string, unknown> }[] }
const isDone = ({ executed }: ReceivedCommand) => executed > 0

/** A database of our own in one that runs already, or in one that is started for it. */
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

/** Servers on one database, with one folder of files between them. */
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
  // Where devices load from: the last one, which is not killed while there are others.
  env.PUBLIC_URL = `http://127.0.0.1:${nodes.at(-1)!.port}`
  for (const node of nodes) await node.start()
  return nodes
}

/** Asks for as many commands as are wanted while everything breaks. */
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
  // Tags that failed are tried again by themselves: what is asked for from now on is not waited for.
  const asked = `create_time <= '${new Date().toISOString()}'`
  await untilNone(pool, `${asked} and state in ('asked', 'sent', 'taken')`, 30_000)
  // Whoever comes back is asked what became of what nobody confirmed.
  await fleet.order({ faults: { lateWill: 500 } })
  await untilNone(pool, `${asked} and state in ('asked', 'sent', 'taken', 'unknown')`, 120_000)
  faults = await judge(pool, fleet, asked)
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
