import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql, type Db } from '#kit/server/database/db.ts'
import type { CastMember } from '#tests/support/server.ts'
import { createTestTenants, type TestTenants } from '#tests/support/test-tenants.ts'
import { MQTT_MESSAGE_BYTES_MAX, MessageTooLargeError } from '#kit/server/broker/index.ts'
import { storeFailedDeviceMessage, retryDeviceMessageJob, deviceMessageFailureReason } from './device-message.server.ts'
import { DEVICE_MESSAGE_FAULT, type DeviceMessageFault } from './device-message.resource.ts'
import { deviceLink } from './device-link.resource.ts'
import { InvalidDeviceMessageError, onDeviceEvent } from './device-handlers.ts'
import { deviceTransportSlot } from './device-transport.ts'

const path = '/api/shop/deviceMessage'
const clientId = 'GW-aside'
let tenants: TestTenants
let linkId: string
let isBroken = true
const handled: string[] = []
onDeviceEvent('test.aside', async ({ data }) => {
  if (isBroken) throw new Error('the shelf \0 is away')
  handled.push(String(data.n))
})

beforeAll(async () => {
  tenants = await createTestTenants()
  tenants.services.slots.fill(deviceTransportSlot, { publish: async () => {} })
  linkId = tenants.north.shops[0]!
  const body = { id: linkId, clientId }
  await tenants.must(tenants.call(tenants.north.admin, 'POST', '/api/shop/basicShopInfo/submit', { body }))
})
afterAll(() => tenants?.close())

const tenantId = () => tenants.north.tenantId
const unit = <T>(work: (db: Db) => Promise<T>) => tenants.services.unit({ tenantId: tenantId() }, work)
const incomingMessage = (message: object | string, about = 'evt', of = clientId) => ({
  topic: `ss/1/${tenantId()}/${of}/up/${about}`,
  payload: typeof message === 'string' ? message : JSON.stringify(message),
})
const event = (eid: string, data: object = {}) => ({ eid, type: 'test.aside', ts: Date.now(), data })
const storeMessage = (
  message: ReturnType<typeof incomingMessage>,
  fault: DeviceMessageFault = DEVICE_MESSAGE_FAULT.failed,
  error: unknown = new Error('broken'),
) =>
  storeFailedDeviceMessage(tenants.services, tenantId(), {
    ...message,
    fault,
    reason: deviceMessageFailureReason(error),
  })
const list = async (query: object = {}, who: CastMember = tenants.north.admin, lang?: 'en') =>
  (await tenants.must(tenants.call(who, 'GET', `${path}/list`, { query: { size: 100, ...query }, lang }))).records
const act = (name: string, id: string, who = tenants.north.admin) =>
  tenants.call(who, 'POST', `${path}/${name}`, { query: { id } })
const one = async (id: string, lang?: 'en') =>
  tenants.must(tenants.call(tenants.north.admin, 'GET', `${path}/detail`, { query: { id }, lang }))
const run = (id: string) =>
  retryDeviceMessageJob.run({ id }, { tenantId: tenantId(), services: tenants.services } as never)
const events = () =>
  unit((db) =>
    db.query<{ count: number; status: number; subject: string }>(sql`select count, status, subject from shop_event
      where tenant_id = ${db.tenantId} and type = 'deviceMessage' and shop_id = ${linkId} order by id`),
  )

test('a failed message is shown with device, reason and content, is a need, and told once for its kind', async () => {
  for (const eid of ['f1', 'f2'])
    await storeMessage(incomingMessage(event(eid)), DEVICE_MESSAGE_FAULT.failed, new Error('the shelf \0 is away'))
  // The device says it again until it is acknowledged.
  await storeMessage(
    incomingMessage(
      JSON.parse(
        (await unit((db) =>
          db.one<{ payload: string }>(
            sql`select payload from device_message_aside where tenant_id = ${db.tenantId} order by id limit 1`,
          ),
        ))!.payload,
      ),
    ),
    DEVICE_MESSAGE_FAULT.failed,
  )
  const rows = await list({ state: 'open' })
  expect(rows).toHaveLength(2)
  expect(rows.map(({ count }: { count: number }) => count).toSorted()).toEqual([1, 2])
  expect(rows[0]).toMatchObject({
    clientId,
    linkId,
    shopId: linkId,
    about: 'evt',
    type: 'test.aside',
    fault: 'failed',
    faultName: '处理时出错',
    mayTry: true,
  })
  const again = await one(rows[0].id)
  expect(again.content).toContain('"f2"')
  expect(again.reason).toMatch(/^the shelf . is away$/)
  expect(await events()).toEqual([{ count: 3, status: 0, subject: `${linkId}/failed` }])
  const { needs } = await tenants.must(tenants.call(tenants.north.admin, 'GET', '/api/shop/home/today'))
  expect(needs.find(({ key }: { key: string }) => key === 'deviceMessagesFailed')).toMatchObject({ count: 2 })
})

