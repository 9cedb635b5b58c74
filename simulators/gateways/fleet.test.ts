import { once } from 'node:events'
import { createServer } from 'node:http'
import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net'
import { connectAsync } from 'mqtt'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  connectMqtt,
  createMessageIntake,
  startBroker,
  type Broker,
  type MqttConnection,
} from '#kit/server/broker/index.ts'
import type { Json } from '#kit/server/shared/index.ts'
import { mqttAnswers, mqttUrl } from '#tests/support/scratch-database.ts'
import { hurriedClock } from './clock.ts'
import { startControl, type Control } from './control.ts'
import { createFleet, type Fleet, type FleetOptions } from './fleet.ts'
import type { Credentials, DevicePayload } from './protocol.ts'
import { SCREEN, upload } from './screen.ts'
import { download } from './speaker.ts'

const TENANT = '000001'
const rootOf = (clientId: string) => `ss/1/${TENANT}/${clientId}`
const device = (at: number, more: Partial<Credentials> = {}): Credentials => ({
  clientId: `GW${String(at).padStart(6, '0')}`,
  tenantId: TENANT,
  secret: `secret ${at}`,
  kind: 'gateway',
  ...more,
})

let broker: Broker
let office: MqttConnection
const received: { topic: string; message: DevicePayload; retained: boolean }[] = []
const troubles: string[] = []
const refused: string[] = []
const open: (() => unknown)[] = []

beforeAll(async () => {
  broker = await startBroker({
    async authenticate({ clientId, username, password }) {
      if (username === clientId && password === `secret ${Number(clientId.slice(2))}`)
        return { publish: [`${rootOf(clientId)}/up/`], subscribe: [`${rootOf(clientId)}/down/`] }
      refused.push(clientId)
      return null
    },
    messagesPerSecond: 1_000,
    log: { info: () => {}, warn: (_details, text) => void troubles.push(text), error: () => {} },
  })
  office = await connectMqtt(broker.url)
  const ear = createMessageIntake({
    laneOf: (topic) => topic,
    handle: (topic, message, from) => void received.push({ topic, message: message as DevicePayload, ...from }),
    aside: () => {},
  })
  await office.subscribe('ss/1/+/+/up/#', ear)
})
afterAll(async () => {
  await office.close()
  await broker.close()
})
afterEach(async () => {
  for (const close of open.splice(0)) await close()
  received.length = 0
})

function fleetOf(credentials: Credentials[], options: Partial<FleetOptions> = {}): Fleet {
  const fleet = createFleet({ url: `mqtt://127.0.0.1:${broker.port}`, credentials, perSecond: 500, ...options })
  open.push(() => fleet.stop())
  fleet.start()
  return fleet
}
const messagesOf = (clientId: string, topic: string) =>
  received.filter((one) => one.topic === `${rootOf(clientId)}/up/${topic}`).map(({ message }) => message)
const publishDown = (clientId: string, topic: string, message: Json) =>
  office.publish(`${rootOf(clientId)}/down/${topic}`, message)
const command = (clientId: string, id: string, method: string, params: Json = {}) =>
  publishDown(clientId, 'cmd', { v: 1, id, method, params, ts: Date.now(), exp: Date.now() + 30_000, by: 'system' })
const soon = <T>(look: () => T) => vi.waitFor(look, { timeout: 40_000, interval: 20 })

