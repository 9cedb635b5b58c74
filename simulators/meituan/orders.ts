import { jsonOf, need, poiOf, refuse, type Order, type OrderLine, type Params, type World } from './world.ts'

const STATUS = { pushed: 2, confirmed: 4, completed: 8, cancelled: 9 } as const
const RES = { waiting: 0, refused: 1, agreed: 2, service: 4 } as const

const yuanOf = (cents: number): string => (cents / 100).toFixed(2)
const goodsOf = ({ lines }: Order) => lines.reduce((sum, one) => sum + one.price * one.quantity, 0)
const reducedOf = ({ reductions }: Order) => reductions.reduce((sum, one) => sum + one.byPlatform + one.byShop, 0)
const originalOf = (order: Order) => goodsOf(order) + order.boxFee + order.shippingFee
const totalOf = (order: Order): number => originalOf(order) - reducedOf(order)
const seconds = (ms: number | undefined) => (ms ? Math.floor(ms / 1000) : 0)
/** What the shop gets of an order. The delivery fee goes to whoever delivers. */
const shopPartOf = (order: Order) =>
  goodsOf(order) +
  (order.isOwnDelivery ? order.shippingFee : 0) +
  order.boxFee -
  order.reductions.reduce((sum, one) => sum + one.byShop, 0) -
  order.serviceFee

const lineWire = (one: OrderLine) => ({
  app_food_code: one.code,
  food_name: one.name,
  sku_id: one.code,
  upc: one.upc,
  quantity: one.quantity,
  price: one.price / 100,
  original_price: one.price / 100,
  unit: '份',
  spec: '',
})

const reductionWire = ({ remark, byPlatform, byShop }: Order['reductions'][number], at: number) => ({
  act_detail_id: 8_800 + at,
  reduce_fee: (byPlatform + byShop) / 100,
  mt_charge: byPlatform / 100,
  poi_charge: byShop / 100,
  remark,
  type: 2,
})

function wireOf(order: Order, world: World): Record<string, unknown> {
  return {
    // These become numbers without quotes in `server`, as the platform sends them.
    order_id: order.orderNo,
    wm_order_id_view: order.orderNo,
    app_poi_code: order.shopCode,
    wm_poi_name: world.pois.get(order.shopCode)?.facts.name ?? '',
    recipient_name: order.customer.name,
    recipient_address: `${order.customer.address}@#浙江省杭州市西湖区`,
    recipient_phone: order.customer.phone,
    shipping_fee: order.shippingFee / 100,
    total: totalOf(order) / 100,
    original_price: originalOf(order) / 100,
    caution: order.caution,
    status: order.status,
    ctime: seconds(order.createdAt),
    utime: seconds(world.now()),
    delivery_time: 0,
    pay_type: 2,
    pick_type: 0,
    logistics_code: order.isOwnDelivery ? '0000' : '1001',
    day_seq: order.daySeq,
    package_bag_money: order.boxFee,
    order_confirm_time: seconds(order.times.confirmed),
    order_completed_time: seconds(order.times.completed),
    order_cancel_time: seconds(order.times.cancelled),
    logistics_status: order.rider?.status ?? 0,
    logistics_dispatcher_name: order.rider?.name ?? '',
    logistics_dispatcher_mobile: order.rider?.phone ?? '',
    incmp_code: 0,
    detail: JSON.stringify(order.lines.map(lineWire)),
    extras: JSON.stringify(order.reductions.map(reductionWire)),
    poi_receive_detail: JSON.stringify({
      onlinePayment: totalOf(order),
      wmPoiReceiveCent: shopPartOf(order),
      foodShareFeeChargeByPoi: order.serviceFee,
      logisticsFee: order.shippingFee,
    }),
  }
}

export function pushMeituanOrder(world: World, event: string, order: Order, more: Record<string, string> = {}): void {
  const params = Object.entries(wireOf(order, world)).map(([key, value]) => [key, String(value)])
  world.tell(event, order.shopCode, { ...(Object.fromEntries(params) as Record<string, string>), ...more })
}

