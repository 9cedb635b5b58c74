import {
  ERRNO,
  refuse,
  secondsOf,
  shopOf,
  type Body,
  type EleWorld,
  type SimOrder,
  type SimShop,
  type SimSku,
} from './world.ts'

export const STATUS = { placed: 1, confirmed: 5, toShop: 7, onWay: 8, done: 9, cancelled: 10 } as const
/** States of a refund request. */
const REFUND = { asked: 10, refused: 50, agreed: 60 } as const
const PART = { asked: 10, done: 20, refused: 50 } as const
const USER = 1
const AFTER = 2
const CANCEL_NO_ANSWER = '商户超时未接单'
const PAGE = 20
const OWN_DELIVERY = 6
const SEND_FEE = 500
const COMMISSION_PERCENT = 6

/** An order as the customer places it. */
export type Basket = {
  baidu_shop_id: string
  lines: { custom_sku_id: string; quantity: number; isGift?: boolean }[]
  /** Discount borne by the shop, in cents. */
  shopDiscount?: number
  /** Discount borne by the platform, in cents. */
  platformDiscount?: number
  packageFee?: number
  remark?: string
  isFetched?: boolean
  /** The shop delivers the order itself and reports the progress. */
  isOwnDelivery?: boolean
  /** The platform sends the order with fields missing, until `mend`. */
  isDegraded?: boolean
}

type Command = (world: EleWorld, source: string, body: Body) => unknown

function orderOf(world: EleWorld, source: string, body: Body): SimOrder {
  const order = world.orders.get(String(body.order_id))
  if (!order || order.shop.source !== source) return refuse('订单不存在', ERRNO.unknownOrder)
  return order
}

const statusOf = ({ facts }: SimOrder): number => facts.order.status as number

/** Moves an order to a status, sends the message, and schedules the rider's next step. */
function moveSimOrder(world: EleWorld, order: SimOrder, status: number, reason = ''): void {
  order.facts.order.status = status
  const stamp = {
    [STATUS.confirmed]: 'confirm_time',
    [STATUS.done]: 'finished_time',
    [STATUS.cancelled]: 'cancel_time',
  }
  const key = stamp[status as keyof typeof stamp]
  if (key) order.facts.order[key] = secondsOf(world)
  if (reason) order.facts.order.cancel_reason = reason
  if (status === STATUS.cancelled) restock(order)
  world.tell(order.shop.source, 'order.status.push', {
    order_id: order.order_id,
    platform_shop_id: order.shop.baidu_shop_id,
    status,
    reason,
  })
  scheduleNextStep(world, order, status)
}

const isOwn = ({ facts }: SimOrder): boolean => facts.order.delivery_party === OWN_DELIVERY

/** Schedules the next step of the platform's rider; none when the shop delivers itself. */
function scheduleNextStep(world: EleWorld, order: SimOrder, status: number): void {
  const next = { [STATUS.confirmed]: STATUS.toShop, [STATUS.toShop]: STATUS.onWay, [STATUS.onWay]: STATUS.done }
  const then = next[status as keyof typeof next]
  if (!then || isOwn(order)) return
  world.clock.after(world.stepMs, () => {
    if (statusOf(order) !== status) return
    moveSimOrder(world, order, then)
    if (then === STATUS.toShop)
      world.tell(order.shop.source, 'order.deliveryStatus.push', {
        order_id: order.order_id,
        status: 7,
        name: '陈师傅',
        phone: '13957112233',
      })
  })
}

/** Writes the state of the latest full and the latest partial refund into the order's fields. */
function noteRefund({ facts, refunds }: SimOrder): void {
  const last = (isPart: boolean) => [...refunds.values()].findLast((one) => !!one.parts === isPart)?.state ?? 0
  facts.order.ext = { online_cancel_status: last(false), part_refund_status: last(true) }
}

function putBack({ shop, lines }: SimOrder, parts: readonly { custom_sku_id: string; number: number }[]): void {
  for (const { custom_sku_id, number } of parts) {
    const line = lines.find((one) => one.custom_sku_id === custom_sku_id)
    const sku = shop.skus.get(custom_sku_id)
    if (line) line.quantity -= number
    if (sku) sku.left_num += number
  }
}

