import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '#kit/server/database/db.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import type { CastMember } from '#tests/support/server.ts'
import type { Services } from '#kit/server/module/services.ts'
import { createTestTenants, type TestTenants } from '#tests/support/test-tenants.ts'
import { startWechat, type WechatSimulator } from '#simulators/wechat/wechat.simulator.ts'
import { raiseEvent, resolveEvents, type RaiseEventInput } from './event.server.ts'
import { paramNumber } from '#domains/platform/system/api.ts'
import { findTimeWindowAt } from '#domains/shops/shops/api.ts'
import { sendWechatMessage } from '#domains/messaging/wechat-messages/api.ts'
import { deliverNoticeJob, createEventNoticesJob, remindOfEvents } from './notice.job.ts'
import { EVENT_REMINDER_MINUTES_PARAM } from './params.ts'
import { noticeDueTime } from './quiet-hours.ts'
import { checkSilentSources } from './silence.job.ts'

const NOON = new Date('2026-11-20T12:00:00+08:00').getTime()
let clock = NOON
let tenants: TestTenants
let background: Services
let lin: CastMember
let shop: string
let otherShop: string

beforeAll(async () => {
  tenants = await createTestTenants({ now: () => new Date(NOON) })
  // Sessions end with their own clock; what works in the background is given the one that is turned.
  background = { ...tenants.services, now: () => new Date(clock) }
  ;[shop, otherShop] = tenants.north.shops as [string, string]
  lin = await tenants.boss(tenants.north, shop)
})
afterAll(() => tenants?.close())
beforeEach(() => {
  clock = NOON
})

const tenantId = '100001'
const inNorth = <T>(work: Parameters<typeof tenants.services.unit<T>>[1]) => tenants.services.unit({ tenantId }, work)
let made = 0
const raise = (raised: Partial<RaiseEventInput> = {}) =>
  inNorth((db) =>
    raiseEvent(db, {
      shopId: shop,
      type: 'intrusion',
      subject: `n${++made}`,
      content: { zh: '有人', en: 'Another user' },
      ...raised,
    }),
  )
const context = (attempt = 1) => ({
  tenantId,
  signal: new AbortController().signal,
  jobId: '1',
  attempt,
  services: background,
})
const notify = (eventId: string) => createEventNoticesJob.run({ eventId }, context())
const deliver = (id: string, attempt?: number) => deliverNoticeJob.run({ id }, context(attempt))
const subscribe = (body: object, who = lin) =>
  tenants.must(tenants.call(who, 'POST', '/api/shop/noticeSubscribe/mine/save', { body }))
const logs = async (eventId: string) =>
  (
    await tenants.must(
      tenants.call(tenants.north.admin, 'GET', '/api/shop/noticeLog/list', {
        query: { eventId, size: 50, ascs: 'channel' },
      }),
    )
  ).records as Record<string, any>[]

