import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '#kit/server/database/db.ts'
import { untilLocksWait } from '#tests/support/lock-waits.ts'
import type { CastMember } from '#tests/support/server.ts'
import { saleBodyOf, createTestTenants, type Register, type TestTenants } from '#tests/support/test-tenants.ts'
import { bill } from './bill.resource.ts'
import { BILL_STATE } from './dictionaries.ts'
import { makeBill, billPeriodOf } from './make-bill.ts'

let now = new Date('2026-11-20T09:30:00+08:00')
let tenants: TestTenants
let admin: CastMember
let register: Register
let merchantId: string
beforeAll(async () => {
  tenants = await createTestTenants({ now: () => now })
  admin = tenants.north.admin
  register = await tenants.register(tenants.north, tenants.north.shops[0]!)
  merchantId = (
    await save('merchantInfo', {
      name: '北街商贸',
      merchantNo: 'M1',
      shopIds: tenants.north.shops.join(','),
      feeRate: '0.60',
      shareRatio: '30.00',
      bankAccount: '6222021202009012',
    })
  ).id
})
afterAll(() => tenants?.close())

const post = (path: string, body: unknown, who = admin) => tenants.call(who, 'POST', `/api/merchant/${path}`, { body })
const save = (name: string, body: unknown) => tenants.must(post(`${name}/submit`, body))
const read = (name: string, query: Record<string, unknown>, call = 'list') =>
  tenants.must(tenants.call(admin, 'GET', `/api/merchant/${name}/${call}`, { query }))
const billOf = (id: string) => read('bill', { id }, 'detail')
let upc: string
const sell = async (price: string, more: Record<string, unknown> = {}) => {
  upc ??= (await tenants.good(tenants.north, tenants.north.shops[0]!)).upc
  const sale = saleBodyOf(upc, more, 1, price)
  const { orderNo } = await tenants.must(tenants.beep(register, 'POST', 'sale', { body: sale }))
  const { records } = await tenants.must(
    tenants.call(admin, 'GET', '/api/shop/shoppingOrder/web/boss/list', { query: { orderNo } }),
  )
  return records[0] as { id: string; orderNo: string; transactionNo: string }
}
const wechat = (transactionNo: string, saleTime = '2026-11-19 10:00:00') => ({
  payType: 'wechat',
  transactionNo,
  saleTime,
})
const generate = async (day: string) =>
  (await tenants.must(post('bill/generate', { billType: 'day', day, merchantId }))).ids[0] as string

describe('a merchant', () => {
  it('shows its bank account by the last digits alone, and leaving it empty keeps it', async () => {
    const { version, ...row } = await read('merchantInfo', { id: merchantId }, 'detail')
    expect(row).toMatchObject({ bankAccountTail: '**** 9012' })
    expect(JSON.stringify(row)).not.toContain('6222021202009012')
    await save('merchantInfo', { id: merchantId, version, bankAccount: '', contact: '王芳' })
    expect(await read('merchantInfo', { id: merchantId }, 'detail')).toMatchObject({
      bankAccountTail: '**** 9012',
      contact: '王芳',
    })
    const stored = await tenants.services.unit({ tenantId: tenants.north.tenantId }, (db) =>
      db.one<{ bankAccount: string }>(sql`select bank_account from merchant_info where id = ${merchantId}`),
    )
    expect(stored!.bankAccount).toMatch(/^sealed2:/)
  })
  it('from the recycle bin has its shops again, or is refused where another has them', async () => {
    const row = await save('merchantInfo', { name: '旧商户', merchantNo: 'M7', shopIds: '' })
    const shop = await tenants.must(
      tenants.call(admin, 'POST', '/api/shop/basicShopInfo/submit', { body: { shopName: '回收店', shopCode: 'T7' } }),
    )
    await save('merchantInfo', { id: row.id, shopIds: shop.id })
    const merchantOf = async () =>
      (await tenants.must(tenants.call(admin, 'GET', '/api/shop/basicShopInfo/detail', { query: { id: shop.id } })))
        .merchantId
    const remove = (path: string, id: string) =>
      tenants.must(tenants.call(admin, 'POST', `/api/${path}/remove`, { query: { ids: id } }))
    const restore = (resource: string, id: string) =>
      tenants.call(admin, 'POST', `/api/kit/bin/${resource}/restore`, { body: { ids: id } })
    await remove('merchant/merchantInfo', row.id)
    const heir = await save('merchantInfo', { name: '新商户', merchantNo: 'M8', shopIds: shop.id })
    expect((await restore('merchantInfo', row.id)).data.reason).toBe('shop_of_other_merchant')
    await remove('merchant/merchantInfo', heir.id)
    await tenants.must(restore('merchantInfo', row.id))
    expect(await merchantOf()).toBe(row.id)
    await save('merchantInfo', { id: row.id, shopIds: '' })
    await remove('shop/basicShopInfo', shop.id)
    await tenants.must(restore('basicShopInfo', shop.id))
    expect(
      (await tenants.must(tenants.call(admin, 'GET', '/api/shop/shopConf/list', { query: { shopId: shop.id } }))).total,
    ).toBe(1)
  })
  it('has its shops for itself', async () => {
    const refused = await post('merchantInfo/submit', {
      name: '南街商贸',
      merchantNo: 'M2',
      shopIds: tenants.north.shops[0],
    })
    expect(refused.data.reason).toBe('shop_of_other_merchant')
  })
})

