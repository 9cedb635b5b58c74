import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { startEle } from '../ele/ele.simulator.ts'
import { answerText, platformJson, signed } from '../ele/envelope.ts'
import { faultOrderOf, faultTable } from '../gateways/faults.ts'
import { startMeituan } from '../meituan/meituan.simulator.ts'
import { startWechat } from '../wechat/wechat.simulator.ts'
import { startWechatPay } from '../wechatpay/wechatpay.simulator.ts'
import { PLATFORM_RULES, PLATFORMS, type PlatformFaults } from './faults.ts'
import { elePlatform, meituanPlatform, wechatPlatform, wechatpayPlatform } from './platforms.ts'

/** Callbacks received by a listener, in order. */
let callbacks: string[]
let listener: ReturnType<typeof createServer>
let url: string
let answerNow: () => string

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] })
  callbacks = []
  answerNow = () => '{}'
  listener = createServer((request, response) => {
    void text(request).then((body) => {
      callbacks.push(body)
      response.end(answerNow())
    })
  })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  url = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`
})
afterEach(() => {
  vi.useRealTimers()
  listener.closeAllConnections()
  listener.close()
})

/** Waits for callbacks, which go over a real socket that fake timers do not hold up. */
const drainSockets = async () => {
  for (let n = 0; n < 20; n++) await new Promise((done) => setImmediate(done))
}
const waitForCallbacks = async (count: number) => {
  for (let n = 0; n < 200 && callbacks.length < count; n++) await drainSockets()
  await drainSockets()
  return callbacks
}
/** Advances the fake clock by so many seconds. */
const pass = async (seconds: number) => void (await vi.advanceTimersByTimeAsync(seconds * 1000))

test('every fault says in both languages what it is, and who can have it', () => {
  for (const [name, { label, of, ...rule }] of Object.entries(PLATFORM_RULES)) {
    expect([name, /\p{Script=Han}/u.test(label.zh), /^[A-Z][ -~]+$/.test(label.en)]).toEqual([name, true, true])
    expect([name, of!.every((kind) => kind in PLATFORMS), of!.length > 0]).toEqual([name, true, true])
    const words = rule.form === 'word' ? rule.words : []
    expect([name, words.filter(({ label: one }) => !one.zh || !one.en)]).toEqual([name, []])
  }
  expect(
    faultTable()
      .filter(({ of }) => of.includes('meituan'))
      .map(({ name }) => name),
  ).toEqual(['away', 'deaf', 'answersLate', 'limited', 'callbacks', 'auditRefused'])
})

test('the command line aims at a platform by its name', () => {
  expect(faultOrderOf('limited@ele')).toEqual({ faults: { limited: true }, clientIds: ['ele'] })
  expect(faultOrderOf('callbacks=late@meituan')).toEqual({ faults: { callbacks: 'late' }, clientIds: ['meituan'] })
  expect(faultOrderOf('answersLate=3000')).toEqual({ faults: { answersLate: 3000 } })
  for (const wrong of ['callbacks', 'callbacks=loud', 'limited=2', 'answersLate=70000'])
    expect([wrong, faultOrderOf(wrong)]).toEqual([wrong, undefined])
})

test('a platform takes what it can have, keeps it, and is well again when all is taken away', async () => {
  const wechat = await startWechat()
  const { order, faults } = wechatPlatform(wechat)
  expect(order({ callbacks: 'twice' })).toBe(false)
  expect(order({ tokenBad: true, callbacks: 'twice' })).toBe(true)
  expect(faults()).toEqual({ tokenBad: true })
  expect(order({ away: true })).toBe(true)
  expect(faults()).toEqual({ tokenBad: true, away: true })
  order({ tokenBad: null, away: null })
  expect([faults(), wechat.faults]).toEqual([{}, []])
  await wechat.close()
})

describe('messages of WeChat', () => {
  const APP = { appid: 'wx1111111111111111', secret: 's' }
  const ask = async (simulator: string, path: string, body: object) => {
    const reply = await fetch(`${simulator}${path}`, { method: 'POST', body: JSON.stringify(body) })
    return reply.status === 200 ? ((await reply.json()) as Record<string, unknown>) : reply.status
  }

  test('are refused, not allowed, limited, or not answered, as it is told', async () => {
    const wechat = await startWechat()
    const people = new Map([['o-lin', new Map([['t', 9]])]])
    const templates = new Map([['t', ['thing1']]])
    wechat.know(APP.appid, { kind: 'mini', secret: APP.secret, people, templates })
    const { access_token: token } = (await ask(wechat.url, '/cgi-bin/stable_token', {
      grant_type: 'client_credential',
      ...APP,
    })) as { access_token: string }
    const send = async () =>
      ask(wechat.url, `/cgi-bin/message/subscribe/send?access_token=${token}`, {
        touser: 'o-lin',
        template_id: 't',
        data: { thing1: { value: '一' } },
      }).catch(() => 'hung up')
    const { order } = wechatPlatform(wechat)
    const under = async (faults: PlatformFaults) => {
      order(faults)
      const response = await send()
      order(Object.fromEntries(Object.keys(faults).map((name) => [name, null])))
      return typeof response === 'object' ? response.errcode : response
    }
    expect(await under({ tokenBad: true })).toBe(40001)
    expect(await under({ notAllowed: true })).toBe(43101)
    expect(await under({ limited: true })).toBe(45009)
    expect(await under({ away: true })).toBe(502)
    expect(wechat.outbox).toEqual([])
    expect(await under({ deaf: true })).toBe('hung up')
    expect(wechat.outbox).toHaveLength(1)
    expect(await under({})).toBe(0)
    await wechat.close()
  })
})

describe('callbacks', () => {
  const meituan = async () => {
    const simulator = await startMeituan()
    simulator.know('app', { secret: 's', callbackUrl: url })
    const shop = { code: 'P1', appNo: 'app', wmPoiNo: '1', facts: {}, openLevel: 1, isOnline: 1 }
    const audit = { status: 2, reason: '', due: 0 }
    const good = { code: 'G1', facts: { name: '水' }, price: '2.00', stock: 99, soldOut: 0, audit }
    simulator.knowShop(shop, { categories: new Map(), goods: [good] })
    const place = () => simulator.place({ shopCode: 'P1', lines: [{ code: 'G1', quantity: 1 }] }).orderNo
    return { simulator, platform: meituanPlatform(simulator), tell: place, close: simulator.close }
  }
  const ele = async () => {
    const after = (ms: number, act: () => void) => {
      const timer = setTimeout(act, ms)
      return () => clearTimeout(timer)
    }
    const simulator = await startEle({ clock: { now: () => Date.now(), after } })
    simulator.world.accounts.set('s1', { secret: 's', callback: url })
    // A message that is not acknowledged in the platform's format is sent again.
    const body = platformJson({ errno: 0, error: 'success', data: true })
    const rest = { cmd: 'resp.order.create', timestamp: '1', version: '3', source: 's1', encrypt: '', ticket: 'T' }
    answerNow = () => answerText(signed({ ...rest, body }, 's'))
    let made = 0
    const notify = () => {
      simulator.world.tell('s1', 'order.create', { order_id: String(++made) })
      return `"${made}"`
    }
    return { simulator, platform: elePlatform(simulator), tell: notify, close: simulator.close }
  }
  const wechatpay = async () => {
    const simulator = await startWechatPay()
    let made = 0
    const notify = () => {
      const kind = `REFUND.${++made}`
      simulator.callbacks.notify(kind, 'refund', { made }, url)
      return kind
    }
    return { simulator, platform: wechatpayPlatform(simulator), tell: notify, close: () => simulator.close() }
  }

  test.each([
    ['Meituan', meituan],
    ['Ele', ele],
    ['WeChat Pay', wechatpay],
  ])('of %s come twice, late, out of order or not at all, and as they should again', async (_name, start) => {
    const { platform, tell, close } = await start()
    tell()
    expect(await waitForCallbacks(1)).toHaveLength(1)
    const from = (set: PlatformFaults['callbacks'] | null) => {
      platform.order({ callbacks: set })
      callbacks.length = 0
    }
    from('twice')
    tell()
    expect(await waitForCallbacks(2)).toHaveLength(2)
    from('late')
    tell()
    await drainSockets()
    await pass(59)
    expect(callbacks).toEqual([])
    await pass(2)
    expect(await waitForCallbacks(1)).toHaveLength(1)
    from('shuffled')
    const [first, second] = [tell(), tell()]
    await drainSockets()
    expect(callbacks).toEqual([])
    await pass(20)
    await waitForCallbacks(2)
    expect(callbacks.map((body) => [first, second].findIndex((one) => decodeURIComponent(body).includes(one)))).toEqual(
      [1, 0],
    )
    from('never')
    tell()
    await pass(30)
    expect(await waitForCallbacks(1)).toEqual([])
    from(null)
    tell()
    expect(await waitForCallbacks(1)).toHaveLength(1)
    await close()
  })
})

test('WeChat Pay refuses refunds, has no statement, ends refunds as abnormal and refuses applications', async () => {
  const simulator = await startWechatPay()
  const { order } = wechatpayPlatform(simulator)
  order({ refundRefused: true, noStatement: true, limited: true, refundAbnormal: true, auditRefused: true })
  const kindFor = (path: string) => simulator.faults.findLast((one) => !one.path || one.path.test(path))?.kind
  expect(kindFor('/v3/refund/domestic/refunds')).toEqual({ status: 403, code: 'NOT_ENOUGH' })
  expect(kindFor('/v3/bill/tradebill')).toEqual({ status: 404, code: 'NO_STATEMENT_EXIST' })
  expect(kindFor('/v3/capital/capitallhh/areas/provinces')).toEqual({ status: 429, code: 'FREQUENCY_LIMITED' })
  expect([simulator.world.isStrict, simulator.world.refundEnding]).toEqual([true, 'ABNORMAL'])
  order({ refundRefused: null, noStatement: null, limited: null, refundAbnormal: null, auditRefused: null })
  expect([simulator.faults, simulator.world.isStrict, simulator.world.refundEnding]).toEqual([[], false, 'SUCCESS'])
  await simulator.close()
})
