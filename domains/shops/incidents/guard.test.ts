import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DataScope } from '#kit/server/base/caller.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { testGateway } from '#tests/support/gateway.ts'
import type { CastMember } from '#tests/support/server.ts'
import { saleBodyOf, createTestTenants, type TestTenants } from '#tests/support/test-tenants.ts'
import { createTestWorld, type TestWorld } from '#tests/support/world.ts'
import { raiseEvent, resolveEvents, type RaiseEventInput } from '#domains/shops/shop-events/api.ts'
import { createVisit, recordDeviceVisitMoment } from '#domains/shops/visits/api.ts'
import type { ShiftHandover } from './handover.ts'
import { durationText } from './duration-text.ts'
import { scoreCaseRisk } from './risk.ts'
import { defineQueue } from '#kit/server/jobs/index.ts'

let tenants: TestTenants
let world: TestWorld
let admin: CastMember
let shopId: string
beforeAll(async () => {
  tenants = await createTestTenants()
  world = createTestWorld(tenants.server)
  admin = tenants.north.admin
  shopId = tenants.north.shops[0]!
})
afterAll(() => tenants?.close())

const CODES = ['guardDesk', 'guardCase', 'guardCase_claim', 'guardCase_handOver', 'guardCase_say', 'guardShift']
  .concat(['guardShift_begin', 'guardShift_end', 'guardShift_amend', 'event', 'event_acknowledge', 'event_resolve'])
  .concat(['user', 'guardPhrase'])
const inNorth = <T>(work: (db: Db) => Promise<T>) => tenants.services.unit({ tenantId: '100001' }, work)
let made = 0
const raise = (raised: Partial<RaiseEventInput> = {}) =>
  inNorth((db) =>
    raiseEvent(db, { shopId, type: 'intrusion', subject: `c${++made}`, content: '有人进入仓库', ...raised }),
  )
const post = (who: CastMember, path: string, body: object) => tenants.call(who, 'POST', `/api/shop/${path}`, { body })
const act = (who: CastMember, name: string, id: string, more: object = {}) =>
  post(who, `guardCase/${name}`, { id, ...more })
const desk = (who = admin) => tenants.must(tenants.call(who, 'GET', '/api/shop/guardCase/desk'))
const caseOf = async (id: string, who = admin): Promise<Record<string, any>> =>
  tenants.must(tenants.call(who, 'GET', '/api/shop/guardCase/detail', { query: { id } }))
const eventOf = (id: string) => tenants.must(tenants.call(admin, 'GET', '/api/shop/event/detail', { query: { id } }))

test('how long something took is said as people say it, and hours never in seconds', () => {
  expect([0, 119.4, 120, 7_199, 25_583].map((seconds) => durationText(seconds).zh)).toEqual([
    '0 秒',
    '119 秒',
    '2 分钟',
    '2 小时 0 分钟',
    '7 小时 6 分钟',
  ])
  expect(durationText(25_583).en).toBe('7 h 6 min')
})