describe('over a true connection', () => {
  test('devices greet, take commands, are asked again and leave with their word', async () => {
    const fleet = fleetOf([device(1), device(2, { kind: 'power' }), device(3, { kind: 'register' })])
    await soon(() => expect(fleet.figures().online).toBe(3))
    await soon(() => expect(messagesOf('GW000001', 'hello')).toHaveLength(1))
    await command('GW000001', 'c1', 'door.control', { doorNo: 1, opt: 'open', seconds: 1 })
    await soon(() => expect(messagesOf('GW000001', 'evt').map(({ type }) => type)).toContain('door.closed'))
    expect(messagesOf('GW000001', 'res')).toMatchObject([{ id: 'c1', code: 0 }])
    await publishDown('GW000001', 'query', { ids: ['c1', 'c2'] })
    await soon(() => expect(messagesOf('GW000001', 'res')).toHaveLength(2))
    await soon(() => expect(messagesOf('GW000001', 'ack').at(-1)).toMatchObject({ id: 'c2', ok: false, code: 11 }))
    fleet.stop()
    await soon(() => expect(messagesOf('GW000001', 'online').at(-1)).toMatchObject({ online: false, reason: 'clean' }))
    expect(messagesOf('GW000001', 'online').filter(({ reason }) => reason === 'lwt')).toEqual([])
    expect(troubles).toEqual([])
  })

  test('a device that loses its power is missed by its will, and comes back as another boot', async () => {
    const fleet = fleetOf([device(4)])
    await soon(() => expect(messagesOf('GW000004', 'hello')).toHaveLength(1))
    fleet.order({ faults: { powerCut: 1 }, clientIds: ['GW000004'] })
    await soon(() => expect(messagesOf('GW000004', 'hello')).toHaveLength(2))
    const [online, will, again] = messagesOf('GW000004', 'online')
    expect(will).toMatchObject({ online: false, reason: 'lwt', connId: online!.connId })
    expect(again!.bootId).not.toBe(online!.bootId)
  })

  test('one who is put out by the broker comes back by itself', async () => {
    const fleet = fleetOf([device(5)])
    await soon(() => expect(fleet.figures().online).toBe(1))
    broker.disconnect('GW000005')
    await soon(() => expect(fleet.figures().connections).toBe(2))
    expect(fleet.figures()).toMatchObject({ online: 1, boots: 1 })
  })

  test('a wrong secret gets nobody in, and nobody gives up', async () => {
    const fleet = fleetOf([device(6, { secret: 'wrong' })])
    await soon(() => expect(refused.length).toBeGreaterThan(1))
    expect([fleet.figures().online, fleet.figures().connections]).toEqual([0, 0])
  })

  test('the first word says MQTT 3.1.1 or 5, a clean session and 30 seconds', async () => {
    for (const [protocol, level] of [
      ['3.1.1', 4],
      ['5', 5],
    ] as const) {
      const server = createTcpServer()
      server.listen(0, '127.0.0.1')
      await once(server, 'listening')
      const url = `mqtt://127.0.0.1:${(server.address() as AddressInfo).port}`
      const fleet = fleetOf([device(7)], { url, protocol })
      const [socket] = (await once(server, 'connection')) as [Socket]
      const [first] = (await once(socket, 'data')) as [Buffer]
      const at = first.indexOf('MQTT') + 4
      expect([first[at], first[at + 1]! & 2, first.readUInt16BE(at + 2)]).toEqual([level, 2, 30])
      fleet.stop()
      socket.destroy()
      server.close()
    }
  })

  test.skipIf(!mqttAnswers)('MQTT 5 is spoken with a broker that does', async () => {
    const peer = await connectAsync(mqttUrl, { protocolVersion: 5 })
    open.push(() => peer.endAsync(true))
    const one = device(8, { tenantId: `t${process.pid}` })
    const words: string[] = []
    peer.on('message', (topic, payload) => words.push(`${topic.split('/').at(-1)} ${payload.toString()}`))
    await peer.subscribeAsync(`ss/1/${one.tenantId}/+/up/#`, { qos: 1 })
    fleetOf([one], { url: mqttUrl, protocol: '5' })
    await soon(() => expect(words.map((word) => word.split(' ')[0])).toEqual(['online', 'hello', 'state']))
    const order = { v: 1, id: 'c1', method: 'door.status', params: {}, ts: Date.now(), exp: Date.now() + 30_000 }
    await peer.publishAsync(`ss/1/${one.tenantId}/${one.clientId}/down/cmd`, JSON.stringify(order), { qos: 1 })
    await soon(() => expect(words.at(-1)).toMatch(/^res .*"doors":\[/))
    for (const topic of ['online', 'state'])
      await peer.publishAsync(`ss/1/${one.tenantId}/${one.clientId}/up/${topic}`, '', { retain: true, qos: 1 })
  })
})

test('five hundred gateways connect and beat in one process', async () => {
  const fleet = fleetOf(
    Array.from({ length: 500 }, (_, at) => device(at + 1_000)),
    // Ten times as fast, so that all beat within three seconds.
    { perSecond: 100, clock: hurriedClock(10) },
  )
  await soon(() => expect(fleet.figures()).toMatchObject({ online: 500, connections: 500, boots: 500 }))
  const beating = new Set<string>()
  await soon(() => {
    for (const { topic } of received) if (topic.endsWith('/up/hb')) beating.add(topic)
    expect(beating.size).toBe(500)
  })
  expect(new Set(received.filter(({ topic }) => topic.endsWith('/up/hello')).map(({ topic }) => topic)).size).toBe(500)
})

describe('the control port', () => {
  let control: Control
  const post = async (path: string, body: unknown, type = 'application/json') => {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const response = await fetch(`${control.url}${path}`, {
      method: 'POST',
      body: text,
      headers: { 'content-type': type },
    })
    return { status: response.status, body: (await response.json()) as DevicePayload }
  }
  const get = async (path: string) => (await fetch(`${control.url}${path}`)).json() as Promise<DevicePayload>

  test('tells what there is, sets faults for some or a share, and lets people act', async () => {
    const fleet = fleetOf(Array.from({ length: 10 }, (_, at) => device(at + 20)))
    control = await startControl(fleet)
    open.push(() => control.close())
    await soon(() => expect(fleet.figures().online).toBe(10))
    expect(await get('/state')).toMatchObject({ gateways: 10, online: 10, faulty: 0 })
    expect(await post('/faults', { faults: { drop: 0.5 }, share: 0.3 })).toMatchObject({ body: { changed: 3 } })
    expect(await get('/state')).toMatchObject({ faulty: 3 })
    expect(await post('/faults', { faults: { drop: null } })).toMatchObject({ body: { changed: 10 } })
    await post('/faults', { faults: { offline: true }, clientIds: ['GW000020'] })
    await soon(() => expect(messagesOf('GW000020', 'online').at(-1)).toMatchObject({ reason: 'lwt' }))
    expect(await post('/acts', { act: 'forceDoor', clientId: 'GW000021', doorNo: 1 })).toMatchObject({ status: 200 })
    await soon(() => expect(messagesOf('GW000021', 'evt')).toMatchObject([{ type: 'door.forced' }]))
    expect(await post('/acts', { act: 'visit', clientId: 'GW000021', doorNo: 1, openid: 'o1' })).toMatchObject({
      status: 200,
    })
    await soon(() => expect(messagesOf('GW000021', 'ask')).toMatchObject([{ data: { openid: 'o1' } }]))
    expect(await get('/gateways/GW000020')).toMatchObject({ faults: { offline: true }, figures: { isOnline: false } })
    expect(await get('/gateways')).toHaveLength(10)
  })

  test('refuses what it does not understand', async () => {
    control = await startControl(fleetOf([device(40)]))
    open.push(() => control.close())
    const bad = [{}, { faults: {} }, { faults: { sulk: true } }, { faults: { drop: 7 } }, 'no json', null]
    for (const body of bad) expect([body, (await post('/faults', body)).status]).toEqual([body, 400])
    expect((await post('/faults', { faults: { drop: 0.1 }, share: 3 })).status).toBe(400)
    expect((await post('/faults', { faults: { offline: true } }, 'text/plain')).status).toBe(405)
    for (const act of ['toString', 'forceDoor'])
      expect((await post('/acts', { act, clientId: 'nobody' })).status).toBe(404)
    expect((await post('/acts', { act: 'forceDoor', clientId: 'GW000040', doorNo: 9 })).status).toBe(400)
    expect((await fetch(`${control.url}/gateways/nobody`)).status).toBe(404)
    expect((await fetch(`${control.url}/gateways/%E0%A4%A`)).status).toBe(400)
  })
})

test('files are fetched up to their size, and pictures are put where they are wanted', async () => {
  const put: Buffer[] = []
  const server = createServer((request, response) => {
    if (request.url === '/none') return response.writeHead(404).end()
    if (request.method === 'GET') return response.end('0123456789')
    request.on('data', (part: Buffer) => put.push(part))
    request.on('end', () => response.writeHead(request.headers['content-type'] === 'image/jpeg' ? 200 : 415).end())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  open.push(() => server.close())
  expect(Buffer.from((await download(`${url}/file`, 10))!).toString()).toBe('0123456789')
  expect(await download(`${url}/file`, 9)).toBeUndefined()
  expect(await download(`${url}/none`, 10)).toBeUndefined()
  expect(await download('http://127.0.0.1:1/', 10)).toBeUndefined()
  expect([await upload(`${url}/put`, SCREEN), Buffer.concat(put)]).toEqual([true, SCREEN])
  expect(await upload(`${url}/none`, SCREEN)).toBe(false)
})
