import type { Db } from '#kit/server/database/db.ts'
import type { Random } from '#kit/server/base/random.ts'
import { newId } from '#kit/server/database/snowflake.ts'
import type { ShelfGood, Shelves } from '#domains/catalogue/inventory/api.ts'
import type { StoryAccountChange, StoryCustomer } from '#domains/shops/shops/api.ts'
import { ORDER_STATE, REFUND_STATE } from './dictionaries.ts'
import { ORDER_HOUR_WEIGHTS, goodDemandAt, DEMO_REFUND_REASONS, ORDER_WEEKDAY_WEIGHTS } from './habits.demo.ts'
import { isRestockableRefundReason } from './refund-reasons.ts'
import { writeHistory, type HistoryLine, type HistoryOrder, type HistoryRefund } from './history-write.demo.ts'

export { orderHistoryTables, orderHistoryIndexColumns } from './history-write.demo.ts'

const DAY_MS = 86_400_000
const MINUTE = 60_000
/** Time of day when the clerks have finished their morning round. */
const ROUND_MS = 7.1 * 3_600_000

export type HistoryShop = {
  shopId: string
  code: string
  pull: number
  silentSince: number
  shelves: Shelves
  registers: { id: string; silentSince: number }[]
  bossUserId: string
}

type Account = 'balance' | 'integral'

/** State of the history while it is generated day by day. */
type Past = {
  random: Random
  shops: readonly HistoryShop[]
  customers: readonly StoryCustomer[]
  now: number
  orders: HistoryOrder[]
  refunds: HistoryRefund[]
  accounts: Record<Account, StoryAccountChange[]>
  /** The last number of each register. */
  saleNumbers: Map<string, number>
  /** How much each good of a shop is wanted, by shop and hour. */
  weights: Map<string, number[]>
  /** Orders that will be returned, and when. */
  pending: { order: HistoryOrder; at: number }[]
}

/** Generates `days` days of a tenant's business event by event. Nothing is written before `write`. */
export function createHistory(
  random: Random,
  shops: readonly HistoryShop[],
  customers: readonly StoryCustomer[],
  now: number,
  days: number,
) {
  const past: Past = {
    random,
    shops,
    customers,
    now,
    orders: [],
    refunds: [],
    accounts: { balance: [], integral: [] },
    saleNumbers: new Map(),
    weights: new Map(),
    pending: [],
  }
  const { orders, refunds, accounts } = past
  return {
    customers,
    accounts,
    counts: () => ({ orders: orders.length, refunds: refunds.length }),
    run: () => run(past, days),
    leaveWork: (wanted: readonly WorkLeft[]) => leaveWork(past, wanted),
    leaveUnpaid: () => leaveUnpaid(past),
    write: (db: Db) => writeHistory(db, orders, refunds),
  }
}

function run(past: Past, days: number): void {
  const { random, shops, customers, now } = past
  const midnight = Math.floor((now + 8 * 3_600_000) / DAY_MS) * DAY_MS - 8 * 3_600_000
  for (const customer of customers)
    book(past, 'integral', customer, {
      change: random.int(10, 300),
      type: 'gift',
      refType: 'join',
      refId: customer.id,
      shopId: null,
      time: customer.time,
    })
  for (const shop of shops) shop.shelves.morning(midnight - days * DAY_MS - 3_600_000)
  for (let back = days; back >= 0; back--) {
    for (const event of eventsOf(past, midnight - back * DAY_MS)) {
      bookDueReturns(past, event.time)
      event.run()
    }
  }
  bookDueReturns(past, now)
  past.pending = []
}

/** Returns the morning rounds and sales of a day in the order of time. */
function eventsOf(past: Past, start: number): { time: number; run: () => void }[] {
  return past.shops
    .flatMap((shop) => [
      { time: start + ROUND_MS, run: () => shop.shelves.morning(start + ROUND_MS) },
      ...timesOf(past.random, shop, start)
        .filter((time) => time < shop.silentSince)
        .map((time) => ({ time, run: () => sell(past, shop, time) })),
    ])
    .filter((event) => event.time < past.now - MINUTE)
    .sort((a, b) => a.time - b.time)
}

function timesOf(random: Random, shop: HistoryShop, dayStart: number): number[] {
  const weekday = new Date(dayStart + 8 * 3_600_000).getUTCDay()
  const count = Math.round(27 * shop.pull * ORDER_WEEKDAY_WEIGHTS[weekday]! * (0.85 + random.next() * 0.3))
  return Array.from(
    { length: count },
    () =>
      dayStart +
      random.weighted(
        ORDER_HOUR_WEIGHTS.map((_weight, hour) => hour),
        ORDER_HOUR_WEIGHTS,
      ) *
        3_600_000 +
      random.int(0, 3_599_000),
  )
}

