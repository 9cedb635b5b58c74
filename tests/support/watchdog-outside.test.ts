import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { requireAllowedUpload } from '#kit/server/storage/upload.ts'
import { MQTT_MESSAGE_BYTES_MAX } from '#kit/server/broker/index.ts'
import { RESPONSE_BYTES_MAX } from '#kit/server/request/external-request.ts'
import { BLOCK_MAX_MS, eventLoopBlockOf } from './event-loop-block.ts'
import { createTestTenants, type TestTenants } from './test-tenants.ts'
import { parseRunOutput, toStorableRunOutputs } from '#domains/insight/ai/findings.ts'
import { parseDifyEvents } from '#domains/insight/ai/dify-events.ts'
import {
  deviceTransportSlot,
  handleDeviceMessage,
  createDevicePresence,
  type DevicePresence,
} from '#domains/devices/device-messaging/api.ts'
import { deviceHandlers } from '#domains/devices/device-messaging/device-handlers.ts'
import { parseJsonKeepingLongIntegers } from '#domains/platform/external-apis/api.ts'
import { createMeituanApi } from '#domains/sales/meituan/client.ts'
import { parseStatement, decodeUploadedText } from '#domains/money/merchant-accounts/statement.ts'
import { callWvp } from '#domains/devices/video/wvp.client.ts'
import { createWechatPayCaller } from '#domains/money/wechat-pay/wechat-pay.client.ts'
import { readBpmn } from '#domains/platform/workflow/read-bpmn.ts'

/** Texts that, repeated, make expressions, parsers or comparisons backtrack. */
const PUMPS = [
  '"',
  '\\"',
  '[',
  '{"a":',
  '1,',
  '```',
  '```json ',
  '/www/',
  ' ',
  '.',
  '=',
  '%',
  '<a>',
  '中',
  '\u{1f600}',
  '\n',
]
const all = (length: number) => PUMPS.map((pump) => `x${pump.repeat(Math.floor(length / pump.length))}\n\0`)

let tenants: TestTenants
let presence: DevicePresence
const clientId = 'GW-watched-1'
const tenantId = '100001'
beforeAll(async () => {
  tenants = await createTestTenants()
  presence = createDevicePresence(tenants.services)
  tenants.services.slots.fill(deviceTransportSlot, { publish: async () => {} })
  const body = { id: tenants.north.shops[0], clientId }
  await tenants.must(tenants.call(tenants.north.admin, 'POST', '/api/shop/basicShopInfo/submit', { body }))
  await sendFromDevice('online', { online: true, connId: 'c1' })
})
afterAll(() => tenants.close())

const sendFromDevice = (about: string, message: object) =>
  handleDeviceMessage(tenants.services, presence, `ss/1/${tenantId}/${clientId}/up/${about}`, {
    ts: Date.now(),
    ...message,
  })

/** Returns the works that block the event loop too long. */
async function slowOf(works: Iterable<readonly [string, () => unknown]>): Promise<string[]> {
  const slow: string[] = []
  for (const [name, work] of works) {
    const held = await eventLoopBlockOf(async () => {
      try {
        await work()
      } catch {
        // A refusal counts like a result.
      }
    })
    if (held >= BLOCK_MAX_MS) slow.push(`${name} ${held.toFixed(0)} ms`)
  }
  return slow
}

const KEYS = ['id', 'eid', 'connId', 'bootId', 'fw', 'net', 'doors', 'power', 'tags', 'msg', 'code', 'part', 'parts']
const IN_DATA = [
  'doorNo',
  'clientId',
  'tagId',
  'printer',
  'sid',
  'data',
  'visitId',
  'upc',
  'openid',
  'phone',
  'code',
  'items',
]

test('no message of a device holds the event loop, whatever it says in its 64 KiB', async () => {
  const module = MQTT_MESSAGE_BYTES_MAX - 1_024
  const fillings = (keys: readonly string[], types: readonly (string | undefined)[]) =>
    types.flatMap((type) =>
      [...PUMPS.keys()].map((at) => {
        const [pump, part] = [PUMPS[at]!, Math.floor(module / keys.length)]
        const text = pump.repeat(Math.floor(part / Buffer.byteLength(JSON.stringify(pump))))
        const many = Array.from({ length: Math.floor(module / 20) }, (_unused, n) => ({
          doorNo: n % 99,
          tagId: `${n}`,
        }))
        const data = { ...Object.fromEntries(IN_DATA.map((key) => [key, text])), items: many.slice(0, 100), tags: many }
        return {
          ...Object.fromEntries(keys.map((key) => [key, text])),
          ...(type ? { type, eid: `${type}${at}`, id: `${type}${at}`, data } : {}),
          doors: many,
          power: many,
        }
      }),
    )
  const abouts = ['online', 'hello', 'hb', 'state', 'ack', 'res', 'prog'].map((about) => [about, [undefined]] as const)
  const works = [
    ...abouts,
    ['evt', [...deviceHandlers.events.keys()]],
    ['ask', [...deviceHandlers.questions.keys()]],
  ] as const
  const slow = await slowOf(
    works.flatMap(([about, types]) =>
      fillings(KEYS, types).map((message, at) => [`${about} ${at}`, () => sendFromDevice(about, message)] as const),
    ),
  )
  expect(slow).toEqual([])
}, 300_000)

