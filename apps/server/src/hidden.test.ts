import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Caller } from '#kit/server/base/caller.ts'
import { sql } from '#kit/server/database/db.ts'
import { createTestTenants, type TestTenants } from '#tests/support/test-tenants.ts'
import { createTestWorld, type TestWorld } from '#tests/support/world.ts'
import { readableSecretNamedKeys } from '#kit/server/resource/present.ts'

/**
 * What one list hides must not be revealed by others derived from it: products by campaigns and prices, sales by
 * coupons, secrets by the order of a list.
 */

let tenants: TestTenants
let world: TestWorld
let tenantId: string

const cost = '7.31'
const NAME = '进价保密的水'
const hiddenCost = { resourceCode: 'goodInfo', type: 1, column: null, value: null, fields: 'name,upc,shopId,salePrice' }
const hiddenBatch = { resourceCode: 'storageBatch', type: 1, column: null, value: null, fields: 'goodId,remaining' }
const codes = [
  'goodInfo',
  'storageBatch',
  'discountConf',
  'vipPrice',
  'businessAnalysis',
  'shoppingOrder',
  'customerTicket',
]

const as = (more: Partial<Caller>) => world.be({ tenantId, permissions: new Set(codes), ...more })
const request = async (who: ReturnType<typeof as>, path: string, query: Record<string, unknown> = {}) => {
  const answer = await world.ask(who, 'GET', path, { query })
  expect([path, answer.status]).toEqual([path, 200])
  return answer.data
}
const unit = <T>(statement: ReturnType<typeof sql>) =>
  tenants.services.unit({ tenantId }, (db) => db.query<T & object>(statement))

beforeAll(async () => {
  tenants = await createTestTenants()
  world = createTestWorld(tenants.server)
  ;({ tenantId } = tenants.north)
  const good = await tenants.good(tenants.north, tenants.north.shops[0]!, { name: NAME, costPrice: cost })
  await tenants.services.unit({ tenantId }, async (db) => {
    const insert = (name: string, row: object) => db.insert(tenants.services.registry.resource(name), row)
    await insert('vipPrice', { goodId: good.id, shopId: tenants.north.shops[0], price: 800 })
  })
}, 120_000)
afterAll(() => tenants?.close())

it('campaigns choose from the goods their writer sees, and name no cost that is hidden from them', async () => {
  const goods = (more: Partial<Caller>) => request(as(more), '/api/shop/discountConf/goods', { key: NAME })
  expect(await goods({})).toMatchObject([{ name: NAME, cost }])
  expect(await goods({ dataScopes: [hiddenCost] })).toMatchObject([{ name: NAME, cost: '0.00' }])
  expect(await goods({ dataScopes: [{ ...hiddenCost, type: 2, fields: null }] })).toEqual([])
})

it('choices name nobody whose name is hidden, and none is found by it', async () => {
  const [customer] = await unit<{ id: string }>(sql`insert into wx_user (id, tenant_id, nickname, phone) values
    (90001, ${tenantId}, '保密的昵称', '13995410276') returning id::text`)
  const nameless = as({
    permissions: new Set(['wxUser']),
    dataScopes: [{ resourceCode: 'wxUser', type: 1, column: null, value: null, fields: 'balance,integral' }],
  })
  const choices = (who: typeof nameless, query: object) => request(who, '/api/kit/options/wxUser', query as never)
  expect(await choices(as({ permissions: new Set(['wxUser']) }), { key: '保密的昵' })).toMatchObject([customer])
  expect(await choices(nameless, { key: '保密的昵' })).toEqual([])
  expect(await choices(nameless, { ids: customer!.id })).toEqual([{ id: customer!.id, title: customer!.id }])
})