describe('a bill', () => {
  it('is made for the tenant a platform administrator names, or whose merchant it is; never for nobody', async () => {
    const platform = await tenants.server.as('admin', { tenantId: '000000' })
    await sell('10.00', { ...wechat('P1', '2026-11-10 10:00:00') })
    const ask = (body: object, who = platform) =>
      post('bill/generate', { billType: 'day', day: '2026-11-10', ...body }, who)
    expect((await ask({})).data.fields).toEqual({ tenantId: '请输入租户' })
    expect((await ask({ tenantId: '999999' })).status).toBe(404)
    expect((await ask({ tenantId: tenants.south.tenantId, merchantId })).data.fields).toEqual({
      merchantId: '商户不存在',
    })
    const { count, ids } = await tenants.must(ask({ tenantId: tenants.north.tenantId }))
    expect(count).toBe(1)
    expect(await billOf(ids[0])).toMatchObject({ orderAmount: '10.00', tenantId: tenants.north.tenantId })
    expect((await tenants.must(ask({ merchantId }))).ids).toEqual(ids)
    expect((await ask({ tenantId: tenants.south.tenantId }, admin)).data.fields).toEqual({ tenantId: '租户不存在' })
    expect((await tenants.must(ask({}, tenants.south.admin))).count).toBe(0)
  })

  it('ties to orders and refunds to the cent, takes late sales while nobody checked it, and never after', async () => {
    await sell('10.00', wechat('T1'))
    await sell('3.33', wechat('T2'))
    await sell('5.00', { saleTime: '2026-11-19 12:00:00' })
    const id = await generate('2026-11-19')
    expect(await billOf(id)).toMatchObject({
      orderCount: 3,
      orderAmount: '18.33',
      income: '13.33',
      offlineAmount: '5.00',
      refund: '0.00',
      fee: '0.08',
      net: '13.25',
      status: 0,
    })
    await sell('1.00', wechat('T3', '2026-11-19 23:59:59'))
    await sell('7.00', wechat('T4', '2026-11-20 00:00:00'))
    expect(await generate('2026-11-19')).toBe(id)
    const { total } = await read('billDetail', { billId: id })
    expect([total, (await billOf(id)).income]).toEqual([4, '14.33'])
    await tenants.must(post('bill/check', { id }))
    await sell('2.00', wechat('T5', '2026-11-19 20:00:00'))
    expect((await post('bill/generate', { billType: 'day', day: '2026-11-19', merchantId })).data).toMatchObject({
      count: 0,
    })
    expect(await billOf(id)).toMatchObject({ income: '14.33', status: 1 })
    expect((await post('bill/generate', { billType: 'day', day: '2026-11-20' })).data.reason).toBe(
      'bill_period_not_over',
    )
    await tenants.must(post('bill/pay', { id, payNo: 'P1' }))
    expect((await post('bill/dispute', { id, checkRemark: '错' })).data.reason).toBe('action_not_now')
  })

  it('somebody is checking is not made anew by who comes in meanwhile, and keeps its lines', async () => {
    await sell('6.00', wechat('T7', '2026-11-14 08:00:00'))
    const id = await generate('2026-11-14')
    const { promise: over, resolve: end } = Promise.withResolvers<void>()
    const { promise: held, resolve: hold } = Promise.withResolvers<void>()
    const checking = tenants.services.unit({ tenantId: tenants.north.tenantId }, async (db) => {
      await db.get(bill, id, 'forUpdate')
      await db.run(sql`update merchant_bill set status = ${BILL_STATE.checked} where id = ${id}`)
      hold()
      await over
    })
    await held
    const making = post('bill/generate', { billType: 'day', day: '2026-11-14', merchantId })
    await untilLocksWait(tenants.services)
    end()
    await checking
    expect((await making).data).toMatchObject({ count: 0 })
    expect(await billOf(id)).toMatchObject({ status: BILL_STATE.checked, income: '6.00' })
    expect((await read('billDetail', { billId: id })).total).toBe(1)
  })

  it('made by twenty callers at once is one bill with each line once', async () => {
    await sell('4.00', wechat('T6', '2026-11-18 08:00:00'))
    const period = billPeriodOf('day', '2026-11-18')
    await Promise.all(
      Array.from({ length: 20 }, () =>
        tenants.services.unit({ tenantId: tenants.north.tenantId }, (db) => makeBill(db, merchantId, period)),
      ),
    )
    const { records } = await read('bill', { periodStart: '2026-11-18', billType: 'day' })
    expect(records.map((one: any) => [one.orderCount, one.income])).toEqual([[1, '4.00']])
    expect((await read('billDetail', { billId: records[0].id })).total).toBe(1)
  })

  it(
    'takes a payment that was heard of after its own bill was checked, once; a shop ' +
      'that changes hands is not billed again',
    async () => {
      const late = async (transactionNo: string) => {
        const order = await sell('6.00', wechat(transactionNo, '2026-11-10 10:00:00'))
        await tenants.services.unit({ tenantId: tenants.north.tenantId }, (db) =>
          db.run(sql`update shopping_order set create_time = '2026-11-12 10:00:00' where id = ${order.id}`),
        )
        return order.orderNo
      }
      await sell('5.00', wechat('L0', '2026-11-10 09:00:00'))
      const first = await generate('2026-11-10')
      await tenants.must(post('bill/check', { id: first }))
      const orderNo = await late('L1')
      const second = await generate('2026-11-12')
      expect(await billOf(second)).toMatchObject({ income: '6.00', orderCount: 1 })
      expect([await generate('2026-11-12'), (await billOf(second)).income]).toEqual([second, '6.00'])
      expect((await read('billDetail', { orderNo })).records.map((one: any) => one.billId)).toEqual([second])
      const other = await save('merchantInfo', { name: '接手人', merchantNo: 'M9', feeRate: '0.60' })
      await save('merchantInfo', { id: merchantId, shopIds: tenants.north.shops[1] })
      await save('merchantInfo', { id: other.id, shopIds: tenants.north.shops[0] })
      const made = await tenants.must(post('bill/generate', { billType: 'day', day: '2026-11-10' }))
      expect(made.count).toBe(0)
      await save('merchantInfo', { id: other.id, shopIds: '' })
      await save('merchantInfo', { id: merchantId, shopIds: tenants.north.shops.join(',') })
    },
  )

  it('whose statement was read is left alone by the night', async () => {
    await sell('5.00', wechat('N0', '2026-11-09 09:00:00'))
    const id = await generate('2026-11-09')
    await tenants.services.unit({ tenantId: tenants.north.tenantId }, (db) =>
      db.run(sql`update merchant_bill set statement_time = '2026-11-10 09:00:00', differences = 3 where id = ${id}`),
    )
    await tenants.services.unit({ tenantId: tenants.north.tenantId }, (db) =>
      makeBill(db, merchantId, billPeriodOf('day', '2026-11-09'), 'kept'),
    )
    expect(await billOf(id)).toMatchObject({ differences: 3 })
    await generate('2026-11-09')
    expect(await billOf(id)).toMatchObject({ differences: 0 })
  })

  it('of a month is the sum of its days', async () => {
    now = new Date('2026-12-02T09:00:00+08:00')
    const month = (await tenants.must(post('bill/generate', { billType: 'month', day: '2026-11-05', merchantId })))
      .ids[0]
    for (const day of ['2026-11-20']) await generate(day)
    const days = (await read('bill', { billType: 'day' })).records
    // What came late after its day was checked is in the month alone.
    const late = 2
    const sum = (key: string) => days.reduce((all: number, one: any) => all + Math.round(Number(one[key]) * 100), 0)
    expect(Math.round(Number((await billOf(month)).orderAmount) * 100)).toBe(sum('orderAmount') + late * 100)
    now = new Date('2026-11-20T09:30:00+08:00')
  })
})

