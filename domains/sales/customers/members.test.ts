import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { sql, type Db } from '#kit/server/database/db.ts'
import { newId } from '#kit/server/database/snowflake.ts'
import { untilLocksWait } from '#tests/support/lock-waits.ts'
import { createTestTenants, type TestTenants } from '#tests/support/test-tenants.ts'
import { checkLedgers, payOrder, placeOrder } from '#domains/sales/orders/api.ts'
import { bookPayableRefund } from '#domains/money/payment-channels/api.ts'
import { parseShanghaiTime } from '#kit/server/base/time.ts'
import { wxUser } from './wx-user.resource.ts'
import { changeCustomerAccount, lockCustomer, POINTS_BALANCE_MAX } from './accounts.ts'
import { findShopEntrant } from './blocks.ts'
import { buyMembership } from './annual-fee.ts'
import { isMemberDayOn } from './member-days.ts'
import { reviewMemberLevels } from './members.job.ts'
import { customerMergeQueue, mergeCustomers } from './merge.ts'
import { POINTS_VALIDITY_MONTHS_PARAM } from './params.ts'
import { expirePoints, takeBackPoints } from './points.ts'
import { findMemberDay, findMemberPrices } from './prices.ts'
import { bookRecharge } from './recharge.ts'
import { findMemberEntitlements } from './membership-terms.ts'
import { annualFeeConf } from './annual-fee-conf.resource.ts'
import { annualFeeLog } from './annual-fee-log.resource.ts'
import { blackList } from './black-list.resource.ts'
import { rechargeConf } from './recharge-conf.resource.ts'
import { rechargeLog } from './recharge-log.resource.ts'
import { vipDay } from './vip-day.resource.ts'
import { vipInfo } from './vip-info.resource.ts'
import { vipLevel } from './vip-level.resource.ts'
import { wxUserMerge } from './wx-user-merge.resource.ts'

const NOW = '2026-11-20 09:00:00'
const now = new Date('2026-11-20T09:00:00+08:00')
let tenants: TestTenants
let gold: { id: string }
let silver: { id: string }

const unit = <T>(work: (db: Db) => Promise<T>): Promise<T> => tenants.services.unit({ tenantId: '100001' }, work)
const shopId = () => tenants.north.shops[0]!
const allIsWell = async () => expect(await unit(checkLedgers)).toEqual([])

let made = 0
const customer = (draft: { phone?: string; unionid?: string } = {}) =>
  unit((db) =>
    db.insert(wxUser, { nickname: `顾客${++made}`, balance: 0, integral: 0, totalSpent: 0, orderCount: 0, ...draft }),
  )
const held = (id: string) =>
  unit(async (db) => {
    const row = (await db.get(wxUser, id))!
    return { balance: row.balance, integral: row.integral }
  })
const sell = (wxUserId: string, cents: number, payTime = NOW, payType: 'cash' | 'balance' = 'cash') =>
  unit((db) =>
    placeOrder(db, {
      shopId: shopId(),
      wxUserId,
      source: 'register',
      type: 'store',
      payType,
      payTime,
      payAmount: cents,
      lines: [{ goodId: null, upc: '690', name: '可乐', price: cents, quantity: 1, discount: 0, amount: cents }],
    }),
  )
const offer = (draft: Record<string, unknown> = {}) =>
  unit((db) =>
    db.insert(rechargeConf, {
      name: '充 100 送 10',
      amount: 10_000,
      giftAmount: 1000,
      giftIntegral: 30,
      perUser: 0,
      enabled: true,
      ...draft,
    }),
  )
const charge = (wxUserId: string, rechargeNo: string, more: { confId?: string; amount?: number } = { amount: 5000 }) =>
  unit((db) => bookRecharge(db, { rechargeNo, wxUserId, payType: 'cash', at: NOW, ...more }))
const payBack = (id: string, amount: number, refundedBefore?: number) =>
  unit(async (db) => {
    await bookPayableRefund(db, rechargeLog.name, id, { amount, reason: '退', refundedBefore }, parseShanghaiTime(NOW))
    return (await db.get(rechargeLog, id))!
  })
const merge = (sourceId: string, targetId: string, isSamePerson = true) =>
  unit(async (db) => {
    const merged = await mergeCustomers(db, { sourceId, targetId, reason: '同一个人', isSamePerson, at: NOW })
    await db.enqueue(customerMergeQueue, { mergeId: merged.id }, { key: merged.id })
    return merged
  })
const refusal = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: { code?: string }) => error.code ?? String(error),
  )

beforeAll(async () => {
  tenants = await createTestTenants({ now: () => now })
  await unit(async (db) => {
    silver = await db.insert(vipLevel, {
      name: '银卡',
      rank: 1,
      discountRate: 98,
      integralTimes: 1.5,
      spendThreshold: 30_000,
      enabled: true,
    })
    gold = await db.insert(vipLevel, {
      name: '金卡',
      rank: 2,
      discountRate: 95,
      integralTimes: 2,
      spendThreshold: null,
      enabled: true,
    })
  })
})
afterAll(() => tenants.close())

