import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { sql, type Db } from '#kit/server/database/db.ts'
import { createTestTenants, type TestTenants } from '#tests/support/test-tenants.ts'
import { eslAccount, startCloudEsl } from '#simulators/tags/cloud-esl.simulator.ts'
import { startOpenEPaperLink } from '#simulators/tags/open-epaper-link.simulator.ts'
import { pushTagsByProvider } from './push-by-provider.ts'
import { PRICE_TAG_STATE } from './dictionaries.ts'
import { pushTags } from './push-tags.ts'
import { pushTagsByProviderJob, maintainTags } from './tags.job.ts'

const MINUTE = 60_000
const tenantId = '100001'
let now = Date.now()
const pass = (ms: number) => void (now += ms)
let tenants: TestTenants
let ap: Awaited<ReturnType<typeof startOpenEPaperLink>>
let cloud: Awaited<ReturnType<typeof startCloudEsl>>
let accounts: { openEPaperLink: string; cloudEsl: string }
let shops: { openEPaperLink: string; cloudEsl: string }

beforeAll(async () => {
  const at = { now: () => now }
  ;[tenants, ap, cloud] = await Promise.all([
    createTestTenants({ now: () => new Date(now) }),
    startOpenEPaperLink({ ...at, checkInMs: 100 * MINUTE, tags: 40 }),
    startCloudEsl(at),
  ])
  const [first, second] = tenants.north.shops
  shops = { openEPaperLink: first!, cloudEsl: second! }
  const platform = await tenants.server.as('admin')
  const account = async (brand: 'openEPaperLink' | 'cloudEsl', more: object) => {
    const body = { tenantId, name: brand, brand, shopId: shops[brand], ...more }
    return (await tenants.must(tenants.call(platform, 'POST', '/api/shop/tagAccount/submit', { body }))).id as string
  }
  accounts = {
    openEPaperLink: await account('openEPaperLink', { endpoint: ap.url }),
    cloudEsl: await account('cloudEsl', {
      endpoint: cloud.url,
      user: eslAccount.userName,
      secretKey: eslAccount.password,
      storeNo: 'S-2',
    }),
  }
})
beforeEach(async () => {
  Object.assign(ap.faults, { busy: false, silent: false, asleep: false })
  Object.assign(cloud.faults, { down: false, silent: false, forgetsTokens: false })
  await unit((db) => db.run(sql`delete from price_tag where tenant_id = ${tenantId}`))
  await unit((db) =>
    db.run(sql`update tag_account set state = 'unknown', silences = 0, rest_until = null, well_since = null
      where tenant_id = ${tenantId}`),
  )
  pass(MINUTE)
})
afterAll(() => Promise.all([tenants.close(), ap.close(), cloud.close()]))

type Brand = keyof typeof accounts
const unit = (work: (db: Db) => Promise<any>): Promise<any> => tenants.services.unit({ tenantId }, work)
const admin = (path: string, body: object) =>
  tenants.must(tenants.call(tenants.north.admin, 'POST', `/api/shop/${path}`, { body }))
const push = () => unit((db) => pushTags(db, tenants.services))
const pushToBrand = (brand: Brand) => pushTagsByProvider(tenants.services, tenantId, accounts[brand])
const tagNow = (tagId: string) =>
  unit((db) => db.one(sql`select * from price_tag where tenant_id = ${tenantId} and tag_id = ${tagId}`))
const accountNow = (brand: Brand) =>
  unit((db) => db.one(sql`select * from tag_account where tenant_id = ${tenantId} and id = ${accounts[brand]}`))
const price = (id: string, salePrice: string) => admin('goodInfo/submit', { id, salePrice })
const bind = (brand: Brand, tagId: string, upc: string) =>
  admin('priceTag/updateUpcTag', { tagId, upc, shopId: shops[brand] })
const shownBy = (tagId: string) => JSON.parse(ap.pictures.get(tagId)!.toString()) as { text: unknown[] }[]
const uploads = () => ap.calls.filter((one) => one.includes('/jsonupload')).length
const syncs = () => cloud.calls.filter((one) => one.includes('SyncGoods')).length
let at = 0
/** A tag of the access point nobody has used before. */
const mac = () => [...ap.tags.keys()][at++]!
/** Binds a new good to a tag and updates the tag until it shows the good. */
const shelf = async (brand: Brand, tagId: string) => {
  const good = await tenants.good(tenants.north, shops[brand])
  await bind(brand, tagId, good.upc)
  expect(await push()).toBe(1)
  await pushToBrand(brand)
  if (brand === 'openEPaperLink') ap.wake()
  await pushToBrand(brand)
  expect(await tagNow(tagId)).toMatchObject({
    status: PRICE_TAG_STATE.synced,
    shownPrice: 500,
    accountId: accounts[brand],
  })
  return good
}

