import { comparedAnswers } from '#tests/support/declared-answers.ts'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { sql, type Db } from '#kit/server/database/db.ts'
import type { CastMember } from '#tests/support/server.ts'
import { createTestTenants, type Register, type TestTenants } from '#tests/support/test-tenants.ts'
import { createTemporaryFileUrl } from '#domains/platform/files/api.ts'
import {
  createDevicePresence,
  deviceTransportSlot,
  handleDeviceMessage,
  type DevicePresence,
} from '#domains/devices/device-messaging/api.ts'
import { deviceCommand } from '#domains/devices/device-messaging/index.ts'
import { SCREEN } from '#simulators/gateways/screen.ts'
import { registerScreenshot, screenshotOpening } from './register-screenshot.resource.ts'
import { defineQueue } from '#kit/server/jobs/index.ts'

const DAY_MS = 86_400_000
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
let now = new Date('2026-11-20T10:00:00+08:00').getTime()
let tenants: TestTenants
let presence: DevicePresence
let register: Register
let other: Register
let foreign: Register
let sent: { sn: string; message: any }[] = []

beforeAll(async () => {
  tenants = await createTestTenants({ now: () => new Date(now) })
  presence = createDevicePresence(tenants.services)
  tenants.services.slots.fill(deviceTransportSlot, {
    publish: async (topic, message) => {
      const [, , , sn, , about] = topic.split('/')
      if (about === 'cmd') sent.push({ sn: sn!, message })
    },
  })
  register = await tenants.register(tenants.north, tenants.north.shops[0]!)
  other = await tenants.register(tenants.north, tenants.north.shops[1]!)
  foreign = await tenants.register(tenants.south, tenants.south.shops[0]!)
})
beforeEach(async () => {
  sent = []
  now += 61_000
  for (const { sn } of [register, other]) await sendFromDevice(sn, 'online', { online: true, connId: 'c1' })
  await sendFromDevice(foreign.sn, 'online', { online: true, connId: 'c1' }, '100002')
})
afterAll(() => tenants.close())

const unit = <T>(work: (db: Db) => Promise<T>, tenantId = '100001'): Promise<T> =>
  tenants.services.unit({ tenantId }, work)
const sendFromDevice = (sn: string, about: string, message: object, tenantId = '100001') =>
  handleDeviceMessage(tenants.services, presence, `ss/1/${tenantId}/${sn}/up/${about}`, { ts: now, ...message })
const requestScreenshot = (who: CastMember | undefined = tenants.north.admin, given: object = {}) =>
  tenants.call(who, 'POST', '/api/shop/cashRegister/screenshot', {
    body: { id: register.id, reason: '顾客说屏幕卡住', ...given },
  })
const commandNow = (id: string, tenantId?: string) => unit(async (db) => (await db.get(deviceCommand, id))!, tenantId)
const pictures = (tenantId?: string) => unit((db) => db.find(registerScreenshot, sql`true`), tenantId)
const openings = async () => (await unit((db) => db.find(screenshotOpening, sql`true`))).length
const files = () =>
  unit((db) => db.query<{ key: string }>(sql`select key from stored_file where is_private order by 1`))
const put = async (url: string, bytes: Buffer, headers: Record<string, string> = { 'content-type': 'image/jpeg' }) => {
  const { pathname } = new URL(url)
  return tenants.server.http.inject({ method: 'PUT', url: pathname, payload: bytes, headers })
}

/** A requested screenshot: the command's id and the upload address. */
async function begun(): Promise<{ id: string; putUrl: string }> {
  const { cmdId: id } = await tenants.must(requestScreenshot())
  const mine = () => sent.find(({ message }) => message.id === id)
  await vi.waitFor(() => expect(mine()).toBeDefined())
  const { sn, message } = mine()!
  const { params } = message
  expect(sn).toBe(register.sn)
  await sendFromDevice(register.sn, 'ack', { id, ok: true })
  return { id, putUrl: params.putUrl }
}