describe('subscriptions', () => {
  test('are a matrix of events and channels, and come back as they were set', async () => {
    const wanted = {
      cells: { intrusion: ['site', 'sms'], offline: ['site'] },
      shopIds: [shop],
      quietStart: '22:30',
      quietEnd: '07:00',
      enabled: true,
    }
    expect(await subscribe(wanted)).toMatchObject({
      cells: { intrusion: ['site', 'sms'], offline: ['site'], sos: [] },
      shopIds: [shop],
    })
    const saved = await Promise.all([
      subscribe(wanted),
      subscribe(wanted),
      subscribe({ ...wanted, cells: { sos: ['wechat'] } }),
      subscribe(wanted),
    ])
    const mine = await tenants.must(tenants.call(lin, 'GET', '/api/shop/noticeSubscribe/mine'))
    expect(saved).toContainEqual(mine)
    expect(
      (
        await tenants.call(lin, 'POST', '/api/shop/noticeSubscribe/mine/save', {
          body: { ...wanted, cells: { intrusion: ['pigeon'] } },
        })
      ).status,
    ).toBe(400)
    expect(
      (
        await tenants.call(lin, 'POST', '/api/shop/noticeSubscribe/mine/save', {
          body: { ...wanted, shopIds: [otherShop] },
        })
      ).status,
    ).toBe(404)
    expect(
      (await tenants.call(lin, 'POST', '/api/shop/noticeSubscribe/mine/save', { body: { ...wanted, quietEnd: '' } }))
        .status,
    ).toBe(400)
  })

  test('tell nobody in the morning of a shop that was taken from him in the night', async () => {
    await subscribe({ cells: { intrusion: ['site'] }, quietStart: '11:00', quietEnd: '13:00', enabled: true })
    const id = await raise({ subject: 'taken' })
    await notify(id)
    const [log] = await logs(id)
    const staff = (list: object[]) =>
      tenants.must(
        tenants.call(tenants.north.admin, 'POST', '/api/shop/basicShopInfo/staff', { body: { id: shop, staff: list } }),
      )
    await staff([])
    await deliver(log!.id)
    await staff([{ userId: lin.userId, position: 'boss' }])
    expect(await logs(id)).toMatchObject([{ result: 'dropped', sendTime: '' }])
  })

  test('tell nobody of events that a data scope keeps out of their list', async () => {
    await subscribe({ cells: { intrusion: ['site'] }, enabled: true })
    const seen = await raise({ subject: 'seen' })
    await notify(seen)
    expect(await logs(seen)).toHaveLength(1)
    const dataScope = tenants.services.registry.resource('dataScope')
    const scope = await inNorth(async (db) => {
      const row = (await db.insert(dataScope, {
        menuId: '1',
        scopeName: 'own',
        resourceCode: 'event',
        scopeType: 2,
      })) as { id: string }
      await db.run(sql`insert into role_scope (tenant_id, role_id, scope_category, scope_id)
        select ${tenantId}, unnest(role_id), 1, ${row.id} from sys_user where id = ${lin.userId}`)
      return row
    })
    const hidden = await raise({ subject: 'hidden' })
    await notify(hidden)
    await inNorth((db) => db.run(sql`delete from role_scope where scope_id = ${scope.id}`))
    expect(await logs(hidden)).toEqual([])
  })

  test('stand on a staff list that nobody writes over unseen', async () => {
    const staff = (list: object[], was?: string[]) =>
      tenants.call(tenants.north.admin, 'POST', '/api/shop/basicShopInfo/staff', {
        body: { id: shop, staff: list, was },
      })
    const boss = { userId: lin.userId, position: 'boss' }
    await staff([boss])
    expect(await staff([], [])).toMatchObject({ status: 409, data: { reason: 'changed_meanwhile' } })
    expect(await staff([boss], [`${lin.userId}:boss`])).toMatchObject({ status: 200 })
    expect(
      (
        await tenants.must(
          tenants.call(tenants.north.admin, 'GET', '/api/shop/basicShopInfo/staff', { query: { id: shop } }),
        )
      ).map((one: any) => one.userId),
    ).toEqual([lin.userId])
  })

  test('tell of a first occurrence once on each channel, and never of a repeat', async () => {
    await subscribe({ cells: { intrusion: ['site', 'wechat', 'sms'] }, enabled: true })
    const id = await raise({ subject: 'once' })
    await Promise.all([notify(id), notify(id), notify(id)])
    expect(await raise({ subject: 'once' })).toBe(id)
    await notify(id)
    const rows = await logs(id)
    expect(rows.map((row) => row.channel)).toEqual(['site', 'sms', 'wechat'])
    await Promise.all(rows.flatMap((row) => [deliver(row.id), deliver(row.id)]))
    expect(await logs(id)).toMatchObject([
      { channel: 'site', result: 'sent', userId: lin.userId },
      { channel: 'sms', result: 'undeliverable', error: expect.stringMatching(/./) },
      { channel: 'wechat', result: 'undeliverable', error: '没有设置微信通知模板，无法发送' },
    ])
  })

  test('tell of what one device raises without end for a while, say so, and then stand in the list alone', async () => {
    await subscribe({ cells: { lockFault: ['site'] }, enabled: true })
    const contents: string[] = []
    for (let n = 0; n < 25; n++) {
      const id = await raise({ type: 'lockFault', subject: `door/${n}` })
      await notify(id)
      contents.push(...(await logs(id)).map((row) => String(row.content)))
    }
    expect(contents).toHaveLength(20)
    expect(contents.filter((content) => content.startsWith('接连发生'))).toEqual([contents.at(-1)])
    const other = await raise({ type: 'doorForced', subject: 'door/1' })
    await subscribe({ cells: { doorForced: ['site'] }, enabled: true })
    await notify(other)
    expect(await logs(other)).toHaveLength(1)
  })

  test('go by the shops somebody has at that moment, and by what he may see', async () => {
    await subscribe({ cells: { intrusion: ['site'] }, enabled: true })
    const elsewhere = await raise({ shopId: otherShop })
    await notify(elsewhere)
    expect(await logs(elsewhere)).toEqual([])
    const off = await raise()
    await subscribe({ cells: { intrusion: ['site'] }, enabled: false })
    await notify(off)
    expect(await logs(off)).toEqual([])
    const blind = await tenants.person(tenants.north, 'clerk', ['goodInfo'])
    await tenants.must(
      tenants.call(tenants.north.admin, 'POST', '/api/shop/noticeSubscribe/submit', {
        body: { userId: blind.userId, eventTypes: 'intrusion', channels: 'site' },
      }),
    )
    const unseen = await raise()
    await notify(unseen)
    expect(await logs(unseen)).toEqual([])
  })

  test('are kept by a boss for himself alone', async () => {
    const other = await tenants.boss(tenants.north, otherShop)
    const { id } = await tenants.must(
      tenants.call(other, 'POST', '/api/shop/noticeSubscribe/submit', {
        body: { userId: lin.userId, shopIds: otherShop, eventTypes: 'sos', channels: 'site' },
      }),
    )
    expect(
      await tenants.must(tenants.call(other, 'GET', '/api/shop/noticeSubscribe/detail', { query: { id } })),
    ).toMatchObject({ userId: other.userId })
    expect((await tenants.call(lin, 'GET', '/api/shop/noticeSubscribe/detail', { query: { id } })).status).toBe(404)
  })
})

