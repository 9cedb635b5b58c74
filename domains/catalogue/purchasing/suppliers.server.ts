import { hasBarcodeSql } from '#domains/catalogue/products/api.ts'
import { formatYuan } from '#kit/fields/money/cents.ts'
import { isEmptyInput, parseScaledDecimal, parseIdInput } from '#kit/fields/base/field-kind.ts'
import { f, type Resource, type RowOf } from '#kit/resource/index.ts'
import { hasPermission } from '#kit/server/base/caller.ts'
import { dataScopeSql, canReadField } from '#kit/server/database/data-scope.ts'
import { readBatch, sql, type Db } from '#kit/server/database/db.ts'
import { unitOfWorkOptionsForRead } from '#kit/server/resource/list-of.ts'
import { rejectManualCreate } from '#kit/server/resource/read-only-fields.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { inTenantOf } from '#kit/server/resource/remove-of.ts'
import { callRoute } from '#kit/server/resource/call-route.ts'
import { invalidFieldRefusal, defineRoute, serve, type Call } from '#kit/server/module/module.ts'
import { lockAgainstRemoval } from '#kit/server/resource/references.ts'
import { areReferenceableRows, handleSubmitCall, publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { requireTransition } from '#kit/server/resource/transition.ts'
import { goodInfo, listBarcodeForms, normalizeBarcode } from '#domains/catalogue/products/index.ts'
import { supplierReturnCentsSql } from '#domains/catalogue/inventory/api.ts'
import { storageBatch } from '#domains/catalogue/inventory/index.ts'
import { basicShopInfo } from '#domains/shops/shops/index.ts'
import { SUPPLIER_ORDER_STATE } from './dictionaries.ts'
import { placePurchase, type SupplierOrderLineRequest } from './place-order.ts'
import { parseArrivals, receiveDelivery } from './receive.ts'
import { findCartAndOnOrder, findReorderSuggestions } from './suggest.server.ts'
import { supplierCart } from './supplier-cart.resource.ts'
import { supplierGoodsInfo } from './supplier-goods-info.resource.ts'
import { supplierInfo } from './supplier-info.resource.ts'
import { supplierOrderDetail } from './supplier-order-detail.resource.ts'
import { supplierOrder } from './supplier-order.resource.ts'

export const supplierInfoServer = serve(supplierInfo)

export const supplierGoodsServer = serve(supplierGoodsInfo, {
  beforeSave: async (draft, was, { db }) => {
    const { upc } = draft
    if (!upc || upc === was?.upc || listBarcodeForms(upc).length < 2) return
    const supplierId = was?.supplierId ?? draft.supplierId
    // The unique index compares numbers only as written.
    await db.advisoryLock(`supplierGoods/${supplierId}/${normalizeBarcode(upc)}`)
    const twin = await db.one(sql`select 1 from supplier_goods_info where tenant_id = ${db.tenantId}
      and supplier_id = ${supplierId} and ${hasBarcodeSql(sql`upc`, upc)} and is_deleted = 0
      and id <> ${was?.id ?? '0'}`)
    if (twin) throw invalidFieldRefusal(supplierGoodsInfo, 'upc', 'taken')
  },
})

export const supplierCartServer = serve(supplierCart, {
  beforeSave: async (draft, was, { db }) => {
    if (was) return
    const supply = await db.one<{ supplierId: string; upc: string }>(
      sql`select supplier_id, upc from supplier_goods_info where tenant_id = ${db.tenantId}
        and id = ${draft.supplierGoodsId} and is_deleted = 0`,
    )
    if (!supply) throw invalidFieldRefusal(supplierCart, 'supplierGoodsId', 'not_found')
    draft.supplierId = supply.supplierId
    draft.upc = supply.upc
  },
  present: async (wire, rows, call) => {
    if (!rows.length) return
    const [found] = await readBatch(call.services.pool, unitOfWorkOptionsForRead(call), [
      sql`select r.id, r.price from supplier_goods_info r
        where r.id = any(${rows.map((row) => row.supplierGoodsId)}::bigint[])
        ${dataScopeSql(supplierGoodsInfo, call.caller)}`,
    ])
    const prices = new Map((found as { id: string; price: number }[]).map((row) => [row.id, row.price]))
    const isPriceSeen = canReadField(supplierGoodsInfo, 'price', call.caller)
    for (const [at, row] of rows.entries()) {
      if (!isPriceSeen || !prices.has(row.supplierGoodsId)) {
        Object.assign(wire[at]!, { price: -1, amount: -1 })
        continue
      }
      const price = prices.get(row.supplierGoodsId)!
      wire[at]!.price = formatYuan(price)
      wire[at]!.amount = formatYuan(price * row.quantity)
    }
  },
  actions: {
    place: async (rows, input, call) => {
      if (!rows.length) throw new Refused('cart_is_empty')
      const orders = await placeCart(call.db, rows, input.remark)
      await call.db.remove(
        supplierCart,
        rows.map((row) => row.id),
      )
      publishRowsChanged(call, supplierCart, rows)
      return {
        orders: orders.map(({ id, orderNo, shopId, supplierId, amount }) => ({
          id,
          orderNo,
          shopId,
          supplierId,
          amount: formatYuan(amount ?? 0),
        })),
      }
    },
  },
})

async function placeCart(db: Db, rows: readonly RowOf<typeof supplierCart>[], remark: string | null) {
  const groups = Map.groupBy(rows, (row) => `${row.shopId}/${row.supplierId}`)
  const orders = []
  for (const key of [...groups.keys()].toSorted()) {
    const group = groups.get(key)!
    const lines = group.map((row) => ({ supplierGoodsId: row.supplierGoodsId, quantity: row.quantity }))
    orders.push(await placePurchase(db, { shopId: group[0]!.shopId, supplierId: group[0]!.supplierId!, lines, remark }))
  }
  return orders
}

const now = (call: Call) => formatShanghaiTime(call.services.now())
type Returned = { id: string; cents: number }

/** Amount to pay for a locked order in cents: received less returned goods, plus freight. */
async function dueOf(db: Db, order: RowOf<typeof supplierOrder>): Promise<number> {
  const returned = (await db.one<Returned>(supplierReturnCentsSql([order.id])))?.cents ?? 0
  return Math.max(0, (order.receivedAmount ?? 0) - returned) + (order.freight ?? 0)
}

export const supplierOrderServer = serve(supplierOrder, {
  without: ['submit'],
  beforeSave: (draft, was) => {
    rejectManualCreate(supplierOrder, was)
    if (draft.freight !== undefined && draft.freight !== was!.freight && was!.status === SUPPLIER_ORDER_STATE.settled)
      throw new Refused('written_elsewhere', { label: supplierOrder.fields.freight.label })
    draft.freight ??= was!.freight
  },
  present: async (wire, rows, call) => {
    if (!rows.length) return
    const [found] = await readBatch(call.services.pool, unitOfWorkOptionsForRead(call), [
      supplierReturnCentsSql(rows.map((row) => row.id)),
    ])
    const returned = new Map((found as Returned[]).map(({ id, cents }) => [id, cents]))
    for (const [at, row] of rows.entries()) wire[at]!.returnedAmount = formatYuan(returned.get(row.id) ?? 0)
  },
  actions: {
    confirm: async (row, input, call) => {
      await requireTransition(call, supplierOrder, row.id, 'confirm', {
        confirmTime: now(call),
        expectDate: input.expectDate ?? row.expectDate,
        freight: input.freight ?? row.freight,
      })
    },
    ship: async (row, input, call) => {
      await requireTransition(call, supplierOrder, row.id, 'ship', {
        shipTime: now(call),
        deliveryNo: input.deliveryNo,
      })
    },
    receive: async (row, input, call) => {
      const delivery = { arrivals: parseArrivals(input.lines), isLast: input.isLast === true }
      const order = await receiveDelivery(call, row, 'receive', delivery)
      return { id: order.id, status: order.status, receivedQuantity: order.receivedQuantity }
    },
    settle: async (row, input, call) => {
      const due = await dueOf(call.db, row)
      if (input.settledAmount !== due && !input.settleRemark)
        throw new Refused(
          'settlement_differs',
          { due: formatYuan(due), amount: formatYuan(input.settledAmount) },
          { field: 'settleRemark' },
        )
      await requireTransition(call, supplierOrder, row.id, 'settle', {
        settleTime: now(call),
        settledAmount: input.settledAmount,
        settleRemark: input.settleRemark,
      })
    },
    cancel: async (row, input, call) => {
      await requireTransition(call, supplierOrder, row.id, 'cancel', { cancelReason: input.cancelReason })
    },
  },
})

export const supplierOrderDetailServer = serve(supplierOrderDetail)

const { shopId, supplierId, expectDate, freight, remark } = supplierOrder.fields
const lines = f.json({
  label: { zh: '商品', en: 'Products' },
  help: {
    zh: '[{supplierGoodsId, quantity}]；放入进货车时可带看到的车内和在途数量 inCart、onOrder，变了则不执行',
    en: '[{supplierGoodsId, quantity}]. For the cart also inCart and onOrder as seen. Rejected if they changed.',
  },
})

/** Fields of the shop's own product that a suggestion contains. */
const OF_GOODS = ['name', 'spec', 'unit', 'picture', 'stock'] as const

/** Quantities in the cart and on order as the user saw them. A request is refused if they have changed since. */
type Seen = { inCart?: number; onOrder?: number }

function parseWanted(given: unknown, least = 1): (SupplierOrderLineRequest & Seen)[] {
  const wrong = () => invalidFieldRefusal({ fields: { lines } }, 'lines', 'bad_format')
  if (isEmptyInput(given)) throw new Refused('order_lines_missing')
  if (!Array.isArray(given) || given.length > 1000) throw wrong()
  return given.map((one: unknown) => {
    const line = (typeof one === 'object' && one !== null ? one : {}) as Record<string, unknown>
    const { supplierGoodsId, quantity } = line
    const id = parseIdInput(supplierGoodsId)
    const number = parseScaledDecimal(quantity, 0)
    if ('problem' in id || id.value === null || number === undefined || number < least || number > 1_000_000)
      throw wrong()
    const seen = (key: keyof Seen) => (isEmptyInput(line[key]) ? undefined : parseScaledDecimal(line[key], 0))
    return { supplierGoodsId: id.value, quantity: number, inCart: seen('inCart'), onOrder: seen('onOrder') }
  })
}

/** Refuses when cart or open orders have changed since the user saw them, so that two people do not order the same. */
async function requireAsSeen(
  db: Db,
  shop: string,
  wanted: readonly (SupplierOrderLineRequest & Seen)[],
): Promise<void> {
  const seen = new Map(
    wanted
      .filter(({ inCart, onOrder }) => inCart !== undefined || onOrder !== undefined)
      .map((one) => [one.supplierGoodsId, one]),
  )
  if (!seen.size) return
  for (const { supplierGoodsId, name, inCart, onOrder } of await findCartAndOnOrder(db, shop, [...seen.keys()])) {
    const one = seen.get(supplierGoodsId)!
    if ((one.inCart ?? inCart) !== inCart || (one.onOrder ?? onOrder) !== onOrder)
      throw new Refused('cart_moved', { name, inCart, onOrder })
  }
}

/** Runs `work` in the tenant of a row the caller may reference; any other row is refused as not found. */
const atRow = <T>(call: Call, resource: Resource<any, any>, id: string, work: (db: Db) => Promise<T>): Promise<T> =>
  inTenantOf(call, resource, id, async (db) => {
    await requireReferenceable({ ...call, db }, resource, [id])
    return work(db)
  })

/** Locks rows against removal until the transaction ends; refuses those the caller may not reference. */
async function requireReferenceable(call: Call, resource: Resource<any, any>, ids: readonly string[]): Promise<void> {
  await lockAgainstRemoval(call.db, resource, ids)
  if (!(await areReferenceableRows(call, resource, ids))) throw new Refused('not_found', { label: resource.label })
}

/** Parses order lines; refuses supplier products the caller may not see. */
async function linesOf(call: Call, given: unknown, least?: number): Promise<(SupplierOrderLineRequest & Seen)[]> {
  const wanted = parseWanted(given, least)
  const ids = wanted.map(({ supplierGoodsId }) => supplierGoodsId)
  await requireReferenceable(call, supplierGoodsInfo, ids)
  return wanted
}

const bodyOf = (call: Call): Record<string, unknown> => {
  if (typeof call.body !== 'object' || call.body === null || Array.isArray(call.body)) throw new Refused('bad_body')
  return call.body as Record<string, unknown>
}

/**
 * Sets the quantities of a shop's cart: updates or adds lines, removes those with 0. Callers of one shop take turns.
 */
async function fillCart(
  db: Db,
  shop: string,
  wanted: readonly (SupplierOrderLineRequest & Seen)[],
): Promise<RowOf<typeof supplierCart>[]> {
  const byId = new Map(
    (await db.find(supplierGoodsInfo, sql`id = any(${wanted.map((one) => one.supplierGoodsId)}::bigint[])`)).map(
      (row) => [row.id, row],
    ),
  )
  await db.advisoryLock(`supplierCart/${shop}`)
  await requireAsSeen(db, shop, wanted)
  const kept = new Map((await db.find(supplierCart, sql`shop_id = ${shop}`)).map((row) => [row.supplierGoodsId, row]))
  const changed = []
  for (const { supplierGoodsId, quantity } of wanted) {
    const supply = byId.get(supplierGoodsId)
    if (!supply) throw new Refused('not_found', { label: supplierGoodsInfo.label })
    const was = kept.get(supplierGoodsId)
    if (!quantity) {
      if (was) await db.remove(supplierCart, [was.id])
      kept.delete(supplierGoodsId)
      continue
    }
    const row = was
      ? await db.update(supplierCart, was.id, { quantity })
      : await db.insert(supplierCart, {
          shopId: shop,
          supplierGoodsId,
          supplierId: supply.supplierId,
          upc: supply.upc,
          quantity,
        })
    kept.set(supplierGoodsId, row)
    changed.push(row)
  }
  return changed
}

type DueLine = {
  detailId: string
  orderId: string
  orderNo: string
  supplierName: string
  due: number
  was: number
  price: number
  expectDate: string | null
}

/** Returns the order lines of a product that are not fully received, oldest order first. */
const dueOfGoods = (db: Db, goodId: string): Promise<DueLine[]> =>
  db.query(sql`select d.id as detail_id, o.id as order_id, o.order_no, i.name as supplier_name,
      (d.quantity - coalesce(d.received_quantity, 0))::int as due, coalesce(d.received_quantity, 0)::int as was,
      d.price, o.expect_date::text as expect_date
    from supplier_order_detail d join supplier_order o on o.tenant_id = d.tenant_id and o.id = d.order_id
      and o.status in (0, 1, 2)
    join supplier_info i on i.tenant_id = o.tenant_id and i.id = o.supplier_id
    where d.tenant_id = ${db.tenantId} and d.good_id = ${goodId} and d.quantity > coalesce(d.received_quantity, 0)
    order by o.create_time, o.id, d.sort`)

const { quantity, productionDate, expiryDate, batchNo, remark: batchRemark } = storageBatch.fields
const goodOf = f.ref('goodInfo', { label: goodInfo.label, required: true })

/** Receives scanned pieces of a purchase order line into stock at the agreed price. Confirms an unconfirmed order. */
async function receiveScanned(
  call: Call,
  input: {
    detailId: string
    quantity: number
    was: number
    productionDate: string | null
    expiryDate: string | null
    batchNo: string | null
    remark: string | null
  },
): Promise<RowOf<typeof supplierOrder>> {
  const { db } = call
  const line = await db.get(supplierOrderDetail, input.detailId)
  const order = line && (await db.get(supplierOrder, line.orderId!, 'forUpdate'))
  if (!order) throw new Refused('not_found', { label: supplierOrderDetail.label })
  await requireReferenceable(call, supplierOrder, [order.id])
  const isOpen =
    order.status === SUPPLIER_ORDER_STATE.placed ||
    order.status === SUPPLIER_ORDER_STATE.confirmed ||
    order.status === SUPPLIER_ORDER_STATE.shipped
  if (!isOpen) throw new Refused('received_meanwhile', { name: line.name, received: line.receivedQuantity ?? 0 })
  const known =
    order.status === SUPPLIER_ORDER_STATE.placed
      ? await db.update(supplierOrder, order.id, { confirmTime: now(call) })
      : order
  return receiveDelivery(call, known, 'receiveScanned', { arrivals: [input], isLast: false })
}

const cover = f.number({ label: { zh: '备货天数', en: 'Days to cover' }, min: 1, max: 60, default: 7 })

export const supplierOrderRoutes = [
  defineRoute({
    method: 'GET',
    path: '/api/supplier/supplierOrder/due',
    title: { zh: '商品的在途采购', en: 'Open purchase orders for products' },
    can: 'storageBatch_add',
    input: { goodId: goodOf },
    handle: (call) =>
      atRow(call, goodInfo, call.input.goodId, async (db) =>
        (await dueOfGoods(db, call.input.goodId)).map((one) => ({ ...one, price: formatYuan(one.price) })),
      ),
  }),
  defineRoute({
    method: 'POST',
    path: '/api/supplier/supplierOrder/receiveScanned',
    title: { zh: '扫码收采购单的货', en: 'Receive purchase order by scan' },
    can: 'storageBatch_add',
    // Approval rules for receiving or for stock receipts apply here too.
    comesTo: () => [`${supplierOrder.path}/receive`, `${storageBatch.path}/submit`],
    input: {
      detailId: f.ref('supplierOrderDetail', { label: supplierOrderDetail.label, required: true }),
      quantity,
      was: f.number({ label: { zh: '之前已收', en: 'Received before' }, required: true, min: 0 }),
      productionDate,
      expiryDate,
      batchNo,
      remark: batchRemark,
    },
    handle: (call) => {
      const { input } = call
      return inTenantOf(call, supplierOrderDetail, input.detailId, async (db) => {
        const { id, orderNo, status, receivedQuantity } = await receiveScanned({ ...call, db }, input)
        return { id, orderNo, status, receivedQuantity }
      })
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/api/supplier/supplierOrder/submit',
    title: { zh: '下采购单', en: 'Place purchase order' },
    can: ['supplierOrder_add', 'supplierOrder_edit'],
    input: {
      shopId: { ...shopId, required: false },
      supplierId: { ...supplierId, required: false },
      lines,
      expectDate,
      freight: f.money({ label: freight.label, max: freight.max }),
      remark,
    },
    handle: async (call) => {
      const body = bodyOf(call)
      if (!isEmptyInput(body.id) && String(body.id) !== '-1') return handleSubmitCall(supplierOrderServer, call)
      if (!hasPermission(call.caller, 'supplierOrder_add')) throw new Refused('forbidden')
      const { input } = call
      for (const key of ['shopId', 'supplierId'] as const)
        if (!input[key]) throw invalidFieldRefusal(supplierOrder, key, 'required')
      const { shopId: shop, supplierId: supplier, ...terms } = input
      const order = await atRow(call, basicShopInfo, shop, async (db) => {
        await requireReferenceable({ ...call, db }, supplierInfo, [supplier])
        return placePurchase(db, {
          ...terms,
          shopId: shop,
          supplierId: supplier,
          lines: await linesOf({ ...call, db }, input.lines),
        })
      })
      return { id: order.id, orderNo: order.orderNo }
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/api/supplier/supplierOrder/update',
    title: { zh: '修改采购单', en: 'Update purchase order' },
    can: 'supplierOrder_edit',
    documentedInput: {
      id: f.ref('supplierOrder', { label: supplierOrder.label, required: true }),
      expectDate,
      freight,
      remark,
    },
    handle: (call) => {
      if (isEmptyInput(bodyOf(call).id)) throw new Refused('not_found', { label: supplierOrder.label })
      return handleSubmitCall(supplierOrderServer, call)
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/supplier/supplierCart/suggest',
    title: { zh: '建议订货', en: 'Order suggestions' },
    can: 'supplierCart',
    input: { shopId: { ...shopId, required: true }, coverDays: cover },
    handle: async (call) => {
      const rows = await atRow(call, basicShopInfo, call.input.shopId, (db) =>
        findReorderSuggestions(db, call.input.shopId, call.input.coverDays ?? 7, call.services.now()),
      )
      const isHidden = (key: keyof typeof goodInfo.fields) => !canReadField(goodInfo, key, call.caller)
      const hidden = Object.fromEntries(OF_GOODS.filter(isHidden).map((key) => [key, '']))
      return rows.map((row) => ({
        ...row,
        price: formatYuan(row.price),
        perDay: Math.round(row.perDay * 10) / 10,
        lastsDays: isHidden('stock') ? '' : (row.lastsDays ?? ''),
        available: row.available ?? '',
        minAmount: formatYuan(row.minAmount),
        freight: formatYuan(row.freight),
        ...hidden,
      }))
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/api/supplier/supplierCart/fill',
    title: { zh: '放入进货车', en: 'Add to purchase cart' },
    can: 'supplierCart_add',
    input: {
      shopId: { ...shopId, required: true },
      lines: { ...lines, required: true },
      orderFrom: f.refs(supplierInfo.name, {
        label: { zh: '立即下单的供应商', en: 'Suppliers to order from now' },
      }),
    },
    handle: (call) => {
      const { input } = call
      return atRow(call, basicShopInfo, input.shopId, async (db) => {
        const inside = { ...call, db }
        const changed = await fillCart(db, input.shopId, await linesOf(inside, input.lines, 0))
        publishRowsChanged({ db }, supplierCart, changed)
        const requested = changed.filter((row) => input.orderFrom?.includes(row.supplierId!))
        // Same transaction, so that no other change of the cart comes between.
        if (requested.length)
          return callRoute(inside, `${supplierCart.path}/place`, {
            query: { ids: requested.map(({ id }) => id).join(',') },
          })
        return { count: changed.length, ids: changed.map((row) => row.id) }
      })
    },
  }),
]