it('what colleagues sign in with is told by choices to who administers them alone', async () => {
  const account = 'sign-in-name'
  await unit(sql`update sys_user set real_name = '沈登录' where account = 'admin' and tenant_id = ${tenantId}`)
  const choices = (codes: string[], key: string) =>
    request(as({ permissions: new Set(codes) }), '/api/kit/options/user', { key })
  const chooser = ['flow_away', 'flow_away_add']
  expect(await choices(chooser, '沈登')).toEqual([{ id: expect.any(String), title: '沈登录' }])
  expect(await choices(['user'], '沈登')).toMatchObject([{ title: '沈登录', code: 'admin' }])
  await unit(
    sql`insert into sys_user (id, tenant_id, account, name, real_name, user_type)
      values (90017, ${tenantId}, ${account}, '无名', '无名', 1)`,
  )
  expect([await choices(chooser, account), (await choices(['user'], account)).length]).toEqual([[], 1])
})

it('a masked phone is not found out by choices: whole numbers are asked for a few hundred times', async () => {
  const guesser = as({ permissions: new Set(['wxUser']) })
  const path = '/api/kit/options/wxUser'
  for (let n = 0; n < 300; n++) await request(guesser, path, { key: `1399541${String(n).padStart(4, '0')}` })
  expect((await world.ask(guesser, 'GET', path, { query: { key: '13995419999' } })).status).toBe(429)
  // Searching by plain words still works.
  await request(guesser, path, { key: '保密' })
})

it('member prices tell no cost, and no margin, of goods whose cost is hidden', async () => {
  const price = async (more: Partial<Caller>) => (await request(as(more), '/api/shop/vipPrice/list')).records[0]
  expect(await price({})).toMatchObject({
    costPrice: cost,
    salePrice: expect.stringMatching(/\d/),
    margin: expect.stringMatching(/\d/),
  })
  expect(await price({ dataScopes: [hiddenCost] })).toMatchObject({ costPrice: -1, margin: '' })
})

it('a colleague is not found by what is hidden of them', async () => {
  const permissions = new Set(['user'])
  const search = async (key: string, fields: string) =>
    (
      (
        await world.ask(
          as({
            userId: '990000000000000017',
            permissions,
            dataScopes: [{ resourceCode: 'user', type: 1, column: null, value: null, fields }],
          }),
          'GET',
          '/api/blade-user/search/worker',
          { query: { key } },
        )
      ).data as { account: string }[]
    ).length
  await unit(sql`update sys_user set phone = '13899990017', real_name = '钱万贯' where account = 'admin'
    and tenant_id = ${tenantId}`)
  const all = 'id,account,name,realName,phone'
  expect([await search('0017', all), await search('13899990017', all), await search('万贯', all)]).toEqual([1, 1, 1])
  const few = 'id,account,name'
  expect([await search('0017', few), await search('13899990017', few), await search('万贯', few)]).toEqual([0, 0, 0])
  expect(await search('admin', few)).toBe(1)
})

