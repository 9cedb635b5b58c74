import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { raiseEvent } from '#domains/shops/shop-events/api.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import type { CastMember } from '#tests/support/server.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { createTestTenants, type TestTenants } from '#tests/support/test-tenants.ts'
import { startDify, type DifySimulator, type Mood } from '#simulators/dify/dify.simulator.ts'
import { aiApp } from './ai-app.resource.ts'
import { aiFinding } from './ai-finding.resource.ts'
import { aiTask, aiTaskLog } from './ai-task.resource.ts'
import { aiUsage } from './ai-usage.resource.ts'
import { cameraPictureSlot } from './picture.ts'
import { difyTimeouts } from './dify.client.ts'
import { secretCipherOf } from '#domains/platform/files/api.ts'
import { runDueAiTasks } from './triggers.ts'

const KEY = 'app-north-shelf'
const CAMERA_KEY = 'app-north-camera'
const usualTimeouts = { ...difyTimeouts }
// Ahead of the database clock, so that jobs planned for later do not run until the test makes them due.
let now = new Date('2027-11-20T21:00:00+08:00').getTime()
let tenants: TestTenants
let dify: DifySimulator
let tenantId: string
let shop: string
let otherShop: string
let camera: string
let stranger: CastMember
let made = 0
/** Longer than usual, as the machine may be busy with other tests. */
const WAITS = { timeout: 20_000 }

beforeAll(async () => {
  dify = await startDify({ nodeMs: 3 })
  dify.apps.set(KEY, { name: '货架识别', kind: 'shelf' }).set(CAMERA_KEY, { name: '夜间巡检', kind: 'camera' })
  tenants = await createTestTenants({ now: () => new Date(now) })
  tenantId = tenants.north.tenantId
  ;[shop, otherShop] = tenants.north.shops as [string, string]
  stranger = await tenants.boss(tenants.north, otherShop)
  await app('shelf-check', KEY)
  await app('night-watch', CAMERA_KEY)
  for (const stock of [2, 0, 40]) {
    const { id } = await tenants.good(tenants.north, shop, { shelfNo: 'A1' })
    await unit((db) => db.run(sql`update good_info set stock = ${stock} where tenant_id = ${tenantId} and id = ${id}`))
  }
  camera = (await must('deviceInfo/submit', { name: '门口', sn: 'CAM-1', shopId: shop, type: 'camera' })).id
})
/** Judges the findings of earlier tests at the only shelf, so that none is open. */
const closeAll = () =>
  unit((db) => db.run(sql`update ai_finding set verdict = 'right', open_key = null where tenant_id = ${tenantId}`))
beforeEach(async () => {
  await closeAll()
  Object.assign(dify, { mood: 'well', isHeld: false, lateMs: 0, tokens: 900 })
  dify.asked.length = 0
  Object.assign(difyTimeouts, usualTimeouts, { idleMs: 1_500, askMs: 1_000 })
  now += 3_600_000
  await unit((db) => db.run(sql`update ai_usage set budget = null where tenant_id = ${tenantId}`))
})
afterEach(() => Object.assign(difyTimeouts, usualTimeouts))
afterAll(async () => {
  await tenants?.close()
  await dify?.close()
})

const unit = <T>(work: (db: Db) => Promise<T>): Promise<T> => tenants.services.unit({ tenantId }, work)
const must = (path: string, body: object) =>
  tenants.must(tenants.call(tenants.north.admin, 'POST', `/api/shop/${path}`, { body }))
const app = (workflow: string, key: string) =>
  unit((db) =>
    db.insert(aiApp, {
      name: workflow,
      workflow,
      endpoint: dify.url,
      apiKey: secretCipherOf(tenants.services).seal(key),
      mayBeInside: true,
      pricePerMillion: 2_000_00,
      enabled: true,
    }),
  )
const task = (draft: object = {}): Promise<{ id: string }> =>
  must('aiTask/submit', {
    name: `巡检${++made}`,
    shopId: shop,
    targetType: 'shelf',
    workflow: 'shelf-check',
    outcome: 'event',
    threshold: '60.00',
    ...draft,
  })
const runNow = (id: string, who: CastMember = tenants.north.admin) =>
  tenants.call(who, 'POST', '/api/shop/aiTask/run', { query: { id } })