describe('the statement of the payment platform', () => {
  const heading = '交易时间,微信订单号,商户订单号,交易状态,应结订单金额,商户退款单号,退款金额,手续费'
  const line = (time: string, transactionNo: string, orderNo: string, amount: string, fee: string) =>
    `\`${time},\`${transactionNo},\`${orderNo},\`SUCCESS,\`${amount},\`0,\`0.00,\`${fee}`
  const send = (id: string, csv: string | string[], who = admin) =>
    tenants.call(who, 'POST', '/api/merchant/bill/statement', {
      query: { id },
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
      body: `${[csv]
        .flat()
        .map(
          (one) =>
            `--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\nContent-Type: ` +
            `text/csv\r\n\r\n${one}\r\n`,
        )
        .join('')}--x--\r\n`,
    })

  it('of a day with several numbers is read from the files of all of them, each once', async () => {
    const at = '2026-11-15 10:00:00'
    const [early, late] = [await sell('10.00', wechat('N1', at)), await sell('20.00', wechat('N2', at))]
    const id = await generate('2026-11-15')
    const files = [
      [heading, line(at, 'N1', early.orderNo, '10.00', '0.06000')].join('\r\n'),
      [heading, line(at, 'N2', late.orderNo, '20.00', '0.12000')].join('\r\n'),
    ]
    expect((await send(id, files[0]!)).data).toMatchObject({ differences: 1 })
    expect((await send(id, [...files, files[0]!])).data).toMatchObject({ differences: 0 })
    expect(await billOf(id)).toMatchObject({ income: '30.00', differences: 0 })
    expect((await send(id, [files[0]!, 'nonsense'])).data.reason).toBe('statement_unreadable')
    expect(await billOf(id)).toMatchObject({ differences: 0 })
  })

  it(
    'is compared line by line; what does not agree is listed by its kind, and ' + 'read again nothing is counted twice',
    async () => {
      const at = '2026-11-17 10:00:00'
      const [same, other] = [
        await sell('10.00', wechat('S1', at)),
        await sell('20.00', wechat('S2', at)),
        await sell('30.00', wechat('S3', at)),
      ]
      const id = await generate('2026-11-17')
      const csv = [
        heading,
        line(at, 'S1', same.orderNo, '10.00', '0.06000'),
        line(at, 'S2', other.orderNo, '21.00', '0.13000'),
        line(at, 'S9', 'SO-unknown', '9.00', '0.05000'),
      ].join('\r\n')
      for (const _twice of [1, 2]) {
        expect((await send(id, csv)).data).toMatchObject({ differences: 3 })
        const { records } = await read('billDetail', { billId: id, ascs: 'transactionNo' })
        expect(records.map((one: any) => [one.transactionNo, one.checkResult, one.channelAmount])).toEqual([
          ['S1', 'matched', '10.00'],
          ['S2', 'different', '21.00'],
          ['S3', 'missingThere', expect.anything()],
          ['S9', 'missingHere', '9.00'],
        ])
      }
      expect(await billOf(id)).toMatchObject({ income: '60.00', differences: 3 })
      expect((await post('bill/check', { id })).data).toMatchObject({
        reason: 'bill_has_differences',
        fields: { checkRemark: expect.any(String) },
      })
      await tenants.must(post('bill/check', { id, checkRemark: '已联系平台' }))
      expect((await send(id, csv)).data.reason).toBe('bill_is_checked')
    },
  )

  it('of another day, of nothing or from somebody who may not is refused', async () => {
    await sell('1.00', wechat('S20', '2026-11-16 10:00:00'))
    const id = await generate('2026-11-16')
    expect(
      (await send(id, [heading, line('2026-11-15 10:00:00', 'S1', 'a', '1.00', '0')].join('\n'))).data.reason,
    ).toBe('statement_other_period')
    expect((await send(id, 'nonsense')).data.reason).toBe('statement_unreadable')
    expect((await send(id, heading, await tenants.person(tenants.north, 'clerk', ['bill']))).status).toBe(403)
    expect((await send(id, heading, tenants.south.admin)).status).toBe(404)
  })
})

