import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createOwnerPool, sql } from '#kit/server/database/db.ts'
import { testServer, type TestServer } from '#tests/support/server.ts'
import { readClockError } from './clock-error.ts'
import { readInstallationStatus } from './installation.ts'
import { watchInstallationHealth } from './warnings.ts'

let server: TestServer
let clockOffsetMs = 0
beforeAll(async () => {
  server = await testServer({ now: () => new Date(Date.now() + clockOffsetMs) })
})
afterAll(() => server?.close())

/** Locks the table of commands while `work` runs, which gets the number of statements waiting for it. */
async function whileCountsWait(work: (waiting: () => Promise<number>) => Promise<void>): Promise<void> {
  const owner = createOwnerPool(server.databaseUrl)
  const client = await owner.connect()
  const waiting = async () => {
    const { rows } = await client.query<{ n: number }>(sql`select count(*)::int as n from pg_locks
      where relation = 'device_command'::regclass and not granted`)
    return rows[0]!.n
  }
  try {
    await client.query('begin')
    await client.query('lock table device_command in access exclusive mode')
    await work(waiting)
  } finally {
    await client.query('rollback')
    client.release()
    await owner.end()
  }
}

test('a log that goes nowhere is never said to be archived', async () => {
  const { rows } = await server.services.systemPool.query<{ command: string }>(
    sql`select current_setting('archive_command') as command`,
  )
  expect(['', 'true', '(disabled)']).toContain(rows[0]!.command)
  expect((await readInstallationStatus(server.services)).archive).toMatchObject({ isOn: false, lastSeconds: null })
})

test('a count that takes long is no error of the clock, and an error of the clock is told', async () => {
  let reading: ReturnType<typeof readInstallationStatus> | undefined
  await whileCountsWait(async (waiting) => {
    reading = readInstallationStatus(server.services)
    await vi.waitFor(async () => expect(await waiting()).toBeGreaterThan(0))
    clockOffsetMs = 20_000
  })
  expect(Math.abs((await reading!).clockErrorMs)).toBeLessThan(5_000)
  expect(await readClockError(server.services)).toBeGreaterThan(15_000)
  clockOffsetMs = 0
})

test('a wait for a connection is no error of the clock', async () => {
  const { systemPool } = server.services
  const taken = await Promise.all(Array.from({ length: systemPool.options.max }, () => systemPool.connect()))
  const reading = readClockError(server.services)
  clockOffsetMs = 20_000
  for (const client of taken) client.release()
  expect(await reading).toBeGreaterThan(15_000)
  clockOffsetMs = 0
})

test('the look of each minute counts no devices and no commands', async () => {
  const { check, stop } = watchInstallationHealth(server.services)
  let isDone = false
  await whileCountsWait(async (waiting) => {
    const checking = check().finally(() => (isDone = true))
    checking.catch(() => {})
    await vi.waitFor(async () => expect(isDone || (await waiting()) > 0).toBe(true))
    expect(isDone).toBe(true)
    await checking
  })
  stop()
})