describe('an account', () => {
  const submit = (body: object) => tenants.call(tenants.north.admin, 'POST', '/api/shop/tagAccount/submit', { body })

  it('of a tenant leads outside only, and its key is never told', async () => {
    const body = { name: 'X', brand: 'openEPaperLink', shopId: shops.cloudEsl, endpoint: 'http://127.0.0.1:9/' }
    expect((await submit(body)).status).toBe(400)
    const kept = await unit((db) => db.one(sql`select secret_key from tag_account where brand = 'cloudEsl'`))
    expect(kept.secretKey).not.toContain(eslAccount.password)
    for (const path of [`tagAccount/detail?id=${accounts.cloudEsl}`, 'tagAccount/list'])
      expect(JSON.stringify((await tenants.call(tenants.north.admin, 'GET', `/api/shop/${path}`)).body)).not.toMatch(
        new RegExp(`${eslAccount.password}|${kept.secretKey as string}|accessToken`),
      )
  })

  it('of a cloud has a key and a number of the shop', async () => {
    const body = { name: 'Y', brand: 'cloudEsl', shopId: shops.cloudEsl, endpoint: 'https://tags.example.com' }
    expect((await submit(body)).status).toBe(400)
    expect((await submit({ ...body, secretKey: 'k' })).status).toBe(400)
  })

  it('of a cloud that has no tags answers only when the cloud takes its key', async () => {
    await admin('tagAccount/submit', { id: accounts.cloudEsl, secretKey: 'wrong' })
    await pushToBrand('cloudEsl')
    expect((await accountNow('cloudEsl')).state).toBe('refused')
    await admin('tagAccount/submit', { id: accounts.cloudEsl, secretKey: eslAccount.password })
    await pushToBrand('cloudEsl')
    expect((await accountNow('cloudEsl')).state).toBe('well')
  })
})