const logsOf = (taskId: string) => unit((db) => db.find(aiTaskLog, sql`r.task_id = ${taskId}`, sql`order by r.id`))
const findingsOf = (taskId: string) => unit((db) => db.find(aiFinding, sql`r.task_id = ${taskId}`, sql`order by r.id`))
const taskOf = (id: string) => unit(async (db) => (await db.get(aiTask, id))!)
const work = () => tenants.server.jobs.runDue()
const pass = async (ms: number) => {
  now += ms
  await tenants.services.systemPool.query(
    `update job set run_at = clock_timestamp() where state = 'asked' and queue like 'ai.%' and run_at <= $1`,
    [new Date(now).toISOString()],
  )
  await work()
}
/** Starts the jobs of a run and returns the run once Dify has reported its start. */
async function begun(id: string) {
  dify.isHeld = true
  await tenants.must(runNow(id))
  const working = work()
  await vi.waitFor(async () => expect((await logsOf(id)).at(-1)!.difyTaskId).toBeTruthy(), WAITS)
  return { run: (await logsOf(id)).at(-1)!, working }
}
/** Starts one run of a new task while the simulated Dify behaves as `mood`. */
async function runUnder(mood: Mood, draft: object = {}) {
  const { id } = await task(draft)
  dify.mood = mood
  await tenants.must(runNow(id))
  await work()
  return { id, run: async () => (await logsOf(id))[0]! }
}
const english = async (id: string) =>
  tenants.must(tenants.call(tenants.north.admin, 'GET', '/api/shop/aiTaskLog/detail', { query: { id }, lang: 'en' }))

