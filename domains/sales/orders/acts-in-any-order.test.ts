import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '#kit/server/database/db.ts'
import { figuresOf } from '#tests/support/figures.ts'
import type { Answer } from '#tests/support/server.ts'
import { saleBodyOf, createTestTenants, type Register, type TestTenants } from '#tests/support/test-tenants.ts'
import { goodInfo } from '#domains/catalogue/products/index.ts'
import { moveStock } from '#domains/catalogue/inventory/api.ts'
import { bookRecharge } from '#domains/sales/customers/api.ts'
import { wxUser } from '#domains/sales/customers/index.ts'
import { payOrder, placeOrder } from './place-order.ts'

/** Sequences that run in parallel, each with products, customers and an order of its own. */
const LANES = 4
const SEQUENCES = 16
/**
 * Pairs of actions, drawn by the seed, to run in parallel besides each action with itself; PROPERTY_PAIRS=1000 runs all
 * pairs.
 */
const PAIRS = Number(process.env.PROPERTY_PAIRS ?? 76)
const SEED = Number(process.env.PROPERTY_SEED ?? fc.readConfigureGlobal().seed)
const NOW = '2026-11-20 09:00:00'

let tenants: TestTenants
let shops: readonly [string, string]
let register: Register
let confId: string
let feeId: string
let made = 0

beforeAll(async () => {
  tenants = await createTestTenants({ now: () => new Date('2026-11-20T09:30:00+08:00') })
  shops = [tenants.north.shops[0]!, tenants.north.shops[1]!]
  register = await tenants.register(tenants.north, shops[0])
  const save = async (resource: string, body: object) =>
    (await tenants.must(post(`${resource}/submit`, body))).id as string
  await save('merchant/merchantInfo', {
    name: '北街商贸',
    merchantNo: 'M1',
    shopIds: shops[0],
    feeRate: '0.60',
    shareRatio: '30.00',
    bankAccount: '6222021202009012',
  })
  const ticketId = await save('shop/discountTicket', {
    name: '满 30 减 5',
    type: 'amount',
    amount: '5.00',
    threshold: '30.00',
    validDays: 30,
    enabled: true,
  })
  confId = await save('shop/rechargeConf', {
    name: '充百送二十送券',
    amount: '100.00',
    giftAmount: '20.00',
    giftIntegral: 50,
    giftTicketId: ticketId,
    enabled: true,
  })
  const silver = await save('shop/vipLevel', {
    name: '银卡',
    rank: 1,
    discountRate: '100.00',
    integralTimes: '1.50',
    spendThreshold: '20.00',
    enabled: true,
  })
  await save('shop/vipLevel', {
    name: '金卡',
    rank: 2,
    discountRate: '100.00',
    integralTimes: '2.00',
    spendThreshold: '45.00',
    enabled: true,
  })
  feeId = await save('shop/annualFeeConf', { name: '银卡一月', level: silver, fee: '10.00', months: 1, enabled: true })
})
afterAll(() => tenants?.close())

const unit = <T>(work: Parameters<typeof tenants.services.unit<T>>[1]) =>
  tenants.services.unit({ tenantId: tenants.north.tenantId }, work)
const post = (path: string, body: object, query?: Record<string, unknown>): Promise<Answer> =>
  tenants.call(tenants.north.admin, 'POST', `/api/${path}`, { body, query })
const beep = (path: string, body: object) => tenants.beep(register, 'POST', path, { body })
const runJobs = () => tenants.server.jobs.runDue()

/**
 * One order of seven pieces, charged by a quote with a ticket that came with a recharge, by a customer with money,
 * points and a second account.
 */
type Stage = {
  goodId: string
  upc: string
  customerId: string
  otherId: string
  rechargeId: string
  ticket: { id: string; ticketNo: string }
  orderId: string
  detailId: string
  transactionNo: string
}