describe('quiet hours', () => {
  const at = (time: string) => new Date(`2026-11-20T${time}:00+08:00`)

  test('hold notices until they end, also across midnight, but for urgent ones', () => {
    const night = { start: '22:00', end: '07:00' }
    expect(formatShanghaiTime(noticeDueTime(at('23:10'), night, 2))).toBe('2026-11-21 07:00:00')
    expect(formatShanghaiTime(noticeDueTime(at('06:59'), night, 1))).toBe('2026-11-20 07:00:00')
    expect(noticeDueTime(at('07:00'), night, 1)).toEqual(at('07:00'))
    expect(noticeDueTime(at('21:59'), night, 1)).toEqual(at('21:59'))
    expect(noticeDueTime(at('23:10'), night, 3)).toEqual(at('23:10'))
    expect(noticeDueTime(at('23:10'), { start: null, end: null }, 1)).toEqual(at('23:10'))
  })

  test('never send earlier than now, never later than a day, and never inside them', () => {
    const minute = fc
      .integer({ min: 0, max: 1439 })
      .map((n) => `${String(Math.floor(n / 60)).padStart(2, '0')}:${String(n % 60).padStart(2, '0')}`)
    fc.assert(
      fc.property(minute, minute, fc.integer({ min: 0, max: 10 * 86_400 }), (start, end, seconds) => {
        fc.pre(start !== end)
        const now = new Date(NOON + seconds * 1000)
        const due = noticeDueTime(now, { start, end }, 2)
        expect(due.getTime()).toBeGreaterThanOrEqual(now.getTime())
        expect(due.getTime() - now.getTime()).toBeLessThan(86_400_000)
        expect(findTimeWindowAt(due, start, end)).toBeUndefined()
      }),
    )
  })

  test('drop what has been settled before they ended', async () => {
    await subscribe({ cells: { temperature: ['site'] }, quietStart: '22:00', quietEnd: '07:00', enabled: true })
    clock = at('23:00').getTime()
    const about = { shopId: shop, type: 'temperature', subject: 'night' } as const
    const id = await raise(about)
    const stays = await raise({ ...about, subject: 'stays' })
    await notify(id)
    await notify(stays)
    const [row] = await logs(id)
    expect(row).toMatchObject({ result: 'asked', dueTime: '2026-11-21 07:00:00' })
    await inNorth((db) => resolveEvents(db, about))
    clock = at('23:00').getTime() + 9 * 3_600_000
    await deliver(row!.id)
    await deliver((await logs(stays))[0]!.id)
    expect((await logs(id))[0]).toMatchObject({ result: 'dropped', sendTime: '' })
    expect((await logs(stays))[0]).toMatchObject({ result: 'sent' })
  })
})