describe('a recharge', () => {
  it('is booked once for its number, also when asked for twenty times at once, and gives its gift once', async () => {
    const { id } = await customer()
    const conf = await offer()
    const answers = await Promise.all(Array.from({ length: 20 }, () => charge(id, 'R-once', { confId: conf.id })))
    expect(new Set(answers.map(({ row }) => row.id)).size).toBe(1)
    expect(answers.filter(({ repeated }) => !repeated)).toHaveLength(1)
    expect(await held(id)).toEqual({ balance: 11_000, integral: 30 })
    await allIsWell()
  })

  it('does not take a number that was used for another customer or another amount', async () => {
    const [one, other] = [await customer(), await customer()]
    await charge(one.id, 'R-other')
    expect(await refusal(charge(other.id, 'R-other'))).toBe('recharge_differs')
    expect(await refusal(charge(one.id, 'R-other', { amount: 700 }))).toBe('recharge_differs')
    expect(await held(other.id)).toEqual({ balance: 0, integral: 0 })
  })

  it('does not swallow a second payment under its number, and neither does a fee', async () => {
    const { id } = await customer()
    const conf = await unit((db) =>
      db.insert(annualFeeConf, { name: '金卡周卡', level: gold.id, fee: 900, months: 1, enabled: true }),
    )
    const pay = (transactionNo: string, payType = 'wechat') =>
      unit((db) =>
        bookRecharge(db, { rechargeNo: `R-${id}`, wxUserId: id, amount: 5000, payType, transactionNo, at: NOW }),
      )
    const buy = (transactionNo: string, payType = 'wechat') =>
      unit((db) =>
        buyMembership(db, { feeNo: `F-${id}`, wxUserId: id, confId: conf.id, payType, transactionNo, at: NOW }),
      )
    expect([(await pay(`W1-${id}`)).repeated, (await pay(`W1-${id}`)).repeated]).toEqual([false, true])
    expect([(await buy(`W2-${id}`)).repeated, (await buy(`W2-${id}`)).repeated]).toEqual([false, true])
    expect([await refusal(pay(`W3-${id}`)), await refusal(pay(`W1-${id}`, 'alipay'))]).toEqual([
      'recharge_differs',
      'recharge_differs',
    ])
    expect([await refusal(buy(`W3-${id}`)), await refusal(buy(`W2-${id}`, 'cash'))]).toEqual([
      'fee_differs',
      'fee_differs',
    ])
    expect((await held(id)).balance).toBe(5000)
  })

  it('is paid with money that comes in, never with the balance it fills', async () => {
    const { id } = await customer()
    const { status, data } = await tenants.call(tenants.north.admin, 'POST', '/api/shop/rechargeLog/recharge', {
      body: { wxUserId: id, amount: '10.00', payType: 'balance', reason: '柜台' },
    })
    expect([status, Object.keys(data.fields)]).toEqual([400, ['payType']])
  })

  it('of an offer limited to one a customer passes once, however many ask together', async () => {
    const { id } = await customer()
    const conf = await offer({ perUser: 1 })
    const results = await Promise.all(
      Array.from({ length: 6 }, (_none, n) => refusal(charge(id, `R-first${n}`, { confId: conf.id }))),
    )
    expect(results.toSorted()).toEqual(['done', ...Array<string>(5).fill('recharge_too_often')])
    expect((await held(id)).balance).toBe(11_000)
  })

  it('refunded in parts takes its gift back in proportion, together exactly the whole', async () => {
    const { id } = await customer()
    const { row } = await charge(id, 'R-parts', { confId: (await offer({ giftAmount: 1000, giftIntegral: 10 })).id })
    await payBack(row.id, 3333)
    expect(await held(id)).toEqual({ balance: 11_000 - 3333 - 333, integral: 7 })
    expect(await refusal(payBack(row.id, 6668))).toBe('recharge_refund_too_much')
    const last = await payBack(row.id, 6667)
    expect(last).toMatchObject({ payStatus: 3, refundAmount: 10_000, refundGiftAmount: 1000, refundGiftIntegral: 10 })
    expect(await held(id)).toEqual({ balance: 0, integral: 0 })
    await allIsWell()
  })

  it('is not refunded beyond what the customer still has, nor twice by two people who saw the same', async () => {
    const { id } = await customer()
    const { row } = await charge(id, 'R-spent', { confId: (await offer()).id })
    await sell(id, 4000, NOW, 'balance')
    expect(await refusal(payBack(row.id, 10_000))).toBe('recharge_spent')
    const results = await Promise.all([refusal(payBack(row.id, 2000, 0)), refusal(payBack(row.id, 2000, 0))])
    expect(results.toSorted()).toEqual(['changed_meanwhile', 'done'])
    expect((await held(id)).balance).toBe(11_000 - 4000 - 2200)
    await allIsWell()
  })

  it('gives the ticket of its offer once, and takes it back with the whole recharge while it is unused', async () => {
    const { id } = await customer()
    const ticket = await tenants.must(
      tenants.call(tenants.north.admin, 'POST', '/api/shop/discountTicket/submit', {
        body: {
          name: '满 30 减 5',
          type: 'amount',
          amount: '5.00',
          threshold: '30.00',
          validTo: '2036-01-01 00:00:00',
          enabled: true,
        },
      }),
    )
    const conf = await offer({ giftTicketId: ticket.id })
    const [booked] = await Promise.all([1, 2, 3].map(() => charge(id, 'R-ticket', { confId: conf.id })))
    const { row } = booked!
    const states = () =>
      unit(async (db) =>
        (await db.query<{ status: number }>(sql`select status from customer_ticket where wx_user_id = ${id}`)).map(
          ({ status }) => status,
        ),
      )
    const [unused, ...more] = await states()
    expect(more).toEqual([])
    await payBack(row.id, 4000)
    expect(await states()).toEqual([unused])
    await payBack(row.id, 6000)
    expect(await states()).not.toEqual([unused])
    await allIsWell()
  })

  it('leaves a ledger that can be neither changed nor removed', async () => {
    await expect(unit((db) => db.run(sql`update balance_log set change = 1`))).rejects.toThrow(/permission denied/)
    await expect(unit((db) => db.run(sql`delete from integral_log`))).rejects.toThrow(/permission denied/)
  })
})

