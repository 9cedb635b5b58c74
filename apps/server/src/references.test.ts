import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '#kit/server/database/db.ts'
import { lockAgainstRemoval, referencesTo } from '#kit/server/resource/references.ts'
import { findOrphans } from '#kit/server/resource/orphans.ts'
import type { Answer, CastMember } from '#tests/support/server.ts'
import { saleBodyOf, createTestTenants, type TestTenants } from '#tests/support/test-tenants.ts'

// Tests what happens to rows that refer to a removed row (docs/decisions/0041).

let tenants: TestTenants
beforeAll(async () => {
  tenants = await createTestTenants()
})
afterAll(() => tenants?.close())

const add = async (path: string, body: Record<string, unknown>, as = tenants.north.admin): Promise<string> =>
  (await tenants.must(tenants.call(as, 'POST', `/api/${path}/submit`, { body }))).id
const remove = (
  path: string,
  ids: string,
  { as = tenants.north.admin, lang }: { as?: CastMember; lang?: 'zh' | 'en' } = {},
) => tenants.call(as, 'POST', `/api/${path}/remove`, { query: { ids }, lang })
const inNorth = <R extends object>(statement: ReturnType<typeof sql>) =>
  tenants.services.unit({ tenantId: tenants.north.tenantId }, (db) => db.query<R>(statement))
const INFO = 'shop/supplierInfo'
const GOODS = 'supplier/supplierGoodsInfo'

let made = 0
const supplier = (as = tenants.north.admin) =>
  add(INFO, { name: `供应商${++made}`, status: '1', settlementDays: 30, leadDays: 1, freight: '0' }, as)
const goodsOf = (supplierId: string) =>
  add(GOODS, { supplierId, name: '可乐', upc: `69${String(10_000 + ++made)}`, price: '2.00' })

