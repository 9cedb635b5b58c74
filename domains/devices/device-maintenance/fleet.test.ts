import { comparedAnswers } from '#tests/support/declared-answers.ts'
import { createHash, verify } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { MANAGEMENT_TENANT } from '#kit/server/base/caller.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { newId } from '#kit/server/database/snowflake.ts'
import type { CastMember } from '#tests/support/server.ts'
import { createTestTenants, type TestTenants } from '#tests/support/test-tenants.ts'
import {
  authenticateDevice,
  createDevicePresence,
  deviceTransportSlot,
  handleDeviceMessage,
  type DevicePresence,
} from '#domains/devices/device-messaging/api.ts'
import { clientVersion } from '#domains/devices/device-registry/index.ts'
import { deviceCommand, deviceLink } from '#domains/devices/device-messaging/index.ts'
import { loadPlatformKeys } from './platform-key.ts'
import { endOverdueRemoteSessions } from './remote-session.server.ts'
import { remoteLine } from './remote-session.resource.ts'
import { advanceRollout, isInRolloutWindow } from './rollout-step.ts'
import { rollout, rolloutDevice } from './rollout.resource.ts'

let now = new Date('2026-11-20T02:30:00+08:00').getTime()
const pass = (ms: number) => void (now += ms)
let tenants: TestTenants
let presence: DevicePresence
const tenantId = '100001'
const clientId = 'GW-fleet-1'
let gateway: string
type SentMessage = { clientId: string; about: string; message: any; retain?: boolean }
let sent: SentMessage[] = []

beforeAll(async () => {
  tenants = await createTestTenants({ now: () => new Date(now) })
  presence = createDevicePresence(tenants.services)
  tenants.services.slots.fill(deviceTransportSlot, {
    publish: async (topic, message, { retain } = {}) => {
      const [, , , number, , about] = topic.split('/')
      sent.push({ clientId: number!, about: about!, message, retain })
    },
  })
  gateway = tenants.north.shops[0]!
  await post('basicShopInfo/submit', { id: gateway, clientId })
})
beforeEach(async () => {
  sent = []
  pass(1_000)
  await sendFromDevice('online', { online: true, connId: 'c1' })
})
afterAll(() => tenants.close())

const unit = <T>(work: (db: Db) => Promise<T>): Promise<T> => tenants.services.unit({ tenantId }, work)
const callApi = (
  method: 'GET' | 'POST',
  path: string,
  given: object = {},
  who: CastMember | undefined = tenants.north.admin,
) => tenants.call(who, method, `/api/shop/${path}`, given)
const post = (path: string, body: object) => tenants.must(callApi('POST', path, { body }))
const sendFromDevice = (about: string, message: object, from = clientId) =>
  handleDeviceMessage(tenants.services, presence, `ss/1/${tenantId}/${from}/up/${about}`, { ts: now, ...message })
const down = (about: string, to = clientId) =>
  sent.filter((one) => one.about === about && one.clientId === to).map(({ message }) => message)
const jobs = () => tenants.server.jobs.runDue()
const hello = (fw: string, boot: string, from = clientId) =>
  sendFromDevice('hello', { connId: `c-${boot}`, bootId: boot, fw }, from)

const PACKAGE = Buffer.concat([Buffer.from([0x50, 0x4b, 5, 6]), Buffer.alloc(18)])

/** An uploaded, published program. */
async function program(resource: 'clientVersion' | 'cashRegisterClientVersion', versionName: string, code: number) {
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(PACKAGE)]), 'program.zip')
  const request = new Request('http://localhost/', { method: 'POST', body: form })
  const response = await tenants.server.http.inject({
    method: 'POST',
    url: '/api/blade-resource/oss/endpoint/put-file',
    payload: Buffer.from(await request.arrayBuffer()),
    headers: {
      'content-type': request.headers.get('content-type')!,
      'blade-auth': `bearer ${tenants.north.admin.token}`,
    },
  })
  const url = response.json().data.link as string
  const model = resource === 'clientVersion' ? { model: 'GW-A' } : {}
  const { id } = await post(`${resource}/submit`, { versionName, versionCode: code, url, rollout: '100.00', ...model })
  await tenants.must(callApi('POST', `${resource}/publish`, { query: { id } }))
  return { id: id as string, url }
}

