import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { MessageRejectedError } from '#kit/server/broker/index.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { newId } from '#kit/server/database/snowflake.ts'
import { createTestTenants, type TestTenants } from '#tests/support/test-tenants.ts'
import type { CastMember } from '#tests/support/server.ts'
import { requestCommand, waitForCommand } from './request-command.ts'
import { defineCommand, type DeviceCommand } from './command.ts'
import { deviceCommand } from './device-command.resource.ts'
import { deviceLink } from './device-link.resource.ts'
import { InvalidDeviceMessageError, onDeviceEvent, onDeviceRequest } from './device-handlers.ts'
import { queryOpenDeviceCommands, handleDeviceMessage, checkDueCommands } from './handle-device-message.ts'
import { deviceTransportSlot } from './device-transport.ts'
import { createDevicePresence, DEVICE_SILENT_MS, type DevicePresence } from './presence.ts'

const ended: string[] = []
const knock = defineCommand<{ door: string }>({
  method: 'test.knock',
  label: { zh: '敲门', en: 'Knock' },
  summary: ({ door }) => ({ zh: `敲 ${door} 号门`, en: `Knock at door ${door}` }),
  ackTimeoutMs: 3_000,
  completionTimeoutMs: 8_000,
  lifeMs: 10_000,
  offline: 'refuse',
  lane: ({ door }) => `door/${door}`,
  perMinute: 50,
  ended: async (_db, command) => void ended.push(`${command.id} ${command.state}`),
})
const letter = defineCommand<{ tag: string; text: string }>({
  method: 'test.letter',
  label: { zh: '写信', en: 'Letter' },
  ackTimeoutMs: 3_000,
  completionTimeoutMs: 8_000,
  lifeMs: 600_000,
  offline: 'wait',
  replaces: ({ tag }) => `tag/${tag}`,
})
const reported: unknown[] = []
onDeviceEvent('test.seen', async ({ data, at }) => void reported.push([data, at.toISOString()]))
let isBroken = false
onDeviceEvent('test.broken', async () => {
  if (isBroken) throw new Error('the database is away')
  reported.push('mended')
})
onDeviceRequest('test.entry', async ({ data }) => ({ code: 0, data: { allow: data.phone === '1' } }))

let now = new Date('2026-11-20T10:00:00+08:00').getTime()
const pass = (ms: number) => void (now += ms)
let tenants: TestTenants
let presence: DevicePresence
const tenantId = '100001'
const clientId = 'GW-north-1'
let linkId: string
/** What the server has published, as a device receives it. */
let sent: { topic: string; message: any; retain?: boolean }[] = []
const prefix = `ss/1/${tenantId}/${clientId}`

beforeAll(async () => {
  tenants = await createTestTenants({ now: () => new Date(now) })
  presence = createDevicePresence(tenants.services)
  tenants.services.slots.fill(deviceTransportSlot, {
    publish: async (topic, message, { retain } = {}) => void sent.push({ topic, message, retain }),
  })
  linkId = tenants.north.shops[0]!
  await tenants.must(
    tenants.call(tenants.north.admin, 'POST', '/api/shop/basicShopInfo/submit', { body: { id: linkId, clientId } }),
  )
})
beforeEach(async () => {
  sent = []
  pass(61_000)
  await unit((db) => db.run(sql`delete from device_command_due`))
  await sendFromDevice('online', { online: true, connId: 'c1' })
})
afterAll(() => tenants.close())

const unit = (work: (db: Db) => Promise<any>): Promise<any> => tenants.services.unit({ tenantId }, work)
const sendFromDevice = (
  about: string,
  message: object,
  { retained = false, isLate = false, at = now, topic = `${prefix}/up/${about}` } = {},
) => handleDeviceMessage(tenants.services, presence, topic, { ts: now, ...message }, { retained, isLate, at })
const link = () => unit((db) => db.get(deviceLink, linkId))
const commandNow = (id: string): Promise<DeviceCommand> => unit((db) => db.get(deviceCommand, id))
const down = (about: string) =>
  sent.filter(({ topic }) => topic === `${prefix}/down/${about}`).map((one) => one.message)
const requestTestCommand = (
  declared: any,
  params: object,
  more: object = {},
  as: object = {},
): Promise<DeviceCommand> =>
  tenants.services.unit({ tenantId }, async (db) => {
    const known = { ...(await db.get(deviceLink, linkId))!, ...as }
    return requestCommand({ db, services: tenants.services }, declared, known, params, { source: 'office', ...more })
  })

