import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sql, type Db } from '#kit/server/database/db.ts'
import { createTestTenants, type TestTenants } from '#tests/support/test-tenants.ts'
import { raiseEvent } from './event.server.ts'
import { remindOfEvents } from './notice.job.ts'
import { checkSilentSources } from './silence.job.ts'

const DEVICES = 40
const MINUTE = 60_000
const tenantId = '100001'
let now = Date.now()
let tenants: TestTenants
let shopId: string
let gatewayId: string

const unit = <T>(work: (db: Db) => Promise<T>) => tenants.services.unit({ tenantId }, work)
const save = (resource: string, body: object) =>
  tenants.must(tenants.call(tenants.north.admin, 'POST', `/api/shop/${resource}/submit`, { body }))
const watch = () => checkSilentSources({ ...tenants.services, now: () => new Date(now) })
const events = async (status = '0,1,2') =>
  (
    await tenants.must(
      tenants.call(tenants.north.admin, 'GET', '/api/shop/event/list', {
        query: { type: 'offline', shopId, status, size: 50, ascs: 'createTime' },
      }),
    )
  ).records as any[]
const detail = async (id: string, lang: 'zh' | 'en' = 'zh') =>
  tenants.must(tenants.call(tenants.north.admin, 'GET', '/api/shop/event/detail', { query: { id }, lang }))
/** Number of queued notification jobs, one for each event. */
const tellings = () =>
  unit(
    async (db) =>
      (await db.query(sql`select 1 from job where tenant_id = ${tenantId} and queue = 'event.notify'`)).length,
  )
const setLinkState = (state: 'online' | 'offline' | 'unknown', at = now) =>
  unit((db) =>
    db.run(sql`update device_link set state = ${state}, last_seen_time = ${new Date(at).toISOString()},
      state_time = ${new Date(now).toISOString()} where id = ${gatewayId}`),
  )