describe('an urgent event nobody takes', () => {
  const minutes = (n: number) => (clock += n * 60_000)
  const notified = async (id: string) =>
    (await logs(id)).map((row) => [row.userId, row.channel, row.content.startsWith('仍无人认领')])
  const closeEvents = () =>
    inNorth((db) => db.run(sql`update shop_event set status = 2, open_key = null where tenant_id = ${tenantId}`))
  const at = () => ({ at: new Date(clock) })

  test(
    'is told again once to its subscribers, then once to the administrators, ' + 'also in quiet hours, and never again',
    async () => {
      await closeEvents()
      clock = new Date('2026-11-20T23:00:00+08:00').getTime()
      await subscribe({
        cells: { sos: ['site'], temperature: ['site'] },
        quietStart: '22:00',
        quietEnd: '07:00',
        enabled: true,
      })
      const [id, lesser] = [await raise({ type: 'sos', ...at() }), await raise({ type: 'temperature', ...at() })]
      await notify(id)
      minutes(9)
      expect(await remindOfEvents(background)).toBe(0)
      minutes(1)
      await Promise.all([remindOfEvents(background), remindOfEvents(background)])
      expect(await notified(id)).toEqual([
        [lin.userId, 'site', false],
        [lin.userId, 'site', true],
      ])
      expect((await logs(id)).map((row) => row.dueTime)).toEqual(['2026-11-20 23:00:00', '2026-11-20 23:10:00'])
      minutes(10)
      await Promise.all([remindOfEvents(background), remindOfEvents(background)])
      expect((await notified(id)).filter(([who]) => who !== lin.userId)).toEqual([
        [tenants.north.admin.userId, 'site', true],
      ])
      minutes(600)
      expect(await remindOfEvents(background)).toBe(0)
      expect(await notified(id)).toHaveLength(3)
      expect(await logs(lesser)).toEqual([])
    },
  )

  test('is not told again once somebody took it, or where the parameter is 0', async () => {
    await closeEvents()
    const id = await raise({ type: 'sos', ...at() })
    await tenants.must(tenants.call(lin, 'POST', '/api/shop/event/acknowledge', { query: { ids: id }, body: {} }))
    minutes(30)
    expect(await remindOfEvents(background)).toBe(0)
    await raise({ type: 'sos', ...at() })
    const platform = await tenants.server.as('admin')
    const set = async (paramValue: string) => {
      const {
        records: [row],
      } = await tenants.must(
        tenants.call(platform, 'GET', '/api/blade-system/param/list', { query: { paramKey: 'event.remindMinutes' } }),
      )
      return tenants.call(platform, 'POST', '/api/blade-system/param/submit', { body: { id: row.id, paramValue } })
    }
    expect((await set('soon')).status).toBe(400)
    await tenants.must(set('0'))
    // The clock's own services hear of the change as another process does: soon, not at once.
    await expect.poll(() => paramNumber(background, EVENT_REMINDER_MINUTES_PARAM)).toBe(0)
    minutes(30)
    expect(await remindOfEvents(background)).toBe(0)
    await tenants.must(set('10'))
    await expect.poll(() => paramNumber(background, EVENT_REMINDER_MINUTES_PARAM)).toBe(10)
    expect(await remindOfEvents(background)).toBe(1)
    await closeEvents()
  })
})