describe('an uploaded package', () => {
  it('is measured here, and loaded from a signed address in parts', async () => {
    const { id } = await program('clientVersion', '1.1.0', 11)
    const sha256 = createHash('sha256').update(PACKAGE).digest('hex')
    expect(await tenants.must(callApi('GET', 'clientVersion/detail', { query: { id } }))).toMatchObject({
      sha256,
      size: PACKAGE.length,
      md5: createHash('md5').update(PACKAGE).digest('hex'),
    })
    const answer = await tenants.must(
      callApi('POST', 'basicShopInfo/upgrade', { query: { clientId }, body: { versionId: id } }),
    )
    await vi.waitFor(() => expect(down('cmd')).toHaveLength(1))
    const [{ params, id: cmdId }] = down('cmd')
    expect(answer).toMatchObject({ cmdId, state: 'sent' })
    const { publicKey } = await tenants.must(callApi('GET', 'rollout/key'))
    const signedText = Buffer.from(`${sha256}|1.1.0|gateway`)
    expect(verify(null, signedText, publicKey, Buffer.from(params.sig, 'base64'))).toBe(true)
    const { pathname, search } = new URL(params.url)
    const load = (url: string, headers = {}) => tenants.server.http.inject({ method: 'GET', url, headers })
    const whole = await load(pathname + search)
    expect(whole.rawPayload.equals(PACKAGE)).toBe(true)
    const part = await load(pathname + search, { range: 'bytes=2-5' })
    expect([part.statusCode, part.headers['content-range']]).toEqual([206, `bytes 2-5/${PACKAGE.length}`])
    expect(part.rawPayload.equals(PACKAGE.subarray(2, 6))).toBe(true)
    expect((await load(pathname + search, { range: 'bytes=900-' })).statusCode).toBe(416)
    expect((await load(pathname + search, { range: 'bytes=2-5', 'if-range': '"other"' })).statusCode).toBe(200)
    expect(comparedAnswers(tenants.server.http)).toContain('GET /api/device/program')
    expect((await load(`${pathname}${search}x`)).statusCode).toBe(404)
    const yesterday = now - 1
    const keys = await loadPlatformKeys(tenants.services)
    const key = new URLSearchParams(search).get('key')!
    const late = new URLSearchParams({ key, e: String(yesterday), s: keys.signAddress(key, yesterday) })
    expect((await load(`${pathname}?${late}`)).statusCode).toBe(404)
    await unit((db) => db.run(sql`delete from device_command_due`))
  })
})

describe('an upgrade of one device', () => {
  const commandNow = (id: string) => unit((db) => db.get(deviceCommand, id))
  const upgradeTo = async (versionName: string, code: number) => {
    const { id } = await program('clientVersion', versionName, code)
    const { cmdId } = await tenants.must(
      callApi('POST', 'basicShopInfo/upgrade', { query: { clientId }, body: { versionId: id } }),
    )
    await vi.waitFor(() => expect(down('cmd')).toHaveLength(1))
    await sendFromDevice('ack', { id: cmdId, ok: true })
    await sendFromDevice('prog', { id: cmdId, step: 'REBOOTING', pct: 100 })
    return cmdId as string
  }

  it('is done by the version of the next hello alone, whatever the device says before', async () => {
    await hello('1.0.0', 'a1')
    const id = await upgradeTo('1.2.0', 12)
    await sendFromDevice('res', { id, code: 0 })
    expect((await commandNow(id))?.state).toBe('taken')
    await hello('1.2.0', 'a2')
    expect(await commandNow(id)).toMatchObject({ state: 'done' })
  })

  it('that comes back with the old version is a rollback', async () => {
    await hello('1.2.0', 'b1')
    const id = await upgradeTo('1.3.0', 13)
    await hello('1.2.0', 'b2')
    expect(await commandNow(id)).toMatchObject({ state: 'failed', message: 'ROLLBACK' })
  })

  it('is not done by a version that came without it: what the device had already is said, and not sent', async () => {
    await hello('1.2.0', 'e1')
    await sendFromDevice('online', { online: false, connId: 'c-e1' })
    const { id: versionId } = await program('clientVersion', '1.5.0', 15)
    const given = { query: { clientId }, body: { versionId } }
    const { cmdId: id } = await tenants.must(callApi('POST', 'basicShopInfo/upgrade', given))
    await sendFromDevice('online', { online: true, connId: 'c-e2' })
    await hello('1.5.0', 'e2')
    expect(await commandNow(id)).toMatchObject({ state: 'refused', message: 'was_so_already', seenTime: null })
    const shown = await tenants.must(callApi('GET', 'deviceCommand/detail', { query: { id } }))
    expect(shown.message).toBe('本来就是这样，没有执行')
    expect(down('cmd')).toEqual([])
  })

  it('that was sent and never acknowledged is what the device says, whatever version it greets with', async () => {
    await hello('1.5.0', 'f1')
    const sendTo = async (versionName: string, code: number) => {
      sent = []
      const { id: versionId } = await program('clientVersion', versionName, code)
      const given = { query: { clientId }, body: { versionId } }
      const { cmdId } = await tenants.must(callApi('POST', 'basicShopInfo/upgrade', given))
      await vi.waitFor(() => expect(down('cmd')).toHaveLength(1))
      return cmdId as string
    }
    const lost = await sendTo('1.6.0', 16)
    await hello('1.6.0', 'f2')
    expect(await commandNow(lost)).toMatchObject({ state: 'sent' })
    expect(down('query').at(-1).ids).toContain(lost)
    await sendFromDevice('ack', { id: lost, ok: false, code: 11 })
    expect(await commandNow(lost)).toMatchObject({ state: 'refused', message: 'was_so_already', seenTime: null })
    expect(down('cmd')).toHaveLength(1)
    const done = await sendTo('1.7.0', 17)
    await hello('1.7.0', 'f3')
    await hello('1.7.0', 'f3')
    await sendFromDevice('res', { id: done, code: 0 })
    expect(await commandNow(done)).toMatchObject({ state: 'done', code: 0 })
  })

  it('is refused to strangers, to a boss of another shop and without the right, and nothing is sent', async () => {
    const { id } = await program('clientVersion', '1.4.0', 14)
    const other = await tenants.boss(tenants.north, tenants.north.shops[1]!)
    const reader = await tenants.person(tenants.north, 'reader', ['deviceLink'])
    const given = { query: { clientId }, body: { versionId: id } }
    const statusOf = async (who: CastMember | undefined) =>
      (await tenants.call(who, 'POST', '/api/shop/basicShopInfo/upgrade', given)).status
    expect(await statusOf(undefined)).toBe(401)
    expect(await statusOf(reader)).toBe(403)
    expect(await statusOf(other)).toBe(404)
    expect(await statusOf(tenants.south.admin)).toBe(404)
    expect(down('cmd')).toEqual([])
  })
})