async function stage(): Promise<Stage> {
  const n = ++made
  const transactionNo = `W${n}`
  const held = await unit(async (db) => {
    const good = await db.insert(goodInfo, {
      shopId: shops[0],
      upc: `A${10_000 + n}`,
      name: `商品${n}`,
      salePrice: 500,
      costPrice: 300,
      stock: 0,
      stockSeq: 0,
      lowStock: 0,
      onSale: true,
    })
    await moveStock(db, [{ goodId: good.id, change: 12 }], { type: 'in', refType: 'goods', refId: good.id })
    const customer = await db.insert(wxUser, { nickname: `顾客${n}`, balance: 0, integral: 0 })
    const other = await db.insert(wxUser, { nickname: `小号${n}`, balance: 0, integral: 0 })
    const { row } = await bookRecharge(db, {
      rechargeNo: `R${n}`,
      wxUserId: customer.id,
      confId,
      payType: 'cash',
      at: NOW,
    })
    const ticket = (await db.one<{ id: string; ticketNo: string }>(
      sql`select id, ticket_no from customer_ticket where wx_user_id = ${customer.id}`,
    ))!
    return { goodId: good.id, upc: good.upc, customerId: customer.id, otherId: other.id, rechargeId: row.id, ticket }
  })
  const { customerId, upc, ticket } = held
  const quoted = await tenants.must(
    beep('quote', { saleNo: `O${n}`, customerId, lines: [{ upc, quantity: 7 }], tickets: ticket.ticketNo, points: 20 }),
  )
  const { orderId } = await tenants.must(
    beep('sale', { ...byQuote(quoted), customerId, payType: 'wechat', transactionNo }),
  )
  const { id: detailId } = (await unit((db) =>
    db.one<{ id: string }>(sql`select id from shopping_order_detail where order_id = ${orderId}`),
  ))!
  return { ...held, orderId, detailId, transactionNo }
}

const byQuote = (quoted: any) => ({
  saleNo: quoted.saleNo,
  quoteId: quoted.quoteId,
  saleTime: NOW,
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
})

/** Performs an action; undefined when it was refused. A server error or a deadlock fails the test. */
async function attempt(act: Promise<Answer>): Promise<any> {
  const { status, data, body } = await act
  if (status >= 500 || data?.reason === 'busy') throw new Error(JSON.stringify(body))
  return status === 200 ? (data ?? {}) : undefined
}
const refund = async (orderId: string, ask: object) => {
  const result = await attempt(post('shop/refunds/now', { orderId, reason: '不要了', ...ask }))
  await runJobs()
  return result
}

