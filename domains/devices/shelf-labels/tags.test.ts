import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { MQTT_MESSAGE_BYTES_MAX } from '#kit/server/broker/index.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { createTestTenants, type Register, type TestTenants } from '#tests/support/test-tenants.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { testGateway } from '#tests/support/gateway.ts'
import { recordTagFailure, recordTagShown } from './tag-outcomes.ts'
import { tagPromotionsSlot } from './tag-content.ts'
import { pushTags } from './push-tags.ts'
import { maintainTags } from './tags.job.ts'
import { PRICE_TAG_STATE } from './dictionaries.ts'

let now = Date.now()
const pass = (ms: number) => void (now += ms)
const MINUTE = 60_000
const tenantId = '100001'
const clientId = 'GW-tags-1'
let tenants: TestTenants
let gateway: ReturnType<typeof testGateway>
let register: Register
let shopId: string
let eventNo = 0

beforeAll(async () => {
  tenants = await createTestTenants({ now: () => new Date(now) })
  gateway = testGateway(tenants.services, { tenantId, clientId })
  shopId = tenants.north.shops[0]!
  register = await tenants.register(tenants.north, shopId)
  await admin('POST', 'basicShopInfo/submit', { body: { id: shopId, clientId } })
})
beforeEach(async () => {
  // Each test starts without tags.
  await unit((db) => db.run(sql`delete from price_tag where tenant_id = ${tenantId}`))
  await unit((db) => db.run(sql`delete from device_command_due where tenant_id = ${tenantId}`))
  pass(MINUTE)
  gateway.forget()
  await gateway.say('online', { online: true, connId: `c${now}` })
})
afterAll(() => tenants.close())

const unit = (work: (db: Db) => Promise<any>): Promise<any> => tenants.services.unit({ tenantId }, work)
const admin = (method: 'GET' | 'POST', path: string, more: object) =>
  tenants.must(tenants.call(tenants.north.admin, method, `/api/shop/${path}`, more))
const updates = () =>
  gateway.down('cmd').filter((one) => one.method === 'tag.update') as {
    id: string
    params: { tags: { tagId: string; hash: string; fields: { priceFen: number; promotion: string } }[] }
  }[]
const push = () => unit((db) => pushTags(db, tenants.services))
const tagNow = (tagId: string) =>
  unit((db) => db.one(sql`select * from price_tag where tenant_id = ${tenantId} and tag_id = ${tagId}`))
const bind = (tagId: string, upc: string) => admin('POST', 'priceTag/updateUpcTag', { body: { tagId, upc, shopId } })
/** Lets minutes pass for the tags and their gateway, but not for sessions. */
const age = (minutes: number) =>
  unit(async (db) => {
    await db.run(sql`update price_tag set last_report_time = last_report_time - make_interval(mins => ${minutes}::int)
      where tenant_id = ${tenantId}`)
    await db.run(sql`update device_link set state_time = state_time - make_interval(mins => ${minutes}::int)
      where tenant_id = ${tenantId}`)
  })
const price = (id: string, salePrice: string) => admin('POST', 'goodInfo/submit', { body: { id, salePrice } })
const logOf = async (tagId: string): Promise<string[]> =>
  (
    await unit((db) =>
      db.query(sql`select action from price_tag_log where tenant_id = ${tenantId} and tag_id = ${tagId} order by id`),
    )
  ).map((one: { action: string }) => one.action)

/** Sends the waiting updates and returns the batch. */
const pushed = async () => {
  const before = updates().length
  expect(await push()).toBeGreaterThan(0)
  await vi.waitFor(() => expect(updates().length).toBeGreaterThan(before))
  return updates().at(-1)!
}
/** The gateway acknowledges the batch and answers with this code for every tag. */
const answerBatch = async ({ id, params }: Awaited<ReturnType<typeof pushed>>, code = 0) => {
  await gateway.say('ack', { id, ok: true })
  const tags = params.tags.map(({ tagId, hash }) => ({ tagId, hash, code }))
  await gateway.say('res', { id, code: 0, data: { tags } })
}
const shelf = async (tagId: string) => {
  const good = await tenants.good(tenants.north, shopId)
  await bind(tagId, good.upc)
  await answerBatch(await pushed())
  expect(await tagNow(tagId)).toMatchObject({ status: PRICE_TAG_STATE.synced, shownPrice: 500 })
  return good
}

