import { formatShanghaiTime } from '#kit/server/base/time.ts'
import type {
  PlatformOrderLine,
  PlatformOrder,
  PlatformRefund,
  PlatformDeliveryState,
  PlatformOrderState,
} from '#domains/sales/delivery-platforms/api.ts'
import { eleDeliveryAddress, eleOrderDiscount } from './ele-order-parts.resource.ts'
import { ELE_RETURN_STATE } from './dictionaries.ts'
import type { OrderDiscount, OrderFacts, OrderProduct, ElePartialRefund, ReverseOrder } from './ele-wire.ts'

/** The platform's order states in their order; the last two mean cancelled. */
export const ORDER_STATES: readonly number[] = [1, 5, 7, 8, 9, 10, 15]
const STATES: Readonly<Record<number, PlatformOrderState>> = {
  1: 'placed',
  5: 'confirmed',
  7: 'confirmed',
  8: 'delivering',
  9: 'done',
  10: 'cancelled',
  15: 'cancelled',
}
const ALL_AGREED = new Set([40, 60])
const ALL_REFUSED = new Set([30, 50, 70])
const PART_AGREED = 20
const PART_REFUSED = new Set([40, 50])
/** Ele's code for a delivery by the shop. */
const OWN_DELIVERY = 6
const OUT_FOR_DELIVERY = 8
const TAKEN = 7
/** States of a request in the newer flow: waiting for the shop, for the platform's decision, refunded. */
const REVERSE = { asked: 10, disputed: 30, paid: 50 }
const GOODS: Readonly<Record<number, PlatformRefund['goods']>> = {
  [ELE_RETURN_STATE.asked]: 'asked',
  [ELE_RETURN_STATE.refused]: 'refused',
  [ELE_RETURN_STATE.disputed]: 'asked',
  [ELE_RETURN_STATE.agreed]: 'agreed',
  [ELE_RETURN_STATE.sent]: 'sent',
  [ELE_RETURN_STATE.back]: 'over',
  [ELE_RETURN_STATE.missing]: 'over',
  [ELE_RETURN_STATE.closed]: 'over',
}

/** Rounds to whole cents, pieces or seconds; 0 when absent or not a number. */
const whole = (value: unknown): number => {
  const number = Number(value ?? 0)
  return Number.isFinite(number) ? Math.round(number) : 0
}
const textOf = (value: unknown, max: number): string =>
  value === undefined || value === null ? '' : String(value).slice(0, max)
const timeOf = (seconds: unknown): string | null =>
  whole(seconds) > 0 ? formatShanghaiTime(new Date(whole(seconds) * 1000)) : null
const degrees = (value: unknown): number | null => (Number(value) ? Number(value) : null)

const lineOf = (product: OrderProduct, bagIndex: number): PlatformOrderLine => ({
  code: textOf(product.baidu_product_id ?? product.custom_sku_id, 64),
  upc: textOf(product.upc, 13),
  name: textOf(product.product_name, 100),
  spec: '',
  quantity: whole(product.product_amount),
  price: whole(product.is_free_gift) ? 0 : whole(product.product_price),
  facts: { bagIndex },
})

/** The part the platform's logistics pays counts as the platform's. */
const discountOf = (one: OrderDiscount) => ({
  activityId: textOf(one.activity_id, 64),
  type: textOf(one.type, 50),
  name: textOf(one.desc || one.type, 100),
  fee: whole(one.fee),
  shopRate: whole(one.shop_rate),
  platformRate: whole(one.baidu_rate) + whole(one.logistics_rate),
  agentRate: whole(one.agent_rate),
})

const customerOf = ({ name, phone, privacy_phone, address, coord_amap }: OrderFacts['user']) => ({
  name: textOf(name, 50),
  phone: textOf(privacy_phone || phone, 32),
  address: textOf(address, 300),
  longitude: degrees(coord_amap?.longitude),
  latitude: degrees(coord_amap?.latitude),
})

const partOf = ({ refund_order_id, status, reason, products }: ElePartialRefund): PlatformRefund => ({
  refundNo: textOf(refund_order_id, 64),
  isAll: false,
  state: whole(status) === PART_AGREED ? 'agreed' : PART_REFUSED.has(whole(status)) ? 'refused' : 'asked',
  reason: textOf(reason, 200),
  lines: products.map((one) => ({
    code: textOf(one.sku_id ?? one.custom_sku_id, 64),
    upc: textOf(one.upc, 13),
    quantity: whole(one.number),
    amount: whole(one.total_refund),
  })),
})

const isOpen = (state: number) => state === REVERSE.asked || state === REVERSE.disputed || state === 0

