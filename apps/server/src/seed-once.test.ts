import { once } from 'node:events'
import { paymentChannelUrlSlot } from '#domains/money/payment-channels/api.ts'
import { createSlots } from '#kit/server/base/slots.ts'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { findFreePort } from '#apps/database/embedded-postgres-process.ts'
import { createOwnerPool } from '#kit/server/database/db.ts'
import type { Services } from '#kit/server/module/services.ts'
import { testDatabase, type TestDatabase } from '#tests/support/database.ts'
import { beginProcess, MAIN } from '#tests/support/process.ts'
import { createServerApp } from './app.ts'
import { readConfig } from './config.ts'
import { withSeedLock, seedDatabaseOnce, readSeedState } from './seed-once.ts'
import { startAllSimulators } from './demo/simulators.ts'

const folder = mkdtempSync(join(tmpdir(), 'store-first-start-'))
let database: TestDatabase

beforeAll(async () => {
  database = await testDatabase()
})
afterAll(async () => {
  await database?.drop()
  rmSync(folder, { recursive: true, force: true })
})

/** The part of a start before it serves, with demo data of one day. */
const start = (lines: string[]) =>
  withSeedLock(
    database.url,
    (line) => lines.push(line),
    async () => {
      const seedState = await readSeedState(database.url, 'demo')
      const config = {
        ...readConfig([], { DATA_DIR: folder }),
        story: seedState.story,
        isTest: true,
        databaseUrl: database.url,
      }
      const app = await createServerApp(config, {})
      await seedDatabaseOnce(app, seedState, () => {}, { days: 1 })
      await app.stop()
      return seedState
    },
  )

describe('two processes started at once', () => {
  test('take turns, and a turn ends with its process, also when that fails', async () => {
    const order: string[] = []
    const turn = (name: string, fails = false) =>
      withSeedLock(
        database.url,
        () => {},
        async () => {
          order.push(`${name} begins`)
          await new Promise((resolve) => setImmediate(resolve))
          order.push(`${name} ends`)
          if (fails) throw new Error(name)
        },
      )
    await Promise.allSettled([turn('a', true), turn('b'), turn('c')])
    expect(order).toHaveLength(6)
    for (let at = 0; at < order.length; at += 2) expect(order[at + 1]).toBe(order[at]!.replace('begins', 'ends'))
  })

  test('on a database without demo data both come up, and the data is seeded once', async () => {
    const lines: string[] = []
    const both = await Promise.all([start(lines), start(lines)])
    expect(both.filter(({ isTold }) => isTold)).toHaveLength(1)
    expect(lines).toEqual(['Another process is preparing this database; waiting for it.'])
    const owner = createOwnerPool(database.url)
    const tenants = "select count(*)::int as n from tenant where tenant_id in ('100001', '100002')"
    expect((await owner.query(tenants)).rows).toEqual([{ n: 2 }])
    await owner.end()
  }, 180_000)
})

const GATE = fileURLToPath(new URL('./web-build.ts', import.meta.url))
/** Like scripts/start.mjs; the test decides how the build ends. */
const START = `
  const [gate, main] = process.argv.slice(2)
  const { registerWebBuild } = await import(gate)
  registerWebBuild(new Promise((end) => process.stdin.once('data', (said) => end(String(said) === 'built'))))
  process.argv = [process.execPath, main, '--story', 'empty']
  await import(main)
  process.stdin.unref()`

describe.each([1, 2])('a start of %d processes, while its browser app is being built', (count) => {
  let empty: TestDatabase
  let begun: ReturnType<typeof beginProcess>
  let url: string

  const begin = async () => {
    empty = await testDatabase()
    const port = await findFreePort()
    url = `http://127.0.0.1:${port}/api/health`
    const script = join(folder, 'start.mjs')
    writeFileSync(script, START)
    const env = { WORKERS: String(count) }
    begun = beginProcess({ databaseUrl: empty.url, dataDir: folder, port, env, script: [script, GATE, MAIN] })
    await vi.waitFor(async () => expect(await isPrepared()).toBe(true), { timeout: 60_000, interval: 50 })
  }
  const isPrepared = async () => {
    const owner = createOwnerPool(empty.url)
    try {
      return !!(await owner.query("select from installation where key = 'told'")).rowCount
    } catch {
      return false
    } finally {
      await owner.end()
    }
  }
  afterEach(async () => {
    await begun.kill()
    await empty.drop()
  })

  test('prepares its database, and lets nobody in before there is a page to show', async () => {
    await begin()
    await expect(fetch(url)).rejects.toThrow()
    expect(begun.output()).not.toContain('Ready')
    begun.child.stdin!.write('built')
    await vi.waitFor(() => expect(begun.output()).toContain('Ready'), { timeout: 60_000, interval: 50 })
    expect((await fetch(url)).status).toBe(200)
  })

  test('ends when it cannot be built, and has let nobody in', async () => {
    await begin()
    begun.child.stdin!.write('failed')
    const [code] = (await once(begun.child, 'exit')) as [number]
    expect(code).toBe(1)
    expect(begun.output()).not.toContain('Ready')
    await expect(fetch(url)).rejects.toThrow()
  })
})

test(
  'without simulators the demo data keeps its payment channel, so that refunds are paid; a ' +
    'real one that is named is not replaced',
  async () => {
    const { SIMULATORS, PAYMENT_CHANNEL_URL } = process.env
    try {
      process.env.SIMULATORS = 'off'
      const services = { slots: createSlots(), config: { story: 'demo' } } as Services
      await startAllSimulators(services, 'http://127.0.0.1:9')
      expect(services.slots.find(paymentChannelUrlSlot)).toMatch(/^http:\/\/127\.0\.0\.1:\d+/)
      process.env.PAYMENT_CHANNEL_URL = 'http://pay.example.com'
      const named = { slots: createSlots(), config: { story: 'demo' } } as Services
      await startAllSimulators(named, 'http://127.0.0.1:9')
      expect(named.slots.find(paymentChannelUrlSlot)).toBeUndefined()
    } finally {
      Object.assign(process.env, { SIMULATORS: SIMULATORS ?? '', PAYMENT_CHANNEL_URL: PAYMENT_CHANNEL_URL ?? '' })
    }
  },
)