describe('a rollout', () => {
  let made = 0
  /** Creates registers that are online and have an old program. */
  async function fleet(count: number): Promise<string> {
    const name = `F${++made}`
    await unit(async (db) => {
      await db.run(sql`update rollout set state = 'stopped' where state in ('running', 'paused')`)
      await db.run(sql`delete from device_link where kind = 'register'`)
      const ids = Array.from({ length: count }, () => newId())
      await db.run(sql`insert into device_link (id, tenant_id, kind, client_id, name, shop_id, state, firmware)
        select id, ${tenantId}, 'register', ${`${name}-`} || n, 'r', ${gateway}, 'online', '1.0.0'
        from unnest(${ids}::bigint[]) with ordinality as t(id, n)`)
    })
    return name
  }
  const begin = async (draft: object = {}) => {
    const code = 100 + ++made
    const { id: programId } = await program('cashRegisterClientVersion', `2.${code}`, code)
    const body = { name: `R${code}`, module: 'register', programId, waves: '5,25,100', failureMax: '10.00', ...draft }
    const { id } = await post('rollout/submit', body)
    await tenants.must(callApi('POST', 'rollout/start', { query: { id } }))
    await jobs()
    return { id: id as string, version: `2.${code}` }
  }
  const rolloutNow = (id: string) => unit(async (db) => (await db.get(rollout, id))!)
  const devicesOf = (id: string) => unit((db) => db.find(rolloutDevice, sql`r.rollout_id = ${id}`))
  const commands = () => sent.filter(({ about }) => about === 'cmd')

  /** Has the asked devices upgrade; every `failEvery`th comes back with its old version. */
  async function live(id: string, version: string, { failEvery = Infinity } = {}): Promise<void> {
    const handledIds = new Set<string>()
    for (let turn = 0; turn < 20 && (await rolloutNow(id)).state === 'running'; turn++) {
      await jobs()
      await new Promise((resolve) => setImmediate(resolve))
      const fresh = commands().filter(({ message }) => !handledIds.has(message.id))
      for (const { clientId: device, message } of fresh) {
        handledIds.add(message.id)
        await sendFromDevice('ack', { id: message.id, ok: true }, device)
        await sendFromDevice('prog', { id: message.id, step: 'REBOOTING', pct: 100 }, device)
        await hello(handledIds.size % failEvery === 0 ? '1.0.0' : version, `boot-${message.id}`, device)
      }
      await advanceRollout(tenants.services, tenantId, id)
    }
  }

  it('to 200 devices of which a fifth fail stops itself in its first waves, and says why', async () => {
    await fleet(200)
    const { id, version } = await begin()
    await live(id, version, { failEvery: 5 })
    const row = await rolloutNow(id)
    expect(row).toMatchObject({ state: 'stopped', total: 200, stopReason: expect.stringContaining('超过 10%') })
    expect(row.wave).toBeLessThanOrEqual(2)
    expect(commands().length).toBeLessThanOrEqual(50)
    expect(new Set(commands().map((one) => one.clientId)).size).toBe(commands().length)
    const devices = await devicesOf(id)
    expect(devices.filter(({ state }) => state === 'canceled').length).toBe(200 - commands().length)
    expect(devices.filter(({ state }) => state === 'failed')[0]?.reason).toContain('回退')
    const events = await unit((db) => db.query(sql`select content from shop_event where type = 'rolloutStopped'`))
    expect(events).toHaveLength(1)
    const commandCount = commands().length
    await jobs()
    await advanceRollout(tenants.services, tenantId, id)
    expect(commands()).toHaveLength(commandCount)
  })

  it('goes from the canaries to all, each device once, however often and by how many it is driven', async () => {
    await fleet(20)
    const { id, version } = await begin({ canaryShops: [tenants.north.shops[1]] })
    await Promise.all([1, 2, 3].map(() => advanceRollout(tenants.services, tenantId, id)))
    await live(id, version)
    expect(await rolloutNow(id)).toMatchObject({ state: 'done', doneCount: 20, failedCount: 0, wave: 3 })
    expect(new Set(commands().map((one) => one.clientId)).size).toBe(20)
    expect(commands()).toHaveLength(20)
    const board = await tenants.must(callApi('GET', 'rollout/board', { query: { module: 'register' } }))
    expect(board).toMatchObject({ newest: version, versions: [{ version, devices: 20, online: 20 }] })
  })

  it('asks nothing outside its hours, while it is paused, and of devices that are away', async () => {
    const name = await fleet(4)
    const { id } = await begin({ windowStart: '04:00', windowEnd: '05:00', waves: '100' })
    expect(commands()).toEqual([])
    await tenants.must(callApi('POST', 'rollout/pause', { query: { id } }))
    await advanceRollout(tenants.services, tenantId, id)
    expect(commands()).toEqual([])
    await unit((db) => db.run(sql`update rollout set window_start = '02:00' where id = ${id}`))
    await advanceRollout(tenants.services, tenantId, id)
    expect(commands()).toEqual([])
    await unit((db) => db.run(sql`update device_link set state = 'offline' where client_id = ${`${name}-1`}`))
    await tenants.must(callApi('POST', 'rollout/resume', { query: { id } }))
    await jobs()
    await vi.waitFor(() => expect(commands()).toHaveLength(3))
    expect(commands().map((one) => one.clientId)).not.toContain(`${name}-1`)
    await tenants.must(callApi('POST', 'rollout/stop', { query: { id } }))
    expect((await devicesOf(id)).filter(({ state }) => state === 'canceled')).toMatchObject([{ clientId: `${name}-1` }])
    expect((await callApi('POST', 'rollout/resume', { query: { id } })).success).toBe(false)
  })

  it('that is stopped leaves no device to be upgraded when it comes back', async () => {
    const name = await fleet(2)
    const { id, version } = await begin({ waves: '100' })
    await vi.waitFor(() => expect(commands()).toHaveLength(2))
    const [first, second] = commands().map(({ message, clientId: device }) => ({ id: message.id as string, device }))
    await sendFromDevice('ack', { id: first!.id, ok: true }, first!.device)
    await tenants.must(callApi('POST', 'rollout/stop', { query: { id } }))
    sent = []
    // The second command was stopped with the rollout, so it is not sent again, although it would have been valid for a
    // day.
    await hello('1.0.0', `back-${name}`, second!.device)
    expect(down('query', second!.device)).toEqual([{ ids: [second!.id] }])
    await sendFromDevice('ack', { id: second!.id, ok: false, code: 9 }, second!.device)
    await jobs()
    await new Promise((resolve) => setImmediate(resolve))
    expect(down('cmd', second!.device)).toEqual([])
    // An upgrade that had begun is still reported as it ended.
    await hello(version, `new-${name}`, first!.device)
    await jobs()
    const states = new Map((await devicesOf(id)).map((one) => [one.clientId, one.state]))
    expect([states.get(first!.device), states.get(second!.device)]).toEqual(['done', 'failed'])
    expect(await rolloutNow(id)).toMatchObject({ state: 'stopped', doneCount: 1, failedCount: 1 })
  })

  it('counts a device that says nothing as failed, and puts it right when it turns out to be done', async () => {
    const name = await fleet(1)
    const { id, version } = await begin({ waves: '100', failureMax: '100.00' })
    await vi.waitFor(() => expect(commands()).toHaveLength(1))
    const early = new Date(now - 31 * 60_000).toISOString()
    await unit((db) => db.run(sql`update rollout_device set ask_time = ${early} where rollout_id = ${id}`))
    await advanceRollout(tenants.services, tenantId, id)
    expect((await devicesOf(id))[0]).toMatchObject({ state: 'failed', reason: '设备没有回应' })
    const device = `${name}-1`
    await hello(version, 'late', device)
    const { commandId } = (await devicesOf(id))[0]!
    expect(down('query', device).at(-1)).toEqual({ ids: [commandId] })
    await sendFromDevice('res', { id: commandId, code: 0 }, device)
    expect((await devicesOf(id))[0]).toMatchObject({ state: 'done', reason: null })
  })

  it('is not begun with a program that is not published or lies elsewhere, nor beside another one', async () => {
    await fleet(1)
    const body = { versionName: '9.0', versionCode: 900, url: 'https://cdn.example.com/a.zip', rollout: '100.00' }
    expect((await callApi('POST', 'cashRegisterClientVersion/submit', { body })).status).toBe(400)
    const md5 = 'd41d8cd98f00b204e9800998ecf8427e'
    const { id: programId } = await post('cashRegisterClientVersion/submit', { ...body, md5 })
    const draft = { name: 'x', module: 'register', programId, waves: '100', failureMax: '10.00' }
    const { id } = await post('rollout/submit', draft)
    expect((await callApi('POST', 'rollout/start', { query: { id } })).data.reason).toBe('program_not_ready')
    expect((await callApi('POST', 'rollout/submit', { body: { ...draft, waves: '50,20' } })).data.reason).toBe(
      'waves_must_rise',
    )
  })

  it('has hours that may go over midnight', () => {
    const at = (clock: string) => new Date(`2026-11-20T${clock}:00+08:00`)
    const night = { windowStart: '23:00', windowEnd: '05:00' }
    expect(['22:59', '23:00', '04:59', '05:00'].map((clock) => isInRolloutWindow(night, at(clock)))).toEqual([
      false,
      true,
      true,
      false,
    ])
  })
})