const piecesOf = ({ facts }: Pick<SimOrder, 'facts'>, parts: readonly { custom_sku_id: string; number: number }[]) =>
  parts.map(({ custom_sku_id, number }) => {
    const line = (facts.products as Body[][]).flat().find((one) => one.custom_sku_id === custom_sku_id)!
    return { sku_id: line.baidu_product_id, custom_sku_id, number, total_refund: line.product_price * number }
  })

/** Returns an order's partial refund requests with the amount paid for each product. */
const partRefunds = ({ refunds, facts }: SimOrder) =>
  [...refunds].flatMap(([refund_order_id, { state, parts }]) =>
    parts
      ? [
          {
            refund_order_id,
            status: state,
            reason: '少送',
            products: piecesOf({ facts }, parts),
          },
        ]
      : [],
  )

function restock({ shop, lines }: SimOrder): void {
  for (const { custom_sku_id, quantity } of lines) {
    const sku = shop.skus.get(custom_sku_id)
    if (sku) sku.left_num += quantity
  }
}

const CUSTOMER = {
  name: '周女士',
  phone: '13805710088',
  privacy_phone: '13805710088,1234',
  province: '浙江省',
  city: '杭州市',
  district: '西湖区',
  address: '文二西路 238 号 3 幢 502',
  coord_amap: { longitude: 120.1101, latitude: 30.2876 },
}

/** Places an order: takes the products from the shop's stock and notifies the account. Refuses what is sold out. */
export function placeEleOrder(world: EleWorld, basket: Basket): SimOrder {
  const shop = world.shops.get(basket.baidu_shop_id) ?? refuse('商户不存在')
  const picked = basket.lines.map((line) => ({ ...line, sku: shop.skus.get(line.custom_sku_id) }))
  for (const { sku, quantity } of picked) if (!sku || sku.status !== 1 || sku.left_num < quantity) refuse('商品已售罄')
  const order: SimOrder = {
    order_id: world.newNo('50'),
    shop,
    facts: {},
    lines: basket.lines.map(({ custom_sku_id, quantity }) => ({ custom_sku_id, quantity })),
    refunds: new Map(),
    reverses: new Map(),
  }
  for (const { sku, quantity } of picked) sku!.left_num -= quantity
  order.facts = factsOf(world, order, basket, picked as Picked[])
  world.orders.set(order.order_id, order)
  world.tell(shop.source, 'order.create', { order_id: order.order_id, platform_shop_id: shop.baidu_shop_id })
  world.clock.after(world.acceptMs, () => {
    if (statusOf(order) === STATUS.placed) moveSimOrder(world, order, STATUS.cancelled, CANCEL_NO_ANSWER)
  })
  return order
}

/** Adds an order from before the start: sends no message and lets it progress. */
export function knowOrder(
  world: EleWorld,
  { order_id, status, create_time, ...basket }: Basket & { order_id: string; status: number; create_time: number },
): void {
  const shop = world.shops.get(basket.baidu_shop_id)
  const picked = basket.lines.flatMap((line) => {
    const sku = shop?.skus.get(line.custom_sku_id)
    return sku ? [{ ...line, sku }] : []
  })
  if (!shop || !picked.length) return
  const order: SimOrder = { order_id, shop, facts: {}, lines: basket.lines, refunds: new Map(), reverses: new Map() }
  order.facts = factsOf(world, order, basket, picked)
  Object.assign(order.facts.order, { status, create_time, confirm_time: create_time })
  world.orders.set(order_id, order)
  scheduleNextStep(world, order, status)
}

type Picked = { sku: SimSku; quantity: number; isGift?: boolean }

