import { parseYuanToCents, formatYuan } from '#kit/fields/money/cents.ts'
import { createHash } from 'node:crypto'
import { parseScaledDecimal, parseIdInput } from '#kit/fields/base/field-kind.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { enqueuerOfRows, rowQueue } from '#kit/server/outbox/index.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { newId } from '#kit/server/database/snowflake.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import type { RowOf } from '#kit/resource/index.ts'
import { isOwnChannel } from '#domains/money/payment-channels/api.ts'
import { ORDER_STATE, REFUND_STATE } from './dictionaries.ts'
import { refundSignaturePatch, type RefundApprover } from './refund-approval.ts'
import { planRefund, splitByPayment, type RefundSelection, type RefundLineShare } from './refund-math.ts'
import { refunds } from './refunds.resource.ts'
import { shoppingOrderDetail } from './shopping-order-detail.resource.ts'
import type { shoppingOrder } from './shopping-order.resource.ts'
import { changedTopicOf } from '#kit/resource/index.ts'
import { homeTopic } from '#domains/shops/shops/index.ts'

export type Order = RowOf<typeof shoppingOrder>
export type OrderDetailRow = RowOf<typeof shoppingOrderDetail>
export type Refund = RowOf<typeof refunds>
type RefundLine = {
  detailId: string
  goodId: string
  upc: string
  name: string
  quantity: number
  amount: string
}

export const refundQueue = rowQueue<{ refundId: string }>('refund.send')

/** Sends a refund on its way, or asks what became of it, with the commit. */
export const enqueueRefund = enqueuerOfRows(refundQueue.name, 'refundId')

export const refundLinesOf = (refund: { lines: unknown }): RefundLine[] =>
  Array.isArray(refund.lines) ? (refund.lines as RefundLine[]) : []
export const refundSharesOf = (refund: { lines: unknown }): RefundLineShare[] =>
  refundLinesOf(refund).map((line) => ({
    detailId: line.detailId,
    quantity: line.quantity,
    amount: parseYuanToCents(line.amount) ?? 0,
  }))

/**
 * Parses the lines of a request: `{detailId, quantity, amount?}`, amount in yuan. Invalid numbers become NaN;
 * `planRefund` refuses them with the product's name.
 */
export function parseRefundLines(given: unknown): RefundSelection['lines'] {
  if (given === null || given === undefined) return []
  if (!Array.isArray(given) || given.length > 500) throw new Refused('bad_parameter', { name: 'lines' })
  return given.map((one: Record<string, unknown> | null) => {
    const id = parseIdInput(one?.detailId)
    const quantity = parseScaledDecimal(one?.quantity ?? 0, 0) ?? Number.NaN
    const hasAmount = one?.amount !== undefined && one.amount !== null && one.amount !== ''
    const amount = hasAmount ? (parseYuanToCents(one.amount) ?? Number.NaN) : undefined
    if ('problem' in id || id.value === null) throw new Refused('refund_line_unknown')
    return { detailId: id.value, quantity, amount }
  })
}

/**
 * What earlier refunds of an order have taken or may still take: all but the rejected. Call it with the order locked.
 */
async function reservedOf(
  db: Db,
  orderId: string,
): Promise<{ lines: RefundLineShare[]; freight: number; amount: number }> {
  const earlier = await db.find(refunds, sql`r.order_id = ${orderId} and r.status <> ${REFUND_STATE.rejected}`)
  return {
    lines: earlier.flatMap(refundSharesOf),
    freight: earlier.reduce((sum, one) => sum + (one.freight ?? 0), 0),
    amount: earlier.reduce((sum, one) => sum + (one.amount ?? 0), 0),
  }
}

export type RefundInput = {
  lines: RefundSelection['lines']
  full?: boolean
  reason: string
  pictures?: string[] | null
  restock: boolean
  remark?: string | null
  /** Idempotency key of the dialog. */
  requestKey?: string | null
}

const digestOf = (orderId: string, ask: RefundInput) =>
  createHash('sha256')
    .update(
      JSON.stringify([
        orderId,
        ask.full === true,
        ask.restock,
        ask.reason,
        ask.lines.map((line) => [line.detailId, line.quantity, line.amount ?? null]),
      ]),
    )
    .digest('hex')

/**
 * Creates a refund of an order that the caller has locked. The signer's approval counts at once if within their limit,
 * and the money is sent if no other is needed. The order's lock makes its refunds follow each other, so that they never
 * exceed what was paid. `isPaidThere`: a platform already paid it, so nothing goes to the balance.
 */
