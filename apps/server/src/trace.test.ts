import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { sql } from '#kit/server/database/db.ts'
import { testServer, type TestServer } from '#tests/support/server.ts'
import { createTestWorld, type TestCaller } from '#tests/support/world.ts'
import { flushLogs } from '#domains/platform/logs/api.ts'
import { enqueue } from '#kit/server/database/enqueue.ts'
import { createLog } from '#kit/server/base/log.ts'
import { parseTraceparent, currentTrace } from '#kit/server/base/trace.ts'
import { defineQueue } from '#kit/server/jobs/index.ts'

const ID = '4bf92f3577b34da6a3ce929d0e0e4736'
const traceparent = `00-${ID}-00f067aa0ba902b7-01`
let server: TestServer
let platform: TestCaller

beforeAll(async () => {
  server = await testServer({ env: { SLOW_STATEMENT_MS: '50' } })
  platform = createTestWorld(server).be({
    tenantId: '000000',
    isPlatform: true,
    isAdmin: true,
    permissions: new Set(['notice_add']),
  })
})
afterAll(() => server?.close())

const addNotice = (headers: Record<string, string>) =>
  server.http.inject({
    method: 'POST',
    url: '/api/blade-desk/notice/submit',
    headers: { 'blade-auth': `bearer ${platform.token}`, ...headers },
    payload: { title: '停电通知', category: 1, content: '<p>x</p>' },
  })

test('a well-formed traceparent names the trace, and no other text does', () => {
  expect(parseTraceparent(traceparent)).toBe(ID)
  expect(parseTraceparent(`cc-${ID}-00f067aa0ba902b7-01-what-will-be`)).toBe(ID)
  for (const wrong of [
    undefined,
    '',
    ID,
    `ff-${ID}-00f067aa0ba902b7-01`,
    `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
    `00-${ID}-${'0'.repeat(16)}-01`,
    `00-${ID.toUpperCase()}-00f067aa0ba902b7-01`,
    `00-${ID}-00f067aa0ba902b7-01x`,
    `00-'; drop table job; --${ID}`,
    [traceparent, traceparent],
  ])
    expect([wrong, parseTraceparent(wrong)]).toEqual([wrong, undefined])
})

test('the trace of a browser is in the answer and in the operation log; who sends none is given one', async () => {
  const answer = await addNotice({ traceparent })
  expect([answer.statusCode, answer.headers['x-trace-id']]).toEqual([200, ID])
  const other = await addNotice({ traceparent: 'mine' })
  expect(other.headers['x-trace-id']).toMatch(/^[\da-f]{32}$/)
  await flushLogs(server.services)
  const { rows } = await server.services.systemPool.query(sql`
    select trace_id, request_uri from log_api where trace_id in (${ID}, ${other.headers['x-trace-id']}) order by id`)
  expect(rows.map((row) => row.trace_id)).toEqual([ID, other.headers['x-trace-id']])
})

test('log lines and jobs asked for bear the trace of the call, and those of nobody bear none', async () => {
  const lines: Record<string, unknown>[] = []
  const log = createLog({ format: 'json', destination: { write: (line) => void lines.push(JSON.parse(line)) } })
  const insert = vi.spyOn(server.services.logs, 'operation').mockImplementation((_entry, db) => {
    log.info('inside')
    db?.waitUntil(db.enqueue(defineQueue('trace.test'), {}))
  })
  await addNotice({ traceparent })
  insert.mockRestore()
  log.info('outside')
  expect(lines.map(({ msg, traceId }) => [msg, traceId])).toEqual([
    ['inside', ID],
    ['outside', undefined],
  ])
  await enqueue(server.services.systemPool, { queue: 'trace.clock', tenantId: '000000' })
  const { rows } = await server.services.systemPool.query(
    sql`select queue, trace_id from job where queue like 'trace.%' order by queue`,
  )
  expect(rows).toEqual([
    { queue: 'trace.clock', trace_id: '' },
    { queue: 'trace.test', trace_id: ID },
  ])
  expect(currentTrace()).toBeUndefined()
})

test('a slow statement of a call is said once with its trace and milliseconds, and without its values', async () => {
  const warn = vi.spyOn(server.services.log, 'warn')
  vi.spyOn(server.services.logs, 'operation').mockImplementation((_entry, db) =>
    db?.waitUntil(db.run(sql`select pg_sleep(0.06), ${'13800138000'}::text`)),
  )
  await addNotice({ traceparent })
  vi.mocked(server.services.logs.operation).mockRestore()
  const warnings = warn.mock.calls.filter(([{ statement = '' }]: any[]) => statement.includes('pg_sleep'))
  expect(warnings).toEqual([
    [{ ms: expect.any(Number), statement: 'select pg_sleep(0.06), $1::text', traceId: ID }, 'a slow statement'],
  ])
  warn.mockRestore()
})
