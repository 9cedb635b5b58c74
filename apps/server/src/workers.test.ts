import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request, type IncomingMessage } from 'node:http'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { findFreePort } from '#apps/database/embedded-postgres-process.ts'
import { createOwnerPool, sql } from '#kit/server/database/db.ts'
import { createRandom } from '#kit/server/base/random.ts'
import { md5Hex } from '#kit/server/security/index.ts'
import { markDatabaseSeeded } from '#tests/support/process.ts'
import { basic, testServer, type CastMember, type TestServer } from '#tests/support/server.ts'
import { invalidateCashRegisterCache, issueKey } from '#domains/sales/point-of-sale/api.ts'
import { startPaymentChannel, type SimulatedChannel } from '#simulators/payments/payments.simulator.ts'
import { createRegister } from '#simulators/registers/register.ts'

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url))
const tenantId = '100001'
const dataDir = mkdtempSync(join(tmpdir(), 'store-workers-'))

let world: TestServer
let channel: SimulatedChannel
let wu: CastMember

type Crew = { child: ChildProcess; url: string; output: () => string }
const crews: Crew[] = []

beforeAll(async () => {
  world = await testServer({ storyDays: 2 })
  channel = await startPaymentChannel()
  wu = await world.as('wu', { tenantId })
  await markDatabaseSeeded(world.databaseUrl)
  const owner = createOwnerPool(world.databaseUrl)
  await owner.query('create table ran (leased_by text, id bigint, attempts integer)')
  await owner.query('grant insert, select on ran to store_platform')
  await owner.query(`create function note_run() returns trigger language plpgsql as $$ begin
    insert into ran values (new.leased_by, new.id, new.attempts); return new; end $$`)
  await owner.query(`create trigger note_run after update on job for each row
    when (new.leased_by is not null and old.leased_by is null) execute function note_run()`)
  await owner.end()
}, 400_000)

afterAll(async () => {
  for (const { child } of crews) child.kill('SIGKILL')
  await channel?.close()
  await world?.close()
  rmSync(dataDir, { recursive: true, force: true })
})

/** Starts the product as `npm start` does, with two processes. */
async function startTwo(metricsPort = 0): Promise<Crew> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', MAIN], {
    env: {
      ...process.env,
      DATABASE_URL: world.databaseUrl,
      DATA_DIR: dataDir,
      PORT: '0',
      HOST: '127.0.0.1',
      SIMULATORS: 'off',
      PAYMENT_CHANNEL_URL: channel.url,
      LOG_LEVEL: 'fatal',
      WORKERS: '2',
      METRICS_PORT: String(metricsPort),
      DB_POOL: '6',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.on('data', (part: Buffer) => (output += part.toString()))
  const crew = { child, url: '', output: () => output }
  crews.push(crew)
  await vi.waitFor(() => expect(output).toContain('2 processes serve'), { timeout: 100_000, interval: 20 })
  crew.url = /Ready: +(http:\S+)/.exec(output)?.[1] ?? ''
  return crew
}

const workersOf = ({ child }: Crew): number[] =>
  spawnSync('ps', ['-o', 'pid=,args=', '--ppid', String(child.pid)], { encoding: 'utf8' })
    .stdout.split('\n')
    .filter((line) => line.includes('main.ts'))
    .map((line) => Number.parseInt(line, 10))

type WorkerTestRequest = {
  method?: 'GET' | 'POST'
  person?: CastMember
  body?: unknown
  headers?: Record<string, string>
}
type Answer = { status: number; body: any }
type Line = { ask: (path: string, request?: WorkerTestRequest) => Promise<Answer>; end: () => void }

const open: { end: () => void }[] = []
afterEach(() => open.splice(0).forEach((one) => one.end()))