function factsOf(world: EleWorld, order: SimOrder, basket: Basket, picked: Picked[]): Body {
  const { shopDiscount = 0, platformDiscount = 0, packageFee = 100, isFetched = false } = basket
  const goods = picked.reduce((sum, { sku, quantity, isGift }) => sum + (isGift ? 0 : sku.sale_price * quantity), 0)
  const discount = shopDiscount + platformDiscount
  const sendFee = isFetched ? 0 : SEND_FEE
  const commission = Math.round(((goods + packageFee - shopDiscount) * COMMISSION_PERCENT) / 100)
  const total = goods + packageFee + sendFee

  return {
    source: order.shop.source,
    shop: { id: order.shop.shop_id, baidu_shop_id: order.shop.baidu_shop_id, name: order.shop.facts.name },
    order: {
      order_id: order.order_id,
      eleme_order_id: order.order_id,
      order_index: String(world.orders.size + 1),
      status: STATUS.placed,
      create_time: secondsOf(world),
      send_immediately: 1,
      send_time: secondsOf(world) + 2700,
      pay_type: 2,
      pay_status: 2,
      total_fee: total,
      user_fee: total - discount,
      send_fee: sendFee,
      package_fee: packageFee,
      discount_fee: discount,
      commission,
      // The delivery fee goes to whoever delivers.
      shop_fee: goods + packageFee + (basket.isOwnDelivery ? sendFee : 0) - shopDiscount - commission,
      delivery_party: basket.isOwnDelivery ? OWN_DELIVERY : 5,
      business_type: isFetched ? 1 : 0,
      remark: basket.remark ?? '',
      down_flag: basket.isDegraded ? 1 : 0,
      discount_down_flag: 0,
    },
    user: CUSTOMER,
    products: basket.isDegraded ? [] : [picked.map(lineOf)],
    discount: discount
      ? [
          {
            activity_id: '880017',
            type: 'jian',
            fee: discount,
            shop_rate: shopDiscount,
            baidu_rate: platformDiscount,
            agent_rate: 0,
            logistics_rate: 0,
            desc: '满减优惠',
          },
        ]
      : [],
  }
}

const lineOf = ({ sku, quantity, isGift }: Picked) => ({
  baidu_product_id: sku.sku_id,
  custom_sku_id: sku.custom_sku_id,
  upc: sku.upc,
  product_name: sku.name,
  product_amount: quantity,
  product_price: isGift ? 0 : sku.sale_price,
  product_fee: isGift ? 0 : sku.sale_price * quantity,
  is_free_gift: isGift ? 1 : 0,
})

/** Completes the fields of an order that was sent with some missing (`isDegraded`). */
export function mend(order: SimOrder): void {
  order.facts.order.down_flag = 0
  order.facts.products = [
    order.lines.map(({ custom_sku_id, quantity }) => lineOf({ sku: order.shop.skus.get(custom_sku_id)!, quantity })),
  ]
}

/** A customer asks for a refund of the whole order or of these lines. Returns the refund's id. */
export function askBack(world: EleWorld, order: SimOrder, parts?: { custom_sku_id: string; number: number }[]): string {
  const refund_order_id = world.newNo('70')
  order.refunds.set(refund_order_id, { state: REFUND.asked, ...(parts && { parts }) })
  noteRefund(order)
  if (parts) {
    const refund_products = parts.map((one) => ({ ...one, name: order.shop.skus.get(one.custom_sku_id)?.name ?? '' }))
    pushRefund(world, order, refund_order_id, { refund_products })
  } else pushRefund(world, order, refund_order_id, { cancel_reason: '不想要了' })
  return refund_order_id
}

function pushRefund(world: EleWorld, order: SimOrder, refund_order_id: string, more: Body): void {
  const { parts: isPart, state } = order.refunds.get(refund_order_id)!
  const cancel_type = statusOf(order) === STATUS.done ? AFTER : USER
  const body = { order_id: order.order_id, refund_order_id, platform_shop_id: order.shop.baidu_shop_id, ...more }
  if (isPart) world.tell(order.shop.source, 'order.partrefund.push', { ...body, status: state })
  else world.tell(order.shop.source, 'order.user.cancel', { ...body, type: state, cancel_type })
}

