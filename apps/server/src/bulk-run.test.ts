import { afterAll, beforeAll, expect, test } from 'vitest'
import { bulkJob } from '#kit/server/bulk.ts'
import { sql } from '#kit/server/db.ts'
import { testServer, type Person, type TestServer } from '#kit/testing/server.ts'

const ROWS = 130
let server: TestServer
let admin: Person

beforeAll(async () => {
  server = await testServer()
  admin = await server.as('admin')
  const post = server.services.registry.resource('post')
  await server.services.unit({ tenantId: '000000' }, async (db) => {
    for (let n = 0; n < ROWS; n++) await db.insert(post, { category: 1, postCode: `bulk-${n}`, postName: `Bulk ${n}`, sort: 1 } as never)
  })
})
afterAll(() => server?.close())

const bulk = (body: Record<string, unknown>) => server.call(admin, 'POST', '/api/kit/bulk/post', { body })
const progress = async (id: string, who = admin) => server.call(who, 'GET', '/api/kit/bulk/post/run', { query: { id } })
const rows = () => server.services.unit({ tenantId: '000000' }, (db) => db.query<{ category: number; version: number }>(sql`select category, version from post where post_code like 'bulk-%' and is_deleted = 0`))

test('a large set is done in the background, each row once, also when the process ends in the middle', async () => {
  const filter = { postCode_likeright: 'bulk-' }
  expect(await bulk({ deed: 'edit', filter, expectedCount: ROWS - 1, input: { category: 2 } })).toMatchObject({ status: 409, data: { count: ROWS } })
  const asked = await bulk({ deed: 'edit', filter, expectedCount: ROWS, input: { category: 2 } })
  expect(asked.body).toMatchObject({ code: 200, data: { count: ROWS, done: 0 } })
  const id = asked.data.runId as string
  expect((await rows()).every(({ category }) => category === 1)).toBe(true)

  let looks = 0
  const dying = { get aborted() { return ++looks > 1 } } as AbortSignal
  await expect(bulkJob.run({ id }, { services: server.services, signal: dying, tenantId: '000000', jobId: '0', attempt: 1 })).rejects.toThrow('stopped')
  expect((await progress(id)).data).toMatchObject({ count: ROWS, done: 50, failed: 0, finishTime: '' })
  await server.jobs.runDue()
  expect((await progress(id)).data).toMatchObject({ count: ROWS, done: ROWS, failed: 0, refused: [], finishTime: expect.stringMatching(/^\d/) })
  expect((await rows()).every(({ category, version }) => category === 2 && version === 1)).toBe(true)
  await server.jobs.runDue()
  expect((await rows()).every(({ version }) => version === 1)).toBe(true)
})

test('rights are asked for again on the way: whoever lost them meanwhile changes nothing more', async () => {
  const asked = await bulk({ deed: 'edit', filter: { postCode_likeright: 'bulk-' }, expectedCount: ROWS, input: { category: 3 } })
  const { access } = server.services
  server.services.access = { ...access, again: async () => undefined }
  await server.jobs.runDue()
  server.services.access = access
  const told = (await progress(asked.data.runId)).data
  expect(told).toMatchObject({ done: 0, failed: ROWS, finishTime: expect.stringMatching(/^\d/) })
  expect(told.refused).toHaveLength(ROWS)
  expect(told.refused[0]).toMatchObject({ isDone: false, msg: '没有权限执行此操作' })
  expect((await rows()).every(({ category }) => category === 2)).toBe(true)
})
