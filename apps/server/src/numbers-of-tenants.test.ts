import { connectAsync, type MqttClient } from 'mqtt'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { deviceLink } from '#domains/devices/device-messaging/index.ts'
import type { Credentials } from '#simulators/gateways/protocol.ts'
import { testDevices, type TestDevices } from './test-devices.ts'

/**
 * Numbers printed on devices or assigned by vendors can be entered by any tenant. Entering one must neither reveal nor
 * block another tenant's. The broker knows sessions by number only, so there it belongs to the first device that signed
 * in.
 */

const [OURS, THEIRS] = ['100011', '100012']
const NUMBER = 'GW-both-1'
type Device = Credentials & { shopId: string }
let devices: TestDevices
let ours: Device
let theirs: Device
const open: MqttClient[] = []

beforeAll(async () => {
  devices = await testDevices()
  ;[ours] = (await devices.tenant(OURS, [NUMBER])) as [Device]
  ;[theirs] = (await devices.tenant(THEIRS, [NUMBER])) as [Device]
}, 60_000)
afterEach(() => Promise.all(open.splice(0).map((client) => client.endAsync(true))))
afterAll(() => devices.close())

const signIn = async ({ clientId, secret }: Device): Promise<MqttClient> => {
  const client = await connectAsync(devices.deviceUrl, {
    clientId,
    username: clientId,
    password: secret,
    reconnectPeriod: 0,
  })
  client.on('error', () => {})
  open.push(client)
  return client
}
const isLetIn = (device: Device) =>
  signIn(device).then(
    () => true,
    () => false,
  )
const ended = (client: MqttClient) => new Promise<void>((resolve) => client.once('close', () => resolve()))
const lineOf = ({ tenantId, shopId }: Device) =>
  devices.unit(tenantId, async (db) => (await db.get(deviceLink, shopId))!)
const press = async ({ tenantId, shopId }: Device, action: 'issue' | 'revoke') => {
  const admin = await devices.office.as('admin', { tenantId })
  const path = `/api/shop/deviceLink/${action}`
  const answer = await devices.office.call(admin, 'POST', path, { query: { id: shopId } })
  expect(answer.status).toBe(200)
  return answer.data
}

describe('a number another tenant has written down', () => {
  const bodies: Record<string, (shopId: string) => Record<string, unknown>> = {
    cashRegister: (shopId) => ({ shopId, sn: 'SN-BOTH-1', name: '收银机' }),
    epaGateway: (shopId) => ({ shopId, clientId: 'EPA-BOTH-1', name: '用电网关' }),
    printerInfo: (shopId) => ({ shopId, brand: 'escpos', sn: 'PR-BOTH-1', name: '打印机' }),
    deviceInfo: (shopId) => ({ shopId, type: 'camera', sn: 'DEV-BOTH-1', name: '摄像头' }),
    priceTag: (shopId) => ({ shopId, tagId: '0000021D5B2C3A11', size: '2.9' }),
    merchantInfo: (shopId) => ({
      name: '商户',
      merchantNo: `M${shopId}`.slice(0, 20),
      type: 'enterprise',
      subMchid: '1900000777',
    }),
  }
  const pathOf = (name: string) =>
    `/api/${name === 'merchantInfo' ? 'merchant' : 'shop'}/${name}/${name === 'printerInfo' ? 'save' : 'submit'}`
  test.each(Object.keys(bodies))('is written down here too, and answered as if nobody had it: %s', async (resource) => {
    const answers = []
    for (const { tenantId, shopId } of [ours, theirs]) {
      const admin = await devices.office.as('admin', { tenantId })
      const body = bodies[resource]!(shopId)
      answers.push(await devices.office.call(admin, 'POST', `${pathOf(resource)}`, { body }))
    }
    expect(answers.map(({ status, body }) => [status, status === 200 ? '' : JSON.stringify(body)])).toEqual([
      [200, ''],
      [200, ''],
    ])
    // Within one tenant the number is unique.
    const admin = await devices.office.as('admin', { tenantId: OURS })
    const body = { ...bodies[resource]!(ours.shopId), ...(resource === 'merchantInfo' && { merchantNo: 'M9' }) }
    const again = await devices.office.call(admin, 'POST', `${pathOf(resource)}`, { body })
    expect(again).toMatchObject({ status: 400, data: { reason: 'taken' } })
  })

  test('is one line of its tenant, whatever kind of device has it', async () => {
    const admin = await devices.office.as('admin', { tenantId: OURS })
    const body = { shopId: ours.shopId, sn: NUMBER, name: '收银机二' }
    const answer = await devices.office.call(admin, 'POST', '/api/shop/cashRegister/submit', { body })
    expect(answer).toMatchObject({ status: 400, data: { reason: 'taken' } })
  })
})

describe('at the broker a number', () => {
  test('belongs to the device that signs in first, and no word tells the other tenant so', async () => {
    expect(await isLetIn(ours)).toBe(true)
    expect(await isLetIn(theirs)).toBe(false)
    expect((await lineOf(theirs)).refusedReason).toBe('wrongKey')
    expect((await lineOf(ours)).refusedReason).toBeNull()
    expect(await isLetIn(ours)).toBe(true)
  })

  test('is cut off by the tenant of that device alone', async () => {
    const client = await signIn(ours)
    let isEnded = false
    const end = ended(client).then(() => (isEnded = true))
    await press(theirs, 'revoke')
    theirs.secret = (await press(theirs, 'issue')).secret
    // A disconnected device's messages would no longer arrive.
    await client.publishAsync(`ss/1/${OURS}/${NUMBER}/up/state`, '{}', { qos: 1 })
    expect(isEnded).toBe(false)
    await press(ours, 'revoke')
    await end
    expect(await isLetIn(ours)).toBe(false)
    expect(await isLetIn(theirs)).toBe(false)
    ours.secret = (await press(ours, 'issue')).secret
    expect(await isLetIn(ours)).toBe(true)
  })

  test('a stranger tries tells only whose it is', async () => {
    const clear = (tenantId: string, id: string) =>
      devices.unit(tenantId, (db) => db.update(deviceLink, id, { refusedTime: null, refusedReason: null }))
    await clear(OURS, ours.shopId)
    await clear(THEIRS, theirs.shopId)
    expect(await isLetIn({ ...ours, secret: 'guessed' })).toBe(false)
    expect((await lineOf(ours)).refusedReason).toBe('wrongKey')
    expect((await lineOf(theirs)).refusedReason).toBeNull()
  })

  test('is free again when its line goes', async () => {
    const admin = await devices.office.as('admin', { tenantId: OURS })
    const body = { id: ours.shopId, clientId: '' }
    expect((await devices.office.call(admin, 'POST', '/api/shop/basicShopInfo/submit', { body })).status).toBe(200)
    expect(await isLetIn(theirs)).toBe(true)
  })
})

test('what no two tenants may have is written by no person', () => {
  const uniqueKeys = [...devices.office.services.registry.served.values()]
    .map(({ resource }) => resource)
    .filter(({ uniqueEverywhere }) => uniqueEverywhere.length)
    .map(({ name, uniqueEverywhere, fields }) => [
      name,
      uniqueEverywhere.flat().filter((key) => !['hidden', 'read'].includes(fields[key].form)),
    ])
  expect(uniqueKeys).toEqual([['camera', []]])
})
