// npm run bench -- devices [--gateways 5000] [--seconds 15] [--commands 20] [--broker own|mosquitto]
// Many gateways at one broker and one node: commands over HTTP and doors that ask for entry, while people use lists.
// Lower bounds in the same run: a plain echo over the same broker, and the same lists before the devices connect.
import { randomUUID } from 'node:crypto'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { connectAsync, type MqttClient } from 'mqtt'
import { startEmbeddedPostgres } from '#apps/database/embedded-postgres.ts'
import { createOwnerPool, createPool } from '#kit/server/database/db.ts'
import { makeNode } from './chaos-world.ts'
import {
  gatewayName,
  gatewayRoot,
  gatewaySecret,
  layGateways,
  playFleet,
  signIn,
  startMosquitto,
  startOwnBroker,
  untilOnline,
  type DeviceBroker,
  type PlayedFleet,
} from './devices-world.ts'
import { benchFolder } from './folder.ts'
import { load } from './load.ts'

const { values } = parseArgs({
  options: {
    gateways: { type: 'string', default: '5000' },
    seconds: { type: 'string', default: '15' },
    commands: { type: 'string', default: '20' },
    broker: { type: 'string', default: 'own' },
  },
})
const [count, seconds, perSecond] = [Number(values.gateways), Number(values.seconds), Number(values.commands)]
const log = (line: string) => console.log(line)
const LIST = '/api/shop/shoppingOrder/web/boss/list?current=1&size=10'
const ECHOES = 150
/** People who open a list, read it for a second and open the next. */
const READERS = 50
/** Doors that this process plays itself, so that the time from question to answer can be measured. */
const DOORS = 10

const at = (times: number[], share: number) =>
  times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0
const ms = (value: number) => `${value.toFixed(1)} ms`
/** Resident memory in MB of a process on this machine. */
const megabytes = (pid: number) =>
  Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024)

async function deviceOf(url: string, n: number): Promise<MqttClient> {
  const name = gatewayName(n)
  const who = { clientId: name, username: name, password: gatewaySecret(n) }
  return quick(await connectAsync(url, { ...who, protocolVersion: 5 }))
}

function quick(client: MqttClient): MqttClient {
  ;(client.stream as { setNoDelay?: (isOn: boolean) => void }).setNoDelay?.(true)
  return client
}

/** Returns the milliseconds of echoes over the broker by a client that does nothing else. */
async function echoes({ officeUrl, deviceUrl }: DeviceBroker): Promise<number[]> {
  const root = gatewayRoot(count + 1)
  const office = quick(await connectAsync(officeUrl, { protocolVersion: 5 }))
  const device = await deviceOf(deviceUrl, count + 1)
  await device.subscribeAsync(`${root}/down/echo`, { qos: 1 })
  await office.subscribeAsync(`${root}/up/echo`, { qos: 1 })
  device.on('message', (_topic, payload) => device.publish(`${root}/up/echo`, payload, { qos: 1 }))
  const times: number[] = []
  for (let n = 0; n < ECHOES; n++) {
    const since = performance.now()
    await new Promise<void>((resolve) => {
      office.once('message', () => resolve())
      office.publish(`${root}/down/echo`, randomUUID(), { qos: 1 })
    })
    times.push(performance.now() - since)
  }
  await Promise.all([office.endAsync(), device.endAsync()])
  return times
}

/** Returns the milliseconds of durable single-row commits: the disk's share in what must not be lost. */
async function commits(): Promise<number[]> {
  const owner = createOwnerPool(database.url)
  await owner.query('create table bare_commit (id int)')
  const times: number[] = []
  for (let n = 0; n < ECHOES; n++) {
    const since = performance.now()
    await owner.query('insert into bare_commit values ($1)', [n])
    times.push(performance.now() - since)
  }
  await owner.query('drop table bare_commit')
  await owner.end()
  return times
}

const HEARTBEAT_MS = 40_000

type Timed = { times: number[]; failed: number }

/** Sends commands at an even pace. Returns how long the successful ones took. */
async function command(port: number, headers: Record<string, string>): Promise<Timed> {
  const timed: Timed = { times: [], failed: 0 }
  const all: Promise<void>[] = []
  for (let n = 0; n < perSecond * seconds; n++) {
    const since = performance.now()
    const path = `/api/shop/door/doorStatus?clientId=${gatewayName(1 + ((n * 7919) % count))}`
    const call = fetch(`http://127.0.0.1:${port}${path}`, { headers })
    all.push(
      call.then(async (answer) => {
        const { data } = (await answer.json()) as { data?: { stale?: boolean } }
        if (data?.stale === false) timed.times.push(performance.now() - since)
        else timed.failed++
      }),
    )
    await new Promise((resolve) => setTimeout(resolve, 1000 / perSecond))
  }
  await Promise.all(all)
  return timed
}