describe('a tag of an access point', () => {
  it('shows a price when the access point says it was fetched, and not when it was taken', async () => {
    const tagId = mac()
    const good = await tenants.good(tenants.north, shops.openEPaperLink)
    await bind('openEPaperLink', tagId, good.upc)
    await push()
    await pushToBrand('openEPaperLink')
    expect(await tagNow(tagId)).toMatchObject({ status: PRICE_TAG_STATE.sent, shownPrice: null })
    await pushToBrand('openEPaperLink')
    expect(await tagNow(tagId)).toMatchObject({ status: PRICE_TAG_STATE.sent, shownPrice: null })
    ap.wake()
    await pushToBrand('openEPaperLink')
    expect(await tagNow(tagId)).toMatchObject({ status: PRICE_TAG_STATE.synced, shownPrice: 500 })
    expect(await tagNow(tagId)).toMatchObject({ batteryMv: ap.tags.get(tagId)!.batteryMv, signal: -60 })
    expect(JSON.stringify(shownBy(tagId))).toContain('¥5.00')
  })

  it('that shows it already is never written again', async () => {
    const tagId = mac()
    const good = await shelf('openEPaperLink', tagId)
    const before = uploads()
    await price(good.id, '7.00')
    await price(good.id, '5.00')
    pass(5_000)
    expect(await push()).toBe(0)
    await pushToBrand('openEPaperLink')
    expect(uploads()).toBe(before)
    expect((await tagNow(tagId)).status).toBe(PRICE_TAG_STATE.synced)
  })

  it('is not said to show the new price when it fetches the one before', async () => {
    const tagId = mac()
    const good = await shelf('openEPaperLink', tagId)
    await price(good.id, '6.00')
    pass(5_000)
    await push()
    await pushToBrand('openEPaperLink')
    await price(good.id, '7.00')
    pass(5_000)
    await push()
    await pushToBrand('openEPaperLink')
    expect(await tagNow(tagId)).toMatchObject({ status: PRICE_TAG_STATE.sent, shownPrice: 500 })
    ap.wake()
    await pushToBrand('openEPaperLink')
    expect(await tagNow(tagId)).toMatchObject({ status: PRICE_TAG_STATE.synced, shownPrice: 700 })
    expect(JSON.stringify(shownBy(tagId))).toContain('¥7.00')
  })

  it('is written once when the process ends after the access point took it', async () => {
    const tagId = mac()
    const good = await shelf('openEPaperLink', tagId)
    await price(good.id, '6.00')
    pass(5_000)
    await push()
    await pushToBrand('openEPaperLink')
    const before = uploads()
    // As after a crash before the access point's answer was stored.
    await unit((db) => db.run(sql`update price_tag set taken_time = null where tag_id = ${tagId}`))
    await pushToBrand('openEPaperLink')
    expect(uploads()).toBe(before)
    await unit((db) => db.run(sql`update price_tag set taken_time = null where tag_id = ${tagId}`))
    ap.wake()
    await pushToBrand('openEPaperLink')
    expect(uploads()).toBe(before)
    expect(await tagNow(tagId)).toMatchObject({ status: PRICE_TAG_STATE.synced, shownPrice: 600 })
  })

  it('the access point does not know is tried again after 1, 5 and 15 minutes, then left to people', async () => {
    const good = await tenants.good(tenants.north, shops.openEPaperLink)
    await bind('openEPaperLink', 'FFFF000000000001', good.upc)
    for (const minutes of [0, 1, 5, 15]) {
      pass(minutes * MINUTE)
      expect(await push()).toBe(1)
      await pushToBrand('openEPaperLink')
      expect(await push()).toBe(0)
    }
    expect(await tagNow('FFFF000000000001')).toMatchObject({ status: PRICE_TAG_STATE.failed, shownPrice: null })
    const failure = await unit((db) =>
      db.one(sql`select result_message from price_tag_log where tag_id = 'FFFF000000000001' and action = 'fail'
        order by id desc limit 1`),
    )
    expect(failure.resultMessage).toContain('mac not found')
  })

  it('waits without losing a try while the access point is busy, and is brought when it is not', async () => {
    const tagId = mac()
    const good = await shelf('openEPaperLink', tagId)
    ap.faults.busy = true
    await price(good.id, '6.00')
    pass(5_000)
    await push()
    await pushToBrand('openEPaperLink')
    expect(await tagNow(tagId)).toMatchObject({ status: PRICE_TAG_STATE.waiting, tries: 0, shownPrice: 500 })
    expect(await accountNow('openEPaperLink')).toMatchObject({ state: 'busy', stateMessage: null })
    expect(await push()).toBe(0)
    ap.faults.busy = false
    await pushToBrand('openEPaperLink')
    expect(await push()).toBe(1)
    await pushToBrand('openEPaperLink')
    ap.wake()
    await pushToBrand('openEPaperLink')
    expect(await tagNow(tagId)).toMatchObject({ status: PRICE_TAG_STATE.synced, shownPrice: 600 })
  })

  it('that sleeps for good is tried again, lost, told once, and pushed when it is back', async () => {
    const tagId = mac()
    const good = await shelf('openEPaperLink', tagId)
    ap.faults.asleep = true
    await price(good.id, '6.00')
    pass(5_000)
    await push()
    await pushToBrand('openEPaperLink')
    pass(21 * MINUTE)
    await maintainTags(tenants.services)
    expect(await tagNow(tagId)).toMatchObject({ status: PRICE_TAG_STATE.waiting, tries: 1, shownPrice: 500 })
    pass(26 * MINUTE)
    await pushToBrand('openEPaperLink')
    await maintainTags(tenants.services)
    expect((await tagNow(tagId)).status).toBe(PRICE_TAG_STATE.lost)
    const openEvents = () =>
      unit((db) =>
        db.query(sql`select type from shop_event where tenant_id = ${tenantId} and open_key is not null
          and type = 'tagsLost'`),
      )
    expect(await openEvents()).toHaveLength(1)
    ap.faults.asleep = false
    ap.wake()
    await pushToBrand('openEPaperLink')
    await push()
    await pushToBrand('openEPaperLink')
    expect(await tagNow(tagId)).toMatchObject({ status: PRICE_TAG_STATE.synced, shownPrice: 600 })
    expect(await openEvents()).toEqual([])
  })

  it('is heard of through the websocket as soon as it has fetched', async () => {
    const tagId = mac()
    const good = await tenants.good(tenants.north, shops.openEPaperLink)
    await bind('openEPaperLink', tagId, good.upc)
    await push()
    const context = { tenantId, services: tenants.services, jobId: '1', attempt: 1 }
    const run = pushTagsByProviderJob.run(
      { accountId: accounts.openEPaperLink },
      { ...context, signal: AbortSignal.timeout(20_000) },
    )
    await vi.waitFor(() => expect(ap.listeners()).toBe(1))
    const rounds = () => ap.calls.filter((one) => one.endsWith('pos=0')).length
    const before = rounds()
    ap.wake()
    await run
    expect(await tagNow(tagId)).toMatchObject({ status: PRICE_TAG_STATE.synced, shownPrice: 500 })
    expect(rounds() - before).toBeLessThan(4)
    await vi.waitFor(() => expect(ap.listeners()).toBe(0))
  })
})