describe('a notice by text message', () => {
  test(
    'is asked of the provider again after no answer, in one batch, and ' + 'fails in the end with the reason',
    async () => {
      const { admin } = tenants.north
      await tenants.must(
        tenants.call(admin, 'POST', '/api/blade-resource/sms/submit', {
          body: { category: 1, smsCode: 'event', templateId: '#shop#：#content#', accessKey: 'k', secretKey: 's' },
        }),
      )
      // A closed port of this machine stands for a provider that does not answer.
      await inNorth((db) => db.run(sql`update sms set endpoint = 'http://127.0.0.1:9' where tenant_id = ${tenantId}`))
      await inNorth((db) =>
        db.run(sql`update sys_user set phone = '13857100002' where tenant_id = ${tenantId} and id = ${lin.userId}`),
      )
      await subscribe({ cells: { sos: ['sms'] }, enabled: true })
      const event = await raise({ type: 'sos' })
      await notify(event)
      const [row] = await logs(event)
      expect(row).toMatchObject({ receiver: '138****0002', result: 'asked' })
      await expect(deliver(row!.id, 1)).rejects.toThrow(/./)
      expect((await logs(event))[0]).toMatchObject({ result: 'asked', retries: 1, error: expect.stringMatching(/./) })
      await expect(deliver(row!.id, 2)).rejects.toThrow(/./)
      await deliver(row!.id, 3)
      expect((await logs(event))[0]).toMatchObject({ result: 'failed', retries: 2 })
      await deliver(row!.id, 4)
      const { rows } = await tenants.services.systemPool.query(
        `select count(*)::int as n from sms_record where phone = '13857100002'`,
      )
      expect(rows[0].n).toBe(1)
      const noticeCount = await tenants.services.systemPool.query(
        `select count(*)::int as n from notice_log where event_id = $1`,
        [event],
      )
      expect(noticeCount.rows[0].n).toBe(1)
    },
  )
})

