import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkLedgers } from '#domains/sales/orders/api.ts'
import { sql } from '#kit/server/database/db.ts'
import { endOverdueMarketing } from '#domains/sales/marketing/api.ts'
import { createTestTenants, type Register, type TestTenants } from '#tests/support/test-tenants.ts'
import { defineQueue } from '#kit/server/jobs/index.ts'

let now = new Date('2026-11-20T09:00:00+08:00')
/** While it ticks, every look at the clock is a second later. */
let isTicking = false
let tenants: TestTenants
let register: Register
let good: { id: string; upc: string }
let customerId: string
let campaignId: string
let made = 0

beforeAll(async () => {
  tenants = await createTestTenants({ now: () => (isTicking ? (now = new Date(now.getTime() + 1000)) : now) })
  const { north } = tenants
  const [shop] = north.shops
  register = await tenants.register(north, shop!)
  good = await tenants.good(north, shop!)
  await tenants.receive(north, shop!, good.id, 1000)
  customerId = await tenants.services.unit(
    { tenantId: north.tenantId },
    async (db) =>
      (
        (await db.insert(
          tenants.services.registry.resource('wxUser') as never,
          { nickname: '王小明', phone: '13800000001', balance: 0, integral: 0 } as never,
        )) as { id: string }
      ).id,
  )
  const { id } = await tenants.must(
    tenants.call(north.admin, 'POST', '/api/shop/discountConf/submit', {
      body: {
        name: '满三十减五',
        type: 'fullReduction',
        rules: { tiers: [{ over: '30', off: '5' }] },
        startTime: '2026-11-01 00:00:00',
        endTime: '2026-12-01 00:00:00',
        budget: '1000',
      },
    }),
  )
  campaignId = id
  await tenants.must(tenants.call(north.admin, 'POST', '/api/shop/discountConf/public', { query: { id } }))
})
afterAll(() => tenants.close())

const quote = (more: Record<string, unknown> = {}, of = register) =>
  tenants.beep(of, 'POST', 'quote', {
    body: { saleNo: `Q${++made}`, lines: [{ upc: good.upc, quantity: 7 }], ...more },
  })
const saleOf = (quoted: any, more: Record<string, unknown> = {}) => ({
  saleNo: quoted.saleNo,
  quoteId: quoted.quoteId,
  saleTime: '2026-11-20 09:00:00',
  payType: 'cash',
  payAmount: quoted.payAmount,
  lines: quoted.lines.map(({ upc, name, price, quantity, discount, amount }: any) => ({
    upc,
    name,
    price,
    quantity,
    discount,
    amount,
  })),
  ...more,
})
const sell = (sale: object, of = register) => tenants.beep(of, 'POST', 'sale', { body: sale })
/** Ends what has expired at another time, without moving the clock of the sessions. */
const sweepAt = (time: string) => endOverdueMarketing({ ...tenants.services, now: () => new Date(time) })
const ticketFor = async () => {
  const { id } = await tenants.must(
    tenants.call(tenants.north.admin, 'POST', '/api/shop/discountTicket/submit', {
      body: { name: '三元券', type: 'amount', amount: '3', threshold: '10', validDays: 30, perUser: 0 },
    }),
  )
  await tenants.must(
    tenants.call(tenants.north.admin, 'POST', '/api/shop/discountTicket/issue', {
      query: { id, wxUserIds: customerId },
    }),
  )
  const { data } = await tenants.beep(register, 'GET', 'customer', { query: { phone: '13800000001' } })
  return data.tickets.at(-1) as { ticketNo: string; promise: string }
}
const campaign = async () =>
  await tenants.must(
    tenants.call(tenants.north.admin, 'GET', '/api/shop/discountConf/detail', { query: { id: campaignId } }),
  )