/** Grants a platform permission explicitly to the platform's administrators. */
const grantToPlatform = (code: string) =>
  tenants.services.unit({ tenantId: MANAGEMENT_TENANT }, (db) =>
    db.run(sql`insert into role_menu (tenant_id, role_id, menu_id)
      select ${MANAGEMENT_TENANT}, r.id, m.id from sys_role r, menu m where r.tenant_id = ${MANAGEMENT_TENANT}
      and r.role_alias = 'administrator' and m.code = ${code}`),
  )

describe('a remote session', () => {
  const base = 'basicShopInfo'
  let typist: CastMember
  beforeAll(async () => {
    typist = await tenants.person(tenants.north, 'typist', ['deviceLink', 'deviceLink_session'])
  })
  const answered = new Set<string>()
  const answerNext = async (method: string, result: object) => {
    const next = () => down('cmd').find((one) => one.method === method && !answered.has(one.id))
    await vi.waitFor(() => expect(next()).toBeDefined())
    const { id } = next()
    answered.add(id)
    await sendFromDevice('ack', { id, ok: true })
    await sendFromDevice('res', { id, code: 0, data: result })
    return id as string
  }
  const open = async (who = typist): Promise<string> => {
    const opening = tenants.must(callApi('POST', `${base}/openSession`, { query: { clientId } }, who))
    await answerNext('shell.open', { shell: 'ash', cwd: '/root' })
    return (await opening).sessionId
  }
  const close = async (sessionId: string, who = typist) => {
    await tenants.must(callApi('GET', `${base}/closeSession`, { query: { sessionId } }, who))
  }
  const type = (sessionId: string, cmd: string, who = typist) =>
    callApi('POST', `${base}/cmd`, { body: { sessionId, cmd } }, who)
  const seen = (sessionId: string, who = typist) =>
    tenants.must(callApi('GET', `${base}/cmdResult`, { query: { sessionId } }, who))

  it('gives back what a command says, to its operator and to who watches', async () => {
    const sessionId = await open()
    expect(await tenants.must(type(sessionId, 'uptime'))).toMatchObject({ seq: 1 })
    const chunk = (n: number, text: string) => ({
      eid: `${sessionId}-${n}`,
      type: 'shell.out',
      data: { sid: sessionId, seq: 1, n, stream: 'out', data: Buffer.from(text).toString('base64') },
    })
    await sendFromDevice('evt', chunk(0, '\u001b[31mup 3 days\u001b[0m\n'))
    await sendFromDevice('evt', chunk(0, '\u001b[31mup 3 days\u001b[0m\n'))
    await answerNext('shell.exec', { exitCode: 0 })
    const item = { seq: 1, cmd: 'uptime', state: 'done', exitCode: 0, stdout: 'up 3 days\n' }
    expect(await seen(sessionId)).toMatchObject({ state: 'open', isMine: true, items: [item] })
    expect(await seen(sessionId, tenants.north.admin)).toMatchObject({ isMine: false, items: [item] })
    await close(sessionId)
    expect((await type(sessionId, 'uptime')).data.reason).toBe('remote_session_over')
  })

  it('masks a password and keeps a letter whole that a message of the device ends within', async () => {
    const sessionId = await open()
    await tenants.must(type(sessionId, 'cat wifi.conf'))
    const bytes = Buffer.from('店名=小满\nwifi_password=geheim77\nrest')
    let n = 0
    for (const at of [
      [0, 2],
      [2, 30],
      [30, bytes.length],
    ] as const)
      await sendFromDevice('evt', {
        eid: `${sessionId}-cut-${++n}`,
        type: 'shell.out',
        data: { sid: sessionId, seq: 1, n, stream: 'out', data: bytes.subarray(...at).toString('base64') },
      })
    const before = (await seen(sessionId)).items[0]
    expect(before.stdout).toBe('店名=小满\nwifi_password=******\n')
    await answerNext('shell.exec', { exitCode: 0 })
    expect((await seen(sessionId)).items[0].stdout).toBe('店名=小满\nwifi_password=******\nrest')
    const kept = await unit((db) => db.query(sql`select 1 from remote_output_tail`))
    expect(kept).toEqual([])
    const lines = await unit((db) => db.find(remoteLine, sql`r.session_id = ${sessionId}`))
    expect(JSON.stringify(lines)).not.toContain('heim77')
    await close(sessionId)
  })

  it('masks a password in a line too long to wait for its end', async () => {
    const sessionId = await open()
    await tenants.must(type(sessionId, 'cat long.log'))
    for (const [n, text] of [`${'word '.repeat(4_000)}password=gehe`, 'im77 end\n'].entries())
      await sendFromDevice('evt', {
        eid: `${sessionId}-long-${n}`,
        type: 'shell.out',
        data: { sid: sessionId, seq: 1, n, stream: 'out', data: Buffer.from(text).toString('base64') },
      })
    expect((await seen(sessionId)).items[0].stdout).toBe(`${'word '.repeat(4_000)}password=****** end\n`)
    await answerNext('shell.exec', { exitCode: 0 })
    await close(sessionId)
  })

  it('has one operator at a time; others are told who it is and may not type', async () => {
    const sessionId = await open()
    const second = await callApi('POST', `${base}/openSession`, { query: { clientId } })
    expect(second.data.reason).toBe('remote_session_taken')
    expect((await type(sessionId, 'uptime', tenants.north.admin)).data.reason).toBe('remote_session_of_another')
    await close(sessionId)
    await close(sessionId)
    await close(await open(tenants.north.admin), tenants.north.admin)
  })

  it('takes allowed commands alone, unless a right says otherwise', async () => {
    const sessionId = await open()
    const changing = [
      'ip link set eth0 down',
      'ip netns exec x reboot',
      'ip -batch /tmp/x',
      'ip r flush all',
      'date -s 0',
    ]
    changing.push('ifconfig eth0 down', 'hostname other', 'dmesg -c', 'ping -f shop', 'logread -F /etc/passwd')
    changing.push('date "-s" 0', 'ifconfig *', 'constructor', 'toString', "ip addr 'show' x")
    for (const cmd of ['reboot', 'ls; reboot', 'ls $(reboot)', 'cat /a | sh', 'ls\nreboot', ...changing])
      expect((await type(sessionId, cmd)).data.reason).toBe('remote_command_not_allowed')
    expect(down('cmd').filter(({ method }) => method === 'shell.exec')).toEqual([])
    for (const cmd of [
      'ip -4 addr show eth0',
      'date +%s',
      'ping -c 3 192.168.8.1',
      'ifconfig eth0',
      'dmesg -T',
      'ip r',
    ])
      expect((await type(sessionId, cmd)).status, cmd).toBe(200)
    await close(sessionId)
    const free = await open(tenants.north.admin)
    expect((await type(free, 'reboot -f', tenants.north.admin)).status).toBe(200)
    await close(free, tenants.north.admin)
  })

  it('keeps no secret, and nobody can change what it keeps', async () => {
    const sessionId = await open(tenants.north.admin)
    await tenants.must(type(sessionId, 'wifi set password=hunter2x', tenants.north.admin))
    await vi.waitFor(() => expect(down('cmd').some(({ method }) => method === 'shell.exec')).toBe(true))
    expect(down('cmd').find(({ method }) => method === 'shell.exec').params.cmd).toContain('hunter2x')
    const id = await answerNext('shell.exec', { exitCode: 0 })
    const kept = await unit(async (db) => [
      await db.find(remoteLine, sql`r.session_id = ${sessionId}`),
      await db.get(deviceCommand, id),
    ])
    expect(JSON.stringify(kept)).toContain('password=')
    expect(JSON.stringify(kept)).not.toContain('hunter2x')
    for (const statement of [sql`update remote_line set text = 'x'`, sql`delete from remote_line`])
      await expect(unit((db) => db.run(statement))).rejects.toThrow('permission denied')
    await close(sessionId, tenants.north.admin)
  })

  it('does nothing its log would not tell of, whoever types', async () => {
    const { admin } = tenants.north
    const sessionId = await open(admin)
    const hiding = [
      'pwd=x;reboot',
      'export a_token=1$(reboot)',
      ': password="\\";reboot',
      'ls \u001b[2K',
      'secret=`reboot`',
    ]
    for (const cmd of hiding) expect((await type(sessionId, cmd, admin)).data.reason, cmd).toBe('remote_command_hidden')
    expect(down('cmd').filter(({ method }) => method === 'shell.exec')).toEqual([])
    await tenants.must(type(sessionId, 'wifi set password=hunter3x && reboot', admin))
    expect((await seen(sessionId, admin)).items[0].cmd).toBe('wifi set password=****** && reboot')
    await close(sessionId, admin)
  })

  it('shows nobody else a secret while the device is still at work with it', async () => {
    const { admin } = tenants.north
    const sessionId = await open(admin)
    const { cmdId } = await tenants.must(type(sessionId, 'wifi set password=hunter4x', admin))
    for (const path of ['deviceCommand/steps', 'deviceCommand/detail'])
      expect(JSON.stringify(await tenants.must(callApi('GET', path, { query: { id: cmdId } }, admin)))).not.toContain(
        'hunter4x',
      )
    expect(JSON.stringify(await tenants.must(callApi('GET', 'deviceCommand/list', {}, admin)))).not.toContain(
      'hunter4x',
    )
    const steps = await tenants.must(callApi('GET', 'deviceCommand/steps', { query: { id: cmdId } }, typist))
    expect(steps).toMatchObject({ state: expect.any(String) })
    expect(steps).not.toHaveProperty('params')
    expect(steps).not.toHaveProperty('result')
    await close(sessionId, admin)
  })

  it('ends when nobody uses it, and is lost when the device goes away', async () => {
    const idle = await open()
    const early = new Date(now - 11 * 60_000).toISOString()
    await unit((db) => db.run(sql`update remote_session set last_time = ${early} where id = ${idle}`))
    await endOverdueRemoteSessions(tenants.services)
    expect(await seen(idle)).toMatchObject({ state: 'closed' })
    await sendFromDevice('online', { online: true, connId: 'c1' })
    const lost = await open()
    await sendFromDevice('online', { online: false, connId: 'c1', reason: 'lwt' })
    expect(await seen(lost)).toMatchObject({ state: 'lost' })
  })

  const take = (sessionId: string, who: CastMember | undefined) =>
    tenants.call(who, 'POST', `/api/shop/${base}/takeSession`, { query: { sessionId } })
  const hands = async (sessionId: string) =>
    (
      await unit((db) => db.find(remoteLine, sql`r.session_id = ${sessionId} and r.kind = 'hand'`, sql`order by r.id`))
    ).map(({ text }) => text)

  it('is taken over by who has the right: it goes on, the first is told and may watch, its log says who', async () => {
    const sessionId = await open()
    await tenants.must(type(sessionId, 'ping 10.0.0.1'))
    const second = await tenants.person(tenants.north, 'second', ['deviceLink_session', 'deviceLink_takeover'])
    const refused = await callApi('POST', `${base}/openSession`, { query: { clientId } }, second)
    expect(refused.data).toMatchObject({ reason: 'remote_session_taken', sessionId })
    expect(await seen(sessionId, second)).toMatchObject({ isMine: false, mayTake: true, operator: typist.account })
    const opened = down('cmd').filter(({ method }) => method === 'shell.open').length
    expect(await tenants.must(take(sessionId, second))).toMatchObject({ sessionId, state: 'open', shell: 'ash' })
    await tenants.must(take(sessionId, second))
    // The device is not told.
    expect(down('cmd').filter(({ method }) => method === 'shell.open')).toHaveLength(opened)
    expect((await type(sessionId, 'uptime')).data.reason).toBe('remote_session_of_another')
    const lost = { isMine: false, isLost: true, mayTake: false, operator: second.account }
    expect(await seen(sessionId)).toMatchObject(lost)
    await jobs()
    const given = { query: { userId: typist.userId } }
    const notices = await tenants.must(tenants.call(tenants.north.admin, 'GET', '/api/shop/noticeLog/list', given))
    expect(notices.records).toMatchObject([{ content: expect.stringContaining(`由 ${second.account} 接管`) }])
    // Output of the first operator's command stays theirs; commands the second types are the second's.
    await answerNext('shell.exec', { exitCode: 0 })
    await tenants.must(type(sessionId, 'uptime', second))
    await answerNext('shell.exec', { exitCode: 0 })
    const lines = await unit((db) => db.find(remoteLine, sql`r.session_id = ${sessionId}`, sql`order by r.id`))
    const by = (seq: number) => [
      ...new Set(lines.filter((one) => one.seq === seq && one.kind !== 'hand').map((one) => one.userId)),
    ]
    expect([by(1), by(2)]).toEqual([[typist.userId], [second.userId]])
    expect(await hands(sessionId)).toEqual([typist.account, `${typist.account} → ${second.account}`])
    await close(sessionId, second)
    expect((await take(sessionId, second)).data.reason).toBe('remote_session_over')
  })

  it('is not taken over without that right, from another shop or tenant, nor by one who may not type', async () => {
    const sessionId = await open()
    const watcher = await tenants.person(tenants.north, 'watcher', ['deviceLink_session'])
    const taker = await tenants.person(tenants.north, 'only', ['deviceLink_takeover'])
    const boss = await tenants.boss(tenants.north, tenants.north.shops[1]!)
    const statuses = []
    for (const who of [undefined, watcher, taker, boss, tenants.south.admin])
      statuses.push((await take(sessionId, who)).status)
    expect(statuses).toEqual([401, 403, 403, 404, 404])
    expect(await seen(sessionId)).toMatchObject({ isMine: true, operator: typist.account })
    expect(await hands(sessionId)).toEqual([typist.account])
    await close(sessionId)
  })

  it('of a tenant is watched by the platform, which works in it only where that was granted by name', async () => {
    const platform = await tenants.server.as('admin')
    const sessionId = await open()
    const { id } = await program('clientVersion', '7.0.0', 70)
    const upgrade = () => callApi('POST', `${base}/upgrade`, { query: { clientId }, body: { versionId: id } }, platform)
    const audit = async () =>
      (await unit((db) =>
        db.query<{ title: string; by: string }>(sql`select title, create_by as by from log_api
        where tenant_id = ${tenantId} and create_user = ${platform.userId} order by id`),
      )) as { title: string; by: string }[]
    expect(await seen(sessionId, platform)).toMatchObject({ isMine: false, mayTake: false })
    const sentBefore = down('cmd').length
    for (const answer of [
      await take(sessionId, platform),
      await type(sessionId, 'uptime', platform),
      await callApi('GET', `${base}/closeSession`, { query: { sessionId } }, platform),
      await callApi('POST', `${base}/openSession`, { query: { clientId } }, platform),
      await upgrade(),
    ])
      expect([answer.status, answer.data.reason]).toEqual([403, 'tenant_devices_not_granted'])
    expect([down('cmd').length, await audit(), await hands(sessionId)]).toEqual([sentBefore, [], [typist.account]])

    await grantToPlatform('tenant_devices')
    await tenants.must(take(sessionId, platform))
    await tenants.must(type(sessionId, 'uptime', platform))
    await answerNext('shell.exec', { exitCode: 0 })
    expect(await seen(sessionId)).toMatchObject({ isLost: true, operator: expect.stringMatching(/^平台 · /) })
    await close(sessionId, platform)
    await close(await open(platform), platform)
    const foreign = await tenants.services.unit({ tenantId: MANAGEMENT_TENANT }, (db) =>
      db.insert(clientVersion, {
        versionName: '7.0.1',
        versionCode: 71,
        status: 1,
        url: '/none',
        rollout: 100,
        model: '',
      }),
    )
    for (const [versionId, status, reason] of [
      [foreign.id, 400, 'program_of_others'],
      ['12345', 404, 'not_found'],
    ] as const) {
      const given = { query: { clientId }, body: { versionId } }
      const answer = await callApi('POST', `${base}/upgrade`, given, platform)
      expect([answer.status, answer.data?.reason]).toEqual([status, reason])
    }
    expect((await upgrade()).status).toBe(200)
    const titles = (await audit()).map(({ title }) => title)
    expect(titles).toEqual([
      expect.stringMatching(/^平台管理员：.+ → 平台 · /),
      expect.stringMatching(/^平台管理员：平台 · /),
      '平台管理员：升级',
    ])
    const [command] = await unit((db) =>
      db.find(deviceCommand, sql`r.method = 'gw.upgrade'`, sql`order by r.id desc limit 1`),
    )
    expect(command).toMatchObject({ userId: platform.userId, reason: expect.stringMatching(/^平台 · /) })
    await unit((db) => db.run(sql`delete from device_command_due`))
    await tenants.services.unit({ tenantId: MANAGEMENT_TENANT }, (db) => db.run(sql`delete from role_menu where true`))
    expect((await callApi('POST', `${base}/openSession`, { query: { clientId } }, platform)).status).toBe(403)
  })

  it('is not found by a boss of another shop or another tenant, nor opened without the right', async () => {
    const other = await tenants.boss(tenants.north, tenants.north.shops[1]!)
    const reader = await tenants.person(tenants.north, 'looker', ['deviceLink'])
    const sessionId = await open()
    for (const [who, status] of [
      [undefined, 401],
      [reader, 403],
      [other, 404],
      [tenants.south.admin, 404],
    ] as const) {
      const call = (method: 'GET' | 'POST', path: string, given: object) =>
        tenants.call(who, method, `/api/shop/${base}/${path}`, given)
      expect((await call('POST', 'openSession', { query: { clientId } })).status).toBe(status)
      expect((await call('POST', 'cmd', { body: { sessionId, cmd: 'ls' } })).status).toBe(status)
      expect((await call('GET', 'cmdResult', { query: { sessionId } })).status).toBe(status)
      expect((await call('GET', 'closeSession', { query: { sessionId } })).status).toBe(status)
    }
    await close(sessionId)
  })
})

