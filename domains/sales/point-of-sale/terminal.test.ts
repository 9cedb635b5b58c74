import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { PoolExhaustedError } from '#kit/server/database/admission.ts'
import { wxUser } from '#domains/sales/customers/index.ts'
import { bookRecharge } from '#domains/sales/customers/api.ts'
import { checkLedgers } from '#domains/sales/orders/api.ts'
import { saleBodyOf, createTestTenants, type Register, type TestTenants } from '#tests/support/test-tenants.ts'

let now = new Date('2026-11-20T09:00:00+08:00')
let tenants: TestTenants
let register: Register
let good: { id: string; upc: string }

beforeAll(async () => {
  tenants = await createTestTenants({ now: () => now })
  register = await tenants.register(tenants.north, tenants.north.shops[0]!)
  good = await tenants.good(tenants.north, tenants.north.shops[0]!)
  await tenants.receive(tenants.north, tenants.north.shops[0]!, good.id, 100)
})
afterAll(() => tenants.close())

const orderOf = async (orderId: string) =>
  tenants.must(tenants.call(tenants.north.admin, 'GET', '/api/shop/shoppingOrder/whole', { query: { id: orderId } }))
const allIsWell = async () =>
  expect(await tenants.services.unit({ crossTenantReason: 'test' }, checkLedgers)).toEqual([])