describe('a price tag', () => {
  it('waits in the transaction that changes the price, is written once, and shows it when it says so', async () => {
    const good = await shelf('A1')
    await price(good.id, '6.00')
    expect(await tagNow('A1')).toMatchObject({ status: PRICE_TAG_STATE.waiting, wantedPrice: 600, shownPrice: 500 })
    expect(await push()).toBe(0)
    pass(5_000)
    const command = await pushed()
    expect(command.params.tags).toMatchObject([{ tagId: 'A1', fields: { priceFen: 600 } }])
    expect(await tagNow('A1')).toMatchObject({ status: PRICE_TAG_STATE.sent, shownPrice: 500 })
    await answerBatch(command)
    expect(await tagNow('A1')).toMatchObject({ status: PRICE_TAG_STATE.synced, shownPrice: 600, commandId: null })
    expect(await logOf('A1')).toEqual(['bind', 'push', 'ack', 'push', 'ack'])
  })

  it('that shows it already is never written', async () => {
    const good = await shelf('B1')
    await price(good.id, '7.00')
    await price(good.id, '5.00')
    pass(5_000)
    expect(await push()).toBe(0)
    expect(await tagNow('B1')).toMatchObject({ status: PRICE_TAG_STATE.synced, shownPrice: 500 })
    expect(updates()).toHaveLength(1)
  })

  it('that was changed while it was written is written again, never said to show what it does not', async () => {
    const good = await shelf('C1')
    await price(good.id, '6.00')
    pass(5_000)
    const six = await pushed()
    // The tag still shows this price, but the update with the other one is on its way.
    await price(good.id, '5.00')
    pass(5_000)
    await answerBatch(six)
    expect(await tagNow('C1')).toMatchObject({ status: PRICE_TAG_STATE.waiting, wantedPrice: 500, shownPrice: 600 })
    await answerBatch(await pushed())
    expect(await tagNow('C1')).toMatchObject({ status: PRICE_TAG_STATE.synced, shownPrice: 500 })
  })

  it('that is taken off its goods and put back while it was written shows them as they are in the end', async () => {
    const good = await shelf('U1')
    await price(good.id, '6.00')
    pass(5_000)
    const six = await pushed()
    await admin('POST', 'priceTag/unbind', { query: { id: (await tagNow('U1')).id } })
    await price(good.id, '5.00')
    await bind('U1', good.upc)
    pass(5_000)
    await push()
    // The earlier picture arrives, reported by the tag alone.
    await gateway.event('tag.shown', { tagId: 'U1', hash: six.params.tags[0]!.hash })
    expect(await tagNow('U1')).toMatchObject({ shownPrice: 600 })
    expect((await tagNow('U1')).status).not.toBe(PRICE_TAG_STATE.synced)
    await answerBatch(six)
    pass(5_000)
    await push()
    const last = updates().at(-1)!
    expect(last.params.tags[0]!.fields.priceFen).toBe(500)
    await answerBatch(last)
    expect(await tagNow('U1')).toMatchObject({ status: PRICE_TAG_STATE.synced, shownPrice: 500 })
  })

  it('that shows by itself what it should not any more is written anew', async () => {
    const good = await shelf('V1')
    const old = (await tagNow('V1')).shownHash
    await price(good.id, '6.00')
    pass(5_000)
    await answerBatch(await pushed())
    pass(5_000)
    await gateway.event('tag.shown', { tagId: 'V1', hash: old })
    expect(await tagNow('V1')).toMatchObject({ status: PRICE_TAG_STATE.waiting, shownPrice: 500 })
    await answerBatch(await pushed())
    expect(await tagNow('V1')).toMatchObject({ status: PRICE_TAG_STATE.synced, shownPrice: 600 })
  })

  it('that is removed while it is written is over, and back again it shows the price of then', async () => {
    const good = await shelf('W1')
    const { id, tagId } = await tagNow('W1')
    await price(good.id, '6.00')
    pass(5_000)
    const six = await pushed()
    await admin('POST', 'priceTag/remove', { query: { ids: id } })
    await answerBatch(six)
    await unit((db) => recordTagShown(db, { id, tagId, hash: 'x' }, new Date(now)))
    await unit((db) => recordTagFailure(db, { id, tagId, hash: 'x' }, new Date(now), 'gone'))
    await price(good.id, '7.00')
    await tenants.must(
      tenants.call(tenants.north.admin, 'POST', '/api/kit/bin/priceTag/restore', { query: { ids: id } }),
    )
    pass(5_000)
    await answerBatch(await pushed())
    expect(await tagNow('W1')).toMatchObject({ status: PRICE_TAG_STATE.synced, shownPrice: 700, commandId: null })
  })

  it('that refuses is tried again after 1, 5 and 15 minutes, then left to people; none in between', async () => {
    const good = await shelf('D1')
    await price(good.id, '8.00')
    pass(5_000)
    await answerBatch(await pushed(), 5)
    for (const minutes of [1, 5, 15]) {
      expect(await tagNow('D1')).toMatchObject({ status: PRICE_TAG_STATE.waiting, shownPrice: 500 })
      pass((minutes - 0.5) * MINUTE)
      expect(await push()).toBe(0)
      pass(0.5 * MINUTE)
      await answerBatch(await pushed(), 5)
    }
    expect(await tagNow('D1')).toMatchObject({ status: PRICE_TAG_STATE.failed, shownPrice: 500 })
    pass(2 * MINUTE)
    expect(await push()).toBe(0)
    // A late report of the tag itself is believed.
    await gateway.event('tag.shown', { tagId: 'D1', hash: updates().at(-1)!.params.tags[0]!.hash })
    expect(await tagNow('D1')).toMatchObject({ status: PRICE_TAG_STATE.synced, shownPrice: 800 })
  })

  it('says once that it failed, however often that is reported', async () => {
    const good = await shelf('E1')
    await price(good.id, '8.00')
    pass(5_000)
    const command = await pushed()
    await gateway.event('tag.failed', { tagId: 'E1', hash: command.params.tags[0]!.hash })
    await answerBatch(command, 5)
    expect((await tagNow('E1')).tries).toBe(1)
    expect((await logOf('E1')).filter((one) => one === 'fail')).toHaveLength(1)
  })

  it('whose gateway is away waits for it, and costs no try; a silent gateway costs one', async () => {
    const good = await shelf('F1')
    await gateway.say('online', { online: false, connId: `c${now}`, reason: 'lwt' })
    await unit((db) => db.run(sql`update device_link set state = 'offline' where tenant_id = ${tenantId}`))
    await price(good.id, '9.00')
    pass(5 * MINUTE)
    expect(await push()).toBe(0)
    expect(await tagNow('F1')).toMatchObject({ status: PRICE_TAG_STATE.waiting, tries: 0 })
    await gateway.say('online', { online: true, connId: 'again' })
    await pushed()
    for (let look = 0; look < 3; look++) {
      pass(6_000)
      await gateway.lookAtDue()
    }
    expect(await tagNow('F1')).toMatchObject({ status: PRICE_TAG_STATE.waiting, tries: 1, shownPrice: 500 })
  })

  it('is written in batches of 50, one at a time', async () => {
    const goods = await Promise.all(Array.from({ length: 3 }, () => tenants.good(tenants.north, shopId)))
    for (let n = 0; n < 60; n++) await bind(`M${n}`, goods[n % 3]!.upc)
    const first = await pushed()
    expect(first.params.tags).toHaveLength(50)
    expect(await push()).toBe(0)
    await answerBatch(first)
    expect((await pushed()).params.tags).toHaveLength(10)
  })

  it('goes in batches that fit into one message, whatever sixty campaigns promise', async () => {
    const before = tenants.services.slots.find(tagPromotionsSlot)!
    const promotions = Array.from({ length: 60 }, (_unused, at) => ({
      id: `19876543210987${at + 10_000}`,
      text: `满 ${at + 1} 减 1 元，每满减`,
    }))
    tenants.services.slots.fill(
      tagPromotionsSlot,
      async (_db, _shop, goods) => new Map(goods.map((id) => [id, promotions])),
    )
    try {
      for (let n = 0; n < 50; n++) await bind(`P${n}`, (await tenants.good(tenants.north, shopId)).upc)
      const shown: string[] = []
      while (shown.length < 50) {
        const batch = await pushed()
        expect(Buffer.byteLength(JSON.stringify(batch))).toBeLessThan(MQTT_MESSAGE_BYTES_MAX)
        shown.push(...batch.params.tags.map(({ tagId }) => tagId))
        await answerBatch(batch)
        pass(5_000)
      }
      expect(new Set(shown).size).toBe(50)
      expect((await tagNow('P49')).shownContent.promotionIds).toHaveLength(60)
    } finally {
      tenants.services.slots.fill(tagPromotionsSlot, before)
    }
  })

  it('that is silent for three reports is lost while its gateway is there, and back with its next word', async () => {
    const good = await shelf('G1')
    await gateway.event('tag.report', { tagId: 'G1', batteryMv: 2_550, rssi: -60 })
    expect(await tagNow('G1')).toMatchObject({ batteryMv: 2_550, signal: -60, battery: 25 })
    await age(44)
    await maintainTags(tenants.services)
    expect((await tagNow('G1')).status).toBe(PRICE_TAG_STATE.synced)
    await age(2)
    await maintainTags(tenants.services)
    const lost = await tagNow('G1')
    expect(lost.status).toBe(PRICE_TAG_STATE.lost)
    await price(good.id, '6.50')
    expect(await tagNow('G1')).toMatchObject({ status: PRICE_TAG_STATE.lost, wantedPrice: 650 })
    const open = () =>
      unit((db) =>
        db.query(sql`select type from shop_event where tenant_id = ${tenantId} and open_key is not null
          and type in ('tagsLost', 'tagBatteryLow') order by type`),
      )
    expect(await open()).toEqual([{ type: 'tagBatteryLow' }, { type: 'tagsLost' }])
    const [event] = await unit((db) =>
      db.query(sql`select devices from shop_event where tenant_id = ${tenantId} and open_key is not null
        and type = 'tagsLost'`),
    )
    expect(event?.devices, 'by the clock of the shops, whatever the server keeps').toEqual([
      { key: `priceTag/${lost.id}`, name: 'G1', since: lost.lastReportTime },
    ])
    await gateway.event('tag.report', { tagId: 'G1', batteryMv: 3_000, rssi: -60 })
    await answerBatch(await pushed())
    expect(await tagNow('G1')).toMatchObject({ status: PRICE_TAG_STATE.synced, shownPrice: 650, battery: 100 })
    expect(await open()).toEqual([])
  })

  it('is not spoken for by the gateway of another shop', async () => {
    await shelf('H1')
    const hash = (await tagNow('H1')).shownHash
    const other = tenants.north.shops[1]!
    await admin('POST', 'basicShopInfo/submit', { body: { id: other, clientId: 'GW-tags-2' } })
    await testGateway(tenants.services, { tenantId, clientId: 'GW-tags-2' }).event('tag.report', {
      tagId: 'H1',
      hash,
      batteryMv: 2_000,
    })
    expect((await tagNow('H1')).batteryMv).toBeNull()
  })
})

