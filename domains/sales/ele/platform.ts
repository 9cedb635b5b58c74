import { VendorError } from '#domains/platform/external-apis/api.ts'
import {
  isPartialRefundDone,
  type PlatformAction,
  type PlatformOrder,
  type Platform,
  type PlatformSettlement,
} from '#domains/sales/delivery-platforms/api.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { ELE_PLATFORM_NAME } from './account.ts'
import { createEleShopClient, type EleShopClient } from './connection.ts'
import { eleOrderDetail } from './ele-order-parts.resource.ts'
import { eleOrder } from './ele-order.resource.ts'
import { eleShopInfo } from './ele-shop-info.resource.ts'
import { ELE_RETURN_STATE } from './dictionaries.ts'
import type { ElePartialRefund, ReverseOrder } from './ele-wire.ts'
import { eleSyncedResources } from './synced-resources.ts'
import { eleListingParitySql } from './parity.ts'
import { ORDER_STATES, eleToPlatformOrder } from './to-platform-order.ts'
import { startEleComparison } from './pull.job.ts'

/** The platform's reason codes: sold out, and -1 for a reason given as free text. */
const SOLD_OUT = '3'
const OWN_WORDS = -1
const LOOK_BACK_S = 1800
const PLACED = 1
/**
 * Action codes that answer a request of the newer flow: `ANSWERS` at first, `WHEN_BACK` once the goods are to come
 * back.
 */
const ANSWERS = { agreeRefund: 1, refuseRefund: 2, agreeReturn: 3, refuseReturn: 4 }
const WHEN_BACK = { agreeRefund: 5, refuseRefund: 6 }
/** Rider of no company the platform knows (201), who has left the shop (21). */
const LEFT = { distributor_id: 201, state: 21 }
/**
 * States after which an order is not polled. A refund after completion is reported by a message and found by the
 * comparison.
 */
const OVER = [9, 10, 15]

async function partsOf({ ask }: EleShopClient, order_id: string, isAny: boolean): Promise<ElePartialRefund[]> {
  return isAny ? await ask('order.partrefund.get', { order_id }) : []
}

async function read(connection: EleShopClient, orderNo: string): Promise<PlatformOrder> {
  const facts = await connection.ask('order.get', { order_id: orderNo })
  const { down_flag, discount_down_flag, ext } = facts.order
  if (Number(down_flag) || Number(discount_down_flag))
    throw new VendorError({
      system: ELE_PLATFORM_NAME,
      code: 'degraded',
      message: `ele tells a part of order ${orderNo} only, for now`,
      isRetryable: true,
      isUndone: true,
    })
  const parts = await partsOf(connection, orderNo, !!Number(ext?.part_refund_status))
  return eleToPlatformOrder(facts, parts, await reversesOf(connection, orderNo, Number(facts.order.status)))
}

/**
 * Reads the refund requests of an order. A new order can only be cancelled, so it is not asked about: a burst of new
 * orders costs one call each.
 */
const reversesOf = async ({ ask }: EleShopClient, order_id: string, status: number): Promise<ReverseOrder[]> =>
  status > PLACED ? await ask('order.reverse.query', { order_id }) : []

/** Answers a request of the newer flow: for money, or for a return that is requested or under way. */
async function answerReverse(
  { ask }: EleShopClient,
  one: ReverseOrder,
  { kind, orderNo, reason }: PlatformAction,
): Promise<void> {
  const isBack = Number(one.return_goods_status) >= ELE_RETURN_STATE.agreed
  const action = isBack && kind in WHEN_BACK ? WHEN_BACK[kind as 'agreeRefund'] : ANSWERS[kind as 'agreeRefund']
  await ask('order.reverse.process', {
    order_id: orderNo,
    refund_order_id: String(one.refund_order_id),
    action_type: action,
    // A repeated answer counts once.
    idempotent_id: `${one.refund_order_id}-${kind}`,
    ...(reason && { reason_remarks: reason.slice(0, 100) }),
  })
}

/** Reports the shop's own delivery: it left, with the rider if known, or arrived. */
async function reportDelivery({ ask }: EleShopClient, { kind, orderNo, rider }: PlatformAction): Promise<void> {
  const order = { order_id: orderNo }
  if (kind === 'arrived') await ask('order.complete', order)
  else if (rider.name && rider.phone)
    await ask('order.selfDeliveryStateSync', { ...order, ...LEFT, knight: { name: rider.name, phone: rider.phone } })
  else await ask('order.sendout', { ...order, phone: rider.phone })
}