describe('points', () => {
  it('are a point a yuan, times the level and the member day for members alone, once an order', async () => {
    const [plain, member] = [await customer(), await customer()]
    await unit(async (db) => {
      await db.insert(vipInfo, {
        wxUserId: member.id,
        level: gold.id,
        cardNo: 'P1',
        startTime: '2026-01-01 00:00:00',
        endTime: '2027-01-01 00:00:00',
        status: 1,
        source: 'office',
      })
      // 2026-11-18 is a Wednesday.
      await db.insert(vipDay, {
        name: '周三',
        cycle: 'weekly',
        days: ['3'],
        discountRate: 100,
        integralTimes: 3,
        enabled: true,
      })
    })
    for (const one of [plain, member]) await sell(one.id, 1299)
    expect([(await held(plain.id)).integral, (await held(member.id)).integral]).toEqual([12, 25])
    for (const one of [plain, member]) await sell(one.id, 1000, '2026-11-18 12:00:00')
    expect([(await held(plain.id)).integral, (await held(member.id)).integral]).toEqual([22, 85])
    const open = await unit((db) =>
      placeOrder(db, {
        shopId: shopId(),
        wxUserId: plain.id,
        source: 'mini',
        type: 'pickup',
        status: 0,
        payDeadline: '2026-11-20 23:00:00',
        payAmount: 500,
        lines: [{ goodId: null, upc: '690', name: '可乐', price: 500, quantity: 1, discount: 0, amount: 500 }],
      }),
    )
    const payment = { payType: 'wechat', payTime: NOW, transactionNo: 'told-five-times' } as const
    const pay = () => unit((db) => payOrder(db, open.id, payment, new Date(`${NOW.replace(' ', 'T')}+08:00`)))
    await Promise.all(Array.from({ length: 5 }, pay))
    expect((await held(plain.id)).integral).toBe(27)
    await allIsWell()
  })

  it('are as many for a yuan as the shop says', async () => {
    const { id } = await customer()
    const says = (pointsPerYuan: number | null) =>
      unit((db) => db.run(sql`update shop_conf set points_per_yuan = ${pointsPerYuan} where shop_id = ${shopId()}`))
    await says(2.5)
    await sell(id, 1000)
    await says(0)
    await sell(id, 1000)
    expect((await held(id)).integral).toBe(25)
    await says(null)
    await sell(id, 1000)
    expect((await held(id)).integral).toBe(35)
    await allIsWell()
  })

  it('of a purchase of millions are counted to the last one, and go back to the last one', async () => {
    for (const cents of [93_136_707_301, 22_115_031_523]) {
      const { id } = await customer()
      const order = await sell(id, cents)
      expect((await held(id)).integral).toBe(Math.floor(cents / 100))
      await unit((db) =>
        takeBackPoints(db, {
          orderId: order.id,
          refundId: newId(),
          shopId: shopId(),
          wxUserId: id,
          paid: cents,
          refundedBefore: 0,
          refunded: cents,
        }),
      )
      expect((await held(id)).integral).toBe(0)
    }
    await allIsWell()
  })

  it('an account can hold no more of are not given: the sale is recorded, a merge and a gift say so', async () => {
    const [rich, other] = [await customer(), await customer()]
    const most = (id: string) =>
      unit((db) =>
        changeCustomerAccount(db, 'integral', {
          wxUserId: id,
          change: POINTS_BALANCE_MAX - 5,
          type: 'adjust',
          refType: 'adjust',
          refId: newId(),
        }),
      )
    for (const { id } of [rich, other]) await most(id)
    const order = await sell(rich.id, 1000)
    expect((await held(rich.id)).integral).toBe(POINTS_BALANCE_MAX)
    await unit((db) =>
      takeBackPoints(db, {
        orderId: order.id,
        refundId: newId(),
        shopId: shopId(),
        wxUserId: rich.id,
        paid: 1000,
        refundedBefore: 0,
        refunded: 1000,
      }),
    )
    expect((await held(rich.id)).integral).toBe(POINTS_BALANCE_MAX - 5)
    const gift = { wxUserId: rich.id, change: 6, type: 'gift', refType: 'join', refId: newId() } as const
    expect(await refusal(unit((db) => changeCustomerAccount(db, 'integral', gift)))).toBe('integral_full')
    expect(await refusal(merge(other.id, rich.id))).toBe('integral_full')
    await allIsWell()
  })

  it('of refunds add up to what the order earned, however it is cut, and never go below zero', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 900 }), { minLength: 1, maxLength: 6 }),
        fc.integer({ min: 0, max: 60 }),
        async (parts, spent) => {
          const { id } = await customer()
          const paid = parts.reduce((sum, part) => sum + part, 0)
          const order = await sell(id, paid)
          const earned = Math.floor(paid / 100)
          const used = Math.min(spent, earned)
          if (used)
            await unit((db) =>
              changeCustomerAccount(db, 'integral', {
                wxUserId: id,
                change: -used,
                type: 'consume',
                refType: 'order',
                refId: newId(),
              }),
            )
          let refundedBefore = 0
          for (const refunded of parts) {
            const refund = {
              orderId: order.id,
              refundId: newId(),
              shopId: shopId(),
              wxUserId: id,
              paid,
              refundedBefore,
              refunded,
            }
            await unit((db) => takeBackPoints(db, refund))
            // Reported twice, taken back once.
            expect(await unit((db) => takeBackPoints(db, refund))).toBe(0)
            refundedBefore += refunded
          }
          expect((await held(id)).integral).toBe(0)
        },
      ),
      { numRuns: 12 },
    )
    await allIsWell()
  })

  it('lapse oldest first when the parameter says so, and only what was not spent', async () => {
    const { id } = await customer()
    const book = (change: number, type: 'gift' | 'consume') =>
      unit((db) =>
        changeCustomerAccount(db, 'integral', { wxUserId: id, change, type, refType: 'join', refId: newId() }),
      )
    await book(100, 'gift')
    await book(-30, 'consume')
    // The ledger uses the database's clock: seen 13 months later, all points are old.
    const later = await unit(
      async (db) => (await db.one<{ at: string }>(sql`select now() + interval '13 months' as at`))!.at,
    )
    expect(await unit((db) => expirePoints(db, later))).toBe(0)
    await tenants.services.unit({ crossTenantReason: 'test parameter' }, (db) =>
      db.run(sql`update sys_param set param_value = '12' where param_key = ${POINTS_VALIDITY_MONTHS_PARAM.key}`),
    )
    expect(await unit((db) => expirePoints(db, later))).toBeGreaterThan(0)
    expect((await held(id)).integral).toBe(0)
    await book(40, 'gift')
    expect(await unit((db) => expirePoints(db, NOW))).toBe(0)
    await tenants.services.unit({ crossTenantReason: 'test parameter' }, (db) =>
      db.run(sql`update sys_param set param_value = '0' where param_key = ${POINTS_VALIDITY_MONTHS_PARAM.key}`),
    )
    expect((await held(id)).integral).toBe(40)
    await allIsWell()
  })
})