describe('shares of an order', () => {
  const receiver = (amount: string, account = '1900000109') => ({
    type: 'MERCHANT_ID',
    account,
    name: '平台服务商',
    amount,
    description: '服务费',
  })
  const share = (orderId: string, amount: string) =>
    post('shareLog/submit', { orderId, description: '服务费', receivers: [receiver(amount)] })

  it('never add up to more than the ratio of what was paid, however many ask at the same time', async () => {
    const order = await sell('10.00', wechat('H1'))
    const answers = await Promise.all(Array.from({ length: 12 }, () => share(order.id, '0.70')))
    expect(answers.filter((one) => one.status === 200)).toHaveLength(4)
    expect(answers.filter((one) => one.status !== 200).every((one) => one.data.reason === 'share_over_ratio')).toBe(
      true,
    )
    const { records } = await read('shareLog', { orderId: order.id })
    expect(records.reduce((sum: number, one: any) => sum + Number(one.amount), 0)).toBeCloseTo(2.8)
    expect((await share(order.id, '0.20')).status).toBe(200)
    expect((await share(order.id, '0.01')).status).toBe(400)
  })

  it('take the ratio to the cent', async () => {
    const ratio = (shareRatio: string) => tenants.must(post('merchantInfo/submit', { id: merchantId, shareRatio }))
    await ratio('1.14')
    const order = await sell('50.00', wechat('H3'))
    expect((await share(order.id, '0.58')).data.reason).toBe('share_over_ratio')
    expect((await share(order.id, '0.57')).status).toBe(200)
    await ratio('30')
  })

  it('are refused for cash, for receivers that are not whole, and for nobody', async () => {
    const cash = await sell('10.00')
    expect((await share(cash.id, '1.00')).data.reason).toBe('share_not_on_platform')
    const order = await sell('10.00', wechat('H2'))
    const ask = async (receivers: unknown) =>
      (await post('shareLog/submit', { orderId: order.id, description: 'x', receivers })).data.reason
    expect(await ask([{ ...receiver('1.00'), account: '' }])).toBe('receivers_invalid')
    expect(await ask([receiver('-1')])).toBe('receivers_invalid')
    expect(await ask([receiver('1.00'), receiver('1.00')])).toBe('receiver_twice')
    expect(await ask([])).toBe('invalid')
    expect(
      (
        await post(
          'shareLog/submit',
          { orderId: order.id, description: 'x', receivers: [receiver('1.00')] },
          tenants.south.admin,
        )
      ).status,
    ).toBe(400)
  })
})

describe('a payment that goes back', () => {
  it('in however many parts has cost no fee', async () => {
    const order = await sell('2.50', wechat('F1', '2026-11-20 09:00:00'))
    const { lines } = await tenants.must(
      tenants.call(admin, 'GET', '/api/shop/shoppingOrder/whole', { query: { id: order.id } }),
    )
    for (const [at, amount] of ['0.84', '0.83', '0.83'].entries()) {
      now = new Date(`2026-11-${20 + at}T09:30:00+08:00`)
      await tenants.must(
        tenants.call(admin, 'POST', '/api/shop/refunds/now', {
          body: { orderId: order.id, reason: '退', lines: [{ detailId: lines[0].id, quantity: 0, amount }] },
        }),
      )
      await tenants.server.jobs.runDue()
    }
    now = new Date('2026-11-23T09:30:00+08:00')
    const fees = []
    for (const day of ['2026-11-20', '2026-11-21', '2026-11-22'])
      fees.push(
        (await read('billDetail', { billId: await generate(day), orderNo: order.orderNo, ascs: 'time' })).records.map(
          (line: any) => line.fee,
        ),
      )
    expect(fees).toEqual([['0.02', '-0.01'], ['0.00'], ['-0.01']])
  })
})
