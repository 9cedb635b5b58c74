import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { flushLogs } from '#domains/platform/logs/api.ts'
import { sql } from '#kit/server/database/db.ts'
import type { Services } from '#kit/server/module/services.ts'
import { createTestTenants, type TestTenants } from '#tests/support/test-tenants.ts'
import { startWechat, type WechatSimulator } from '#simulators/wechat/wechat.simulator.ts'
import { decryptWechatApp, type WechatAppCredentials } from './apps.ts'
import { createWechatMessage, sendWechatMessage, wechatMessageCall } from './messages.ts'
import { getWechatAccessToken } from './tokens.ts'
import { fitWechatTemplateValue } from './values.ts'
import { wechatApp } from './wechat-app.resource.ts'
import { wechatMessage } from './wechat-message.resource.ts'

const tenantId = '100001'
const MINI = { appid: 'wx1111111111111111', secret: 'secret of the mini program' }
const OFFICIAL = { appid: 'wx2222222222222222', secret: 'secret of the account' }
const TEMPLATE = 'tpl_Event_0001'
const clock = { ahead: 0 }
const now = () => Date.now() + clock.ahead
let tenants: TestTenants
let wechat: WechatSimulator
let services: Services
let mini: WechatAppCredentials
let official: WechatAppCredentials

const unit = <T>(work: Parameters<typeof services.unit<T>>[1]) => services.unit({ tenantId }, work)
const deleteTokens = () => unit((db) => db.run(sql`delete from wechat_token where tenant_id = ${tenantId}`))

beforeAll(async () => {
  ;[tenants, wechat] = await Promise.all([createTestTenants({ now: () => new Date(now()) }), startWechat({ now })])
  services = tenants.services
  const platform = await tenants.server.as('admin')
  const make = async (kind: string, { appid, secret }: typeof MINI) => {
    const body = { tenantId, name: kind, kind, appid, secretKey: secret, endpoint: wechat.url }
    const { id } = await tenants.must(tenants.call(platform, 'POST', '/api/wechat/wechatApp/submit', { body }))
    return decryptWechatApp(services, (await unit((db) => db.get(wechatApp, id)))!)
  }
  mini = await make('mini', MINI)
  official = await make('official', OFFICIAL)
})
afterAll(() => Promise.all([tenants.close(), wechat.close()]))
beforeEach(async () => {
  wechat.faults.length = 0
  wechat.outbox.length = 0
  wechat.calls.length = 0
  wechat.lateMs = 0
  const fields = ['thing1', 'thing2', 'time3']
  const allowed = () => new Map([['lin', new Map([[TEMPLATE, 9]])]])
  const rest = { templates: new Map([[TEMPLATE, fields]]), pages: new Set(['pages/event']) }
  wechat.know(MINI.appid, { kind: 'mini', secret: MINI.secret, people: allowed(), ...rest })
  wechat.know(OFFICIAL.appid, {
    kind: 'official',
    secret: OFFICIAL.secret,
    people: new Map([['oa-lin', new Map()]]),
    ...rest,
  })
  await deleteTokens()
})

const values = { thing1: '北街 1 号店', thing2: '有人闯入', time3: '2026年11月24日 12:01' }
const createMessage = (changes: object = {}) =>
  unit((db) =>
    createWechatMessage(db, services, {
      wechatAppId: mini.id,
      openid: 'lin',
      templateNo: TEMPLATE,
      values,
      ...changes,
    }),
  )
const askOfficial = () => createMessage({ wechatAppId: official.id, openid: 'oa-lin' })
const sendMessage = (id: string) => sendWechatMessage(services, tenantId, id)
const row = async (id: string) => (await unit((db) => db.get(wechatMessage, id)))!
const asksFor = (path: string) => wechat.calls.filter((call) => call.path.endsWith(path)).length
const sends = () => asksFor('/send')