describe('a register with quotes', () => {
  it('charges by the quote: the order says for each line why it cost less, and every ledger adds up', async () => {
    const ticket = await ticketFor()
    expect(ticket.promise).toBe('满 10 减 3')
    const { data: quoted } = await quote({ customerId, tickets: ticket.ticketNo })
    expect(quoted).toMatchObject({
      goodsAmount: '35.00',
      campaignAmount: '5.00',
      ticketAmount: '3.00',
      payAmount: '27.00',
      validUntil: '2026-11-20 09:10:00',
    })
    const sale = saleOf(quoted, { customerId })
    const first = await tenants.must(sell(sale))
    expect(first.flags).toEqual([])
    expect(await tenants.must(sell(sale))).toMatchObject({ orderNo: first.orderNo, repeated: true })
    const { order, lines } = await tenants.must(
      tenants.call(tenants.north.admin, 'GET', '/api/shop/shoppingOrder/whole', { query: { id: first.orderId } }),
    )
    expect(order).toMatchObject({ payAmount: '27.00', ticketAmount: '3.00', discountAmount: '5.00' })
    expect(lines[0].benefits.map((one: any) => [one.kind, one.amount])).toEqual([
      ['campaign', '5.00'],
      ['ticket', '3.00'],
    ])
    expect(await campaign()).toMatchObject({ usedAmount: '5.00', usedCount: 1 })
    const shops = await tenants.must(
      tenants.call(tenants.north.admin, 'GET', '/api/shop/shopMarkting/list', {
        query: { discountConfId: campaignId, shopId: register.shopId },
      }),
    )
    expect(shops.records).toMatchObject([
      { orders: 1, quantity: 7, discountAmount: '5.00', salesAmount: '27.00', costAmount: '21.00' },
    ])
    expect(await tenants.services.unit({ crossTenantReason: 'test' }, checkLedgers)).toEqual([])
  })

  it('twenty times at once with one quote is one order and one use of the campaign', async () => {
    const before = (await campaign()).usedCount as number
    const { data: quoted } = await quote()
    const answers = await Promise.all(Array.from({ length: 20 }, () => sell(saleOf(quoted))))
    expect(new Set(answers.map((one) => one.data.orderNo)).size).toBe(1)
    expect((await campaign()).usedCount).toBe(before + 1)
    expect((await quote({ saleNo: quoted.saleNo })).data.reason).toBe('quote_used')
  })

  it(
    'is charged by it also when the customer’s account was closed into another meanwhile; asked for ' +
      'by either identity, the open one answers',
    async () => {
      const people = await tenants.services.unit({ tenantId: tenants.north.tenantId }, async (db) => {
        const made: { id: string }[] = []
        for (const openid of ['o-old', 'o-older', 'o-new'])
          made.push(
            await db.insert(
              tenants.services.registry.resource('wxUser') as never,
              { nickname: openid, openid, balance: 0, integral: 0 } as never,
            ),
          )
        return made.map(({ id }) => id) as [string, string, string]
      })
      const [old, older, open] = people
      for (const wxUserId of people)
        await tenants.must(
          tenants.call(tenants.north.admin, 'POST', '/api/shop/balanceLog/adjust', {
            body: { wxUserId, change: '7', reason: '补' },
          }),
        )
      const { data: quoted } = await quote({ customerId: old })
      for (const [sourceId, targetId] of [
        [older, old],
        [old, open],
      ])
        await tenants.must(
          tenants.call(tenants.north.admin, 'POST', '/api/shop/wxUserMerge/merge', {
            body: { sourceId, targetId, reason: '同一个人', isSamePerson: true },
          }),
        )
      const sold = await tenants.must(sell(saleOf(quoted, { customerId: old })))
      expect(sold.flags).toEqual([])
      for (const openid of ['o-old', 'o-older', 'o-new'])
        expect((await tenants.beep(register, 'GET', 'customer', { query: { openid } })).data).toMatchObject({
          id: open,
          balance: '21.00',
        })
      const lines = await tenants.must(
        tenants.call(tenants.north.admin, 'GET', '/api/shop/integralLog/list', { query: { personOf: open } }),
      )
      expect(lines.total).toBe(1)
      const money = await tenants.must(
        tenants.call(tenants.north.admin, 'GET', '/api/shop/balanceLog/list', { query: { personOf: open } }),
      )
      expect(new Set(money.records.map((row: any) => row.wxUserId))).toEqual(new Set(people))
    },
  )

  it('refunded gives back the points that paid before it takes those earned, which may have been spent', async () => {
    const { id } = await tenants.services.unit(
      { tenantId: tenants.north.tenantId },
      async (db) =>
        (await db.insert(
          tenants.services.registry.resource('wxUser') as never,
          { nickname: '积分客', balance: 0, integral: 0 } as never,
        )) as { id: string },
    )
    const adjust = (change: number) =>
      tenants.must(
        tenants.call(tenants.north.admin, 'POST', '/api/shop/integralLog/adjust', {
          body: { wxUserId: id, change, reason: '调' },
        }),
      )
    await adjust(500)
    const { data: quoted } = await quote({ customerId: id, points: 500 })
    expect(quoted.pointsAmount).toBe('5.00')
    const { orderId } = await tenants.must(sell(saleOf(quoted, { customerId: id })))
    const points = async () =>
      (await tenants.services.unit({ tenantId: tenants.north.tenantId }, (db) =>
        db.one<{ integral: number }>(sql`select integral from wx_user where id = ${id}`),
      ))!.integral
    const earned = await points()
    expect(earned).toBeGreaterThan(0)
    await adjust(-earned)
    await tenants.must(
      tenants.call(tenants.north.admin, 'POST', '/api/shop/refunds/now', {
        body: { orderId, full: true, reason: '退' },
      }),
    )
    await tenants.server.jobs.runDue()
    expect(await points()).toBe(500 - earned)
    expect(await tenants.services.unit({ crossTenantReason: 'test' }, checkLedgers)).toEqual([])
  })

  it('paid with points alone gives them back piece by piece', async () => {
    const { admin, tenantId } = tenants.north
    const { id } = await tenants.services.unit(
      { tenantId },
      async (db) =>
        (await db.insert(
          tenants.services.registry.resource('wxUser') as never,
          { nickname: '全积分', balance: 0, integral: 0 } as never,
        )) as { id: string },
    )
    await tenants.must(
      tenants.call(admin, 'POST', '/api/shop/integralLog/adjust', {
        body: { wxUserId: id, change: 5000, reason: '调' },
      }),
    )
    const says = (share: number | null) =>
      tenants.services.unit({ tenantId }, (db) =>
        db.run(sql`update shop_conf set points_share = ${share} where shop_id = ${register.shopId}`),
      )
    await says(100)
    const { data: quoted } = await quote({ customerId: id, points: 5000, lines: [{ upc: good.upc, quantity: 3 }] })
    await says(null)
    expect([quoted.payAmount, quoted.points]).toEqual(['0.00', 1500])
    const { orderId } = await tenants.must(sell(saleOf(quoted, { customerId: id })))
    const { lines } = await tenants.must(
      tenants.call(admin, 'GET', '/api/shop/shoppingOrder/whole', { query: { id: orderId } }),
    )
    const points = async () =>
      (await tenants.services.unit({ tenantId }, (db) =>
        db.one<{ integral: number }>(sql`select integral from wx_user where id = ${id}`),
      ))!.integral
    for (const left of [4000, 4500, 5000]) {
      await tenants.must(
        tenants.call(admin, 'POST', '/api/shop/refunds/now', {
          body: { orderId, lines: [{ detailId: lines[0].id, quantity: 1 }], reason: '退' },
        }),
      )
      await tenants.server.jobs.runDue()
      expect(await points()).toBe(left)
    }
    expect(await tenants.services.unit({ crossTenantReason: 'test' }, checkLedgers)).toEqual([])
  })

  it('is refused when the sale is not what was quoted, or not its own quote; nothing is booked then', async () => {
    const { data: quoted } = await quote()
    const cheaper = quoted.lines.map((line: any) => ({ ...line, discount: '6.00', amount: '29.00' }))
    expect((await sell(saleOf(quoted, { lines: cheaper, payAmount: '29.00' }))).data.reason).toBe('quote_differs')
    expect((await sell(saleOf(quoted, { saleNo: 'other' }))).data.reason).toBe('quote_of_other')
    const neighbour = await tenants.register(tenants.north, register.shopId)
    expect((await sell(saleOf(quoted), neighbour)).data.reason).toBe('quote_of_other')
    const stranger = await tenants.register(tenants.south, tenants.south.shops[0]!)
    expect((await sell(saleOf(quoted), stranger)).data.reason).toBe('quote_unknown')
    expect((await sell(saleOf(quoted, { customerId }))).data.reason).toBe('quote_of_other')
    expect((await sell(saleOf(quoted))).status).toBe(200)
  })

  it('that lost the server after paying sends the sale hours later, charged by its quote', async () => {
    const ticket = await ticketFor()
    const { data: quoted } = await quote({ customerId, tickets: ticket.ticketNo })
    now = new Date('2026-11-20T13:00:00+08:00')
    await sweepAt('2026-11-20T13:00:00+08:00')
    const { data } = await tenants.beep(register, 'POST', 'sales', {
      body: { sales: [saleOf(quoted, { customerId, saleTime: '2026-11-20 09:03:00' })] },
    })
    expect(data.results[0]).toMatchObject({ result: 'recorded', flags: ['late', 'quote'] })
    const status = await tenants.services.unit({ tenantId: '100001' }, (db) =>
      db.one(sql`select status from customer_ticket where ticket_no = ${ticket.ticketNo}`),
    )
    expect(status).toEqual({ status: 2 })
    now = new Date('2026-11-20T09:00:00+08:00')
  })

  it(
    'sells what was quoted, also when it was removed or given another barcode ' +
      'meanwhile: ticket and points stay on its line',
    async () => {
      const { admin, tenantId, shops } = tenants.north
      const ask = (path: string, body: object) =>
        tenants.must(tenants.call(admin, 'POST', `/api/shop/${path}`, { body }))
      await ask('integralLog/adjust', { wxUserId: customerId, change: 2000, reason: '调' })
      for (const change of ['removed', 'renumbered'] as const) {
        const cake = await tenants.good(tenants.north, shops[0]!)
        const isRemoved = change === 'removed'
        const left = async () => (isRemoved ? undefined : tenants.stock(tenants.north, cake.id))
        if (!isRemoved) await tenants.receive(tenants.north, shops[0]!, cake.id, 10)
        const ticket = await ticketFor()
        const { data: quoted } = await quote({
          customerId,
          tickets: ticket.ticketNo,
          points: 300,
          lines: [{ upc: cake.upc, quantity: 3 }],
        })
        if (isRemoved) await ask('goodInfo/remove', { ids: cake.id })
        else {
          await ask('goodInfo/submit', { id: cake.id, upc: `${cake.upc}N` })
          // The barcode now belongs to another product, which nobody bought.
          await tenants.good(tenants.north, shops[0]!, { upc: cake.upc })
        }
        const { orderId, flags } = await tenants.must(sell(saleOf(quoted, { customerId })))
        expect(flags).toEqual(isRemoved ? ['unknownGoods'] : [])
        const { order, lines } = await tenants.must(
          tenants.call(admin, 'GET', '/api/shop/shoppingOrder/whole', { query: { id: orderId } }),
        )
        expect(order).toMatchObject({ ticketAmount: '3.00', integralAmount: '3.00', payAmount: '9.00' })
        expect(lines).toMatchObject([
          {
            goodId: cake.id,
            benefits: [
              { kind: 'ticket', amount: '3.00' },
              { kind: 'points', amount: '3.00' },
            ],
          },
        ])
        expect(await left()).toBe(isRemoved ? undefined : 7)
        await ask('refunds/now', { orderId, lines: [{ detailId: lines[0].id, quantity: 1 }], reason: '退' })
        await tenants.server.jobs.runDue()
        expect(
          await tenants.services.unit({ tenantId }, (db) =>
            db.one(sql`select points, points_returned from price_quote where order_id = ${orderId}`),
          ),
        ).toEqual({ points: 300, pointsReturned: 100 })
        expect(await left()).toBe(isRemoved ? undefined : 8)
      }
      expect(await tenants.services.unit({ crossTenantReason: 'test' }, checkLedgers)).toEqual([])
    },
  )

  it('sells as dear as it quotes', async () => {
    const { id, upc } = await tenants.good(tenants.north, register.shopId, { salePrice: '999999.99' })
    const { data: quoted } = await quote({ lines: [{ upc, quantity: 1000 }] })
    expect(quoted.payAmount).toBe('999999985.00')
    const { orderId } = await tenants.must(sell(saleOf(quoted, { payType: 'wechat', transactionNo: `W-${id}` })))
    await tenants.must(
      tenants.call(tenants.north.admin, 'POST', '/api/shop/refunds/now', {
        body: { orderId, full: true, reason: '退' },
      }),
    )
    await tenants.server.jobs.runDue()
    expect(await tenants.services.unit({ crossTenantReason: 'test' }, checkLedgers)).toEqual([])
  })

  it('without the server sells at the shelf price as ever', async () => {
    const sale = {
      saleNo: `N${++made}`,
      saleTime: '2026-11-20 09:00:00',
      payType: 'cash',
      payAmount: '35.00',
      lines: [{ upc: good.upc, price: '5.00', quantity: 7, discount: '0.00', amount: '35.00' }],
    }
    expect((await tenants.must(sell(sale))).flags).toEqual([])
  })

  it('names what is wrong with a basket', async () => {
    expect((await quote({ lines: [] })).data.reason).toBe('invalid')
    expect((await quote({ lines: [{ upc: 'nothing', quantity: 1 }] })).data.reason).toBe('quote_unknown_goods')
    expect((await quote({ lines: [{ upc: good.upc, quantity: 0.5 }] })).data.reason).toBe('quote_line_bad')
    expect((await quote({ tickets: 'TK1' })).data.reason).toBe('quote_ticket_bad')
    expect((await tenants.beep({ sn: 'x-x-x', secret: 'y' }, 'POST', 'quote', { body: {} })).status).toBe(401)
  })
})