describe('a level', () => {
  it('bought gives its months once, a renewal adds to them, and it ends by the clock alone', async () => {
    const { id } = await customer()
    const conf = await unit((db) =>
      db.insert(annualFeeConf, { name: '金卡年卡', level: gold.id, fee: 9900, months: 12, enabled: true }),
    )
    const buy = (feeNo: string) =>
      unit((db) => buyMembership(db, { feeNo, wxUserId: id, confId: conf.id, payType: 'cash', at: NOW }))
    await Promise.all(Array.from({ length: 8 }, () => buy('F1')))
    expect(await unit((db) => findMemberEntitlements(db, id, NOW))).toMatchObject({
      name: '金卡',
      discountRate: 95,
      endTime: '2027-11-20 09:00:00',
    })
    const { row } = await buy('F2')
    expect(row).toMatchObject({ startTime: '2027-11-20 09:00:00', endTime: '2028-11-20 09:00:00' })
    expect(await unit((db) => findMemberEntitlements(db, id, '2028-11-20 08:59:59'))).toMatchObject({ name: '金卡' })
    expect(await unit((db) => findMemberEntitlements(db, id, '2028-11-20 09:00:00'))).toBeUndefined()
    expect(await unit((db) => findMemberEntitlements(db, id, '2026-11-20 08:59:59'))).toBeUndefined()
    expect(await unit((db) => db.get(wxUser, id))).toMatchObject({ vipLevel: 2, vipEndTime: '2028-11-20 09:00:00' })
  })

  it('paid from the balance needs the balance, and without it nothing is sold', async () => {
    const { id } = await customer()
    const conf = await unit((db) =>
      db.insert(annualFeeConf, { name: '金卡月卡', level: gold.id, fee: 900, months: 1, enabled: true }),
    )
    const buy = () =>
      unit((db) => buyMembership(db, { feeNo: `F-${id}`, wxUserId: id, confId: conf.id, payType: 'balance', at: NOW }))
    expect(await refusal(buy())).toBe('balance_short')
    expect(await unit((db) => findMemberEntitlements(db, id, NOW))).toBeUndefined()
    await charge(id, 'R-fee', { amount: 1000 })
    await buy()
    expect((await held(id)).balance).toBe(100)
    await allIsWell()
  })

  it(
    'is reached by spending at the purchase that fills it, held a year, and lost in ' +
      'the night when spending has fallen',
    async () => {
      const { id } = await customer()
      await sell(id, 29_999)
      expect(await unit((db) => findMemberEntitlements(db, id, NOW))).toBeUndefined()
      await sell(id, 1)
      expect(await unit((db) => findMemberEntitlements(db, id, NOW))).toMatchObject({
        name: '银卡',
        endTime: '2027-11-20 09:00:00',
      })
      await unit((db) => reviewMemberLevels(db, '2027-11-19 00:12:00'))
      expect((await unit((db) => db.get(wxUser, id)))!.vipLevel).toBe(1)
      await unit((db) => reviewMemberLevels(db, '2027-11-21 00:12:00'))
      expect(await unit((db) => db.get(wxUser, id))).toMatchObject({ vipLevel: 0, vipEndTime: null })
    },
  )

  it('reached by spending is a year once, also when sales of before it are heard of afterwards', async () => {
    const { id } = await customer()
    await sell(id, 30_000)
    for (const time of ['2026-11-20 08:59:59', '2026-11-19 12:00:00', '2026-10-31 23:59:59']) await sell(id, 100, time)
    const terms = await unit((db) => db.find(vipInfo, sql`r.wx_user_id = ${id}`))
    expect(terms.map((term) => [term.startTime, term.endTime])).toEqual([[NOW, '2027-11-20 09:00:00']])
    await allIsWell()
  })

  it(
    'begins when it is reached or bought, also where a card of it begins later; months ' +
      'that were paid for are not lost in that',
    async () => {
      const give = (wxUserId: string, startTime: string, endTime: string) =>
        unit((db) =>
          db.insert(vipInfo, {
            wxUserId,
            level: silver.id,
            cardNo: `L${++made}`,
            startTime,
            endTime,
            status: 1,
            source: 'office',
          }),
        )
      const [spender, payer] = [await customer(), await customer()]
      await give(spender.id, '2026-12-20 09:00:00', '2027-03-20 09:00:00')
      const cards = [
        await give(payer.id, '2026-12-20 09:00:00', '2027-03-20 09:00:00'),
        await give(payer.id, '2027-03-20 09:00:00', '2027-04-20 09:00:00'),
        await give(payer.id, '2028-03-20 09:00:00', '2028-04-20 09:00:00'),
      ]
      for (const cents of [30_000, 100]) await sell(spender.id, cents)
      expect(await unit((db) => findMemberEntitlements(db, spender.id, NOW))).toMatchObject({
        name: '银卡',
        endTime: '2027-11-20 09:00:00',
      })
      const conf = await unit((db) =>
        db.insert(annualFeeConf, { name: '银卡两月', level: silver.id, fee: 900, months: 2, enabled: true }),
      )
      const { row } = await unit((db) =>
        buyMembership(db, { feeNo: `F-${payer.id}`, wxUserId: payer.id, confId: conf.id, payType: 'cash', at: NOW }),
      )
      expect(row).toMatchObject({ startTime: NOW, endTime: '2027-01-20 09:00:00' })
      expect(await unit((db) => findMemberEntitlements(db, payer.id, NOW))).toMatchObject({
        name: '银卡',
        endTime: '2027-01-20 09:00:00',
      })
      const times = await Promise.all(cards.map(({ id }) => unit(async (db) => (await db.get(vipInfo, id))!)))
      expect(times.map(({ startTime, endTime }) => [startTime, endTime])).toEqual([
        ['2027-01-20 09:00:00', '2027-04-20 09:00:00'],
        ['2027-04-20 09:00:00', '2027-05-21 09:00:00'],
        ['2028-03-20 09:00:00', '2028-04-20 09:00:00'],
      ])
      await allIsWell()
    },
  )

  it('held by a card that runs is given no second card for the same time, but one for the time after', async () => {
    const { id: wxUserId } = await customer()
    const give = (draft: object) =>
      tenants.call(tenants.north.admin, 'POST', '/api/shop/vipInfo/submit', {
        body: { wxUserId, level: gold.id, endTime: '2027-11-20 09:00:00', ...draft },
      })
    const { id } = await tenants.must(give({ cardNo: 'GOLD-1' }))
    const second = await give({ endTime: '2028-11-20 09:00:00' })
    expect(second).toMatchObject({
      status: 400,
      data: { reason: 'card_runs_already', fields: { level: expect.stringContaining('GOLD-1') } },
    })
    await tenants.must(give({ startTime: '2027-11-20 09:00:00', endTime: '2028-11-20 09:00:00' }))
    await tenants.must(
      tenants.call(tenants.north.admin, 'POST', '/api/shop/vipInfo/cancel', {
        query: { id },
        body: { reason: '退卡' },
      }),
    )
    await tenants.must(give({}))
  })

  it('renewed, noted on or cancelled while its customer buys, waits for the customer and refuses neither', async () => {
    const conf = await unit((db) =>
      db.insert(annualFeeConf, { name: '金卡年卡', level: gold.id, fee: 9900, months: 12, enabled: true }),
    )
    const post = (path: string, id: string, body: object) =>
      tenants.call(tenants.north.admin, 'POST', `/api/shop/vipInfo/${path}`, { query: { id }, body })
    const acts = {
      renew: (id: string) => post('renew', id, { months: 1, reason: '续' }),
      note: (id: string) => post('submit', id, { id, remark: '常客' }),
      cancel: (id: string) => post('cancel', id, { reason: '退卡' }),
    }
    const waiting = (db: Db) =>
      db.one(sql`select 1 from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))`)
    for (const [name, act] of Object.entries(acts)) {
      const { id: wxUserId } = await customer()
      const buy = (db: Db, feeNo: string) =>
        buyMembership(db, { feeNo, wxUserId, confId: conf.id, payType: 'cash', at: NOW })
      const card = (await unit((db) => buy(db, `FL1-${wxUserId}`))).row.vipInfoId!
      const met = await unit(async (db) => {
        await lockCustomer(db, wxUserId)
        const other = act(card)
        await vi.waitFor(async () => expect(await waiting(db)).toBeDefined())
        await buy(db, `FL2-${wxUserId}`)
        return { other }
      })
      expect([name, (await met.other).status]).toEqual([name, 200])
      const months = { renew: '2028-12-20', note: '2028-11-20', cancel: '2028-11-20' }[name]
      expect((await unit((db) => db.get(vipInfo, card)))!.endTime).toBe(`${months} 09:00:00`)
      expect((await unit((db) => db.get(wxUser, wxUserId)))!.vipLevel).toBe(name === 'cancel' ? 0 : 2)
    }
    await allIsWell()
  })

  it('renewed or joined by a merge makes room before a card that begins later', async () => {
    const give = (wxUserId: string, startTime: string, endTime: string) =>
      unit((db) =>
        db.insert(vipInfo, {
          wxUserId,
          level: gold.id,
          cardNo: `O${++made}`,
          startTime,
          endTime,
          status: 1,
          source: 'office',
        }),
      )
    const termsOf = (ids: readonly string[]) =>
      Promise.all(
        ids.map((id) =>
          unit(async (db) => (await db.get(vipInfo, id))!).then(({ startTime, endTime }) => [
            startTime!.slice(0, 10),
            endTime.slice(0, 10),
          ]),
        ),
      )
    const two = async () => {
      const { id } = await customer()
      return {
        id,
        cards: [
          (await give(id, '2026-11-01 09:00:00', '2026-12-01 09:00:00')).id,
          (await give(id, '2026-12-01 09:00:00', '2026-12-31 09:00:00')).id,
        ],
      }
    }
    const renew = (id: string) =>
      tenants.must(
        tenants.call(tenants.north.admin, 'POST', '/api/shop/vipInfo/renew', {
          query: { id },
          body: { months: 1, reason: '续' },
        }),
      )
    const [renewed, target, source] = [await two(), await two(), await customer()]
    await renew(renewed.cards[0]!)
    expect(await termsOf(renewed.cards)).toEqual([
      ['2026-11-01', '2027-01-01'],
      ['2027-01-01', '2027-01-31'],
    ])
    await renew(renewed.cards[1]!)
    expect(await termsOf(renewed.cards)).toEqual([
      ['2026-11-01', '2027-01-01'],
      ['2027-01-01', '2027-02-28'],
    ])
    await give(source.id, '2026-11-01 09:00:00', '2026-11-30 09:00:00')
    await merge(source.id, target.id)
    expect(await termsOf(target.cards)).toEqual([
      ['2026-11-01', '2026-12-11'],
      ['2026-12-11', '2027-01-10'],
    ])
    await allIsWell()
  })

  it('in use cannot be removed', async () => {
    const answer = await tenants.call(tenants.north.admin, 'POST', '/api/shop/vipLevel/remove', {
      query: { ids: gold.id },
    })
    expect(answer).toMatchObject({ status: 400, data: { reason: 'named_for_good' } })
  })
})

