import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadExportRows } from '#kit/server/sheets/export.ts'
import { testServer, type TestServer } from '#tests/support/server.ts'
import { createTestWorld, type TestCaller, type TestWorld } from '#tests/support/world.ts'
import { flushLogs, recordBrowserErrors, recordSystemLog } from './api.ts'

let server: TestServer
let world: TestWorld
let platform: TestCaller
let boss: TestCaller
let other: TestCaller

const codes = new Set(['log_api', 'log_error', 'log_usual', 'notice', 'notice_add', 'sms', 'sms_add'])

beforeAll(async () => {
  server = await testServer()
  world = createTestWorld(server)
  platform = world.be({ tenantId: '000000', isPlatform: true, isAdmin: true })
  boss = world.be({ tenantId: '990001', account: 'boss', userId: '71', permissions: codes })
  other = world.be({ tenantId: '990002', permissions: codes })
})
afterAll(() => server?.close())

const list = async (who: TestCaller, kind: string, query: Record<string, unknown> = {}) => {
  await flushLogs(server.services)
  return (await world.ask(who, 'GET', `/api/blade-log/${kind}/list`, { query: { size: 50, ...query } })).data
    .records as Record<string, any>[]
}
const detail = async (who: TestCaller, kind: string, id: string) =>
  (await world.ask(who, 'GET', `/api/blade-log/${kind}/detail`, { query: { id } })).body

const addNotice = (title: string) =>
  world.ask(boss, 'POST', '/api/blade-desk/notice/submit', { body: { title, category: 1, content: '<p>x</p>' } })

describe('the operation log', () => {
  test('says who changed what, when, from where and how long it took; its heavy part only in the detail', async () => {
    await addNotice('记录我')
    const [row] = await list(boss, 'api', { requestUri: '/notice/submit' })
    expect(row).toMatchObject({
      tenantId: '990001',
      type: '1',
      title: '公告保存',
      method: 'POST',
      requestUri: '/api/blade-desk/notice/submit',
      serviceId: 'blade-desk',
      methodName: 'submit',
      createBy: 'boss',
      createUser: '71',
      httpStatus: 200,
    })
    expect(row!.time).toMatch(/^\d+$/)
    expect(row).not.toHaveProperty('params')
    expect((await detail(boss, 'api', row!.id)).data.params).toContain('记录我')
  })

  test('is read in English by who reads English, in list, detail and sheet; what is no call stays', async () => {
    await addNotice('In English')
    await world.ask(boss, 'POST', '/api/kit/tasks/1/remove', { body: {} })
    const entry = { method: 'POST', uri: '/api/gone', params: {}, ip: '', userAgent: '', millis: 1, traceId: '' }
    server.services.logs.operation({ ...entry, caller: boss.caller, tenantId: '990001', title: '旧操作', status: 200 })
    await flushLogs(server.services)
    const read = async (path: string, query: Record<string, unknown>) =>
      (await world.ask(boss, 'GET', `/api/blade-log/api/${path}`, { query, lang: 'en' })).data
    const { records } = await read('list', { size: 50 })
    const titles = new Map(records.map((row: Record<string, string>) => [row.requestUri, row.title]))
    expect(titles.get('/api/blade-desk/notice/submit')).toBe('Announcement: save')
    expect(titles.get('/api/kit/tasks/1/remove')).not.toMatch(/\p{Script=Han}/u)
    expect(titles.get('/api/gone')).toBe('旧操作')
    const { id } = records.find((row: Record<string, string>) => row.requestUri === '/api/blade-desk/notice/submit')
    expect(await read('detail', { id })).toMatchObject({ title: 'Announcement: save' })
    expect(await detail(boss, 'api', id)).toMatchObject({ data: { title: '公告保存' } })
    const call = { caller: boss.caller, services: server.services, lang: 'en', query: {} } as never
    const { wire } = await loadExportRows(server.services.registry.served.get('logApi')!, call, [id], ['title'])
    expect(wire).toMatchObject([{ title: 'Announcement: save' }])
  })

  test('is newest first, and what was refused is in it with its reason', async () => {
    await world.ask(boss, 'POST', '/api/blade-desk/notice/submit', { body: {} })
    const [first, second] = await list(boss, 'api')
    expect(first).toMatchObject({ httpStatus: 400, reason: 'invalid' })
    expect(first!.createTime >= second!.createTime).toBe(true)
  })

  test('stands or falls with the change it tells of', async () => {
    const before = (await list(platform, 'api', { requestUri: 'nowhere' })).length
    const entry = {
      caller: boss.caller,
      tenantId: '990001',
      title: 'x',
      method: 'POST',
      uri: '/api/nowhere',
      params: {},
      ip: '',
      userAgent: '',
      millis: 1,
      traceId: '',
      status: 200,
    }
    await expect(
      server.services.unit({ tenantId: '990001' }, async (db) => {
        server.services.logs.operation(entry, db)
        throw new Error('no')
      }),
    ).rejects.toThrow('no')
    expect(await list(platform, 'api', { requestUri: 'nowhere' })).toHaveLength(before)
    await server.services.unit({ tenantId: '990001' }, async (db) => server.services.logs.operation(entry, db))
    expect(await list(platform, 'api', { requestUri: 'nowhere' })).toHaveLength(before + 1)
  })

  test('keeps no secret', async () => {
    await world.ask(boss, 'POST', '/api/blade-resource/sms/submit', {
      body: { category: 1, smsCode: 'log1', templateId: 't', accessKey: 'AK-very-secret', secretKey: 'SK-very-secret' },
    })
    const [row] = await list(boss, 'api', { requestUri: '/sms/submit' })
    const { params } = (await detail(boss, 'api', row!.id)).data
    expect(params).toContain('log1')
    expect(params).not.toContain('very-secret')
  })

  test('bears any text a caller can send', async () => {
    const answer = await addNotice('🏪 O\'Neil; drop table notice; --  "quoted" \\ ')
    expect(answer.code).toBe(200)
    const strange = await server.http.inject({
      method: 'POST',
      url: '/api/blade-desk/notice/submit?x=%00%ff',
      headers: { 'blade-auth': boss.token, 'user-agent': 'ÿþ', 'content-type': 'application/json' },
      payload: '{"title":"a\\u0000b\\ud800"}',
    })
    expect(strange.statusCode).toBe(400)
    expect((await list(boss, 'api'))[0]).toMatchObject({ httpStatus: 400 })
  })
})