describe('a register', () => {
  it('signs in at the broker with its one secret until that is revoked, and hears of new pictures', async () => {
    const shopId = tenants.south.shops[0]!
    const south = { tenantId: '100002' }
    const { id, sn, secret } = await tenants.register(tenants.south, shopId)
    const mayEnter = () =>
      authenticateDevice(tenants.services.systemPool, { clientId: sn, username: sn, password: secret })
    expect(await mayEnter()).toEqual(south)
    await tenants.services.unit(south, (db) => db.run(sql`update device_link set state = 'online' where id = ${id}`))
    const body = { name: '新品', picture: '/files/a.png', position: 'idle', shopIds: [shopId], enabled: true }
    const save = (draft: object) =>
      tenants.must(tenants.call(tenants.south.admin, 'POST', '/api/shop/cashRegisterPic/submit', { body: draft }))
    const { id: pictureId } = await save(body)
    await jobs()
    await save({ name: '别处', picture: '/files/b.png', position: 'idle', shopIds: [tenants.south.shops[1]] })
    await save({ id: pictureId, enabled: false })
    await jobs()
    const desiredStates = down('desired', sn)
    expect(desiredStates[0].conf.pictures).toMatchObject([{ id: pictureId, url: '/files/a.png' }])
    expect(desiredStates.at(-1).conf.pictures).toEqual([])
    expect(desiredStates.at(-1).ver).toBeGreaterThan(desiredStates[0].ver)
    await tenants.must(tenants.call(tenants.south.admin, 'POST', '/api/shop/cashRegister/revoke', { query: { id } }))
    expect(await mayEnter()).toBeUndefined()
  })
})

