import { formatYuan } from '#kit/fields/money/cents.ts'
import { storageLog } from '#domains/catalogue/inventory/index.ts'
import { parseIdInput } from '#kit/fields/base/field-kind.ts'
import { visibleFields } from '#kit/server/database/data-scope.ts'
import { readBatch, sql, type Sql } from '#kit/server/database/db.ts'
import { unitOfWorkOptionsForRead, visibleRowsSql } from '#kit/server/resource/list-of.ts'
import { presentRows, selectColumnsSql } from '#kit/server/resource/present.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { defineRoute, type Call, type ServedResource } from '#kit/server/module/module.ts'
import { translateSystemText } from '#kit/server/base/system-words.ts'
import { f, type RowOf, type LocalizedText } from '#kit/resource/index.ts'
import { deliveryInfoServer } from './deliveries.server.ts'
import type { deliveryInfo } from './delivery-info.resource.ts'
import { DELIVERY_STATE, ORDER_STATE, REFUND_STATE } from './dictionaries.ts'
import { explainPrice } from './explain-price.ts'
import { shoppingOrderDetailServer, shoppingOrderServer } from './orders.server.ts'
import { refunds } from './refunds.resource.ts'
import { refundsServer } from './refunds.server.ts'
import { refundLinesOf, refundSharesOf, type Order, type OrderDetailRow, type Refund } from './refund.ts'
import { refundedByLine } from './refund-math.ts'
import { shoppingOrder } from './shopping-order.resource.ts'

type Delivery = RowOf<typeof deliveryInfo>
type Event = { time: string; event: string; text: string; amount?: string; user?: string; refundId?: string }
type Payment = { id: string; channel: string; amount: number; transactionNo: string | null; payTime: string | null }
type Part = {
  id: string
  refundId: string
  channel: string
  amount: number
  outNo: string
  state: string
  channelRefundId: string | null
  attempts: number
  lastError: string | null
  sentTime: string | null
  doneTime: string | null
}

const served = (call: Call, name: string): ServedResource => call.services.registry.served.get(name)!

const events: Record<string, LocalizedText> = {
  paid: { zh: '顾客支付', en: 'Customer paid' },
  recorded: { zh: '订单入账', en: 'Order recorded' },
  ordered: { zh: '顾客下单', en: 'Customer ordered' },
  applied: { zh: '申请退款', en: 'Refund requested' },
  approved: { zh: '同意退款', en: 'Refund approved' },
  rejected: { zh: '拒绝退款', en: 'Refund rejected' },
  refunded: { zh: '退款成功', en: 'Refund succeeded' },
  failed: { zh: '退款失败', en: 'Refund failed' },
  signed: { zh: '同意退款，等第二人审核', en: 'Refund approved, awaiting second approval' },
  second: { zh: '第二人同意退款', en: 'Refund approved by second approver' },
  finished: { zh: '订单完成', en: 'Order completed' },
  cancelled: { zh: '订单取消', en: 'Order canceled' },
  accepted: { zh: '配送接单', en: 'Delivery accepted' },
  pickedUp: { zh: '取货出发', en: 'Delivery started' },
  delivered: { zh: '已送达', en: 'Delivered' },
  undelivered: { zh: '送不到', en: 'Delivery failed' },
}

/** Returns the events of an order, oldest first. */
function timeline(
  call: Call,
  order: Order,
  refunds: { row: Refund; wire: Record<string, unknown> }[],
  deliveries: Delivery[],
): Event[] {
  const say: Say = (event) => events[event]![call.lang]
  const out = [
    ...orderEvents(order, say),
    ...deliveries.flatMap((row) => deliveryEvents(row, say, call)),
    ...refunds.flatMap(({ row, wire }) => refundEvents(row, wire, say)),
  ]
  return out.sort((a, b) => a.time.localeCompare(b.time))
}

type Say = (event: string) => string

/**
 * Events of an order. Those within one second keep this order: customers order before they pay, registers report after
 * the payment.
 */
function orderEvents(order: Order, say: Say): Event[] {
  const isOrdered = order.source === 'mini'
  const recorded = { time: order.createTime, event: 'recorded', text: say(isOrdered ? 'ordered' : 'recorded') }
  const out: Event[] = []
  if (isOrdered) out.push(recorded)
  if (order.payTime)
    out.push({ time: order.payTime, event: 'paid', text: say('paid'), amount: formatYuan(order.payAmount ?? 0) })
  if (!isOrdered) out.push(recorded)
  if (order.status === ORDER_STATE.cancelled)
    out.push({ time: order.updateTime, event: 'cancelled', text: say('cancelled') })
  // A counter sale is finished when paid, so it gets no event of its own.
  if (order.finishTime && order.finishTime !== order.payTime)
    out.push({ time: order.finishTime, event: 'finished', text: say('finished') })
  return out
}