describe('removing what others name', () => {
  test('is refused while living rows stand on it, by their resource and number, in both languages', async () => {
    const [busy, free] = [await supplier(), await supplier()]
    const [one, two] = [await goodsOf(busy), await goodsOf(busy)]
    const { name } = await tenants.must(
      tenants.call(tenants.north.admin, 'GET', `/api/${INFO}/detail`, { query: { id: busy } }),
    )
    expect(await remove(INFO, busy)).toMatchObject({
      status: 400,
      data: { reason: 'still_named' },
      body: { msg: `“${name}”仍被 2 条供应商商品 引用，不能删除` },
    })
    await tenants.must(remove(GOODS, one))
    expect((await remove(INFO, busy, { lang: 'en' })).body.msg).toBe(
      `“${name}” is still used by 1 supplier product and cannot be deleted.`,
    )
    // All are removed or none; the message names the row that prevents it.
    expect((await remove(INFO, `${free},${busy}`, { lang: 'en' })).body.msg).toContain(`“${name}”`)
    expect(await inNorth(sql`select 1 from supplier_info where id = ${free} and is_deleted = 0`)).toHaveLength(1)
    await tenants.must(remove(GOODS, two))
    await tenants.must(remove(INFO, `${free},${busy}`))
  })

  test('counts rows whose resource the caller may not read, and does not name it', async () => {
    const id = await supplier()
    await goodsOf(id)
    const buyer = await tenants.person(tenants.north, 'buyer', ['supplierInfo', 'supplierInfo_delete'])
    expect((await remove(INFO, id, { as: buyer, lang: 'en' })).body.msg).toMatch(/used by 1 other record and/)
  })

  test('counts rows of shops the caller has nothing to do with as others, though he may list them', async () => {
    const [his, other] = tenants.north.shops as [string, string]
    const id = await supplier()
    const boss = await tenants.person(tenants.north, 'boss', ['supplierInfo', 'supplierInfo_delete', 'supplierOrder'])
    const staff = [{ userId: boss.userId, position: 'boss' }]
    await tenants.must(
      tenants.call(tenants.north.admin, 'POST', '/api/shop/basicShopInfo/staff', { body: { id: his, staff } }),
    )
    for (const shopId of [other, his])
      await inNorth(sql`insert into supplier_order (id, tenant_id, order_no, shop_id, supplier_id, status)
        values (${++made}, ${tenants.north.tenantId}, ${`P${made}`}, ${shopId}, ${id}, 1)`)
    expect((await remove(INFO, id, { as: boss, lang: 'en' })).body.msg).toContain(
      'has 1 purchase order, 1 other record',
    )
  })

  test('says that only putting out of use is left where records will always name it', async () => {
    const [shopId] = tenants.north.shops
    const register = await tenants.register(tenants.north, shopId!)
    for (const orders of ['1 order', '2 orders']) {
      await inNorth(sql`insert into shopping_order (id, tenant_id, order_no, shop_id, cash_register_id, status)
        values (${++made}, ${tenants.north.tenantId}, ${`N${made}`}, ${shopId}, ${register.id}, 1)`)
      const { data, body } = await remove('shop/cashRegister', register.id, { lang: 'en' })
      expect(data.reason).toBe('named_for_good')
      // The same for one and for many.
      expect(body.msg).toContain(`has ${orders}, which are kept permanently. Deactivate it instead of deleting it.`)
    }
  })

  test('is not stopped by logs; what hangs on it goes along, and what may be empty is emptied', async () => {
    const shopId = tenants.north.shops[1]!
    const good = await tenants.good(tenants.north, shopId)
    await tenants.must(
      tenants.call(tenants.north.admin, 'POST', '/api/shop/goodInfo/submit', {
        body: { id: good.id, salePrice: '6.00' },
      }),
    )
    const price = await add('shop/vipPrice', {
      shopId,
      goodId: good.id,
      price: '4.00',
      startTime: '2026-01-01 00:00:00',
      endTime: '2099-01-01 00:00:00',
    })
    expect(await inNorth(sql`select 1 from good_price_log where good_id = ${good.id}`)).not.toHaveLength(0)
    await tenants.must(remove('shop/goodInfo', good.id))
    expect(await inNorth(sql`select is_deleted from vip_price where id = ${price}`)).toEqual([{ isDeleted: 1 }])

    const audio = await add('shop/audioConf', {
      shopId,
      name: '欢迎',
      text: '欢迎光临',
      trigger: 'manual',
      voice: 'female',
    })
    await inNorth(sql`update shop_conf set welcome_audio_id = ${audio} where shop_id = ${shopId}`)
    await tenants.must(remove('shop/audioConf', audio))
    expect(await inNorth(sql`select welcome_audio_id from shop_conf where shop_id = ${shopId}`)).toEqual([
      { welcomeAudioId: null },
    ])
  })

  test('leaves no orphan when somebody names it at the same moment', async () => {
    for (let round = 0; round < 12; round++) {
      const id = await supplier()
      const [linked, removing] = await Promise.all([
        tenants.call(tenants.north.admin, 'POST', `/api/${GOODS}/submit`, {
          body: { supplierId: id, name: '可乐', upc: `68${String(10_000 + ++made)}`, price: '2.00' },
        }),
        remove(INFO, id),
      ])
      expect(new Set([linked.status, removing.status])).toEqual(new Set([200, 400]))
    }
    expect(await findOrphans(tenants.services)).toEqual([])
  })

  test('waits for a name that is being written, and finds it', async () => {
    const id = await supplier()
    let refused: ReturnType<typeof remove> | undefined
    const goods = await goodsOf(await supplier())
    await tenants.services.unit({ tenantId: tenants.north.tenantId }, async (db) => {
      const target = tenants.services.registry.resource('supplierInfo')
      await lockAgainstRemoval(db, target, [id])
      refused = remove(INFO, id)
      await db.run(sql`update supplier_goods_info set supplier_id = ${id} where id = ${goods}`)
    })
    expect((await refused)?.data.reason).toBe('still_named')
  })

  test('and a name that comes back from the recycle bin finds what it names', async () => {
    const id = await supplier()
    const goods = await goodsOf(id)
    await tenants.must(remove(GOODS, goods))
    await tenants.must(remove(INFO, id))
    const back = await tenants.call(tenants.north.admin, 'POST', '/api/kit/bin/supplierGoodsInfo/restore', {
      body: { ids: goods },
    })
    expect(back).toMatchObject({ status: 400, data: { fields: { supplierId: expect.any(String) } } })
  })
})