it('a count and a suggestion tell no stock and no name of goods that is hidden, and find none by it', async () => {
  const { admin, shops } = tenants.north
  const post = (path: string, body: object) => tenants.must(tenants.call(admin, 'POST', path, { body }))
  const [good] = await unit<{ upc: string }>(sql`update good_info set stock = 7 where name = ${NAME} returning upc`)
  const { id: stocktakeId } = await post('/api/shop/stocktake/submit', { shopId: shops[0], scope: 'all', rule: 'add' })
  const { id: supplierId } = await post('/api/shop/supplierInfo/submit', { name: '水站', leadDays: 1 })
  await post('/api/supplier/supplierGoodsInfo/submit', { supplierId, upc: good!.upc, name: '水', price: '1.00' })
  const who = (fields?: string) =>
    as({
      permissions: new Set([...codes, 'stocktake', 'stocktakeLine', 'supplierCart']),
      dataScopes: fields ? [{ ...hiddenCost, fields }] : [],
    })
  const lines = { stocktakeId, isUncounted: 'true' }
  const found = async (one: ReturnType<typeof as>) =>
    (await request(one, '/api/shop/stocktakeLine/list', lines)).records.find((row: any) => row.upc === good!.upc)
  const suggested = async (one: ReturnType<typeof as>) =>
    (await request(one, '/api/supplier/supplierCart/suggest', { shopId: shops[0] })).find(
      (row: any) => row.upc === good!.upc,
    )
  expect(await found(who())).toMatchObject({ stock: 7 })
  expect(await found(who('upc,shopId'))).not.toMatchObject({ stock: 7 })
  expect(await suggested(who())).toMatchObject({ name: NAME, stock: 7 })
  expect(await suggested(who('upc,shopId'))).toMatchObject({ name: '', stock: '', lastsDays: '' })
  const preview = async (one: ReturnType<typeof as>) => {
    const shown = await request(one, '/api/shop/stocktake/preview', { id: stocktakeId, uncounted: 'zero' })
    return [shown.shortAmount, shown.lines.find((row: any) => row.upc === good!.upc || row.name === '')]
  }
  expect(await preview(who())).toMatchObject([
    expect.stringMatching(/^[1-9]/),
    { name: NAME, stock: 7, amount: '-51.17' },
  ])
  const blind = await preview(who('upc,shopId'))
  expect(blind).toMatchObject(['0.00', { name: '', stock: '', after: '', amount: '' }])
  const byName = { ...lines, goodText: '保密' }
  expect((await request(who(), '/api/shop/stocktakeLine/list', byName)).total).toBe(1)
  const answer = await world.ask(who('upc,shopId'), 'GET', '/api/shop/stocktakeLine/list', { query: byName })
  expect([answer.status, answer.data.reason]).toEqual([400, 'filter_hidden'])
})

it('what lies in the shops is not worth a sum to whom its prices are hidden', async () => {
  const [good] = await unit<{ id: string; upc: string }>(sql`select id, upc from good_info where name = ${NAME}`)
  await unit(sql`insert into storage_batch (id, tenant_id, batch_no, shop_id, good_id, upc, quantity, remaining,
    cost_price, create_user)
    values (77, ${tenantId}, 'B77', ${tenants.north.shops[0]}, ${good!.id}, ${good!.upc}, 3, 3, 731, 1)`)
  const storage = async (more: Partial<Caller>) =>
    (await request(as(more), '/api/shop/statistics/countSaleAndStorage')).storage
  expect((await storage({})).cost).toBe('21.93')
  expect((await storage({ dataScopes: [hiddenBatch] })).cost).toBe('0.00')
  expect((await storage({ dataScopes: [{ ...hiddenCost, fields: 'name,stock' }] })).price).toBe('0.00')
})

it('tickets spent in other shops stand in no order of what was spent there, however the order is spelt', async () => {
  const [mine, other] = tenants.north.shops
  await tenants.services.unit({ tenantId }, async (db) => {
    const ticket = tenants.services.registry.resource('customerTicket')
    for (const [n, shopId] of [mine, other].entries()) {
      await db.insert(ticket, {
        ticketNo: `T${n}`,
        wxUserId: '1',
        shopIds: [mine, other],
        shopId,
        usedAmount: 100 + n,
        status: 2,
      })
    }
  })
  const boss = as({ limits: { shop: [mine!] } })
  const found = async (query: Record<string, unknown>) =>
    ((await request(boss, '/api/shop/customerTicket/list', query)).records as { ticketNo: string }[]).map(
      ({ ticketNo }) => ticketNo,
    )
  expect((await found({})).sort()).toEqual(['T0', 'T1'])
  for (const key of ['usedAmount', 'used_amount', 'orderId', 'order_id', 'used_time', 'shop_id']) {
    for (const order of ['ascs', 'descs'])
      expect([key, order, await found({ [order]: key })]).toEqual([key, order, ['T0']])
  }
})

