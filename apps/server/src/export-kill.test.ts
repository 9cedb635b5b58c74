import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { sql } from '#kit/server/database/db.ts'
import { sheetRows } from '#kit/server/sheets/read-sheet.ts'
import { expireLeases, processesOf, markDatabaseSeeded } from '#tests/support/process.ts'
import type { CastMember } from '#tests/support/server.ts'
import { createTestTenants, type TestTenants } from '#tests/support/test-tenants.ts'

const ROWS = 30_000
const dataDir = mkdtempSync(join(tmpdir(), 'store-export-'))
let tenants: TestTenants
let wu: CastMember

beforeAll(async () => {
  tenants = await createTestTenants()
  wu = tenants.north.admin
  const { tenantId, shops } = tenants.north
  await tenants.services.unit({ tenantId }, (db) =>
    db.run(sql`
    insert into shopping_order (id, tenant_id, order_no, shop_id, status, source, type, quantity, goods_amount,
    discount_amount, pay_amount, refund_amount, pay_type, pay_time, create_time)
    select 9000000000 + n, ${tenantId}, 'B' || n, ${shops[0]!}, 1 + n % 3, 'register', 'store', 1, 100 + n, 0, 100 + n,
    0, 'wechat', now() - make_interval(secs => n), now() - make_interval(secs => n)
    from generate_series(1, ${ROWS}) n`),
  )
  await markDatabaseSeeded(tenants.server.databaseUrl)
}, 60_000)

afterAll(async () => {
  await killAll()
  await tenants.close()
  rmSync(dataDir, { recursive: true, force: true })
})

/** The files are in a folder that survives the processes. */
const { start, killAll } = processesOf(() => ({ databaseUrl: tenants.server.databaseUrl, dataDir }))

type State = { state: string; progress: { parts?: number; sheets?: { files: string[] }[] } }
const stateOf = async (id: string): Promise<State> => {
  const [task] = await tenants.services.unit({ tenantId: tenants.north.tenantId }, (db) =>
    db.query<State>(sql`select state, progress from background_task where id = ${id}`),
  )
  return task!
}

it('an export killed in the middle goes on where it stood, and its file has every row once, in order', async () => {
  const first = await start()
  const { id } = await tenants.must(
    tenants.call(wu, 'POST', '/api/shop/shoppingOrder/export', {
      query: { ascs: 'payAmount' },
      body: { columns: 'orderNo,payAmount,shopId' },
    }),
  )
  await vi.waitFor(async () => expect((await stateOf(id)).progress.parts).toBeGreaterThan(0), {
    timeout: 60_000,
    interval: 20,
  })
  await first.kill()
  const before = await stateOf(id)
  expect(before.state).toBe('running')
  expect(before.progress.parts).toBeLessThan(ROWS / 10_000)

  await expireLeases(tenants.services.systemPool)
  const second = await start()
  const kept: string[][] = []
  await vi.waitFor(
    async () => {
      const now = await stateOf(id)
      if (now.progress.sheets) kept.push(now.progress.sheets[0]!.files)
      expect(now.state).toBe('done')
    },
    { timeout: 90_000, interval: 50 },
  )
  // What was written before the crash is used and not written again.
  for (const files of kept) expect(files.slice(0, before.progress.parts)).toEqual(before.progress.sheets![0]!.files)
  expect(kept.length).toBeGreaterThan(0)

  const { ticket } = await tenants.must(tenants.call(wu, 'POST', `/api/kit/tasks/${id}/ticket`))
  const bytes = Buffer.from(await (await fetch(`${second.url}/api/kit/download/${ticket}`)).arrayBuffer())
  const seen = createHash('sha256')
  let rows = 0
  for await (const stretch of sheetRows(bytes, 1e9)) {
    for (const { line, cells } of stretch) {
      if (line === 1) continue
      rows++
      expect(line).toBe(rows + 1)
      seen.update(`${cells[0]} ${cells[1]}\n`)
    }
  }
  const wanted = createHash('sha256')
  for (let n = 1; n <= ROWS; n++) wanted.update(`B${n} ${(100 + n) / 100}\n`)
  expect([rows, seen.digest('hex')]).toEqual([ROWS, wanted.digest('hex')])
  await second.kill()
}, 180_000)