describe('the token of an app', () => {
  test('is asked for once by all who need it at once, and kept sealed', async () => {
    wechat.lateMs = 300
    const tokens = await Promise.all(Array.from({ length: 8 }, () => getWechatAccessToken(services, mini)))
    expect(new Set(tokens).size).toBe(1)
    expect(asksFor('stable_token')).toBe(1)
    const kept = await unit((db) =>
      db.one<{ token: string }>(sql`select access_token as token from wechat_token where tenant_id = ${tenantId}`),
    )
    expect(kept!.token).not.toContain(tokens[0])
  })

  test('is renewed before its end, and not earlier', async () => {
    const first = await getWechatAccessToken(services, mini)
    clock.ahead += 6_800_000
    expect(await getWechatAccessToken(services, mini)).toBe(first)
    clock.ahead += 200_000
    expect(await getWechatAccessToken(services, mini)).not.toBe(first)
    expect(asksFor('stable_token')).toBe(2)
  })

  test('that nobody finished asking for is asked for again once the turn is over', async () => {
    await unit((db) =>
      db.run(sql`insert into wechat_token (tenant_id, app_id, lease_until, lease_no)
        values (${tenantId}, ${mini.id}, ${new Date(now() + 20_000).toISOString()}, 'died')`),
    )
    const waiting = getWechatAccessToken(services, mini)
    await expect.poll(() => asksFor('stable_token')).toBe(0)
    clock.ahead += 21_000
    expect(await waiting).toMatch(/./)
  })

  test('of other credentials is another: a changed secret forgets it', async () => {
    await getWechatAccessToken(services, official)
    const platform = await tenants.server.as('admin')
    const body = { id: official.id, tenantId, secretKey: 'wrong', endpoint: wechat.url }
    await tenants.must(tenants.call(platform, 'POST', '/api/wechat/wechatApp/submit', { body }))
    const id = await askOfficial()
    expect(await sendMessage(id)).toMatchObject({ state: 'failed', reason: 'AppSecret 不正确' })
    expect(sends()).toBe(0)
    await tenants.must(
      tenants.call(platform, 'POST', '/api/wechat/wechatApp/submit', { body: { ...body, secretKey: OFFICIAL.secret } }),
    )
    expect(await sendMessage(await askOfficial())).toMatchObject({ state: 'sent' })
  })
})