describe('a run', () => {
  it('is a row before Dify hears of it, and ends with findings, tokens and what they cost', async () => {
    const { id } = await task()
    expect((await tenants.must(runNow(id))).count).toBe(1)
    expect((await logsOf(id))[0]).toMatchObject({ status: 'queued', targetName: 'A1', cause: 'hand', runId: null })
    expect(dify.asked).toEqual([])
    await work()
    const [run] = await logsOf(id)
    expect(run).toMatchObject({ status: 'succeeded', level: 'warn', tokens: 900, cost: 1.8, steps: 4, error: null })
    expect([run!.runId, run!.difyTaskId]).toEqual([expect.any(String), expect.any(String)])
    const found = await findingsOf(id)
    expect(found.map(({ type, verdict }) => [type, verdict])).toEqual([
      ['low_stock', 'open'],
      ['empty_shelf', 'open'],
    ])
    expect(await taskOf(id)).toMatchObject({ lastStatus: 'succeeded', failedRuns: 0 })
    const [month] = await unit((db) => db.find(aiUsage, sql`r.month = '2027-11'`))
    expect(month).toMatchObject({ tokens: 900, cost: 180, runs: 1 })
  })

  it('shows where it is while it goes on, to those alone who may see its shop', async () => {
    const { id } = await task()
    const { run, working } = await begun(id)
    await vi.waitFor(async () => expect((await logsOf(id))[0]!.step).toBe('看图识别'), WAITS)
    expect((await logsOf(id))[0]).toMatchObject({ status: 'running', said: expect.stringContaining('正在查看画面') })
    const seen = (who: CastMember) =>
      tenants.call(who, 'GET', '/api/shop/aiTaskLog/detail', { query: { id: run.id } }).then(({ status }) => status)
    expect([await seen(tenants.north.admin), await seen(stranger), await seen(tenants.south.admin)]).toEqual([
      200, 404, 404,
    ])
    dify.isHeld = false
    await working
  })

  it('is given the picture of its camera, kept with it, and does not run without one', async () => {
    const { id } = await task({ targetType: 'camera', workflow: 'night-watch', targetIds: camera })
    await tenants.must(runNow(id))
    await work()
    expect((await logsOf(id))[0]).toMatchObject({ status: 'failed', error: '没有可用的画面' })
    expect(dify.asked.filter((one) => one.includes('workflows'))).toEqual([])
    tenants.services.slots.fill(cameraPictureSlot, async () => PNG)
    await tenants.must(runNow(id))
    await work()
    const run = (await logsOf(id))[1]!
    expect(run).toMatchObject({ status: 'succeeded', picture: expect.stringContaining('.png') })
    const [found] = await findingsOf(id)
    expect(found).toMatchObject({ picture: run.picture, box: { x: expect.any(Number), w: expect.any(Number) } })
    expect([...dify.files.values()].at(-1)!.bytes.equals(PNG)).toBe(true)
    tenants.services.slots.fill(cameraPictureSlot, async () => undefined)
  })

  it('is not begun beside one that looks at the same thing already', async () => {
    const { id } = await task()
    const { working } = await begun(id)
    expect((await runNow(id)).data.reason).toBe('ai_nothing_to_see')
    dify.isHeld = false
    await working
    expect(await logsOf(id)).toHaveLength(1)
  })

  it('begins by the clock once for each of its times, and by the events it waits for, never by its own', async () => {
    const { id } = await task({ cron: '30 * * * *', onEvents: 'intrusion' })
    now = Math.ceil(now / 3_600_000) * 3_600_000 + 30 * 60_000 + 5_000
    await runDueAiTasks(tenants.services)
    await runDueAiTasks(tenants.services)
    await work()
    expect((await logsOf(id)).map(({ cause, status }) => [cause, status])).toEqual([['clock', 'succeeded']])
    await unit((db) => raiseEvent(db, { shopId: otherShop, type: 'intrusion', content: '别处' }))
    await unit((db) => raiseEvent(db, { shopId: shop, type: 'intrusion', content: '有人闯入' }))
    await work()
    expect((await logsOf(id)).map(({ cause }) => cause)).toEqual(['clock', 'event'])
    expect(JSON.stringify((await logsOf(id))[1]!.inputs)).toContain('有人闯入')
    expect(
      (
        await tenants.call(tenants.north.admin, 'POST', '/api/shop/aiTask/submit', {
          body: { id, onEvents: 'aiFinding' },
        })
      ).data.fields,
    ).toHaveProperty('onEvents')
    // Otherwise the scheduler would start it again in the middle of another test.
    await unit((db) => db.update(aiTask, id, { enabled: false }))
  })

  it('waits its turn where two of its tenant run already', async () => {
    const [one, two, three] = [await task(), await task(), await task()]
    dify.isHeld = true
    for (const { id } of [one, two, three]) await tenants.must(runNow(id))
    const working = work()
    const states = async () =>
      (await Promise.all([one, two, three].map(({ id }) => logsOf(id)))).flat().map(({ status }) => status)
    await vi.waitFor(async () =>
      expect((await states()).toSorted((a, b) => (a! < b! ? -1 : 1))).toEqual(['queued', 'running', 'running']),
    )
    dify.isHeld = false
    await working
    await pass(4_000)
    expect(await states()).toEqual(['succeeded', 'succeeded', 'succeeded'])
  })
})

describe('a stop', () => {
  const stop = (who: CastMember, taskId: string) =>
    tenants.call(who, 'POST', `/api/dify/block/workflows/tasks/${taskId}/stop`, { body: { user: 'whoever' } })

  it('ends a run in the middle by the id Dify gave it, whatever user the call names', async () => {
    const { id } = await task()
    const { run, working } = await begun(id)
    for (const who of [stranger, tenants.south.admin]) expect((await stop(who, run.difyTaskId!)).status).toBe(404)
    expect((await stop(tenants.north.admin, run.difyTaskId!)).data).toEqual({ result: 'success' })
    expect((await logsOf(id))[0]!.status).toBe('stopping')
    await Promise.all([work(), working])
    expect((await logsOf(id))[0]).toMatchObject({ status: 'stopped', step: null })
    expect(await findingsOf(id)).toEqual([])
    expect((await stop(tenants.north.admin, run.difyTaskId!)).status).toBe(400)
  })

  it('of a run that still waits is the end of it, and Dify is not asked', async () => {
    const { id } = await task()
    await tenants.must(runNow(id))
    const [run] = await logsOf(id)
    await must('aiTaskLog/stop', { id: run!.id })
    await work()
    expect((await logsOf(id))[0]!.status).toBe('stopped')
    expect(dify.asked).toEqual([])
  })

  it('that comes before Dify has begun is done as soon as it has', async () => {
    const { id } = await task()
    dify.lateMs = 300
    await tenants.must(runNow(id))
    const working = work()
    await vi.waitFor(async () => expect((await logsOf(id))[0]!.status).toBe('running'), WAITS)
    dify.isHeld = true
    await must('aiTaskLog/stop', { id: (await logsOf(id))[0]!.id })
    await working
    expect((await logsOf(id))[0]!.status).toBe('stopped')
  })
})

