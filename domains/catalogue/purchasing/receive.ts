import { sql, type Db } from '#kit/server/database/db.ts'
import { isCalendarDay } from '#kit/fields/date/days.ts'
import { parseScaledDecimal, parseIdInput, type FieldProblemCode } from '#kit/fields/base/field-kind.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { invalidFieldRefusal, type Call } from '#kit/server/module/module.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import type { RowOf } from '#kit/resource/index.ts'
import { requireTransition } from '#kit/server/resource/transition.ts'
import { receiveGoods } from '#domains/catalogue/inventory/api.ts'
import { supplierOrderDetail } from './supplier-order-detail.resource.ts'
import { supplierOrder } from './supplier-order.resource.ts'

/** A received line. `was` is the quantity the sender saw as received before, so that a repeated delivery is refused. */
type Arrival = {
  detailId: string
  quantity: number
  was: number
  productionDate: string | null
  expiryDate: string | null
  batchNo?: string | null
  remark?: string | null
}

const input = { fields: { lines: supplierOrder.actions.receive.input.lines } }
const wrong = (code: FieldProblemCode) => invalidFieldRefusal(input, 'lines', code)
const wholeNumber = (value: unknown): number => {
  const number = parseScaledDecimal(value, 0)
  if (number === undefined || number < 0 || number > 1_000_000) throw wrong('bad_format')
  return number
}
const dateOf = (value: unknown): string | null => {
  if (value === undefined || value === null || value === '') return null
  if (typeof value !== 'string' || !isCalendarDay(value)) throw wrong('bad_format')
  return value
}

/** Parses `[{ detailId, quantity, was, productionDate?, expiryDate? }]`; refuses anything else, naming the field. */
export function parseArrivals(given: unknown): Arrival[] {
  if (given === null || given === undefined) return []
  if (!Array.isArray(given) || given.length > 1000) throw wrong('bad_format')
  return given.map((one: unknown) => {
    if (typeof one !== 'object' || one === null || Array.isArray(one)) throw wrong('bad_format')
    const { detailId, quantity, was, productionDate, expiryDate } = one as Record<string, unknown>
    const id = parseIdInput(detailId)
    if ('problem' in id || id.value === null) throw wrong('bad_format')
    return {
      detailId: id.value,
      quantity: wholeNumber(quantity),
      was: wholeNumber(was ?? 0),
      productionDate: dateOf(productionDate),
      expiryDate: dateOf(expiryDate),
    }
  })
}

type Line = RowOf<typeof supplierOrderDetail>

/**
 * Receives a delivery of a locked order. Each line becomes a stock batch at its cost; the order is complete when
 * nothing is due or `isLast`. Refuses more than is due, and a delivery already received by somebody else.
 */
export async function receiveDelivery(
  call: Call,
  order: RowOf<typeof supplierOrder>,
  move: 'receive' | 'receiveScanned',
  { arrivals, isLast }: { arrivals: readonly Arrival[]; isLast: boolean },
): Promise<RowOf<typeof supplierOrder>> {
  const { db } = call
  const now = formatShanghaiTime(call.services.now())
  const came = await matched(db, order.id, arrivals, now)
  if (!came.length && !isLast) throw new Refused('nothing_received')
  if (!came.length && !order.receivedQuantity) throw new Refused('not_all_received')

  if (came.length)
    await receiveGoods(db, {
      shopId: order.shopId,
      refType: 'supplierOrder',
      refId: order.id,
      lines: came.map(({ line, arrival }) => ({
        goodId: line.goodId!,
        quantity: arrival.quantity,
        costPrice: line.price,
        productionDate: arrival.productionDate,
        expiryDate: arrival.expiryDate,
        batchNo: arrival.batchNo,
        remark: arrival.remark,
        supplierId: order.supplierId,
        supplierOrderId: order.id,
      })),
    })
  for (const { line, arrival } of came)
    await db.update(supplierOrderDetail, line.id, {
      receivedQuantity: (line.receivedQuantity ?? 0) + arrival.quantity,
      receivedAmount: (line.receivedAmount ?? 0) + arrival.quantity * line.price!,
    })

  const receivedQuantity = (order.receivedQuantity ?? 0) + came.reduce((sum, { arrival }) => sum + arrival.quantity, 0)
  const receivedAmount =
    (order.receivedAmount ?? 0) + came.reduce((sum, { line, arrival }) => sum + arrival.quantity * line.price!, 0)
  const isWhole = receivedQuantity === order.quantity
  const isDone = isWhole || isLast
  const patch = {
    receivedQuantity,
    receivedAmount,
    isShort: isDone && !isWhole,
    ...(order.shipTime ? {} : { shipTime: now }),
    ...(isDone ? { receiveTime: now, dueDate: await dueDateOf(db, order.supplierId, now) } : {}),
  }
  return requireTransition(call, supplierOrder, order.id, move, patch, { to: isDone ? 'received' : 'shipped' })
}

/**
 * Matches received lines to order lines and drops those of 0 pieces. Refuses unknown and duplicate lines, an outdated
 * `was`, more than is due, and expired goods.
 */
async function matched(
  db: Db,
  orderId: string,
  arrivals: readonly Arrival[],
  now: string,
): Promise<{ line: Line; arrival: Arrival }[]> {
  const lines = new Map(
    (await db.find(supplierOrderDetail, sql`order_id = ${orderId}`, sql`order by sort`)).map((line) => [line.id, line]),
  )
  const came: { line: Line; arrival: Arrival }[] = []
  for (const arrival of arrivals) {
    const line = lines.get(arrival.detailId)
    if (!line) throw new Refused('not_found', { label: supplierOrderDetail.label })
    if (came.some((one) => one.line === line)) throw new Refused('order_line_twice', { name: line.name })
    const { name, quantity: ordered, receivedQuantity } = line
    const received = receivedQuantity ?? 0
    if (arrival.was !== received) throw new Refused('received_meanwhile', { name, received })
    if (arrival.quantity > ordered! - received)
      throw new Refused('received_too_many', { name, open: ordered! - received, quantity: arrival.quantity })
    if (arrival.quantity && arrival.expiryDate && arrival.expiryDate < now.slice(0, 10))
      throw new Refused('received_expired', { name, date: arrival.expiryDate })
    if (arrival.expiryDate && arrival.productionDate && arrival.expiryDate < arrival.productionDate)
      throw wrong('bad_format')
    if (arrival.quantity) came.push({ line, arrival })
  }
  return came
}

async function dueDateOf(db: Db, supplierId: string, now: string): Promise<string> {
  const row = await db.one<{ due: string }>(
    sql`select (${now.slice(0, 10)}::date + coalesce(settlement_days, 0))::text as due from supplier_info
      where tenant_id = ${db.tenantId} and id = ${supplierId}`,
  )
  return row!.due
}