/** Sends customers to the doors one after the other. Returns how long until each door got its answer. */
async function enter({ deviceUrl }: DeviceBroker): Promise<Timed> {
  const timed: Timed = { times: [], failed: 0 }
  const end = performance.now() + seconds * 1000
  const door = async (n: number) => {
    // Spreads the doors over a second.
    await new Promise((resolve) => setTimeout(resolve, (1000 / DOORS) * (n % DOORS)))
    const [client, root] = [await deviceOf(deviceUrl, n), gatewayRoot(n)]
    await client.subscribeAsync(`${root}/down/answer`, { qos: 1 })
    for (let person = n; performance.now() < end; person += DOORS) {
      const since = performance.now()
      const answered = new Promise<boolean>((resolve) => {
        client.once('message', (_topic, payload) =>
          resolve((JSON.parse(payload.toString()) as DeviceReplyCode).code === 0),
        )
        setTimeout(resolve, 3_000, false)
      })
      const data = { doorNo: 1, openid: `demo-100001-${person % 100}` }
      const question = { id: randomUUID(), type: 'entry', data, ts: Date.now() }
      await client.publishAsync(`${root}/up/ask`, JSON.stringify(question), { qos: 1 })
      if (await answered) timed.times.push(performance.now() - since)
      else timed.failed++
      client.removeAllListeners('message')
      await new Promise((resolve) => setTimeout(resolve, 1000))
    }
    await client.endAsync()
  }
  await Promise.all(Array.from({ length: DOORS }, (_, n) => door(count + 2 + n)))
  return timed
}
type DeviceReplyCode = { code: number }

type Figures = { sent: number; heard: number }
const through = async (fleet: PlayedFleet) => {
  const { sent, heard } = await fleet.read<Figures>('/state')
  return sent + heard
}

const folder = benchFolder()
const database = await startEmbeddedPostgres({ dataDir: join(folder, 'postgres'), log: log })
const pool = createPool(database.url, { role: 'store_platform', max: 2 })
const broker = values.broker === 'mosquitto' ? await startMosquitto() : await startOwnBroker(pool)
let node: Awaited<ReturnType<typeof makeNode>> | undefined
let fleet: PlayedFleet | undefined
try {
  await layGateways(database.url, folder, { count: count + 1 + DOORS, days: 7 })
  const env = { DATABASE_URL: database.url, MQTT_URL: broker.officeUrl, SIMULATORS: 'off', LOG_LEVEL: 'fatal' }
  node = await makeNode(1, folder, { ...env, WORKERS: '1', RATE_LIMIT: '0' })
  await node.start()
  const { port } = node
  const headers = await signIn(port, 'wu')
  const lists = () => load(port, () => ({ path: LIST, headers }), { connections: 4, seconds })
  await lists()
  const without = await lists()
  const bare = await echoes(broker)
  const lean = megabytes(node.pid())
  fleet = await playFleet(broker.deviceUrl, { gateways: count })
  const came = await untilOnline(pool, count)
  log(`${count} gateways at ${broker.kind}, online after ${(came / 1000).toFixed(1)} s`)
  // Waits for a heartbeat of each device, so that clocks measured during the rush are measured again.
  await new Promise((resolve) => setTimeout(resolve, HEARTBEAT_MS))
  const bareEcho = await echoes(broker)
  const rows = await commits()
  const [before, since] = [await through(fleet), performance.now()]
  const withFleet = await lists()
  const alone = await command(port, headers)
  const reading = load(port, () => ({ path: LIST, headers }), { connections: READERS, seconds, pauseMs: 1000 })
  const [used, usedDoors, readers] = await Promise.all([command(port, headers), enter(broker), reading])
  const [commands, entries, all] = await Promise.all([command(port, headers), enter(broker), lists()])
  const rate = ((await through(fleet)) - before) / ((performance.now() - since) / 1000)
  log(`\n| | p50 | p99 | done, not |\n| --- | ---: | ---: | ---: |`)
  const line = (name: string, times: number[], failed = 0) =>
    log(`| ${name} | ${ms(at(times, 0.5))} | ${ms(at(times, 0.99))} | ${times.length}, ${failed} |`)
  line('bare echo, before the fleet', bare)
  line('bare echo, beside the fleet', bareEcho)
  line('bare row, kept by the disk, beside the fleet', rows)
  line(`command over HTTP to its result, ${perSecond} a second`, alone.times, alone.failed)
  line(`the same beside ${READERS} people at lists and ${DOORS} doors`, used.times, used.failed)
  line('door asks who may enter, beside both', usedDoors.times, usedDoors.failed)
  line('command beside lists without a pause and doors', commands.times, commands.failed)
  line('door asks, beside both', entries.times, entries.failed)
  const [half, floor] = [at(alone.times, 0.5), at(bareEcho, 0.5) + 2 * at(rows, 0.5)]
  log(`\ncommand / echo at p50: ${(half / at(bareEcho, 0.5)).toFixed(2)}`)
  log(`command / echo and the two rows it must not lose, at p50: ${(half / floor).toFixed(2)}`)
  for (const [what, figures] of Object.entries({
    'before the fleet': without,
    'beside the fleet': withFleet,
    readers,
    all,
  }))
    log(`list, ${what}: ${figures.perSecond.toFixed(0)} a second, ${ms(figures.p50Ms)}, ${ms(figures.p99Ms)}`)
  log(`list beside the fleet / before, p50: ${(withFleet.p50Ms / without.p50Ms).toFixed(2)}`)
  log(`${rate.toFixed(0)} messages of the fleet a second, both ways`)
  log(`the node: ${lean} MB before the fleet, ${megabytes(node.pid())} MB beside it`)
} finally {
  fleet?.stop()
  await node?.kill()
  await broker.close()
  await pool.end()
  await database.stop()
  rmSync(folder, { recursive: true, force: true })
}
