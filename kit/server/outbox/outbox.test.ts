import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { testDatabase, type TestDatabase } from '../../../tests/support/database.ts'
import { CRASH_POINTS, playOutboundCall } from '#tests/support/outbound-crashes.ts'
import { defineResource, f, type RowOf } from '../../resource/index.ts'
import { sql, type Db } from '../database/db.ts'
import { jobTablesSql } from '../jobs/index.ts'
import { defineModule, serve } from '../module/module.ts'
import { startSampleApp, type SampleApp } from '../../../tests/support/sample-app.ts'
import { formatShanghaiTime } from '../base/time.ts'
import { callRowsOf, defineOutboundCall, OutboundCallError, type OutboundAnswer } from './index.ts'

const words = (text: string) => ({ zh: text, en: text })
const time = f.datetime({ label: words('time') })

const letter = defineResource({
  name: 'letter',
  path: '/api/t/letter',
  label: words('Letter'),
  tenancy: 'tenant',
  writer: 'system',
  list: { columns: ['number'] },
  fields: {
    number: f.text({ label: words('number'), max: 40 }),
    state: f.text({ label: words('state'), max: 20 }),
    reason: f.text({ label: words('reason'), max: 500 }),
    attempts: f.number({ label: words('attempts') }),
    nextTime: time,
    expireTime: time,
    leaseUntil: time,
    doneTime: time,
  },
})
type Letter = RowOf<typeof letter>

const post = {
  asks: [] as string[],
  send: async (_row: Letter): Promise<OutboundAnswer<Letter>> => ({ outcome: 'done' }),
  find: undefined as undefined | (() => Promise<OutboundAnswer<Letter> | undefined>),
  isOpen: true,
}
const rules = {
  rows: callRowsOf(letter, 'state'),
  states: {
    queued: 'asked',
    sent: 'sent',
    accepted: 'taken',
    done: 'done',
    failed: 'failed',
    unknown: 'unknown',
    expired: 'expired',
  },
  texts: { unknown: 'nobody knows', expired: 'too late' },
  checkAfterS: [60, 300],
  prepare: (_db: Db, row: Letter) => {
    post.asks.push(row.state!)
    return post.isOpen ? { work: undefined } : undefined
  },
  send: ({ row }: { row: Letter }) => post.send(row),
}
const sweepOf = (queue: string) => ({ queue, cron: '*/10 * * * *', crossTenantReason: 'letters of a test' })
const fields = {
  state: 'state',
  reason: 'reason',
  attempts: 'attempts',
  nextTime: 'nextTime',
  expireTime: 'expireTime',
  doneTime: 'doneTime',
} as const
/** Nobody can ask about it, and it is not repeated. */
const blind = defineOutboundCall<Letter, undefined>({
  ...rules,
  fields,
  queue: 'letter.blind',
  sweep: sweepOf('letter.blind.sweep'),
  attemptsMax: 3,
})
const askable = defineOutboundCall<Letter, undefined>({
  ...rules,
  fields,
  queue: 'letter.asked',
  sweep: sweepOf('letter.asked.sweep'),
  find: async () => post.find?.(),
  keyOf: ({ number }) => number,
})
const leased = defineOutboundCall<Letter, undefined>({
  ...rules,
  fields: { ...fields, leaseUntil: 'leaseUntil' },
  queue: 'letter.leased',
  sweep: sweepOf('letter.leased.sweep'),
  isRepeatable: () => true,
})

let database: TestDatabase
let sample: SampleApp
let now = new Date('2026-03-01T02:00:00Z')
const tenantId = '100001'

