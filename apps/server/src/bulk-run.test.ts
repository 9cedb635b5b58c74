import { afterAll, beforeAll, expect, test } from 'vitest'
import { BULK_INLINE_ROWS_MAX, runBulkOperationJob } from '#kit/server/lists/bulk.ts'
import type { Caller } from '#kit/server/base/caller.ts'
import { sql } from '#kit/server/database/db.ts'
import { JobYieldSignal } from '#kit/server/jobs/index.ts'
import { exportSheetJob } from '#kit/server/sheets/export.ts'
import { testServer, type CastMember, type TestServer } from '#tests/support/server.ts'
import { createTestWorld } from '#tests/support/world.ts'

const ROWS = 130
let server: TestServer
let admin: CastMember

beforeAll(async () => {
  server = await testServer()
  admin = await server.as('admin')
  const post = server.services.registry.resource('post')
  await server.services.unit({ tenantId: '000000' }, async (db) => {
    for (let n = 0; n < ROWS; n++)
      await db.insert(post, { category: 1, postCode: `bulk-${n}`, postName: `Bulk ${n}`, sort: 1 })
  })
})
afterAll(() => server?.close())

const bulk = (body: Record<string, unknown>) => server.call(admin, 'POST', '/api/kit/bulk/post', { body })
const progress = async (id: string, who = admin) => server.call(who, 'GET', '/api/kit/bulk/post/run', { query: { id } })
const rows = () =>
  server.services.unit({ tenantId: '000000' }, (db) =>
    db.query<{ category: number; version: number }>(
      sql`select category, version from post where post_code like 'bulk-%' and is_deleted = 0`,
    ),
  )

test('a large set is done in the background, each row once, also when the process ends in the middle', async () => {
  const filter = { postCode_likeright: 'bulk-' }
  expect(await bulk({ operation: 'edit', filter, expectedCount: ROWS - 1, input: { category: 2 } })).toMatchObject({
    status: 409,
    data: { count: ROWS },
  })
  const started = await bulk({ operation: 'edit', filter, expectedCount: ROWS, input: { category: 2 } })
  expect(started.body).toMatchObject({ code: 200, data: { count: ROWS, done: 0 } })
  const id = started.data.runId as string
  expect((await rows()).every(({ category }) => category === 1)).toBe(true)

  let looks = 0
  const dying = {
    get aborted() {
      return ++looks > 1
    },
  } as AbortSignal
  await expect(
    runBulkOperationJob.run(
      { id },
      { services: server.services, signal: dying, tenantId: '000000', jobId: '0', attempt: 1 },
    ),
  ).rejects.toThrow('stopped')
  expect((await progress(id)).data).toMatchObject({ count: ROWS, done: 50, failed: 0, finishTime: '' })
  await server.jobs.runDue()
  expect((await progress(id)).data).toMatchObject({
    count: ROWS,
    done: ROWS,
    failed: 0,
    refused: [],
    finishTime: expect.stringMatching(/^\d/),
  })
  expect((await rows()).every(({ category, version }) => category === 2 && version === 1)).toBe(true)
  await server.jobs.runDue()
  expect((await rows()).every(({ version }) => version === 1)).toBe(true)
})

test('a long run lets others go first where it can go on later, and an export does so too', async () => {
  const started = await bulk({
    operation: 'edit',
    filter: { postCode_likeright: 'bulk-' },
    expectedCount: ROWS,
    input: { category: 2 },
  })
  const id = started.data.runId as string
  const context = {
    services: server.services,
    signal: new AbortController().signal,
    tenantId: '000000',
    jobId: '0',
    attempt: 1,
  }
  const yieldIfOthersWait = () => Promise.reject(new JobYieldSignal('others wait'))
  await expect(runBulkOperationJob.run({ id }, { ...context, yieldIfOthersWait })).rejects.toThrow(JobYieldSignal)
  expect((await progress(id)).data).toMatchObject({ done: 50, finishTime: '' })
  await server.jobs.runDue()
  expect((await progress(id)).data).toMatchObject({ done: ROWS, failed: 0 })
  const { data: task } = await server.call(admin, 'POST', '/api/blade-system/post/export', { body: {} })
  // Yielding is no failure, whatever the number of attempts.
  await expect(exportSheetJob.run({ taskId: task.id }, { ...context, attempt: 5, yieldIfOthersWait })).rejects.toThrow(
    JobYieldSignal,
  )
  await exportSheetJob.run({ taskId: task.id }, { ...context, yieldIfOthersWait })
  expect((await server.call(admin, 'GET', `/api/kit/tasks/${task.id}`)).data).toMatchObject({ state: 'done' })
})

test('rights are asked for again on the way: whoever lost them meanwhile changes nothing more', async () => {
  const started = await bulk({
    operation: 'edit',
    filter: { postCode_likeright: 'bulk-' },
    expectedCount: ROWS,
    input: { category: 3 },
  })
  const { access } = server.services
  server.services.access = { ...access, again: async () => undefined }
  await server.jobs.runDue()
  server.services.access = access
  const result = (await progress(started.data.runId)).data
  expect(result).toMatchObject({ done: 0, failed: ROWS, finishTime: expect.stringMatching(/^\d/) })
  expect(result.refused).toHaveLength(ROWS)
  expect(result.refused[0]).toMatchObject({ isDone: false, msg: '没有权限执行此操作' })
  expect((await rows()).every(({ category }) => category === 2)).toBe(true)
})

const goods = (path: string, body: Record<string, unknown>, who: CastMember) =>
  server.call(who, 'POST', `/api/kit/bulk/goodInfo${path}`, { body })
