import { sql, type Db } from '#kit/server/db.ts'
import { formatDecimal } from '#kit/fields/field-kind.ts'
import { Refused } from '#kit/server/refused.ts'
import { newId } from '#kit/server/snowflake.ts'
import { tellChanged } from '#kit/server/submit-of.ts'
import type { RowOf } from '#kit/resource/index.ts'
import { moveStock } from '#domains/goods/doors.ts'
import { changeAccount, countPurchase, lockCustomer } from '#domains/shops/doors.ts'
import { earnPoints } from '#domains/members/doors.ts'
import { ORDER, type Benefit, type OrderFlag, type PayType } from './dictionaries.ts'
import { shoppingOrderDetail } from './shopping-order-detail.resource.ts'
import { shoppingOrder } from './shopping-order.resource.ts'

/** One line of an order to be; amounts in cents. `goodId` null: sold, but unknown to the back office. */
export type OrderLine = {
  goodId: string | null
  upc: string
  name: string
  spec?: string | null
  picture?: string | null
  price: number
  listPrice?: number | null
  vipPrice?: number | null
  quantity: number
  discount: number
  amount: number
  /** Where the discount comes from, where that is known: then its parts are the whole of it. */
  benefits?: readonly Benefit[]
}

export type OrderDraft = {
  shopId: string
  wxUserId?: string | null
  source: 'register' | 'scan' | 'mini' | 'ele' | 'meituan'
  type: 'store' | 'pickup' | 'delivery'
  status?: 1 | 2
  lines: readonly OrderLine[]
  ticketAmount?: number
  vipAmount?: number
  integralAmount?: number
  freight?: number
  payAmount: number
  balanceAmount?: number
  payType: PayType
  /** Wall clock of Shanghai. */
  payTime: string
  transactionNo?: string | null
  cashRegisterId?: string | null
  saleNo?: string | null
  flags?: readonly OrderFlag[]
  remark?: string | null
}

export const newOrderNo = () => `SO${newId()}`

const say = (cents: number) => formatDecimal(cents, 2)
const refuse = (detail: string) => new Refused('order_amounts', { detail })

const benefitOf = (lines: readonly OrderLine[], ...kinds: Benefit['kind'][]) =>
  lines
    .flatMap((line) => line.benefits ?? [])
    .reduce((sum, one) => (kinds.includes(one.kind) ? sum + one.amount : sum), 0)

/** What tickets, memberships and points took off, as the lines say; refuses an order that says otherwise. */
function explained(draft: Pick<OrderDraft, 'lines' | 'ticketAmount' | 'vipAmount' | 'integralAmount'>) {
  const { lines } = draft
  for (const { name, discount, benefits = [] } of lines) {
    const known = benefits.reduce((sum, one) => sum + one.amount, 0)
    if (benefits.some((one) => one.amount < 0) || (benefits.length && known !== discount))
      throw refuse(`${name}: ${say(known)} ≠ ${say(discount)}`)
  }
  const parts = {
    ticketAmount: benefitOf(lines, 'ticket'),
    vipAmount: benefitOf(lines, 'vipPrice', 'vipDay'),
    integralAmount: benefitOf(lines, 'points'),
  }
  const isKnown = lines.some((line) => line.benefits?.length)
  for (const key of Object.keys(parts) as (keyof typeof parts)[]) {
    const given = draft[key] ?? parts[key]
    if (isKnown && given !== parts[key]) throw refuse(`${key}: ${say(given)} ≠ ${say(parts[key])}`)
    parts[key] = given
  }
  return parts
}

/** payAmount = goods − discounts + freight = sum of line amounts + freight, to the cent; refuses naming what does not add up. */
export function amountsOf(
  draft: Pick<
    OrderDraft,
    'lines' | 'ticketAmount' | 'vipAmount' | 'integralAmount' | 'freight' | 'payAmount' | 'balanceAmount' | 'payType'
  >,
) {
  const { lines, freight = 0, payAmount } = draft
  const { ticketAmount, vipAmount, integralAmount } = explained(draft)
  for (const line of lines) {
    if (line.price * line.quantity - line.discount !== line.amount)
      throw refuse(`${line.name}: ${say(line.price)} × ${line.quantity} − ${say(line.discount)} ≠ ${say(line.amount)}`)
    if (line.amount < 0) throw refuse(`${line.name}: ${say(line.amount)}`)
  }
  const goodsAmount = lines.reduce((sum, line) => sum + line.price * line.quantity, 0)
  const lineDiscounts = lines.reduce((sum, line) => sum + line.discount, 0)
  // Tickets, member prices and points are borne by the lines too; what remains is the ordinary discount.
  const discountAmount = lineDiscounts - ticketAmount - vipAmount - integralAmount
  if (discountAmount < 0) throw refuse(`${say(ticketAmount + vipAmount + integralAmount)} > ${say(lineDiscounts)}`)
  const due = goodsAmount - lineDiscounts + freight
  if (due !== payAmount) throw refuse(`${say(due)} ≠ ${say(payAmount)}`)
  const balanceAmount = draft.payType === 'balance' ? payAmount : (draft.balanceAmount ?? 0)
  if (balanceAmount > payAmount) throw refuse(`${say(balanceAmount)} > ${say(payAmount)}`)
  return { goodsAmount, discountAmount, ticketAmount, vipAmount, integralAmount, freight, payAmount, balanceAmount }
}