test('nor does the answer of a vendor, a model or a platform of any size that is read', async () => {
  const texts = all(RESPONSE_BYTES_MAX.json - 16)
  const read: Record<string, (text: string) => unknown> = {
    wide: parseJsonKeepingLongIntegers,
    wideText: (text) => parseJsonKeepingLongIntegers(`{"a":12345678901234567890,"b":"${text}`),
    result: (text) => parseRunOutput({ result: text }),
    summary: (text) =>
      parseRunOutput({ result: { summary: text, level: 'ok', items: [{ label: text, confidence: 1 }] } }),
    outputs: (text) => toStorableRunOutputs({ text }),
    stream: async (text) => {
      for await (const _event of parseDifyEvents(
        (async function* () {
          yield Buffer.from(`data: ${text}\n\n`)
        })(),
        () => {},
      ));
    },
  }
  const works = Object.entries(read).flatMap(([name, work]) =>
    texts.map((text, at) => [`${name} ${JSON.stringify(PUMPS[at])}`, () => work(text)] as const),
  )
  expect(await slowOf(works)).toEqual([])
}, 300_000)

test('nor does it through the clients that really ask video platforms, Meituan and WeChat Pay', async () => {
  let answered = { status: 200, body: '' }
  let requests = 0
  const vendor = createServer((_request, response) => {
    requests++
    response.writeHead(answered.status, { 'content-type': 'application/json' }).end(answered.body)
  }).listen(0, '127.0.0.1')
  await once(vendor, 'listening')
  const base = `http://127.0.0.1:${(vendor.address() as AddressInfo).port}`
  const { services } = tenants
  const own = { tenantId, mayBeInside: true, id: '1', mark: 'hostile' }
  const key = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
  const pay = { ...own, base, mchid: '1', serialNo: 'A', privateKey: key, apiv3Key: 'k' }
  const clients: Record<string, () => Promise<unknown>> = {
    wvp: () =>
      callWvp(services, { ...own, base, apiKey: 'k' } as never, {
        method: 'GET',
        path: '/api/device/query/devices',
      }),
    meituan: () => createMeituanApi(services, { ...own, appNo: '1', secret: 's', baseUrl: base }).shopCodes(),
    wechat: () => createWechatPayCaller(services, pay as never)({ method: 'GET', path: '/v3/certificates' }),
  }
  const slow: string[] = []
  for (const [name, ask] of Object.entries(clients)) {
    const before = requests
    for (const status of [200, 400])
      for (const body of all(RESPONSE_BYTES_MAX.json - 16).flatMap((one) => [one, `{"code":0,"data":"${one}`])) {
        answered = { status, body: body.slice(0, RESPONSE_BYTES_MAX.json - 16) }
        slow.push(...(await slowOf([[`${name} ${status} ${JSON.stringify(body.slice(0, 8))}`, ask]])))
      }
    expect(requests - before, name).toBeGreaterThanOrEqual(4 * PUMPS.length)
  }
  vendor.closeAllConnections()
  vendor.close()
  expect(slow).toEqual([])
}, 300_000)

test('nor does a file that somebody brings, by its name or by what is in it', async () => {
  const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
  const works = PUMPS.flatMap((pump, at) => {
    const name = JSON.stringify(pump)
    const text = all(900_000)[at]!
    const bytes = Buffer.from(all(8_000_000)[at]!)
    return [
      [`name ${name}`, () => requireAllowedUpload(png, { name: text, maxBytes: 1e8 })],
      [`bytes ${name}`, () => requireAllowedUpload(bytes, { name: 'a.csv', maxBytes: 1e8 })],
      [`statement ${name}`, () => parseStatement(decodeUploadedText(bytes))],
      [`process ${name}`, () => readBpmn(text)],
    ] as const
  })
  expect(await slowOf(works)).toEqual([])
}, 300_000)