describe('a run its process left', () => {
  /** State after a killed process: the row is `running` and its job is free to be taken. */
  const leave = async (patch: object) => {
    const { id } = await task()
    await tenants.must(runNow(id))
    const [run] = await logsOf(id)
    await unit((db) => db.update(aiTaskLog, run!.id, { status: 'running', price: 0, ...patch }))
    return { id, run: run! }
  }
  /** Creates a run that Dify knows. */
  const runKnownToDify = async (held: boolean) => {
    const { id } = await task()
    const { run, working } = await begun(id)
    if (!held) {
      dify.isHeld = false
      await working
    }
    return { run, working, id }
  }

  it('has the end it had meanwhile, once', async () => {
    const other = await runKnownToDify(false)
    await closeAll()
    const { id } = await leave({ steps: 1, runId: other.run.runId, difyTaskId: other.run.difyTaskId })
    dify.asked.length = 0
    await work()
    expect((await logsOf(id))[0]).toMatchObject({ status: 'succeeded', tokens: 900 })
    expect(await findingsOf(id)).toHaveLength(2)
    expect(dify.asked).toEqual([`GET /v1/workflows/run/${other.run.runId}`])
  })

  it('is listened to again where it still goes on, and its tokens count once', async () => {
    const first = await runKnownToDify(true)
    // The process that followed it is gone; another job takes over its row.
    const taken = await unit((db) =>
      db.update(aiTaskLog, first.run.id, { status: 'running', steps: 1, tokens: 0, startTime: first.run.startTime }),
    )
    for (const one of dify.runs.values()) if (one.id === taken.runId) one.say(': still here\n\n')
    dify.isHeld = false
    await first.working
    expect((await logsOf(first.id))[0]).toMatchObject({ status: 'succeeded', tokens: 900 })
  })

  it('that never reached Dify begins anew; one that may have is asked about, and never asked for twice', async () => {
    const fresh = await leave({ steps: null })
    await work()
    expect((await logsOf(fresh.id))[0]!.status).toBe('succeeded')
    const uncertain = await leave({ steps: 0 })
    dify.asked.length = 0
    await work()
    expect((await logsOf(uncertain.id))[0]!.status).toBe('running')
    for (let n = 0; n < 3; n++) await pass(21_000)
    expect((await logsOf(uncertain.id))[0]).toMatchObject({
      status: 'unknown',
      error: expect.stringContaining('无法确认'),
    })
    expect(new Set(dify.asked)).toEqual(new Set(['GET /v1/workflows/logs']))
  })

  it('is found in the log of Dify by its own number where nobody wrote down what Dify calls it', async () => {
    const { id, run } = await leave({ steps: 0 })
    const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' }
    const body = JSON.stringify({
      inputs: { request_id: run.id, facts: '{"goods":[]}' },
      response_mode: 'blocking',
      user: `t${tenantId}-s${shop}-k${id}`,
    })
    await fetch(`${dify.url}/workflows/run`, { method: 'POST', headers, body })
    await work()
    expect((await logsOf(id))[0]).toMatchObject({ status: 'succeeded', summary: '货架充足' })
  })
})

