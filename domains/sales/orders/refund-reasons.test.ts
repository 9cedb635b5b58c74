import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { saleBodyOf, createTestTenants, type TestTenants } from '#tests/support/test-tenants.ts'
import { refundReasons, isRestockableRefundReason } from './refund-reasons.ts'

describe('the reason of a refund', () => {
  it('keeps damaged and expired goods off the shelf, in people’s own words too, and lets whole ones back', () => {
    for (const reason of [
      '商品过期',
      '牛奶已经变质了',
      '瓶子碎了',
      '包装破损',
      '已开封',
      '质量问题',
      'Broken',
      'the milk was past its date',
      'leaking bottle',
      'opened already',
    ])
      expect([reason, isRestockableRefundReason(reason)]).toEqual([reason, false])
    for (const reason of [
      '拿错商品',
      '不想要了',
      '重复付款',
      '公司活动取消，商品未拆封',
      '没有打开过',
      'Wrong product taken',
      'changed his mind',
      'unopened',
    ])
      expect([reason, isRestockableRefundReason(reason)]).toEqual([reason, true])
  })

  it('that is offered by a tap decides alike in both languages', () => {
    for (const { label, restock } of refundReasons)
      expect([isRestockableRefundReason(label.zh), isRestockableRefundReason(label.en)]).toEqual([restock, restock])
  })
})

describe('a refund that does not say what becomes of the goods', () => {
  let tenants: TestTenants
  let good: { id: string; upc: string }
  let sell: () => Promise<string>

  beforeAll(async () => {
    tenants = await createTestTenants({ now: () => new Date('2026-11-20T09:00:00+08:00') })
    const [shop] = tenants.north.shops as [string]
    const register = await tenants.register(tenants.north, shop)
    good = await tenants.good(tenants.north, shop)
    await tenants.receive(tenants.north, shop, good.id, 100)
    sell = async () =>
      (await tenants.must(tenants.beep(register, 'POST', 'sale', { body: saleBodyOf(good.upc, {}, 2) })))
        .orderId as string
  })
  afterAll(() => tenants.close())

  const refund = async (body: Record<string, unknown>) => {
    const orderId = await sell()
    const before = await tenants.stock(tenants.north, good.id)
    const { id } = await tenants.must(
      tenants.call(tenants.north.admin, 'POST', '/api/shop/refunds/now', { body: { orderId, full: true, ...body } }),
    )
    await tenants.server.jobs.runDue()
    const { data } = await tenants.call(tenants.north.admin, 'GET', '/api/shop/refunds/detail', { query: { id } })
    return { restock: data.restock, status: data.status, back: (await tenants.stock(tenants.north, good.id)) - before }
  }

  it('puts back what was taken by mistake, and not what is damaged or expired', async () => {
    expect(await refund({ reason: '拿错商品' })).toEqual({ restock: true, status: 3, back: 2 })
    expect(await refund({ reason: '商品破损' })).toEqual({ restock: false, status: 3, back: 0 })
    expect(await refund({ reason: 'Expired' })).toEqual({ restock: false, status: 3, back: 0 })
  })

  it('obeys who says it: the switch wins over the reason, both ways', async () => {
    expect(await refund({ reason: '商品破损', restock: true })).toMatchObject({ restock: true, back: 2 })
    expect(await refund({ reason: '拿错商品', restock: false })).toMatchObject({ restock: false, back: 0 })
  })
})
