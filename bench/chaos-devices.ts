// npm run chaos -- devices [--commands 1000] [--servers 1] [--seed 7]
// Commands of all kinds to a street of gateways while messages are lost, doubled, late and out of order, devices lose
// their power and their lines, and servers are killed.
// In the end what the office says of each command is held against what the devices did.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { setTimeout as pause } from 'node:timers/promises'
import { startEmbeddedPostgres } from '#apps/database/embedded-postgres.ts'
import { createPool, type Pool } from '#kit/server/database/db.ts'
import { createRandom } from '#kit/server/random.ts'
import { lies, type Told } from '#simulators/gateways/judge.ts'
import type { Deed } from '#simulators/gateways/ledger.ts'
import { makeNode } from './chaos-world.ts'
import {
  gatewayName,
  hasMosquitto,
  layGateways,
  playFleet,
  powerGatewayName,
  signIn,
  startMosquitto,
  startOwnBroker,
  untilOnline,
  type PlayedFleet,
} from './devices-world.ts'
import { benchFolder } from './folder.ts'

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    commands: { type: 'string', default: '1000' },
    servers: { type: 'string', default: '1' },
    seed: { type: 'string', default: '7' },
  },
})
const [commands, servers] = [Number(values.commands), Number(values.servers)]
const random = createRandom(Number(values.seed))
const say = (line: string) => console.log(line)
const [GATEWAYS, POWER] = [40, 20]
const AT_A_TIME = 16
const names = [
  ...Array.from({ length: GATEWAYS }, (_, n) => gatewayName(n + 1)),
  ...Array.from({ length: POWER }, (_, n) => powerGatewayName(n + 1)),
]

type Node = Awaited<ReturnType<typeof makeNode>>
type Ask = { method: 'GET' | 'POST'; path: string; query: Record<string, string> }

const shop = () => ({ clientId: gatewayName(random.int(1, GATEWAYS)) })
const power = () => ({ clientId: powerGatewayName(random.int(1, POWER)) })
const control = (opt: string): Ask => ({
  method: 'POST',
  path: 'door/doorControl',
  query: { ...shop(), opt, durationSec: '3', wait: 'false' },
})
const KINDS: (() => Ask)[] = [
  () => control('open'),
  () => control('hold'),
  () => control('release'),
  () => ({ method: 'GET', path: 'door/doorStatus', query: shop() }),
  () => ({ method: 'GET', path: 'basicShopInfo/reboot', query: { ...shop(), type: '1' } }),
  () => ({ method: 'POST', path: 'epaGateway/syncTime', query: power() }),
  () => ({ method: 'POST', path: 'epaGateway/syncInfo', query: power() }),
  () => {
    const n = random.int(1, POWER)
    const query = { gatewayId: String(9_100_000_000 + n), clientId: `${powerGatewayName(n)}-S1`, opt: 'toggle' }
    return { method: 'POST', path: 'epaDevice/power', query }
  },
]

const WEATHER = [
  { faults: { drop: 0.1, duplicates: true }, share: 0.5 },
  { faults: { slow: 1_500 }, share: 0.2 },
  { faults: { reorder: true }, share: 0.2 },
  { faults: { clockError: 600_000 }, share: 0.2 },
  { faults: { deafAck: true }, share: 0.1 },
  { faults: { noResult: true }, share: 0.05 },
]
const CALM = Object.fromEntries(
  ['drop', 'duplicates', 'slow', 'reorder', 'deafAck', 'noResult'].map((name) => [name, null]),
)

const count = async (pool: Pool, where = 'true') =>
  (await pool.query<{ n: number }>(`select count(*)::int as n from device_command where ${where}`)).rows[0]!.n

/** How many each server has said were done. */
const answered = new Map<Node, number>()

/** One after the other until there are enough of them; what a server that has just died knew is asked of nobody. */
async function askOn(nodes: Node[], headers: Record<string, string>, isEnough: () => boolean): Promise<void> {
  while (!isEnough()) {
    const node = random.pick(nodes)
    const { method, path, query } = random.pick(KINDS)()
    const url = `http://127.0.0.1:${node.port}/api/shop/${path}?${new URLSearchParams(query)}`
    const answer = await fetch(url, { method, headers, signal: AbortSignal.timeout(30_000) }).catch(() => undefined)
    if (answer?.ok) answered.set(node, (answered.get(node) ?? 0) + 1)
    else if (!answer) await pause(100)
  }
}