describe('a budget', () => {
  const budget = (cents: number) =>
    unit((db) => db.run(sql`update ai_usage set budget = cost + ${cents} where tenant_id = ${tenantId}`))

  it('that is used up ends what runs and says so, and nothing runs any more this month; the next it does', async () => {
    const { id } = await task()
    await budget(100)
    dify.nodeMs = 1200
    await tenants.must(runNow(id))
    await work()
    dify.nodeMs = 3
    const [run] = await logsOf(id)
    expect(run).toMatchObject({ status: 'stopped', error: '本月 AI 预算已用完', tokens: 900 })
    expect((await english(run!.id)).error).toBe('The AI budget for this month is used up')
    dify.asked.length = 0
    await tenants.must(runNow(id))
    await work()
    expect((await logsOf(id))[1]).toMatchObject({ status: 'failed', error: '本月 AI 预算已用完' })
    expect(dify.asked).toEqual([])
    expect((await taskOf(id)).enabled).toBe(true)
    const [month] = await unit((db) => db.find(aiUsage, sql`r.month = '2027-11'`))
    expect(month!.ended).toBe(2)
    await unit((db) => db.run(sql`update ai_usage set month = '2027-10' where tenant_id = ${tenantId}`))
    await tenants.must(runNow(id))
    await work()
    expect((await logsOf(id))[2]!.status).not.toBe('failed')
    const [next] = await unit((db) => db.find(aiUsage, sql`r.month = '2027-11'`))
    expect(next).toMatchObject({ budget: month!.budget, tokens: 900 })
  })
})

describe('what Dify may do wrong', () => {
  it.each([
    ['quota', 'failed', /rate_limit_error/],
    ['noModel', 'failed', /provider_not_initialize/],
    ['nodeFails', 'failed', /code execution error/],
    ['errorInStream', 'failed', /node died/],
    ['pauses', 'stopped', /等待人工/],
    ['unread', 'partial', /不符合约定/],
    ['malformed', 'succeeded', /^$/],
    ['cut', 'succeeded', /^$/],
  ] as const)('%s ends the run as %s, and says why', async (mood, status, why) => {
    const { run } = await runUnder(mood)
    for (let n = 0; n < 4 && (await run()).status === 'running'; n++) {
      dify.mood = 'well'
      await pass(21_000)
    }
    const row = await run()
    expect([mood, row.status]).toEqual([mood, status])
    expect(row.error ?? '').toMatch(why)
  })

  it.each(['broken', 'deaf', 'noStream', 'cutForGood', 'silent'] as const)(
    '%s leaves nobody waiting: in the end it is said that nobody knows',
    async (mood) => {
      difyTimeouts.idleMs = difyTimeouts.askMs = 80
      dify.isHeld = mood === 'silent'
      const { run } = await runUnder(mood)
      expect(['running', 'unknown']).toContain((await run()).status)
      for (let n = 0; n < 4; n++) await pass(21_000)
      expect((await run()).status).toBe('unknown')
      expect((await run()).error).toBeTruthy()
    },
  )

  it('busy it is asked again later, and then it runs; busy for too long is said', async () => {
    const { run } = await runUnder('limited')
    expect(await run()).toMatchObject({ status: 'queued', tries: 1 })
    dify.mood = 'well'
    await pass(6_000)
    expect((await run()).status).toBe('succeeded')
    const other = await runUnder('limited')
    for (const ms of [6_000, 16_000, 46_000]) await pass(ms)
    expect(await other.run()).toMatchObject({ status: 'failed', error: expect.stringContaining('繁忙') })
  })

  it('away it is asked again later; a key it does not take is said at once', async () => {
    const { workflow } = await unit((db) =>
      db.insert(aiApp, {
        name: '别处',
        workflow: 'nowhere',
        endpoint: 'http://127.0.0.1:9/v1',
        apiKey: secretCipherOf(tenants.services).seal('app-x'),
        mayBeInside: true,
        pricePerMillion: 0,
        enabled: true,
      }),
    )
    const away = await runUnder('well', { workflow })
    expect(await away.run()).toMatchObject({ status: 'queued', tries: 1 })
    for (const ms of [6_000, 16_000, 46_000]) await pass(ms)
    expect(await away.run()).toMatchObject({ status: 'failed', error: expect.stringContaining('连不上') })
    await app('wrong-key', 'app-unknown')
    const refused = await runUnder('well', { workflow: 'wrong-key' })
    expect(await refused.run()).toMatchObject({ status: 'failed', error: expect.stringMatching(/密钥.*unauthorized/) })
  })

  it('three times in a row puts the task out of use, with an event; who uses it again counts anew', async () => {
    const { id } = await task()
    dify.mood = 'nodeFails'
    for (let n = 0; n < 3; n++) {
      await tenants.must(runNow(id))
      await work()
    }
    expect(await taskOf(id)).toMatchObject({ enabled: false })
    expect((await runNow(id)).data.reason).toBe('ai_task_off')
    const events = await unit((db) =>
      db.query(sql`select 1 from shop_event where tenant_id = ${tenantId} and type = 'aiTaskOff' and subject = ${id}`),
    )
    expect(events).toHaveLength(1)
  })
})