function deliveryEvents(row: Delivery, say: Say, { lang }: Call): Event[] {
  const user = row.riderName ?? ''
  const out: Event[] = []
  if (row.acceptTime) out.push({ time: row.acceptTime, event: 'accepted', text: say('accepted'), user })
  if (row.pickTime) out.push({ time: row.pickTime, event: 'pickedUp', text: say('pickedUp'), user })
  if (row.finishTime) out.push({ time: row.finishTime, event: 'delivered', text: say('delivered'), user })
  if (row.status === DELIVERY_STATE.failed)
    out.push({
      time: row.updateTime,
      event: 'undelivered',
      text: `${say('undelivered')}: ${translateSystemText(row.failReason ?? '', lang)}`,
    })
  return out
}

function refundEvents(row: Refund, wire: Record<string, unknown>, say: Say): Event[] {
  const about = { amount: formatYuan(row.amount ?? 0), refundId: row.id }
  const by = (name: string) => String(wire[name] ?? '')
  const applied = { event: 'applied', text: say('applied'), user: by('createUserName') }
  const out: Event[] = [{ time: row.createTime, ...applied, ...about }]
  if (row.auditTime) {
    const event = firstSignatureOf(row)
    out.push({ time: row.auditTime, event, text: say(event), user: by('auditUserName'), ...about })
  }
  if (row.secondTime) {
    const event = row.status === REFUND_STATE.rejected ? 'rejected' : 'second'
    out.push({ time: row.secondTime, event, text: say(event), user: by('secondUserName'), ...about })
  }
  if (row.finishTime) out.push({ time: row.finishTime, event: 'refunded', text: say('refunded'), ...about })
  else if (row.status === REFUND_STATE.failed)
    out.push({ time: row.updateTime, event: 'failed', text: `${say('failed')}: ${row.failReason ?? ''}`, ...about })
  return out
}

/** What the first approver decided: approved with a second one needed, rejected, or approved alone. */
function firstSignatureOf({ signaturesNeeded, secondTime, status }: Refund): 'signed' | 'rejected' | 'approved' {
  if (signaturesNeeded === 2 && (secondTime || status === REFUND_STATE.applied)) return 'signed'
  return status === REFUND_STATE.rejected ? 'rejected' : 'approved'
}

const canBeRefunded = (order: Order) =>
  [ORDER_STATE.paid, ORDER_STATE.finished, ORDER_STATE.partlyRefunded].includes(order.status as 1)

/** Everything about one order in one answer: for the order page. */
async function wholeOrder(call: Call<{ id: string }>): Promise<Record<string, unknown>> {
  const parsed = parseIdInput(call.input.id)
  if ('problem' in parsed) throw missing()
  const found = await readWhole(call, parsed.value)
  if (!found) throw missing()
  const { order, details, asked, deliveries } = found

  const wire = <R>(one: ServedResource, rows: R[]) =>
    presentRows(call, one.resource, one.hooks, rows as Record<string, unknown>[])
  const [orderWire] = await wire(shoppingOrderServer, [order])
  const refundsWire = await wire(refundsServer, asked)
  const open = asked.filter((refund) => refund.status !== REFUND_STATE.rejected)
  const linesWire = await wire(shoppingOrderDetailServer, details)
  const moves = await wire(found.ledger, found.moves)
  const words = (channel: string) =>
    call.services.labels.dict(order.tenantId, shoppingOrder.fields.payType, channel, call.lang)

  return {
    order: orderWire,
    lines: linesOnWire(found, open, linesWire, moves),
    refunds: refundsOnWire(found, refundsWire, words),
    payments: found.payments.map((one) => ({
      ...one,
      amount: formatYuan(one.amount ?? 0),
      channelName: words(one.channel),
      transactionNo: one.transactionNo ?? '',
      payTime: one.payTime ?? '',
    })),
    deliveries: await wire(deliveryInfoServer, deliveries),
    price: explainPrice(order, details).map((step) => ({
      ...step,
      amount: formatYuan(step.amount),
      lines: step.lines.map((line) => ({ ...line, amount: formatYuan(line.amount) })),
    })),
    stock: moves,
    log: timeline(
      call,
      order,
      asked.map((row, at) => ({ row, wire: refundsWire[at]! })),
      deliveries,
    ),
    refundableAmount: formatYuan(
      canBeRefunded(order) ? (order.payAmount ?? 0) - open.reduce((sum, refund) => sum + (refund.amount ?? 0), 0) : 0,
    ),
  }
}

const missing = () => new Refused('not_found', { label: shoppingOrder.label })

type OrderRows = NonNullable<Awaited<ReturnType<typeof readWhole>>>