describe('a case', () => {
  test('comes with what it stands for and under its id: of a notice for the morning there is none', async () => {
    const [urgent, notice] = [await raise(), await raise({ type: 'lowStock' })]
    const spoilt = await raise({ type: 'expiring', level: 2 })
    expect(await caseOf(urgent)).toMatchObject({ kind: 'intrusion', status: 0, eventId: urgent, shopId, level: 3 })
    for (const id of [notice, spoilt])
      expect((await tenants.call(admin, 'GET', '/api/shop/guardCase/detail', { query: { id } })).status).toBe(404)
    const found = (await desk()).cases.find(({ id }: { id: string }) => id === urgent)
    expect(found).toMatchObject({ content: '有人进入仓库', count: 1 })
    expect(found.risk).toBe(found.parts.reduce((sum: number, one: { points: number }) => sum + one.points, 0))
  })

  test('tells of its event in the language of who reads it, in lists and pickers too, and in no other', async () => {
    const id = await raise({ content: { zh: '一扇窗开着', en: 'A window stands open' } })
    const read = (path: string, lang: 'zh' | 'en', query: Record<string, unknown>) =>
      tenants.must(tenants.call(admin, 'GET', `/api/${path}`, { query, lang }))
    for (const [lang, text] of [
      ['zh', '一扇窗开着'],
      ['en', 'A window stands open'],
    ] as const) {
      const { records } = await read('shop/guardCase/list', lang, { eventId: id })
      expect(records).toMatchObject([{ id, eventContent: text }])
      expect(JSON.stringify(records)).not.toContain('eventContent.en')
      expect(await read('shop/event/detail', lang, { id })).toMatchObject({ content: text })
      const options = await read('kit/options/event', lang, { ids: id })
      expect(options).toMatchObject([{ id, title: text }])
    }
    await inNorth((db) => resolveEvents(db, { shopId, type: 'intrusion', subject: `c${made}` }))
  })

  test('has one taker of twenty at once; the others are told who, and nothing is acknowledged twice', async () => {
    const guards: CastMember[] = []
    for (let n = 0; n < 20; n++) guards.push(await tenants.person(tenants.north, 'guard', CODES))
    const id = await raise()
    const answers = await Promise.all(guards.map((one) => act(one, 'claim', id)))
    const won = answers.flatMap(({ status }, at) => (status === 200 ? [at] : []))
    expect(won).toHaveLength(1)
    const winner = guards[won[0]!]!
    const lost = answers.filter((_, at) => at !== won[0])
    for (const answer of lost) expect(answer).toMatchObject({ status: 409, data: { reason: 'guard_taken' } })
    expect(answers.find(({ status }) => status === 409)!.body.msg).toContain(winner.account)
    expect(await caseOf(id)).toMatchObject({ status: 1, takerId: winner.userId })
    expect(await eventOf(id)).toMatchObject({ status: 1, handler: winner.userId })
    const actions = await inNorth((db) => db.query(sql`select kind from guard_deed where case_id = ${id}`))
    expect(actions).toEqual([{ kind: 'claim' }])
    // The person who took it can finish it; others can neither finish nor hand it over.
    const other = guards[(won[0]! + 1) % 20]!
    for (const name of ['finish', 'release', 'handOver'])
      expect((await act(other, name, id, { outcome: 'harmless', userId: other.userId })).status).toBe(409)
    expect((await act(winner, 'handOver', id, { userId: other.userId })).status).toBe(200)
    expect((await act(winner, 'finish', id, { outcome: 'harmless' })).status).toBe(409)
    expect((await act(other, 'finish', id, { outcome: 'spoken', remark: '已劝离' })).status).toBe(200)
    expect(await eventOf(id)).toMatchObject({ status: 2, handleRemark: '已劝离', handler: other.userId })
    expect(await caseOf(id)).toMatchObject({ status: 2, outcome: 'spoken', takerId: other.userId })
  })

  test('whose cause goes away by itself is over by itself, taken or not, and is finished by nobody then', async () => {
    for (const isTaken of [false, true]) {
      const subject = `self${made}${isTaken}`
      const id = await raise({ type: 'doorLeftOpen', subject })
      if (isTaken) await tenants.must(act(admin, 'claim', id))
      await inNorth((db) => resolveEvents(db, { shopId, type: 'doorLeftOpen', subject }))
      expect(await caseOf(id)).toMatchObject({ status: 3, outcome: 'itself', takerId: isTaken ? admin.userId : '' })
      const late = await act(admin, 'finish', id, { outcome: 'harmless' })
      expect(late).toMatchObject({ status: 409, data: { reason: 'guard_over' } })
      expect((await desk()).cases.some((one: { id: string }) => one.id === id)).toBe(false)
    }
  })

  test('that a guard finishes while its cause goes away ends once, by the one or the other', async () => {
    for (let n = 0; n < 12; n++) {
      const subject = `race${made}`
      const id = await raise({ type: 'doorLeftOpen', subject })
      if (n % 2) await act(admin, 'claim', id)
      const [finished] = await Promise.all([
        act(admin, 'finish', id, { outcome: 'called' }),
        inNorth((db) => resolveEvents(db, { shopId, type: 'doorLeftOpen', subject })),
      ])
      const row = await caseOf(id)
      expect([200, 409]).toContain(finished.status)
      expect(row.outcome).toBe(finished.status === 200 ? 'called' : 'itself')
      expect(row.status).toBe(finished.status === 200 ? 2 : 3)
      expect((await eventOf(id)).status).toBe(2)
    }
  })

  test('follows what is done about it elsewhere: who took its event has it, who resolved it has ended it', async () => {
    const id = await raise()
    await tenants.must(post(admin, 'event/acknowledge', { ids: id }))
    expect(await caseOf(id)).toMatchObject({ status: 1, takerId: admin.userId })
    await tenants.must(post(admin, 'event/resolve', { ids: id, remark: '误报' }))
    expect(await caseOf(id)).toMatchObject({ status: 2, outcome: 'elsewhere', remark: '误报' })
  })

  test('is a visit nobody can explain, until it is paid after all', async () => {
    const { id: goodId, upc } = await tenants.good(tenants.north, shopId)
    const register = await tenants.register(tenants.north, shopId)
    const at = (s: number) => new Date(Date.now() - 600_000 + s * 1000)
    const visitId = await inNorth(async (db) => {
      const id = await createVisit(db, { shopId, entryMode: 'open', at: at(0) })
      await recordDeviceVisitMoment(db, { shopId, visitId: id }, { kind: 'entered', at: at(1) })
      await recordDeviceVisitMoment(db, { shopId, visitId: id }, { kind: 'left', at: at(60) })
      return id
    })
    expect(await caseOf(visitId)).toMatchObject({ kind: 'suspicious', status: 0, visitId })
    expect((await act(admin, 'claim', visitId)).status).toBe(200)
    const saleTime = (ms: number) => new Date(ms + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')
    const sale = await tenants.must(
      tenants.beep(register, 'POST', 'sale', { body: { ...saleBodyOf(upc), saleTime: saleTime(at(30).getTime()) } }),
    )
    await inNorth(async (db) => {
      await recordDeviceVisitMoment(db, { shopId, visitId }, { kind: 'picked', at: at(20), goodId, quantity: 1 })
      await recordDeviceVisitMoment(db, { shopId, visitId }, { kind: 'paid', at: at(30), orderId: sale.orderId })
    })
    expect(await caseOf(visitId)).toMatchObject({ status: 3, outcome: 'itself' })
  })

  test('is a refund somebody asked for: it is decided as a refund, and is over with that', async () => {
    const { upc } = await tenants.good(tenants.north, shopId)
    const register = await tenants.register(tenants.north, shopId)
    const ask = async () => {
      const sale = await tenants.must(
        tenants.beep(register, 'POST', 'sale', { body: { ...saleBodyOf(upc), saleTime: shanghai() } }),
      )
      const clerk = await tenants.person(tenants.north, 'asker', ['refunds', 'refunds_add', 'shoppingOrder'])
      return (
        await tenants.must(post(clerk, 'refunds/submit', { orderId: sale.orderId, full: true, reason: '拿错商品' }))
      ).id as string
    }
    const [approved, rejected] = [await ask(), await ask()]
    expect((await act(admin, 'finish', approved, { outcome: 'harmless' })).data.reason).toBe('guard_refund_decides')
    expect((await act(admin, 'claim', approved)).status).toBe(200)
    await tenants.must(post(admin, 'refunds/approve', { id: approved }))
    await tenants.must(post(admin, 'refunds/reject', { id: rejected, auditRemark: '已开封' }))
    expect(await caseOf(approved)).toMatchObject({ status: 2, outcome: 'approved', takerId: admin.userId })
    expect(await caseOf(rejected)).toMatchObject({ status: 2, outcome: 'rejected', remark: '已开封' })
  })

  test('waits while work is planned on the shop, and comes when that is over and it still is', async () => {
    const other = tenants.north.shops[1]!
    const work = await inNorth((db) =>
      db.one<{ id: string }>(sql`insert into planned_work (id, tenant_id, shop_id, reason, start_time, end_time)
        values (${String(Date.now())}, '100001', ${other}, '检修', now() - interval '1 hour', now() + interval '1 hour')
        returning id`),
    )
    const id = await raise({ shopId: other, type: 'doorForced' })
    expect((await tenants.call(admin, 'GET', '/api/shop/guardCase/detail', { query: { id } })).status).toBe(404)
    await inNorth((db) =>
      db.run(sql`update planned_work set end_time = now() - interval '1 second'
      where tenant_id = '100001' and id = ${work!.id}`),
    )
    await inNorth((db) => db.enqueue(defineQueue('shop.silence'), {}))
    await tenants.server.jobs.runDue()
    expect(await caseOf(id)).toMatchObject({ status: 0, kind: 'doorForced' })
  })

  test('is seen and worked on by the people of its shop alone', async () => {
    const id = await raise()
    const stranger = await tenants.boss(tenants.north, tenants.north.shops[1]!)
    for (const who of [stranger, tenants.south.admin]) {
      expect((await act(who, 'claim', id)).status).toBe(404)
      expect((await tenants.call(who, 'GET', '/api/shop/guardCase/beside', { query: { id } })).status).not.toBe(200)
    }
    const clerk = await tenants.person(tenants.north, 'clerk', ['guardDesk'])
    expect((await desk(clerk)).cases).toEqual([])
    expect((await act(clerk, 'claim', id)).status).toBe(403)
    const boss = await tenants.boss(tenants.north, shopId)
    expect((await act(boss, 'claim', id)).status).toBe(200)
    expect((await act(admin, 'handOver', id, { userId: tenants.south.admin.userId })).status).toBe(400)
  })
})

/** Uploads a sound file; returns its link. */
async function sound(): Promise<string> {
  const form = new FormData()
  form.append('file', new Blob([Buffer.from('RIFF$   WAVEfmt ')]), 'phrase.wav')
  const request = new Request('http://localhost/', { method: 'POST', body: form })
  const response = await tenants.server.http.inject({
    method: 'POST',
    url: '/api/blade-resource/oss/endpoint/put-file',
    headers: {
      'blade-auth': `bearer ${admin.token}`,
      'content-type': request.headers.get('content-type')!,
    },
    payload: Buffer.from(await request.arrayBuffer()),
  })
  return response.json().data.link as string
}

describe('a ready phrase', () => {
  test('is said in the shop of the case, whosever announcement it is; whoever speaks has taken the case', async () => {
    const clientId = 'GW-guard-1'
    await tenants.must(post(admin, 'basicShopInfo/submit', { id: shopId, clientId }))
    const gateway = testGateway(tenants.services, { tenantId: '100001', clientId })
    const audio = await tenants.must(
      post(admin, 'audioConf/submit', {
        name: '请结账',
        shopId: tenants.north.shops[1],
        text: '请结账',
        trigger: 'manual',
      }),
    )
    const { id: phraseId } = await tenants.must(post(admin, 'guardPhrase/submit', { name: '结账', audioId: audio.id }))
    const guard = await tenants.person(tenants.north, 'guard', CODES)
    const [id, other] = [await raise(), await raise()]
    const speak = (caseId: string) => act(guard, 'say', caseId, { phraseId })
    // Without a sound nothing is spoken, and with an offline gateway the call is refused.
    expect((await speak(id)).data.reason).toBe('audio_not_ready')
    expect((await caseOf(id)).status).toBe(0)
    const link = await sound()
    await inNorth((db) =>
      db.run(sql`update audio_conf set state = 'READY', audio_url = ${link}
        where tenant_id = '100001' and id = ${audio.id}`),
    )
    expect((await speak(other)).data.reason).toBe('device_offline')
    await gateway.say('online', { online: true, connId: 'c1' })
    await tenants.must(speak(id))
    expect((await gateway.told('audio.play')).params).toMatchObject({ times: 1 })
    expect(await caseOf(id)).toMatchObject({ status: 1, takerId: guard.userId })
    const { deeds } = await tenants.must(tenants.call(guard, 'GET', '/api/shop/guardCase/beside', { query: { id } }))
    expect(deeds.map(({ kind, note }: { kind: string; note: string | null }) => [kind, note ?? ''])).toEqual([
      ['claim', ''],
      ['say', '结账'],
    ])
    // Names, phrases and texts are returned only as far as their own lists allow.
    const shownTexts = async (dataScopes: DataScope[]) => {
      const seer = world.be({ tenantId: '100001', permissions: new Set(CODES), dataScopes })
      const { data } = await world.ask(seer, 'GET', '/api/shop/guardCase/beside', { query: { id } })
      const phrase = data.phrases.find((one: { id: string }) => one.id === phraseId)
      return [phrase.name, phrase.text, data.deeds.map(({ who }: { who: string }) => who)]
    }
    const only = (resourceCode: string): DataScope => ({
      resourceCode,
      type: 1,
      column: null,
      value: null,
      fields: 'id',
    })
    const name = expect.stringMatching(/./)
    expect(await shownTexts([])).toEqual(['结账', '请结账', [name, name]])
    expect(await shownTexts(['guardPhrase', 'audioConf', 'user'].map(only))).toEqual([phraseId, '', ['', '']])
    await tenants.must(post(admin, 'guardPhrase/submit', { id: phraseId, enabled: false }))
    expect((await speak(id)).data.reason).toBe('guard_phrase_off')
  })
})

const shanghai = () => new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')

describe('the queue', () => {
  test('puts a call for help before a door, a door before a refund, and says why in parts that add up', () => {
    const facts = { level: 2, count: 1, cents: 0, waitedMinutes: 3, isWaiting: true, isUnattended: true } as const
    const rest = { isOffline: false, others: 0, unpaidBefore: 0 }
    const score = (kind: string, more: object = {}) => scoreCaseRisk({ ...facts, ...rest, kind, ...more }).score
    expect(score('sos')).toBeGreaterThan(score('doorForced'))
    expect(score('doorForced')).toBeGreaterThan(score('refund'))
    for (const more of [{ cents: 5000 }, { count: 4 }, { unpaidBefore: 2 }, { others: 2 }, { isOffline: true }])
      expect(score('unpaidLeave', more)).toBeGreaterThan(score('unpaidLeave'))
    // No combination of other facts outweighs a new call for help.
    expect(score('refund', { cents: 1e9, count: 99, others: 99, waitedMinutes: 999 })).toBeLessThan(score('sos'))
  })
})

describe('a watch', () => {
  test('writes its hand-over from the rows: what came, was done, went by itself, is open, and how fast', async () => {
    // Ends the cases of earlier tests.
    await inNorth((db) =>
      db.run(sql`update guard_case set status = 2, end_time = now() - interval '1 hour',
      first_time = now() - interval '1 hour', came_time = now() - interval '2 hours' where tenant_id = '100001'`),
    )
    const before = await raise({ type: 'temperature' })
    await inNorth((db) =>
      db.run(sql`update guard_case set came_time = now() - interval '10 minutes'
      where tenant_id = '100001' and id = ${before}`),
    )
    const guard = await tenants.person(tenants.north, 'guard', CODES)
    const { id } = await tenants.must(post(guard, 'guardShift/begin', {}))
    expect((await post(guard, 'guardShift/begin', {})).data.id).toBe(id)
    const came: string[] = []
    for (let n = 0; n < 6; n++) came.push(await raise({ subject: `watch${n}` }))
    for (const one of came.slice(0, 3)) await tenants.must(act(guard, 'finish', one, { outcome: 'spoken' }))
    await inNorth((db) => resolveEvents(db, { shopId, type: 'intrusion', subject: 'watch3' }))
    await inNorth((db) =>
      db.run(sql`update guard_case set came_time = first_time - interval '40 seconds'
      where tenant_id = '100001' and id = ${came[0]} and first_time is not null`),
    )
    const handover = await tenants.must(
      tenants.call(guard, 'GET', '/api/shop/guardShift/handover', { query: { id }, lang: 'en' }),
    )
    expect(handover.lines[0]).toBe(`${handover.before} cases were open at the start, ${handover.came} came in`)
    await tenants.must(post(guard, 'guardShift/end', { id, note: '2 号冷柜观察' }))
    const row = await tenants.must(tenants.call(guard, 'GET', '/api/shop/guardShift/detail', { query: { id } }))
    const kept: ShiftHandover = await tenants.must(
      tenants.call(guard, 'GET', '/api/shop/guardShift/handover', { query: { id } }),
    )
    expect(kept).toMatchObject({ done: 3, itself: 1, left: 3, outcomes: [{ outcome: 'spoken', count: 3 }] })
    expect(new Set(kept.open.map((one) => one.id))).toEqual(new Set([before, came[4], came[5]]))
    expect(kept.watch).toContainEqual(expect.objectContaining({ why: 'often', shopId, count: expect.any(Number) }))
    const answers = await inNorth((db) =>
      db.query<{ s: number }>(sql`select greatest(0, extract(epoch from first_time - came_time))::float8 as s
        from guard_case where tenant_id = '100001' and first_time >= ${row.startTime}::timestamptz order by 1`),
    )
    const p95 = answers[Math.ceil(answers.length * 0.95) - 1]!.s
    expect(kept.answer).toMatchObject({ count: answers.length, p95: Math.round(p95) })
    expect(row).toMatchObject({ status: 1, done: 3, left: 3, answerP95: Math.round(p95) })
    expect(row.note).toContain('2 号冷柜观察')
    await tenants.must(post(guard, 'guardShift/amend', { id, note: '已报修' }))
    const amended = await tenants.must(tenants.call(guard, 'GET', '/api/shop/guardShift/handover', { query: { id } }))
    // The handover stays as written; the note is added to it.
    expect(amended).toMatchObject({ done: 3, note: expect.stringMatching(/冷柜观察[\s\S]*已报修/) })
    const other = await tenants.person(tenants.north, 'guard', CODES)
    expect((await post(other, 'guardShift/amend', { id, note: 'x' })).data.reason).toBe('shift_of_other')
  })
})