describe('a notice by WeChat', () => {
  const OPENID = 'o-lin-of-the-mini-program'
  const APP = { appid: 'wx3333333333333333', secret: 'kept to itself' }
  let wechat: WechatSimulator
  let people: Map<string, Map<string, number>>
  beforeAll(async () => {
    wechat = await startWechat({ now: () => NOON })
    people = new Map([[OPENID, new Map([['tpl_Event_0001', 1]])]])
    const templates = new Map([['tpl_Event_0001', ['thing1', 'thing2', 'time3', 'phrase4']]])
    wechat.know(APP.appid, { kind: 'mini', secret: APP.secret, people, templates, pages: new Set(['pages/event']) })
    const platform = await tenants.server.as('admin')
    const { id: wechatAppId } = await tenants.must(
      tenants.call(platform, 'POST', '/api/wechat/wechatApp/submit', {
        body: { tenantId, name: '店主端', kind: 'mini', appid: APP.appid, secretKey: APP.secret, endpoint: wechat.url },
      }),
    )
    const places = { contentField: 'thing2', shopField: 'thing1', timeField: 'time3', kindField: 'phrase4' }
    const body = { notice: 'event', wechatAppId, templateNo: 'tpl_Event_0001', target: 'pages/event', ...places }
    await tenants.must(tenants.call(tenants.north.admin, 'POST', '/api/shop/wechatTemplate/submit', { body }))
  })
  afterAll(() => wechat.close())

  const noticeByWechat = async () => {
    const saved = await subscribe({ cells: { intrusion: ['wechat'] }, enabled: true })
    const event = await raise({
      content: { zh: '后门被人打开，持续了三十秒以上，请尽快查看现场', en: 'The back door' },
    })
    await notify(event)
    const [row] = await logs(event)
    await deliver(row!.id)
    await deliver(row!.id)
    return { saved, log: (await logs(event))[0]! }
  }

  test('is not sent to who has tied no WeChat, and says so', async () => {
    const { saved, log } = await noticeByWechat()
    expect(saved).toMatchObject({ wechat: 'untied' })
    expect(log).toMatchObject({ result: 'undeliverable', error: '接收人没有绑定微信' })
    expect(wechat.calls).toEqual([])
  })

  test('arrives once, with what the template has room for', async () => {
    await tenants.must(
      tenants.call(tenants.north.admin, 'POST', '/api/shop/wxShoper/submit', {
        body: { nickname: '林', openid: OPENID, userId: lin.userId, shopIds: shop, role: 'boss' },
      }),
    )
    const { saved, log } = await noticeByWechat()
    expect(saved).toMatchObject({ wechat: 'ready' })
    expect(log).toMatchObject({ result: 'sent', sendTime: expect.stringMatching(/./) })
    expect(wechat.outbox).toMatchObject([
      {
        openid: OPENID,
        target: 'pages/event',
        values: {
          thing1: '北街1号店',
          thing2: '后门被人打开，持续了三十秒以上，请尽快…',
          time3: expect.stringMatching(/^\d{4}年\d\d月\d\d日 \d\d:\d\d$/),
          phrase4: expect.stringMatching(/^\p{Script=Han}{2,5}$/u),
        },
      },
    ])
  })

  test('to who allows no more is undeliverable, says why, and one nobody answered is unconfirmed', async () => {
    expect((await noticeByWechat()).log).toMatchObject({
      result: 'undeliverable',
      error: expect.stringContaining('授权'),
    })
    people.get(OPENID)!.set('tpl_Event_0001', 5)
    wechat.faults.push({ kind: 'deaf after doing', path: /send/, times: 1 })
    expect((await noticeByWechat()).log).toMatchObject({ result: 'unconfirmed' })
    expect(wechat.outbox).toHaveLength(2)
  })

  test('can be tried from its settings', async () => {
    const { records } = await tenants.must(tenants.call(tenants.north.admin, 'GET', '/api/shop/wechatTemplate/list'))
    const test = (openid: string) =>
      tenants.call(tenants.north.admin, 'POST', '/api/shop/wechatTemplate/test', {
        query: { id: records[0].id },
        body: { openid },
      })
    expect((await test('!')).status).toBe(400)
    const { id } = await tenants.must(test(OPENID))
    await sendWechatMessage(background, tenantId, id)
    expect(wechat.outbox.at(-1)?.values.thing2).toBe('这是一条测试通知')
  })
})

describe('silence of a shop', () => {
  const offline = async () =>
    (
      await tenants.must(
        tenants.call(tenants.north.admin, 'GET', '/api/shop/event/list', {
          query: { type: 'offline', shopId: otherShop, size: 50, ascs: 'createTime' },
        }),
      )
    ).records as Record<string, any>[]
  const seen = (time: number | null, status = 1) =>
    inNorth((db) =>
      db.run(sql`update basic_shop_info set status = ${status},
        last_seen_time = ${time === null ? null : new Date(time)} where id = ${otherShop}`),
    )

  test('is one event until the shop is back, and never for one that was never heard of', async () => {
    await seen(null)
    await checkSilentSources(background)
    expect(await offline()).toEqual([])
    await seen(NOON - 60_000)
    await checkSilentSources(background)
    expect(await offline()).toEqual([])
    clock = NOON + 600_000
    await Promise.all([checkSilentSources(background), checkSilentSources(background)])
    await checkSilentSources(background)
    expect(await offline()).toMatchObject([{ status: 0, content: expect.stringContaining('11-20 11:59') }])
    await seen(clock)
    await checkSilentSources(background)
    await checkSilentSources(background)
    expect(await offline()).toMatchObject([{ status: 2, handleRemark: '已自动恢复' }])
    await seen(NOON - 60_000, 3)
    await checkSilentSources(background)
    expect(await offline()).toHaveLength(1)
  })
})
