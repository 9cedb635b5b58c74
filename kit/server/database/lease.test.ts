import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it, vi, type TestContext } from 'vitest'
import { openTcpProxy } from '#tests/support/tcp-proxy.ts'
import { scratchDatabase, type ScratchDatabase } from '#tests/support/scratch-database.ts'
import { holdLease } from './lease.ts'

let database: ScratchDatabase
beforeAll(async () => {
  database = await scratchDatabase('select 1')
})
afterAll(() => database.drop())

/** Silence limit that is longer than the test machine may be busy. */
const [EVERY_MS, TIMEOUT_MS] = [50, 2_000]

/** Records the order in which holders start and stop. */
function stage(name: string, { onTestFinished }: TestContext) {
  const events: string[] = []
  const hold = (who: string, url = database.url, gained = () => Promise.resolve()) => {
    const lease = holdLease(url, name, {
      intervalMs: EVERY_MS,
      timeoutMs: TIMEOUT_MS,
      gained: async () => {
        await gained()
        events.push(`${who} begins`)
        return async () => void events.push(`${who} ends`)
      },
    })
    onTestFinished(() => lease.stop())
    return lease
  }
  return { said: events, hold }
}

async function elsewhere(name: string, { onTestFinished }: TestContext): Promise<ChildProcess> {
  const child = spawn(
    process.execPath,
    [fileURLToPath(new URL('lease.child.ts', import.meta.url)), database.url, name, `${EVERY_MS}`, `${TIMEOUT_MS}`],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  return child
}

it.concurrent('one of two works; the other begins when the first has ended its work', async (test) => {
  const { said, hold } = stage('two', test)
  const one = hold('one')
  await vi.waitFor(() => expect(said).toEqual(['one begins']))
  const two = hold('two')
  const other = stage('another', test)
  other.hold('other')
  await vi.waitFor(() => expect(other.said).toEqual(['other begins']))
  expect([one.isHeld(), two.isHeld()]).toEqual([true, false])
  await one.stop()
  await vi.waitFor(() => expect(said).toEqual(['one begins', 'one ends', 'two begins']))
  expect([one.isHeld(), two.isHeld()]).toEqual([false, true])
})

it.concurrent('a connection that is cut ends the work, and it begins again', async (test) => {
  const { said, hold } = stage('cut', test)
  hold('one')
  await vi.waitFor(() => expect(said).toEqual(['one begins']))
  await database.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'lease cut'`,
  )
  await vi.waitFor(() => expect(said).toEqual(['one begins', 'one ends', 'one begins']))
})

it.concurrent('work that cannot begin is tried again', async (test) => {
  const { said, hold } = stage('stubborn', test)
  let tries = 0
  const lease = hold('one', database.url, async () => {
    if (++tries < 3) throw new Error('the broker is away')
  })
  await vi.waitFor(() => expect(said).toEqual(['one begins']))
  expect([tries, lease.isHeld()]).toEqual([3, true])
})

it.concurrent('who hears no more of the database stops before it gives the lease to another', async (test) => {
  const door = await openTcpProxy(database.url, 5432)
  const { said, hold } = stage('silent', test)
  hold('one', door.urlOf(database.url))
  await vi.waitFor(() => expect(said).toEqual(['one begins']))
  hold('two')
  door.hold()
  await vi.waitFor(() => expect(said).toEqual(['one begins', 'one ends', 'two begins']), { timeout: 15_000 })
  door.release()
  door.shut()
}, 20_000)

it.for([
  ['killed', 'SIGKILL', 15_000],
  ['standing still', 'SIGSTOP', 15_000],
] as const)(
  'work of a process that is %s begins elsewhere in time',
  { concurrent: true, timeout: 20_000 },
  async ([, signal, withinMs], test) => {
    const { said, hold } = stage(signal, test)
    const child = await elsewhere(signal, test)
    hold('two')
    // Long enough for the other holder to take the lease if it were free.
    await vi.waitFor(async () => {
      const ask = 'select count(*)::int as n from pg_stat_activity where application_name = $1'
      const { rows } = await database.pool.query(ask, [`lease ${signal}`])
      expect(rows[0].n).toBe(2)
    })
    expect(said).toEqual([])
    child.kill(signal)
    await vi.waitFor(() => expect(said).toEqual(['two begins']), { timeout: withinMs })
  },
)