const summaryOf = (lines: readonly OrderLine[]) => {
  const text = lines.map((line) => `${line.name} ×${line.quantity}`).join('、')
  return [...text].length > 200 ? `${[...text].slice(0, 199).join('')}…` : text
}

/**
 * Takes a paid order: the order, its lines, its payments, the stock and the customer's accounts stand or fall together. What the
 * order says has happened is recorded; only amounts that do not add up and a balance that does not suffice are refused.
 */
export async function placeOrder(db: Db, draft: OrderDraft): Promise<RowOf<typeof shoppingOrder>> {
  const amounts = amountsOf(draft)
  const orderId = newId()
  const known = draft.lines.flatMap((line, at) =>
    line.goodId ? [{ at, goodId: line.goodId, change: -line.quantity }] : [],
  )
  const moved = await moveStock(db, known, { type: 'sale', refType: 'order', refId: orderId })
  // From here on nobody merges the customer's account away: the order stands under the account that is his today.
  const wxUserId = draft.wxUserId ? (await lockCustomer(db, draft.wxUserId)).id : null
  const byLine = new Map(known.map((line, at) => [line.at, moved[at]!]))
  // Known only now, with the goods locked: others may have sold the same goods meanwhile.
  const flags = [...(draft.flags ?? []), ...(moved.some((one) => one.after < 0) ? ['shortStock' as const] : [])]
  const order = await db.insert(shoppingOrder, {
    id: orderId,
    orderNo: newOrderNo(),
    shopId: draft.shopId,
    wxUserId,
    status: draft.status ?? ORDER.finished,
    source: draft.source,
    type: draft.type,
    flags,
    quantity: draft.lines.reduce((sum, line) => sum + line.quantity, 0),
    summary: summaryOf(draft.lines),
    ...amounts,
    refundAmount: 0,
    costAmount: moved.reduce((sum, one) => sum + one.cost, 0),
    payType: draft.payType,
    payTime: draft.payTime,
    transactionNo: draft.transactionNo ?? null,
    cashRegisterId: draft.cashRegisterId ?? null,
    saleNo: draft.saleNo ?? null,
    finishTime: (draft.status ?? ORDER.finished) === ORDER.finished ? draft.payTime : null,
    remark: draft.remark ?? null,
  })
  for (const [at, line] of draft.lines.entries()) {
    const stock = byLine.get(at)
    await db.insert(shoppingOrderDetail, {
      orderId,
      shopId: draft.shopId,
      goodId: line.goodId,
      upc: line.upc,
      name: line.name,
      picture: line.picture ?? null,
      spec: line.spec ?? null,
      price: line.price,
      listPrice: line.listPrice ?? null,
      vipPrice: line.vipPrice ?? null,
      quantity: line.quantity,
      discount: line.discount,
      amount: line.amount,
      costAmount: stock?.cost ?? 0,
      refundQuantity: 0,
      refundAmount: 0,
      batchIds: (stock?.batches ?? []).map((share) => share.batchId),
      allocations: (stock?.batches ?? []).map((share) => ({ ...share, restored: 0 })),
      benefits: line.benefits ?? [],
      sort: at + 1,
    })
  }
  await takePayments(db, order, draft)
  tellChanged({ db }, shoppingOrder, [order])
  db.tell('home.changed', {}, { limits: { shop: draft.shopId } })
  return order
}

async function takePayments(db: Db, order: RowOf<typeof shoppingOrder>, draft: OrderDraft): Promise<void> {
  const balance = order.balanceAmount ?? 0
  const parts = [
    { channel: 'balance', amount: balance },
    { channel: draft.payType, amount: order.payAmount! - balance },
  ].filter((part) => part.amount > 0)
  for (const { channel, amount } of parts) {
    await db.run(sql`insert into order_payment (id, tenant_id, order_id, shop_id, channel, amount, transaction_no, pay_time)
      values (${newId()}, ${db.tenantId}, ${order.id}, ${draft.shopId}, ${channel}, ${amount}, ${channel === 'balance' ? null : (draft.transactionNo ?? null)}, ${draft.payTime})`)
  }
  const { wxUserId } = order
  if (!wxUserId) {
    if (balance > 0) throw new Refused('not_found', { label: { zh: '顾客', en: 'Customer' } })
    return
  }
  if (balance > 0)
    await changeAccount(db, 'balance', {
      wxUserId,
      change: -balance,
      type: 'consume',
      refType: 'order',
      refId: order.id,
      shopId: draft.shopId,
    })
  await countPurchase(db, {
    wxUserId,
    shopId: draft.shopId,
    spent: order.payAmount!,
    orders: 1,
    time: draft.payTime,
  })
  await earnPoints(db, {
    id: order.id,
    shopId: draft.shopId,
    wxUserId,
    payAmount: order.payAmount!,
    freight: order.freight,
    payTime: draft.payTime,
  })
}