describe('a till', () => {
  const quote = async (upc: string) =>
    (
      await tenants.must(
        tenants.beep(register, 'POST', 'quote', {
          body: { saleNo: `Q${++eventNo}`, lines: [{ upc, quantity: 2 }] },
        }),
      )
    ).payAmount
  const sell = async (upc: string, unitPrice: string) =>
    tenants.must(
      tenants.beep(register, 'POST', 'sale', {
        body: {
          saleNo: `S${++eventNo}`,
          saleTime: formatShanghaiTime(new Date(now)),
          payType: 'cash',
          payAmount: unitPrice,
          lines: [{ upc, name: 'x', price: unitPrice, quantity: 1, discount: '0.00', amount: unitPrice }],
        },
      }),
    )
  const neverAbove = (charge: boolean) =>
    unit((db) => db.run(sql`update shop_conf set charge_confirmed_tag = ${charge} where tenant_id = ${tenantId}`))

  it('charges nobody above what the tag last confirmed where the shop says so, and as on file where not', async () => {
    const good = await shelf('K1')
    await price(good.id, '9.00')
    expect(await quote(good.upc)).toBe('18.00')
    await neverAbove(true)
    expect(await quote(good.upc)).toBe('10.00')
    pass(5_000)
    await answerBatch(await pushed(), 5)
    expect(await quote(good.upc)).toBe('10.00')
    pass(MINUTE)
    await answerBatch(await pushed())
    expect(await quote(good.upc)).toBe('18.00')
    await price(good.id, '4.00')
    expect(await quote(good.upc)).toBe('8.00')
    await neverAbove(false)
  })

  it('is held against the price on file, as tags are: what differs is listed until it agrees', async () => {
    const good = await shelf('N1')
    const listed = async () =>
      (await admin('GET', 'priceTag/loop', { query: { shopId } })).rows.find(
        (row: { id: string }) => row.id === good.id,
      )
    expect(await listed()).toBeUndefined()
    await price(good.id, '9.00')
    expect(await listed()).toMatchObject({
      filePrice: '9.00',
      tagLow: '5.00',
      tags: 1,
      behind: 1,
      tillPrice: '',
      difference: '4.00',
    })
    pass(5_000)
    await answerBatch(await pushed())
    expect(await listed()).toBeUndefined()
    await tenants.receive(tenants.north, shopId, good.id, 100)
    await sell(good.upc, '8.00')
    expect(await listed()).toMatchObject({ tagLow: '9.00', tillPrice: '8.00', difference: '1.00' })
    // A caller who may not see the shop gets none of its tags.
    const stranger = await tenants.call(tenants.south.admin, 'GET', '/api/shop/priceTag/loop', { query: { shopId } })
    expect(stranger.data?.rows ?? []).toEqual([])
  })

  it('that has charged more all the same is recorded, with a note on the order', async () => {
    const good = await shelf('K2')
    await tenants.receive(tenants.north, shopId, good.id, 100)
    await neverAbove(true)
    expect((await sell(good.upc, '5.50')).flags).toContain('aboveTag')
    expect((await sell(good.upc, '5.00')).flags).not.toContain('aboveTag')
    await neverAbove(false)
    expect((await sell(good.upc, '5.50')).flags).not.toContain('aboveTag')
  })

  it('gives a campaign that waits for tags once they show it; goods without tags do not wait', async () => {
    const good = await shelf('L1')
    const bare = await tenants.good(tenants.north, shopId)
    const body = {
      name: '等价签',
      type: 'percentage',
      rules: { rate: '50' },
      startTime: formatShanghaiTime(new Date(now - 60 * MINUTE)),
      endTime: formatShanghaiTime(new Date(now + 24 * 60 * MINUTE)),
      goodIds: `${good.id},${bare.id}`,
      waitsForTags: true,
    }
    const { id } = await admin('POST', 'discountConf/submit', { body })
    await admin('POST', 'discountConf/public', { query: { id } })
    await tenants.server.jobs.runDue()
    expect((await tagNow('L1')).status).toBe(PRICE_TAG_STATE.waiting)
    expect([await quote(good.upc), await quote(bare.upc)]).toEqual(['10.00', '5.00'])
    pass(10_000)
    const command = await pushed()
    expect(command.params.tags[0]!.fields.promotion).not.toBe('')
    expect(await quote(good.upc)).toBe('10.00')
    await answerBatch(command)
    expect(await quote(good.upc)).toBe('5.00')
    await admin('POST', 'discountConf/stop', { body: { id, stopReason: '完' } })
    expect(await quote(good.upc)).toBe('10.00')
  })
})