async function act(connection: EleShopClient, action: PlatformAction): Promise<void> {
  const { ask } = connection
  const { kind, orderNo, reason, reasonCode, refundNo, lines } = action
  const order = { order_id: orderNo }
  if (kind === 'confirm') return void (await ask('order.confirm', order))
  if (kind === 'cancel')
    return void (await ask('order.cancel', { ...order, type: Number(reasonCode) || OWN_WORDS, reason }))
  if (kind === 'refundPart')
    return void (await ask('order.partrefund', {
      ...order,
      reason,
      products: lines.map(({ code, upc, quantity }) => ({ sku_id: code, upc, number: quantity })),
    }))
  if (kind === 'packed') return void (await ask('order.pickcomplete', order))
  if (kind === 'sendOut' || kind === 'arrived') return reportDelivery(connection, action)
  const reverses = await ask('order.reverse.query', order)
  const reverse = reverses.find((one) => String(one.refund_order_id) === refundNo)
  if (reverse) return answerReverse(connection, reverse, action)
  // The number may stand for a part or the whole of the order; only the platform knows which.
  const parts = await partsOf(connection, orderNo, true)
  const isPart = parts.some((one) => String(one.refund_order_id) === refundNo)
  const refund = { ...order, refund_order_id: refundNo }
  if (kind === 'agreeRefund') await ask(isPart ? 'order.agreepartrefund' : 'order.agreerefund', refund)
  else
    await ask(isPart ? 'order.disagreepartrefund' : 'order.disagreerefund', {
      ...refund,
      refuse_reason: reason.slice(0, 100),
    })
}

function isDone(action: PlatformAction, { state, refunds, ride }: PlatformOrder): boolean {
  const { kind } = action
  // The platform does not show it; a repetition does no harm.
  if (kind === 'packed') return false
  if (kind === 'sendOut') return ride === 'onWay' || ride === 'arrived'
  if (kind === 'arrived') return ride === 'arrived'
  if (kind === 'confirm') return state === 'confirmed' || state === 'delivering' || state === 'done'
  if (kind === 'cancel') return state === 'cancelled'
  return kind === 'refundPart' ? isPartialRefundDone(action, refunds) : isRefundAnswered(action, refunds)
}

/** Whether a refund or return was answered in the way the action asks. */
function isRefundAnswered({ kind, refundNo }: PlatformAction, refunds: PlatformOrder['refunds']): boolean {
  const refund = refunds.find((one) => one.refundNo === refundNo) ?? refunds.find((one) => one.isAll)
  if (kind === 'agreeReturn') return !!refund?.goods && refund.goods !== 'asked' && refund.goods !== 'refused'
  if (kind === 'refuseReturn') return refund?.goods === 'refused'
  return refund?.state === (kind === 'agreeRefund' ? 'agreed' : 'refused')
}

/**
 * Numbers of the orders of the last half hour and of those with a request waiting for the shop. Known ones are read
 * again, which changes nothing.
 */
async function missed({ ask, there }: EleShopClient, _known: readonly number[], now: Date): Promise<string[]> {
  const end_time = Math.floor(now.getTime() / 1000)
  const found: string[] = []
  for (let page = 1; ; page++) {
    const { list, pages } = await ask('order.list', { ...there, start_time: end_time - LOOK_BACK_S, end_time, page })
    found.push(...list.map((one) => String(one.order_id)))
    if (page >= Number(pages)) return [...new Set([...found, ...(await unanswered({ ask, there }))])]
  }
}

/** Orders of any age with a request that waits for the shop. */
async function unanswered({ ask, there }: Pick<EleShopClient, 'ask' | 'there'>): Promise<string[]> {
  const found: string[] = []
  for (let page = 1; ; page++) {
    const { list, pages } = await ask('order.reverse.unprocessedlist', { ...there, page })
    found.push(...list.map((one) => String(one.order_id)))
    if (page >= Number(pages)) return found
  }
}

/** The bill of a day (`bill.orderdetail`), page by page. */
async function readSettlements({ ask, there }: EleShopClient, day: string): Promise<PlatformSettlement[]> {
  const found: PlatformSettlement[] = []
  for (let page = 1; ; page++) {
    const { list, pages } = await ask('bill.orderdetail', { ...there, bill_date: day, page })
    for (const { order_id, trade_create_time, order_detail_fee: fees } of list)
      found.push({
        orderNo: String(order_id),
        time: formatShanghaiTime(new Date(Number(trade_create_time) * 1000)),
        userFee: Number(fees.user_fee),
        fee: Number(fees.commission),
        received: Number(fees.shop_in_amount),
      })
    if (page >= Number(pages)) return found
  }
}

export const eleDeliveryPlatform: Platform<EleShopClient> = {
  name: ELE_PLATFORM_NAME,
  shop: eleShopInfo,
  shopKey: 'eleShopId',
  resources: eleSyncedResources,
  parity: eleListingParitySql,
  connect: createEleShopClient,
  compareLater: (db, { id, shopId }, now) => startEleComparison(db, { id, shopId: shopId as string }, now),
  order: {
    resource: eleOrder,
    detail: eleOrderDetail,
    orderKey: 'eleOrderId',
    seqKey: 'orderIndex',
    overStates: OVER,
    soldOutCode: SOLD_OUT,
    steps: ORDER_STATES,
    read,
    act,
    deliverySteps: ['sendOut', 'arrived'],
    isDone,
    missedOrders: missed,
  },
  bill: { doneState: 9, dayKey: 'finishedTime', feeKey: 'commission', read: readSettlements },
}