describe('a tag of a cloud', () => {
  it('shows a price when the cloud says so, with a token fetched anew when it is worth nothing', async () => {
    const good = await shelf('cloudEsl', 'C1')
    cloud.faults.forgetsTokens = true
    await price(good.id, '6.00')
    pass(5_000)
    await push()
    cloud.faults.deafTags.add('C1')
    await pushToBrand('cloudEsl')
    await pushToBrand('cloudEsl')
    expect(await tagNow('C1')).toMatchObject({ status: PRICE_TAG_STATE.sent, shownPrice: 500, batteryMv: 2_900 })
    cloud.faults.deafTags.delete('C1')
    cloud.refresh()
    await pushToBrand('cloudEsl')
    expect(await tagNow('C1')).toMatchObject({ status: PRICE_TAG_STATE.synced, shownPrice: 600 })
    expect(cloud.shown.get('C1')).toMatchObject({ SalePrice: 6, StoreId: 'S-2' })
  })

  it('that shows it already is never written again', async () => {
    const good = await shelf('cloudEsl', 'C2')
    const before = syncs()
    await price(good.id, '7.00')
    await price(good.id, '5.00')
    pass(5_000)
    await push()
    await pushToBrand('cloudEsl')
    expect(syncs()).toBe(before)
  })

  it('waits while the cloud refuses us, costs no try, and the cloud is not asked again at once', async () => {
    const good = await shelf('cloudEsl', 'C3')
    await admin('tagAccount/submit', { id: accounts.cloudEsl, secretKey: 'wrong' })
    await price(good.id, '6.00')
    pass(5_000)
    await push()
    await pushToBrand('cloudEsl')
    expect(await tagNow('C3')).toMatchObject({ status: PRICE_TAG_STATE.waiting, tries: 0, shownPrice: 500 })
    expect(await accountNow('cloudEsl')).toMatchObject({ state: 'refused', silences: 1 })
    const callCount = cloud.calls.length
    pass(MINUTE)
    await maintainTags(tenants.services)
    expect(await push()).toBe(0)
    expect(cloud.calls.length).toBe(callCount)
    // Corrected credentials are tried at once.
    await admin('tagAccount/submit', { id: accounts.cloudEsl, secretKey: eslAccount.password })
    expect(await push()).toBe(1)
    await pushToBrand('cloudEsl')
    await pushToBrand('cloudEsl')
    expect(await tagNow('C3')).toMatchObject({ status: PRICE_TAG_STATE.synced, shownPrice: 600 })
  })

  it('the cloud does not know fails alone, in its words', async () => {
    const good = await tenants.good(tenants.north, shops.cloudEsl)
    cloud.faults.foreignTags.add('C5')
    await bind('cloudEsl', 'C4', good.upc)
    await bind('cloudEsl', 'C5', good.upc)
    expect(await push()).toBe(2)
    await pushToBrand('cloudEsl')
    await pushToBrand('cloudEsl')
    expect(await tagNow('C4')).toMatchObject({ status: PRICE_TAG_STATE.synced })
    expect(await tagNow('C5')).toMatchObject({ status: PRICE_TAG_STATE.waiting, tries: 1, shownPrice: null })
  })

  it('waits while the cloud is out, and tags of others do not', async () => {
    const good = await shelf('cloudEsl', 'C6')
    const other = mac()
    const otherGood = await shelf('openEPaperLink', other)
    cloud.faults.down = true
    await price(good.id, '6.00')
    await price(otherGood.id, '6.00')
    pass(5_000)
    expect(await push()).toBe(2)
    await pushToBrand('cloudEsl')
    await pushToBrand('openEPaperLink')
    ap.wake()
    await pushToBrand('openEPaperLink')
    expect(await tagNow('C6')).toMatchObject({ status: PRICE_TAG_STATE.waiting, tries: 0, shownPrice: 500 })
    expect(await tagNow(other)).toMatchObject({ status: PRICE_TAG_STATE.synced, shownPrice: 600 })
    expect(await accountNow('cloudEsl')).toMatchObject({ state: 'away', silences: 1 })
  })
})