describe('a register', () => {
  it('that says a payment of less than nothing is refused by the name of the field, not heard as none', async () => {
    for (const balanceAmount of ['-1.00', '-1.0', '-0.01', '1.001'])
      expect(
        (await tenants.beep(register, 'POST', 'sale', { body: saleBodyOf('6900000000000', { balanceAmount }) })).data
          .fields,
      ).toHaveProperty('balanceAmount')
  })

  it('without credentials, with wrong ones, or as a signed-in person is nobody here', async () => {
    expect(
      (await tenants.call(undefined, 'POST', '/api/terminal/hello', { body: { time: '2026-11-20 09:00:00' } })).status,
    ).toBe(401)
    expect((await tenants.beep({ ...register, secret: 'wrong' }, 'GET', 'goods')).status).toBe(401)
    expect((await tenants.call(tenants.north.admin, 'GET', '/api/terminal/goods')).status).toBe(401)
  })

  it('is told how far its clock is off, and where it is', async () => {
    const { data } = await tenants.beep(register, 'POST', 'hello', {
      body: { time: '2026-11-20 08:58:30', version: '3.2.1' },
    })
    expect(data).toMatchObject({
      clockSkew: 90,
      serverTime: '2026-11-20 09:00:00',
      shop: { id: register.shopId, shopName: '北街1号店' },
    })
    const { data: row } = await tenants.call(tenants.north.admin, 'GET', '/api/shop/cashRegister/detail', {
      query: { id: register.id },
    })
    expect(row).toMatchObject({ online: true, clockSkew: 90, appVersion: '3.2.1' })
  })

  it('sends a sale again and gets the same answer, also twenty times at once; it is one order', async () => {
    const sale = saleBodyOf(good.upc, {}, 2)
    const before = await tenants.stock(tenants.north, good.id)
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => tenants.beep(register, 'POST', 'sale', { body: sale })),
    )
    expect(new Set(answers.map((answer) => answer.data.orderNo)).size).toBe(1)
    expect(answers.filter((answer) => answer.data.repeated === false)).toHaveLength(1)
    expect(await tenants.stock(tenants.north, good.id)).toBe(before - 2)
    await allIsWell()
  })

  it('cannot use a number again for another sale', async () => {
    const sale = saleBodyOf(good.upc)
    await tenants.must(tenants.beep(register, 'POST', 'sale', { body: sale }))
    const again = await tenants.beep(register, 'POST', 'sale', {
      body: { ...sale, ...saleBodyOf(good.upc, { saleNo: sale.saleNo }, 3) },
    })
    expect(again).toMatchObject({ status: 409, data: { reason: 'sale_differs' } })
  })

  it('sends a sale again though its balance is spent, its transaction used, its day past: it is the same', async () => {
    const sell = (sale: object) => tenants.beep(register, 'POST', 'sale', { body: sale })
    const customerId = await tenants.services.unit({ tenantId: tenants.north.tenantId }, async (db) => {
      const { id } = await db.insert(wxUser, { nickname: '林小满', balance: 0, integral: 0 })
      await bookRecharge(db, {
        rechargeNo: 'M1',
        wxUserId: id,
        amount: 500,
        payType: 'cash',
        at: '2026-11-20 09:00:00',
      })
      return id
    })
    const sales = [
      saleBodyOf(good.upc, { customerId, payType: 'balance', balanceAmount: '5.00' }),
      saleBodyOf(good.upc, { payType: 'wechat', transactionNo: 'T-once' }),
    ]
    const first = [await tenants.must(sell(sales[0]!)), await tenants.must(sell(sales[1]!))]
    const before = await tenants.stock(tenants.north, good.id)
    const today = now
    for (const later of [0, 91])
      for (const [at, sale] of sales.entries()) {
        now = new Date(today.getTime() + later * 86_400_000)
        expect(await tenants.must(sell(sale))).toEqual({ ...first[at], repeated: true })
      }
    now = today
    // A sale that is not the same is refused for each of these reasons.
    const another = (sale: object) => sell({ ...sale, saleNo: saleBodyOf(good.upc).saleNo })
    expect(await another(sales[0]!)).toMatchObject({ data: { reason: 'balance_short' } })
    expect(await another(sales[1]!)).toMatchObject({ data: { reason: 'transaction_used' } })
    expect(await tenants.stock(tenants.north, good.id)).toBe(before)
    await allIsWell()
  })

  it('two registers may use the same number', async () => {
    const other = await tenants.register(tenants.north, tenants.north.shops[0]!)
    const sale = saleBodyOf(good.upc)
    const [first, second] = [
      await tenants.must(tenants.beep(register, 'POST', 'sale', { body: sale })),
      await tenants.must(tenants.beep(other, 'POST', 'sale', { body: sale })),
    ]
    expect(first.orderId).not.toBe(second.orderId)
  })

  it('sends what it sold offline hours later, twice, and each sale is there once at its own time', async () => {
    const batch = Array.from({ length: 60 }, (_unused, n) =>
      saleBodyOf(good.upc, { saleTime: `2026-11-20 0${n % 6}:15:00` }),
    )
    const before = await tenants.stock(tenants.north, good.id)
    const first = await tenants.must(tenants.beep(register, 'POST', 'sales', { body: { sales: batch } }))
    expect(first).toMatchObject({ recorded: 60, repeated: 0, refused: 0 })
    const second = await tenants.must(tenants.beep(register, 'POST', 'sales', { body: { sales: batch } }))
    expect(second).toMatchObject({ recorded: 0, repeated: 60, refused: 0 })
    expect(second.results.map((one: any) => one.orderNo)).toEqual(first.results.map((one: any) => one.orderNo))
    expect(await tenants.stock(tenants.north, good.id)).toBe(before - 60)
    const { order } = await orderOf(first.results[1].orderId)
    expect(order).toMatchObject({ payTime: '2026-11-20 01:15:00', flags: 'late', flagsName: '离线补传' })
    await allIsWell()
  })

  it('in a batch one bad sale is refused with its reason and holds up no other', async () => {
    const bad = [
      { ...saleBodyOf(good.upc), payAmount: '4.99' },
      { ...saleBodyOf(good.upc), saleTime: '2026-01-01 00:00:00' },
      7,
      { ...saleBodyOf(good.upc), lines: [{ upc: good.upc, price: '5.00', quantity: 0, amount: '0.00' }] },
      { saleNo: 'x' },
    ]
    const { data } = await tenants.beep(register, 'POST', 'sales', {
      body: { sales: [saleBodyOf(good.upc), ...bad, saleBodyOf(good.upc)] },
      lang: 'en',
    })
    expect(data).toMatchObject({ recorded: 2, refused: 5 })
    expect(data.results.map((one: any) => one.reason ?? one.result)).toEqual([
      'recorded',
      'order_amounts',
      'sale_too_old',
      'bad_body',
      'sale_line_bad',
      'invalid',
      'recorded',
    ])
    expect(data.results[4].msg).toBe('Row 1: Quantity must be at least 1')
    expect(
      (
        await tenants.beep(register, 'POST', 'sales', {
          body: { sales: Array.from({ length: 501 }, () => saleBodyOf(good.upc)) },
        })
      ).data.reason,
    ).toBe('sales_too_many')
  })

  it(
    'records what it charged and notes what differs: price, unknown goods, ' + 'goods off sale, more than was there',
    async () => {
      const [strange, offSale] = [
        await tenants.good(tenants.north, tenants.north.shops[0]!, { salePrice: '8.00' }),
        await tenants.good(tenants.north, tenants.north.shops[0]!, { onSale: false }),
      ]
      const answer = async (sale: object) =>
        (await tenants.must(tenants.beep(register, 'POST', 'sale', { body: sale }))) as {
          orderId: string
          flags: string[]
        }
      const priced = await answer(saleBodyOf(strange.upc))
      expect(priced.flags).toEqual(['price', 'shortStock'])
      const whole = await orderOf(priced.orderId)
      expect(whole.lines[0]).toMatchObject({ price: '5.00', listPrice: '8.00', amount: '5.00' })
      expect(await tenants.stock(tenants.north, strange.id)).toBe(-1)
      expect((await answer(saleBodyOf('6999999999999'))).flags).toEqual(['unknownGoods'])
      expect((await answer(saleBodyOf(offSale.upc))).flags).toContain('offSale')
      const { data } = await tenants.call(tenants.north.admin, 'GET', '/api/shop/shoppingOrder/web/boss/list', {
        query: { flags: 'unknownGoods' },
      })
      expect(data.total).toBe(1)
      await allIsWell()
    },
  )

  it('with a clock in the future sells at the server’s time', async () => {
    const answer = await tenants.must(
      tenants.beep(register, 'POST', 'sale', { body: saleBodyOf(good.upc, { saleTime: '2026-11-21 12:00:00' }) }),
    )
    expect(answer).toMatchObject({ payTime: '2026-11-20 09:00:00', flags: ['clock'] })
  })

  it(
    'learns goods since a cursor: changed and removed ones come, others do ' + 'not, none of another shop ever',
    async () => {
      const elsewhere = await tenants.good(tenants.north, tenants.north.shops[1]!)
      const first = await tenants.must(tenants.beep(register, 'GET', 'goods'))
      expect(first.hasMore).toBe(false)
      expect(first.goods.map((one: any) => one.upc)).toContain(good.upc)
      expect(first.goods.map((one: any) => one.upc)).not.toContain(elsewhere.upc)
      const paged = []
      for (let cursor = '', hasMore = true; hasMore;) {
        const page = await tenants.must(tenants.beep(register, 'GET', 'goods', { query: { size: 2, cursor } }))
        paged.push(...page.goods.map((one: any) => one.upc))
        ;({ cursor, hasMore } = page)
      }
      expect(paged).toEqual(first.goods.map((one: any) => one.upc))
      const gone = await tenants.good(tenants.north, register.shopId)
      await tenants.must(
        tenants.call(tenants.north.admin, 'POST', '/api/shop/goodInfo/remove', { query: { ids: gone.id } }),
      )
      const delta = await tenants.must(tenants.beep(register, 'GET', 'goods', { query: { cursor: first.cursor } }))
      expect(delta.goods.find((one: any) => one.upc === gone.upc)).toMatchObject({ isRemoved: true })
      expect((await tenants.beep(register, 'GET', 'goods', { query: { cursor: 'nonsense' } })).data.reason).toBe(
        'cursor_bad',
      )
    },
  )

  it('has an answer for each sale of a batch, also where a text of one cannot be stored', async () => {
    const named = (saleNo: string, name: string) => {
      const sale = saleBodyOf(good.upc, { saleNo })
      return { ...sale, lines: sale.lines.map((line: object) => ({ ...line, name })) }
    }
    const long = 'L'.repeat(80)
    const sales = [
      named('ODD-1', '可\0乐'),
      named('ODD-2', '可乐\ud83e'),
      named('ODD\0-3', '可乐'),
      named(long, '可乐'),
      named('ODD-4', '可乐'),
    ]
    const { results, recorded, refused } = await tenants.must(
      tenants.beep(register, 'POST', 'sales', { body: { sales } }),
    )
    expect(results.map(({ result }: any) => result)).toEqual(['recorded', 'recorded', 'refused', 'refused', 'recorded'])
    expect([recorded, refused, results[3].saleNo]).toEqual([3, 2, long])
    const again = await tenants.must(tenants.beep(register, 'POST', 'sales', { body: { sales } }))
    expect(again.repeated).toBe(3)
    const body = { time: '2026-11-20 09:00:00', screenState: 'dreaming' }
    expect((await tenants.beep(register, 'POST', 'heartbeat', { body })).status).toBe(200)
  })

  it('that finds no room in the database is told to come again, and no sale is called a bad one', async () => {
    const sales = [saleBodyOf(good.upc), saleBodyOf(good.upc), saleBodyOf(good.upc)]
    const { unit } = tenants.services
    let sold = 0
    const exhausted = vi.spyOn(tenants.services, 'unit').mockImplementation((target, work, actor) => {
      if ('genericPlans' in target && ++sold === 2) return Promise.reject(new PoolExhaustedError('all taken'))
      return unit(target, work, actor)
    })
    const first = await tenants.beep(register, 'POST', 'sales', { body: { sales } })
    exhausted.mockRestore()
    expect(first).toMatchObject({ status: 503, data: { reason: 'crowded' } })
    expect(sold).toBe(2)
    const again = await tenants.must(tenants.beep(register, 'POST', 'sales', { body: { sales } }))
    expect(again.results.map(({ result }: any) => result)).toEqual(['repeated', 'recorded', 'recorded'])
    await allIsWell()
  })

  it('whose clock is years off is shown so, and nothing is reckoned by another figure', async () => {
    const sendHeartbeat = (time: string) =>
      tenants.must(tenants.beep(register, 'POST', 'heartbeat', { body: { time } }))
    expect((await sendHeartbeat('1970-01-01 08:00:00')).clockSkew).toBe(Math.round(now.getTime() / 1000))
    expect((await sendHeartbeat('9999-01-01 08:00:00')).clockSkew).toBeLessThan(-2_000_000_000)
    expect((await sendHeartbeat('2026-11-20 09:00:00')).clockSkew).toBe(0)
  })

  it('reads and writes nothing of another tenant', async () => {
    const stranger = await tenants.register(tenants.south, tenants.south.shops[0]!)
    const { flags } = await tenants.must(tenants.beep(stranger, 'POST', 'sale', { body: saleBodyOf(good.upc) }))
    expect(flags).toEqual(['unknownGoods'])
    expect((await tenants.must(tenants.beep(stranger, 'GET', 'goods'))).goods).toEqual([])
  })

  it(
    'keeps its old secret for a day after a new one was issued, none after they ' +
      'were revoked, none when out of use',
    async () => {
      const one = await tenants.register(tenants.north, register.shopId)
      const { secret } = await tenants.must(
        tenants.call(tenants.north.admin, 'POST', '/api/shop/cashRegister/issue', { query: { id: one.id } }),
      )
      expect(secret).not.toBe(one.secret)
      expect((await tenants.beep(one, 'GET', 'goods')).status).toBe(200)
      expect((await tenants.beep({ sn: one.sn, secret }, 'GET', 'goods')).status).toBe(200)
      const { data: row, body } = await tenants.call(tenants.north.admin, 'GET', '/api/shop/cashRegister/detail', {
        query: { id: one.id },
      })
      expect(row.keyIssuedTime).not.toBe('')
      expect(JSON.stringify(body)).not.toContain(secret)
      await tenants.must(
        tenants.call(tenants.north.admin, 'POST', '/api/shop/cashRegister/revoke', { query: { id: one.id } }),
      )
      await expect.poll(async () => (await tenants.beep({ sn: one.sn, secret }, 'GET', 'goods')).status).toBe(401)
      await tenants
        .must(tenants.call(tenants.north.admin, 'POST', '/api/shop/cashRegister/issue', { query: { id: one.id } }))
        .then(async (fresh: any) => {
          await tenants.must(
            tenants.call(tenants.north.admin, 'POST', '/api/shop/cashRegister/submit', {
              body: { id: one.id, status: 0 },
            }),
          )
          await expect
            .poll(async () => (await tenants.beep({ sn: one.sn, secret: fresh.secret }, 'GET', 'goods')).status)
            .toBe(401)
        })
    },
  )

  it('whose line is revoked has no way in that is left, and gets its secret in one place', async () => {
    const one = await tenants.register(tenants.north, register.shopId)
    expect((await tenants.beep(one, 'GET', 'goods')).status).toBe(200)
    const link = (action: string) =>
      tenants.call(tenants.north.admin, 'POST', `/api/shop/deviceLink/${action}`, { query: { id: one.id } })
    expect((await link('issue')).status).toBe(400)
    await tenants.must(link('revoke'))
    await expect.poll(async () => (await tenants.beep(one, 'GET', 'goods')).status).toBe(401)
    const { data } = await tenants.call(tenants.north.admin, 'GET', '/api/shop/cashRegister/detail', {
      query: { id: one.id },
    })
    expect(data.keyIssuedTime).toBe('')
  })

  it('that fell silent counts as offline', async () => {
    await tenants.beep(register, 'POST', 'heartbeat', { body: { time: '2026-11-20 09:00:00' } })
    now = new Date('2026-11-20T09:10:00+08:00')
    const { data } = await tenants.call(tenants.north.admin, 'GET', '/api/shop/cashRegister/detail', {
      query: { id: register.id },
    })
    expect(data.online).toBe(false)
    const { data: home } = await tenants.call(tenants.north.admin, 'GET', '/api/shop/home/today')
    const { query } = home.needs.find((one: any) => one.key === 'offlineRegisters')
    const { data: listed } = await tenants.call(tenants.north.admin, 'GET', '/api/shop/cashRegister/list', { query })
    expect(listed.records.map((one: any) => one.id)).toContain(register.id)
    now = new Date('2026-11-20T09:00:00+08:00')
  })
})
