import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestTenants, type TestTenants } from '#tests/support/test-tenants.ts'
import type { CastMember } from '#tests/support/server.ts'

let tenants: TestTenants
let wu: CastMember
let shop: string
let otherShop: string
beforeAll(async () => {
  tenants = await createTestTenants()
  wu = tenants.north.admin
  ;[shop, otherShop] = tenants.north.shops as [string, string]
})
afterAll(() => tenants.close())

const get = (path: string, query: Record<string, unknown>) => tenants.must(tenants.call(wu, 'GET', path, { query }))
const post = (path: string, body: object) => tenants.call(wu, 'POST', path, { body })
const save = async (path: string, body: object): Promise<string> =>
  (await tenants.must(post(`${path}/submit`, body))).id

describe('what stands in a shop', () => {
  it('is reached through a gateway of that shop, by name, and through no other', async () => {
    const [mine, other] = [
      await save('/api/shop/epaGateway', { name: '北一网关', clientId: 'E1', shopId: shop }),
      await save('/api/shop/epaGateway', { name: '北二网关', clientId: 'E2', shopId: otherShop }),
    ]
    const tag = await save('/api/shop/priceTag', { tagId: 'R1', shopId: shop, gatewayId: mine })
    expect(await get('/api/shop/priceTag/detail', { id: tag })).toMatchObject({
      gatewayId: mine,
      gatewayName: '北一网关',
    })
    expect((await get('/api/shop/priceTag/list', { gatewayId: mine })).records.map((row: any) => row.tagId)).toEqual([
      'R1',
    ])
    const refused = await tenants.call(wu, 'POST', '/api/shop/priceTag/submit', {
      body: { id: tag, gatewayId: other },
      headers: { 'accept-language': 'en' },
    })
    expect(refused.status).toBe(400)
    expect(refused.body.msg).toContain('Gateway belongs to another Store')
    expect(await get('/api/shop/priceTag/detail', { id: tag })).toMatchObject({ gatewayId: mine })
    expect((await get('/api/kit/options/epaGateway', { shopId: shop })).map((one: any) => one.title)).toEqual([
      '北一网关',
    ])
  })

  it('greets with an announcement of its own', async () => {
    const words = { text: '欢迎', trigger: 'enter', voice: 'female' }
    const [mine, other] = [
      await save('/api/shop/audioConf', { ...words, name: '北一欢迎', shopId: shop }),
      await save('/api/shop/audioConf', { ...words, name: '北二欢迎', shopId: otherShop }),
    ]
    const {
      records: [conf],
    } = await get('/api/shop/shopConf/list', { shopId: shop })
    await save('/api/shop/shopConf', { id: conf.id, welcomeAudioId: mine })
    const detail = await get('/api/shop/shopConf/detail', { id: conf.id })
    expect(detail).toMatchObject({ welcomeAudioName: '北一欢迎', wantedVersion: conf.wantedVersion + 1 })
    expect((await post('/api/shop/shopConf/submit', { id: conf.id, leaveAudioId: other })).status).toBe(400)
  })
})

describe('a movement of stock', () => {
  it('leads to the batch it came from and to its supplier by their names', async () => {
    const supplierId = await save('/api/shop/supplierInfo', { name: '东湖食品' })
    const good = await tenants.good(tenants.north, shop)
    const batch = await save('/api/shop/storageBatch', {
      shopId: shop,
      goodId: good.id,
      quantity: 6,
      batchNo: 'REF-1',
      supplierId,
    })
    expect((await get('/api/shop/storageBatch/list', { supplierId })).records).toMatchObject([
      { id: batch, supplierName: '东湖食品' },
    ])
    expect((await get('/api/shop/storageLog/list', { goodId: good.id })).records).toMatchObject([
      { refType: 'batch', refId: batch, refName: 'REF-1' },
    ])
  })

  it('does not go back to a customer by the order of a supplier', async () => {
    const good = await tenants.good(tenants.north, shop)
    await tenants.receive(tenants.north, shop, good.id, 5)
    const back = { shopId: shop, goodId: good.id, quantity: 1, reason: 'quality' }
    expect((await post('/api/shop/returnLog/submit', { ...back, direction: 'supplier', refId: '77' })).status).toBe(400)
    expect((await post('/api/shop/returnLog/submit', { ...back, direction: 'supplier' })).status).toBe(200)
  })
})
