import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sql, type Db } from '#kit/server/database/db.ts'
import { createTestTenants, type TestTenants } from '#tests/support/test-tenants.ts'
import { checkSilentSources } from './silence.job.ts'
import { defineQueue } from '#kit/server/jobs/index.ts'

const MINUTE = 60_000
/** States of a price tag, which is a resource of a module this one may not import. */
const TAG = { unbound: 0, synced: 1 }
const tenantId = '100001'
let now = Date.now()
let tenants: TestTenants
let shopId: string
let accountId: string

const unit = <T>(work: (db: Db) => Promise<T>) => tenants.services.unit({ tenantId }, work)
const save = (resource: string, body: object, who = tenants.north.admin) =>
  tenants.must(tenants.call(who, 'POST', `/api/shop/${resource}/submit`, { body }))
const watch = () => checkSilentSources({ ...tenants.services, now: () => new Date(now) })
const events = async (type = 'offline', status = '0,1,2') =>
  (
    await tenants.must(
      tenants.call(tenants.north.admin, 'GET', '/api/shop/event/list', { query: { type, status, size: 50 } }),
    )
  ).records as any[]
const detail = async (id: string, lang: 'zh' | 'en' = 'zh') =>
  tenants.must(tenants.call(tenants.north.admin, 'GET', '/api/shop/event/detail', { query: { id }, lang }))
const namesIn = async (id: string) => ((await detail(id)).devices as { name: string }[]).map(({ name }) => name).sort()
const tellings = () =>
  unit(
    async (db) =>
      (await db.query(sql`select 1 from job where tenant_id = ${tenantId} and queue = 'event.notify'`)).length,
  )
const ago = (ms: number) => new Date(now - ms).toISOString()
const gateway = (state: string, silentMs = 0) =>
  unit((db) =>
    db.run(sql`update device_link set state = ${state}, last_seen_time = ${ago(silentMs)}, state_time = ${ago(silentMs)}
      where id = ${shopId}`),
  )
const carrier = (state: string, silentMs = 0) =>
  unit((db) =>
    db.run(sql`update tag_account set state = ${state}, seen_time = ${ago(silentMs)}, well_since = null
      where id = ${accountId}`),
  )
const allTags = (status: number, silentMs = MINUTE) =>
  unit((db) => db.run(sql`update price_tag set status = ${status}, last_report_time = ${ago(silentMs)} where true`))
const numbers = (letter: string) =>
  Array.from({ length: 20 }, (_none, n) => `${letter}${String(n + 1).padStart(2, '0')}`)

beforeAll(async () => {
  tenants = await createTestTenants()
  shopId = tenants.north.shops[0]!
  await unit((db) => db.run(sql`update basic_shop_info set status = 1`))
  await save('basicShopInfo', { id: shopId, clientId: 'GW-tags-1' })
  for (const tagId of numbers('G')) await save('priceTag', { tagId, shopId })
  const platform = await tenants.server.as('admin')
  const account = { tenantId, name: '二楼基站', brand: 'openEPaperLink', shopId, endpoint: 'http://127.0.0.1:9/' }
  accountId = (await save('tagAccount', account, platform)).id
  for (const tagId of numbers('A')) await save('priceTag', { tagId, shopId, accountId })
})
beforeEach(async () => {
  now = Date.now()
  await gateway('online')
  await carrier('well')
  await allTags(TAG.synced)
  await watch()
  await unit((db) => db.run(sql`delete from shop_event`))
  await unit((db) => db.run(sql`delete from planned_work`))
})
afterAll(() => tenants.close())

