import { hasBarcodeSql } from '#domains/catalogue/products/api.ts'
import { isSameBarcode } from '#domains/catalogue/products/index.ts'
import type { Resource } from '#kit/resource/index.ts'
import { toSqlName } from '#kit/resource/define-resource.ts'
import { raw, sql, type Db } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import type { Services } from '#kit/server/module/services.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { bookExternalRefund, completePlatformOrder, writeOrder, applyPlatformRider } from '#domains/sales/orders/api.ts'
import { DELIVERY_STATE } from '#domains/sales/orders/index.ts'
import { requestPlatformAction } from './actions.ts'
import { findPlatformAccount } from './accounts.ts'
import { SYNC_STATE } from './dictionaries.ts'
import { allocatePlatformDiscounts } from './order-money.ts'
import type { PlatformOrder, PlatformRefund } from './platform-order.ts'
import type { Platform, PlatformRow } from './platform.ts'
import { enqueueSync } from './enqueue-sync.ts'

const SHORT = { zh: '商品已售完', en: 'Sold out' }

/**
 * Reads an order as it is at the platform now and returns a function that applies it, to run in the transaction that
 * marks the message as handled; undefined without an account. Messages may come late, twice or out of order: only the
 * present state counts. `heard` adds what only the message knew.
 */
export async function preparePlatformOrderUpdate(
  services: Services,
  platform: Platform,
  shop: PlatformRow,
  orderNo: string,
  fromMessage: { cancelReason?: string } = {},
): Promise<((db: Db) => Promise<void>) | undefined> {
  const tenantId = shop.tenantId as string
  const account = await services.unit({ tenantId }, (db) => findPlatformAccount(db, services, platform.name))
  if (!account) return undefined
  const platformOrder = await platform.order.read(platform.connect(services, account, shop), orderNo)
  const withReason = { ...platformOrder, cancelReason: fromMessage.cancelReason || platformOrder.cancelReason }
  return (db) => applyPlatformOrder(db, services, { platform, shop, platformOrder: withReason })
}

type OrderUpdate = { platform: Platform; shop: PlatformRow; platformOrder: PlatformOrder }
/** Our products by the platform's number of them. */
type ProductsByPlatformCode = Map<
  string,
  { goodId: string; listPrice: number | null; spec: string | null; picture: string | null }
>

/**
 * Applies an order read from the platform: saves it, creates and follows our order, books refunds. Applying the same
 * state again changes nothing.
 */
export async function applyPlatformOrder(db: Db, services: Services, one: OrderUpdate): Promise<void> {
  const { platform, platformOrder } = one
  // Two messages about one order are handled one after the other, so that only one creates our order.
  await db.advisoryLock(`platform order/${platform.name}/${platformOrder.orderNo}`)
  const known = await goodsOf(db, one)
  const kept = await saveOrder(db, services, one, known)
  if (!kept) return
  const { row, isTurned } = kept
  // The platform put the pieces back into its stock by itself, so our stock is sent to it once more.
  if (isTurned && platformOrder.state === 'cancelled') await resendStock(db, services, one, known)
  const orderId = (row.orderId as string | null) ?? (await createLocalOrder(db, services, one, row, known))
  if (!orderId) return
  const now = services.now()
  if (platformOrder.rider && platformOrder.state !== 'cancelled' && !(await isBroughtAgain(db, orderId)))
    await applyPlatformRider(db, orderId, platformOrder.rider, now)
  await bookPartRefunds(db, orderId, one, known, now)
  await endLocalOrder(db, orderId, one, now)
}

async function bookPartRefunds(
  db: Db,
  orderId: string,
  { platform, platformOrder }: OrderUpdate,
  known: ProductsByPlatformCode,
  now: Date,
): Promise<void> {
  for (const refund of platformOrder.refunds)
    if (refund.state === 'agreed' && !refund.isAll)
      await bookExternalRefund(db, orderId, toExternalRefund(platform, refund, known), now)
}

/** Refunds our order when the platform's was cancelled or refunded as a whole, and completes it when theirs is done. */
async function endLocalOrder(
  db: Db,
  orderId: string,
  { platform, platformOrder }: OrderUpdate,
  now: Date,
): Promise<void> {
  const all = platformOrder.refunds.find((refund) => refund.state === 'agreed' && refund.isAll)
  const isBack = platformOrder.state === 'cancelled' || all
  const reason = all?.reason || platformOrder.cancelReason || WHY_CANCELLED
  if (isBack)
    await bookExternalRefund(db, orderId, { refundNo: `${platform.name} ${platformOrder.orderNo}`, reason }, now)
  else if (platformOrder.state === 'done')
    await completePlatformOrder(db, orderId, platformOrder.finishTime || formatShanghaiTime(now))
}