/** Now and then a device loses its power or its line, and servers are killed on the way. */
async function strike(pool: Pool, fleet: PlayedFleet, nodes: Node[], isEnough: () => boolean): Promise<number> {
  const blows = servers > 1 ? [0.5] : [0.2, 0.4, 0.6, 0.8]
  let killed = 0
  while (!isEnough()) {
    const clientIds = [random.pick(names)]
    await fleet.order({ clientIds, faults: random.chance(0.5) ? { powerCut: 2 } : { lateWill: 1_500 } })
    if ((await count(pool)) > commands * (blows[killed] ?? 2)) {
      const node = nodes[killed++ % nodes.length]!
      await node.kill()
      say(`${node.name} killed after ${await count(pool)} commands`)
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

async function judge(pool: Pool, fleet: PlayedFleet): Promise<string[]> {
  const { rows } = await pool.query<Told>(`select id::text, method, state,
    (extract(epoch from expire_time) * 1000)::float8 as "expiresAt" from device_command`)
  const deeds = new Map<string, Deed>()
  for (const name of names)
    for (const deed of (await fleet.read<{ deeds: Deed[] }>(`/gateways/${name}`)).deeds) deeds.set(deed.id, deed)
  const methods = Map.groupBy(rows, ({ method }) => method)
  for (const [method, all] of methods) {
    const states = Map.groupBy(all, ({ state }) => state)
    say(`${method}: ${[...states].map(([state, { length }]) => `${length} ${state}`).join(', ')}`)
  }
  return lies(rows, deeds)
}

const folder = benchFolder()
const database = await startEmbeddedPostgres({ dataDir: join(folder, 'postgres'), log: say })
const pool = createPool(database.url, { role: 'store_platform', max: 3 })
const isOutside = servers > 1 && hasMosquitto()
if (servers > 1 && !isOutside) say('There is no mosquitto on this machine: the servers share the embedded broker.')
const broker = isOutside ? await startMosquitto() : await startOwnBroker(pool)
const nodes: Node[] = []
let fleet: PlayedFleet | undefined
let faults: string[] = []
try {
  await layGateways(database.url, folder, { count: GATEWAYS, powerGateways: POWER, days: 1 })
  const env = { DATABASE_URL: database.url, MQTT_URL: broker.officeUrl, SIMULATORS: 'off', LOG_LEVEL: 'fatal' }
  for (let n = 1; n <= servers; n++)
    nodes.push(await makeNode(n, folder, { ...env, WORKERS: '1', RATE_LIMIT: '0', SECRETS_KEY: 'devices' }))
  for (const node of nodes) await node.start()
  const headers = await signIn(nodes[0]!.port, 'wu')
  fleet = await playFleet(broker.deviceUrl, GATEWAYS, POWER)
  await untilOnline(pool, names.length)
  say(`${servers} servers, ${names.length} devices at ${broker.kind}`)
  for (const order of WEATHER) await fleet.order(order)
  let asked = 0
  const isEnough = () => asked >= commands
  const counting = setInterval(() => void count(pool).then((n) => (asked = n)), 200)
  const asking = Array.from({ length: AT_A_TIME }, () => askOn(nodes, headers, isEnough))
  await Promise.all([...asking, strike(pool, fleet, nodes, isEnough)])
  clearInterval(counting)
  await fleet.order({ faults: CALM })
  await untilNone(pool, `state in ('asked', 'sent', 'taken')`, 150_000)
  // Whoever comes back is asked what became of what nobody confirmed.
  await fleet.order({ faults: { lateWill: 500 } })
  await untilNone(pool, `state in ('asked', 'sent', 'taken', 'unknown')`, 60_000)
  faults = await judge(pool, fleet)
  for (const node of nodes) say(`${node.name} has answered ${answered.get(node) ?? 0}`)
} finally {
  fleet?.stop()
  for (const node of nodes) await node.kill()
  await broker.close()
  await pool.end()
  await database.stop()
  rmSync(folder, { recursive: true, force: true })
}
for (const fault of faults) say(`WRONG: ${fault}`)
if (!faults.length) say('None is said to be done that was not, none came late, none twice, and each has an end.')
process.exit(faults.length ? 1 : 0)