describe('member prices and days', () => {
  it(
    'a price in force takes the place of the standing one, never above the ' + 'shelf, and two may not overlap',
    async () => {
      const good = await tenants.good(tenants.north, shopId(), { salePrice: '5.00', vipPrice: '4.50' })
      const price = (body: Record<string, unknown>) =>
        tenants.call(tenants.north.admin, 'POST', '/api/shop/vipPrice/submit', {
          body: { shopId: shopId(), goodId: good.id, ...body },
        })
      expect((await price({ price: '5.01' })).status).toBe(400)
      expect(
        await price({ price: '4.00', startTime: '2026-11-10 00:00:00', endTime: '2026-11-30 00:00:00' }),
      ).toMatchObject({ status: 200 })
      const clash = await price({ price: '3.00', startTime: '2026-11-29 00:00:00' })
      expect(clash).toMatchObject({ status: 400, data: { reason: 'prices_overlap' } })
      const both = await Promise.all(
        [1, 2].map((n) =>
          price({ price: `3.${n}0`, startTime: '2027-01-01 00:00:00', endTime: '2027-02-01 00:00:00' }),
        ),
      )
      expect(both.map((one) => one.status).toSorted((a, b) => a - b)).toEqual([200, 400])
      const at = async (time: string) =>
        (await unit((db) => findMemberPrices(db, shopId(), [good.id], time))).get(good.id)?.price
      expect([
        await at('2026-11-09 23:59:59'),
        await at('2026-11-10 00:00:00'),
        await at('2026-11-30 00:00:00'),
      ]).toEqual([450, 400, 450])
      const [row] = (
        await tenants.call(tenants.north.admin, 'GET', '/api/shop/vipPrice/list', {
          query: { goodId: good.id, price: '4.00' },
        })
      ).data.records
      expect(row).toMatchObject({ state: 'running', salePrice: '5.00', costPrice: '3.00', margin: '25.0' })
      await unit((db) => db.run(sql`delete from vip_price where good_id = ${good.id}`))
    },
  )

  it('a day the month lacks falls on its last', () => {
    const day = { cycle: 'monthly', days: ['31'] }
    expect([
      isMemberDayOn(day, '2026-02-28'),
      isMemberDayOn(day, '2026-02-27'),
      isMemberDayOn(day, '2026-03-30'),
      isMemberDayOn(day, '2026-03-31'),
      isMemberDayOn(day, '2028-02-28'),
      isMemberDayOn(day, '2028-02-29'),
    ]).toEqual([true, false, false, true, false, true])
    expect(isMemberDayOn({ cycle: 'weekly', days: ['7'], startDate: '2026-11-23' }, '2026-11-22')).toBe(false)
    expect(isMemberDayOn({ cycle: 'weekly', days: ['7'] }, '2026-11-22')).toBe(true)
  })

  it('a shop has its own day before that of all shops', async () => {
    const own = await unit((db) =>
      db.insert(vipDay, {
        name: '本店周四',
        shopId: shopId(),
        cycle: 'weekly',
        days: ['4'],
        discountRate: 99,
        integralTimes: 1,
        enabled: true,
      }),
    )
    const common = await unit((db) =>
      db.insert(vipDay, {
        name: '周四',
        cycle: 'weekly',
        days: ['4'],
        discountRate: 80,
        integralTimes: 1,
        enabled: true,
      }),
    )
    expect((await unit((db) => findMemberDay(db, shopId(), '2026-11-19 10:00:00')))?.id).toBe(own.id)
    expect((await unit((db) => findMemberDay(db, tenants.north.shops[1]!, '2026-11-19 10:00:00')))?.id).toBe(common.id)
    expect(await unit((db) => findMemberDay(db, shopId(), '2026-11-20 10:00:00'))).toBeUndefined()
  })
})

/** The proof and end every blacklist entry needs. */
const PROVEN = { pictures: '/api/files/proof.jpg', endTime: '2026-12-31 00:00:00' }