it('the secret of a client is found by nobody to whom the list masks it', async () => {
  const reader = world.be({ tenantId: '000000', permissions: new Set(['client']) })
  const clients = async (query: Record<string, unknown>) =>
    (await request(reader, '/api/blade-system/client/list', query)).records as {
      clientId: string
      clientSecret: string
    }[]
  const all = await clients({ size: 100 })
  expect(new Set(all.map(({ clientSecret }) => clientSecret))).toEqual(new Set(['******']))
  for (const filter of ['clientSecret', 'clientSecret_equal', 'clientSecret_likeright', 'clientSecret_ge']) {
    expect([filter, (await clients({ size: 100, [filter]: 'saber3_s' })).length]).toEqual([filter, all.length])
  }
  const order = async (query: Record<string, unknown>) =>
    (await clients({ size: 100, ...query })).map(({ clientId }) => clientId)
  expect(await order({ ascs: 'clientSecret' })).toEqual(await order({}))
  expect(await order({ descs: 'client_secret' })).toEqual(await order({}))
})

it('a key whose name calls it a secret is whole in no list, and a list row that is sent back keeps it', async () => {
  const resources = [...world.registry.served.values()].flatMap(({ resource }) =>
    readableSecretNamedKeys(resource).map((key) => `${resource.name}.${key}`),
  )
  expect(resources.toSorted()).toEqual([
    'client.clientSecret',
    'oss.accessKey',
    'sms.accessKey',
    'speechEngine.accessKey',
  ])
  const everybody = as({ permissions: new Set(['sms', 'sms_add', 'sms_edit', 'sms_view']) })
  const draft = { smsCode: 'keyed', category: 1, templateId: 't', accessKey: 'AK-whole', secretKey: 's' }
  const { id } = (await world.ask(everybody, 'POST', '/api/blade-resource/sms/submit', { body: draft })).data
  const listed = async (query: object = {}) =>
    (await request(everybody, '/api/blade-resource/sms/list', { smsCode: 'keyed', ...query })).records as object[]
  const [row] = await listed()
  expect(row).toMatchObject({ accessKey: '******' })
  const sent = await world.ask(everybody, 'POST', '/api/blade-resource/sms/submit', { body: { ...row, remark: 'x' } })
  expect(sent.status).toBe(200)
  expect(await request(everybody, '/api/blade-resource/sms/detail', { id })).toMatchObject({
    accessKey: 'AK-whole',
    remark: 'x',
  })
  // Nor can it be found by its beginning.
  expect(await listed({ accessKey_likeright: 'ZZ' })).toHaveLength(1)
})

it('a file that stands among attachments of others is neither described nor removed by its name', async () => {
  const key = `${tenantId}/upload/20261122/hidden.txt`
  const link = `/api/blade-resource/oss/endpoint/file/${key}`
  await unit(sql`insert into stored_file (key, tenant_id, original_name, extension, content_type, size, hash, inline,
    create_user)
    values (${key}, ${tenantId}, 'salaries.txt', 'txt', 'text/plain', 1, 'h', false, 5)`)
  await tenants.services.unit({ tenantId }, (db) =>
    db.insert(tenants.services.registry.resource('attach'), { link, name: key, originalName: 'salaries.txt' }),
  )
  const own = { resourceCode: 'attach', type: 2, column: null, value: null }
  const permissions = new Set(['attach', 'attach_delete'])
  const call = async (
    who: ReturnType<typeof as>,
    method: 'GET' | 'POST',
    path: string,
    query: Record<string, string>,
  ) => (await world.ask(who, method, `/api/blade-resource/oss/endpoint/${path}`, { query })).status
  const narrow = as({ permissions, dataScopes: [own] })
  for (const path of ['file-path', 'file-link', 'stat-file'])
    expect([path, await call(narrow, 'GET', path, { fileName: key })]).toEqual([path, 404])
  expect(await call(narrow, 'POST', 'remove-file', { fileName: key })).toBe(404)
  expect(await call(narrow, 'POST', 'remove-files', { fileNames: link })).toBe(404)
  expect(await unit(sql`select 1 from stored_file where key = ${key}`)).toHaveLength(1)
  const all = as({ permissions })
  expect(await call(all, 'GET', 'stat-file', { fileName: key })).toBe(200)
  expect(await call(all, 'POST', 'remove-file', { fileName: key })).toBe(200)
})