describe('a campaign', () => {
  const admin = () => tenants.north.admin
  const submit = (body: object) => tenants.call(admin(), 'POST', '/api/shop/discountConf/submit', { body })
  const draft = (more: object = {}) =>
    tenants.must(
      submit({
        name: '半价',
        type: 'nthPiece',
        rules: { n: 2, rate: '50', mixed: true },
        startTime: '2026-11-19 00:00:00',
        endTime: '2026-11-22 00:00:00',
        priority: 1,
        ...more,
      }),
    ) as Promise<{ id: string }>
  const statusOf = async (id: string) =>
    (await tenants.must(tenants.call(admin(), 'GET', '/api/shop/discountConf/detail', { query: { id } }))).status
  const act = (action: string, id: string, query: object = {}) =>
    tenants.call(admin(), 'POST', `/api/shop/discountConf/${action}`, { query: { id, ...query } })

  it('once published is frozen: it can be stopped, not changed, removed or published again', async () => {
    const { id } = await draft()
    await tenants.must(act('public', id))
    expect((await submit({ id, name: '全价' })).data.reason).toBe('campaign_frozen')
    expect(
      (await tenants.call(admin(), 'POST', '/api/shop/discountConf/remove', { query: { ids: id } })).data.reason,
    ).toBe('campaign_not_removable')
    expect((await act('public', id)).status).not.toBe(200)
    await tenants.must(act('stop', id, { stopReason: '毛利太低' }))
    expect(await statusOf(id)).toBe(3)
    expect((await act('stop', id, { stopReason: '再停' })).status).not.toBe(200)
  })

  it('as a copy begins with nothing given', async () => {
    const { id } = await draft()
    await tenants.must(act('public', id))
    const copy = await tenants.must(act('copy', id))
    expect(
      await tenants.must(tenants.call(admin(), 'GET', '/api/shop/discountConf/detail', { query: { id: copy.id } })),
    ).toMatchObject({ status: 0, usedAmount: '0.00', usedCount: 0 })
    await tenants.must(act('stop', id, { stopReason: '换一个' }))
  })

  it('ends by itself when its time is over, in all shops, and counts no more', async () => {
    const { id } = await draft()
    await tenants.must(act('public', id))
    await sweepAt('2026-11-22T00:00:00+08:00')
    expect(await statusOf(id)).toBe(2)
    const { records } = await tenants.must(
      tenants.call(admin(), 'GET', '/api/shop/shopMarkting/list', { query: { discountConfId: id } }),
    )
    expect(records.map((one: any) => one.status)).toEqual([2, 2])
  })

  it('cannot be published after its end, nor kept with rules that make no sense', async () => {
    const { id } = await draft({ endTime: '2026-11-20 08:00:00' })
    expect((await act('public', id)).data.reason).toBe('campaign_over')
    expect((await submit({ id, rules: { n: 1, rate: '50' } })).data.fields).toEqual({ rules: '第几件不能小于2' })
    expect((await submit({ id, type: 'bundle' })).data.fields).toEqual({ rules: '请输入任选几件' })
  })

  it('of a set takes the names of its goods, means these goods alone, and refuses a barcode no shop has', async () => {
    const [shop] = tenants.north.shops
    const other = await tenants.good(tenants.north, shop!)
    const { id } = await draft({
      type: 'bundle',
      goodIds: good.id,
      rules: {
        items: [
          { upc: good.upc, quantity: 2 },
          { upc: other.upc, quantity: 1 },
        ],
        price: '9.90',
      },
    })
    const row = await tenants.must(tenants.call(admin(), 'GET', '/api/shop/discountConf/detail', { query: { id } }))
    expect(Object.fromEntries(row.rules.items.map((one: any) => [one.upc, [one.quantity, !!one.name]]))).toEqual({
      [good.upc]: [2, true],
      [other.upc]: [1, true],
    })
    expect(row.promise).toContain(row.rules.items[0].name)
    expect(row.goodIds).toBe('')
    expect(
      (
        await submit({
          id,
          rules: {
            items: [
              { upc: good.upc, quantity: 2 },
              { upc: 'nowhere', quantity: 1 },
            ],
            price: '9.90',
          },
        })
      ).data.fields,
    ).toEqual({ rules: '条码为 nowhere 的商品不存在' })
  })

  it(
    'chooses from each kind of goods once, however many shops have it, and ' + 'a boss from those of his shops',
    async () => {
      const { north } = tenants
      const [first, second] = north.shops
      const upc = '6901234567892'
      for (const [shopId, salePrice] of [
        [first, '3.00'],
        [second, '3.50'],
      ])
        await tenants.must(
          tenants.call(admin(), 'POST', '/api/shop/goodInfo/submit', {
            body: { shopId, upc, name: '两店都有', salePrice, costPrice: '2.00', onSale: true },
          }),
        )
      const goods = async (query: Record<string, unknown>, who = admin()) =>
        (await tenants.must(tenants.call(who, 'GET', '/api/shop/discountConf/goods', { query }))) as any[]
      expect(await goods({ key: '两店' })).toMatchObject([
        { upc, price: '3.00', dearest: '3.50', cost: '2.00', shops: 2 },
      ])
      const boss = await tenants.person(north, 'boss', ['discountConf'])
      await tenants.must(
        tenants.call(admin(), 'POST', '/api/shop/basicShopInfo/staff', {
          body: { id: second, staff: [{ userId: boss.userId, position: 'boss' }] },
        }),
      )
      expect(await goods({ upcs: upc }, boss)).toMatchObject([{ price: '3.50', shops: 1 }])
      expect(await goods({ key: '两店' }, tenants.south.admin)).toEqual([])
      expect((await tenants.call(undefined, 'GET', '/api/shop/discountConf/goods')).status).toBe(401)
    },
  )

  it('of a boss counts in his shops alone; what counts elsewhere too he sees and cannot touch', async () => {
    const boss = await tenants.person(tenants.north, 'boss', [
      'discountConf',
      'discountConf_add',
      'discountConf_edit',
      'discountConf_view',
      'discountConf_stop',
    ])
    await tenants.must(
      tenants.call(admin(), 'POST', '/api/shop/basicShopInfo/staff', {
        body: { id: tenants.north.shops[1], staff: [{ userId: boss.userId, position: 'boss' }] },
      }),
    )
    const elsewhere = await draft({ shopIds: tenants.north.shops[0] })
    const { data } = await tenants.call(boss, 'GET', '/api/shop/discountConf/list')
    expect(data.records.map((one: any) => one.id)).toContain(campaignId)
    expect(data.records.map((one: any) => one.id)).not.toContain(elsewhere.id)
    expect(
      (
        await tenants.call(boss, 'POST', '/api/shop/discountConf/stop', {
          query: { id: campaignId, stopReason: '不想要' },
        })
      ).data.reason,
    ).toBe('campaign_not_yours')
    const mine = {
      name: '我的活动',
      type: 'percentage',
      rules: { rate: '90' },
      startTime: '2026-11-19 00:00:00',
      endTime: '2026-11-22 00:00:00',
    }
    // A campaign without shops, made by staff of one shop, belongs to that shop and never to all.
    const unsaid = await tenants.must(tenants.call(boss, 'POST', '/api/shop/discountConf/submit', { body: mine }))
    expect(
      await tenants.must(tenants.call(boss, 'GET', '/api/shop/discountConf/detail', { query: { id: unsaid.id } })),
    ).toMatchObject({ shopIds: tenants.north.shops[1] })
    expect(
      (
        await tenants.call(boss, 'POST', '/api/shop/discountConf/submit', {
          body: { ...mine, shopIds: tenants.north.shops[0] },
        })
      ).data.fields,
    ).toHaveProperty('shopIds')
    expect(
      (
        await tenants.call(boss, 'POST', '/api/shop/discountConf/submit', {
          body: { ...mine, shopIds: tenants.north.shops[1] },
        })
      ).status,
    ).toBe(200)
  })

  it(
    'rehearsed on past orders says what it would have cost, by goods, and whom it gets ' +
      'in the way of; a change forgets it',
    async () => {
      for (let n = 0; n < 4; n++)
        await tenants.must(
          sell({
            saleNo: `N${++made}`,
            saleTime: `2026-11-19 1${n}:00:00`,
            payType: 'cash',
            payAmount: '35.00',
            lines: [{ upc: good.upc, price: '5.00', quantity: 7, discount: '0.00', amount: '35.00' }],
          }),
        )
      const { id } = await draft({ priority: 99, endTime: '2026-11-30 00:00:00', perUser: 0 })
      isTicking = true
      await tenants.must(act('rehearse', id))
      isTicking = false
      await tenants.server.jobs.runDue()
      const { rehearsal } = await tenants.must(
        tenants.call(admin(), 'GET', '/api/shop/discountConf/detail', { query: { id } }),
      )
      expect(rehearsal.state).toBe('done')
      // Of seven pieces at 5.00 six form pairs: three are half price. The other campaign would have given 30 − 5.
      expect(rehearsal).toMatchObject({
        orders: 4,
        hitOrders: 4,
        payBefore: '120.00',
        payAfter: '110.00',
        cost: '10.00',
        goodsCost: '84.00',
      })
      const cents = (text: string) => Math.round(Number(text) * 100)
      expect(cents(rehearsal.payBefore) - cents(rehearsal.payAfter)).toBe(cents(rehearsal.cost))
      for (const part of ['byDay', 'shops'])
        expect(rehearsal[part].reduce((sum: number, one: any) => sum + cents(one.cost), 0)).toBe(cents(rehearsal.cost))
      expect(rehearsal.goods.reduce((sum: number, one: any) => sum + cents(one.discount), 0)).toBe(
        cents(rehearsal.cost),
      )
      expect(rehearsal.clashes).toMatchObject([{ id: campaignId, orders: 4, displaced: '20.00' }])
      await tenants.must(submit({ id, priority: 5 }))
      expect(
        (await tenants.must(tenants.call(admin(), 'GET', '/api/shop/discountConf/detail', { query: { id } })))
          .rehearsal,
      ).toEqual({})
    },
  )
})