/** Opens one connection, which stays with one process. */
function lineTo(url: string): Line {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const ask: Line['ask'] = (path, { method = 'GET', person, body, headers = {} } = {}) =>
    new Promise((resolve, reject) => {
      const token = person ? { 'blade-auth': `bearer ${person.token}` } : {}
      const call = request(`${url}${path}`, {
        agent,
        method,
        signal: AbortSignal.timeout(3_000),
        headers: { 'content-type': 'application/json', ...token, ...headers },
      })
      call.once('error', reject).once('response', (answer: IncomingMessage) => {
        let text = ''
        answer.on('data', (part: Buffer) => (text += part.toString()))
        answer.once('error', reject).once('end', () => {
          resolve({ status: answer.statusCode ?? 0, body: text ? JSON.parse(text) : undefined })
        })
      })
      call.end(body === undefined ? undefined : JSON.stringify(body))
    })
  const line = { ask, end: () => agent.destroy() }
  open.push(line)
  return line
}

/** Opens a browser's event stream. */
async function openStream(url: string, person: CastMember): Promise<() => string> {
  const call = request(`${url}/api/live`, { headers: { 'blade-auth': `bearer ${person.token}` } })
  call.on('error', () => {})
  call.end()
  const [answer] = (await once(call, 'response')) as [IncomingMessage]
  let received = ''
  answer.on('data', (part: Buffer) => (received += part.toString()))
  answer.on('error', () => {})
  await vi.waitFor(() => expect(received).toContain('joined'))
  open.push({ end: () => call.destroy() })
  return () => received
}

const streamsAt = async (line: Line) => (await line.ask('/api/health')).body.data.live.connections as number

/** Opens new connections: one to the process that holds the stream, one to the other. */
async function bothSides(url: string): Promise<{ near: Line; far: Line; heard: () => string }> {
  open.splice(0).forEach((one) => one.end())
  // The server may not have noticed yet that streams ended.
  await vi.waitFor(
    async () => {
      for (let n = 0; n < 6; n++) expect(await streamsAt(lineTo(url))).toBe(0)
    },
    { timeout: 10_000 },
  )
  const received = await openStream(url, wu)
  const lines: Partial<Record<'near' | 'far', Line>> = {}
  for (let tried = 0; tried < 20 && !(lines.near && lines.far); tried++) {
    const line = lineTo(url)
    const side = (await streamsAt(line)) ? 'near' : 'far'
    if (lines[side]) line.end()
    else lines[side] = line
  }
  const { near, far } = lines
  if (!near || !far) throw new Error('all connections lead to one process')
  return { near, far, heard: received }
}

const signIn = (line: Line, password: string) => {
  const query = new URLSearchParams({
    grant_type: 'password',
    tenantId,
    username: 'lin',
    password: md5Hex(password),
    scope: 'all',
  })
  const headers = { authorization: basic('script', 'script_secret'), 'tenant-id': tenantId }
  return line.ask(`/api/blade-auth/oauth/token?${query}`, { method: 'POST', headers })
}

async function registerAt(url: string) {
  const key = await world.services.unit({ tenantId }, async (db) => {
    const register = await db.one<{ id: string; sn: string }>(
      sql`select id, sn from cash_register where tenant_id = ${tenantId} order by sn limit 1`,
    )
    if (!register) throw new Error('the demo data has no register')
    return { sn: register.sn, secret: await issueKey(db, register.id) }
  })
  await invalidateCashRegisterCache(world.services)
  return createRegister({ ...key, url, random: createRandom(1), customers: { prefix: `demo-${tenantId}-`, count: 9 } })
}

const rows = async <R extends object>(text: string): Promise<R[]> =>
  (await world.services.systemPool.query(text)).rows as R[]