describe('what a model says', () => {
  it.each(['hostile', 'huge'] as const)('%s is kept as bounded text, and does nothing', async (mood) => {
    const { id, run } = await runUnder(mood)
    const row = await run()
    expect(row.status).toBe('partial')
    expect(JSON.stringify(row.outputs).length).toBeLessThan(21_000)
    expect((row.summary ?? '').length).toBeLessThanOrEqual(500)
    const found = await findingsOf(id)
    // One of the two confidences is not between 0 and 1, so that finding is dropped.
    expect(found.length).toBe(mood === 'hostile' ? 1 : 0)
    expect(found.length).toBeLessThanOrEqual(50)
    for (const one of found) {
      expect(one.said!.length).toBeLessThanOrEqual(200)
      expect(one.said).not.toMatch(/[\p{Cc}\p{Cf}]/u)
      expect(one.said!.isWellFormed()).toBe(true)
      expect(one.confidence).toBeLessThanOrEqual(100)
      const box = (one.box as { x: number; y: number; w: number; h: number } | null) ?? { x: 0, y: 0, w: 0, h: 0 }
      expect([box.x >= 0, box.x + box.w <= 1, box.y >= 0, box.y + box.h <= 1]).toEqual([true, true, true, true])
    }
    const commands = await unit((db) => db.query(sql`select 1 from device_command where tenant_id = ${tenantId}`))
    expect(commands).toEqual([])
    const list = await tenants.call(tenants.north.admin, 'GET', '/api/shop/aiFinding/list', { query: { taskId: id } })
    expect(list.status).toBe(200)
  })

  it('becomes an event where it is sure enough, counted up while that is open; less sure it is only kept', async () => {
    const { id } = await task()
    for (let n = 0; n < 2; n++) {
      await tenants.must(runNow(id))
      await work()
    }
    const found = await findingsOf(id)
    expect(found.map(({ eventId }) => eventId)).toHaveLength(2)
    expect(new Set(found.map(({ eventId }) => eventId)).size).toBe(2)
    const events = await unit((db) =>
      db.query<{ count: number; level: number; content: string }>(sql`select count, level, content from shop_event
        where tenant_id = ${tenantId} and subject like ${`${id}/%`} order by id`),
    )
    expect(events.map(({ count, level }) => [count, level])).toEqual([
      [2, 2],
      [2, 2],
    ])
    await closeAll()
    const unsure = await task({ threshold: '100.00' })
    await tenants.must(runNow(unsure.id))
    await work()
    expect((await findingsOf(unsure.id)).map(({ eventId }) => eventId)).toEqual([null, null])
  })

  it('seen again at its place is the same one, counted, until a person judges it', async () => {
    const [{ id }, other] = [await task({ outcome: 'none' }), await task({ outcome: 'none' })]
    const times = []
    for (const one of [id, id, other.id]) {
      times.push(formatShanghaiTime(new Date(now)))
      await tenants.must(runNow(one))
      await work()
      now += 60_000
    }
    const found = await findingsOf(id)
    expect(found.map(({ count, firstTime, lastTime }) => [count, firstTime, lastTime])).toEqual([
      [3, times[0], times[2]],
      [3, times[0], times[2]],
    ])
    // Another task looking at the same shelf adds no finding of its own.
    expect(await findingsOf(other.id)).toEqual([])
    await tenants.must(
      tenants.call(tenants.north.admin, 'POST', '/api/shop/aiFinding/right', { query: { id: found[0]!.id } }),
    )
    await tenants.must(runNow(id))
    await work()
    const after = await findingsOf(id)
    expect(after.map(({ count, verdict }) => [count, verdict])).toEqual([
      [3, 'right'],
      [4, 'open'],
      [1, 'open'],
    ])
    expect(after[2]).toMatchObject({ type: found[0]!.type, subject: found[0]!.subject })
  })

  it('becomes one work order while that is open', async () => {
    const { id } = await task({ outcome: 'work' })
    for (let n = 0; n < 2; n++) {
      await tenants.must(runNow(id))
      await work()
    }
    const works = new Set((await findingsOf(id)).map(({ workId }) => workId))
    expect(works.size).toBe(2)
    const [first] = await unit((db) =>
      db.query(sql`select type, status, title from work_info where tenant_id = ${tenantId} and id = ${[...works][0]}`),
    )
    expect(first).toMatchObject({ type: 'inspect', status: 0, title: expect.stringContaining('AI 发现') })
  })

  it('is judged by people, and its task shows how often it is right; judged wrong its event is over', async () => {
    const { id } = await task()
    await tenants.must(runNow(id))
    await work()
    const [one, two] = await findingsOf(id)
    const judge = (finding: string, verdict: string, who: CastMember = tenants.north.admin) =>
      tenants.call(who, 'POST', `/api/shop/aiFinding/${verdict}`, { query: { id: finding } })
    expect((await judge(one!.id, 'right', stranger)).status).toBe(404)
    await tenants.must(judge(one!.id, 'right'))
    await tenants.must(judge(two!.id, 'right'))
    await tenants.must(judge(two!.id, 'wrong'))
    expect((await judge(two!.id, 'wrong')).status).toBe(400)
    const shown = await tenants.must(
      tenants.call(tenants.north.admin, 'GET', '/api/shop/aiTask/detail', { query: { id } }),
    )
    expect(shown).toMatchObject({ accuracy: '50% (1/2)', rightCount: 1, wrongCount: 1 })
    const state = await unit((db) =>
      db.query<{ status: number }>(sql`select status from shop_event where tenant_id = ${tenantId}
        and id = any(${[one!.eventId, two!.eventId]}::bigint[]) order by id`),
    )
    expect(state.map(({ status }) => status)).toEqual([0, 2])
  })
})