export async function createRefund(
  db: Db,
  order: Order,
  ask: RefundInput,
  rules: { secondAbove: number; signer?: RefundApprover; isPaidThere?: boolean },
): Promise<{ refund: Refund; isNew: boolean }> {
  const digest = digestOf(order.id, ask)
  const same = await findByRequestKey(db, ask, digest)
  if (same) return { refund: same, isNew: false }
  requirePaid(order)

  const details = await db.find(shoppingOrderDetail, sql`r.order_id = ${order.id}`, sql`order by r.sort, r.id`)
  const paidLines = details.map((line) => ({
    id: line.id,
    name: line.name,
    quantity: line.quantity ?? 0,
    amount: line.amount ?? 0,
  }))
  const earlier = await reservedOf(db, order.id)
  const plan = planRefund({ payAmount: order.payAmount ?? 0, freight: order.freight ?? 0 }, paidLines, earlier, ask)

  const id = newId()
  const facts = {
    amount: plan.amount,
    auditUser: null,
    createUser: db.userId,
    // Counts all refunds of the order, so that partial ones cannot stay below the threshold.
    signaturesNeeded: earlier.amount + plan.amount > rules.secondAbove ? 2 : 1,
  }
  const signature =
    rules.signer && plan.amount <= rules.signer.limit ? refundSignaturePatch(facts, rules.signer, null) : {}
  const isApproved = signature.status === REFUND_STATE.approved

  const refund = await db.insert(refunds, {
    id,
    refundNo: `RF${id}`,
    orderId: order.id,
    shopId: order.shopId,
    wxUserId: order.wxUserId,
    status: REFUND_STATE.applied,
    signaturesNeeded: facts.signaturesNeeded,
    type: plan.amount === order.payAmount ? 'full' : 'part',
    lines: namedLines(plan.lines, details),
    freight: plan.freight,
    amount: plan.amount,
    reason: ask.reason,
    pictures: ask.pictures ?? null,
    restock: ask.restock,
    remark: ask.remark ?? null,
    requestKey: ask.requestKey ?? null,
    requestDigest: digest,
    ...signature,
  })

  await planPayments(db, order, refund, isApproved ? 'asked' : 'waiting', rules.isPaidThere)
  if (isApproved) await enqueueRefund(db, refund.id)
  publishRefund(db, refund)
  return { refund, isNew: true }
}

/** Finds the refund that an earlier, equal request created. Refuses a key reused for another request. */
async function findByRequestKey(db: Db, ask: RefundInput, digest: string): Promise<Refund | undefined> {
  if (!ask.requestKey) return undefined
  const [same] = await db.find(refunds, sql`r.request_key = ${ask.requestKey}`)
  if (same && same.requestDigest !== digest) throw new Refused('refund_key_reused')
  return same
}

function requirePaid(order: Order): void {
  if ([ORDER_STATE.paid, ORDER_STATE.finished, ORDER_STATE.partlyRefunded].includes(order.status as 1)) return
  throw order.status === ORDER_STATE.refunded
    ? new Refused('refund_over_paid', { left: '0.00' })
    : new Refused('order_not_paid')
}

/** The lines as stored in the refund, with the products' names at that time. */
function namedLines(shares: readonly RefundLineShare[], details: readonly OrderDetailRow[]): RefundLine[] {
  const byId = new Map(details.map((line) => [line.id, line]))
  return shares.map((line) => {
    const detail = byId.get(line.detailId)!
    return {
      detailId: line.detailId,
      goodId: detail.goodId ?? '',
      upc: detail.upc ?? '',
      name: detail.name ?? '',
      quantity: line.quantity,
      amount: formatYuan(line.amount),
    }
  })
}

/**
 * Writes the payments a refund will go back to, in proportion to how the order was paid; for one a platform paid, only
 * to the payments over it.
 */
async function planPayments(
  db: Db,
  order: Order,
  refund: Refund,
  state: 'waiting' | 'asked',
  isPaidExternally = false,
): Promise<void> {
  const payments = await db.query<{
    id: string
    channel: string
    transactionNo: string | null
    amount: number
    planned: number
  }>(sql`
    select p.id, p.channel, p.transaction_no, p.amount,
      coalesce((select sum(m.amount) from refund_payment m where m.tenant_id = p.tenant_id and m.order_id = p.order_id
      and m.payment_id = p.id and m.state <> 'cancelled'), 0) as planned
    from order_payment p where p.tenant_id = ${db.tenantId} and p.order_id = ${order.id} order by p.id`)
  const platformPayments = isPaidExternally ? payments.filter(({ channel }) => !isOwnChannel(channel)) : []
  const parts = splitByPayment(platformPayments.length ? platformPayments : payments, refund.amount!)
  if (parts.reduce((sum, part) => sum + part.amount, 0) !== refund.amount)
    throw new Refused('refund_over_paid', {
      left: formatYuan(parts.reduce((sum, part) => sum + part.amount, 0)),
    })
  for (const [at, part] of parts.entries()) {
    const payment = payments.find((one) => one.id === part.id)!
    await db.run(sql`insert into refund_payment (id, tenant_id, refund_id, order_id, payment_id, channel,
      transaction_no, amount, out_no, state, asked_time)
      values (${newId()}, ${db.tenantId}, ${refund.id}, ${order.id}, ${payment.id}, ${payment.channel},
      ${payment.transactionNo}, ${part.amount}, ${at ? `${refund.refundNo}-${at + 1}` : refund.refundNo}, ${state},
        ${state === 'asked' ? sql`now()` : sql`null`})`)
  }
}

/** Publishes the change of a refund, of its order and of the home page's figures to browsers. */
export function publishRefund(db: Db, refund: Refund): void {
  publishRowsChanged({ db }, refunds, [refund])
  const limits = refund.shopId ? { shop: refund.shopId } : undefined
  db.publish(changedTopicOf('shoppingOrder'), { ids: [refund.orderId] }, { permission: 'shoppingOrder', limits })
  db.publish(homeTopic, {}, { limits })
}
