import { afterAll, beforeAll, expect, test } from 'vitest'
import { importShopEventsDemo } from '#domains/shops/shop-events/api.ts'
import {
  createWechatMessage,
  sendWechatMessage,
  importWechatMessagesDemo,
} from '#domains/messaging/wechat-messages/api.ts'
import { wechatApp } from '#domains/messaging/wechat-messages/index.ts'
import { sql } from '#kit/server/database/db.ts'
import { deviceBroker } from '#tests/support/device-broker.ts'
import { testServer, type CastMember, type TestServer } from '#tests/support/server.ts'
import { startPlatformSimulators } from './outside.ts'
import { serveSimulationControl } from './simulation-control.ts'
import { startDeviceSimulation } from './simulation.ts'

const tenantId = '100001'
let broker: Awaited<ReturnType<typeof deviceBroker>>
let server: TestServer
let admin: CastMember
let wu: CastMember
let close: (() => Promise<void>) | undefined

beforeAll(async () => {
  broker = await deviceBroker()
  server = await testServer({ listen: true, storyDays: 2, env: { ...broker.env, PRACTICE: 'on' } })
  await server.seed()
  ;[admin, wu] = await Promise.all([server.as('admin'), server.as('wu', { tenantId })])
  const platforms = await startPlatformSimulators(server.services, server.url)
  const simulation = await startDeviceSimulation(server.services, {
    address: server.url,
    pace: '1/h',
    isStory: false,
    platforms,
  })
  close = await serveSimulationControl(simulation, server.services.config.dataDir)
}, 240_000)
afterAll(async () => {
  await close?.()
  await server?.close()
  await broker?.close()
})

type SimulatedDevice = { clientId: string; name: string; kind: string; isOnline: boolean; faults: object }
const board = async (lang: 'zh' | 'en') =>
  (await server.call(admin, 'GET', '/api/street/board', { lang })).data as {
    devices: SimulatedDevice[]
    table: { name: string; label: string; of: string[] }[]
  }
const fault = (clientId: string, faults: object, who = admin) =>
  server.call(who, 'POST', '/api/street/faults', { body: { clientIds: [clientId], faults } })
const atEle = async () => {
  const { data } = await server.call(wu, 'GET', '/api/ele/eleShopInfo/list', { query: { sysStatus: 6, size: 1 } })
  return server.call(wu, 'GET', '/api/ele/shop/status/get', { query: { id: data.records[0].id } })
}

test('the page of faults shows the platforms with what can be wrong with them, in both languages', async () => {
  const zh = await board('zh')
  const en = await board('en')
  for (const [clientId, ...names] of [
    ['meituan', '美团', 'Meituan'],
    ['ele', '饿了么', 'Ele'],
    ['wechat', '微信消息', 'WeChat messages'],
  ] as const)
    expect([zh, en].map(({ devices }) => devices.find((one) => one.clientId === clientId)?.name)).toEqual(names)
  expect(en.table.find(({ name }) => name === 'notAllowed')).toMatchObject({
    label: 'Nobody allows to be written to',
    of: ['wechat'],
  })
})

test('a platform that is broken there refuses the office, which says so, until it is mended', async () => {
  expect((await atEle()).status).toBe(200)
  expect((await fault('ele', { away: true }, wu)).status).toBe(403)
  expect((await fault('ele', { tokenBad: true })).data.reason).toBe('street_fault')
  expect((await fault('ele', { away: true })).status).toBe(200)
  expect((await board('zh')).devices.find(({ clientId }) => clientId === 'ele')).toMatchObject({
    isOnline: false,
    faults: { away: true },
  })
  const broken = await atEle()
  expect(broken.status).toBeGreaterThanOrEqual(400)
  expect(broken.body.msg).toMatch(/\p{Script=Han}/u)
  await fault('ele', { away: null })
  expect((await atEle()).status).toBe(200)
})

test('the bosses of the demo data hear by WeChat, and what is wrong there is told in words', async () => {
  const { services } = server
  const { DEMO_WECHAT_TEMPLATE: DEMO_TEMPLATE } = await importWechatMessagesDemo()
  const { openids } = await services.unit({ tenantId }, async (db) =>
    (await importShopEventsDemo()).findWechatRecipients(db),
  )
  expect(openids.length).toBeGreaterThan(1)
  const send = async () => {
    const id = await services.unit({ tenantId }, async (db) => {
      const [app] = await db.find(wechatApp, sql`true`)
      const { templateNo, target } = DEMO_TEMPLATE
      const values = { thing1: '文三路店', thing2: '设备离线', time3: '2026年11月24日 12:00', phrase4: '离线' }
      return createWechatMessage(db, services, {
        wechatAppId: app!.id,
        openid: openids[0]!,
        templateNo,
        target,
        values,
      })
    })
    return sendWechatMessage(services, tenantId, id)
  }
  expect(await send()).toMatchObject({ state: 'sent' })
  await fault('wechat', { notAllowed: true })
  expect(await send()).toMatchObject({ state: 'refused', reason: expect.stringContaining('授权') })
  await fault('wechat', { notAllowed: null, tokenBad: true })
  expect(await send()).toMatchObject({ state: 'asked' })
  await fault('wechat', { tokenBad: null })
  expect(await send()).toMatchObject({ state: 'sent' })
})