beforeAll(async () => {
  database = await testDatabase({ empty: true })
  const module = defineModule({ name: 'letters', label: words('letters'), resources: [serve(letter)] })
  sample = await startSampleApp(database.url, [module], pathToFileURL(`${mkdtempSync(join(tmpdir(), 'none-'))}/`))
  await sample.owner.query(`${jobTablesSql}; grant select, insert, update on job to store_app, store_platform`)
  sample.services.now = () => now
  sample.services.live = { publish: () => {} } as never
}, 60_000)
afterAll(async () => {
  await sample.stop()
  await database.drop()
})
beforeEach(() => {
  now = new Date('2026-03-01T02:00:00Z')
  Object.assign(post, { asks: [], send: async () => ({ outcome: 'done' }), find: undefined, isOpen: true })
})

const unit = <T>(work: (db: Db) => Promise<T>): Promise<T> => sample.services.unit({ tenantId }, work)
const letterOf = async (id: string) => (await unit((db) => db.get(letter, id)))!
const insertLetter = (more: Partial<Letter> = {}): Promise<string> =>
  unit(async (db) => (await db.insert(letter, { number: 'A', state: 'asked', attempts: 0, ...more })).id)
const context = () => ({ services: sample.services, tenantId, signal: new AbortController().signal }) as never
const run = (call: typeof blind, id: string) => call.sendJob.run({ id }, context())
const jobsOf = (id: string) =>
  unit((db) =>
    db.query<{ queue: string; at: string; payload: { checks?: number } }>(sql`select queue,
    run_at as at, payload from job where dedupe_key = ${id} and state = 'asked'`),
  )
const later = (ms: number) => formatShanghaiTime(new Date(now.getTime() + ms))
const fault = (isUndone: boolean, isRetryable: boolean) => () =>
  Promise.reject(new OutboundCallError('the post says no', { isUndone, isRetryable }))

