import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql, type Db } from '#kit/server/database/db.ts'
import { createTestTenants, type TestTenants } from '#tests/support/test-tenants.ts'
import { requestCommand } from './request-command.ts'
import { defineCommand } from './command.ts'
import { deviceCommand } from './device-command.resource.ts'
import { deviceLink } from './device-link.resource.ts'
import { onDeviceLinkState } from './device-handlers.ts'
import { handleDeviceMessage, checkDueCommands } from './handle-device-message.ts'
import { deviceTransportSlot } from './device-transport.ts'
import { createDevicePresence, type DevicePresence } from './presence.ts'

const question = defineCommand<object>({
  method: 'test.hostile',
  label: { zh: '询问', en: 'Ask' },
  ackTimeoutMs: 3_000,
  completionTimeoutMs: 60_000,
  offline: 'refuse',
})

let tenants: TestTenants
let presence: DevicePresence
type Device = { tenantId: string; clientId: string; linkId: string }
let ours: Device
let theirs: Device

beforeAll(async () => {
  tenants = await createTestTenants()
  presence = createDevicePresence(tenants.services)
  tenants.services.slots.fill(deviceTransportSlot, {
    publish: async (topic, message: any) => void (topic.endsWith('evtack') && acked.push(...message.eids)),
  })
  ours = await gateway(tenants.north, 'GW-honest')
  theirs = await gateway(tenants.south, 'GW-hostile')
})
afterAll(() => tenants.close())

async function gateway(of: TestTenants['north'], clientId: string): Promise<Device> {
  const linkId = of.shops[0]!
  const body = { id: linkId, clientId }
  await tenants.must(tenants.call(of.admin, 'POST', '/api/shop/basicShopInfo/submit', { body }))
  const device = { tenantId: of.tenantId, clientId, linkId }
  await sendFromDevice(device, 'online', { online: true, connId: clientId })
  return device
}

const sendFromDevice = (
  { tenantId, clientId }: Device,
  about: string,
  message: object,
  arrival?: { retained: boolean },
) =>
  handleDeviceMessage(
    tenants.services,
    presence,
    `ss/1/${tenantId}/${clientId}/up/${about}`,
    { ts: Date.now(), ...message },
    arrival,
  )