const run = async (id: string, who: CastMember) =>
  (await server.call(who, 'GET', '/api/kit/bulk/goodInfo/run', { query: { id } })).data

/** Creates products off sale in one shop that differ only by number. */
async function manyGoods(count: number): Promise<void> {
  const goodInfo = server.services.registry.resource('goodInfo')
  await server.services.unit({ tenantId: '000000' }, async (db) => {
    for (let n = 0; n < count; n++)
      await db.insert(goodInfo, {
        shopId: '77',
        name: `Many ${n}`,
        upc: `69${String(n).padStart(11, '0')}`,
        onSale: false,
        salePrice: 100,
      })
  })
}

test(
  'what is done to a set as a whole is tried out and done in the background when the set ' +
    'is large, and at once when it is small',
  async () => {
    await manyGoods(BULK_INLINE_ROWS_MAX + 20)
    const filter = { name_likeright: 'Many ' }
    const onSale = () =>
      server.services.unit(
        { tenantId: '000000' },
        async (db) => (await db.query(sql`select id from good_info where shop_id = 77 and on_sale`)).length,
      )
    const looked = (await goods('/preview', { operation: 'putOnSale', filter }, admin)).data
    expect(looked).toMatchObject({
      count: BULK_INLINE_ROWS_MAX + 20,
      dryRunCount: 0,
      rows: [],
      runId: expect.stringMatching(/^\d+$/),
    })
    expect(await run(looked.runId, admin)).toMatchObject({ done: 0, rows: [], finishTime: '' })
    await server.jobs.runDue()
    const seen = await run(looked.runId, admin)
    expect(seen).toMatchObject({
      count: BULK_INLINE_ROWS_MAX + 20,
      failed: 0,
      finishTime: expect.stringMatching(/^\d/),
    })
    expect(seen.rows).toHaveLength(30)
    expect(seen.rows[0]).toMatchObject({
      isDone: true,
      keys: ['onSale'],
      was: { onSale: false },
      now: { onSale: true },
    })
    expect(await onSale()).toBe(0)

    const started = (
      await goods('', { operation: 'putOnSale', filter, expectedCount: looked.count, expectedSet: looked.set }, admin)
    ).data
    expect(started).toMatchObject({ done: 0, runId: expect.stringMatching(/^\d+$/) })
    expect(await onSale()).toBe(0)
    await server.jobs.runDue()
    expect(await run(started.runId, admin)).toMatchObject({
      count: BULK_INLINE_ROWS_MAX + 20,
      done: BULK_INLINE_ROWS_MAX + 20,
      failed: 0,
      refused: [],
    })
    expect(await onSale()).toBe(BULK_INLINE_ROWS_MAX + 20)

    const few = { name_equal: 'Many 3' }
    expect((await goods('/preview', { operation: 'takeOffSale', filter: few }, admin)).data).toMatchObject({
      count: 1,
      dryRunCount: 1,
      runId: '',
    })
    expect((await goods('', { operation: 'takeOffSale', filter: few, expectedCount: 1 }, admin)).data).toMatchObject({
      done: 1,
      runId: '',
    })
  },
)

test('a dry run for somebody who lost the right meanwhile shows a refusal and no row', async () => {
  const looked = (await goods('/preview', { operation: 'takeOffSale', filter: { name_likeright: 'Many ' } }, admin))
    .data
  const { access } = server.services
  server.services.access = { ...access, again: async () => undefined }
  await server.jobs.runDue()
  server.services.access = access
  const seen = await run(looked.runId, admin)
  expect(seen.rows[0]).toMatchObject({ isDone: false, was: {}, now: {}, msg: '没有权限执行此操作' })
})

test('what a run holds is told as far as who asked sees the rows today, and to who may list them', async () => {
  const looked = (await goods('/preview', { operation: 'takeOffSale', filter: { name_likeright: 'Many ' } }, admin))
    .data
  await server.jobs.runDue()
  expect((await run(looked.runId, admin)).rows).toHaveLength(30)
  const world = createTestWorld(server)
  const rights = { userId: admin.userId, tenantId: '000000', isPlatform: true, permissions: new Set(['goodInfo']) }
  const as = async (less: Partial<Caller>) =>
    (
      await world.ask(world.be({ ...rights, ...less }), 'GET', '/api/kit/bulk/goodInfo/run', {
        query: { id: looked.runId },
      })
    ).data
  const result = { count: BULK_INLINE_ROWS_MAX + 20, done: BULK_INLINE_ROWS_MAX + 20, rows: [], refused: [] }
  expect(await as({ limits: { shop: ['78'] } })).toMatchObject(result)
  expect(
    await as({ dataScopes: [{ resourceCode: 'goodInfo', type: 1, column: null, value: null, fields: 'name' }] }),
  ).toMatchObject(result)
  expect(await as({ isPlatform: false, permissions: new Set() })).toMatchObject(result)
  expect(await as({ isPlatform: false }), 'who saw all tenants then').toMatchObject(result)
  expect((await as({})).rows).toHaveLength(30)
})

test('one person has so many runs under way and no more, and keeps nobody else from theirs', async () => {
  const preview = () => goods('/preview', { operation: 'takeOffSale', filter: { name_likeright: 'Many ' } }, admin)
  const answers = []
  for (let n = 0; n < 11; n++) answers.push(await preview())
  expect(answers.map(({ status }) => status)).toEqual([...Array<number>(10).fill(200), 400])
  expect(answers[10]!.data.reason).toBe('too_many_tasks')
  await server.jobs.runDue()
  expect((await preview()).status).toBe(200)
  await server.jobs.runDue()
})
