import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { secretCipherOf } from '#domains/platform/files/api.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { expireLeases, processesOf, markDatabaseSeeded } from '#tests/support/process.ts'
import { createTestTenants, type TestTenants } from '#tests/support/test-tenants.ts'
import { startDify, type DifySimulator } from '#simulators/dify/dify.simulator.ts'
import { aiApp } from './ai-app.resource.ts'
import { aiFinding } from './ai-finding.resource.ts'
import { aiTaskLog } from './ai-task.resource.ts'
import { aiUsage } from './ai-usage.resource.ts'

let tenants: TestTenants
let dify: DifySimulator

beforeAll(async () => {
  dify = await startDify({ nodeMs: 5 })
  dify.apps.set('app-kill', { name: '货架识别', kind: 'shelf' })
  tenants = await createTestTenants()
  await markDatabaseSeeded(tenants.server.databaseUrl)
}, 60_000)
afterAll(async () => {
  await killAll()
  await tenants.close()
  await dify.close()
})

const unit = <T>(work: (db: Db) => Promise<T>): Promise<T> =>
  tenants.services.unit({ tenantId: tenants.north.tenantId }, work)

const { start, killAll } = processesOf(() => ({
  databaseUrl: tenants.server.databaseUrl,
  dataDir: tenants.services.config.dataDir,
}))

it(
  'a run whose server is killed in the middle is found again by the next one and ends once, ' +
    'and Dify is asked for no second run',
  async () => {
    const { admin, shops } = tenants.north
    const { id: goodId } = await tenants.good(tenants.north, shops[0]!, { shelfNo: 'A1' })
    await unit((db) =>
      db.insert(aiApp, {
        name: '货架',
        workflow: 'shelf-check',
        endpoint: dify.url,
        apiKey: secretCipherOf(tenants.services).seal('app-kill'),
        mayBeInside: true,
        pricePerMillion: 100_00,
        enabled: true,
      }),
    )
    const body = { name: '巡检', shopId: shops[0], targetType: 'shelf', targetIds: goodId, workflow: 'shelf-check' }
    const task = await tenants.must(tenants.call(admin, 'POST', '/api/shop/aiTask/submit', { body }))
    dify.isHeld = true
    const first = await start()
    await tenants.must(tenants.call(admin, 'POST', '/api/shop/aiTask/run', { query: { id: task.id } }))
    const run = () => unit((db) => db.find(aiTaskLog, sql`r.task_id = ${task.id}`)).then((rows) => rows[0]!)
    await vi.waitFor(async () => expect((await run()).difyTaskId).toBeTruthy(), { timeout: 20_000, interval: 50 })
    await first.kill()
    expect((await run()).status).toBe('running')
    await expireLeases(tenants.services.systemPool)
    await start()
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