/** A refund in the newer flow. No lines, or all of them, mean the whole order. */
function reverseOf({ products }: OrderFacts, one: ReverseOrder): PlatformRefund {
  const state = whole(one.refund_status)
  const part = partOf({ ...one, status: 0, reason: one.reason_content, products: one.products ?? [] })
  const bought = products.flat().reduce((sum, { product_amount }) => sum + whole(product_amount), 0)
  const requested = part.lines.reduce((sum, { quantity }) => sum + quantity, 0)
  const isAll = !requested || requested >= bought
  return {
    ...part,
    isAll,
    lines: isAll ? [] : part.lines,
    state: state === REVERSE.paid ? 'agreed' : isOpen(state) ? 'asked' : 'refused',
    goods: GOODS[whole(one.return_goods_status)],
  }
}

/** The latest request of the newer flow that waits for the shop, and the state of its return. */
function answerable(reverses: readonly ReverseOrder[]) {
  if (!reverses.length) return {}
  const waits = (one: ReverseOrder) => {
    const goods = whole(one.return_goods_status)
    const isWaiting =
      !goods || goods === ELE_RETURN_STATE.asked || goods === ELE_RETURN_STATE.agreed || goods === ELE_RETURN_STATE.sent
    return whole(one.refund_status) === REVERSE.asked && isWaiting
  }
  const waiting = reverses.findLast(waits)
  const last = waiting ?? reverses.at(-1)!
  return {
    refundAsked: waiting ? textOf(waiting.refund_order_id, 64) : null,
    returnState: whole(last.return_goods_status) || null,
  }
}

const deliveryStateOf = (status: number): PlatformDeliveryState => {
  if (status === OUT_FOR_DELIVERY) return 'onWay'
  return status === TAKEN ? 'taken' : STATES[status] === 'done' ? 'arrived' : 'none'
}

/** A refund of the whole order, by the order's own state. Its number is only in the message. */
function allBackOf({ ext, cancel_reason }: OrderFacts['order']): PlatformRefund[] {
  const state = whole(ext?.online_cancel_status)
  if (!state) return []
  return [
    {
      refundNo: '',
      isAll: true,
      state: ALL_AGREED.has(state) ? 'agreed' : ALL_REFUSED.has(state) ? 'refused' : 'asked',
      reason: textOf(cancel_reason, 200),
      lines: [],
    },
  ]
}

const isOwn = (order: OrderFacts['order']) => whole(order.delivery_party) === OWN_DELIVERY

/** The columns of `eleOrder`. */
const factsOf = (order: OrderFacts['order']) => ({
  status: whole(order.status),
  orderIndex: whole(order.order_index),
  isOwnDelivery: isOwn(order),
  totalFee: whole(order.total_fee),
  userFee: whole(order.user_fee),
  shopFee: whole(order.shop_fee),
  sendFee: whole(order.send_fee),
  packageFee: whole(order.package_fee),
  discountFee: whole(order.discount_fee),
  commission: whole(order.commission),
  orderTime: timeOf(order.create_time),
  confirmTime: timeOf(order.confirm_time),
  sendTime: timeOf(order.send_time),
  finishedTime: timeOf(order.finished_time),
  cancelTime: timeOf(order.cancel_time),
  customerRemark: textOf(order.remark, 500) || null,
})

/** Converts an Ele order and its refunds to the form shared by both platforms. */
export function eleToPlatformOrder(
  facts: OrderFacts,
  refunds: readonly ElePartialRefund[],
  reverses: readonly ReverseOrder[] = [],
): PlatformOrder {
  const { order, user, products, discount } = facts
  const status = whole(order.status)
  const customer = customerOf(user)
  const [userFee, sendFee, packageFee] = [order.user_fee, order.send_fee, order.package_fee].map(whole)

  const newer = reverses.map((one) => reverseOf(facts, one))
  // Both flows report the same refunds; the newer one counts.
  const older = [...refunds.map(partOf), ...allBackOf(order)].filter((one) =>
    one.isAll ? !newer.some(({ isAll }) => isAll) : !newer.some(({ refundNo }) => refundNo === one.refundNo),
  )
  const place = { province: user.province, city: user.city, district: user.district }

  return {
    orderNo: textOf(order.order_id, 64),
    state: STATES[status] ?? 'placed',
    orderTime: timeOf(order.create_time) ?? '',
    finishTime: timeOf(order.finished_time) ?? '',
    isPickup: whole(order.business_type) === 1,
    isOwnDelivery: isOwn(order),
    ride: deliveryStateOf(status),
    lines: products.flatMap((bag, at) => bag.map((product) => lineOf(product, at + 1))),
    userFee: userFee!,
    sendFee: sendFee!,
    packageFee: packageFee!,
    discounts: discount.map((one) => textOf(one.desc || one.type, 60)).filter(Boolean),
    customer,
    remark: textOf(order.remark, 500),
    cancelReason: textOf(order.cancel_reason, 200),
    refunds: [...older, ...newer],
    facts: { ...factsOf(order), ...answerable(reverses) },
    parts: [
      { resource: eleOrderDiscount, rows: discount.map(discountOf) },
      {
        resource: eleDeliveryAddress,
        rows: [
          {
            ...customer,
            ...Object.fromEntries(Object.entries(place).map(([key, value]) => [key, textOf(value, 50)])),
          },
        ],
      },
    ],
  }
}