const isLine = ({ shop }: SimOrder, { custom_sku_id }: { custom_sku_id: string }, { sku_id, upc }: Body) => {
  const sku = shop.skus.get(custom_sku_id)
  return sku?.sku_id === String(sku_id) || (!!upc && sku?.upc === String(upc))
}

function decideSimRefund(isPart: boolean, state: number): Command {
  return (world, source, body) => {
    const order = orderOf(world, source, body)
    const refund = order.refunds.get(String(body.refund_order_id))
    if (!refund || !!refund.parts !== isPart) return refuse('退单不存在')
    if (refund.state !== REFUND.asked) refuse('退单状态不正确')
    refund.state = state
    noteRefund(order)
    if (state === PART.done && isPart) putBack(order, refund.parts!)
    pushRefund(world, order, String(body.refund_order_id), {})
    if (!isPart && state === REFUND.agreed && statusOf(order) !== STATUS.cancelled)
      moveSimOrder(world, order, STATUS.cancelled, '用户取消')
    return true
  }
}

function listOrders(world: EleWorld, source: string, body: Body) {
  const shop: SimShop = shopOf(world, source, body)
  const page = Number(body.page ?? 1)
  const all = [...world.orders.values()].filter(({ shop: its, facts: { order } }) => {
    const isThen = order.create_time >= Number(body.start_time) && order.create_time <= Number(body.end_time)
    return its === shop && isThen && (!body.status || order.status === Number(body.status))
  })
  return {
    page,
    pages: Math.ceil(all.length / PAGE),
    total: all.length,
    list: all.slice((page - 1) * PAGE, page * PAGE).map(({ order_id, facts }) => ({
      order_id,
      shop_id: shop.shop_id,
      baidu_shop_id: shop.baidu_shop_id,
      create_time: facts.order.create_time,
      order_status: facts.order.status,
    })),
  }
}

const dayOf = (seconds: number) => new Date(seconds * 1000 + 8 * 3_600_000).toISOString().slice(0, 10)

/** Returns a page of a day's bill: the orders completed that day. */
function listBillOrders(world: EleWorld, source: string, body: Body) {
  const shop: SimShop = shopOf(world, source, body)
  const page = Number(body.page ?? 1)
  const all = [...world.orders.values()].filter(
    ({ shop: its, facts: { order } }) =>
      its === shop && order.status === STATUS.done && dayOf(order.finished_time) === body.bill_date,
  )
  return {
    page,
    pages: Math.ceil(all.length / PAGE),
    total: all.length,
    list: all
      .slice((page - 1) * PAGE, page * PAGE)
      .map(({ order_id, facts: { order, discount }, billedCommission }) => {
        const commission = billedCommission ?? order.commission
        return {
          order_id,
          trade_create_time: order.finished_time,
          order_detail_fee: {
            product_fee: order.total_fee - order.send_fee - order.package_fee,
            package_fee: order.package_fee,
            send_fee: order.send_fee,
            commission,
            shop_rate: discount[0]?.shop_rate ?? 0,
            platform_rate: discount[0]?.baidu_rate ?? 0,
            user_fee: order.user_fee,
            shop_in_amount: order.shop_fee + order.commission - commission,
          },
        }
      }),
  }
}

/** Marks an order as sent out by a shop that delivers itself. */
function sendOut(world: EleWorld, order: SimOrder, knight: { name: string; phone: string }): true {
  if (!isOwn(order)) refuse('非商家自配送订单')
  const status = statusOf(order)
  if (status !== STATUS.confirmed && status !== STATUS.toShop) refuse('订单状态不正确，不能配送')
  order.knight = knight
  moveSimOrder(world, order, STATUS.onWay)
  return true
}

const REVERSE = { asked: 10, refused: 20, closed: 40, paid: 50 } as const
const GOODS = { asked: 1001, refused: 1002, agreed: 1004, sent: 1005, back: 1006, missing: 1007 } as const

const reversesOf = (order: SimOrder) =>
  [...order.reverses].map(([refund_order_id, { state, goods, reason, parts }]) => ({
    refund_order_id,
    reason_content: reason,
    refund_status: state,
    return_goods_status: goods,
    ...(parts && { products: piecesOf(order, parts) }),
  }))

