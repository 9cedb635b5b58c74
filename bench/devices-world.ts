// The base of the device benchmarks and chaos: a tenant's shops with gateways whose secrets are known, a broker, and
// the simulated devices in a process of their own.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { connectAsync } from 'mqtt'
import { createServerApp } from '#apps/server/src/app.ts'
import { seedDatabaseOnce, readSeedState } from '#apps/server/src/seed-once.ts'
import { findFreePort } from '#apps/database/embedded-postgres-process.ts'
import { authenticateDevice, deviceTopicGrant } from '#domains/devices/device-messaging/api.ts'
import { startBroker } from '#kit/server/broker/index.ts'
import { createPool, type Pool } from '#kit/server/database/db.ts'
import { migrate } from '#kit/server/database/migrate.ts'
import { md5Hex } from '#kit/server/security/index.ts'
import { BENCH_START } from './folder.ts'

const TENANT = '100001'
const PLAY = fileURLToPath(new URL('../simulators/gateways/main.ts', import.meta.url))

export const gatewayName = (n: number) => `GW-bench-${n}`
export const powerGatewayName = (n: number) => `PG-bench-${n}`
export const registerName = (n: number) => `RG-bench-${n}`
const printerName = (n: number) => `PR-bench-${n}`
export const gatewaySecret = (n: number) => `secret of ${n}`
export const gatewayRoot = (n: number) => `ss/1/${TENANT}/${gatewayName(n)}`

type Laid = { count: number; powerGateways?: number; registers?: number; days: number }

/**
 * Seeds the demo data and `count` more shops with a gateway each; the first of them also with a power gateway and a
 * register.
 */
export async function layGateways(
  databaseUrl: string,
  folder: string,
  { count, powerGateways = 0, registers = 0, days }: Laid,
): Promise<void> {
  await migrate(databaseUrl, new URL('../migrations/', import.meta.url))
  const config = { ...BENCH_START, dataDir: join(folder, 'own'), databaseUrl }
  const app = await createServerApp(config, { DB_POOL: '6', LOG_LEVEL: 'silent' })
  await seedDatabaseOnce(app, await readSeedState(databaseUrl, 'demo'), () => {}, { days })
  await app.stop()
  const digests = Array.from({ length: count }, (_, n) =>
    createHash('sha256')
      .update(gatewaySecret(n + 1))
      .digest('hex'),
  )
  const pool = createPool(databaseUrl, { role: 'store_platform', max: 1 })
  await pool.query(
    `insert into basic_shop_info (id, tenant_id, shop_name, shop_code, client_id, status)
     select 9000000000 + n, $1, 'bench ' || n, 'B' || n, 'GW-bench-' || n, 1 from generate_series(1, $2::int) n`,
    [TENANT, count],
  )
  await pool.query(
    `insert into device_key (tenant_id, link_id, digest)
     select $1, 9000000000 + n, d from unnest($2::text[]) with ordinality as x(d, n)`,
    [TENANT, digests],
  )
  await layPowerGateways(pool, powerGateways)
  await pool.query(
    `insert into cash_register (id, tenant_id, name, sn, shop_id, status)
     select 9300000000 + n, $1, 'bench ' || n, 'RG-bench-' || n, 9000000000 + n, 1 from generate_series(1, $2::int) n`,
    [TENANT, registers],
  )
  await shareGatewayKeys(pool, 9_300_000_000, registers)
  await pool.end()
}

/** Devices next to a gateway get the gateway's secret. */
async function shareGatewayKeys(pool: Pool, before: number, count: number): Promise<void> {
  await pool.query(
    `insert into device_key (tenant_id, link_id, digest)
     select $1, $3::bigint + n, k.digest from generate_series(1, $2::int) n
     join device_key k on k.tenant_id = $1 and k.link_id = 9000000000 + n`,
    [TENANT, count, before],
  )
}

/** Inserts power gateways, each with one switch. */
async function layPowerGateways(pool: Pool, count: number): Promise<void> {
  await pool.query(
    `insert into epa_gateway (id, tenant_id, name, client_id, shop_id)
     select 9100000000 + n, $1, 'bench ' || n, 'PG-bench-' || n, 9000000000 + n from generate_series(1, $2::int) n`,
    [TENANT, count],
  )
  await pool.query(
    `insert into epa_device (id, tenant_id, name, gateway_id, shop_id, client_id, kind)
     select 9200000000 + n, $1, 'bench ' || n, 9100000000 + n, 9000000000 + n, 'PG-bench-' || n || '-S1', '1'
     from generate_series(1, $2::int) n`,
    [TENANT, count],
  )
  await shareGatewayKeys(pool, 9_100_000_000, count)
}

export type DeviceBroker = { kind: string; officeUrl: string; deviceUrl: string; close: () => Promise<void> }

/** Starts the product's own broker in this process, so that killing a server leaves it alone. */
export async function startOwnBroker(pool: Pool): Promise<DeviceBroker> {
  const broker = await startBroker({
    authenticate: async (credentials) => {
      const found = await authenticateDevice(pool, credentials)
      return found ? deviceTopicGrant(found.tenantId, credentials.clientId) : null
    },
  })
  return {
    kind: 'the embedded broker',
    officeUrl: broker.url,
    deviceUrl: `mqtt://127.0.0.1:${broker.port}`,
    close: () => broker.close(),
  }
}

export const hasMosquitto = (): boolean => spawnSync('sh', ['-c', 'command -v mosquitto']).status === 0

const BEGIN_MS = 15_000