/** The rows of an order the caller may see, in one round trip to the database; nothing where it is not theirs. */
async function readWhole(call: Call, id: string | null) {
  const read = (one: ServedResource, where: Sql, order: Sql) =>
    sql`select ${selectColumnsSql(call.services.registry, one.resource, 'detail')} ${visibleRowsSql(one, call)}
      and ${where}
      order by ${order}`
  const ledger = served(call, storageLog.name)
  const seen = sql`exists (select 1 ${visibleRowsSql(shoppingOrderServer, call)} and r.id = ${id}
    and r.tenant_id = p.tenant_id)`
  await call.services.labels.ready(call.caller.tenantId)

  const [orders, lines, refundRows, ledgerRows, deliveryRows, payments, parts] = await readBatch(
    call.services.pool,
    unitOfWorkOptionsForRead(call),
    [
      read(shoppingOrderServer, sql`r.id = ${id}`, sql`r.id`),
      read(shoppingOrderDetailServer, sql`r.order_id = ${id}`, sql`r.sort, r.id`),
      read(refundsServer, sql`r.order_id = ${id}`, sql`r.id`),
      read(
        ledger,
        sql`(r.ref_id = ${id} or r.ref_id in (select f.id from refunds f where f.order_id = ${id}
          and f.tenant_id = r.tenant_id))`,
        sql`r.id`,
      ),
      read(deliveryInfoServer, sql`r.order_id = ${id}`, sql`r.id`),
      sql`select id, channel, amount, transaction_no, pay_time from order_payment p
        where order_id = ${id} and ${seen} order by id`,
      sql`select id, refund_id, channel, amount, out_no, state, channel_refund_id, attempts,
        last_error, sent_time, done_time from refund_payment p where order_id = ${id} and ${seen} order by id`,
    ],
  )

  if (!orders![0]) return undefined
  return {
    order: (orders as Order[])[0]!,
    details: lines as OrderDetailRow[],
    asked: refundRows as Refund[],
    deliveries: deliveryRows as Delivery[],
    ledger,
    moves: ledgerRows!,
    payments: payments as Payment[],
    parts: parts as Part[],
  }
}

/** The lines with their stock batches and what is still refundable. */
function linesOnWire({ order, details }: OrderRows, open: Refund[], wires: Rows, moves: Rows) {
  const batchNames = new Map(moves.map((row) => [row.batchId, row.batchNo]))
  const taken = refundedByLine(open.flatMap(refundSharesOf))
  return wires.map((line, at) => {
    const detail = details[at]!
    const was = taken.get(detail.id)
    const allocations = (detail.allocations as { batchId: string; quantity: number; restored: number }[] | null) ?? []
    return {
      ...line,
      batches: allocations.map((one) => ({
        batchId: one.batchId,
        batchNo: batchNames.get(one.batchId) ?? '',
        quantity: one.quantity,
        restored: one.restored,
      })),
      refundableQuantity: canBeRefunded(order) ? (detail.quantity ?? 0) - (was?.quantity ?? 0) : 0,
      refundableAmount: formatYuan(canBeRefunded(order) ? (detail.amount ?? 0) - (was?.amount ?? 0) : 0),
    }
  })
}

/** The refunds with the payments they go back to. */
const refundsOnWire = ({ asked, parts }: OrderRows, wires: Rows, words: (channel: string) => string) =>
  asked.map((refund, at) => ({
    ...wires[at],
    lines: refundLinesOf(refund),
    payments: parts
      .filter((part) => part.refundId === refund.id)
      .map((part) => ({
        ...part,
        amount: formatYuan(part.amount ?? 0),
        channelName: words(part.channel),
        channelRefundId: part.channelRefundId ?? '',
        lastError: part.lastError ?? '',
        sentTime: part.sentTime ?? '',
        doneTime: part.doneTime ?? '',
      })),
  }))

type Whole = Awaited<ReturnType<typeof wholeOrder>>
type Rows = Record<string, unknown>[]

/** Removes values from which an amount hidden by the caller's data scope could be computed. */
function withoutHidden(call: Call, whole: Whole): Whole {
  const sees = (resource: ServedResource['resource'], key: string) =>
    visibleFields(resource, call.caller)?.has(key) ?? true
  const [isPriced, isRefundPriced] = [sees(shoppingOrder, 'payAmount'), sees(refunds, 'amount')]
  if (isPriced && isRefundPriced) return whole
  const without = (rows: unknown, values: object) => (rows as Rows).map((row) => ({ ...row, ...values }))
  return {
    ...whole,
    lines: without(whole.lines, { refundableAmount: '' }),
    refunds: isRefundPriced ? whole.refunds : without(whole.refunds, { lines: [], payments: [] }),
    log: without(whole.log, { amount: undefined }),
    refundableAmount: '',
    ...(!isPriced && { payments: [], price: [] }),
  }
}

export const wholeOrderRoute = defineRoute({
  method: 'GET',
  path: '/api/shop/shoppingOrder/whole',
  title: { zh: '订单全貌', en: 'Complete order details' },
  can: 'shoppingOrder',
  tx: false,
  input: { id: f.ref('shoppingOrder', { label: shoppingOrder.label, required: true }) },
  handle: async (call) => withoutHidden(call, await wholeOrder(call)),
})