/** Actions on one order that may run in any order. Each returns what it did, or nothing when it was refused. */
const acts: Record<string, (on: Stage) => Promise<unknown>> = {
  refundsPart: ({ orderId, detailId }) => refund(orderId, { lines: [{ detailId, quantity: 2 }] }),
  refundsMoney: ({ orderId, detailId }) => refund(orderId, { lines: [{ detailId, quantity: 0, amount: '1.00' }] }),
  refundsUnreturned: ({ orderId, detailId }) => refund(orderId, { lines: [{ detailId, quantity: 3 }], restock: false }),
  refundsAll: ({ orderId }) => refund(orderId, { full: true }),
  shares: ({ orderId }) =>
    attempt(
      post('merchant/shareLog/submit', {
        orderId,
        description: '合作方',
        receivers: [{ type: 'MERCHANT_ID', account: '1900000109', name: '合作方', amount: '4.00' }],
      }),
    ),
  brings: ({ orderId, goodId }) =>
    attempt(
      post('shop/returnLog/submit', {
        direction: 'customer',
        shopId: shops[0],
        goodId,
        quantity: 4,
        reason: 'wrong',
        refId: orderId,
      }),
    ),
  bringsAndUndoes: async ({ orderId, goodId }) => {
    const back = await attempt(
      post('shop/returnLog/submit', {
        direction: 'customer',
        shopId: shops[0],
        goodId,
        quantity: 2,
        reason: 'wrong',
        refId: orderId,
      }),
    )
    return back && attempt(post('shop/returnLog/cancel', { id: back.id }))
  },
  bringsBroken: ({ orderId, goodId }) =>
    attempt(
      post('shop/returnLog/submit', {
        direction: 'customer',
        shopId: shops[0],
        goodId,
        quantity: 3,
        reason: 'damaged',
        refId: orderId,
      }),
    ),
  givesToSupplier: ({ goodId }) =>
    attempt(
      post('shop/returnLog/submit', {
        direction: 'supplier',
        shopId: shops[0],
        goodId,
        quantity: 2,
        reason: 'damaged',
      }),
    ),
  countsGoods: ({ goodId }) => attempt(post('shop/goodInfo/stocktake', { id: goodId, counted: 9, remark: '抽盘' })),
  // WeChat Pay reports that a share has arrived.
  finishesShare: async (on) => {
    const shared = await acts.shares!(on)
    await unit((db) =>
      db.run(
        sql`update share_log set status = 2, finish_amount = amount where order_id = ${on.orderId} and status = 0`,
      ),
    )
    return shared
  },
  opensPaysAndCancels: async ({ goodId, upc, customerId }) => {
    const lines = [{ goodId, upc, name: '可乐', price: 500, quantity: 1, discount: 0, amount: 500 }]
    const draft = {
      shopId: shops[0],
      wxUserId: customerId,
      source: 'mini',
      type: 'pickup',
      status: 0,
      payDeadline: '2040-01-01 00:00:00',
      payAmount: 500,
      lines,
    } as const
    const { id } = await unit((db) => placeOrder(db, draft))
    const paid = unit((db) =>
      payOrder(db, id, { payType: 'wechat', payTime: NOW, transactionNo: `L${id}` }, new Date()),
    )
    const answers = await Promise.allSettled([
      paid,
      attempt(post('shop/shoppingOrder/cancel', { id, cancelReason: '不要了' })),
    ])
    for (const one of answers) if (one.status === 'rejected' && one.reason.code !== 'order_not_open') throw one.reason
    await runJobs()
    return answers
  },
  paysRechargePartBack: async ({ rechargeId }) => {
    const once = () => attempt(post('shop/rechargeLog/refund', { id: rechargeId, amount: '33.33', reason: '退一部分' }))
    return (await once()) && ((await once()) ?? true)
  },
  paysRechargeBack: ({ rechargeId }) =>
    attempt(post('shop/rechargeLog/refund', { id: rechargeId, amount: '100.00', reason: '退卡' })),
  // The ticket is with the customer again once its order was refunded.
  takesTicketBack: async ({ ticket, orderId }) => {
    await refund(orderId, { full: true })
    return attempt(post('shop/customerTicket/takeBack', { id: ticket.id, remark: '收回' }))
  },
  quotesTicket: async ({ upc, customerId }) => {
    const quoted = await attempt(
      beep('quote', { saleNo: `Q${++made}`, customerId, lines: [{ upc, quantity: 7 }], tickets: 'best', points: 30 }),
    )
    return made % 2 && quoted ? attempt(beep('sale', { ...byQuote(quoted), customerId })) : quoted
  },
  paysTwice: ({ upc, transactionNo }) => attempt(beep('sale', saleBodyOf(upc, { payType: 'wechat', transactionNo }))),
  spendsBalance: ({ upc, customerId }) => attempt(beep('sale', saleBodyOf(upc, { payType: 'balance', customerId }))),
  reachesLevel: async ({ upc, customerId }) => {
    const sale = await attempt(beep('sale', saleBodyOf(upc, { customerId }, 3)))
    return sale && refund(sale.orderId, { full: true })
  },
  // A register that was offline reports a sale of the day before.
  sellsLate: ({ upc, customerId }) =>
    attempt(beep('sale', saleBodyOf(upc, { customerId, saleTime: '2026-11-19 23:59:59' }))),
  // By the time of payment another product may have the quoted barcode.
  quotesAndRenumbers: async ({ goodId, upc, customerId }) => {
    const n = ++made
    const quoted = await attempt(
      beep('quote', { saleNo: `Q${n}`, customerId, lines: [{ upc, quantity: 7 }], tickets: 'best', points: 30 }),
    )
    const changed = await attempt(post('shop/goodInfo/submit', { id: goodId, upc: `B${10_000 + n}` }))
    const sale = quoted && (await attempt(beep('sale', { ...byQuote(quoted), customerId })))
    return changed && sale
  },
  buysFee: ({ customerId }) =>
    attempt(post('shop/annualFeeLog/buy', { wxUserId: customerId, confId: feeId, payType: 'balance' })),
  mergesWithSpender: async (on) => {
    const sale = await attempt(beep('sale', saleBodyOf(on.upc, { customerId: on.otherId }, 5)))
    const merged = await acts.merges!(on)
    return sale && (await refund(sale.orderId, { full: true })) && merged
  },
  merges: async ({ customerId, otherId }) => {
    const merged = await attempt(
      post('shop/wxUserMerge/merge', {
        sourceId: customerId,
        targetId: otherId,
        reason: '同一个人',
        isSamePerson: true,
      }),
    )
    await runJobs()
    return merged
  },
  transfers: async ({ goodId }) => {
    const row = await attempt(
      post('shop/stockTransfer/submit', { fromShopId: shops[0], toShopId: shops[1], lines: [{ goodId, quantity: 2 }] }),
    )
    if (!row || !(await attempt(post('shop/stockTransfer/dispatch', { id: row.id })))) return undefined
    return attempt(post(`shop/stockTransfer/${made % 2 ? 'recall' : 'receive'}`, { id: row.id }))
  },
  removesGoods: async ({ goodId }) => {
    await attempt(post('shop/goodInfo/stocktake', { id: goodId, counted: 0, remark: '清零' }))
    return attempt(post('shop/goodInfo/remove', {}, { ids: goodId }))
  },
}
const names = Object.keys(acts)