/** Waits until a broker accepts a connection. */
async function answers(url: string): Promise<void> {
  for (const since = performance.now(); ;)
    try {
      const probe = await connectAsync(url, { reconnectPeriod: 0, connectTimeout: 5_000 })
      return await probe.endAsync()
    } catch (error) {
      if (performance.now() - since > BEGIN_MS) throw error
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
}

/** Starts a Mosquitto on loopback that accepts everybody: only what the server does with it is measured. */
export async function startMosquitto(): Promise<DeviceBroker> {
  const folder = mkdtempSync(join(tmpdir(), 'mosquitto-'))
  const port = await findFreePort()
  const file = join(folder, 'mosquitto.conf')
  writeFileSync(
    file,
    [
      `listener ${port} 127.0.0.1`,
      `user ${userInfo().username}`,
      'allow_anonymous true',
      'set_tcp_nodelay true',
      'message_size_limit 65536',
      '',
    ].join('\n'),
  )
  const child = spawn('mosquitto', ['-c', file], { stdio: 'ignore' })
  process.on('exit', () => child.kill('SIGKILL'))
  const url = `mqtt://127.0.0.1:${port}`
  const close = async () => {
    const isOver = child.exitCode !== null || child.signalCode !== null
    const gone = isOver ? undefined : once(child, 'exit')
    child.kill()
    await gone
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    await answers(url)
  } catch (error) {
    await close()
    throw error
  }
  return { kind: 'Mosquitto', officeUrl: url, deviceUrl: url, close }
}

/** Uses a running broker that accepts everybody; `close` removes the retained messages of our devices. */
export function runningMosquitto(url: string): DeviceBroker {
  return {
    kind: `the broker at ${url}`,
    officeUrl: url,
    deviceUrl: url,
    close: async () => {
      const client = await connectAsync(url)
      client.on('message', (topic, payload, { retain }) => {
        if (retain && payload.length && topic.includes('-bench-')) client.publish(topic, '', { retain: true })
      })
      await client.subscribeAsync(`ss/1/${TENANT}/#`)
      await new Promise((resolve) => setTimeout(resolve, 1_000))
      await client.endAsync()
    },
  }
}

/** Signs in to a server on this machine with an account whose password is its name. Returns the headers for calls. */
export async function signIn(port: number, account: string, tenantId = TENANT): Promise<Record<string, string>> {
  const login = new URLSearchParams({
    grant_type: 'password',
    scope: 'all',
    tenantId,
    username: account,
    password: md5Hex(account),
  })
  const answer = await fetch(`http://127.0.0.1:${port}/api/blade-auth/oauth/token?${login}`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa('script:script_secret')}`, 'tenant-id': tenantId },
  })
  const { access_token: token } = (await answer.json()) as { access_token?: string }
  if (!token) throw new Error(`${account} cannot sign in: ${answer.status}`)
  return { 'blade-auth': token }
}

type Order = { faults: Record<string, unknown>; share?: number; clientIds?: string[] }
export type PlayedFleet = {
  pid: number
  read: <T>(path: string) => Promise<T>
  order: (order: Order) => Promise<void>
  stop: () => void
}

type Played = { gateways: number; powerGateways?: number; registers?: number; upgradeKey?: string }

/** Simulates devices in a process of their own. Returns how to read what they did and how to set faults. */
export async function playFleet(url: string, played: Played): Promise<PlayedFleet> {
  const { gateways, powerGateways = 0, registers = 0, upgradeKey } = played
  const args = ['--disable-warning=ExperimentalWarning', PLAY, '--url', url, '--control', '0', '--quiet', '--seed', '7']
  if (upgradeKey) args.push('--upgrade-key', upgradeKey)
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  process.on('exit', () => child.kill('SIGKILL'))
  const some = (length: number, nameOf: (n: number) => string, kind: string) =>
    Array.from({ length }, (_, n) => ({ clientId: nameOf(n + 1), printers: [printerName(n + 1)], n, kind }))
  const credentials = [
    ...some(gateways, gatewayName, 'gateway'),
    ...some(powerGateways, powerGatewayName, 'power'),
    ...some(registers, registerName, 'register'),
  ].map(({ n, ...one }) => ({ ...one, tenantId: TENANT, secret: gatewaySecret(n + 1) }))
  child.stdin.write(`${JSON.stringify(credentials)}\n`)
  const control = await new Promise<string>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the fleet ended with ${code}`)))
    createInterface({ input: child.stdout }).on('line', (line) => {
      const found = /^control (\S+)/.exec(line)
      if (found) resolve(found[1]!)
    })
  })
  return {
    pid: child.pid!,
    read: async <T>(path: string) => (await fetch(`${control}${path}`)).json() as Promise<T>,
    order: async (order) => {
      const headers = { 'content-type': 'application/json' }
      const answer = await fetch(`${control}/faults`, { method: 'POST', headers, body: JSON.stringify(order) })
      if (!answer.ok) throw new Error(`the fleet does not understand ${JSON.stringify(order)}`)
    },
    stop: () => void child.kill(),
  }
}

/** Waits until the server knows so many of them as online. Returns the milliseconds. */
export async function untilOnline(pool: Pool, count: number, maxMs = 300_000): Promise<number> {
  const began = performance.now()
  for (;;) {
    const { rows } = await pool.query<{ n: number }>(
      `select count(*)::int as n from device_link where state = 'online' and client_id like '%-bench-%'`,
    )
    if (rows[0]!.n >= count) return performance.now() - began
    if (performance.now() - began > maxMs) throw new Error(`only ${rows[0]!.n} of ${count} came`)
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
}
