import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createEleTestTenants, type EleTestTenants } from '#tests/support/ele-tenants.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { newId } from '#kit/server/database/snowflake.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { makeBill, billPeriodOf } from '#domains/money/merchant-accounts/api.ts'
import { checkLedgers, placeOrder } from '#domains/sales/orders/api.ts'
import { knowRefund } from '#simulators/wechatpay/refunds.ts'
import { DIFFERENCE_KINDS, findDifferenceKind, type DifferenceKindKey } from './kinds.ts'
import { reconciliationDay } from './reconciliation-day.resource.ts'
import { reconciliationDifference } from './reconciliation-difference.resource.ts'
import { SUB, testAccount, type TestAccount } from './test-account.ts'

// Every action on every kind of difference is pressed once, twice and twenty times at once: all presses are answered
// and it takes effect once.

const TIMES = { once: 1, twice: 2, 'twenty at once': 20 } as const
type Times = keyof typeof TIMES

type ResolvableDifference = {
  /** The difference to resolve. */
  id: string
  /** Reads the effect, to compare it with `done`. */
  effect: () => Promise<unknown>
  done: unknown
}

/** Presses the button so often: every request is answered without a server error, and at least one succeeds. */
async function press(resolve: (id: string) => Promise<{ status: number }>, id: string, times: Times): Promise<void> {
  const first = times === 'twice' ? [await resolve(id)] : []
  const more = await Promise.all(Array.from({ length: TIMES[times] - first.length }, () => resolve(id)))
  const statuses = [...first, ...more].map(({ status }) => status)
  expect(statuses.filter((status) => status >= 500)).toEqual([])
  expect(statuses).toContain(200)
}

type Line = {
  kind: 'pay' | 'refund' | 'order'
  no?: string
  orderNo?: string
  refundNo?: string
  amount: number
  fee?: number
  received?: number
}
type Difference = { orderId?: string; orderNo?: string; refundNo?: string; transactionNo?: string; mark?: string }

/** Writes a difference as the comparison does, with its statement line, on a day of its own. */
async function insertDifference(
  db: Db,
  side: { side: string; accountNo: string; merchantId?: string; shopId?: string },
  kind: DifferenceKindKey,
  day: string,
  { line, ...facts }: Difference & { line?: Line },
): Promise<string> {
  const [known] = await db.find(
    reconciliationDay,
    sql`r.side = ${side.side} and r.account_no = ${side.accountNo} and r.day = ${day}`,
  )
  const row = known ?? (await db.insert(reconciliationDay, { ...side, accountName: '账户', day }))
  if (line)
    await db.run(sql`insert into tally_line (id, tenant_id, day_id, source, kind, time, transaction_no, order_no,
      refund_no, refund_there, amount, fee, received)
      values (${newId()}, ${db.tenantId}, ${row.id}, ${line.kind === 'order' ? 'order' : 'trade'}, ${line.kind},
      ${`${day} 10:00:00`}, ${line.no ?? ''}, ${line.orderNo ?? ''}, ${line.refundNo ?? ''},
      ${line.refundNo ? `50${line.refundNo}` : ''}, ${line.amount}, ${line.fee ?? 0}, ${line.received ?? 0})`)
  const difference = await db.insert(reconciliationDifference, {
    ...facts,
    mark: facts.mark ?? `${kind} ${newId()}`,
    side: side.side,
    merchantId: side.merchantId ?? null,
    shopId: side.shopId ?? null,
    dayId: row.id,
    day,
    kind,
    state: 'open',
    title: facts.orderNo ?? facts.transactionNo ?? 'X',
    ours: 0,
    theirs: 100,
    worth: 100,
    runNo: 1,
  })
  return difference.id
}

const kindsWithAction = (side: 'wechat' | 'platform') =>
  (Object.keys(DIFFERENCE_KINDS) as DifferenceKindKey[]).filter(
    (kind) =>
      findDifferenceKind(kind)?.deed &&
      ['followOrder', 'takeBill'].includes(findDifferenceKind(kind)!.deed!) === (side === 'platform'),
  )
