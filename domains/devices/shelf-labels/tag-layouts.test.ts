import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sql, type Db } from '#kit/server/database/db.ts'
import { createTestTenants, type TestTenants } from '#tests/support/test-tenants.ts'
import { PRICE_TAG_STATE } from './dictionaries.ts'
import { pushTags } from './push-tags.ts'

const tenantId = '100001'
let now = Date.now()
let tenants: TestTenants
let shopId: string

beforeAll(async () => {
  tenants = await createTestTenants({ now: () => new Date(now) })
  shopId = tenants.north.shops[0]!
  // Tags of a provider, so that updates are drawn here and need no gateway.
  const platform = await tenants.server.as('admin')
  const body = { tenantId, name: 'ap', brand: 'openEPaperLink', shopId, endpoint: 'http://127.0.0.1:9' }
  await tenants.must(tenants.call(platform, 'POST', '/api/shop/tagAccount/submit', { body }))
})
beforeEach(() => unit((db) => db.run(sql`delete from price_tag where tenant_id = ${tenantId}`)))
afterAll(() => tenants.close())

const unit = (work: (db: Db) => Promise<any>): Promise<any> => tenants.services.unit({ tenantId }, work)
const admin = (path: string, body: object) =>
  tenants.must(tenants.call(tenants.north.admin, 'POST', `/api/shop/${path}`, { body }))
const tagNow = (tagId: string) =>
  unit((db) => db.one(sql`select * from price_tag where tenant_id = ${tenantId} and tag_id = ${tagId}`))

describe('a template', () => {
  const price2 = { from: 'price', x: 0.1, y: 0.8, high: 0.5, wide: 0.8 }
  const template = (body: object) => admin('tagTemplate/submit', body)
  const waiting = async () =>
    (
      await unit((db) =>
        db.query(sql`select tag_id from price_tag where tenant_id = ${tenantId} and status = ${PRICE_TAG_STATE.waiting}
          order by tag_id`),
      )
    ).map((one: { tagId: string }) => one.tagId)
  const shelves = async () => {
    const good = await tenants.good(tenants.north, shopId)
    for (const tagId of ['P1', 'P2', 'P3', 'P4']) await admin('priceTag/updateUpcTag', { tagId, upc: good.upc, shopId })
    const ids: Record<string, string> = {}
    for (const tagId of ['P1', 'P2', 'P3', 'P4']) ids[tagId] = (await tagNow(tagId)).id
    return ids
  }
  const markSynced = () =>
    unit((db) => db.run(sql`update price_tag set status = ${PRICE_TAG_STATE.synced}, next_time = null`))

  it('that changes has exactly the tags pushed that look as it says, with the picture it draws', async () => {
    const ids = await shelves()
    const own = await template({ name: 'own', model: '2.9', elements: [price2] })
    await admin('priceTag/submit', { id: ids.P1, layoutId: own.id })
    await admin('priceTag/submit', { id: ids.P3, template: 'promotion' })
    await admin('priceTag/submit', { id: ids.P4, model: '4.2' })
    await markSynced()
    await template({ id: own.id, elements: [{ ...price2, isRed: true }] })
    expect(await waiting()).toEqual(['P1'])
    await markSynced()
    // Renaming a template does not change the picture.
    await template({ id: own.id, name: 'other' })
    expect(await waiting()).toEqual([])
    const standard = await template({ name: 'standard', model: '2.9', elements: [price2], isDefault: true })
    expect(await waiting()).toEqual(['P2'])
    await markSynced()
    await template({ id: standard.id, elements: [{ ...price2, high: 0.4 }] })
    expect(await waiting()).toEqual(['P2'])
    now += 5_000
    await unit((db) => pushTags(db, tenants.services))
    const { drawn } = (await tagNow('P2')).wantedContent
    expect(drawn.lines.map((one: { text: string }) => one.text)).toEqual(['¥5.00'])
    // There is one default per size.
    await markSynced()
    await template({ name: 'newer', model: '2.9', elements: [price2], isDefault: true })
    expect(await waiting()).toEqual(['P2'])
    const defaults = await unit((db) =>
      db.query(sql`select name from tag_template where tenant_id = ${tenantId} and is_default`),
    )
    expect(defaults).toEqual([{ name: 'newer' }])
  })

  it('that is gone has its tags drawn as others are', async () => {
    const ids = await shelves()
    const own = await template({ name: 'short', model: '2.9', elements: [price2] })
    await admin('priceTag/submit', { id: ids.P1, layoutId: own.id })
    await markSynced()
    await tenants.must(
      tenants.call(tenants.north.admin, 'POST', '/api/shop/tagTemplate/remove', { query: { ids: own.id } }),
    )
    expect(await waiting()).toEqual(['P1'])
    expect((await tagNow('P1')).layoutId).toBeNull()
  })

  it('of another size is refused for a tag, as is one that does not fit', async () => {
    const ids = await shelves()
    const own = await template({ name: 'big', model: '4.2', elements: [price2] })
    const submit = (path: string, body: object) =>
      tenants.call(tenants.north.admin, 'POST', `/api/shop/${path}`, { body })
    expect((await submit('priceTag/submit', { id: ids.P1, layoutId: own.id })).status).toBe(400)
    const wrong = { name: 'wrong', model: '2.9', elements: [price2, { ...price2, x: 0.9 }] }
    expect((await submit('tagTemplate/submit', wrong)).body.msg).toContain('2')
  })
})