it('a connection that hangs is a time-out after which nothing is said to be shown', async () => {
  const usual = AbortSignal.timeout.bind(AbortSignal)
  // Shortens the timeouts.
  using timeouts = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => usual(ms / 20))
  const tagId = mac()
  const good = await shelf('openEPaperLink', tagId)
  await price(good.id, '6.00')
  pass(5_000)
  await push()
  ap.faults.silent = true
  expect(await pushToBrand('openEPaperLink')).toBeUndefined()
  expect(await tagNow(tagId)).toMatchObject({ status: PRICE_TAG_STATE.waiting, shownPrice: 500, tries: 0 })
  expect(await accountNow('openEPaperLink')).toMatchObject({ state: 'away', wellSince: null })
  expect(timeouts).toHaveBeenCalled()
})

describe('a tag that is odd', () => {
  const plant = (tagId: string, change: object) =>
    unit((db) =>
      db.run(sql`update price_tag set wanted_content = wanted_content || ${JSON.stringify(change)}::jsonb
        where tenant_id = ${tenantId} and tag_id = ${tagId}`),
    )
  const seen = async (tagId: string, lang?: 'en') => {
    const { id } = await tagNow(tagId)
    const answer = tenants.call(tenants.north.admin, 'GET', '/api/shop/priceTag/detail', { query: { id }, lang })
    return (await tenants.must(answer)).failReason as string
  }

  it('in what it is to show keeps no other from its price, says why, and is tried again', async () => {
    const [unreadable, readable] = [mac(), mac()]
    for (const tagId of [unreadable, readable]) {
      const good = await tenants.good(tenants.north, shops.openEPaperLink)
      await bind('openEPaperLink', tagId, good.upc)
    }
    expect(await push()).toBe(2)
    await plant(unreadable, { drawn: null })
    await pushToBrand('openEPaperLink')
    ap.wake()
    await pushToBrand('openEPaperLink')
    expect(await tagNow(readable)).toMatchObject({ status: PRICE_TAG_STATE.synced, shownPrice: 500, failReason: null })
    expect(await tagNow(unreadable)).toMatchObject({ status: PRICE_TAG_STATE.waiting, shownPrice: null, tries: 1 })
    expect(await seen(unreadable)).toMatch(/^内容无法识别 \| /)
    expect(await seen(unreadable, 'en')).toMatch(/^Could not be read \| /)
    expect((await accountNow('openEPaperLink')).state).toBe('well')
    // Once its content is valid again, the tag is updated and its error cleared.
    pass(2 * MINUTE)
    expect(await push()).toBe(1)
    await pushToBrand('openEPaperLink')
    ap.wake()
    await pushToBrand('openEPaperLink')
    expect(await tagNow(unreadable)).toMatchObject({ status: PRICE_TAG_STATE.synced, failReason: null })
  })

  it('in what the access point says of it spoils no other’s word, and is read again when it is right', async () => {
    const [unreadable, readable] = [mac(), mac()]
    for (const tagId of [unreadable, readable]) await shelf('openEPaperLink', tagId)
    const { lastseen } = ap.tags.get(unreadable)!
    Object.assign(ap.tags.get(unreadable)!, { lastseen: 1e300 })
    const before = (await tagNow(readable)).lastReportTime
    pass(MINUTE)
    Object.assign(ap.tags.get(readable)!, { lastseen: now / 1_000 })
    await pushToBrand('openEPaperLink')
    expect((await tagNow(readable)).lastReportTime).not.toEqual(before)
    expect(await seen(unreadable)).toContain('lastseen')
    Object.assign(ap.tags.get(unreadable)!, { lastseen })
    await pushToBrand('openEPaperLink')
    expect(await seen(unreadable)).toBe('')
  })

  it('at a cloud that refuses its goods is refused alone', async () => {
    const goods = []
    for (const tagId of ['ODD-1', 'WELL-1']) {
      goods.push(await tenants.good(tenants.north, shops.cloudEsl))
      await bind('cloudEsl', tagId, goods.at(-1)!.upc)
    }
    expect(await push()).toBe(2)
    await plant('ODD-1', { name: '' })
    await pushToBrand('cloudEsl')
    await pushToBrand('cloudEsl')
    expect(await tagNow('WELL-1')).toMatchObject({ status: PRICE_TAG_STATE.synced, shownPrice: 500 })
    expect(await tagNow('ODD-1')).toMatchObject({ status: PRICE_TAG_STATE.waiting, shownPrice: null })
    expect(await seen('ODD-1')).toContain('400 StoreId, Code and Name are required')
  })
})