export type NewOrder = {
  shopCode: string
  lines: readonly { code: string; quantity: number; upc?: string; name?: string; price?: number }[]
  shippingFee?: number
  boxFee?: number
  reductions?: Order['reductions']
  caution?: string
  orderNo?: string
  serviceFee?: number
  isOwnDelivery?: boolean
}

/** Order numbers, unique and too long for a JavaScript number. */
let serial = 9_100_000_000_000_000_000n

/** Places an order and takes the products from the shop's stock. */
export function placeMeituanOrder(world: World, draft: NewOrder): Order {
  const shelves = world.goods.get(draft.shopCode)
  const lines = draft.lines.map(({ code, quantity, upc, name, price }): OrderLine => {
    const good = shelves?.get(code)
    if (good) good.stock = Math.max(0, good.stock - quantity)
    return {
      code,
      quantity,
      upc: upc ?? String(good?.facts.standard_upc ?? ''),
      name: name ?? String(good?.facts.name ?? code),
      price: price ?? Math.round(Number(good?.price ?? 1) * 100),
    }
  })
  const goods = lines.reduce((sum, one) => sum + one.price * one.quantity, 0)
  const order: Order = {
    orderNo: draft.orderNo ?? String(++serial),
    shopCode: draft.shopCode,
    daySeq: [...world.orders.values()].filter((one) => one.shopCode === draft.shopCode).length + 1,
    status: STATUS.pushed,
    createdAt: world.now(),
    lines,
    shippingFee: draft.shippingFee ?? 500,
    boxFee: draft.boxFee ?? 0,
    reductions: draft.reductions ?? [],
    serviceFee: draft.serviceFee ?? Math.round(goods * 0.06),
    caution: draft.caution ?? '',
    customer: { name: '王先生', phone: '13812345678_123456', address: '文二西路 238 号 3 幢 502' },
    refunds: [],
    cancelReason: '',
    isOwnDelivery: draft.isOwnDelivery ?? false,
    times: {},
    isReceived: false,
  }
  world.orders.set(order.orderNo, order)
  pushMeituanOrder(world, 'orderPaid', order)
  return order
}

export function cancelMeituanOrder(world: World, orderNo: string, reason: string, reasonCode = '1101', by = '1'): void {
  const order = world.orders.get(orderNo)!
  order.status = STATUS.cancelled
  order.cancelReason = reason
  order.times.cancelled = world.now()
  const more = { order_id: orderNo, app_poi_code: order.shopCode, reason_code: reasonCode, reason, deal_op_type: by }
  world.tell('orderCancelled', order.shopCode, more)
}

export function completeMeituanOrder(world: World, orderNo: string): void {
  const order = world.orders.get(orderNo)!
  order.status = STATUS.completed
  order.times.completed = world.now()
  pushMeituanOrder(world, 'orderCompleted', order)
}

export function setMeituanRiderStatus(world: World, orderNo: string, status: number): void {
  const order = world.orders.get(orderNo)!
  order.rider = { name: '陈师傅', phone: '13957112233', status }
  pushRider(world, order)
}

const pushRider = (world: World, { orderNo, shopCode, rider }: Order): void =>
  world.tell('orderLogistics', shopCode, {
    order_id: orderNo,
    app_poi_code: shopCode,
    logistics_status: String(rider!.status),
    time: String(seconds(world.now())),
    dispatcher_name: rider!.name,
    dispatcher_mobile: rider!.phone,
  })

/** Returns the part of a price the customer paid: discounts are shared in proportion. */
const paidFor = (order: Order, price: number) => {
  const goods = goodsOf(order)
  return goods ? Math.floor((price * Math.max(0, goods - reducedOf(order))) / goods) : price
}