describe('an outbound call', () => {
  it('is stored as sent before the request leaves, and as done afterwards', async () => {
    const id = await insertLetter()
    let atSending: string | null = ''
    post.send = async () => {
      atSending = (await letterOf(id)).state
      return { outcome: 'done', patch: { number: 'B' } }
    }
    await run(blind, id)
    expect(atSending).toBe('sent')
    expect(await letterOf(id)).toMatchObject({ state: 'done', number: 'B', attempts: 1, doneTime: later(0) })
    await run(blind, id)
    expect(post.asks).toEqual(['asked'])
  })

  it('the other side refuses fails with its words and is not sent again', async () => {
    const id = await insertLetter()
    post.send = fault(true, false)
    await run(blind, id)
    expect(await letterOf(id)).toMatchObject({ state: 'failed', reason: 'the post says no' })
  })

  it('that never left is asked again, until its attempts are used up', async () => {
    const id = await insertLetter()
    post.send = fault(true, true)
    for (const state of ['asked', 'asked', 'failed']) {
      await run(blind, id).catch(() => undefined)
      expect((await letterOf(id)).state).toBe(state)
    }
  })

  it('without a clear answer is unknown where nobody can ask, and never failed', async () => {
    const id = await insertLetter()
    post.send = fault(false, true)
    await run(blind, id)
    expect(await letterOf(id)).toMatchObject({ state: 'unknown', reason: 'nobody knows' })
  })

  it('without a clear answer is asked about, and sent again only when it never arrived', async () => {
    const id = await insertLetter()
    post.send = fault(false, true)
    await expect(run(askable, id)).rejects.toThrow('the post says no')
    expect((await letterOf(id)).state).toBe('sent')
    post.find = fault(true, false)
    await expect(run(askable, id)).rejects.toThrow('the post says no')
    expect((await letterOf(id)).state).toBe('sent')
    post.find = async () => undefined
    post.send = async () => ({ outcome: 'done' })
    await run(askable, id)
    expect(await letterOf(id)).toMatchObject({ state: 'done', attempts: 3 })
  })

  it('that was accepted is asked about after longer and longer times, and not before', async () => {
    const id = await insertLetter()
    post.send = async () => ({ outcome: 'accepted' })
    await run(askable, id)
    expect(await letterOf(id)).toMatchObject({ state: 'taken', nextTime: later(60_000) })
    await run(askable, id)
    expect(post.asks).toEqual(['asked'])
    now = new Date(now.getTime() + 60_000)
    post.find = async () => ({ outcome: 'accepted' })
    await askable.sendJob.run({ id, checks: 1 }, context())
    expect(await letterOf(id)).toMatchObject({ state: 'taken', nextTime: later(300_000) })
    expect((await jobsOf(id)).map(({ payload }) => payload.checks)).toEqual([2])
  })

  it('whose time is over is not sent any more, and asked about once when it was', async () => {
    const [fresh, old] = [
      await insertLetter({ expireTime: later(0) }),
      await insertLetter({ state: 'sent', expireTime: later(0) }),
    ]
    post.send = () => Promise.reject(new Error('it was sent'))
    await run(askable, fresh)
    expect(await letterOf(fresh)).toMatchObject({ state: 'expired', reason: 'too late' })
    await run(askable, old)
    expect(await letterOf(old)).toMatchObject({ state: 'unknown', reason: 'nobody knows' })
  })

  it('drops the answer to a number it no longer has', async () => {
    const id = await insertLetter()
    post.send = async () => {
      await unit((db) => db.update(letter, id, { number: 'B' }))
      return { outcome: 'done' }
    }
    await run(askable, id)
    expect((await letterOf(id)).state).toBe('sent')
  })

  it('in the hands of one sender is left alone by another until the lease ends', async () => {
    const id = await insertLetter()
    post.send = async () => {
      await run(leased, id)
      return { outcome: 'done' }
    }
    await leased.sendNow(sample.services, tenantId, id)
    expect(post.asks).toEqual(['asked'])
    expect(await letterOf(id)).toMatchObject({ state: 'done', attempts: 1, leaseUntil: null })
  })

  it('that cannot be sent now stays as it is, and the sweep gives it a job again, once', async () => {
    const [id, over] = [await insertLetter(), await insertLetter({ state: 'done' })]
    post.isOpen = false
    await run(blind, id)
    expect((await letterOf(id)).state).toBe('asked')
    for (let n = 0; n < 2; n++) await blind.sweepJob.run({}, context())
    expect((await jobsOf(id)).map(({ queue }) => queue)).toEqual(['letter.blind'])
    expect(await jobsOf(over)).toEqual([])
  })

  it('has one job, which an earlier time brings forward', async () => {
    const id = await insertLetter()
    await unit((db) => blind.enqueue(db, id, { runAt: new Date('2030-01-01T00:00:00Z') }))
    await unit((db) => blind.enqueue(db, id))
    await unit((db) => blind.enqueue(db, id, { runAt: new Date('2030-01-01T00:00:00Z') }))
    const jobs = await jobsOf(id)
    expect(jobs).toHaveLength(1)
    expect(jobs[0]!.at < '2030').toBe(true)
  })
})

describe.each(CRASH_POINTS)('a sender that dies %s', (point) => {
  it.each([
    ['that can be asked', { canBeAsked: true, remembersNumbers: false }],
    ['that remembers numbers', { canBeAsked: false, remembersNumbers: true }],
  ])('leaves a call that a side %s does exactly once', async (_name, traits) => {
    const id = await insertLetter()
    const played = playOutboundCall(askable, traits)
    await played.runUntil(point, sample.services, tenantId, id)
    expect((await letterOf(id)).state).toBe('sent')
    await played.run(sample.services, tenantId, id)
    expect(played.acts).toHaveLength(1)
    expect((await letterOf(id)).state).toBe('done')
  })

  it('leaves a call that nobody can ask about as unknown, and it is not sent again', async () => {
    const id = await insertLetter()
    const played = playOutboundCall(blind, { canBeAsked: false, remembersNumbers: false })
    await played.runUntil(point, sample.services, tenantId, id)
    await played.run(sample.services, tenantId, id)
    expect(played.acts).toHaveLength(point === 'before sending' ? 0 : 1)
    expect((await letterOf(id)).state).toBe('unknown')
  })
})