const unit = <T>({ tenantId }: Device, work: (db: Db) => Promise<T>) => tenants.services.unit({ tenantId }, work)
const lineOf = (device: Device) => unit(device, async (db) => (await db.get(deviceLink, device.linkId))!)
const deep = (levels: number): unknown => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`)

const acked: string[] = []
const eventsOf = (device: Device) =>
  unit(device, (db) =>
    db.query<{ eid: string; age: number }>(sql`select eid, extract(epoch from now() - time)::float8 as age
      from device_event where tenant_id = ${db.tenantId} and link_id = ${device.linkId} order by id`),
  )

test('events keep their own numbers, however long; what is none is acknowledged and kept aside', async () => {
  acked.length = 0
  const same = 'e'.repeat(64)
  for (const eid of [`${same}1`, `${same}2`, 17]) await sendFromDevice(ours, 'evt', { eid, type: 'test.odd' })
  await expect(sendFromDevice(ours, 'evt', { eid: 'no-type' })).rejects.toThrow('type')
  await expect(sendFromDevice(ours, 'evt', { eid: 'no-time', type: 'test.odd', ts: 1e300 })).rejects.toThrow('ts')
  expect(acked).toEqual([`${same}1`, `${same}2`, 17, 'no-type', 'no-time'])
  expect(new Set((await eventsOf(ours)).map(({ eid }) => eid)).size).toBe(3)
})

test('a clock that begins in 1970 is measured as it is, and what it says happened when it did', async () => {
  const boot = { connId: ours.clientId, bootId: 'b70', fw: '1' }
  await sendFromDevice(ours, 'hello', { ...boot, ts: 60_000 })
  expect(Math.abs((await lineOf(ours)).clockOffset! + Date.now() - 60_000)).toBeLessThan(5_000)
  await sendFromDevice(ours, 'evt', { eid: 'in-1970', type: 'test.odd', ts: 30_000 })
  // The clock has been set since, so earlier times are invalid.
  await sendFromDevice(ours, 'hello', { ...boot, ts: Date.now() })
  await sendFromDevice(ours, 'evt', { eid: 'of-1970', type: 'test.odd', ts: 90_000 })
  const ages = new Map((await eventsOf(ours)).map(({ eid, age }) => [eid, age]))
  expect(Math.abs(ages.get('in-1970')! - 30)).toBeLessThan(10)
  expect(Math.abs(ages.get('of-1970')!)).toBeLessThan(10)
})

test('a heartbeat the database cannot take spoils nobody else’s', async () => {
  for (const poison of [
    { net: '\0' },
    { net: '\ud800' },
    { net: deep(20_000) },
    { '\0': 1 },
    { fw: 'x'.repeat(60_000) },
  ]) {
    const cpu = Math.round(Math.random() * 1e6)
    await sendFromDevice(theirs, 'hb', { bootId: 'b', cpu: 3, ...poison })
    await sendFromDevice(ours, 'hb', { bootId: 'b', cpu, net: 'wifi', disk: 40 })
    await presence.flush()
    expect((await lineOf(ours)).health).toMatchObject({ cpu, net: 'wifi', disk: 40 })
    const health = JSON.stringify((await lineOf(theirs)).health)
    expect(health).toContain('"cpu":3')
    expect(health.length).toBeLessThan(2_000)
  }
})

test('parts of an answer are taken from the device that was asked, and from nobody else', async () => {
  const { id } = await unit(ours, async (db) =>
    requestCommand(
      { db, services: tenants.services },
      question,
      (await db.get(deviceLink, ours.linkId))!,
      {},
      {
        source: 'system',
      },
    ),
  )
  const part = (device: Device, no: number, item: string) =>
    sendFromDevice(device, 'res', { id, code: 0, part: no, parts: 2, data: { items: [item] } })
  await sendFromDevice(ours, 'ack', { id, ok: true })
  await part(theirs, 1, 'planted')
  await part(ours, 2, 'second')
  await part(theirs, 1, 'planted again')
  const state = () => unit(ours, async (db) => (await db.get(deviceCommand, id))!)
  expect((await state()).state).toBe('taken')
  await part(ours, 1, 'first')
  expect(await state()).toMatchObject({ state: 'done', result: { items: ['first', 'second'] } })
})

test('a device that fills the room for parts of answers loses its own, not those of others', async () => {
  const { id } = await unit(ours, async (db) =>
    requestCommand(
      { db, services: tenants.services },
      question,
      (await db.get(deviceLink, ours.linkId))!,
      {},
      {
        source: 'system',
      },
    ),
  )
  await sendFromDevice(ours, 'ack', { id, ok: true })
  await sendFromDevice(ours, 'res', { id, code: 0, part: 1, parts: 2, data: { items: ['first'] } })
  for (let n = 1; n <= 300; n++)
    await sendFromDevice(theirs, 'res', {
      id: String(n),
      code: 0,
      part: 1,
      parts: 1000,
      data: { items: ['x'.repeat(1_000)] },
    })
  await sendFromDevice(ours, 'res', { id, code: 0, part: 2, parts: 2, data: { items: ['second'] } })
  expect(await unit(ours, (db) => db.get(deviceCommand, id))).toMatchObject({ state: 'done' })
})

test('what a broker kept of a device that is gone does not bring it back', async () => {
  const kept = { retained: true }
  await sendFromDevice(ours, 'online', { online: false, connId: ours.clientId })
  expect((await lineOf(ours)).state).toBe('offline')
  await sendFromDevice(ours, 'hello', { connId: 'c9', bootId: 'b9', fw: '9.9.9' }, kept).catch(() => {})
  await sendFromDevice(ours, 'hb', { bootId: 'b9', cpu: 99 }, kept).catch(() => {})
  await presence.flush()
  expect(await lineOf(ours)).toMatchObject({ state: 'offline' })
  expect((await lineOf(ours)).firmware).not.toBe('9.9.9')
})

const limited = defineCommand<object>({
  method: 'test.limited',
  label: { zh: '受限', en: 'Limited' },
  ackTimeoutMs: 3_000,
  completionTimeoutMs: 60_000,
  offline: 'refuse',
  perMinute: 5,
})

test('a person who asks without end asks as often as is allowed, also at one moment, and fills no table', async () => {
  await sendFromDevice(theirs, 'online', { online: true, connId: 'again' })
  const ask = () =>
    unit(theirs, async (db) =>
      requestCommand(
        { db, services: tenants.services },
        limited,
        (await db.get(deviceLink, theirs.linkId))!,
        {},
        {
          source: 'office',
          userId: tenants.south.admin.userId,
        },
      ),
    )
  const commands = await Promise.all(Array.from({ length: 40 }, ask))
  expect(commands.filter(({ state }) => state === 'refused')).toHaveLength(35)
  expect(commands.at(-1)).toBeDefined()
  expect(await unit(theirs, (db) => db.find(deviceCommand, sql`r.method = 'test.limited'`))).toHaveLength(6)
})

test('answers with numbers no column holds end the command all the same', async () => {
  for (const answer of [{ code: 1e300 }, { code: 'x' }, { code: 2 ** 40, msg: '\0' }]) {
    const { id } = await unit(theirs, async (db) =>
      requestCommand(
        { db, services: tenants.services },
        question,
        (await db.get(deviceLink, theirs.linkId))!,
        {},
        {
          source: 'system',
        },
      ),
    )
    await sendFromDevice(theirs, 'ack', { id, ok: true })
    await sendFromDevice(theirs, 'res', { id, ...answer })
    expect(await unit(theirs, (db) => db.get(deviceCommand, id))).toMatchObject({ state: 'failed', code: 99 })
  }
  await expect(sendFromDevice(theirs, 'ack', { id: '9'.repeat(19), ok: true })).rejects.toThrow('no command of ours')
})

test('a device or a command that cannot be dealt with keeps no other waiting', async () => {
  const poisoned = defineCommand<object>({
    method: 'test.poisoned',
    label: { zh: '毒', en: 'Poisoned' },
    ackTimeoutMs: 1_000,
    completionTimeoutMs: 1_000,
    offline: 'refuse',
    ended: async () => {
      throw new Error('nobody can end this')
    },
  })
  let link = ''
  onDeviceLinkState(async ({ link: { id } }) => {
    if (id === link) throw new Error('nobody can hear of this')
  })

  await sendFromDevice(ours, 'online', { online: true, connId: 'again' })
  const commands = await Promise.all(
    (
      [
        [theirs, poisoned],
        [ours, limited],
      ] as const
    ).map(([device, declared]) =>
      unit(device, async (db) =>
        requestCommand(
          { db, services: tenants.services },
          declared,
          (await db.get(deviceLink, device.linkId))!,
          {},
          {
            source: 'system',
          },
        ),
      ),
    ),
  )

  for (const device of [theirs, ours])
    await unit(device, (db) =>
      db.run(sql`update device_command set tries = 9, state = 'taken' where id = any(${commands.map(({ id }) => id)})`),
    )
  const long = new Date(Date.now() - 600_000).toISOString()
  await unit(theirs, (db) =>
    db.run(sql`update device_command_due set due_time = ${long}::timestamptz - interval '1 hour'`),
  )
  await unit(ours, (db) => db.run(sql`update device_command_due set due_time = ${long}`))

  await checkDueCommands(tenants.services)
  expect(await unit(ours, (db) => db.get(deviceCommand, commands[1]!.id))).toMatchObject({ state: 'unknown' })

  link = [ours.linkId, theirs.linkId].toSorted()[0]!
  const other = link === ours.linkId ? theirs : ours
  for (const device of [ours, theirs])
    await unit(device, (db) =>
      db.run(
        sql`update device_link set state = 'online', state_time = ${long}, last_seen_time = ${long}
        where client_id = ${device.clientId}`,
      ),
    )

  await presence.sweep()
  expect((await lineOf(other)).state).toBe('offline')
})