describe('the key of an application', () => {
  it('is told to Dify alone: no answer, log or history shows it', async () => {
    const body = {
      name: '新应用',
      workflow: 'new-one',
      endpoint: 'https://dify.example.com/v1',
      apiKey: 'app-very-secret',
    }
    const { id } = await must('aiApp/submit', body)
    const responses = [
      await tenants.call(tenants.north.admin, 'GET', '/api/shop/aiApp/detail', { query: { id } }),
      await tenants.call(tenants.north.admin, 'GET', '/api/shop/aiApp/list'),
      await tenants.call(tenants.north.admin, 'GET', '/api/kit/history/aiApp', { query: { id } }),
    ]
    const stored = await unit((db) => db.query(sql`select api_key from ai_app where tenant_id = ${tenantId}`))
    const logged = await unit((db) =>
      db.query(sql`select params from log_api where tenant_id = ${tenantId} and params like '%new-one%'`),
    )
    expect(logged.length).toBeGreaterThan(0)
    expect(JSON.stringify([responses.map(({ body: one }) => one), stored, logged])).not.toContain('app-very-secret')
  })

  it('goes to no address inside, and to no other address than it was written for', async () => {
    const save = (body: object) => tenants.call(tenants.north.admin, 'POST', '/api/shop/aiApp/submit', { body })
    const draft = { name: '内网', workflow: 'inside', apiKey: 'app-x' }
    for (const endpoint of ['http://127.0.0.1:5001/v1', 'http://169.254.169.254/v1', 'http://dify.local/v1'])
      expect([endpoint, (await save({ ...draft, endpoint })).data?.reason]).toEqual([endpoint, 'endpoint_private'])
    const { data } = await save({ ...draft, endpoint: 'https://dify.example.com/v1' })
    expect((await save({ id: data.id, endpoint: 'https://evil.example.com/v1' })).data?.reason).toBe(
      'endpoint_without_secret',
    )
  })

  it('is tried by who sets it up', async () => {
    const [row] = await unit((db) => db.find(aiApp, sql`r.workflow = 'shelf-check'`))
    expect((await must('aiApp/check', { id: row!.id })).title).toBe('货架识别')
    const [wrong] = await unit((db) => db.find(aiApp, sql`r.workflow = 'wrong-key'`))
    const refused = await tenants.call(tenants.north.admin, 'POST', '/api/shop/aiApp/check', {
      query: { id: wrong!.id },
    })
    expect(refused.data.reason).toBe('ai_says_no')
  })
})

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
