import { spawn, type ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { createOwnerPool, sql } from '#kit/server/database/db.ts'
import { sheetRows } from '#kit/server/sheets/read-sheet.ts'
import type { Person } from '#kit/testing/server.ts'
import { testStreet, type Street } from '#kit/testing/street.ts'

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url))
const ROWS = 30_000
const dataDir = mkdtempSync(join(tmpdir(), 'store-export-'))
const children: ChildProcess[] = []
let street: Street
let wu: Person

beforeAll(async () => {
  street = await testStreet()
  wu = street.north.admin
  const { tenantId, shops } = street.north
  await street.services.unit({ tenantId }, (db) =>
    db.run(sql`
    insert into shopping_order (id, tenant_id, order_no, shop_id, status, source, type, quantity, goods_amount,
    discount_amount, pay_amount, refund_amount, pay_type, pay_time, create_time)
    select 9000000000 + n, ${tenantId}, 'B' || n, ${shops[0]!}, 1 + n % 3, 'register', 'store', 1, 100 + n, 0, 100 + n,
    0, 'wechat', now() - make_interval(secs => n), now() - make_interval(secs => n)
    from generate_series(1, ${ROWS}) n`),
  )
  const owner = createOwnerPool(street.server.databaseUrl)
  await owner.query('create table if not exists installation (key text primary key, value text not null)')
  await owner.query(
    "insert into installation values ('story', 'demo'), ('told', 'now'), ('id', 'export-test') on conflict do nothing",
  )
  await owner.end()
}, 60_000)

afterAll(async () => {
  for (const child of children) child.kill('SIGKILL')
  await street.close()
  rmSync(dataDir, { recursive: true, force: true })
})

/** The product as a process of its own on the test's database, its files in a folder that outlives it. */
async function startProcess(): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', MAIN], {
    env: {
      ...process.env,
      DATABASE_URL: street.server.databaseUrl,
      DATA_DIR: dataDir,
      PORT: '0',
      HOST: '127.0.0.1',
      SIMULATORS: 'off',
      WORKERS: '1',
      LOG_LEVEL: 'fatal',
      RATE_LIMIT: '1000000',
      JOB_LEASE: '3',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  let said = ''
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (part: Buffer) => {
      said += part.toString()
      const ready = /Ready:\s+(http:\S+)/.exec(said)
      if (ready) resolve(ready[1]!)
    })
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}: ${said}`)))
  })
  return { child, url }
}

type State = { state: string; progress: { parts?: number; sheets?: { files: string[] }[] } }
const stateOf = async (id: string): Promise<State> => {
  const [task] = await street.services.unit({ tenantId: street.north.tenantId }, (db) =>
    db.query<State>(sql`select state, progress from background_task where id = ${id}`),
  )
  return task!
}

it('an export killed in the middle goes on where it stood, and its file has every row once, in order', async () => {
  const first = await startProcess()
  const { id } = await street.must(
    street.call(wu, 'POST', '/api/shop/shoppingOrder/export', {
      query: { ascs: 'payAmount' },
      body: { columns: 'orderNo,payAmount,shopId' },
    }),
  )
  await vi.waitFor(async () => expect((await stateOf(id)).progress.parts).toBeGreaterThan(0), {
    timeout: 60_000,
    interval: 20,
  })
  first.child.kill('SIGKILL')
  await once(first.child, 'exit')
  const before = await stateOf(id)
  expect(before.state).toBe('running')
  expect(before.progress.parts).toBeLessThan(ROWS / 10_000)

  const second = await startProcess()
  const kept: string[][] = []
  await vi.waitFor(
    async () => {
      const now = await stateOf(id)
      if (now.progress.sheets) kept.push(now.progress.sheets[0]!.files)
      expect(now.state).toBe('done')
    },
    { timeout: 90_000, interval: 50 },
  )
  // What was written before the crash is part of the file, not written again.
  for (const files of kept) expect(files.slice(0, before.progress.parts)).toEqual(before.progress.sheets![0]!.files)
  expect(kept.length).toBeGreaterThan(0)

  const { ticket } = await street.must(street.call(wu, 'POST', `/api/kit/tasks/${id}/ticket`))
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
  second.child.kill('SIGKILL')
  await once(second.child, 'exit')
}, 180_000)