/**
 * A customer asks in the newer flow for a refund of all or of these lines, or to return them. Returns the refund's id.
 */
export function askReverse(
  world: EleWorld,
  order: SimOrder,
  { parts, isReturn = false }: { parts?: { custom_sku_id: string; number: number }[]; isReturn?: boolean } = {},
): string {
  const refund_order_id = world.newNo('71')
  const goods = isReturn ? GOODS.asked : 0
  order.reverses.set(refund_order_id, { state: REVERSE.asked, goods, reason: '商品破损', parts, answers: new Map() })
  pushReverse(world, order, refund_order_id, { state: 0, goods: 0, role: CUSTOMER_ROLE })
  return refund_order_id
}

/** The customer has sent the products back. */
export function sendBack(world: EleWorld, order: SimOrder, refund_order_id: string): void {
  const one = order.reverses.get(refund_order_id)!
  const was = { state: one.state, goods: one.goods, role: CUSTOMER_ROLE }
  one.goods = GOODS.sent
  pushReverse(world, order, refund_order_id, was)
}

const [CUSTOMER_ROLE, API_ROLE] = [10, 25]

function pushReverse(
  world: EleWorld,
  order: SimOrder,
  refund_order_id: string,
  was: { state: number; goods: number; role: number },
): void {
  const { state, goods, reason } = order.reverses.get(refund_order_id)!
  world.tell(order.shop.source, 'order.reverse.push', {
    order_id: order.order_id,
    refund_order_id,
    platform_shop_id: order.shop.baidu_shop_id,
    cur_reverse_event: {
      operator_role: was.role,
      reason_code: 7001,
      reason_content: reason,
      last_refund_status: was.state,
      refund_status: state,
      last_return_goods_status: was.goods,
      return_goods_status: goods,
    },
  })
}

/** Answers to a request by action code: the states it may be in, and the states that follow. */
const ACTIONS: Readonly<Record<number, { from: number[]; state: number; goods?: number }>> = {
  1: { from: [0], state: REVERSE.paid },
  2: { from: [0], state: REVERSE.refused },
  3: { from: [GOODS.asked], state: REVERSE.asked, goods: GOODS.agreed },
  4: { from: [GOODS.asked], state: REVERSE.refused, goods: GOODS.refused },
  5: { from: [GOODS.agreed, GOODS.sent], state: REVERSE.paid, goods: GOODS.back },
  6: { from: [GOODS.sent], state: REVERSE.refused, goods: GOODS.missing },
}

function answerReverse(world: EleWorld, source: string, body: Body): true {
  const order = orderOf(world, source, body)
  const one = order.reverses.get(String(body.refund_order_id)) ?? refuse('逆向单不存在')
  const action = ACTIONS[Number(body.action_type)] ?? refuse('action_type 不正确')
  const key = String(body.idempotent_id ?? '') || refuse('缺少参数 idempotent_id')
  const before = one.answers.get(key)
  if (before !== undefined) return before === Number(body.action_type) ? true : refuse('幂等号已使用')
  if (one.state !== REVERSE.asked || !action.from.includes(one.goods)) refuse('逆向单状态不正确')
  one.answers.set(key, Number(body.action_type))
  const was = { state: one.state, goods: one.goods, role: API_ROLE }
  Object.assign(one, { state: action.state, ...(action.goods && { goods: action.goods }) })
  if (one.state === REVERSE.paid)
    putBack(order, one.parts ?? order.lines.map((line) => ({ ...line, number: line.quantity })))
  pushReverse(world, order, String(body.refund_order_id), was)
  if (one.state === REVERSE.paid && !one.parts && statusOf(order) < STATUS.done)
    moveSimOrder(world, order, STATUS.cancelled, one.reason)
  return true
}