/**
 * Whether the shop's own delivery failed before. A second one is its own, so the rider the platform reports is the
 * first one's.
 */
const isBroughtAgain = async (db: Db, orderId: string): Promise<boolean> =>
  (await db.one(sql`select 1 from delivery_info where tenant_id = ${db.tenantId} and order_id = ${orderId}
    and carrier = 'self' and status = ${DELIVERY_STATE.failed} limit 1`)) !== undefined

const WHY_CANCELLED = '平台订单已取消'

const toExternalRefund = (
  { name }: Platform,
  { refundNo, lines, reason }: PlatformRefund,
  known: ProductsByPlatformCode,
) => ({
  refundNo: `${name} ${refundNo}`,
  reason: reason || WHY_CANCELLED,
  lines: lines.map(({ code, upc, quantity, amount }) => ({
    goodId: known.get(code)?.goodId ?? null,
    upc,
    quantity,
    amount,
  })),
})

async function goodsOf(db: Db, { platform, shop, platformOrder }: OrderUpdate): Promise<ProductsByPlatformCode> {
  const lines: { code: string; upc: string }[] = [
    ...platformOrder.lines,
    ...platformOrder.refunds.flatMap(({ lines: all }) => all),
  ]
  const codes = [...new Set(lines.map(({ code }) => code).filter(Boolean))]
  const upcs = [...new Set(lines.map(({ upc }) => upc).filter(Boolean))]
  const found = await db.query<{
    goodId: string
    code: string | null
    upc: string
    listPrice: number | null
    spec: string | null
    picture: string | null
  }>(sql`
    select g.id as good_id, s.platform_sku_id as code, g.upc, g.sale_price as list_price, g.spec, g.picture
    from good_info g left join ${raw(`${platform.name}_sku_info`)} s on s.tenant_id = g.tenant_id and s.good_id = g.id
      and s.${raw(toSqlName(platform.shopKey))} = ${shop.id} and s.is_deleted = 0
    where g.tenant_id = ${db.tenantId} and g.shop_id = ${shop.shopId} and g.is_deleted = 0
      and (s.platform_sku_id = any(${codes}) or g.id::text = any(${codes}) or ${hasBarcodeSql(sql`g.upc`, upcs)})`)
  return new Map(
    lines.flatMap(({ code, upc }) => {
      const good =
        found.find((one) => one.code === code || one.goodId === code) ??
        found.find((one) => one.upc === upc) ??
        found.find((one) => upc && isSameBarcode(one.upc, upc))
      return good ? [[code, good] as const] : []
    }),
  )
}

/**
 * Saves the order and its lines in the platform's own resource. Returns undefined when a later state is already stored.
 */
async function saveOrder(
  db: Db,
  services: Services,
  { platform, shop, platformOrder }: OrderUpdate,
  known: ProductsByPlatformCode,
): Promise<{ row: PlatformRow; isTurned: boolean } | undefined> {
  const { resource, detail, orderKey, steps } = platform.order
  const [was] = (await db.find(resource, sql`r.platform_order_id = ${platformOrder.orderNo}`)) as PlatformRow[]
  if (was && steps.indexOf(platformOrder.facts.status as number) < steps.indexOf(was.status as number)) return undefined

  const cancelReason = platformOrder.cancelReason.slice(0, 200) || (was?.cancelReason as string | undefined) || null
  const facts = {
    ...platformOrder.facts,
    // Figures taken from the platform's bill stay: the order keeps reporting the earlier ones.
    ...(was?.billedTime && { [platform.bill.feeKey]: was[platform.bill.feeKey], shopFee: was.shopFee }),
    cancelReason,
    syncStatus: SYNC_STATE.done,
    syncTime: formatShanghaiTime(services.now()),
  }

  if (was) {
    const row = (await db.update(resource, was.id, facts)) as PlatformRow
    publishRowsChanged({ db }, resource, [row])
    return { row, isTurned: row.status !== was.status }
  }

  const row = (await db.insert(resource as Resource, {
    ...facts,
    platformOrderId: platformOrder.orderNo,
    [platform.shopKey]: shop.id,
    shopId: shop.shopId,
  })) as PlatformRow
  await db.insertAll(
    detail as Resource,
    platformOrder.lines.map((line) => ({
      [orderKey]: row.id,
      shopId: shop.shopId,
      goodId: known.get(line.code)?.goodId ?? null,
      platformSkuId: line.code || null,
      upc: line.upc.slice(0, 13),
      name: line.name.slice(0, 100),
      quantity: line.quantity,
      price: line.price,
      amount: line.price * line.quantity,
      ...line.facts,
    })),
  )
  for (const { resource: part, rows } of platformOrder.parts ?? [])
    await db.insertAll(
      part as Resource,
      rows.map((part) => ({ [orderKey]: row.id, shopId: shop.shopId, ...part })),
    )
  publishRowsChanged({ db }, resource, [row])
  return { row, isTurned: true }
}