test('what comes back from the recycle bin names nobody who went meanwhile', async () => {
  const shopId = await add('shop/basicShopInfo', { shopName: '北街3号店', shopCode: 'T3' })
  const { userId } = await tenants.person(tenants.north, 'clerk', [])
  await add('shop/basicShopInfo', { id: shopId, bossUserId: userId })
  await tenants.must(remove('shop/basicShopInfo', shopId))
  await tenants.must(remove('blade-system/user', userId))
  await tenants.must(
    tenants.call(tenants.north.admin, 'POST', '/api/kit/bin/basicShopInfo/restore', { body: { ids: shopId } }),
  )
  expect(await inNorth(sql`select boss_user_id from basic_shop_info where id = ${shopId}`)).toEqual([
    { bossUserId: null },
  ])

  const good = await tenants.good(tenants.north, tenants.north.shops[0]!)
  const tag = await add('shop/priceTag', { tagId: 'BIN-1', shopId: tenants.north.shops[0]!, goodId: good.id })
  await tenants.must(remove('shop/priceTag', tag))
  await tenants.must(remove('shop/goodInfo', good.id))
  await tenants.must(tenants.call(tenants.north.admin, 'POST', '/api/kit/bin/priceTag/restore', { body: { ids: tag } }))
  expect(await inNorth(sql`select good_id, wanted_price, status from price_tag where id = ${tag}`)).toEqual([
    { goodId: null, wantedPrice: null, status: 0 },
  ])
  expect(await findOrphans(tenants.services)).toEqual([])
})

describe('whoever names rows by another call than a form', () => {
  const post = (path: string, ask: { query?: Record<string, unknown>; body?: unknown }, as = tenants.north.admin) =>
    tenants.call(as, 'POST', `/api/${path}`, ask)
  const oneOf = async (...both: Promise<Answer>[]) => {
    const statuses = (await Promise.all(both)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
  }

  test('a role is granted or removed, a package given or removed', async () => {
    const platform = await tenants.server.as('admin')
    const menus = await tenants.services.unit({ tenantId: '000000' }, (db) =>
      db.query<{ id: string }>(sql`select id from menu where is_deleted = 0 limit 1`),
    )
    const { userId } = await tenants.person(tenants.north, 'clerk', [])
    const at = tenants.south.tenantId
    for (let round = 0; round < 10; round++) {
      const name = `r${++made}`
      const role = await add('blade-system/role', { roleName: name, roleAlias: name, sort: 1, parentId: '0' })
      await oneOf(
        post('blade-system/user/grant', { query: { userIds: userId, roleIds: role } }),
        remove('blade-system/role', role),
      )
      const bundle = await add('blade-system/tenant-package', { packageName: name, menuId: menus[0]!.id }, platform)
      await oneOf(
        post('blade-system/tenant/package-setting', { query: { tenantId: at, packageId: bundle } }, platform),
        remove('blade-system/tenant-package', bundle, { as: platform }),
      )
      await post('blade-system/tenant/package-setting', { query: { tenantId: at, packageId: '' } }, platform)
    }
    expect(await findOrphans(tenants.services)).toEqual([])
  })

  test('what a supplier sells is put into a cart before it is removed, and goes along, or not at all', async () => {
    const shopId = tenants.north.shops[0]!
    for (let round = 0; round < 12; round++) {
      const id = await goodsOf(await supplier())
      const lines = [{ supplierGoodsId: id, quantity: 1 }]
      const [filled, removed] = await Promise.all([
        post('supplier/supplierCart/fill', { body: { shopId, lines } }),
        remove(GOODS, id),
      ])
      expect([removed.status, [200, 404].includes(filled.status)]).toEqual([200, true])
    }
    expect(await findOrphans(tenants.services)).toEqual([])
  })

  test('a register sells first or is removed', async () => {
    const shopId = tenants.north.shops[0]!
    for (let round = 0; round < 8; round++) {
      const register = await tenants.register(tenants.north, shopId)
      const { upc } = await tenants.good(tenants.north, shopId)
      await Promise.all([
        tenants.beep(register, 'POST', 'sale', { body: saleBodyOf(upc) }),
        remove('shop/cashRegister', register.id),
      ])
    }
    expect(await findOrphans(tenants.services)).toEqual([])
  })
})

test('two who remove many rows at once do not wait for each other in a circle', async () => {
  const ids: string[] = []
  for (let n = 0; n < 80; n++) ids.push(await supplier())
  const bulk = (some: string[]) =>
    tenants.must(
      tenants.call(tenants.north.admin, 'POST', '/api/kit/bulk/supplierInfo', {
        body: { operation: 'remove', ids: some, expectedCount: some.length },
      }),
    )
  const [first, second] = await Promise.all([
    bulk(ids.filter((_, at) => at % 2)),
    bulk(ids.filter((_, at) => !(at % 2))),
  ])
  expect([first, second]).toMatchObject([
    { done: 40, failed: 0 },
    { done: 40, failed: 0 },
  ])
})

test('nor do two of the platform who name the tenants in another order', async () => {
  const platform = await tenants.server.as('admin')
  for (let round = 0; round < 4; round++) {
    const [north, south] = [await supplier(), await supplier(tenants.south.admin)]
    const both = [`${north},${south}`, `${south},${north}`]
    const answers = await Promise.all(both.map((ids) => remove(INFO, ids, { as: platform })))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 404]))
  }
})