/** A customer asks for a refund of the whole order or of these pieces. */
export function requestMeituanRefund(
  world: World,
  orderNo: string,
  food: readonly { code: string; count: number }[] | undefined,
  reason: string,
): string {
  const order = world.orders.get(orderNo)!
  const parts = (food ?? order.lines.map((one) => ({ code: one.code, count: one.quantity }))).map(({ code, count }) => {
    const refundPrice = paidFor(order, order.lines.find((one) => one.code === code)!.price)
    return { code, count, refundPrice }
  })
  const money = food ? parts.reduce((sum, one) => sum + one.count * one.refundPrice, 0) : totalOf(order)
  const refundNo = `${orderNo.slice(-8)}${order.refunds.length + 1}`
  order.refunds.push({ refundNo, isPart: !!food, food: parts, money, resType: RES.waiting, reason })
  pushRefund(world, order, food ? 'part' : 'apply')
  return refundNo
}

function pushRefund(world: World, order: Order, notifyType: string): void {
  const refund = order.refunds.at(-1)!
  world.tell(refund.isPart ? 'orderPartRefund' : 'orderRefund', order.shopCode, {
    order_id: order.orderNo,
    app_poi_code: order.shopCode,
    refund_id: refund.refundNo,
    notify_type: notifyType,
    res_type: String(refund.resType),
    reason: refund.reason,
  })
}

/** Decides a refund request for the shop, as customer service or a timeout does. */
export function decideMeituanRefund(world: World, orderNo: string, isAgreed: boolean, resType = RES.service as number) {
  const order = world.orders.get(orderNo)!
  const refund = order.refunds.findLast((one) => one.resType === RES.waiting)
  if (!refund) return refuse(808, orderNo)
  refund.resType = isAgreed ? resType : RES.refused
  pushRefund(world, order, isAgreed ? 'agree' : 'reject')
  if (isAgreed && !refund.isPart) cancelMeituanOrder(world, orderNo, refund.reason, '1103', '3')
  return 'ok'
}

const orderOf = (world: World, appNo: string, params: Params): Order => {
  const order = world.orders.get(params.order_id || params.wm_order_id_view || need(params, 'order_id'))
  if (!order) return refuse(806, params.order_id)
  poiOf(world, appNo, order.shopCode)
  return order
}

const ofOrder =
  (act: (world: World, order: Order, params: Params) => unknown) => (world: World, appNo: string, params: Params) =>
    act(world, orderOf(world, appNo, params), params)

const dayOf = (ms: number) => new Date(ms + 8 * 3_600_000).toISOString().slice(0, 10).replaceAll('-', '')

const refundWire = (order: Order) =>
  order.refunds.map((one) => ({
    wm_order_id_view: order.orderNo,
    refund_id: one.refundNo,
    refund_type: one.isPart ? 2 : 1,
    res_type: one.resType,
    apply_reason: one.reason,
    money: yuanOf(one.money),
    wmAppRetailForOrderPartRefundList: one.food.map(({ code, count, refundPrice }) => ({
      app_food_code: code,
      sku_id: code,
      count,
      refund_price: refundPrice / 100,
    })),
  }))

function refundPart(world: World, order: Order, params: Params): string {
  if (order.status === STATUS.cancelled) refuse(808, order.orderNo)
  const food = jsonOf<{ app_food_code: string; count: number }[]>(params, 'food_data')
  for (const one of food) {
    const line = order.lines.find((known) => known.code === one.app_food_code)
    const gone = order.refunds
      .filter((refund) => refund.resType !== RES.refused)
      .flatMap((refund) => refund.food)
      .reduce((sum, part) => (part.code === one.app_food_code ? sum + part.count : sum), 0)
    if (!line || gone + one.count > line.quantity) refuse(705, 'food_data')
  }
  const parts = food.map(({ app_food_code, count }) => ({ code: app_food_code, count }))
  requestMeituanRefund(world, order.orderNo, parts, need(params, 'reason'))
  return decideMeituanRefund(world, order.orderNo, true, RES.agreed)
}

const RIDER_STATUS = { onWay: 20, arrived: 40 } as const

function requireOwn(order: Order): void {
  if (!order.isOwnDelivery) refuse(1006, order.orderNo)
}

/** Records the rider and status the shop reports and sends the callback. */
function reportRider(world: World, order: Order, status: number, params: Params): void {
  const { courier_name: name = '', courier_phone: phone = '' } = params
  order.rider = { name: name || order.rider?.name || '', phone: phone || order.rider?.phone || '', status }
  pushRider(world, order)
}