describe('two processes behind one port', () => {
  let crew: Crew
  let metricsPort: number
  beforeAll(async () => {
    metricsPort = await findFreePort()
    crew = await startTwo(metricsPort)
  })

  test('a sale rung up at one is seen at once by a browser at the other, and at the same one too', async () => {
    const { heard } = await bothSides(crew.url)
    const register = await registerAt(crew.url)
    expect(await register.start()).toBe(true)
    // New connections go to the processes in turn, so two of four sales are made at the process without the browser.
    for (let n = 0; n < 4; n++) await register.sell()
    await vi.waitFor(() => expect(heard().split('event: shoppingOrder.changed').length - 1).toBe(4))
  })

  test('what is changed at one is what the other answers with, also when it is asked in the next moment', async () => {
    const { near, far } = await bothSides(crew.url)
    // A session that ends at one process must end at the other too, which has its caller in the cache.
    for (let n = 0; n < 30; n++) {
      const { body } = await signIn(near, 'lin')
      const person = { ...wu, token: body.access_token as string }
      expect((await far.ask('/api/blade-system/user/info', { person })).status).toBe(200)
      expect((await near.ask('/api/blade-auth/oauth/logout', { person })).status).toBe(200)
      expect((await far.ask('/api/blade-system/user/info', { person })).status, `round ${n}`).toBe(401)
    }
  })

  test('either tells the platform of both, and the metrics add up what both were asked', async () => {
    const { near, far } = await bothSides(crew.url)
    const admin = await world.as('admin')
    for (const line of [near, far]) {
      const { body } = await line.ask('/api/blade-system/status', { person: admin })
      const roles = (body.data.processes as { role: string; version: string }[]).map(({ role }) => role)
      expect(roles.toSorted()).toEqual(['first', 'lead', 'serving'])
    }
    const metrics = async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
    const countRequests = (text: string) =>
      Number(/_count\{method="GET",route="\/api\/blade-system\/user\/info",status="2xx"\} (\d+)/.exec(text)?.[1] ?? 0)
    const before = countRequests(await metrics())
    for (const line of [near, near, far, far, far]) await line.ask('/api/blade-system/user/info', { person: wu })
    const after = await metrics()
    expect(countRequests(after) - before).toBe(5)
    expect(after).toMatch(/^store_broker_clients [1-9]/m)
    // The metrics port serves nothing else, and the public port no metrics.
    expect((await fetch(`http://127.0.0.1:${metricsPort}/api/health`)).status).toBe(404)
    expect(await (await fetch(`${crew.url}/metrics`)).text()).not.toContain('store_http')
  })

  test('wrong passwords count wherever they are tried: two processes give no more tries than one', async () => {
    const { near, far } = await bothSides(crew.url)
    for (let n = 0; n < 5; n++) expect((await signIn(n % 2 ? near : far, 'wrong')).status, `try ${n}`).not.toBe(200)
    for (const line of [near, far]) expect((await signIn(line, 'lin')).status).not.toBe(200)
    await rows("delete from shared_entry where key like '%login-failed%'")
    for (const line of [near, far]) expect((await signIn(line, 'lin')).status).toBe(200)
  })

  test('jobs asked for at either run once, in one place', async () => {
    const { near, far } = await bothSides(crew.url)
    const orders = await rows<{ id: string }>(`select id from shopping_order where tenant_id = '${tenantId}'
      and status = 2 and pay_type in ('wechat', 'alipay') and transaction_no like 'SIM%' and pay_amount > 0
      order by id limit 20`)
    const paidBefore = channel.paid.size
    for (const [n, { id }] of orders.entries()) {
      const body = { orderId: id, full: true, reason: '测试', requestKey: `seat-${id}` }
      const request = { method: 'POST', person: wu, body } as const
      expect((await (n % 2 ? near : far).ask('/api/shop/refunds/now', request)).status).toBe(200)
    }
    await vi.waitFor(() => expect(channel.paid.size).toBe(paidBefore + orders.length), { timeout: 30_000 })
    expect(await rows('select id from ran where attempts > 1')).toEqual([])
    expect(await rows('select distinct leased_by from ran')).toHaveLength(1)
  })

  test('one that is killed is replaced, the one that leads too, and calls at the other go on meanwhile', async () => {
    for (const which of [0, 1]) {
      // The oldest pid is the first worker's, the newest that of its replacement.
      const before = workersOf(crew).toSorted((a, b) => a - b)
      expect(before).toHaveLength(2)
      const { near, far } = await vi.waitFor(() => bothSides(crew.url), { timeout: 40_000 })
      let isOver = false
      const callOn = async (line: Line) => {
        while (!isOver)
          if ((await line.ask('/api/blade-system/user/info', { person: wu })).status !== 200) throw new Error('refused')
      }
      const calls = Promise.allSettled([near, far].map(callOn))
      process.kill(before[0] ?? 0, 'SIGKILL')
      const ended = `Process ${which + 1} of 2 has ended`
      await vi.waitFor(() => expect(crew.output()).toContain(ended), { timeout: 10_000 })
      // Connections it got in its last moment are never answered: their clients have to retry.
      await vi.waitFor(
        async () => {
          expect((await lineTo(crew.url).ask('/api/health')).status).toBe(200)
          expect(workersOf(crew)).toHaveLength(2)
        },
        { timeout: 20_000 },
      )
      isOver = true
      expect((await calls).map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
      expect(workersOf(crew)).not.toContain(before[0])
    }
  })

  test('one that hangs is replaced without anybody telling it, and calls at the other go on meanwhile', async () => {
    const before = workersOf(crew)
    const { far } = await vi.waitFor(() => bothSides(crew.url), { timeout: 40_000 })
    const hung = before[0]!
    process.kill(hung, 'SIGSTOP')
    const [line] = await vi.waitFor(
      async () => {
        const lines = [far, lineTo(crew.url), lineTo(crew.url)]
        return Promise.any(lines.map(async (one) => [one, await one.ask('/api/health')] as const))
      },
      { timeout: 10_000 },
    )
    await vi.waitFor(
      async () => {
        expect((await line.ask('/api/health')).status).toBe(200)
        expect(crew.output()).toContain('has said nothing for 5 s')
        expect(workersOf(crew)).toHaveLength(2)
      },
      { timeout: 30_000 },
    )
    expect(workersOf(crew)).not.toContain(hung)
    await vi.waitFor(() => bothSides(crew.url), { timeout: 40_000 })
    expect(crew.child.exitCode).toBeNull()
  })

  test('told to end in the middle of work, it answers all it has begun and loses nothing acknowledged', async () => {
    const saved: string[] = []
    const refused: string[] = []
    const sell = async (one: number) => {
      const line = lineTo(crew.url)
      for (let n = 0; ; n++) {
        const paramKey = `seat.${one}.${n}`
        const body = { paramName: paramKey, paramKey, paramValue: '1' }
        try {
          const answer = await line.ask('/api/blade-system/param/submit', { method: 'POST', person: admin, body })
          if (answer.status === 200) saved.push(paramKey)
          else refused.push(`${paramKey} ${answer.status}`)
        } catch {
          return
        }
      }
    }
    const admin = await world.as('admin')
    const selling = Promise.all(Array.from({ length: 8 }, (_, one) => sell(one)))
    await vi.waitFor(() => expect(saved.length).toBeGreaterThan(100), { timeout: 60_000 })
    const ended = once(crew.child, 'exit')
    crew.child.kill('SIGTERM')
    await selling
    expect(await ended).toEqual([0, null])
    expect(refused).toEqual([])
    // A refused connection had no effect; a call that began was answered.
    const kept = await rows<{ paramKey: string }>(
      `select param_key as "paramKey" from sys_param where param_key like 'seat.%'`,
    )
    expect(new Set(kept.map((row) => row.paramKey))).toEqual(new Set(saved))
  })
})

test('processes that die as fast as they come end the whole, which says so', async () => {
  const crew = await startTwo()
  const ended = once(crew.child, 'exit')
  const killing = setInterval(() => {
    spawnSync('kill', ['-KILL', ...workersOf(crew).map(String)])
  }, 50)
  expect(await ended).toEqual([1, null])
  clearInterval(killing)
  expect(crew.output()).toContain('have died within a minute')
})