describe('logs', () => {
  test('of a tenant are seen by that tenant and the platform, and by no other tenant', async () => {
    await addNotice('只给自己')
    const [row] = await list(boss, 'api')
    expect((await list(other, 'api')).map((one) => one.tenantId)).not.toContain('990001')
    expect((await detail(other, 'api', row!.id)).code).toBe(404)
    expect((await detail(platform, 'api', row!.id)).code).toBe(200)
  })

  test('are read by permission and written by nobody', async () => {
    const clerk = world.be({ tenantId: '990001' })
    for (const kind of ['usual', 'api', 'error']) {
      expect((await world.ask(clerk, 'GET', `/api/blade-log/${kind}/list`)).code).toBe(403)
      for (const call of ['submit', 'remove'])
        expect(
          (await world.ask(platform, 'POST', `/api/blade-log/${kind}/${call}`, { body: {}, query: { ids: '1' } })).code,
        ).toBe(404)
    }
  })

  test('cannot be changed or removed in the database either', async () => {
    for (const statement of ['update log_api set title = title', 'update log_usual set log_id = log_id']) {
      await expect(server.services.systemPool.query(statement)).rejects.toThrow(/permission denied/)
    }
    // Even the owner's connection deletes only expired rows.
    for (const table of ['log_api', 'log_error', 'log_usual']) {
      const { rows } = await server.services.systemPool.query<{ count: string }>(`select count(*) from ${table}`)
      expect([table, (await server.services.systemPool.query(`delete from ${table}`)).rowCount]).toEqual([table, 0])
      expect(await server.services.systemPool.query(`select count(*) from ${table}`)).toMatchObject({ rows })
    }
  })
})