describe('price tags nobody can hear', () => {
  it('behind one gateway are one event and one telling, with all of them inside and no other', async () => {
    const before = await tellings()
    await unit((db) => db.run(sql`update price_tag set status = ${TAG.unbound} where tag_id = 'G01'`))
    await unit((db) =>
      db.run(sql`update price_tag set last_report_time = null, last_sync_time = null where tag_id = 'G02'`),
    )
    await gateway('offline', MINUTE)
    await watch()
    expect(await events()).toEqual([])
    now += 3 * MINUTE
    await Promise.all([watch(), watch()])
    const [one, ...more] = await events()
    expect([one.status, more]).toEqual([0, []])
    expect(one.content).toContain('19 台设备失联')
    expect(await namesIn(one.id)).toEqual([...numbers('G').slice(2), '北街1号店'].sort())
    expect(await tellings()).toBe(before + 1)
  })

  it('behind one access point are one event with it and them inside; it closes itself and says how long', async () => {
    await carrier('away', 65 * MINUTE)
    await watch()
    await watch()
    const [one, ...more] = await events()
    expect(more).toEqual([])
    expect(one.content).toContain('21 台设备失联：二楼基站、A01')
    expect(await namesIn(one.id)).toEqual([...numbers('A'), '二楼基站'].sort())
    await carrier('well')
    await watch()
    expect(await events()).toMatchObject([{ id: one.id, status: 2, handleRemark: '已自动恢复' }])
    expect(await detail(one.id)).toMatchObject({ lasted: '1 小时 5 分钟' })
    expect(await detail(one.id, 'en')).toMatchObject({ lasted: '1 h 5 min' })
  })

  it('join the event of their shop, and leave it when what they speak to is back', async () => {
    await gateway('offline', 10 * MINUTE)
    await watch()
    await carrier('away', 10 * MINUTE)
    await watch()
    const [one, ...more] = await events()
    expect([(await namesIn(one.id)).length, more]).toEqual([42, []])
    await gateway('online')
    await watch()
    expect(await namesIn(one.id)).toHaveLength(21)
    expect((await events())[0]).toMatchObject({ status: 0 })
  })

  it('are not missing because nobody knows of it, or because it is busy or out of use', async () => {
    await gateway('unknown', 10 * MINUTE)
    for (const state of ['unknown', 'busy']) {
      await carrier(state, 10 * MINUTE)
      await watch()
      expect(await events()).toEqual([])
    }
    await carrier('away', 10 * MINUTE)
    await unit((db) => db.run(sql`update tag_account set enabled = false where id = ${accountId}`))
    await watch()
    await unit((db) => db.run(sql`update tag_account set enabled = true where id = ${accountId}`))
    expect(await events()).toEqual([])
    await watch()
    expect(await events()).toHaveLength(1)
    await carrier('unknown', 10 * MINUTE)
    await watch()
    expect(await events()).toMatchObject([{ status: 0, count: 1 }])
  })

  it('during planned work on the shop are noted and told to nobody', async () => {
    const before = await tellings()
    const text = (ms: number) => new Date(ms + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')
    const work = { shopId, reason: '换基站', startTime: text(now - MINUTE), endTime: text(now + 60 * MINUTE) }
    await save('plannedWork', work)
    await carrier('away', 10 * MINUTE)
    await watch()
    expect(await events()).toMatchObject([{ status: 1, plannedWorkReason: '换基站' }])
    await carrier('well')
    await watch()
    expect([(await events())[0].status, await tellings()]).toEqual([2, before])
  })

  it('one by one, while it is there, are one event of lost tags with the list inside, and in no other', async () => {
    await unit((db) => db.run(sql`update device_link set state_time = ${ago(120 * MINUTE)} where id = ${shopId}`))
    await unit((db) =>
      db.run(sql`update price_tag set last_report_time = ${ago(60 * MINUTE)} where tag_id in ('G03', 'G04')`),
    )
    for (const _turn of [1, 2]) {
      await unit((db) => db.enqueue(defineQueue('tags.watch'), {}))
      await tenants.server.jobs.runDue()
    }
    const [one, ...more] = await events('tagsLost')
    expect([one.content, more]).toEqual(['2 个价签失联', []])
    expect(await namesIn(one.id)).toEqual(['G03', 'G04'])
    await gateway('offline', 10 * MINUTE)
    await watch()
    expect(await namesIn((await events())[0].id)).toEqual(
      numbers('G')
        .filter((tagId) => !['G03', 'G04'].includes(tagId))
        .concat('北街1号店')
        .sort(),
    )
  })
})