describe('a picture of a screen', () => {
  it('is there when the register has brought it, and who asked, why, and that it came, is seen', async () => {
    const { id, putUrl } = await begun()
    expect(sent[0]!.message).toMatchObject({ method: 'reg.screenshot', params: { quality: 60, maxWidth: 960 } })
    expect((await commandNow(id)).params).toEqual({ quality: 60, maxWidth: 960 })
    expect(await pictures()).toEqual([])
    const answer = await put(putUrl, SCREEN)
    expect([answer.statusCode, answer.json().data]).toEqual([200, { size: SCREEN.length }])
    expect(comparedAnswers(tenants.server.http)).toContain('PUT /api/device/screen/*')
    await sendFromDevice(register.sn, 'res', { id, code: 0, data: { size: SCREEN.length } })
    const steps = await tenants.must(
      tenants.call(tenants.north.admin, 'GET', '/api/shop/deviceCommand/steps', { query: { id } }),
    )
    expect(steps).toMatchObject({ state: 'done', title: '截屏', seen: now, result: { size: SCREEN.length } })
    expect(await commandNow(id)).toMatchObject({ reason: '顾客说屏幕卡住', userId: tenants.north.admin.userId })
    const list = await tenants.must(
      tenants.call(tenants.north.admin, 'GET', '/api/shop/registerScreenshot/list', {
        query: { registerId: register.id },
      }),
    )
    expect(list.records).toMatchObject([{ commandId: id, reason: '顾客说屏幕卡住', size: SCREEN.length, openings: 0 }])
    expect(JSON.stringify(list)).not.toContain('upload/')
  })

  it('may be a PNG, whatever it is said to be', async () => {
    const { id, putUrl } = await begun()
    expect((await put(putUrl, PNG, {})).statusCode).toBe(200)
    expect((await commandNow(id)).state).toBe('done')
  })

  it('is not taken of a register that is away, nor a second time while one is under way', async () => {
    await begun()
    expect(await requestScreenshot()).toMatchObject({ success: false, data: { reason: 'device_busy' } })
    expect(await requestScreenshot(undefined, { id: foreign.id })).toMatchObject({ status: 404 })
    await sendFromDevice(other.sn, 'online', { online: false, connId: 'c1' })
    expect((await requestScreenshot(undefined, { id: other.id })).data).toMatchObject({ reason: 'device_offline' })
    expect(sent).toHaveLength(1)
  })

  it('is asked for with a reason and a right of its own, by nobody else', async () => {
    for (const reason of ['', '  ', undefined])
      expect((await requestScreenshot(undefined, { reason })).data.fields).toHaveProperty('reason')
    const reader = await tenants.person(tenants.north, 'reader', ['cashRegister', 'deviceLink', 'deviceCommand'])
    const taker = await tenants.person(tenants.north, 'taker', ['cashRegister', 'cashRegister_screenshot'])
    const boss = await tenants.boss(tenants.north, tenants.north.shops[1]!)
    const platform = await tenants.server.as('admin')
    const statuses = []
    for (const who of [reader, boss, tenants.south.admin, platform])
      statuses.push((await requestScreenshot(who)).status)
    expect(statuses).toEqual([403, 404, 404, 404])
    expect((await tenants.call(undefined, 'POST', '/api/shop/cashRegister/screenshot')).status).toBe(401)
    expect(sent).toEqual([])
    const { cmdId } = await tenants.must(requestScreenshot(taker))
    await sendFromDevice(register.sn, 'res', { id: cmdId, code: 5 })
  })
})

