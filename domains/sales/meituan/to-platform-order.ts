import { wireYuanToCents } from '#kit/fields/money/cents.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import type {
  PlatformOrder,
  PlatformRefund,
  PlatformDeliveryState,
  PlatformOrderState,
} from '#domains/sales/delivery-platforms/api.ts'
import { parseUntrustedJson } from '#kit/server/base/outside-json.ts'

type Wire = Record<string, any>

const AGREED = new Set([2, 4, 5, 6])
const REFUSED = new Set([1, 3, 7, 8])
const ALL = 1
/** Delivery code: by the shop's own riders. */
const OWN = '0000'
const [TAKEN, PICKED_UP, BROUGHT, STOPPED] = [5, 20, 40, 100]
const RIDER_KNOWN = 10
const STATES: Readonly<Record<number, PlatformOrderState>> = {
  1: 'placed',
  2: 'placed',
  4: 'confirmed',
  8: 'done',
  9: 'cancelled',
}

/** Parses lists and objects that an order holds as text. Returns `otherwise` when absent or invalid. */
function inner<T>(value: unknown, otherwise: T): T {
  if (typeof value !== 'string') return (value as T | undefined) ?? otherwise
  try {
    return value ? (parseUntrustedJson(value) as T) : otherwise
  } catch {
    return otherwise
  }
}

const timeOf = (seconds: unknown): string =>
  Number(seconds) ? formatShanghaiTime(new Date(Number(seconds) * 1_000)) : ''
/** Cuts off the position that the platform's map adds to an address. */
const addressOf = (text: unknown) =>
  String(text ?? '')
    .split('@#', 1)[0]!
    .slice(0, 200)
const degrees = (value: unknown) => (Number(value) ? Number(value) : null)

function stateOf({ status, logistics_status: deliveryStatus }: Wire): PlatformOrderState {
  const state = STATES[Number(status)] ?? 'placed'
  return state === 'confirmed' && ['onWay', 'arrived'].includes(deliveryStateOf(Number(deliveryStatus)))
    ? 'delivering'
    : state
}

const deliveryStateOf = (status: number): PlatformDeliveryState => {
  if (status >= STOPPED) return 'stopped'
  if (status >= BROUGHT) return 'arrived'
  if (status >= PICKED_UP) return 'onWay'
  return status >= TAKEN ? 'taken' : 'none'
}

const refundOf = (one: Wire): PlatformRefund => {
  const result = Number(one.res_type)
  const food = inner<Wire[]>(one.wmAppRetailForOrderPartRefundList ?? one.food, [])
  return {
    refundNo: String(one.refund_id),
    isAll: Number(one.refund_type) === ALL,
    state: AGREED.has(result) ? 'agreed' : REFUSED.has(result) ? 'refused' : 'asked',
    reason: String(one.apply_reason ?? one.reason ?? '').slice(0, 200),
    lines: food.map((part) => ({
      code: String(part.app_food_code ?? part.sku_id ?? ''),
      upc: String(part.upc ?? ''),
      quantity: Number(part.count ?? 0),
      amount: wireYuanToCents(part.refund_price) * Number(part.count ?? 0),
    })),
  }
}

/** Converts a Meituan order and its refunds to the form shared by both platforms. Amounts arrive in yuan. */
export function meituanToPlatformOrder(order: Wire, refunds: readonly Wire[]): PlatformOrder {
  const extras = inner<Wire[]>(order.extras, []).filter((one) => wireYuanToCents(one.reduce_fee) > 0)
  const userFee = wireYuanToCents(order.total)
  const sendFee = wireYuanToCents(order.shipping_fee)
  // The one amount of the order that is in cents.
  const packageFee = Number(order.package_bag_money ?? 0)
  const orderTime = timeOf(order.ctime)

  const all = refunds.map(refundOf)
  const deliveryStatus = Number(order.logistics_status ?? 0)
  const rider = {
    riderName: String(order.logistics_dispatcher_name ?? ''),
    riderPhone: String(order.logistics_dispatcher_mobile ?? ''),
  }
  const phone = String(order.recipient_phone ?? '')

  return {
    orderNo: String(order.order_id),
    state: stateOf(order),
    orderTime,
    finishTime: timeOf(order.order_completed_time),
    isPickup: Number(order.pick_type) === 1,
    isOwnDelivery: String(order.logistics_code ?? '') === OWN,
    ride: deliveryStateOf(deliveryStatus),
    lines: inner<Wire[]>(order.detail, []).map((one) => ({
      code: String(one.app_food_code ?? one.app_spu_code ?? ''),
      upc: String(one.upc ?? ''),
      name: String(one.food_name ?? ''),
      spec: String(one.spec ?? ''),
      quantity: Number(one.quantity ?? 0),
      price: wireYuanToCents(one.price),
      facts: { spec: String(one.spec ?? '').slice(0, 50) || null },
    })),
    userFee,
    sendFee,
    packageFee,
    discounts: extras.map((one) => String(one.remark ?? '')).filter(Boolean),
    customer: {
      name: String(order.recipient_name ?? '').slice(0, 50),
      phone,
      address: addressOf(order.recipient_address),
      longitude: degrees(order.longitude),
      latitude: degrees(order.latitude),
    },
    ...(rider.riderName && deliveryStatus >= RIDER_KNOWN
      ? { rider: { ...rider, isPickedUp: deliveryStatus >= PICKED_UP } }
      : {}),
    remark: String(order.caution ?? '').slice(0, 500),
    cancelReason: '',
    refunds: all,
    facts: factsOf(order, extras, all),
  }
}

/** The columns of `meituanOrder`. */
function factsOf(order: Wire, extras: readonly Wire[], refunds: readonly PlatformRefund[]) {
  return {
    status: Number(order.status),
    daySeq: Number(order.day_seq ?? 0) || null,
    isOwnDelivery: String(order.logistics_code ?? '') === OWN,
    ...feesOf(order, extras),
    ...timesOf(order),
    ...peopleOf(order),
    customerRemark: String(order.caution ?? '').slice(0, 500) || null,
    refundAsked: refunds.find((one) => one.state === 'asked')?.refundNo ?? null,
    raw: order,
  }
}

/** Fees in cents. The shop's income is null until the platform has computed it. */
function feesOf(order: Wire, extras: readonly Wire[]) {
  const received = inner<Wire>(order.poi_receive_detail, {})
  return {
    totalFee: wireYuanToCents(order.original_price),
    userFee: wireYuanToCents(order.total),
    shopFee: Number(received.wmPoiReceiveCent ?? 0) || null,
    sendFee: wireYuanToCents(order.shipping_fee),
    packageFee: Number(order.package_bag_money ?? 0),
    discountFee: extras.reduce((sum, one) => sum + wireYuanToCents(one.reduce_fee), 0),
    serviceFee: Number(received.foodShareFeeChargeByPoi ?? 0),
  }
}

const timesOf = (order: Wire) => ({
  orderTime: timeOf(order.ctime),
  confirmTime: timeOf(order.order_confirm_time) || null,
  sendTime: timeOf(order.delivery_time) || null,
  finishedTime: timeOf(order.order_completed_time) || null,
  cancelTime: timeOf(order.order_cancel_time) || null,
})

const peopleOf = (order: Wire) => ({
  riderName: order.logistics_dispatcher_name || null,
  riderPhone: order.logistics_dispatcher_mobile || null,
  recipientName: String(order.recipient_name ?? '').slice(0, 50) || null,
  recipientPhone: order.recipient_phone || null,
  recipientAddress: addressOf(order.recipient_address) || null,
})