describe('the error log', () => {
  test('keeps stack, file and line of what nobody foresaw, without secrets', async () => {
    const entry = {
      caller: boss.caller,
      tenantId: '990001',
      title: 'x',
      method: 'GET',
      uri: '/api/x/y',
      params: { password: 'hunter2' },
      ip: '10.1.1.1',
      userAgent: 'test',
      millis: 3,
      traceId: 'trace-1',
      status: 500,
    }
    server.services.logs.error(entry, new TypeError('it broke with bearer abcdefghijklmnop'))
    const [row] = await list(boss, 'error', { traceId: 'trace-1' })
    expect(row).toMatchObject({
      exceptionName: 'TypeError',
      traceId: 'trace-1',
      summary: 'it broke with bearer ******',
    })
    expect(await list(boss, 'error', { summary: 'broke with', traceId: 'trace-1' })).toHaveLength(1)
    expect(row!.fileName).toContain('logs.test.ts')
    expect(row!.lineNumber).toBeGreaterThan(1)
    for (const key of ['stackTrace', 'message', 'params']) expect(row).not.toHaveProperty(key)
    const { data } = await detail(boss, 'error', row!.id)
    expect(data.stackTrace).toContain('TypeError')
    expect(data.message).toContain('it broke')
    expect(JSON.stringify(data)).not.toMatch(/hunter2|abcdefghijklmnop/)
  })

  test('does not gather refusals', async () => {
    const before = (await list(boss, 'error')).length
    await world.ask(boss, 'POST', '/api/blade-desk/notice/submit', { body: {} })
    expect(await list(boss, 'error')).toHaveLength(before)
  })

  test('keeps what browsers upload', async () => {
    const call = {
      caller: boss.caller,
      services: server.services,
      request: { ip: '1.2.3.4', userAgent: 'Firefox', method: 'POST', url: '/x', headers: {}, traceId: 'up-1' },
    }
    const taken = recordBrowserErrors(call as never, [
      {
        url: '/wel/index',
        time: '2026-01-01 00:00:00',
        type: 'error',
        message: 'x is not a function',
        stack: 'TypeError: x\n    at run (https://shop/app.js:12:5)',
        info: 'render',
      },
      null as never,
    ])
    expect(taken).toBe(1)
    const [row] = await list(boss, 'error', { traceId: 'up-1' })
    expect(row).toMatchObject({ serviceId: 'browser', requestUri: '/wel/index', lineNumber: 12 })
  })

  test('no token of an address a browser was at', async () => {
    const call = {
      caller: boss.caller,
      services: server.services,
      request: { ip: '1.2.3.4', userAgent: 'x', method: 'POST', url: '/x', headers: {}, traceId: 'up-2' },
    }
    recordBrowserErrors(call as never, [
      { url: '/wel?access_token=abc', type: 'error', message: 'password=hunter2', stack: 'password=hunter2' },
    ])
    const [row] = await list(boss, 'error', { traceId: 'up-2' })
    expect(JSON.stringify(row)).not.toMatch(/abc|hunter2/)
    expect(row).toMatchObject({ requestUri: '/wel?access_token=******' })
  })
})

test('the general log keeps words of the product with their level', async () => {
  const call = {
    caller: boss.caller,
    services: server.services,
    request: {
      ip: '1.2.3.4',
      userAgent: 'x',
      method: 'POST',
      url: '/api/blade-user/import-user',
      headers: {},
      traceId: 'u-1',
    },
  }
  recordSystemLog(call as never, { level: 'info', id: 'user.imported', data: { count: 3, password: 'x' } })
  const [row] = await list(boss, 'usual', { logId: 'user.imported' })
  expect(row).toMatchObject({ logLevel: 'info', createBy: 'boss' })
  expect(row).not.toHaveProperty('logData')
  expect(JSON.parse((await detail(boss, 'usual', row!.id)).data.logData)).toEqual({ count: 3, password: '******' })
})