const workFor = (from: number, to: number) => {
  const text = (ms: number) => new Date(ms + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')
  return save('plannedWork', { shopId, reason: '换电表', startTime: text(from), endTime: text(to) })
}

beforeAll(async () => {
  tenants = await createTestTenants()
  shopId = tenants.north.shops[0]!
  await unit((db) => db.run(sql`update basic_shop_info set status = 1`))
  gatewayId = (await save('epaGateway', { name: '北一用电', clientId: 'EPA-north-1', shopId })).id
  for (let n = 1; n <= DEVICES; n++)
    await save('epaDevice', { name: `灯${n}`, clientId: `S${n}`, gatewayId, kind: 'light' })
})
beforeEach(async () => {
  now = Date.now()
  await setLinkState('online')
  await watch()
  await unit((db) => db.run(sql`delete from shop_event`))
  await unit((db) => db.run(sql`delete from planned_work`))
})
afterAll(() => tenants.close())

describe('silence in a shop', () => {
  it('of 40 devices behind one gateway is one event and one telling, with all of them inside', async () => {
    const before = await tellings()
    await setLinkState('offline', now - MINUTE)
    await watch()
    expect(await events()).toEqual([])
    now += 3 * MINUTE
    await Promise.all([watch(), watch()])
    await watch()
    const [one, ...more] = await events()
    expect(more).toEqual([])
    expect(one).toMatchObject({ status: 0, content: expect.stringContaining(`${DEVICES + 1} 台设备失联：北一用电、`) })
    expect(one.contentEn).toContain(`${DEVICES + 1} devices unreachable: 北一用电, `)
    const { devices } = await detail(one.id)
    expect(devices).toHaveLength(DEVICES + 1)
    expect(devices.map(({ name }: any) => name)).toContain('灯40')
    expect(await tellings()).toBe(before + 1)
  })

  it('closes itself when all are back, and says how long it lasted', async () => {
    await setLinkState('offline', now - 65 * MINUTE)
    await watch()
    await setLinkState('online')
    await watch()
    const [one] = await events()
    expect(one).toMatchObject({ status: 2, handleRemark: '已自动恢复' })
    expect(await detail(one.id)).toMatchObject({ lasted: '1 小时 5 分钟' })
    expect(await detail(one.id, 'en')).toMatchObject({ lasted: '1 h 5 min' })
    await watch()
    expect(await events()).toHaveLength(1)
  })

  it('that somebody settled is not told each minute again, but when it is another or half a day is over', async () => {
    const acknowledge = async () => {
      const open = (await events('0,1'))[0]
      await tenants.must(
        tenants.call(tenants.north.admin, 'POST', '/api/shop/event/resolve', {
          body: { ids: open.id, remark: '已报修' },
        }),
      )
    }
    await setLinkState('offline', now - 30 * MINUTE)
    await watch()
    await acknowledge()
    for (let n = 0; n < 3; n++) {
      now += MINUTE
      await watch()
    }
    expect(await events('0,1')).toEqual([])
    expect(await events()).toHaveLength(1)
    // It came back in between, so it counts as newly offline.
    await setLinkState('offline', now)
    now += 4 * MINUTE
    await watch()
    expect(await events('0,1')).toHaveLength(1)
    await acknowledge()
    await unit((db) => db.run(sql`update shop_event set resolve_time = now() - interval '2 minutes'`))
    await setLinkState('offline', now - 60 * MINUTE)
    await watch()
    expect(await events('0,1')).toEqual([])
    now += 12 * 60 * MINUTE
    await watch()
    expect(await events('0,1')).toHaveLength(1)
  })

  it('is not over because nobody knows for a moment, nor begins because of that', async () => {
    await setLinkState('unknown', now - 10 * MINUTE)
    await watch()
    expect(await events()).toEqual([])
    await setLinkState('offline', now - 10 * MINUTE)
    await watch()
    await setLinkState('unknown', now - 10 * MINUTE)
    await watch()
    expect(await events()).toMatchObject([{ status: 0, count: 1 }])
  })

  it('during planned work is noted and nobody is told; what outlasts the work is told then', async () => {
    const before = await tellings()
    const work = await workFor(Date.now() - MINUTE, Date.now() + 60 * MINUTE)
    await setLinkState('offline', now - 10 * MINUTE)
    await watch()
    const [one] = await events()
    expect(one).toMatchObject({ status: 1, plannedWorkReason: '换电表' })
    expect(await tellings()).toBe(before)
    await unit((db) =>
      db.run(sql`update planned_work set end_time = now() - interval '1 second' where id = ${work.id}`),
    )
    await Promise.all([watch(), watch()])
    expect(await events()).toMatchObject([{ id: one.id, status: 0 }])
    expect(await tellings()).toBe(before + 1)
  })

  it('that ends within the work is told to nobody', async () => {
    const before = await tellings()
    await workFor(Date.now() - MINUTE, Date.now() + 60 * MINUTE)
    await setLinkState('offline', now - 10 * MINUTE)
    await watch()
    await setLinkState('online')
    await watch()
    expect(await events()).toMatchObject([{ status: 2 }])
    expect(await tellings()).toBe(before)
  })
})

describe('planned work', () => {
  it('an urgent one that outlasts it is told once then, and again only when nobody took it for a while', async () => {
    const before = await tellings()
    const remind = () => remindOfEvents({ ...tenants.services, now: () => new Date(now) })
    const work = await workFor(Date.now() - MINUTE, Date.now() + 60 * MINUTE)
    await unit((db) =>
      raiseEvent(db, { shopId, type: 'doorForced', content: '门被打开', at: new Date(now - 60 * MINUTE) }),
    )
    await unit((db) =>
      db.run(sql`update planned_work set end_time = now() - interval '1 second' where id = ${work.id}`),
    )
    await watch()
    expect(await tellings()).toBe(before + 1)
    expect(await remind()).toBe(0)
    now += 11 * MINUTE
    expect(await remind()).toBe(1)
  })

  it('nobody is told again of what was there before while the work lasts', async () => {
    const remind = () => remindOfEvents({ ...tenants.services, now: () => new Date(now) })
    for (const type of ['doorForced', 'sos'] as const)
      await unit((db) => raiseEvent(db, { shopId, type, content: type, at: new Date(now - 60 * MINUTE) }))
    const work = await workFor(Date.now() - MINUTE, Date.now() + 60 * MINUTE)
    // Except a call for help.
    expect(await remind()).toBe(1)
    await unit((db) =>
      db.run(sql`update planned_work set end_time = now() - interval '1 second' where id = ${work.id}`),
    )
    expect(await remind()).toBe(1)
  })

  it('silences its shop alone, and never a call for help', async () => {
    await workFor(Date.now() - MINUTE, Date.now() + 60 * MINUTE)
    const before = await tellings()
    await unit((db) => raiseEvent(db, { shopId, type: 'lockFault', content: '门锁故障' }))
    expect(await tellings()).toBe(before)
    await unit((db) => raiseEvent(db, { shopId, type: 'sos', content: '求助' }))
    await unit((db) => raiseEvent(db, { shopId: tenants.north.shops[1]!, type: 'lockFault', content: '门锁故障' }))
    expect(await tellings()).toBe(before + 2)
  })

  it('that ends before it begins is refused', async () => {
    await expect(workFor(Date.now(), Date.now() - MINUTE)).rejects.toThrow(/endTime/)
  })
})