describe('tickets', () => {
  const admin = () => tenants.north.admin
  const kindOf = (more: object) =>
    tenants.must(
      tenants.call(admin(), 'POST', '/api/shop/discountTicket/submit', {
        body: { name: '两元券', type: 'amount', amount: '2', validDays: 7, total: 5, perUser: 1, ...more },
      }),
    ) as Promise<{ id: string }>
  const issue = (id: string, wxUserIds: string) =>
    tenants.call(admin(), 'POST', '/api/shop/discountTicket/issue', { query: { id, wxUserIds } })
  const people = (count: number) =>
    tenants.services.unit({ tenantId: '100001' }, async (db) => {
      const ids: string[] = []
      for (let n = 0; n < count; n++)
        ids.push(
          (
            (await db.insert(
              tenants.services.registry.resource('wxUser') as never,
              { nickname: `顾客${++made}`, balance: 0, integral: 0 } as never,
            )) as { id: string }
          ).id,
        )
      return ids
    })

  it(
    'are never more in hands than there are, however many give them out at ' + 'once, nor more to one than his share',
    async () => {
      const { id } = await kindOf({})
      const customers = await people(12)
      const answers = await Promise.all(customers.map((one) => issue(id, one)))
      expect(answers.filter((one) => one.status === 200)).toHaveLength(5)
      expect(answers.filter((one) => one.data.reason === 'ticket_none_left')).toHaveLength(7)
      const row = await tenants.must(tenants.call(admin(), 'GET', '/api/shop/discountTicket/detail', { query: { id } }))
      expect(row).toMatchObject({ received: 5, used: 0 })
      const twice = await kindOf({ total: 0 })
      const same = await Promise.all(Array.from({ length: 6 }, () => issue(twice.id, customers[0]!)))
      expect(same.filter((one) => one.status === 200)).toHaveLength(1)
      expect(same.filter((one) => one.data.reason === 'ticket_all_had')).toHaveLength(5)
    },
  )

  it('in hands keep their worth; unused ones can be taken back, and expire by the clock', async () => {
    const { id } = await kindOf({})
    const [one, two] = await people(2)
    await tenants.must(issue(id, `${one},${two}`))
    expect(
      (await tenants.call(admin(), 'POST', '/api/shop/discountTicket/submit', { body: { id, amount: '9' } })).data
        .reason,
    ).toBe('ticket_frozen')
    expect(
      (await tenants.call(admin(), 'POST', '/api/shop/discountTicket/submit', { body: { id, remark: '老客' } })).status,
    ).toBe(200)
    expect(
      (await tenants.call(admin(), 'POST', '/api/shop/discountTicket/remove', { query: { ids: id } })).data.reason,
    ).toBe('ticket_in_hands')
    const held = async () =>
      (await tenants.must(tenants.call(admin(), 'GET', '/api/shop/customerTicket/list', { query: { ticketId: id } })))
        .records as { id: string; status: number }[]
    const [first] = await held()
    await tenants.must(
      tenants.call(admin(), 'POST', '/api/shop/customerTicket/takeBack', {
        query: { id: first!.id, remark: '发错了' },
      }),
    )
    await sweepAt('2026-11-28T09:00:00+08:00')
    expect((await held()).map((row) => row.status).sort((a, b) => a - b)).toEqual([3, 4])
  })
})

// The last test: it ends what the others use.
describe('a register', () => {
  it(
    'that lost the server for months still sells by its quote: one without a sale ' +
      'is kept as long as sales are taken',
    async () => {
      const { data: quoted } = await quote({ customerId })
      now = new Date('2027-02-17T09:00:00+08:00')
      await sweepAt('2027-02-17T09:00:00+08:00')
      await tenants.services.unit({ tenantId: tenants.north.tenantId }, (db) =>
        db.run(sql`update price_quote set create_time = '2026-11-20 09:00:00' where id = ${quoted.quoteId}`),
      )
      await tenants.services.unit({ tenantId: '000000' }, (db) =>
        db.enqueue(defineQueue('logs.forget'), {}, { key: 'test' }),
      )
      await tenants.server.jobs.runDue()
      const { results } = await tenants.must(
        tenants.beep(register, 'POST', 'sales', {
          body: { sales: [saleOf(quoted, { customerId, saleTime: '2026-11-20 09:03:00' })] },
        }),
      )
      expect(results[0]).toMatchObject({ result: 'recorded', flags: ['late', 'quote'] })
    },
  )
})