describe('what is brought to its address', () => {
  it('is refused when it is no picture or too big, and is nowhere then', async () => {
    const { id, putUrl } = await begun()
    const before = await files()
    const page = Buffer.from('<!doctype html><script>alert(1)</script>')
    const gif = Buffer.from('GIF89a\u0001\0\u0001\0\0\0\0;', 'latin1')
    for (const bytes of [page, gif, Buffer.from('{"ok":true}'), Buffer.from('FFD8FF')]) {
      const answer = await put(putUrl, bytes)
      expect([answer.statusCode, answer.json().data.reason]).toEqual([400, 'upload_type'])
    }
    expect((await put(putUrl, Buffer.alloc(0))).json().data.reason).toBe('upload_empty')
    const form = { 'content-type': 'multipart/form-data; boundary=x' }
    expect((await put(putUrl, SCREEN, form)).json().data.reason).toBe('upload_empty')
    const big = Buffer.concat([SCREEN, Buffer.alloc(2_097_153)])
    expect([(await put(putUrl, big)).statusCode, (await commandNow(id)).state]).toEqual([413, 'taken'])
    expect(await files()).toEqual(before)
    expect((await put(putUrl, SCREEN)).statusCode).toBe(200)
  })

  it('is refused a second time, also of two that come at once', async () => {
    const { id, putUrl } = await begun()
    const [was, kept] = [await pictures(), await files()]
    const answers = await Promise.all([put(putUrl, SCREEN), put(putUrl, PNG), put(putUrl, SCREEN)])
    expect(answers.map(({ statusCode }) => statusCode).sort((one, other) => one - other)).toEqual([200, 404, 404])
    expect((await put(putUrl, PNG)).json().data.reason).toBe('screen_address_over')
    expect([(await pictures()).length, (await files()).length]).toEqual([was.length + 1, kept.length + 1])
    expect((await commandNow(id)).state).toBe('done')
  })

  it('is refused when it comes late, to another address or for what has ended', async () => {
    const { id, putUrl } = await begun()
    const { length } = await pictures()
    const temporaryToken = new URL(createTemporaryFileUrl(tenants.services, 'x', 60)).pathname.split('/').at(-1)!
    const invented = putUrl.replace(/.{4}$/, 'AAAA')
    for (const url of [invented, putUrl.replace(/[^/]+$/, temporaryToken), putUrl.replace(/[^/]+$/, id)])
      expect((await put(url, SCREEN)).statusCode).toBe(404)
    // Refused before the body is read.
    expect((await put(invented, Buffer.alloc(3_000_000))).statusCode).toBe(404)
    await sendFromDevice(register.sn, 'res', { id, code: 5, msg: 'no screen' })
    expect((await put(putUrl, SCREEN)).statusCode).toBe(404)
    expect((await commandNow(id)).state).toBe('failed')
    now += 61_000
    sent = []
    const next = await begun()
    now += 41_000
    expect((await put(next.putUrl, SCREEN)).json().data.reason).toBe('screen_address_over')
    expect(await pictures()).toHaveLength(length)
  })

  it('ends nothing of another register or tenant, whose answers to this number are nobody’s', async () => {
    const { id } = await begun()
    await sendFromDevice(other.sn, 'res', { id, code: 0 })
    await sendFromDevice(foreign.sn, 'res', { id, code: 0 }, '100002')
    expect((await commandNow(id)).state).toBe('taken')
    expect(await pictures('100002')).toEqual([])
  })

  it('is what makes it done: a register that says so without having brought it has failed', async () => {
    const { id, putUrl } = await begun()
    const { length } = await pictures()
    await sendFromDevice(register.sn, 'res', { id, code: 0, data: { size: 1 } })
    expect(await commandNow(id)).toMatchObject({ state: 'failed', seenTime: null })
    const detail = await tenants.must(
      tenants.call(tenants.north.admin, 'GET', '/api/shop/deviceCommand/detail', { query: { id }, lang: 'en' }),
    )
    expect(detail.message).toBe('The device reported done but delivered nothing')
    expect((await put(putUrl, SCREEN)).statusCode).toBe(404)
    expect(await pictures()).toHaveLength(length)
  })

  it('is there with its row and its end or not at all, when the server dies in between', async () => {
    const { id, putUrl } = await begun()
    const [was, kept] = [await pictures(), await files()]
    // The last statement fails like a lost connection; nothing remains.
    const owner = new pg.Client({ connectionString: tenants.server.databaseUrl })
    await owner.connect()
    await owner.query(`create function die() returns trigger language plpgsql as
      $$ begin raise exception using errcode = '57P01'; end $$`)
    await owner.query('create trigger die before insert on register_screenshot for each row execute function die()')
    expect((await put(putUrl, SCREEN)).statusCode).toBeGreaterThanOrEqual(500)
    await owner.query('drop function die() cascade')
    await owner.end()
    expect([await pictures(), await files(), (await commandNow(id)).state]).toEqual([was, kept, 'taken'])
    // The register reports a failure because it never got the answer; the stored picture stays.
    expect((await put(putUrl, SCREEN)).statusCode).toBe(200)
    await sendFromDevice(register.sn, 'res', { id, code: 99, msg: 'not uploaded' })
    expect((await commandNow(id)).state).toBe('done')
  })
})