describe('the blacklist', () => {
  it(
    'is in force by the clock, by account, phone or an account merged into ' + 'it, in its shop or everywhere',
    async () => {
      const [one, old] = [await customer({ phone: '13811110001' }), await customer({ phone: '13811110002' })]
      const enter = (who: { wxUserId?: string; phone?: string }, at = NOW, shop = shopId()) =>
        unit(async (db) => (await findShopEntrant(db, { ...who, shopId: shop, at })).block ?? undefined)
      await unit((db) =>
        db.insert(blackList, {
          wxUserId: old.id,
          shopId: shopId(),
          reason: '未付款',
          startTime: '2026-11-01 00:00:00',
          endTime: '2026-11-25 00:00:00',
        }),
      )
      await unit((db) =>
        db.insert(blackList, { phone: '13811110003', reason: '偷盗', startTime: '2026-11-01 00:00:00' }),
      )
      expect(await enter({ wxUserId: old.id })).toMatchObject({ reason: '未付款', endTime: '2026-11-25 00:00:00' })
      expect(await enter({ wxUserId: old.id }, '2026-11-25 00:00:00')).toBeUndefined()
      expect(await enter({ wxUserId: old.id }, '2026-10-31 23:59:59')).toBeUndefined()
      expect(await enter({ wxUserId: old.id }, NOW, tenants.north.shops[1])).toBeUndefined()
      expect(await enter({ wxUserId: one.id })).toBeUndefined()
      expect(await enter({ phone: '13811110003' }, NOW, tenants.north.shops[1])).toMatchObject({
        reason: '偷盗',
        endTime: null,
      })
      await merge(old.id, one.id)
      // Checked before and after the job has moved the rows.
      expect(await enter({ wxUserId: one.id })).toMatchObject({ reason: '未付款' })
      await tenants.server.jobs.runDue()
      for (const id of [one.id, old.id]) expect(await enter({ wxUserId: id })).toMatchObject({ reason: '未付款' })
    },
  )

  it('a boss reads the entries of all shops and his own, writes his own alone, and lifts nobody else’s', async () => {
    const boss = await tenants.boss(tenants.north, shopId())
    const codes = await tenants.person(tenants.north, 'boss', [
      'blackList',
      'blackList_add',
      'blackList_edit',
      'blackList_delete',
      'blackList_lift',
      'blackList_view',
    ])
    await tenants.must(
      tenants.call(tenants.north.admin, 'POST', '/api/shop/basicShopInfo/staff', {
        body: { id: shopId(), staff: [boss, codes].map(({ userId }) => ({ userId, position: 'boss' })) },
      }),
    )
    const add = (body: Record<string, unknown>, who = codes) =>
      tenants.call(who, 'POST', '/api/shop/blackList/submit', {
        body: { reason: '闹事', phone: '13811119999', ...PROVEN, ...body },
      })
    const common = await tenants.must(add({}, tenants.north.admin))
    const elsewhere = await tenants.must(add({ shopId: tenants.north.shops[1] }, tenants.north.admin))
    const own = await tenants.must(add({ shopId: shopId() }))
    // Staff with one shop need not name it.
    const unsaid = await tenants.must(add({ phone: '13811118888' }))
    expect(
      await tenants.must(tenants.call(codes, 'GET', '/api/shop/blackList/detail', { query: { id: unsaid.id } })),
    ).toMatchObject({ shopId: shopId() })
    expect((await add({ shopId: tenants.north.shops[1] })).status).toBe(400)
    const seen = (
      await tenants.call(codes, 'GET', '/api/shop/blackList/list', { query: { size: 100 } })
    ).data.records.map((row: { id: string }) => row.id)
    expect([seen.includes(common.id), seen.includes(own.id), seen.includes(elsewhere.id)]).toEqual([true, true, false])
    const lift = (id: string) =>
      tenants.call(codes, 'POST', '/api/shop/blackList/lift', { query: { id }, body: { liftReason: '误会' } })
    expect([
      (await lift(common.id)).status,
      (await lift(elsewhere.id)).status,
      (await lift(own.id)).status,
      (await lift(own.id)).status,
    ]).toEqual([403, 404, 200, 400])
    expect(
      (await tenants.call(codes, 'POST', '/api/shop/blackList/submit', { body: { id: common.id, shopId: shopId() } }))
        .status,
    ).toBe(403)
    expect(
      (await tenants.call(codes, 'POST', '/api/shop/blackList/remove', { query: { ids: common.id } })).status,
    ).toBe(403)
  })

  it('takes as proof a visit of that customer in that shop, and no other', async () => {
    const [mine, other] = ['7600001', '7600002']
    const [here, otherShop] = tenants.north.shops as [string, string]
    await tenants.services.unit({ tenantId: tenants.north.tenantId }, async (db) => {
      await db.run(sql`insert into wx_user (id, tenant_id, nickname) values (${mine}, ${db.tenantId}, '阿一'),
        (${other}, ${db.tenantId}, '阿二')`)
      await db.run(sql`insert into customer_visit_log (id, tenant_id, shop_id, wx_user_id, enter_time)
        values (7601, ${db.tenantId}, ${here}, ${mine}, now()), (7602, ${db.tenantId}, ${otherShop}, ${mine}, now()),
        (7603, ${db.tenantId}, ${here}, ${other}, now())`)
    })
    const entry = { reason: '闹事', endTime: PROVEN.endTime, wxUserId: mine, shopId: here }
    const add = (body: object) =>
      tenants.call(tenants.north.admin, 'POST', '/api/shop/blackList/submit', { body: { ...entry, ...body } })
    const fieldsOf = async (body: object) => Object.keys((await add(body)).data.fields)
    expect(await fieldsOf({})).toEqual(['pictures'])
    expect(await fieldsOf({ visitId: '7603' })).toEqual(['visitId'])
    expect(await fieldsOf({ visitId: '7602' })).toEqual(['visitId'])
    const { id } = await tenants.must(add({ visitId: '7601' }))
    expect(await fieldsOf({ id, shopId: otherShop })).toEqual(['visitId'])
    // Values that the change leaves out are checked as well.
    const change = async (body: object) =>
      (await tenants.call(tenants.north.admin, 'POST', '/api/shop/blackList/submit', { body: { id, ...body } })).data
    expect(await change({ wxUserId: other })).toMatchObject({ fields: { visitId: '到店记录不属于所选顾客' } })
    expect(await fieldsOf({ wxUserId: '', phone: '13811119999', visitId: '7601' })).toEqual(['visitId'])
    await unit((db) => db.run(sql`update wx_user set phone = '13811119999' where id = ${mine}`))
    await tenants.must(add({ wxUserId: '', phone: '13811119999', visitId: '7601' }))
  })

  it('needs somebody, a proof and an end within the longest time, and does not end before it begins', async () => {
    const add = (body: Record<string, unknown>) =>
      tenants.call(tenants.north.admin, 'POST', '/api/shop/blackList/submit', { body: { reason: '闹事', ...body } })
    expect((await add(PROVEN)).data.fields).toEqual({ phone: '请输入手机号' })
    const phone = '13811118888'
    for (const [missing, body] of [
      ['reason', { ...PROVEN, phone, reason: '' }],
      ['pictures', { ...PROVEN, phone, pictures: '' }],
      ['endTime', { ...PROVEN, phone, endTime: '' }],
      ['endTime', { ...PROVEN, phone, endTime: '2028-01-01 00:00:00' }],
    ] as const)
      expect([missing, (await add(body)).data.fields]).toEqual([missing, { [missing]: expect.any(String) }])
    const { id } = await tenants.must(add({ ...PROVEN, phone }))
    const change = (body: object) =>
      tenants.call(tenants.north.admin, 'POST', '/api/shop/blackList/submit', { body: { id, ...body } })
    expect((await change({ remark: '留意' })).status).toBe(200)
    expect((await change({ endTime: '' })).data.fields).toHaveProperty('endTime')
    const later = { ...PROVEN, phone: '13811118889', startTime: '2090-01-01 00:00:00', endTime: '2090-02-01 00:00:00' }
    const far = await tenants.must(add(later))
    expect((await add({ id: far.id, startTime: NOW })).data.fields).toHaveProperty('endTime')
    expect((await change({ pictures: '' })).data.fields).toHaveProperty('pictures')
    expect(
      (await add({ ...PROVEN, phone, startTime: '2026-11-02 00:00:00', endTime: '2026-11-01 00:00:00' })).status,
    ).toBe(400)
  })

  it('is appealed: somebody other than who made the entry decides, once, and lifting lets them in', async () => {
    const phone = '13811117777'
    const blockOf = () => unit(async (db) => (await findShopEntrant(db, { phone, shopId: shopId(), at: NOW })).block)
    const codes = [
      'blackList',
      'blackList_add',
      'blackAppeal',
      'blackAppeal_add',
      'blackAppeal_uphold',
      'blackAppeal_lift',
    ]
    const [maker, other] = [await tenants.person(tenants.north, 'guard', codes), tenants.north.admin]
    const post = (who: typeof maker, path: string, body: object) =>
      tenants.call(who, 'POST', `/api/shop/${path}`, { body })
    const entry = await tenants.must(
      post(maker, 'blackList/submit', { ...PROVEN, phone, reason: '未付款', shopId: shopId() }),
    )
    expect(await blockOf()).toMatchObject({ id: entry.id })
    const appeal = (more: object = {}) =>
      post(maker, 'blackAppeal/submit', {
        blackListId: entry.id,
        statement: '当时已补款',
        phone: '13900001111',
        ...more,
      })
    const first = await tenants.must(appeal())
    expect((await appeal()).data.reason).toBe('appeal_open')
    const decide = (who: typeof maker, name: 'uphold' | 'lift', id: string) =>
      post(who, `blackAppeal/${name}`, { id, decision: '核对过录像' })
    for (const name of ['uphold', 'lift'] as const)
      expect((await decide(maker, name, first.id)).data.reason).toBe('appeal_own_entry')
    expect((await decide(other, 'uphold', first.id)).status).toBe(200)
    expect((await decide(other, 'lift', first.id)).status).toBe(400)
    expect(await blockOf()).toMatchObject({ id: entry.id })
    const second = await tenants.must(appeal({ statement: '附上付款截图' }))
    expect((await decide(other, 'lift', second.id)).status).toBe(200)
    expect(await blockOf()).toBeNull()
    expect((await appeal()).data.reason).toBe('appeal_over')
    const row = await tenants.must(
      tenants.call(other, 'GET', '/api/shop/blackAppeal/detail', { query: { id: second.id } }),
    )
    expect(row).toMatchObject({ status: 2, decideUser: other.userId, decision: '核对过录像', shopId: shopId() })
    const stranger = await tenants.boss(tenants.north, tenants.north.shops[1]!)
    for (const who of [stranger, tenants.south.admin])
      expect(
        (await tenants.call(who, 'GET', '/api/shop/blackAppeal/detail', { query: { id: second.id } })).status,
      ).toBe(404)
  })
})