async function resendStock(
  db: Db,
  services: Services,
  { platform, shop }: OrderUpdate,
  known: ProductsByPlatformCode,
): Promise<void> {
  const goods = raw(`"${platform.parity.goods.table}"`)
  const moved = await db.query<{ id: string }>(sql`
    update ${goods} set sync_status = case when sync_status = ${SYNC_STATE.done} then ${SYNC_STATE.waiting}
      else sync_status end
    where tenant_id = ${db.tenantId} and ${raw(toSqlName(platform.shopKey))} = ${shop.id} and is_deleted = 0
      and good_id = any(${[...known.values()].map(({ goodId }) => goodId)}::bigint[]) returning id`)
  await db.run(sql`update platform_step set told = told - ${platform.parity.stockKey} where tenant_id = ${db.tenantId}
    and row_id = any(${moved.map(({ id }) => id)}::bigint[])`)
  if (moved.length) await enqueueSync(db, services.now())
}

/**
 * Creates our order, once, and returns its id; undefined when cancelled or refused. Before it is accepted, an order
 * with too little stock is refused at the platform; an accepted one is taken as it is.
 */
async function createLocalOrder(
  db: Db,
  services: Services,
  one: OrderUpdate,
  row: PlatformRow,
  known: ProductsByPlatformCode,
): Promise<string | undefined> {
  const { platform, shop, platformOrder } = one
  if (platformOrder.state === 'cancelled') return undefined
  const ask = {
    platform: platform.name,
    orderNo: platformOrder.orderNo,
    thereId: shop.id,
    shopId: shop.shopId as string,
  }
  try {
    const { id } = await db.savepoint(() => writeOrder(db, draftOf(one, known)))
    await db.update(platform.order.resource, row.id, { orderId: id })
    if (platformOrder.state === 'placed' && shop.isAutoAccepted !== false)
      await requestPlatformAction(db, { ...ask, kind: 'confirm' })
    return id
  } catch (error) {
    if (!(error instanceof Refused) || error.code !== 'order_short') throw error
    await requestPlatformAction(db, {
      ...ask,
      kind: 'cancel',
      reason: SHORT.zh,
      reasonCode: platform.order.soldOutCode,
    })
    return undefined
  }
}

function draftOf(
  { platform, shop, platformOrder }: OrderUpdate,
  known: ProductsByPlatformCode,
): Parameters<typeof writeOrder>[1] {
  const { lines, freight, isOdd } = allocatePlatformDiscounts(platformOrder)
  return {
    shopId: shop.shopId as string,
    source: platform.name,
    type: platformOrder.isPickup ? 'pickup' : 'delivery',
    status: 1,
    payType: 'platform',
    payTime: platformOrder.orderTime,
    payAmount: platformOrder.userFee,
    freight,
    transactionNo: platformOrder.orderNo,
    flags: isOdd ? ['price'] : [],
    remark: platformOrder.remark || null,
    onlyInStock: platformOrder.state === 'placed',
    deliverTo: {
      ...platformOrder.customer,
      carrier: platformOrder.isOwnDelivery ? 'self' : platform.name,
      fee: platformOrder.sendFee,
    },
    lines: lines.map(({ code, upc, name, spec, price, quantity, discount, amount, benefits }) => {
      const good = known.get(code)
      return {
        goodId: good?.goodId ?? null,
        upc,
        name,
        spec: spec || good?.spec,
        picture: good?.picture,
        price,
        listPrice: good?.listPrice,
        quantity,
        discount,
        amount,
        benefits,
      }
    }),
  }
}