const ownOnly = (resourceCode: string) => ({ resourceCode, type: 2, column: null, value: null })
const insert = async (name: string, row: object): Promise<string> =>
  String(
    (
      (await tenants.services.unit({ tenantId }, (db) =>
        db.insert(tenants.services.registry.resource(name), row as never),
      )) as { id: string }
    ).id,
  )

it('an order to a supplier names a shop and goods out of its writer’s own lists', async () => {
  const [shopId] = tenants.north.shops as [string]
  const supplierId = await insert('supplierInfo', { name: '供货商', status: 1, leadDays: 1, minAmount: 0 })
  const [good] = await unit<{ upc: string }>(sql`select upc from good_info where name = ${NAME}`)
  const supplierGoodsId = await insert('supplierGoodsInfo', {
    supplierId,
    upc: good!.upc,
    name: '货',
    boxQty: 1,
    minQty: 1,
    price: 100,
    onSale: true,
  })
  const permissions = new Set(['supplierCart', 'supplierCart_add', 'supplierOrder_add'])
  const lines = [{ supplierGoodsId, quantity: 2 }]
  const fill = async (dataScopes: Caller['dataScopes']) =>
    (
      await world.ask(as({ permissions, dataScopes }), 'POST', '/api/supplier/supplierCart/fill', {
        body: { shopId, lines },
      })
    ).status
  const place = async (dataScopes: Caller['dataScopes']) =>
    (
      await world.ask(as({ permissions, dataScopes }), 'POST', '/api/supplier/supplierOrder/submit', {
        body: { shopId, supplierId, lines },
      })
    ).status
  for (const resource of ['basicShopInfo', 'supplierGoodsInfo'])
    expect([resource, await fill([ownOnly(resource)])]).toEqual([resource, 404])
  for (const resource of ['basicShopInfo', 'supplierGoodsInfo', 'supplierInfo'])
    expect([resource, await place([ownOnly(resource)])]).toEqual([resource, 404])
  expect([await fill([]), await place([])]).toEqual([200, 200])
})

it('all devices of a gateway are those that whoever removes them sees', async () => {
  const [shopId] = tenants.north.shops as [string]
  const gatewayId = await insert('epaGateway', { shopId, clientId: 'gw-1', name: 'gw' })
  await insert('epaDevice', { shopId, gatewayId, clientId: 'gw-1', deviceId: 'd1', name: 'd1', kind: 'light' })
  const remove = async (dataScopes: Caller['dataScopes']) =>
    await world.ask(
      as({ permissions: new Set(['epaDevice', 'epaDevice_delete']), dataScopes }),
      'POST',
      '/api/shop/epaDevice/removeAll',
      { query: { clientId: 'gw-1' } },
    )
  expect((await remove([ownOnly('epaGateway')])).status).toBe(404)
  expect((await remove([ownOnly('epaDevice')])).data).toEqual({ count: 0 })
  expect((await remove([])).data).toEqual({ count: 1 })
})

it('a campaign is tried with the goods its writer sees, and goods types are theirs too', async () => {
  const [good] = await unit<{ upc: string }>(sql`select upc from good_info where name = ${NAME}`)
  await insert('goodType', { name: '种类', parentId: '0' })
  const permissions = new Set(['discountConf_add', 'goodType'])
  const body = {
    shopId: tenants.north.shops[0],
    type: 'percentage',
    rules: { rate: '80' },
    lines: [{ upc: good!.upc, quantity: 1 }],
  }
  const preview = async (dataScopes: Caller['dataScopes']) =>
    (await world.ask(as({ permissions, dataScopes }), 'POST', '/api/shop/discountConf/preview', { body })).data
  expect(await preview([])).toMatchObject({ quantity: 1 })
  expect((await preview([ownOnly('goodInfo')])).reason).toBe('quote_unknown_goods')
  expect((await preview([ownOnly('basicShopInfo')])).reason).toBe('invalid')
  expect(await request(as({ permissions }), '/api/shop/goodType/tree')).toHaveLength(1)
  expect(await request(as({ permissions, dataScopes: [ownOnly('goodType')] }), '/api/shop/goodType/tree')).toEqual([])
})
