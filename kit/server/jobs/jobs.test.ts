import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import sql from 'sql-template-tag'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { scratchDatabase, type ScratchDatabase } from '#tests/support/scratch-database.ts'
import { createJobWorker, defineQueue, UnrecoverableJobError, jobTablesSql, type JobWorker } from './index.ts'
import { defineJob, type JobDefinition } from './job.ts'
import { createTrace, executionContext, currentTrace } from '../base/trace.ts'
import { enqueue } from '../database/enqueue.ts'
import { nextRun } from './schedule.ts'
import type { JobWorkerOptions } from './worker.ts'

const tenantId = '100001'
let database: ScratchDatabase
let workers: JobWorker[] = []

function worker(jobs: JobDefinition[], options: Partial<JobWorkerOptions> = {}): JobWorker {
  const created = createJobWorker({ pool: database.pool, jobs, pollMs: 100, ...options })
  workers.push(created)
  return created
}

const states = async (queue: string) => {
  const { rows } = await database.pool.query(sql`
    select state, count(*)::int as n from job where queue = ${queue} group by state`)
  return Object.fromEntries(rows.map(({ state, n }) => [state, n]))
}

describe('durable jobs', () => {
  beforeAll(async () => {
    database = await scratchDatabase(`${jobTablesSql}; create table run (sale int, worker text)`)
  })
  afterAll(() => database.drop())
  afterEach(async () => {
    await Promise.all(workers.map((each) => each.stop(0)))
    workers = []
    await database.pool.query('truncate job, job_schedule, run')
  })

  it('a job exists if and only if the transaction that asked for it commits', async () => {
    const client = await database.pool.connect()
    await client.query('begin')
    await enqueue(client, { queue: 'mail', tenantId })
    await client.query('rollback')
    expect(await states('mail')).toEqual({})
    await client.query('begin')
    await enqueue(client, { queue: 'mail', tenantId })
    await client.query('commit')
    client.release()
    expect(await states('mail')).toEqual({ asked: 1 })
  })

  it('a job runs with its payload for its tenant, at once, without waiting for the next look', async () => {
    const seen: unknown[] = []
    const job = defineJob({
      queue: defineQueue<{ to: string }>('mail'),
      run: async (payload, { tenantId: tenant }) => void seen.push([payload, tenant]),
    })
    await worker([job], { pollMs: 60_000 }).start()
    await enqueue(database.pool, { queue: 'mail', tenantId, payload: { to: '店长' } })
    await vi.waitFor(() => expect(seen).toEqual([[{ to: '店长' }, tenantId]]))
    await vi.waitFor(async () => expect(await states('mail')).toEqual({ done: 1 }))
  })

  it('a job goes on with the trace of the call that asked for it, and one nobody asked for has its own', async () => {
    const seen: (string | undefined)[] = []
    const job = defineJob({ queue: defineQueue('traced'), run: async () => void seen.push(currentTrace()?.id) })
    await executionContext.run({ isHeld: false, trace: createTrace('asker') }, () =>
      enqueue(database.pool, { queue: 'traced', tenantId }),
    )
    await enqueue(database.pool, { queue: 'traced', tenantId })
    await worker([job]).runDue()
    expect(seen).toEqual(['asker', expect.stringMatching(/^[\da-f]{32}$/)])
  })

  it('the same key asked twenty times at once is one job, and a new one once that is done', async () => {
    let runs = 0
    const each = worker([defineJob({ queue: defineQueue('once'), run: async () => void runs++ })])
    const ask = () => enqueue(database.pool, { queue: 'once', tenantId, key: 'order-7' })
    const ids = await Promise.all(Array.from({ length: 20 }, ask))
    expect(new Set(ids.filter(Boolean)).size).toBe(1)
    await each.runDue()
    expect(runs).toBe(1)
    expect(await ask()).toBeDefined()
    expect(
      await enqueue(database.pool, { queue: 'once', tenantId: '100002', key: 'order-7' }),
      "another tenant's",
    ).toBeDefined()
  })

  it('asked for while it runs, it runs once more afterwards, never beside it, with what was asked last', async () => {
    const seen: unknown[] = []
    let atOnce = 0
    const ask = (n: number) => enqueue(database.pool, { queue: 'again', tenantId, key: 'shop', payload: { n } })
    const job = defineJob({
      queue: defineQueue<{ n: number }>('again'),
      concurrency: 4,
      async run({ n }) {
        expect(++atOnce).toBe(1)
        seen.push(n)
        if (n === 1) for (const again of [2, 3]) await ask(again)
        atOnce--
        if (n === 3) throw new UnrecoverableJobError('for good')
      },
    })
    await ask(1)
    await worker([job]).runDue()
    expect(seen).toEqual([1, 3])
    expect(await states('again')).toEqual({ done: 1, failed: 1 })
  })

  it('what is asked for again for later waits until then, also where the run before it fails for good', async () => {
    let now = new Date('2026-03-01T08:00:00Z')
    const seen: number[] = []
    const job = defineJob({
      queue: defineQueue<{ n: number }>('later'),
      async run({ n }) {
        seen.push(n)
        const runAt = new Date('2026-03-01T09:00:00Z')
        if (n === 1) await enqueue(database.pool, { queue: 'later', tenantId, key: 'k', payload: { n: 2 }, runAt })
        if (n === 1) throw new UnrecoverableJobError('for good')
      },
    })
    const each = worker([job], { now: () => now })
    await enqueue(database.pool, { queue: 'later', tenantId, key: 'k', payload: { n: 1 }, runAt: now })
    await each.runDue()
    await each.runDue()
    expect(seen).toEqual([1])
    now = new Date('2026-03-01T09:00:01Z')
    await each.runDue()
    expect(seen).toEqual([1, 2])
  })

  it('what waits for later comes forward when asked for sooner, and not when only asked for again', async () => {
    const now = new Date('2026-03-01T08:00:00Z')
    const seen: unknown[] = []
    const each = worker([defineJob({ queue: defineQueue('soon'), run: async (payload) => void seen.push(payload) })], {
      now: () => now,
    })
    const ask = (n: number, more: object) =>
      enqueue(database.pool, { queue: 'soon', tenantId, key: 'k', payload: { n }, ...more })
    await ask(1, { runAt: new Date('2026-03-01T09:00:00Z') })
    await ask(2, { runAt: now })
    await ask(3, { runAt: new Date('2026-03-01T10:00:00Z'), moveEarlier: true })
    await each.runDue()
    expect(seen).toEqual([])
    await Promise.all([4, 5].map((n) => ask(n, { runAt: now, moveEarlier: true })))
    await each.runDue()
    expect(seen).toHaveLength(1)
    expect(await states('soon')).toEqual({ done: 1 })
  })

  it('a job moved earlier while it runs is run again at the earliest of the times it was asked for', async () => {
    const now = new Date('2026-03-01T00:00:00Z')
    let runs = 0
    const again = (runAt: Date) =>
      enqueue(database.pool, { queue: 'asks', tenantId, key: 'k', runAt, moveEarlier: true })
    const job = defineJob({
      queue: defineQueue('asks'),
      run: async () => {
        if (++runs > 1) return
        for (const hour of ['09', '00', '10']) await again(new Date(`2026-03-01T${hour}:00:00Z`))
      },
    })
    await again(now)
    await worker([job], { now: () => now }).runDue()
    expect(runs).toBe(2)
    expect(await states('asks')).toEqual({ done: 2 })
  })

  it('a run that would not see what the asker has not committed yet waits for it', async () => {
    const seen: number[] = []
    const job = defineJob({
      queue: defineQueue('sees'),
      run: async () => {
        const { rows } = await database.pool.query(`select count(*)::int as n from run where worker = 'sees'`)
        seen.push(rows[0].n)
      },
    })
    const each = worker([job])
    const ask = { queue: 'sees', tenantId, key: 'stock' }
    await enqueue(database.pool, ask)
    const client = await database.pool.connect()
    await client.query('begin')
    await client.query(`insert into run values (1, 'sees')`)
    await enqueue(client, ask)
    // Another caller that enqueues the same key does not wait.
    expect(await enqueue(database.pool, ask)).toBeUndefined()
    await each.runDue()
    expect(seen).toEqual([])
    await client.query('commit')
    client.release()
    await each.runDue()
    expect(seen).toEqual([1])
  })

  it('two hundred jobs over three workers run once each and never more at a time than allowed', async () => {
    const seen: number[] = []
    let atOnce = 0
    let most = 0
    const job = () =>
      defineJob({
        queue: defineQueue<{ n: number }>('many'),
        concurrency: 4,
        async run({ n }) {
          most = Math.max(most, ++atOnce)
          await new Promise(setImmediate)
          seen.push(n)
          atOnce--
        },
      })
    for (let n = 0; n < 200; n++) await enqueue(database.pool, { queue: 'many', tenantId, payload: { n } })
    await Promise.all([worker([job()]), worker([job()]), worker([job()])].map((each) => each.start()))
    await vi.waitFor(async () => expect(await states('many')).toEqual({ done: 200 }), { timeout: 10_000 })
    expect(seen.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 200 }, (_, n) => n))
    expect(most).toBeLessThanOrEqual(12)
  })

  it('a look asks as little of the database for two hundred queues as for one', async () => {
    const each = vi.fn<() => Promise<void>>(async () => {})
    const countOf = async (queues: number) => {
      const jobs = Array.from({ length: queues }, (_none, n) =>
        defineJob({ queue: defineQueue(`of-many-${n}`), cron: '0 4 1 1 *', run: each }),
      )
      const idle = worker(jobs)
      await idle.runDue()
      const query = vi.spyOn(database.pool, 'query')
      await idle.runDue()
      const count = query.mock.calls.length
      query.mockRestore()
      return count
    }
    const [one, many] = [await countOf(1), await countOf(200)]
    expect(many).toBe(one)
    expect(each).not.toHaveBeenCalled()
    await enqueue(database.pool, { queue: 'of-many-199', tenantId })
    await workers.at(-1)!.runDue()
    expect(each, 'and misses none').toHaveBeenCalledOnce()
  })

  it('a worker that ends while it looks takes nothing any more', async () => {
    const run = vi.fn<() => Promise<void>>(async () => {})
    await enqueue(database.pool, { queue: 'late', tenantId })
    const leaving = worker([defineJob({ queue: defineQueue('late'), run })], { pollMs: 60_000 })
    const looking = leaving.runDue()
    await leaving.stop(0)
    await looking
    const { done = 0, asked = 0 } = await states('late')
    expect([done, asked]).toEqual([run.mock.calls.length, 1 - run.mock.calls.length])
  })

  it('a failing job waits longer each time, keeps its last error, and fails for good at its last attempt', async () => {
    let clock = new Date('2026-03-01T00:00:00Z')
    const attempts: number[] = []
    const job = defineJob({
      queue: defineQueue('shaky'),
      async run(_payload, { attempt }) {
        attempts.push(attempt)
        throw new Error(`no answer ${attempt}`)
      },
    })
    const each = worker([job], { now: () => clock })
    await enqueue(database.pool, { queue: 'shaky', tenantId, maxAttempts: 3, runAt: clock })
    await each.runDue()
    await each.runDue()
    expect(attempts).toEqual([1])
    clock = new Date(clock.getTime() + 6_000)
    await each.runDue()
    clock = new Date(clock.getTime() + 6_000)
    await each.runDue()
    expect(attempts).toEqual([1, 2])
    clock = new Date(clock.getTime() + 6_000)
    await each.runDue()
    expect(attempts).toEqual([1, 2, 3])
    const { rows } = await database.pool.query('select state, last_error from job')
    expect(rows).toEqual([{ state: 'failed', last_error: 'Error: no answer 3' }])
  })

  it(
    'long work of many tenants takes turns: who came first with much keeps ' + 'nobody else waiting for all of it',
    async () => {
      const done: string[] = []
      const parts = new Map<string, number>()
      const job = defineJob({
        queue: defineQueue<{ name: string; parts: number }>('long'),
        concurrency: 1,
        fairByTenant: true,
        async run({ name, parts: wanted }, { yieldIfOthersWait }) {
          while ((parts.get(name) ?? 0) < wanted) {
            parts.set(name, (parts.get(name) ?? 0) + 1)
            await yieldIfOthersWait!()
          }
          done.push(name)
        },
      })
      for (const name of ['a', 'b', 'c'])
        await enqueue(database.pool, { queue: 'long', tenantId, payload: { name, parts: 5 } })
      await enqueue(database.pool, { queue: 'long', tenantId: '100002', payload: { name: 'short', parts: 1 } })
      await worker([job], { timeSliceMs: 0 }).runDue()
      expect(done[0]).toBe('short')
      expect([...parts]).toEqual([
        ['a', 5],
        ['short', 1],
        ['b', 5],
        ['c', 5],
      ])
      expect(await states('long')).toEqual({ done: 4 })
      const { rows } = await database.pool.query('select distinct attempts from job')
      expect(rows, 'a turn is no failure').toEqual([{ attempts: 1 }])
    },
  )

  it('what has the queue for itself goes on in one run', async () => {
    let runs = 0
    const job = defineJob({
      queue: defineQueue('alone'),
      fairByTenant: true,
      async run(_payload, { yieldIfOthersWait }) {
        runs++
        for (let part = 0; part < 3; part++) await yieldIfOthersWait!()
      },
    })
    await enqueue(database.pool, { queue: 'alone', tenantId })
    await worker([job], { timeSliceMs: 0 }).runDue()
    expect(runs).toBe(1)
  })

  it('a job that refuses is not tried again', async () => {
    const job = defineJob({
      queue: defineQueue('refuses'),
      run: () => Promise.reject(new UnrecoverableJobError('no such order')),
    })
    await enqueue(database.pool, { queue: 'refuses', tenantId })
    await worker([job]).runDue()
    expect(await states('refuses')).toEqual({ failed: 1 })
  })

  it('a job that never ends is broken off by its time limit and tried again', async () => {
    const attempts: number[] = []
    const job = defineJob({
      queue: defineQueue('hangs'),
      timeoutSeconds: 0.05,
      backoffSeconds: () => 0,
      async run(_payload, { attempt }) {
        attempts.push(attempt)
        if (attempt === 1) await new Promise(() => {})
      },
    })
    await enqueue(database.pool, { queue: 'hangs', tenantId })
    await worker([job]).runDue()
    expect(attempts).toEqual([1, 2])
    expect(await states('hangs')).toEqual({ done: 1 })
  })

  it('a job for later does not run before its time', async () => {
    let runs = 0
    const due = new Date('2026-03-01T09:00:00+08:00')
    let clock = new Date(due.getTime() - 1)
    const each = worker([defineJob({ queue: defineQueue('later'), run: async () => void runs++ })], {
      now: () => clock,
    })
    await enqueue(database.pool, { queue: 'later', tenantId, runAt: due })
    await each.runDue()
    expect(runs).toBe(0)
    clock = due
    await each.runDue()
    expect(runs).toBe(1)
  })

  it('three processes fire a schedule once per time, and make up a missed night once', async () => {
    let clock = new Date('2026-03-01T02:59:00+08:00')
    let runs = 0
    const job = () => defineJob({ queue: defineQueue('nightly'), cron: '0 3 * * *', run: async () => void runs++ })

    const three = Array.from({ length: 3 }, () => worker([job()], { now: () => clock }))
    await Promise.all(three.map((each) => each.runDue()))
    expect(runs).toBe(0)
    clock = new Date('2026-03-01T03:00:00+08:00')
    await Promise.all(three.map((each) => each.runDue()))
    await Promise.all(three.map((each) => each.runDue()))
    expect(runs).toBe(1)
    clock = new Date('2026-03-05T12:00:00+08:00')
    await Promise.all(three.map((each) => each.runDue()))
    expect(runs).toBe(2)
    const { rows } = await database.pool.query('select extract(epoch from next_at)::int as at from job_schedule')
    expect(rows[0].at * 1000).toBe(Date.parse('2026-03-06T03:00:00+08:00'))
  })

  it('a schedule that is no cron expression stops the start', async () => {
    await expect(
      worker([defineJob({ queue: defineQueue('bad'), cron: 'each night', run: async () => {} })]).start(),
    ).rejects.toThrow()
    expect(() => nextRun('0 0 30 2 *', new Date())).toThrow('never fires')
  })

  it('a stopping worker lets a job end, and gives back one that does not without counting the attempt', async () => {
    let broken: unknown
    const job = defineJob({
      queue: defineQueue('slow'),
      async run(_payload, { signal }) {
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
        broken = signal.reason
      },
    })
    const each = worker([job])
    await each.start()
    await enqueue(database.pool, { queue: 'slow', tenantId })
    await vi.waitFor(() => expect(each.state().running).toBe(1))
    await each.stop(10)
    expect(String(broken)).toContain('stops')
    const { rows } = await database.pool.query('select state, attempts from job')
    expect(rows).toEqual([{ state: 'asked', attempts: 0 }])
  })

  it('a worker whose lease was taken away hears it and cannot write an outcome', async () => {
    let aborted = false
    const job = defineJob({
      queue: defineQueue('taken'),
      run: (_payload, { signal }) =>
        new Promise<void>((resolve) => {
          signal.addEventListener('abort', () => {
            aborted = true
            resolve()
          })
        }),
    })
    await worker([job], { leaseMs: 400 }).start()
    await enqueue(database.pool, { queue: 'taken', tenantId })
    await vi.waitFor(async () => expect(await states('taken')).toEqual({ running: 1 }))
    await database.pool.query(`update job set leased_by = 'somebody else', lease_until = clock_timestamp() + '1 hour'`)
    await vi.waitFor(() => expect(aborted).toBe(true))
    const { rows } = await database.pool.query('select state, leased_by from job')
    expect(rows).toEqual([{ state: 'running', leased_by: 'somebody else' }])
  })

  it('jobs of a process killed with SIGKILL run again elsewhere, each once', async () => {
    for (let sale = 1; sale <= 8; sale++) {
      await enqueue(database.pool, { queue: 'sale', tenantId, payload: { sale }, key: `sale-${sale}` })
    }
    const child = spawn(process.execPath, [fileURLToPath(new URL('jobs.child.ts', import.meta.url)), database.url], {
      stdio: 'inherit',
    })
    const started = () => database.pool.query(sql`select count(*)::int as n from run where worker = ${'killed'}`)
    await vi.waitFor(async () => expect((await started()).rows[0].n).toBe(5), { timeout: 15_000 })
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(await states('sale')).toEqual({ running: 5, asked: 3 })

    const job = defineJob({
      queue: defineQueue<{ sale: number }>('sale'),
      async run({ sale }) {
        await database.pool.query('insert into run (sale, worker) values ($1, $2)', [sale, 'second'])
      },
    })
    await worker([job]).start()
    await vi.waitFor(async () => expect(await states('sale')).toEqual({ done: 8 }), { timeout: 10_000 })
    const { rows } = await database.pool.query(sql`select sale from run where worker = ${'second'} order by sale`)
    expect(rows.map(({ sale }) => sale)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  })
})