/** A step of a shop's own delivery: left, then arrived, each once. */
const ownDeliveryStep = (status: number) => (world: World, order: Order, params: Params) => {
  requireOwn(order)
  const was = order.rider?.status ?? 0
  const isNext =
    status === RIDER_STATUS.arrived
      ? was === RIDER_STATUS.onWay
      : was < RIDER_STATUS.onWay || was > RIDER_STATUS.arrived
  if (order.status !== STATUS.confirmed || !isNext) refuse(808, order.orderNo)
  reportRider(world, order, status, params)
  return 'ok'
}

type Call = (world: World, appNo: string, params: Params) => unknown
export const orderCalls: Readonly<Record<string, Call>> = {
  'order/poi_received': ofOrder((_world, order) => {
    order.isReceived = true
    return 'ok'
  }),
  'order/confirm': ofOrder((world, order) => {
    if (order.status !== STATUS.pushed) refuse(808, order.orderNo)
    order.status = STATUS.confirmed
    order.times.confirmed = world.now()
    pushMeituanOrder(world, 'orderConfirmed', order)
    return 'ok'
  }),
  'order/cancel': ofOrder((world, order, params) => {
    if (order.status >= STATUS.completed) refuse(808, order.orderNo)
    cancelMeituanOrder(world, order.orderNo, need(params, 'reason'), need(params, 'reason_code'), '6')
    return 'ok'
  }),
  'order/preparationMealComplete': ofOrder((_world, order) => {
    if (order.status !== STATUS.confirmed) refuse(808, order.orderNo)
    order.isPacked = true
    return 'ok'
  }),
  'order/delivering': ofOrder(ownDeliveryStep(RIDER_STATUS.onWay)),
  'order/arrived': ofOrder(ownDeliveryStep(RIDER_STATUS.arrived)),
  'ecommerce/order/logistics/sync': ofOrder((world, order, params) => {
    need(params, 'third_carrier_order_id')
    need(params, 'logistics_provider_code')
    const status = Number(need(params, 'logistics_status'))
    requireOwn(order)
    const was = order.rider?.status ?? 0
    if (order.status !== STATUS.confirmed || (was === RIDER_STATUS.arrived && status !== was))
      refuse(808, order.orderNo)
    reportRider(world, order, status, params)
    return 'ok'
  }),
  'order/getOrderDetail': ofOrder((world, order) => wireOf(order, world)),
  'order/viewstatus': ofOrder((_world, order) => ({ order_id: order.orderNo, status: order.status })),
  'order/refund/agree': ofOrder((world, order) => decideMeituanRefund(world, order.orderNo, true, RES.agreed)),
  'order/refund/reject': ofOrder((world, order) => decideMeituanRefund(world, order.orderNo, false)),
  'order/applyPartRefund': ofOrder(refundPart),
  'ecommerce/order/getOrderRefundDetail': ofOrder((_world, order) => refundWire(order)),
  'order/getOrderDaySeq': (world, appNo, params) => {
    const { code } = poiOf(world, appNo, need(params, 'app_poi_code'))
    return { day_seq: [...world.orders.values()].filter((one) => one.shopCode === code).length }
  },
  'order/getOrderIdByDaySeq': (world, appNo, params) => {
    const { code } = poiOf(world, appNo, need(params, 'app_poi_code'))
    const found = [...world.orders.values()].find(
      (one) =>
        one.shopCode === code &&
        one.daySeq === Number(need(params, 'day_seq')) &&
        dayOf(one.createdAt) === need(params, 'date_time'),
    )
    return { order_id: found?.orderNo ?? refuse(806, params.day_seq) }
  },
  'order/batchPullPhoneNumber': (world, appNo, params) => {
    const { code } = poiOf(world, appNo, need(params, 'app_poi_code'))
    return [...world.orders.values()]
      .filter((one) => one.shopCode === code)
      .map((one) => ({
        order_id: one.orderNo,
        app_poi_code: code,
        wm_order_id_view: one.orderNo,
        day_seq: one.daySeq,
        real_phone_number: one.customer.phone.split('_')[0],
      }))
  },
}
