// npm run bench -- devices [--gateways 5000] [--seconds 15] [--commands 20]
// So many gateways at one broker and one node, commands over HTTP beside people at their lists. Floors in the same
// run: a bare echo over the same broker, and the same lists before the fleet has come.
import { spawn } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { connectAsync, type MqttClient } from 'mqtt'
import { createApp } from '#apps/server/src/app.ts'
import { prepare, storyOf } from '#apps/server/src/first-start.ts'
import { startEmbeddedPostgres } from '#apps/database/embedded-postgres.ts'
import { authenticateDevice, grantOf } from '#domains/gateways/doors.ts'
import { startBroker } from '#kit/server/broker/index.ts'
import { createPool } from '#kit/server/database/db.ts'
import { migrate } from '#kit/server/database/migrate.ts'
import { md5Hex } from '#kit/server/security/index.ts'
import { makeNode, type Part } from './chaos-world.ts'
import { benchFolder, BENCH_START } from './folder.ts'
import { load } from './load.ts'

const { values } = parseArgs({
  options: {
    gateways: { type: 'string', default: '5000' },
    seconds: { type: 'string', default: '15' },
    commands: { type: 'string', default: '20' },
  },
})
const [count, seconds, perSecond] = [Number(values.gateways), Number(values.seconds), Number(values.commands)]
const say = (line: string) => console.log(line)
const PLAY = fileURLToPath(new URL('../simulators/gateways/main.ts', import.meta.url))
const TENANT = '100001'
const LIST = '/api/shop/shoppingOrder/web/boss/list?current=1&size=10'
const nameOf = (n: number) => `GW-bench-${n}`
const secretOf = (n: number) => `secret of ${n}`

const folder = benchFolder()
const database = await startEmbeddedPostgres({ dataDir: join(folder, 'postgres'), log: say })
const at = (times: number[], share: number) =>
  times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0
const ms = (value: number) => `${value.toFixed(1)} ms`

/** A story, and so many shops more, each with a gateway whose secret is known here. */
async function lay(): Promise<void> {
  await migrate(database.url, new URL('../migrations/', import.meta.url))
  const config = { ...BENCH_START, dataDir: join(folder, 'own'), databaseUrl: database.url }
  const app = await createApp(config, { DB_POOL: '6', LOG_LEVEL: 'silent' })
  await prepare(app, await storyOf(database.url, 'demo'), () => {}, { days: 7 })
  await app.stop()
  const pool = createPool(database.url, { role: 'store_platform', max: 1 })
  await pool.query(
    `insert into basic_shop_info (id, tenant_id, shop_name, shop_code, client_id, status)
     select 9000000000 + n, $1, 'bench ' || n, 'B' || n, 'GW-bench-' || n, 1 from generate_series(1, $2::int) n`,
    [TENANT, count + 1],
  )
  const digests = Array.from({ length: count + 1 }, (_, n) =>
    createHash('sha256')
      .update(secretOf(n + 1))
      .digest('hex'),
  )
  await pool.query(
    `insert into device_key (tenant_id, link_id, digest)
     select $1, 9000000000 + n, d from unnest($2::text[]) with ordinality as x(d, n)`,
    [TENANT, digests],
  )
  await pool.end()
}

/** Milliseconds of an echo over the broker and back, of a client that does nothing else. */
async function echoes(officeUrl: string, deviceUrl: string): Promise<number[]> {
  const n = count + 1
  const root = `ss/1/${TENANT}/${nameOf(n)}`
  const [office, device] = await Promise.all([
    connectAsync(officeUrl, { protocolVersion: 5 }),
    connectAsync(deviceUrl, { clientId: nameOf(n), username: nameOf(n), password: secretOf(n), protocolVersion: 5 }),
  ])
  for (const one of [office, device]) (one.stream as { setNoDelay?: (isOn: boolean) => void }).setNoDelay?.(true)
  await device.subscribeAsync(`${root}/down/echo`, { qos: 1 })
  await office.subscribeAsync(`${root}/up/echo`, { qos: 1 })
  device.on('message', (_topic, payload) => device.publish(`${root}/up/echo`, payload, { qos: 1 }))
  const times: number[] = []
  for (let n = 0; n < 200; n++) times.push(await echo(office, root))
  await Promise.all([office.endAsync(), device.endAsync()])
  return times
}

function echo(office: MqttClient, root: string): Promise<number> {
  const since = performance.now()
  return new Promise((resolve) => {
    office.once('message', () => resolve(performance.now() - since))
    office.publish(`${root}/down/echo`, randomUUID(), { qos: 1 })
  })
}