function listUnanswered(world: EleWorld, source: string, body: Body) {
  const shop = shopOf(world, source, body)
  const page = Number(body.page ?? 1)
  const all = [...world.orders.values()]
    .filter((order) => order.shop === shop)
    .flatMap(({ order_id, reverses }) =>
      [...reverses].flatMap(([refund_order_id, { state }]) =>
        state === REVERSE.asked ? [{ order_id, refund_order_id }] : [],
      ),
    )
  return {
    page,
    pages: Math.ceil(all.length / PAGE),
    total: all.length,
    list: all.slice((page - 1) * PAGE, page * PAGE),
  }
}

export const orderCommands: Record<string, Command> = {
  'order.get': (world, source, body) => orderOf(world, source, body).facts,
  'order.status.get': (world, source, body) => ({ status: statusOf(orderOf(world, source, body)) }),
  'order.list': listOrders,
  'bill.orderdetail': listBillOrders,
  'order.partrefund.get': (world, source, body) => partRefunds(orderOf(world, source, body)),
  'order.partrefund': (world, source, body) => {
    const order = orderOf(world, source, body)
    if (statusOf(order) === STATUS.cancelled) refuse('订单已取消')
    if (!body.reason) refuse('缺少参数 reason')
    const parts = ((body.products ?? []) as Body[]).map(({ sku_id, upc, number }) => ({
      custom_sku_id: order.lines.find((line) => isLine(order, line, { sku_id, upc }))?.custom_sku_id ?? '',
      number: Number(number),
    }))
    const given = [...order.refunds.values()]
      .filter(({ state }) => state === PART.done)
      .flatMap((one) => one.parts ?? [])
    for (const { custom_sku_id, number } of parts) {
      const all = order.lines.filter((line) => line.custom_sku_id === custom_sku_id)
      const bought = all.reduce((sum, line) => sum + line.quantity, 0)
      const gone = given.reduce((sum, one) => (one.custom_sku_id === custom_sku_id ? sum + one.number : sum), 0)
      if (!(number > 0) || gone + number > bought) refuse('退款商品数量不正确')
    }
    const refund_order_id = world.newNo('70')
    order.refunds.set(refund_order_id, { state: PART.done, parts })
    noteRefund(order)
    putBack(order, parts)
    pushRefund(world, order, refund_order_id, {})
    return true
  },
  'order.confirm': (world, source, body) => {
    const order = orderOf(world, source, body)
    if (statusOf(order) !== STATUS.placed) refuse('订单状态不正确，不能确认')
    moveSimOrder(world, order, STATUS.confirmed)
    return true
  },
  'order.cancel': (world, source, body) => {
    const order = orderOf(world, source, body)
    if (statusOf(order) >= STATUS.done) refuse('订单状态不正确，不能取消')
    moveSimOrder(world, order, STATUS.cancelled, String(body.reason || '商户取消'))
    return true
  },
  'order.pickcomplete': (world, source, body) => {
    const order = orderOf(world, source, body)
    if (statusOf(order) < STATUS.confirmed) refuse('订单未确认')
    order.isPacked = true
    return true
  },
  'order.sendout': (world, source, body) =>
    sendOut(world, orderOf(world, source, body), { name: '', phone: body.phone }),
  'order.selfDeliveryStateSync': (world, source, body) => {
    if (!body.distributor_id || !body.state || !body.knight?.name) refuse('缺少参数 knight')
    return sendOut(world, orderOf(world, source, body), body.knight)
  },
  'order.complete': (world, source, body) => {
    const order = orderOf(world, source, body)
    if (!isOwn(order)) refuse('非商家自配送订单')
    if (statusOf(order) !== STATUS.onWay) refuse('订单状态不正确，不能完成')
    moveSimOrder(world, order, STATUS.done)
    return true
  },
  'order.reverse.query': (world, source, body) => reversesOf(orderOf(world, source, body)),
  'order.reverse.unprocessedlist': listUnanswered,
  'order.reverse.process': answerReverse,
  'order.agreerefund': decideSimRefund(false, REFUND.agreed),
  'order.disagreerefund': decideSimRefund(false, REFUND.refused),
  'order.agreepartrefund': decideSimRefund(true, PART.done),
  'order.disagreepartrefund': decideSimRefund(true, PART.refused),
}