describe('a command', () => {
  it('is sent, taken and done as the device says, each with its time, and ends once', async () => {
    const { id } = await requestTestCommand(knock, { door: '1' })
    expect(down('cmd')).toMatchObject([{ id, method: 'test.knock', params: { door: '1' }, exp: now + 10_000 }])
    expect((await commandNow(id)).state).toBe('sent')
    await sendFromDevice('ack', { id, ok: true })
    expect((await commandNow(id)).state).toBe('taken')
    await sendFromDevice('res', { id, code: 0, data: { lock: 'unlocked' } })
    await sendFromDevice('res', { id, code: 5 })
    expect(await commandNow(id)).toMatchObject({ state: 'done', code: 0, result: { lock: 'unlocked' } })
    expect(ended.filter((one) => one.startsWith(id))).toEqual([`${id} done`])
  })

  it('is not answered by another device, nor under another tenant', async () => {
    const { id } = await requestTestCommand(knock, { door: '2' })
    const other = tenants.north.shops[1]!
    await tenants.must(
      tenants.call(tenants.north.admin, 'POST', '/api/shop/basicShopInfo/submit', {
        body: { id: other, clientId: 'GW-north-2' },
      }),
    )
    await sendFromDevice('res', { id, code: 0 }, { topic: `ss/1/${tenantId}/GW-north-2/up/res` })
    await expect(sendFromDevice('res', { id, code: 0 }, { topic: `ss/1/100002/${clientId}/up/res` })).rejects.toThrow(
      InvalidDeviceMessageError,
    )
    expect((await commandNow(id)).state).toBe('sent')
  })

  it('that is not acknowledged is sent once more, then unknown; never done, never failed', async () => {
    const { id } = await requestTestCommand(knock, { door: '3' })
    pass(3_100)
    await checkDueCommands(tenants.services)
    expect(down('cmd')).toHaveLength(2)
    pass(3_100)
    await checkDueCommands(tenants.services)
    expect(down('cmd')).toHaveLength(2)
    expect((await commandNow(id)).state).toBe('unknown')
    expect(down('query')).toEqual([{ ids: [id] }])
  })

  it('is asked after again where what the device said of it was let go, or a server died with it', async () => {
    const { id } = await requestTestCommand(knock, { door: 'again' })
    await sendFromDevice('ack', { id, ok: true })
    const queryMessages = () => sent.filter(({ topic }) => topic.endsWith('/down/query'))
    await queryOpenDeviceCommands(tenants.services, [`${tenantId}/${clientId}`])
    expect(down('query').at(-1).ids).toContain(id)
    expect(down('query').at(-1).state).toBe(true)
    const before = queryMessages().length
    await queryOpenDeviceCommands(tenants.services)
    expect(queryMessages().length).toBeGreaterThan(before)
    expect(down('query').at(-1).ids).toContain(id)
    await sendFromDevice('res', { id, code: 0 })
    await queryOpenDeviceCommands(tenants.services, [`${tenantId}/${clientId}`])
    expect(down('query').at(-1).ids).not.toContain(id)
    // Dropped messages may have held the device's state: a device without open commands is asked for it too.
    await queryOpenDeviceCommands(tenants.services, [`${tenantId}/GW-idle`])
    expect(queryMessages().at(-1)).toMatchObject({
      topic: `ss/1/${tenantId}/GW-idle/down/query`,
      message: { ids: [], state: true },
    })
  })

  it('is asked after of the newest 200 that are open, as a device remembers no more', async () => {
    const { id } = await requestTestCommand(knock, { door: 'many' })
    const ids = Array.from({ length: 201 }, () => newId())
    const open = (state: string) =>
      tenants.services.unit({ tenantId }, (db) =>
        db.run(
          sql`update device_command set state = ${state} where tenant_id = ${tenantId} and id = any(${ids}::bigint[])`,
        ),
      )
    await tenants.services.unit({ tenantId }, (db) =>
      db.run(sql`insert into device_command select (jsonb_populate_record(c, jsonb_build_object('id', n))).*
        from device_command c, unnest(${ids}::bigint[]) n where c.tenant_id = ${tenantId} and c.id = ${id}`),
    )
    await queryOpenDeviceCommands(tenants.services, [`${tenantId}/${clientId}`])
    await open('expired')
    const queriedIds = down('query').at(-1).ids as string[]
    expect(queriedIds).toHaveLength(200)
    expect(queriedIds[0]).toBe(ids.at(-1))
    expect(queriedIds).not.toContain(id)
  })

  it('that the device has never heard of is expired in the end, and does not run late', async () => {
    const { id } = await requestTestCommand(knock, { door: '4' })
    pass(11_000)
    await checkDueCommands(tenants.services)
    expect((await commandNow(id)).state).toBe('unknown')
    await sendFromDevice('hello', { connId: 'c2', bootId: 'b1', fw: '1.0' })
    expect(down('query').at(-1).ids).toContain(id)
    await sendFromDevice('ack', { id, ok: false, code: 11 })
    expect((await commandNow(id)).state).toBe('expired')
    expect(down('cmd')).toHaveLength(1)
    await sendFromDevice('res', { id, code: 0 })
    expect((await commandNow(id)).state).toBe('expired')
  })

  it('not heard of by the device before its end is asked about once more after it, and not left unknown', async () => {
    const { id } = await requestTestCommand(knock, { door: '16' })
    for (const _ of [1, 2]) {
      pass(3_100)
      await checkDueCommands(tenants.services)
    }
    await sendFromDevice('ack', { id, ok: false, code: 11 })
    expect((await commandNow(id)).state).toBe('unknown')
    expect(down('query')).toEqual([{ ids: [id] }])
    await checkDueCommands(tenants.services)
    expect(down('query')).toHaveLength(1)
    pass(4_000)
    await checkDueCommands(tenants.services)
    await checkDueCommands(tenants.services)
    expect(down('query')).toEqual([{ ids: [id] }, { ids: [id] }])
    await sendFromDevice('ack', { id, ok: false, code: 11 })
    expect((await commandNow(id)).state).toBe('expired')
    expect(down('cmd')).toHaveLength(2)
  })

  it('sent again after the device had said it never heard of it is not expired by that word, heard late', async () => {
    const { id } = await requestTestCommand(knock, { door: '14' })
    const repliedAt = now + 2_000
    pass(3_100)
    await checkDueCommands(tenants.services)
    expect(down('cmd').filter((one) => one.id === id)).toHaveLength(2)
    pass(8_000)
    await sendFromDevice('ack', { id, ok: false, code: 11, ts: repliedAt })
    expect((await commandNow(id)).state).toBe('sent')
    await vi.waitFor(() => expect(down('query')).toContainEqual({ ids: [id] }), { timeout: 5_000 })
    await sendFromDevice('ack', { id, ok: false, code: 11 })
    expect((await commandNow(id)).state).toBe('expired')
  })

  it('about something the device does not have is refused by it, and not sent again', async () => {
    const { id } = await requestTestCommand(knock, { door: '15' })
    await sendFromDevice('ack', { id, ok: false, code: 9, msg: 'no such session' })
    expect(await commandNow(id)).toMatchObject({ state: 'refused', code: 9, message: 'no such session' })
    expect(down('cmd').filter((one) => one.id === id)).toHaveLength(1)
  })

  it('that was done without our hearing of it is cleared up by the device', async () => {
    const { id } = await requestTestCommand(knock, { door: '5' })
    await sendFromDevice('ack', { id, ok: true })
    pass(9_000)
    await checkDueCommands(tenants.services)
    expect((await commandNow(id)).state).toBe('unknown')
    await sendFromDevice('res', { id, code: 0 })
    expect((await commandNow(id)).state).toBe('done')
  })

  it('for a device that is away is refused at once and written down, and nothing leaves', async () => {
    await sendFromDevice('online', { online: false, connId: 'c1', reason: 'lwt' })
    const row = await requestTestCommand(knock, { door: '6' })
    expect(row).toMatchObject({ state: 'refused', message: 'device_offline' })
    expect(down('cmd')).toEqual([])
  })

  it('larger than a message may be is refused and written down, and nothing leaves', async () => {
    const { id } = await requestTestCommand(letter, { tag: 'large', text: '价'.repeat(22_000) })
    expect(await commandNow(id)).toMatchObject({ state: 'refused', message: 'command_too_large' })
    expect(down('cmd')).toEqual([])
    const rows = await tenants.call(tenants.north.admin, 'GET', '/api/shop/deviceCommand/list', { query: { id } })
    expect(JSON.stringify(rows)).toContain('内容过大')
  })

  it('the broker refuses is over, and not sent again; one it fell over is unknown', async () => {
    const line = tenants.services.slots.find(deviceTransportSlot)!
    let mayHaveArrived = false
    tenants.services.slots.fill(deviceTransportSlot, {
      publish: async () => {
        throw new MessageRejectedError('too large for this broker', { mayHaveArrived })
      },
    })
    try {
      for (const state of ['refused', 'unknown']) {
        const { id } = await requestTestCommand(knock, { door: state })
        await vi.waitFor(async () => expect((await commandNow(id)).state).toBe(state))
        mayHaveArrived = true
      }
    } finally {
      tenants.services.slots.fill(deviceTransportSlot, line)
    }
    pass(4_000)
    await checkDueCommands(tenants.services)
    expect(down('cmd')).toEqual([])
  })

  it('of the same door waits for nobody: the second is refused as busy while the first goes on', async () => {
    await requestTestCommand(knock, { door: '7' })
    expect(await requestTestCommand(knock, { door: '7' })).toMatchObject({ state: 'refused', message: 'device_busy' })
    expect(await requestTestCommand(knock, { door: '8' })).toMatchObject({ state: 'sent' })
  })

  it('asked twice under one key is one', async () => {
    const one = await requestTestCommand(knock, { door: '9' }, { key: 'k-1' })
    const two = await requestTestCommand(knock, { door: '9' }, { key: 'k-1' })
    expect(two.id).toBe(one.id)
    expect(down('cmd')).toHaveLength(1)
  })

  it('that may wait goes when the device is back, the newest alone, in order', async () => {
    await sendFromDevice('online', { online: false, connId: 'c1' })
    const old = await requestTestCommand(letter, { tag: 'a', text: '1' })
    const fresh = await requestTestCommand(letter, { tag: 'a', text: '2' })
    const other = await requestTestCommand(letter, { tag: 'b', text: '3' })
    expect(down('cmd')).toEqual([])
    await sendFromDevice('online', { online: true, connId: 'c3' })
    await sendFromDevice('hello', { connId: 'c3', bootId: 'b1', fw: '1.0' })
    expect(down('cmd').map((one) => one.id)).toEqual([fresh.id, other.id])
    expect((await commandNow(old.id)).state).toBe('canceled')
  })

  it('that waited too long expires without ever having left', async () => {
    await sendFromDevice('online', { online: false, connId: 'c1' })
    const { id } = await requestTestCommand(letter, { tag: 'c', text: '1' })
    pass(600_001)
    await checkDueCommands(tenants.services)
    expect((await commandNow(id)).state).toBe('expired')
    await sendFromDevice('online', { online: true, connId: 'c4' })
    await sendFromDevice('hello', { connId: 'c4', bootId: 'b1', fw: '1.0' })
    expect(down('cmd')).toEqual([])
  })

  it('whose sender died before sending goes all the same', async () => {
    const { id } = await requestTestCommand(knock, { door: '10' })
    expect(await commandNow(id)).toMatchObject({ state: 'sent', tries: 1 })
    sent = []
    pass(3_100)
    await checkDueCommands(tenants.services)
    expect(down('cmd').map((one) => one.id)).toEqual([id])
  })

  it('that was to wait for a device which came at that moment is not left behind', async () => {
    const { id } = await requestTestCommand(letter, { tag: 'd', text: '1' }, {}, { state: 'offline' })
    await vi.waitFor(() => expect(down('cmd').map((one) => one.id)).toEqual([id]))
    expect(await commandNow(id)).toMatchObject({ state: 'sent', tries: 1 })
  })

  it('is waited for across processes, by what is told and not by who asked', async () => {
    const { id } = await requestTestCommand(knock, { door: '11' })
    const waiting = waitForCommand(tenants.services, tenantId, id, { maxMs: 5_000 })
    await sendFromDevice('ack', { id, ok: true })
    await sendFromDevice('res', { id, code: 0 })
    expect((await waiting).state).toBe('done')
  })

  it('answers in parts are one answer, whatever their order', async () => {
    const { id } = await requestTestCommand(knock, { door: '12' })
    await sendFromDevice('ack', { id, ok: true })
    await sendFromDevice('res', { id, code: 0, part: 2, parts: 2, data: { items: [3] } })
    expect((await commandNow(id)).state).toBe('taken')
    await sendFromDevice('res', { id, code: 0, part: 1, parts: 2, data: { items: [1, 2] } })
    expect((await commandNow(id)).result).toEqual({ items: [1, 2, 3] })
  })
})

