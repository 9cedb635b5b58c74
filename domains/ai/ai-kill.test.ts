import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { secretsOf } from '#domains/files/doors.ts'
import { createOwnerPool, sql, type Db } from '#kit/server/database/db.ts'
import { testStreet, type Street } from '#kit/testing/street.ts'
import { startDify, type DifySimulator } from '#simulators/dify/dify.simulator.ts'
import { aiApp } from './ai-app.resource.ts'
import { aiFinding } from './ai-finding.resource.ts'
import { aiTaskLog } from './ai-task.resource.ts'
import { aiUsage } from './ai-usage.resource.ts'

const MAIN = fileURLToPath(new URL('../../apps/server/src/main.ts', import.meta.url))
const children: ChildProcess[] = []
let street: Street
let dify: DifySimulator

beforeAll(async () => {
  dify = await startDify({ nodeMs: 5 })
  dify.apps.set('app-kill', { name: '货架识别', kind: 'shelf' })
  street = await testStreet()
  const owner = createOwnerPool(street.server.databaseUrl)
  await owner.query('create table if not exists installation (key text primary key, value text not null)')
  await owner.query(
    "insert into installation values ('story', 'demo'), ('told', 'now'), ('id', 'ai-test') on conflict do nothing",
  )
  await owner.end()
}, 60_000)
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL')
  await street.close()
  await dify.close()
})

const unit = <T>(work: (db: Db) => Promise<T>): Promise<T> =>
  street.services.unit({ tenantId: street.north.tenantId }, work)

/** The product as a process of its own on the test's database. */
async function startProcess(): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', MAIN], {
    env: {
      ...process.env,
      DATABASE_URL: street.server.databaseUrl,
      DATA_DIR: street.services.config.dataDir,
      PORT: '0',
      HOST: '127.0.0.1',
      SIMULATORS: 'off',
      WORKERS: '1',
      LOG_LEVEL: 'fatal',
      JOB_LEASE: '3',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  let said = ''
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (part: Buffer) => {
      said += part.toString()
      if (/Ready:\s+http:/.test(said)) resolve()
    })
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}: ${said}`)))
  })
  return child
}

it(
  'a run whose server is killed in the middle is found again by the next one and ends once, ' +
    'and Dify is asked for no second run',
  async () => {
    const { admin, shops } = street.north
    const { id: goodId } = await street.good(street.north, shops[0]!, { shelfNo: 'A1' })
    await unit((db) =>
      db.insert(aiApp, {
        name: '货架',
        workflow: 'shelf-check',
        endpoint: dify.url,
        apiKey: secretsOf(street.services).seal('app-kill'),
        mayBeInside: true,
        pricePerMillion: 100_00,
        enabled: true,
      }),
    )
    const body = { name: '巡检', shopId: shops[0], targetType: 'shelf', targetIds: goodId, workflow: 'shelf-check' }
    const task = await street.must(street.call(admin, 'POST', '/api/shop/aiTask/submit', { body }))
    dify.isHeld = true
    const first = await startProcess()
    await street.must(street.call(admin, 'POST', '/api/shop/aiTask/run', { query: { id: task.id } }))
    const run = () => unit((db) => db.find(aiTaskLog, sql`r.task_id = ${task.id}`)).then((rows) => rows[0]!)
    await vi.waitFor(async () => expect((await run()).difyTaskId).toBeTruthy(), { timeout: 20_000, interval: 50 })
    first.kill('SIGKILL')
    await once(first, 'exit')
    expect((await run()).status).toBe('running')
    await startProcess()
    await vi.waitFor(() => expect(dify.asked.some((one) => one.endsWith('/events'))).toBe(true), {
      timeout: 30_000,
      interval: 100,
    })
    dify.isHeld = false
    await vi.waitFor(async () => expect((await run()).status).toBe('succeeded'), { timeout: 20_000, interval: 100 })
    expect(dify.runs.size).toBe(1)
    expect(dify.asked.filter((one) => one === 'POST /v1/workflows/run')).toHaveLength(1)
    expect(await unit((db) => db.find(aiFinding, sql`r.task_id = ${task.id}`))).toHaveLength(1)
    const [month] = await unit((db) => db.find(aiUsage, sql`true`))
    expect(month).toMatchObject({ tokens: 900, runs: 1 })
  },
  90_000,
)
