import { VendorError } from '#domains/platform/external-apis/api.ts'
import {
  isPartialRefundDone,
  type PlatformAction,
  type PlatformOrder,
  type Platform,
  type DeliveryStep,
  type PlatformSettlement,
} from '#domains/sales/delivery-platforms/api.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { enqueueMeituanComparison } from './compare.ts'
import { createMeituanShopClient, type MeituanShopClient } from './connection.ts'
import { meituanSyncedResources } from './synced-resources.ts'
import { meituanOrderDetail } from './meituan-order-detail.resource.ts'
import { meituanOrder } from './meituan-order.resource.ts'
import { meituanShopInfo } from './meituan-shop-info.resource.ts'
import { meituanListingParitySql } from './parity.ts'
import { meituanToPlatformOrder } from './to-platform-order.ts'

const CONFIRMED = 4
const COMPLETED = 8
const NO_SUCH_ORDER = '806'
const CHANGED = '808'
const DELIVERY_STEP_STATES: Readonly<Record<DeliveryStep, number>> = {
  rider: 5,
  sendOut: 20,
  arrived: 40,
  rideFailed: 100,
}
const MISSED_AT_ONCE = 50
/** The platform's code for "other reason". */
const OTHER_REASON = 2007

async function read({ calls }: MeituanShopClient, orderNo: string): Promise<PlatformOrder> {
  const { data: order } = await calls.order(orderNo)
  // A new order can only be cancelled, so its refunds are not read: a burst of new orders costs one call each.
  const refunds = Number(order.status) < CONFIRMED ? [] : (await calls.refunds(orderNo)).data
  return meituanToPlatformOrder(order, Array.isArray(refunds) ? refunds : [])
}

/** Ignores the error "state has changed", which a repeated report gets; the following call shows whether it was one. */
async function unlessPast(call: Promise<unknown>): Promise<void> {
  try {
    await call
  } catch (error) {
    if (!(error instanceof VendorError) || error.code !== CHANGED) throw error
  }
}

/** Reports the shop's own delivery: rider and progress, and before that the steps the customer sees. */
async function reportDelivery(
  { calls }: MeituanShopClient,
  kind: DeliveryStep,
  { orderNo, refundNo, rider }: PlatformAction,
): Promise<void> {
  if (kind === 'sendOut') await unlessPast(calls.sentOut(orderNo, rider))
  if (kind === 'arrived') await unlessPast(calls.arrived(orderNo, rider))
  await calls.ride(orderNo, refundNo, DELIVERY_STEP_STATES[kind], rider)
}

async function act(connection: MeituanShopClient, ask: PlatformAction): Promise<void> {
  const { calls } = connection
  const { kind, orderNo, reason, reasonCode, lines } = ask
  if (kind in DELIVERY_STEP_STATES) return reportDelivery(connection, kind as DeliveryStep, ask)
  if (kind === 'packed') await calls.packed(orderNo)
  else if (kind === 'confirm') await calls.confirm(orderNo)
  else if (kind === 'cancel') await calls.cancel(orderNo, Number(reasonCode) || OTHER_REASON, reason)
  else if (kind === 'refundPart')
    await calls.refundPart(
      orderNo,
      reason,
      lines.map(({ code, quantity }) => ({ app_food_code: code, sku_id: code, count: quantity })),
    )
  else if (kind === 'agreeRefund') await calls.agreeRefund(orderNo, reason)
  else await calls.rejectRefund(orderNo, reason)
}

function isDone(ask: PlatformAction, { state, refunds, ride }: PlatformOrder): boolean {
  const { kind, refundNo } = ask
  // The platform does not show it; a repetition does no harm.
  if (kind === 'packed') return false
  if (kind === 'rider') return ride !== 'none' && ride !== 'stopped'
  if (kind === 'sendOut') return ride === 'onWay' || ride === 'arrived'
  if (kind === 'arrived') return ride === 'arrived'
  if (kind === 'rideFailed') return ride === 'stopped'
  if (kind === 'confirm') return state === 'confirmed' || state === 'delivering' || state === 'done'
  if (kind === 'cancel') return state === 'cancelled'
  if (kind === 'refundPart') return isPartialRefundDone(ask, refunds)
  const wanted = kind === 'agreeRefund' ? 'agreed' : 'refused'
  return refunds.some((one) => one.refundNo === refundNo && one.state === wanted)
}

/** Finds orders of today that no message reported, by gaps in the numbers of the day. */
async function missed({ calls, code }: MeituanShopClient, known: readonly number[], now: Date): Promise<string[]> {
  const last = Number((await calls.daySeq(code)).data?.day_seq ?? 0)
  const seen = new Set(known)
  const date = formatShanghaiTime(now).slice(0, 10).replaceAll('-', '')
  const out: string[] = []
  for (let seq = 1; seq <= last && out.length < MISSED_AT_ONCE; seq++)
    if (!seen.has(seq)) out.push(String((await calls.orderOfDay(code, date, seq)).data.order_id))
  return out
}

/**
 * Reads the settlements of a day: walks through the numbers of its orders up to the first unused one, and reads what
 * the shop gets of each (`poi_receive_detail`).
 */
async function readSettlements({ calls, code }: MeituanShopClient, day: string): Promise<PlatformSettlement[]> {
  const found: PlatformSettlement[] = []
  for (let seq = 1; ; seq++) {
    const orderNo = await numberOf(() => calls.orderOfDay(code, day.replaceAll('-', ''), seq))
    if (!orderNo) return found
    const { facts, userFee, finishTime } = meituanToPlatformOrder((await calls.order(orderNo)).data, [])
    if (facts.status !== COMPLETED) continue
    const { serviceFee, shopFee } = facts as { serviceFee: number; shopFee: number | null }
    found.push({ orderNo, time: finishTime, userFee, fee: serviceFee, received: shopFee ?? 0 })
  }
}

async function numberOf(ask: () => Promise<{ data: any }>): Promise<string | undefined> {
  try {
    return String((await ask()).data.order_id)
  } catch (error) {
    if (error instanceof VendorError && error.code === NO_SUCH_ORDER) return undefined
    throw error
  }
}

export const meituanDeliveryPlatform: Platform<MeituanShopClient> = {
  name: 'meituan',
  shop: meituanShopInfo,
  shopKey: 'meituanShopId',
  resources: meituanSyncedResources,
  parity: meituanListingParitySql,
  connect: createMeituanShopClient,
  compareLater: (db, { id }) => enqueueMeituanComparison(db, id),
  order: {
    resource: meituanOrder,
    detail: meituanOrderDetail,
    orderKey: 'meituanOrderId',
    seqKey: 'daySeq',
    overStates: [8, 9],
    soldOutCode: '2009',
    steps: [1, 2, 4, 8, 9],
    read,
    act,
    deliverySteps: ['rider', 'sendOut', 'arrived', 'rideFailed'],
    isDone,
    missedOrders: missed,
  },
  bill: { doneState: COMPLETED, dayKey: 'orderTime', feeKey: 'serviceFee', read: readSettlements },
}