function sell(past: Past, shop: HistoryShop, time: number): void {
  const { random } = past
  const id = newId()
  const hour = new Date(time + 8 * 3_600_000).getUTCHours()
  const candidate = random.chance(0.55) ? random.pick(past.customers) : undefined
  const customer = candidate && candidate.time < time ? candidate : undefined
  const { lines, vipAmount } = fillBasket(past, shop, customer, hour)
  const registers = shop.registers.filter((one) => time < one.silentSince)
  if (!lines.length || !registers.length) return
  for (const line of lines) line.shares = shop.shelves.take(line.good, line.quantity, 'sale', 'order', id, time)
  const payAmount = lines.reduce((sum, line) => sum + line.amount, 0)
  const register = random.pick(registers)
  const payType = choosePayment(past, customer, payAmount, shop.shopId, time)
  const order: HistoryOrder = {
    id,
    orderNo: `SO${id}`,
    shopId: shop.shopId,
    customer,
    status: ORDER_STATE.finished,
    source: 'register',
    type: 'store',
    flags: random.chance(0.004) ? ['late'] : [],
    lines,
    vipAmount,
    payAmount,
    refundAmount: 0,
    payType,
    time,
    registerId: register.id,
    saleNo: nextSaleNo(past, register.id),
    transactionNo: ['wechat', 'alipay', 'card'].includes(payType) ? `T${id}` : null,
    paymentId: newId(),
    cancelReason: null,
    shelves: shop.shelves,
  }
  past.orders.push(order)
  if (customer) rememberSale(past, order, customer)
  if (random.chance(0.012)) past.pending.push({ order, at: time + random.int(20, 600) * MINUTE })
}

function fillBasket(past: Past, shop: HistoryShop, customer: StoryCustomer | undefined, hour: number) {
  const { random } = past
  const lines: HistoryLine[] = []
  let vipAmount = 0
  const wanted = random.weighted([1, 2, 3, 4, 5], [42, 30, 16, 8, 4])
  for (let n = 0; n < wanted; n++) {
    const good = pickGood(past, shop, hour)
    const quantity = Math.min(good.stock, random.weighted([1, 2, 3, 4], [84, 12, 3, 1]))
    if (quantity <= 0 || lines.some((line) => line.good === good)) continue
    const saved = customer?.isVip && good.vipPrice !== null ? (good.price - good.vipPrice) * quantity : 0
    const cut = random.chance(0.02) && good.price >= 500 ? 100 : 0
    vipAmount += saved
    lines.push({
      id: newId(),
      good,
      quantity,
      discount: saved + cut,
      // A discount given by hand at the register has no explanation.
      benefits: saved && !cut ? [{ kind: 'vipPrice', refId: null, name: '会员价', amount: saved }] : [],
      amount: good.price * quantity - saved - cut,
      shares: [],
      cost: quantity * good.story.cost,
      refundQuantity: 0,
      refundAmount: 0,
    })
  }
  return { lines, vipAmount }
}

function pickGood({ random, weights }: Past, shop: HistoryShop, hour: number): ShelfGood {
  const key = `${shop.code}/${hour}`
  let list = weights.get(key)
  if (!list) weights.set(key, (list = shop.shelves.goods.map((good) => goodDemandAt(good, hour))))
  return random.weighted(shop.shelves.goods, list)
}

function choosePayment(
  past: Past,
  customer: StoryCustomer | undefined,
  amount: number,
  shopId: string,
  time: number,
): string {
  const { random } = past
  const preferred = random.weighted(['wechat', 'alipay', 'balance', 'cash', 'card'], [60, 21, 12, 5, 2])
  if (preferred !== 'balance') return preferred
  if (!customer) return 'wechat'
  if (customer.balance < amount) {
    if (random.chance(0.5)) return 'wechat'
    const charge = random.pick([5000, 10_000, 20_000])
    book(past, 'balance', customer, {
      change: Math.max(charge, Math.ceil(amount / 1000) * 1000),
      type: 'recharge',
      refType: 'recharge',
      refId: newId(),
      shopId,
      time: time - 2 * MINUTE,
    })
  }
  return 'balance'
}

function nextSaleNo({ saleNumbers }: Past, registerId: string): string {
  const next = (saleNumbers.get(registerId) ?? 0) + 1
  saleNumbers.set(registerId, next)
  return `H${String(next).padStart(6, '0')}`
}

/** Updates the customer's totals and account for a sale. */
function rememberSale(
  past: Past,
  { id, shopId, payType, payAmount, time }: HistoryOrder,
  customer: StoryCustomer,
): void {
  if (payType === 'balance')
    book(past, 'balance', customer, {
      change: -payAmount,
      type: 'consume',
      refType: 'order',
      refId: id,
      shopId,
      time,
    })
  customer.totalSpent += payAmount
  customer.orderCount++
  customer.lastVisit = time
  const was = customer.shops.get(shopId) ?? { orders: 0, last: 0 }
  customer.shops.set(shopId, { orders: was.orders + 1, last: time })
}