describe('who looks at it', () => {
  const open = (who: CastMember | undefined, id: string, reason?: string) =>
    tenants.call(who, 'POST', '/api/shop/registerScreenshot/open', { query: { id }, body: { reason } })
  const load = (url: string) => tenants.server.http.inject({ method: 'GET', url })

  it('says why, is written down before it is shown, and is shown it once', async () => {
    const { putUrl } = await begun()
    await put(putUrl, SCREEN)
    const picture = (await pictures()).at(-1)!
    expect((await open(tenants.north.admin, picture.id)).data.fields).toHaveProperty('reason')
    const { url } = await tenants.must(open(tenants.north.admin, picture.id, '核对付款'))
    const answer = await load(url)
    expect([answer.rawPayload.equals(SCREEN), answer.headers['content-type'], answer.headers['cache-control']]).toEqual(
      [true, 'image/jpeg', 'no-store'],
    )
    expect((await load(url)).statusCode).toBe(404)
    const log = await tenants.must(
      tenants.call(tenants.north.admin, 'GET', '/api/shop/screenshotOpening/list', {
        query: { screenshotId: picture.id },
      }),
    )
    expect(log.records).toMatchObject([
      { reason: '核对付款', userId: tenants.north.admin.userId, registerId: register.id },
    ])
    await expect(
      unit((db) => db.run(sql`update screenshot_opening set reason = '-' where tenant_id = '100001'`)),
    ).rejects.toThrow(/permission denied/)
    // The public file route does not serve it, even with its key.
    const [{ key }] = (await files()) as [{ key: string }]
    expect((await load(`/api/blade-resource/oss/endpoint/file/${key}`)).statusCode).toBe(404)
    const stat = { query: { fileName: key } }
    expect(
      (await tenants.call(tenants.north.admin, 'GET', '/api/blade-resource/oss/endpoint/stat-file', stat)).status,
    ).toBe(404)
  })

  it('has the right to, and the shop among theirs', async () => {
    const { id } = (await pictures()).at(-1)!
    const before = await openings()
    const reader = await tenants.person(tenants.north, 'lister', ['registerScreenshot', 'cashRegister_screenshot'])
    const boss = await tenants.boss(tenants.north, tenants.north.shops[1]!)
    const statuses = []
    for (const who of [reader, boss, tenants.south.admin, undefined])
      statuses.push((await open(who, id, '看看')).status)
    expect(statuses).toEqual([403, 404, 404, 401])
    expect(await openings()).toBe(before)
  })

  it('finds it gone with its bytes when its days are over, and who looked at it still written down', async () => {
    const keys = (await files()).map(({ key }) => key)
    now += 8 * DAY_MS
    await unit((db) => db.run(sql`update register_screenshot set create_time = now() - interval '8 days'`))
    now = Date.now()
    await tenants.services.unit({ tenantId: '100001' }, (db) => db.enqueue(defineQueue('logs.forget'), {}))
    await vi.waitFor(async () => {
      await tenants.server.jobs.runDue()
      expect([await pictures(), await files()]).toEqual([[], []])
    }, 20_000)
    await tenants.server.jobs.runDue()
    for (const key of keys) expect(await tenants.services.files?.get(key)).toBeUndefined()
    expect(await openings()).toBe(1)
  })
})