const everyCase = (side: 'wechat' | 'platform') =>
  kindsWithAction(side).flatMap((kind) => (Object.keys(TIMES) as Times[]).map((times) => [kind, times] as const))

describe('at WeChat Pay', () => {
  let account: TestAccount
  beforeAll(async () => void (account = await testAccount()))
  afterAll(() => account?.close())
  let made = 0
  const number = () => `4300${String(++made).padStart(10, '0')}`
  const money = ['order_payment', 'refund_payment', 'payment_refund', 'tally_back', 'share_log'] as const
  const counted = async () =>
    Object.fromEntries(await Promise.all(money.map(async (t) => [t, (await account.rows(t)).length])))

  const toPay = () =>
    account.inTenant((db) =>
      placeOrder(db, {
        shopId: account.shopId,
        source: 'mini',
        type: 'pickup',
        status: 0,
        payDeadline: '2040-01-01 00:00:00',
        lines: [
          {
            goodId: account.good.id,
            upc: account.good.upc,
            name: '可乐',
            price: 1000,
            quantity: 1,
            discount: 0,
            amount: 1000,
          },
        ],
        payAmount: 1000,
      }),
    )
  const write_ = (kind: DifferenceKindKey, facts: Difference & { line?: Line }) =>
    account.inTenant((db) =>
      insertDifference(
        db,
        { side: 'wechat', accountNo: SUB, merchantId: account.merchantId },
        kind,
        account.dayAt(1),
        facts,
      ),
    )
  /** Kinds whose action only reads statements again: nothing about money changes. */
  const onlyReads = async (kind: DifferenceKindKey): Promise<ResolvableDifference> => {
    const before = await counted()
    return { id: await write_(kind, { transactionNo: number() }), effect: counted, done: before }
  }
  const sendsBack = async (kind: DifferenceKindKey, orderNo: string): Promise<ResolvableDifference> => {
    const no = number()
    account.pay(no, 1000)
    const id = await write_(kind, { transactionNo: no, line: { kind: 'pay', no, orderNo, amount: 1000, fee: 6 } })
    const effect = async () => [
      (await account.rows('tally_back', sql`r.transaction_no = ${no}`)).map(({ state }) => state),
      account.wechat.world.payments.get(no)!.refunded,
    ]
    return { id, effect, done: [['done'], 1000] }
  }

  const make: Record<string, (kind: DifferenceKindKey) => Promise<ResolvableDifference>> = {
    payNotBooked: async (kind) => {
      const [order, no] = [await toPay(), number()]
      account.pay(no, 1000, { outTradeNo: order.orderNo! })
      const line = { kind: 'pay', no, orderNo: order.orderNo!, amount: 1000, fee: 6 } as const
      const id = await write_(kind, { orderId: order.id, orderNo: order.orderNo!, transactionNo: no, line })
      const stock = () => account.tenants.stock(account.tenants.north, account.good.id)
      const was = await stock()
      const effect = async () => [
        (await account.rows('order_payment', sql`r.order_id = ${order.id}`)).map(({ amount }) => amount),
        was - (await stock()),
      ]
      return { id, effect, done: [[1000], 1] }
    },
    payWithoutOrder: (kind) => sendsBack(kind, 'NOBODY'),
    paidTwice: async (kind) => sendsBack(kind, (await account.order(number(), 'wechat', 1000)).orderNo!),
    feeDiffers: async (kind) => {
      const no = number()
      const order = await account.order(no, 'wechat', 1000)
      account.pay(no, 1000, { outTradeNo: order.orderNo! })
      account.advance(86_400)
      const bill = (await account.inTenant((db) =>
        makeBill(db, account.merchantId, billPeriodOf('day', account.dayAt(1))),
      ))!
      const id = await write_(kind, {
        orderId: order.id,
        orderNo: order.orderNo!,
        transactionNo: no,
        mark: `pay ${no}`,
        line: { kind: 'pay', no, orderNo: order.orderNo!, amount: 1000, fee: 8 },
      })
      const effect = async () => (await account.rows('merchant_bill', sql`r.id = ${bill.id}`)).map(({ net }) => net)
      return { id, effect, done: [bill.net! - 2] }
    },
    refundUnknownHere: async (kind) => {
      const [no, refundNo] = [number(), `RX${made}`]
      const order = await account.order(no, 'wechat', 1000)
      account.pay(no, 1000, { outTradeNo: order.orderNo! })
      knowRefund(account.wechat.world, no, { outNo: refundNo, amount: 400, at: account.now() })
      const line = { kind: 'refund', no, orderNo: order.orderNo!, refundNo, amount: -400, fee: -2 } as const
      const id = await write_(kind, {
        orderId: order.id,
        orderNo: order.orderNo!,
        refundNo,
        transactionNo: `50${refundNo}`,
        line,
      })
      const effect = async () => [
        (await account.rows('refunds', sql`r.order_id = ${order.id}`)).map(({ amount, status }) => [amount, status]),
        account.wechat.world.payments.get(no)!.refunded,
      ]
      return { id, effect, done: [[[400, 3]], 400] }
    },
    refundNotMade: async (kind) => {
      const no = number()
      const order = await account.order(no, 'wechat', 1000)
      account.pay(no, 1000, { outTradeNo: order.orderNo! })
      const body = { orderId: order.id, full: true, reason: '商品破损', restock: false }
      await account.must('shop/refunds/now', body)
      // The job that sends it was lost.
      await account.tenants.services.systemPool.query(`delete from job where queue = 'refund.send'`)
      const [part] = await account.rows('refund_payment', sql`r.order_id = ${order.id}`)
      const id = await write_(kind, { orderId: order.id, orderNo: order.orderNo!, refundNo: part.outNo })
      const effect = async () => [
        (await account.rows('refund_payment', sql`r.order_id = ${order.id}`)).map(({ state }) => state),
        account.wechat.world.payments.get(no)!.refunded,
      ]
      return { id, effect, done: [['done'], 1000] }
    },
    shareNotMade: async (kind) => {
      const no = number()
      const order = await account.order(no, 'wechat', 1000)
      account.wechat.know({
        transactionId: no,
        outTradeNo: order.orderNo!,
        subMchid: SUB,
        total: 1000,
        isSharing: true,
      })
      account.wechat.world.receivers.add(`${SUB}/1900000401`)
      account.advance(61)
      const share = await account.must('merchant/shareLog/submit', {
        orderId: order.id,
        receivers: [{ type: 'MERCHANT_ID', account: '1900000401', name: '云服务', amount: '1.00' }],
        description: '服务费',
      })
      await account.tenants.services.systemPool.query(`delete from job where queue = 'share.move'`)
      const [row] = await account.rows('share_log', sql`r.id = ${share.id}`)
      const id = await write_(kind, { orderId: order.id, orderNo: order.orderNo!, refundNo: row.outOrderNo })
      const effect = async () => [
        (await account.rows('share_log', sql`r.order_id = ${order.id}`)).map(({ status }) => status),
        account.wechat.world.payments.get(no)!.shared,
      ]
      return { id, effect, done: [[2], 100] }
    },
  }

  test.each(everyCase('wechat'))('the action of %s pressed %s answers and is done once', async (kind, times) => {
    account.advance(1800)
    if (kind === 'shareNotMade')
      await account.must('merchant/merchantInfo/submit', { id: account.merchantId, shareRatio: '30' })
    account.wechat.world.balances.set(SUB, 10_000_000)
    const { id, effect, done } = await (make[kind] ?? onlyReads)(kind)
    await press(account.settle, id, times)
    for (let n = 0; n < 3; n++) {
      await account.runJobs(3)
      account.advance(61)
    }
    await account.runJobs(3)
    expect(await effect()).toEqual(done)
    // Pressing long afterwards does nothing more.
    await account.settle(id)
    await account.runJobs(2)
    expect(await effect()).toEqual(done)
    expect(await account.inTenant(checkLedgers)).toEqual([])
  })
})