async function signIn(port: number): Promise<Record<string, string>> {
  const login = new URLSearchParams({
    grant_type: 'password',
    scope: 'all',
    tenantId: TENANT,
    username: 'wu',
    password: md5Hex('wu'),
  })
  const answer = await fetch(`http://127.0.0.1:${port}/api/blade-auth/oauth/token?${login}`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa('script:script_secret')}`, 'tenant-id': TENANT },
  })
  return { 'blade-auth': ((await answer.json()) as { access_token: string }).access_token }
}

/** Commands at an even pace, each waited for; answers how long those took that were done. */
async function command(port: number, headers: Record<string, string>): Promise<{ times: number[]; failed: number }> {
  const times: number[] = []
  let failed = 0
  const all: Promise<void>[] = []
  for (let n = 0; n < perSecond * seconds; n++) {
    const clientId = nameOf(1 + ((n * 7919) % count))
    const since = performance.now()
    const call = fetch(`http://127.0.0.1:${port}/api/shop/epaGateway/syncTime?clientId=${clientId}`, {
      method: 'POST',
      headers,
    })
    all.push(
      call.then(({ ok }) => {
        if (ok) times.push(performance.now() - since)
        else failed++
      }),
    )
    await new Promise((resolve) => setTimeout(resolve, 1000 / perSecond))
  }
  await Promise.all(all)
  return { times, failed }
}

/** The fleet in a process of its own, and what it says of itself. */
async function startFleet(url: string) {
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', PLAY, '--url', url, '--control', '0', '--quiet'],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  )
  const credentials = Array.from({ length: count }, (_, n) => ({
    clientId: nameOf(n + 1),
    tenantId: TENANT,
    secret: secretOf(n + 1),
    kind: 'gateway',
  }))
  child.stdin.write(`${JSON.stringify(credentials)}\n`)
  const control = await new Promise<string>((resolve) =>
    createInterface({ input: child.stdout }).on('line', (line) => {
      const found = /^control (\S+)/.exec(line)
      if (found) resolve(found[1]!)
    }),
  )
  return { stop: () => child.kill(), control }
}

let node: Part | undefined
const pool = createPool(database.url, { role: 'store_platform', max: 2 })
const broker = await startBroker({
  authenticate: async (credentials) => {
    const found = await authenticateDevice(pool, credentials)
    return found ? grantOf(found.tenantId, credentials.clientId) : null
  },
})
const deviceUrl = `mqtt://127.0.0.1:${broker.port}`
try {
  await lay()
  const env = { DATABASE_URL: database.url, MQTT_URL: broker.url, SIMULATORS: 'off', LOG_LEVEL: 'fatal', WORKERS: '1' }
  node = await makeNode(1, folder, { ...env, RATE_LIMIT: '0', SECRETS_KEY: 'devices' })
  await node.start()
  const { port } = node
  const headers = await signIn(port)
  const lists = () => load(port, () => ({ path: LIST, headers }), { connections: 4, seconds })
  const without = await lists()
  const bare = await echoes(broker.url, deviceUrl)
  const fleet = await startFleet(deviceUrl)
  const began = performance.now()
  for (;;) {
    const { rows } = await pool.query<{ n: number }>(
      `select count(*)::int as n from device_link where state = 'online' and client_id like 'GW-bench-%'`,
    )
    if (rows[0]!.n >= count) break
    if (performance.now() - began > 300_000) throw new Error(`only ${rows[0]!.n} of ${count} came`)
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
  say(`${count} gateways online after ${((performance.now() - began) / 1000).toFixed(1)} s`)
  const heardBefore = (await broker.counts()).messages
  const beside = await echoes(broker.url, deviceUrl)
  const [commands, withFleet] = await Promise.all([command(port, headers), lists()])
  const heard = (await broker.counts()).messages - heardBefore
  say(`| | p50 | p99 |\n| --- | ---: | ---: |`)
  const line = (name: string, times: number[]) => say(`| ${name} | ${ms(at(times, 0.5))} | ${ms(at(times, 0.99))} |`)
  line('echo over the broker, before the fleet', bare)
  line('echo over the broker, beside the fleet', beside)
  line(`command over HTTP to its result (${commands.times.length} done, ${commands.failed} not)`, commands.times)
  say(`command / echo beside the fleet: ${(at(commands.times, 0.5) / at(beside, 0.5)).toFixed(2)} at p50`)
  say(`lists: ${without.perSecond.toFixed(0)} a second before, ${withFleet.perSecond.toFixed(0)} with the fleet;`)
  say(`  p50 ${ms(without.p50Ms)} and ${ms(withFleet.p50Ms)}, ratio ${(withFleet.p50Ms / without.p50Ms).toFixed(2)}`)
  say(`${heard} messages at the broker meanwhile`)
  fleet.stop()
} finally {
  await node?.kill()
  await broker.close()
  await pool.end()
  await database.stop()
  rmSync(folder, { recursive: true, force: true })
}