describe('an adjustment by hand', () => {
  it(
    'is a row with its reason and who made it, needs a permission of its own, and a ' +
      'boss adjusts his own customers alone',
    async () => {
      const { id } = await customer()
      const clerk = await tenants.person(tenants.north, 'office', ['balanceLog', 'integralLog_adjust'])
      const adjust = (who: typeof clerk, body: Record<string, unknown>) =>
        tenants.call(who, 'POST', '/api/shop/balanceLog/adjust', {
          body: { wxUserId: id, change: '12.34', reason: '补偿', ...body },
        })
      expect((await adjust(clerk, {})).status).toBe(403)
      expect((await adjust(tenants.north.admin, { reason: '' })).status).toBe(400)
      expect((await adjust(tenants.north.admin, { change: '-0.01' })).data).toMatchObject({
        reason: 'balance_short',
        fields: { change: expect.stringContaining('没有余额') },
      })
      expect(await adjust(tenants.north.admin, {})).toMatchObject({
        status: 200,
        data: { before: '0.00', after: '12.34' },
      })
      const [row] = (
        await tenants.call(tenants.north.admin, 'GET', '/api/shop/balanceLog/list', { query: { wxUserId: id } })
      ).data.records
      expect(row).toMatchObject({
        type: 'adjust',
        change: '12.34',
        remark: '补偿',
        createUser: tenants.north.admin.userId,
      })
      expect((await adjust(tenants.south.admin, {})).status).toBe(400)
      const boss = await tenants.person(tenants.north, 'boss', ['balanceLog', 'balanceLog_adjust'])
      expect((await adjust(boss, {})).status).toBe(400)
      await allIsWell()
    },
  )
})