describe('a register that is told to restart', () => {
  it('does so by its own command; what only a gateway has is refused, and nothing is sent', async () => {
    const shopId = tenants.north.shops[0]!
    const { sn } = await tenants.register(tenants.north, shopId)
    await sendFromDevice('online', { online: true, connId: 'r1' }, sn)
    await hello('3.0.0', 'r1', sn)
    const restart = (type: number) => callApi('GET', 'basicShopInfo/reboot', { query: { clientId: sn, type } })
    const refused = await restart(3)
    expect(refused).toMatchObject({ status: 400, data: { fields: { type: expect.anything() } } })
    expect(down('cmd', sn)).toEqual([])
    const restartResponse = restart(1)
    await vi.waitFor(() => expect(down('cmd', sn)).toHaveLength(1))
    const { id, method, params } = down('cmd', sn)[0]
    expect([method, params]).toEqual(['gw.reboot', { type: 1 }])
    await sendFromDevice('ack', { id, ok: true }, sn)
    expect((await restartResponse).data).toMatchObject({ cmdId: id, state: 'taken' })
    await hello('3.0.0', 'r2', sn)
    expect((await unit((db) => db.get(deviceCommand, id)))?.state).toBe('done')
  })
})

describe('settings of a shop', () => {
  it('reach its gateway when they are saved, and are reported when it acts by them', async () => {
    const conf = async () =>
      (await tenants.must(callApi('GET', 'shopConf/list', { query: { shopId: gateway } }))).records[0]
    const before = await conf()
    await post('shopConf/submit', { id: before.id, doorHoldSeconds: before.doorHoldSeconds + 1 })
    await jobs()
    const wanted = before.wantedVersion + 1
    const desiredState = sent.find((one) => one.about === 'desired' && one.clientId === clientId)
    expect(desiredState).toMatchObject({ clientId, retain: true, message: { ver: wanted } })
    expect(desiredState!.message.conf).toMatchObject({ doorHoldSeconds: before.doorHoldSeconds + 1 })
    await sendFromDevice('state', { confVersion: wanted + 5 })
    expect((await conf()).reportedVersion).toBe(before.reportedVersion)
    await sendFromDevice('state', { confVersion: wanted })
    expect(await conf()).toMatchObject({ wantedVersion: wanted, reportedVersion: wanted })
    expect(await unit((db) => db.get(deviceLink, gateway))).toMatchObject({ reported: { confVersion: wanted } })
  })
})
