import { parseJsonKeepingLongIntegers, type WebhookHandler } from '#domains/platform/external-apis/api.ts'
import { applyPlatformRider } from '#domains/sales/orders/api.ts'
import {
  findPlatformAccount,
  preparePlatformOrderUpdate,
  readSnapshotStartTime,
  type PlatformRow,
} from '#domains/sales/delivery-platforms/api.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import type { Services } from '#kit/server/module/services.ts'
import { ELE_PLATFORM_NAME } from './account.ts'
import { createEleCaller, toEleShopRef } from './connection.ts'
import { eleOrder } from './ele-order.resource.ts'
import { eleShopInfo } from './ele-shop-info.resource.ts'
import { eleDeliveryPlatform } from './platform.ts'
import { reconcileEleSku } from './pull.ts'
import { saveEleShopStatus } from './shop-facts.ts'

type EleEventBody = Record<string, unknown>

const PICKED_UP = 8
/** State of a refund request that waits for the shop. */
const REFUND_REQUESTED = 10

const textOf = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')

/** Returns the row of the shop an order belongs to: as the message says, or as we know the order. */
async function shopOf(db: Db, event: EleEventBody, orderNo: string): Promise<PlatformRow | undefined> {
  const number = textOf(event.platform_shop_id ?? event.baidu_shop_id)
  const [shop] = await db.find(
    eleShopInfo,
    sql`(${number} <> '' and r.platform_shop_id = ${number} or r.id::text = ${textOf(event.shop_id)}
      or r.id = (select o.ele_shop_id from ele_order o where o.tenant_id = r.tenant_id
        and o.platform_order_id = ${orderNo}))`,
    sql`order by r.id limit 1`,
  )
  return shop as PlatformRow | undefined
}

/**
 * Handles a message of the platform. Messages come late, twice and out of order, so each only triggers reading the
 * present state.
 */
export const handleEleEvent: WebhookHandler = async ({ kind, subject, body }, { tenantId, services }) => {
  if (!subject) return undefined
  if (kind.startsWith('order.')) return handleOrderEvent(services, tenantId, { kind, subject, body })
  if (kind === 'sku.update.push') return handleSkuEvent(services, tenantId, { kind, subject, body })
  return kind === 'shop.msg.push' ? handleShopEvent(services, tenantId, subject) : undefined
}

/** Reads a product that was changed at the platform and syncs it again where it differs from ours. */
async function handleSkuEvent(services: Services, tenantId: string, { subject, body }: Message) {
  const event = parseJsonKeepingLongIntegers(body) as EleEventBody
  const [sku_id, custom_sku_id] = [textOf(event.sku_id), textOf(event.custom_sku_id)]
  const { shop, account } = await services.unit({ tenantId }, async (db) => ({
    shop: (await db.find(eleShopInfo, sql`r.platform_shop_id = ${subject}`))[0],
    account: await findPlatformAccount(db, services, ELE_PLATFORM_NAME),
  }))
  if (!shop || !account || !(sku_id || custom_sku_id)) return undefined
  const which = sku_id ? { sku_id } : { custom_sku_id }
  const { list } = await createEleCaller(services, account)('sku.list', {
    ...toEleShopRef(shop),
    ...which,
    page: 1,
    pagesize: 1,
  })
  return (db: Db) => reconcileEleSku(db, services, shop, which, list[0])
}

async function handleShopEvent(services: Services, tenantId: string, number: string) {
  const { account, begun } = await services.unit({ tenantId }, async (db) => ({
    account: await findPlatformAccount(db, services, ELE_PLATFORM_NAME),
    begun: await readSnapshotStartTime(db),
  }))
  if (!account) return undefined
  const facts = await createEleCaller(services, account)('shop.get', { baidu_shop_id: number })
  return async (db: Db) => {
    // The message may come before we have stored the platform's number; the shop is then found by ours.
    const shops = await db.find(
      eleShopInfo,
      sql`r.platform_shop_id = ${number} or r.platform_shop_id is null and r.id::text = ${textOf(facts.shop_id)}`,
    )
    for (const { id } of shops) await saveEleShopStatus(db, services, id, { facts, begun })
  }
}

type Message = { kind: string; subject: string; body: string }

async function handleOrderEvent(services: Services, tenantId: string, { kind, subject, body }: Message) {
  const event = parseJsonKeepingLongIntegers(body) as EleEventBody
  const shop = await services.unit({ tenantId }, (db) => shopOf(db, event, subject))
  if (!shop) return undefined
  const cancelReason = kind === 'order.status.push' ? textOf(event.reason) || undefined : undefined
  const follow = await preparePlatformOrderUpdate(services, eleDeliveryPlatform, shop, subject, { cancelReason })
  if (!follow) return undefined
  return async (db: Db) => {
    await follow(db)
    if (kind === 'order.deliveryStatus.push') await recordRider(db, services, subject, event)
    if (kind === 'order.user.cancel' || kind === 'order.partrefund.push') await recordRefundRequest(db, subject, event)
  }
}

/** Stores the rider, who is named only in the message. */
async function recordRider(db: Db, services: Services, orderNo: string, event: EleEventBody): Promise<void> {
  const [order] = await db.find(eleOrder, sql`r.platform_order_id = ${orderNo}`)
  const rider = { riderName: textOf(event.name).slice(0, 50), riderPhone: textOf(event.phone).slice(0, 32) }
  if (!order || !rider.riderName) return
  publishRowsChanged({ db }, eleOrder, [await db.update(eleOrder, order.id, rider)])
  const isPickedUp = Number(event.status) === PICKED_UP
  if (order.orderId) await applyPlatformRider(db, order.orderId, { ...rider, isPickedUp }, services.now())
}

/** Stores the number of a refund request, which an answer must name and only the message has. */
async function recordRefundRequest(db: Db, orderNo: string, event: EleEventBody): Promise<void> {
  const refundNo = textOf(event.refund_order_id)
  const [order] = await db.find(eleOrder, sql`r.platform_order_id = ${orderNo}`)
  if (!order || !refundNo) return
  const isRequested = Number(event.type ?? event.status) === REFUND_REQUESTED
  if (!isRequested && order.refundAsked !== refundNo) return
  const openRefundNo = isRequested ? refundNo : null
  publishRowsChanged({ db }, eleOrder, [await db.update(eleOrder, order.id, { refundAsked: openRefundNo })])
}