test('trying again says what became of it, does once what succeeds, and proves nobody’s presence', async () => {
  const rows = await list({ state: 'open', ascs: 'createTime' })
  const { id } = rows[0]
  await tenants.must(act('again', id))
  expect(await one(id)).toMatchObject({ state: 'trying' })
  await run(id)
  expect(await one(id)).toMatchObject({ state: 'open', tries: 1, fault: 'failed' })
  expect(handled).toEqual([])
  isBroken = false
  for (const row of rows) {
    const answers = await Promise.all([act('again', row.id), act('again', row.id)])
    expect(answers.map(({ status }) => status)).toContain(200)
    await Promise.all([run(row.id), run(row.id)])
    await run(row.id)
    expect(await one(row.id)).toMatchObject({ state: 'done', handlerName: expect.stringMatching(/./) })
    expect((await act('again', row.id)).status).toBe(400)
  }
  expect(handled).toHaveLength(2)
  // No message is open any more, so the event is resolved.
  expect(await events()).toMatchObject([{ status: 2 }])
  expect((await unit((db) => db.get(deviceLink, linkId)))?.lastSeenTime ?? null).toBeNull()
})

test('of what was too large to be looked at the beginning is kept with a sentence, and never tried again', async () => {
  const payload = JSON.stringify('x'.repeat(MQTT_MESSAGE_BYTES_MAX)).slice(0, MQTT_MESSAGE_BYTES_MAX)
  await storeMessage(
    incomingMessage(payload, 'evt'),
    DEVICE_MESSAGE_FAULT.malformed,
    new MessageTooLargeError('too large'),
  )
  const [row] = await list({ state: 'open' })
  expect(row).toMatchObject({ fault: 'malformed', reason: '超过 64 KB', mayTry: false })
  expect((await one(row.id)).content.length).toBeLessThanOrEqual(5_000)
  await tenants.must(act('putAway', row.id))
})

test('what is of its moment, cut or unreadable is not tried as if it were said now, and can be put away', async () => {
  await storeMessage(incomingMessage({ id: 'q1', type: 'enter' }, 'ask'))
  await storeMessage(incomingMessage('{"eid":', 'evt'), DEVICE_MESSAGE_FAULT.malformed, new SyntaxError('end of input'))
  await storeMessage(
    incomingMessage(event('long', { text: 'x'.repeat(9_000) })),
    DEVICE_MESSAGE_FAULT.crowded,
    undefined,
  )
  const rows = await list({ state: 'open' })
  expect(rows).toHaveLength(3)
  const of = (key: string, value: string) => rows.find((row: Record<string, string>) => row[key] === value)
  for (const row of [of('about', 'ask'), of('fault', 'crowded')]) {
    expect(row.mayTry).toBe(false)
    expect((await act('again', row.id)).status).toBe(400)
  }
  expect((await one(of('fault', 'crowded').id)).content.length).toBeLessThanOrEqual(5_000)
  const malformed = of('fault', 'malformed')
  await tenants.must(act('again', malformed.id))
  await run(malformed.id)
  expect(await one(malformed.id)).toMatchObject({ state: 'open', fault: 'malformed', tries: 1 })
  for (const row of rows) {
    await tenants.must(act('putAway', row.id))
    expect((await act('putAway', row.id)).status).toBe(400)
  }
  expect(await list({ state: 'open' })).toEqual([])
  expect((await events()).every(({ status }) => status === 2)).toBe(true)
})

test('secrets and numbers of people are no part of what is shown, and another tenant sees nothing of it', async () => {
  const data = { password: 'hunter4x', phone: '13812345678', n: 5 }
  await storeMessage(incomingMessage(event('secret', data)))
  const [row] = await list({ state: 'open' })
  const shown = JSON.stringify([row, await one(row.id)])
  expect(shown).toContain('\\"n\\": 5')
  expect(shown).not.toMatch(/hunter4x|13812345678/)
  expect(await list({}, tenants.south.admin)).toEqual([])
  for (const name of ['again', 'putAway']) expect((await act(name, row.id, tenants.south.admin)).status).not.toBe(200)
  const reader = await tenants.person(tenants.north, 'aside-reader', ['deviceMessage'])
  expect((await act('putAway', row.id, reader)).status).toBe(403)
})

test('what the device never says in the protocol is told in words of both languages', async () => {
  await storeMessage(
    incomingMessage(event('words'), 'evt', 'GW-nobody'),
    DEVICE_MESSAGE_FAULT.unknown,
    new InvalidDeviceMessageError('nobody of this number'),
  )
  const [row] = await list({ clientId: 'GW-nobody' })
  expect(row).toMatchObject({ reason: '没有这个编号的设备', shopId: '', linkId: '' })
  expect((await list({ clientId: 'GW-nobody' }, tenants.north.admin, 'en'))[0].reason).toBe('No device has this ID')
})