const done = new Map(names.map((name) => [name, 0]))
async function act(name: string, on: Stage): Promise<void> {
  if (await acts[name]!(on)) done.set(name, done.get(name)! + 1)
}

type Round = { acts: string[]; isParallel: boolean }
async function play(rounds: readonly Round[]): Promise<void> {
  let next = 0
  const lane = async () => {
    while (next < rounds.length) {
      const round = rounds[next++]!
      const on = await stage()
      if (round.isParallel) await Promise.all(round.acts.map((name) => act(name, on)))
      else for (const name of round.acts) await act(name, on)
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  await runJobs()
}

describe('acts that meet in one order', () => {
  it('of pairs at once leave every figure true, and nobody waits for ever', async () => {
    const others = names.flatMap((one, at) => names.slice(at + 1).map((other) => [one, other]))
    const [drawn] = fc.sample(
      fc.shuffledSubarray(others, {
        minLength: Math.min(PAIRS, others.length),
        maxLength: Math.min(PAIRS, others.length),
      }),
      { numRuns: 1, seed: SEED },
    )
    await play([...names.map((one) => [one, one]), ...drawn!].map((both) => ({ acts: both, isParallel: true })))
    // `paysTwice` must always be refused; every other action must have succeeded at least once.
    expect([...done].filter(([, times]) => !times).map(([name]) => name)).toEqual(['paysTwice'])
    expect(await unit((db) => figuresOf(db))).toEqual([])
  }, 240_000)

  it('in any order, one after the other, leave every figure true', async () => {
    const sequence = fc.record({
      acts: fc.array(fc.constantFrom(...names), { minLength: 2, maxLength: 5 }),
      isParallel: fc.constant(false),
    })
    await play(fc.sample(sequence, { numRuns: SEQUENCES, seed: SEED }))
    expect(await unit((db) => figuresOf(db))).toEqual([])
  }, 240_000)
})