function book(
  { accounts }: Past,
  account: Account,
  customer: StoryCustomer,
  entry: Pick<StoryAccountChange, 'change' | 'type' | 'refType' | 'refId' | 'shopId' | 'time'>,
): void {
  const before = customer[account]
  customer[account] += entry.change
  accounts[account].push({ ...entry, customerId: customer.id, before, after: customer[account] })
}

/** Refunds the orders that are due to be returned. */
function bookDueReturns(past: Past, until: number): void {
  const due = past.pending.filter((one) => one.at + 6 * MINUTE <= until).sort((a, b) => a.at - b.at)
  if (!due.length) return
  past.pending = past.pending.filter((one) => !due.includes(one))
  for (const { order, at } of due) payBack(past, order, at)
}

function payBack(past: Past, order: HistoryOrder, time: number): void {
  const { random } = past
  const refund = askBack(past, order, time, random.chance(0.9) ? REFUND_STATE.succeeded : REFUND_STATE.rejected)
  if (refund.status !== REFUND_STATE.succeeded) return
  refund.restock = random.chance(0.7) && isRestockableRefundReason(refund.reason)
  for (const { line, quantity, amount } of refund.lines) {
    line.refundQuantity += quantity
    line.refundAmount += amount
    if (refund.restock) order.shelves.giveBack(line.good, line.shares, refund.id, refund.finishTime!)
  }
  order.refundAmount += refund.amount
  order.status = order.refundAmount === order.payAmount ? ORDER_STATE.refunded : ORDER_STATE.partlyRefunded
  if (!order.customer) return
  if (order.payType === 'balance')
    book(past, 'balance', order.customer, {
      change: refund.amount,
      type: 'refund',
      refType: 'refund',
      refId: refund.id,
      shopId: order.shopId,
      time: refund.finishTime!,
    })
  order.customer.totalSpent -= refund.amount
}

function askBack({ random, shops, refunds }: Past, order: HistoryOrder, time: number, status: number): HistoryRefund {
  const isFull = order.lines.length === 1 || random.chance(0.3)
  const chosen = isFull ? order.lines : [random.pick(order.lines)]
  const lines = chosen.map((line) => ({ line, quantity: line.quantity, amount: line.amount }))
  const shop = shops.find((one) => one.shopId === order.shopId)!
  const isDecided = status !== REFUND_STATE.applied
  const refund: HistoryRefund = {
    id: newId(),
    order,
    lines,
    amount: lines.reduce((sum, one) => sum + one.amount, 0),
    status,
    reason: random.pick(DEMO_REFUND_REASONS),
    time,
    restock: true,
    auditUser: isDecided ? shop.bossUserId : null,
    auditTime: isDecided ? time + 4 * MINUTE : null,
    finishTime: status === REFUND_STATE.succeeded ? time + 5 * MINUTE : null,
    auditRemark: status === REFUND_STATE.rejected ? '已核对监控，商品完好' : null,
    failReason: status === REFUND_STATE.failed ? '渠道账户余额不足' : null,
  }
  refunds.push(refund)
  return refund
}

type WorkLeft = { code: string; status: number; hoursAgo: number }

/** Creates refunds in open states: to approve, under way, failed. */
function leaveWork(past: Past, wanted: readonly WorkLeft[]): void {
  const { shops, orders, refunds, now } = past
  for (const { code, status, hoursAgo } of wanted) {
    const shop = shops.find((one) => one.code === code)!
    const time = Math.min(now - 5 * MINUTE, now - hoursAgo * 3_600_000)
    const order = orders.findLast(
      (one) =>
        one.shopId === shop.shopId &&
        one.time < time - 10 * MINUTE &&
        one.status === ORDER_STATE.finished &&
        one.transactionNo &&
        one.lines.length > 1 &&
        !refunds.some((refund) => refund.order === one),
    )
    if (order) askBack(past, order, time, status)
  }
}

/** Creates orders that were cancelled because nobody paid. */
function leaveUnpaid({ shops, customers, orders, now }: Past): void {
  for (const [at, shop] of shops.slice(0, 3).entries()) {
    const good = shop.shelves.goods[at]!
    const id = newId()
    orders.push({
      id,
      orderNo: `SO${id}`,
      shopId: shop.shopId,
      customer: customers[at],
      status: ORDER_STATE.cancelled,
      source: 'mini',
      type: 'pickup',
      flags: [],
      vipAmount: 0,
      payAmount: good.price,
      refundAmount: 0,
      payType: '',
      lines: [
        {
          id: newId(),
          good,
          quantity: 1,
          discount: 0,
          benefits: [],
          amount: good.price,
          shares: [],
          cost: 0,
          refundQuantity: 0,
          refundAmount: 0,
        },
      ],
      time: now - (at + 1) * 25 * MINUTE,
      registerId: '',
      saleNo: '',
      transactionNo: null,
      paymentId: '',
      cancelReason: '超时未支付',
      shelves: shop.shelves,
    })
  }
}