describe('at a delivery platform', () => {
  let world: EleTestTenants
  let shop: string
  let accountNo: string
  beforeAll(async () => {
    world = await createEleTestTenants()
    shop = await world.openShop()
    accountNo = (await world.rows('ele_shop_info', sql`r.id = ${shop}`))[0].platformShopId
  })
  afterAll(() => world?.close())

  const resolve = (id: string) =>
    world.tenants.call(world.admin, 'POST', '/api/tally/difference/settle', { query: { id } })
  const day = () => formatShanghaiTime(new Date(world.clock.now())).slice(0, 10)
  const side = () => ({ side: 'ele', accountNo, shopId: world.shopId })

  async function make(kind: DifferenceKindKey): Promise<ResolvableDifference> {
    const { goodId } = await world.offer(shop, 10)
    world.ele.pushes.mood.isHeld = kind === 'orderUnknownHere'
    const { order_id: orderNo } = world.ele.order({
      baidu_shop_id: accountNo,
      lines: [{ custom_sku_id: goodId, quantity: 2 }],
    })
    if (kind === 'orderUnknownHere') world.ele.pushes.outbox.length = 0
    else {
      // The platform's message is handled and repeated, so that no later one interferes.
      await world.run()
      await world.run()
    }
    const line = { kind: 'order', orderNo, amount: 1000, fee: 77, received: 900 } as const
    const takes = findDifferenceKind(kind)!.deed === 'takeBill'
    const id = await world.unit((db) =>
      insertDifference(db, side(), kind, day(), { transactionNo: orderNo, ...(takes && { line }) }),
    )
    const ours = () => world.rows('shopping_order', sql`r.transaction_no = ${orderNo}`)
    const effect = async () => [
      (await ours()).length,
      10 - (await world.tenants.stock(world.tenants.north, goodId)),
      ...(takes
        ? (await world.rows('ele_order', sql`r.platform_order_id = ${orderNo}`)).map((o) => [o.commission, o.shopFee])
        : []),
    ]
    return { id, effect, done: [1, 2, ...(takes ? [[77, 900]] : [])] }
  }

  test.each(everyCase('platform'))('the action of %s pressed %s answers and is done once', async (kind, times) => {
    const { id, effect, done } = await make(kind)
    await press(resolve, id, times)
    await world.run()
    expect(await effect()).toEqual(done)
    await resolve(id)
    await world.run()
    expect(await effect()).toEqual(done)
  })

  test("that took a bill's figures is not undone by whoever reads the order later", async () => {
    const { id, effect, done } = await make('commissionDiffers')
    expect((await resolve(id)).status).toBe(200)
    await world.run()
    expect(await effect()).toEqual(done)
    const { transactionNo } = (await world.rows('tally_difference', sql`r.id = ${id}`))[0]
    const again = await world.unit((db) => insertDifference(db, side(), 'orderUnknownThere', day(), { transactionNo }))
    expect((await resolve(again)).status).toBe(200)
    await world.run()
    expect(await effect()).toEqual(done)
  })

  test('of an order the platform does not know opens again and says why', async () => {
    const id = await world.unit((db) =>
      insertDifference(db, side(), 'orderUnknownHere', day(), { transactionNo: '999999999999' }),
    )
    expect((await resolve(id)).status).toBe(200)
    await world.run()
    expect((await world.rows('tally_difference', sql`r.id = ${id}`))[0]).toMatchObject({
      state: 'open',
      remark: expect.stringMatching(/./),
    })
  })
})