describe('merging two accounts of one person', () => {
  it('who comes by the closed account holds nothing that who holds the living one asks for', async () => {
    const [source, target] = [await customer(), await customer()]
    await merge(source.id, target.id)
    const { promise: heldNow, resolve: hold } = Promise.withResolvers<void>()
    const { promise: over, resolve: end } = Promise.withResolvers<void>()
    const first = unit(async (db) => {
      await lockCustomer(db, target.id)
      hold()
      await over
      // Like a refund whose quote names the account it was bought with.
      return (await lockCustomer(db, source.id)).id
    })
    await heldNow
    const second = unit(async (db) => (await lockCustomer(db, source.id)).id)
    await untilLocksWait(tenants.services)
    end()
    expect(await Promise.all([first, second])).toEqual([target.id, target.id])
  })

  it('asks for a word when phones differ, closes the source, and asked again answers the same merge', async () => {
    const [source, target] = [
      await customer({ phone: '13822220001' }),
      await customer({ phone: '13822220002', unionid: 'u1' }),
    ]
    expect(await refusal(merge(source.id, target.id, false))).toBe('merge_clash')
    const [first, second] = await Promise.all([merge(source.id, target.id), merge(source.id, target.id)])
    expect(second.id).toBe(first.id)
    const third = await customer()
    expect(await refusal(merge(source.id, third.id))).toBe('merge_elsewhere')
    expect(await refusal(merge(third.id, source.id))).toBe('merge_elsewhere')
    expect(await refusal(merge(target.id, target.id))).toBe('merge_same')
    expect(await unit((db) => db.get(wxUser, source.id))).toMatchObject({ mergedInto: target.id, phone: '13822220001' })
    expect(await unit((db) => db.get(wxUser, target.id))).toMatchObject({
      phone: '13822220002',
      unionid: 'u1',
      mergedInto: null,
    })
    // A closed account is not offered as a choice; rows that name it keep its name.
    const offered = async (query: Record<string, string>) =>
      (
        (
          await tenants.call(tenants.north.admin, 'GET', '/api/kit/options/wxUser', {
            query: { size: '200', ...query },
          })
        ).data as { id: string }[]
      ).map((one) => one.id)
    expect(await offered({})).toContain(target.id)
    expect(await offered({})).not.toContain(source.id)
    expect(await offered({ ids: source.id })).toEqual([source.id])
  })

  it(
    'moves orders, membership, blacklist and figures, leaves both histories as they were written, ' +
      'and what is sold to the old account is the new one’s',
    async () => {
      const [source, target] = [await customer(), await customer()]
      await charge(source.id, 'R-merge', { amount: 8000 })
      const order = await sell(source.id, 2500, NOW, 'balance')
      await unit(async (db) => {
        await db.insert(vipInfo, {
          wxUserId: source.id,
          level: gold.id,
          cardNo: 'M1',
          startTime: '2026-11-01 09:00:00',
          endTime: '2026-12-20 09:00:00',
          status: 1,
          source: 'office',
        })
        await db.insert(vipInfo, {
          wxUserId: target.id,
          level: gold.id,
          cardNo: 'M2',
          startTime: '2026-11-01 09:00:00',
          endTime: '2027-01-01 09:00:00',
          status: 1,
          source: 'office',
        })
      })
      const merged = await merge(source.id, target.id)
      expect(await held(source.id)).toEqual({ balance: 0, integral: 0 })
      expect(await held(target.id)).toEqual({ balance: 5500, integral: 25 })
      // Thirty days were left of the source's term.
      expect(await unit((db) => findMemberEntitlements(db, source.id, NOW))).toMatchObject({
        wxUserId: target.id,
        endTime: '2027-01-31 09:00:00',
      })
      await sell(source.id, 500, NOW, 'balance')
      await tenants.server.jobs.runDue()
      const orders = await unit((db) =>
        db.query<{ wxUserId: string; n: number }>(
          sql`select wx_user_id, count(*)::int as n from shopping_order where wx_user_id in (${source.id}, ${target.id})
          group by 1`,
        ),
      )
      expect(orders).toEqual([{ wxUserId: target.id, n: 2 }])
      expect(await unit((db) => db.get(wxUserMerge, merged.id))).toMatchObject({
        state: 'done',
        moved: { shoppingOrder: 1, rechargeLog: 1 },
        balance: 5500,
      })
      const lines = await unit((db) =>
        db.query<{ type: string; change: string }>(
          sql`select type, change from balance_log where wx_user_id = ${source.id} order by create_time, id`,
        ),
      )
      expect(lines.map(({ type, change }) => [type, Number(change)])).toEqual([
        ['recharge', 8000],
        ['consume', -2500],
        ['merge', -5500],
      ])
      expect(await unit((db) => db.get(wxUser, target.id))).toMatchObject({ orderCount: 2, totalSpent: 3000 })
      expect(order.id).toBeTruthy()
      await allIsWell()
    },
  )

  it('leaves the membership that runs running, whichever account has a card that begins later', async () => {
    const conf = await unit((db) =>
      db.insert(annualFeeConf, { name: '金卡一月', level: gold.id, fee: 900, months: 1, enabled: true }),
    )
    for (const isIntoLater of [true, false]) {
      const [now, later] = [await customer(), await customer()]
      await unit((db) =>
        buyMembership(db, { feeNo: `F-${now.id}`, wxUserId: now.id, confId: conf.id, payType: 'cash', at: NOW }),
      )
      await unit((db) =>
        db.insert(vipInfo, {
          wxUserId: later.id,
          level: gold.id,
          cardNo: `M${later.id}`,
          startTime: '2027-01-20 09:00:00',
          endTime: '2027-03-20 09:00:00',
          status: 1,
          source: 'office',
        }),
      )
      const [from, into] = isIntoLater ? [now, later] : [later, now]
      await merge(from.id, into.id)
      // A month and 59 days.
      expect(await unit((db) => findMemberEntitlements(db, into.id, NOW))).toMatchObject({
        name: '金卡',
        endTime: '2027-02-17 09:00:00',
      })
      const { startTime, endTime } = (
        await unit((db) => db.find(annualFeeLog, sql`r.wx_user_id in (${from.id}, ${into.id})`))
      )[0]!
      expect([startTime, endTime]).toEqual([NOW, '2026-12-20 09:00:00'])
    }
    await allIsWell()
  })

  it('raises who has spent enough with both accounts together', async () => {
    const [source, target] = [await customer(), await customer()]
    for (const one of [source, target]) await sell(one.id, 15_000)
    await merge(source.id, target.id)
    expect(await unit((db) => findMemberEntitlements(db, target.id, NOW))).toBeUndefined()
    await tenants.server.jobs.runDue()
    expect(await unit((db) => findMemberEntitlements(db, target.id, NOW))).toMatchObject({ name: '银卡' })
    await allIsWell()
  })

  it(
    'whatever is recharged, bought, refunded, given, adjusted and merged in parallel, balance and ' +
      'points are the sum of their logs, nothing below zero and nothing twice',
    async () => {
      const conf = await offer({ amount: 3000, giftAmount: 301, giftIntegral: 7 })
      const step = fc.record({
        kind: fc.constantFrom('recharge', 'buy', 'payBack', 'adjust', 'points', 'merge'),
        who: fc.integer({ min: 0, max: 3 }),
        other: fc.integer({ min: 0, max: 3 }),
        cents: fc.integer({ min: 1, max: 2500 }),
      })
      let run = 0
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 30 }), async (steps) => {
          run++
          const people = await Promise.all([customer(), customer(), customer(), customer()])
          const numbers = people.map((_none, n) => `R-run${run}-${n}`)
          const charged: string[] = []
          const answers = await Promise.all(
            steps.map(async ({ kind, who, other, cents }, n) => {
              const { id } = people[who]!
              const account = kind === 'points' ? 'integral' : 'balance'
              return refusal(
                kind === 'recharge'
                  ? charge(id, numbers[who]!, { confId: conf.id }).then(({ row }) => charged.push(row.id))
                  : kind === 'buy'
                    ? sell(id, cents, NOW, 'balance')
                    : kind === 'payBack'
                      ? charged.length
                        ? payBack(charged[n % charged.length]!, cents)
                        : Promise.resolve()
                      : kind === 'merge'
                        ? merge(id, people[other]!.id)
                        : unit((db) =>
                            changeCustomerAccount(db, account, {
                              wxUserId: id,
                              change: n % 2 ? cents : -cents,
                              type: 'adjust',
                              refType: 'adjust',
                              refId: newId(),
                            }),
                          ),
              )
            }),
          )
          expect(
            answers.filter(
              (one) =>
                !/^(done|(balance|integral)_short|recharge_(spent|refund_too_much|differs)|merge_(same|else\w+))$/.test(
                  one,
                ),
            ),
          ).toEqual([])
          await tenants.server.jobs.runDue()
          await allIsWell()
          const ids = people.map(({ id }) => id)
          const state = await unit((db) =>
            db.one<Record<string, number>>(sql`
          select (select sum(balance) from wx_user where id = any(${ids}::bigint[]))::float8 as held,
          (select coalesce(sum(change), 0) from balance_log where wx_user_id = any(${ids}::bigint[]))::float8 as booked,
            (select count(*)::int from wx_user where id = any(${ids}::bigint[]) and merged_into is not null
            and (balance <> 0 or integral <> 0 or order_count <> 0)) as leftovers,
            (select count(*)::int from shopping_order o join wx_user w on w.id = o.wx_user_id
            where w.id = any(${ids}::bigint[]) and w.merged_into is not null) as strays,
            (select count(*)::int from recharge_log
            where recharge_no = any(${numbers})) - (select count(distinct recharge_no)::int from recharge_log
            where recharge_no = any(${numbers})) as twice`),
          )
          expect(state).toMatchObject({ held: state!.booked, leftovers: 0, strays: 0, twice: 0 })
        }),
        { numRuns: 8 },
      )
    },
  )
})