describe('the nightly look', () => {
  test('finds a living row that names what was removed, what is not there, and what is another tenant’s', async () => {
    const [gone, goods] = [await supplier(), await goodsOf(await supplier())]
    const theirs = await supplier(tenants.south.admin)
    await tenants.must(remove(INFO, gone))
    for (const wrong of [gone, '1', theirs]) {
      await inNorth(sql`update supplier_goods_info set supplier_id = ${wrong} where id = ${goods}`)
      const found = await findOrphans(tenants.services)
      expect(found).toEqual([
        { resource: 'supplierGoodsInfo', field: 'supplierId', names: 'supplierInfo', count: 1, ids: [goods] },
      ])
    }
  })
})

test('what a removal does to those who name it: a change here is a decision', () => {
  const rules = [...referencesTo(tenants.services.registry)]
    .flatMap(([to, references]) => references.map((one) => `${to} ← ${one.resource.name}.${one.key} ${one.onRemoval}`))
    .filter((line) => !line.endsWith(' keep'))
  expect(rules.filter((line) => line.endsWith(' empty')).sort()).toMatchInlineSnapshot(`
    [
      "audioConf ← shopConf.leaveAudioId empty",
      "audioConf ← shopConf.welcomeAudioId empty",
      "basicShopInfo ← camera.shopId empty",
      "deviceInfo ← camera.deviceId empty",
      "goodInfo ← priceTag.goodId empty",
      "goodType ← eleGoodType.goodTypeId empty",
      "goodType ← meituanGoodType.goodTypeId empty",
      "merchantInfo ← basicShopInfo.merchantId empty",
      "role ← flowRule.roleIds empty",
      "role ← reportView.roleId empty",
      "tagTemplate ← priceTag.layoutId empty",
      "user ← basicShopInfo.bossUserId empty",
      "user ← flowRule.userIds empty",
      "user ← wxShoper.userId empty",
      "videoAccount ← camera.accountId empty",
    ]
  `)

  expect(rules.filter((line) => line.endsWith(' remove')).sort()).toMatchInlineSnapshot(`
    [
      "basicShopInfo ← plannedWork.shopId remove",
      "basicShopInfo ← shopConf.shopId remove",
      "eleShopInfo ← eleAptitude.eleShopId remove",
      "eleShopInfo ← eleGoodType.eleShopId remove",
      "epaDevice ← powerRule.deviceId remove",
      "goodInfo ← vipPrice.goodId remove",
      "meituanShopInfo ← meituanAptitude.meituanShopId remove",
      "meituanShopInfo ← meituanGoodType.meituanShopId remove",
      "model ← modelPrototype.modelId remove",
      "reportView ← reportTiming.reportId remove",
      "role ← refundLimit.roleId remove",
      "supplierGoodsInfo ← supplierCart.supplierGoodsId remove",
      "user ← flowAway.deputyId remove",
      "user ← flowAway.userId remove",
      "user ← noticeSubscribe.userId remove",
      "workInfo ← workDevice.workId remove",
    ]
  `)
})