describe('a message', () => {
  test('arrives once, however many send it', async () => {
    const id = await createMessage({ target: 'pages/event?id=1' })
    await Promise.all([sendMessage(id), sendMessage(id), sendMessage(id)])
    await sendMessage(id)
    expect(wechat.outbox).toMatchObject([{ openid: 'lin', templateNo: TEMPLATE, target: 'pages/event?id=1', values }])
    expect(await row(id)).toMatchObject({ state: 'sent', messageNo: expect.stringMatching(/^\d+$/), attempts: 1 })
  })

  test('goes out by the job when who asked for it died, and does not exist when they rolled back', async () => {
    const id = await createMessage()
    const context = { tenantId, services, signal: AbortSignal.timeout(9000), jobId: '1', attempt: 1 }
    await wechatMessageCall.sendJob.run({ id }, context)
    expect(wechat.outbox).toHaveLength(1)
    const jobs = await unit((db) =>
      db.query(
        sql`select 1 from job where tenant_id = ${tenantId} and queue = 'wechat.message' and dedupe_key = ${id}`,
      ),
    )
    expect(jobs).toHaveLength(1)
    await expect(
      unit(async (db) => {
        await createWechatMessage(db, services, { wechatAppId: mini.id, openid: 'lin', templateNo: TEMPLATE, values })
        throw new Error('rolled back')
      }),
    ).rejects.toThrow('rolled back')
    expect(await unit((db) => db.find(wechatMessage, sql`r.state = 'asked'`))).toEqual([])
  })

  test('whose token WeChat refuses takes a new one once, also where it gives the refused one again', async () => {
    for (const code of [40001, 42001]) {
      wechat.faults.push({ kind: code, path: /send/, times: 1 })
      expect(await sendMessage(await createMessage())).toMatchObject({ state: 'sent' })
      clock.ahead += 60_000
    }
    expect(wechat.calls.filter(({ body }) => body.force_refresh === true)).toHaveLength(2)
    wechat.faults.push({ kind: 40001, path: /send/, times: 2 })
    wechat.calls.length = 0
    expect(await sendMessage(await createMessage())).toMatchObject({ state: 'asked' })
    expect(sends()).toBe(2)
  })

  test('to somebody who has not allowed it ends as refused, in words, and is not asked again', async () => {
    wechat.apps.get(MINI.appid)!.people.set('lin', new Map())
    const id = await createMessage()
    expect(await sendMessage(id)).toMatchObject({ state: 'refused', reason: expect.stringContaining('授权') })
    await sendMessage(id)
    expect(sends()).toBe(1)
    const wire = await tenants.must(
      tenants.call(tenants.north.admin, 'GET', '/api/wechat/wechatMessage/list', {
        query: { templateNo: TEMPLATE, state: 'refused' },
        headers: { 'accept-language': 'en-US' },
      }),
    )
    expect(wire.records[0].failReason).toContain('has not authorized')
  })

  test('beyond a rate waits for later, and then arrives', async () => {
    wechat.faults.push({ kind: 45009, path: /send/, times: 1 })
    const id = await createMessage()
    expect(await sendMessage(id)).toMatchObject({ state: 'asked', reason: expect.stringContaining('稍后') })
    expect(await sendMessage(id)).toMatchObject({ state: 'sent', reason: null })
  })

  test('is given up in the end when WeChat stays busy', async () => {
    wechat.faults.push({ kind: -1, path: /send/ })
    const id = await createMessage()
    for (let n = 0; n < 9; n++) await sendMessage(id)
    expect(await row(id)).toMatchObject({ state: 'failed', attempts: 8, answerCode: '-1' })
  })

  test('of a mini program that was not answered is never repeated, and nobody says it failed', async () => {
    wechat.faults.push({ kind: 'deaf after doing', path: /send/, times: 1 })
    const id = await createMessage()
    expect(await sendMessage(id)).toMatchObject({ state: 'unconfirmed', reason: expect.stringContaining('不重复发送') })
    await sendMessage(id)
    expect(wechat.outbox).toHaveLength(1)
  })

  test('of an official account that was not answered is asked about under its number, and arrives once', async () => {
    wechat.faults.push({ kind: 'deaf after doing', path: /send/, times: 1 })
    const id = await askOfficial()
    expect(await sendMessage(id)).toMatchObject({ state: 'sending' })
    expect(await sendMessage(id)).toMatchObject({ state: 'sent' })
    expect(wechat.outbox).toHaveLength(1)
    expect(sends()).toBe(2)
  })

  test('that was being sent when the process died is unconfirmed, or asked about where that is safe', async () => {
    const die = async (id: string, firstMs: number) => {
      const at = (ms: number) => new Date(now() + ms).toISOString()
      await unit((db) =>
        db.run(sql`update wechat_message set state = 'sending', attempts = 1, first_time = ${at(firstMs)},
          lease_until = ${at(-1_000)} where tenant_id = ${tenantId} and id = ${id}`),
      )
      return sendMessage(id)
    }
    expect(await die(await createMessage(), -70_000)).toMatchObject({ state: 'unconfirmed' })
    expect(await die(await askOfficial(), -11 * 60_000)).toMatchObject({ state: 'unconfirmed' })
    expect(wechat.outbox).toEqual([])
    expect(await die(await askOfficial(), -70_000)).toMatchObject({ state: 'sent' })
  })

  test('of an app that is not in use is refused before it is a row', async () => {
    const platform = await tenants.server.as('admin')
    const set = (enabled: boolean) =>
      tenants.must(
        tenants.call(platform, 'POST', '/api/wechat/wechatApp/submit', { body: { id: mini.id, tenantId, enabled } }),
      )
    const before = await createMessage()
    await set(false)
    await expect(createMessage()).rejects.toMatchObject({ code: 'wechat_app_missing' })
    expect(await sendMessage(before)).toMatchObject({ state: 'failed' })
    await set(true)
    expect(wechat.outbox).toEqual([])
  })
})

test('neither secret nor token nor what was told reaches the log or the browser', async () => {
  const token = await getWechatAccessToken(services, mini)
  await sendMessage(await createMessage())
  await flushLogs(services)
  const logged = await unit((db) =>
    db.query(sql`select url, request, response from request_log where tenant_id = ${tenantId}
      and system = 'wechatMessage'`),
  )
  expect(logged.length).toBeGreaterThan(1)
  const list = await tenants.must(tenants.call(tenants.north.admin, 'GET', '/api/wechat/wechatApp/list'))
  for (const hidden of [token, MINI.secret, '有人闯入']) expect(JSON.stringify([logged, list])).not.toContain(hidden)
})

test('a value is cut to what its field takes, and is never empty', () => {
  expect(fitWechatTemplateValue('thing2', '门'.repeat(30))).toBe(`${'门'.repeat(19)}…`)
  expect(fitWechatTemplateValue('phrase4', '设备离线超时了')).toBe('设备离线超')
  expect(fitWechatTemplateValue('phrase4', 'offline')).toBe('通知')
  expect(fitWechatTemplateValue('character_string1', '门A-1')).toBe('A-1')
  expect(fitWechatTemplateValue('thing1', ' \n ')).toBe('-')
  expect(fitWechatTemplateValue('keyword1', '一\n二')).toBe('一 二')
})