describe('presence', () => {
  it('a will that comes late ends nothing: only the connection that holds the line can', async () => {
    await sendFromDevice('online', { online: true, connId: 'new' })
    await sendFromDevice('online', { online: false, connId: 'old', reason: 'lwt' })
    expect((await link()).state).toBe('online')
    await sendFromDevice('online', { online: false, connId: 'new', reason: 'lwt' })
    expect((await link()).state).toBe('offline')
  })

  it('is unknown after the listener begins anew, until the device speaks, and offline when it does not', async () => {
    await presence.begin()
    expect((await link()).state).toBe('unknown')
    await sendFromDevice('hb', { bootId: 'b1', fw: '1.0', cpu: 3 })
    await presence.flush()
    expect(await link()).toMatchObject({ state: 'online', health: { cpu: 3 } })
    pass(DEVICE_SILENT_MS + 1_000)
    await presence.sweep()
    expect((await link()).state).toBe('offline')
  })

  it('of who is away says why: broken off, gone by itself, restarting or silent; nothing once it is back', async () => {
    const why = async () => (await link()).endReason
    for (const [reason, end] of [
      ['lwt', 'lost'],
      ['clean', 'left'],
      ['reboot', 'restart'],
      ['\u0000battery', 'left'],
      [undefined, 'left'],
    ] as const) {
      await sendFromDevice('online', { online: true, connId: 'why' })
      expect(await why()).toBeNull()
      await sendFromDevice('online', { online: false, connId: 'why', reason })
      expect([reason, await why()]).toEqual([reason, end])
    }
    await sendFromDevice('online', { online: true, connId: 'why' })
    pass(DEVICE_SILENT_MS + 1_000)
    await presence.sweep()
    expect(await why()).toBe('silent')
    // A message of an earlier connection changes nothing.
    await sendFromDevice('online', { online: false, connId: 'old', reason: 'reboot' })
    expect(await why()).toBe('silent')
  })

  it('what it said before it went does not bring it back', async () => {
    await sendFromDevice('online', { online: true, connId: 'new' })
    await sendFromDevice('hb', { bootId: 'b1', fw: '1.0' })
    pass(5)
    await sendFromDevice('online', { online: false, connId: 'new', reason: 'lwt' })
    await presence.flush()
    expect((await link()).state).toBe('offline')
    pass(5)
    await sendFromDevice('hb', { bootId: 'b1', fw: '1.0' })
    await presence.flush()
    expect((await link()).state).toBe('online')
  })

  it('a retained word of yesterday makes nobody fresh', async () => {
    const before = (await link()).lastSeenTime
    pass(60_000)
    await sendFromDevice('online', { online: true, connId: 'c9' }, { retained: true })
    expect((await link()).lastSeenTime).toBe(before)
  })

  it('of many is written while one of them greets, and neither waits for the other for ever', async () => {
    await sendFromDevice('hb', { bootId: 'b1' })
    const [greeting, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const greeted = unit(async (db) => {
      await db.get(deviceLink, linkId, 'forUpdate')
      greeting.resolve()
      await over.promise
      await db.run(sql`update basic_shop_info set last_seen_time = now() where id = ${linkId}`)
    })
    await greeting.promise
    const flushed = presence.flush()
    const held = sql`select count(*)::int as n from pg_locks l join pg_stat_activity a on a.pid = l.pid
      where not l.granted and a.datname = current_database()`
    await vi
      .waitFor(async () => expect(await unit((db) => db.one(held))).toEqual({ n: 1 }))
      .finally(() => over.resolve())
    await Promise.all([greeted, flushed])
  })

  it('two machines under one number are told apart from a restart, by an event', async () => {
    const events = () =>
      unit((db) => db.query(sql`select type from shop_event where shop_id = ${linkId} and type = 'deviceTwin'`))
    await sendFromDevice('hello', { connId: 'a', bootId: 'boot-a', fw: '1.0' })
    await sendFromDevice('hello', { connId: 'b', bootId: 'boot-b', fw: '1.0' })
    expect(await events()).toHaveLength(0)
    await sendFromDevice('hello', { connId: 'a2', bootId: 'boot-a', fw: '1.0' })
    expect(await events()).toHaveLength(1)
  })

  it('measures the error of the clock at hello and corrects the times of what is reported', async () => {
    reported.length = 0
    await sendFromDevice('hello', { connId: 'c', bootId: 'boot-c', fw: '1.0', ts: now + 120_000 })
    expect(down('hello').at(-1)).toMatchObject({ offsetMs: 120_000, now })
    await sendFromDevice('evt', { eid: 'e-clock', type: 'test.seen', data: { x: 1 }, ts: now + 119_000 })
    expect(reported).toEqual([[{ x: 1 }, new Date(now - 1_000).toISOString()]])
    await sendFromDevice('hello', { connId: 'c', bootId: 'boot-c', fw: '1.0' })
  })
})

describe('the clock of a device', () => {
  const greet = (ts: number, from = {}) =>
    sendFromDevice('hello', { connId: 'k', bootId: 'boot-k', fw: '1.0', ts }, from)
  const sentOffsetMs = () => down('hello').at(-1).offsetMs

  it('is measured when its word comes, however long that waits to be handled', async () => {
    const came = now
    pass(40_000)
    await greet(came, { at: came })
    expect(sentOffsetMs()).toBe(0)
    await sendFromDevice('hb', { ts: came - 3_000 }, { at: came })
    await presence.flush()
    expect((await link())!.clockOffset).toBe(-3_000)
  })

  it('is not taken for wrong where its word waited behind others, unless that cannot explain it', async () => {
    await greet(now + 1_000)
    await greet(now - 40_000, { isLate: true })
    expect(sentOffsetMs()).toBe(1_000)
    await sendFromDevice('hb', { ts: now - 40_000 }, { isLate: true })
    await presence.flush()
    expect(sentOffsetMs()).toBe(1_000)
    await greet(now - 86_400_000, { isLate: true })
    expect(sentOffsetMs()).toBe(-86_400_000)
    await greet(now + 60_000, { isLate: true })
    expect(sentOffsetMs()).toBe(60_000)
  })

  it('is told anew of its error once a heartbeat shows another one, and not for a little', async () => {
    await greet(now - 30_000)
    pass(11_000)
    sent = []
    await sendFromDevice('hb', { ts: now - 31_000 })
    await presence.flush()
    expect(down('hello')).toEqual([])
    pass(11_000)
    await sendFromDevice('hb', { ts: now + 500 })
    await presence.flush()
    expect(down('hello')).toEqual([{ ts: now + 500, now, offsetMs: 500 }])
    pass(11_000)
    await sendFromDevice('hb', { ts: now + 400 })
    await presence.flush()
    expect(down('hello')).toHaveLength(1)
    await greet(now)
  })
})

describe('what a device reports', () => {
  it('is handled once however often it is said, and acknowledged each time after it is stored', async () => {
    reported.length = 0
    for (const _ of [1, 2]) await sendFromDevice('evt', { eid: 'e-1', type: 'test.seen', data: {} })
    expect(reported).toHaveLength(1)
    expect(down('evtack')).toEqual([{ eids: ['e-1'] }, { eids: ['e-1'] }])
  })

  it('is not acknowledged while it cannot be handled, and counts when it is said again', async () => {
    reported.length = 0
    isBroken = true
    await expect(sendFromDevice('evt', { eid: 'e-2', type: 'test.broken' })).rejects.toThrow('the database is away')
    expect(down('evtack')).toEqual([])
    isBroken = false
    await sendFromDevice('evt', { eid: 'e-2', type: 'test.broken' })
    expect(reported).toEqual(['mended'])
  })

  it.each([
    ['no JSON object', 'evt', 'text'],
    ['no number of an event', 'evt', { type: 'x' }],
    ['no time', 'evt', { eid: 'e', type: 'x', ts: 'now' }],
    ['a command that cannot be', 'ack', { id: "1'; drop table x" }],
    ['an unknown topic', 'nonsense', {}],
  ])('with %s is misheard, and nothing is stored', async (_what, about, message) => {
    const payload = typeof message === 'string' ? message : { ts: now, ...message }
    await expect(handleDeviceMessage(tenants.services, presence, `${prefix}/up/${about}`, payload)).rejects.toThrow(
      InvalidDeviceMessageError,
    )
  })

  it('as a question is answered under its number', async () => {
    await sendFromDevice('ask', { id: 'q1', type: 'test.entry', data: { phone: '1' } })
    await sendFromDevice('ask', { id: 'q2', type: 'nobody knows' })
    expect(down('answer')).toEqual([
      { id: 'q1', code: 0, data: { allow: true } },
      { id: 'q2', code: 2 },
    ])
  })
})

describe('calls', () => {
  let boss: CastMember
  let stranger: CastMember
  beforeAll(async () => {
    boss = await tenants.boss(tenants.north, tenants.north.shops[0]!)
    stranger = await tenants.boss(tenants.north, tenants.north.shops[1]!)
  })

  it('sets a clock by the time it is sent at: sent again it does not set it back by what it waited', async () => {
    const call = tenants.call(tenants.north.admin, 'POST', '/api/shop/deviceLink/syncTime', { query: { clientId } })
    await vi.waitFor(() => expect(down('cmd')).toHaveLength(1))
    const [{ id, params }] = down('cmd')
    expect(params).toEqual({ now, tz: 'Asia/Shanghai' })
    pass(5_100)
    await checkDueCommands(tenants.services)
    await vi.waitFor(() => expect(down('cmd')).toHaveLength(2))
    expect(down('cmd')[1]).toMatchObject({ id, ts: now, params: { now, tz: 'Asia/Shanghai' } })
    await sendFromDevice('ack', { id, ok: true })
    await sendFromDevice('res', { id, code: 0, data: { offsetMs: 0 } })
    expect((await call).data).toMatchObject({ cmdId: id, state: 'done', offsetMs: 0 })
  })

  it('reboot answers when the gateway has taken it, and is done by another start alone', async () => {
    await sendFromDevice('hello', { connId: 'c1', bootId: 'before', fw: '1.0' })
    const call = tenants.call(boss, 'GET', '/api/shop/basicShopInfo/reboot', { query: { clientId, type: 2 } })
    await vi.waitFor(() => expect(down('cmd')).toHaveLength(1))
    const { id } = down('cmd')[0]
    await sendFromDevice('ack', { id, ok: true })
    expect((await call).data).toMatchObject({ cmdId: id, state: 'taken' })
    await sendFromDevice('res', { id, code: 0 })
    expect((await commandNow(id)).state).toBe('taken')
    await sendFromDevice('hello', { connId: 'c5', bootId: 'after', fw: '1.0' })
    expect(await commandNow(id)).toMatchObject({ state: 'done' })
    expect((await commandNow(id)).seenTime).not.toBeNull()
  })

  it('a restart that the gateway never took is not done by a loss of power, which proves its word alone', async () => {
    await sendFromDevice('hello', { connId: 'c1', bootId: 'first', fw: '1.0' })
    const call = tenants.call(boss, 'GET', '/api/shop/basicShopInfo/reboot', { query: { clientId } })
    await vi.waitFor(() => expect(down('cmd')).toHaveLength(1))
    const { id } = down('cmd')[0]
    await sendFromDevice('hello', { connId: 'c2', bootId: 'second', fw: '1.0' })
    expect(await commandNow(id)).toMatchObject({ state: 'sent', endTime: null })
    await sendFromDevice('res', { id, code: 0 })
    expect(await commandNow(id)).toMatchObject({ state: 'done', code: 0 })
    expect((await call).data).toMatchObject({ cmdId: id, state: 'done' })
    pass(61_000)
    sent = []
    const again = tenants.call(boss, 'GET', '/api/shop/basicShopInfo/reboot', { query: { clientId } })
    await vi.waitFor(() => expect(down('cmd')).toHaveLength(1))
    const lost = down('cmd')[0].id
    await sendFromDevice('hello', { connId: 'c3', bootId: 'third', fw: '1.0' })
    pass(11_000)
    await sendFromDevice('ack', { id: lost, ok: false, code: 11 })
    expect(await commandNow(lost)).toMatchObject({ state: 'expired', seenTime: null })
    expect((await again).success).toBe(false)
  })

  it('a clock that jumped is told of its error before it is set, and no other is', async () => {
    const set = async (offsetMs: number) => {
      await sendFromDevice('hb', { ts: now + offsetMs, bootId: 'after', fw: '1.0' })
      await presence.flush()
      sent = []
      const call = tenants.call(tenants.north.admin, 'POST', '/api/shop/deviceLink/syncTime', { query: { clientId } })
      await vi.waitFor(() => expect(down('cmd')).toHaveLength(1))
      const { id, params } = down('cmd')[0]
      expect(params).toMatchObject({ now })
      await sendFromDevice('ack', { id, ok: true })
      await sendFromDevice('res', { id, code: 0, data: { offsetMs } })
      expect((await call).data).toMatchObject({ state: 'done', offsetMs })
      return sent.map(({ topic }) => topic.slice(topic.lastIndexOf('/') + 1))
    }
    expect(await set(-200)).toEqual(['cmd'])
    expect(await set(600_000)).toEqual(['hello', 'cmd'])
    expect(down('hello')[0]).toMatchObject({ now, offsetMs: 600_000 })
  })

  it('a boss of another shop and another tenant find no such device, and nothing is sent', async () => {
    for (const who of [stranger, tenants.south.admin]) {
      const answer = await tenants.call(who, 'GET', '/api/shop/basicShopInfo/reboot', { query: { clientId } })
      expect(answer.status).toBe(404)
    }
    expect(down('cmd')).toEqual([])
  })

  it('a refusal of the device is told in its words, a device that is away in ours, in both languages', async () => {
    const call = tenants.call(boss, 'GET', '/api/shop/basicShopInfo/reboot', { query: { clientId } })
    await vi.waitFor(() => expect(down('cmd')).toHaveLength(1))
    await sendFromDevice('ack', { id: down('cmd')[0].id, ok: false, code: 10, msg: '店内有人' })
    expect((await call).body.msg).toContain('店内有人')
    await sendFromDevice('online', { online: false, connId: (await link()).conn })
    const away = await tenants.call(boss, 'GET', '/api/shop/basicShopInfo/reboot', { query: { clientId }, lang: 'en' })
    expect(away.body.msg).toContain('is offline')
  })

  it('the steps of a command are shown to those who see its shop, and to nobody else', async () => {
    const { id } = await requestTestCommand(knock, { door: '20' })
    const steps = await tenants.call(boss, 'GET', '/api/shop/deviceCommand/steps', { query: { id } })
    expect(steps.data).toMatchObject({ id, state: 'sent', title: '敲 20 号门' })
    for (const who of [stranger, tenants.south.admin])
      expect((await tenants.call(who, 'GET', '/api/shop/deviceCommand/steps', { query: { id } })).status).toBe(404)
  })

  it('that has no code and no share of the way yet is shown without, not with minus one', async () => {
    const { id } = await requestTestCommand(knock, { door: '21' })
    const detail = () => tenants.call(boss, 'GET', '/api/shop/deviceCommand/detail', { query: { id } })
    expect((await detail()).data).not.toHaveProperty('code')
    expect((await detail()).data).not.toHaveProperty('percent')
    await sendFromDevice('ack', { id, ok: false, code: 10 })
    expect((await detail()).data).toMatchObject({ code: 10 })
  })
})

describe('a line', () => {
  it('follows its device: it takes its name, and goes with its number and its secret', async () => {
    const shop = tenants.south.shops[0]!
    const save = (body: object) =>
      tenants.must(
        tenants.call(tenants.south.admin, 'POST', '/api/shop/basicShopInfo/submit', { body: { id: shop, ...body } }),
      )
    const found = async () =>
      (await tenants.call(tenants.south.admin, 'GET', '/api/shop/deviceLink/list')).data.records as any[]
    await save({ clientId: 'GW-south' })
    expect(await found()).toMatchObject([{ clientId: 'GW-south', kind: 'gateway', shopId: shop, state: 'offline' }])
    const issued = await tenants.call(tenants.south.admin, 'POST', '/api/shop/deviceLink/issue', {
      query: { id: shop },
    })
    expect(issued.data).toMatchObject({ clientId: 'GW-south', tenantId: '100002', topic: 'ss/1/100002/GW-south/' })
    await save({ clientId: 'GW-south-b' })
    expect(await found()).toMatchObject([{ clientId: 'GW-south-b', keyIssuedTime: '' }])
    await save({ clientId: '' })
    expect(await found()).toEqual([])
  })

  it("is another shop's as soon as its number is, for whoever speaks under it, without connecting anew", async () => {
    const [other, one] = tenants.north.shops
    const give = (id: string | undefined, number: string) =>
      tenants.must(
        tenants.call(tenants.north.admin, 'POST', '/api/shop/basicShopInfo/submit', { body: { id, clientId: number } }),
      )
    const shopOfDevice = async () => (await presence.linkOf(tenantId, 'GW-wanders'))?.shopId
    await give(one, 'GW-wanders')
    expect(await shopOfDevice()).toBe(one)
    await give(one, '')
    await give(other, 'GW-wanders')
    await vi.waitFor(async () => expect(await shopOfDevice()).toBe(other))
  })
})
