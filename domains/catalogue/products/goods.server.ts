import { formatYuan } from '#kit/fields/money/cents.ts'
import { MANAGEMENT_TENANT } from '#kit/server/base/caller.ts'
import { nestByParent } from '#kit/server/resource/trees.ts'
import { dataScopeSql, canReadField } from '#kit/server/database/data-scope.ts'
import { empty, raw, readBatch, sql, awaitBatch, type Db } from '#kit/server/database/db.ts'
import { unitOfWorkOptionsForRead, referenceableRowsSql } from '#kit/server/resource/list-of.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { invalidFieldRefusal, defineRoute, serve, type Call } from '#kit/server/module/module.ts'
import { areReferenceableRows, publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import { f, type PatchOf, type RowOf } from '#kit/resource/index.ts'
import { basicShopInfo } from '#domains/shops/shops/index.ts'
import { findShopConf } from '#domains/shops/shops/api.ts'
import { listBarcodeForms, normalizeBarcode } from './barcode.ts'
import { barcodes } from './barcodes.resource.ts'
import { copyGoodsToShops } from './copy-goods.ts'
import { goodInfo } from './good-info.resource.ts'
import { goodType } from './good-type.resource.ts'
import { hasBarcodeSql, lockBarcodes } from './labels.ts'
import { lowStockSql } from './low-stock.ts'
import { recordPriceChange } from './prices.ts'

type Goods = RowOf<typeof goodInfo>

/** Refuses a member price above the sale price. */
function requireVipPriceBelow(draft: PatchOf<typeof goodInfo>, was: Goods | undefined): void {
  const price = draft.salePrice ?? was?.salePrice ?? 0
  const vipPrice = draft.vipPrice === undefined ? was?.vipPrice : draft.vipPrice
  if (typeof vipPrice === 'number' && vipPrice > price)
    throw invalidFieldRefusal(goodInfo, 'vipPrice', 'too_large', { max: formatYuan(price) })
}

/** Locks the product type against removal; refuses one of another shop. */
async function requireTypeOfShop(db: Db, typeId: string, shopId: string): Promise<void> {
  const type = await db.one<{ shopId: string | null; name: string }>(
    sql`select shop_id, name from good_type where id = ${typeId} and tenant_id = ${db.tenantId}
      and is_deleted = 0 for share`,
  )
  if (!type) throw invalidFieldRefusal(goodInfo, 'goodTypeId', 'not_found')
  if (type.shopId && type.shopId !== shopId) throw new Refused('type_of_other_shop', { name: type.name })
}

/**
 * Refuses a barcode the shop already has, and names the product to callers who may read it. For other callers the
 * unique index refuses, as it does when two add the barcode at once.
 */
async function requireFreeBarcode(
  upc: string | null | undefined,
  shopId: string | null | undefined,
  was: Goods | undefined,
  call: Call,
): Promise<void> {
  const { caller, db } = call
  if (!upc || (upc === was?.upc && shopId === was?.shopId)) return
  const isOneOfForms = listBarcodeForms(upc).length > 1
  await lockBarcodes(db, shopId ?? '', [upc])
  const isNamed = canReadField(goodInfo, 'name', caller)
  if (!isNamed && !isOneOfForms) return
  const twin = await db.one<{ id: string; name: string }>(
    sql`select r.id, r.name from good_info r where r.tenant_id = ${db.tenantId} and r.shop_id = ${shopId}
      and ${hasBarcodeSql(sql`r.upc`, upc)} and r.is_deleted = 0 and r.id <> ${was?.id ?? '0'}${
        isOneOfForms ? empty : referenceableRowsSql(call, goodInfo)
      }`,
  )
  if (!twin) return
  const field = goodInfo.fields.upc
  if (isOneOfForms && !(isNamed && (await areReferenceableRows(call, goodInfo, [twin.id]))))
    throw new Refused('taken', { label: field.label }, { problems: { upc: { problem: { code: 'taken' }, field } } })
  const problem = { code: 'taken', words: barcodeOf, params: { name: twin.name } } as const
  throw new Refused('taken', { label: field.label }, { problems: { upc: { problem, field } } })
}

const barcodeOf = {
  zh: '{label}已存在：本店商品“{name}”',
  en: '{label} already exists in this store: “{name}”',
}

async function setOnSale(rows: Goods[], onSale: boolean, call: Call): Promise<void> {
  const changed = []
  for (const row of rows) if (row.onSale !== onSale) changed.push(await call.db.update(goodInfo, row.id, { onSale }))
  if (changed.length) publishRowsChanged(call, goodInfo, changed)
}

export const goodInfoServer = serve(goodInfo, {
  // Lists the products that the home page counts as low.
  where: ({ query }) => (query.isLow === 'true' ? sql` and ${raw(lowStockSql('r'))}` : sql``),
  beforeSave: async (draft, was, call) => {
    requireVipPriceBelow(draft, was)
    if (draft.goodTypeId === '0') draft.goodTypeId = null
    if (draft.goodTypeId) await requireTypeOfShop(call.db, draft.goodTypeId, (draft.shopId ?? was?.shopId)!)
    const [conf] = await awaitBatch([
      was ? undefined : findShopConf(call.db, draft.shopId!),
      requireFreeBarcode(draft.upc ?? was?.upc, draft.shopId ?? was?.shopId, was, call),
    ])
    if (!was) draft.lowStock ??= conf?.lowStockThreshold ?? 0
  },
  afterSave: async (row, was, call) => {
    await recordPriceChange(call.db, was, row)
  },
  beforeRemove: (rows) => {
    const stocked = rows.find((row) => (row.stock ?? 0) !== 0)
    if (stocked) throw new Refused('good_has_stock', { name: stocked.name })
  },
  above: ['correct', 'stocktake', 'loss', 'printLabels'],
  actions: {
    copyTo: (row, { shopIds }, call) => copyGoodsToShops(row, shopIds, call),
    putOnSale: (rows, _input, call) => setOnSale(rows, true, call),
    takeOffSale: (rows, _input, call) => setOnSale(rows, false, call),
  },
})

export const barcodesServer = serve(barcodes, {
  beforeSave: async (draft, was, { db }) => {
    const { upc } = draft
    if (was || !upc || listBarcodeForms(upc).length < 2) return
    await db.advisoryLock(`barcodes/${normalizeBarcode(upc)}`)
    const twin = await db.one(sql`select 1 from barcodes where tenant_id = ${db.tenantId}
      and ${hasBarcodeSql(sql`upc`, upc)} and is_deleted = 0`)
    if (twin) throw invalidFieldRefusal(barcodes, 'upc', 'taken')
  },
})

const DEPTH_MAX = 8

async function requireNoCycle(db: Db, id: string | undefined, parentId: string, shopId: string | null): Promise<void> {
  let at = parentId
  for (let depth = 1; at !== '0'; depth++) {
    if (at === id) throw new Refused(depth === 1 ? 'parent_is_self' : 'parent_is_descendant')
    const parent = await db.one<{ parentId: string | null; shopId: string | null; name: string }>(
      sql`select parent_id, shop_id, name from good_type where id = ${at} and tenant_id = ${db.tenantId}
        and is_deleted = 0`,
    )
    if (!parent || depth > DEPTH_MAX) throw invalidFieldRefusal(goodType, 'parentId', 'not_found')
    if (parent.shopId && parent.shopId !== shopId) throw new Refused('type_of_other_shop', { name: parent.name })
    at = parent.parentId ?? '0'
  }
}

export const goodTypeServer = serve(goodType, {
  // Everybody may read the tenant's common types; people limited to shops may change only types of their shops.
  where: ({ caller, request }) => {
    const shops = caller.limits.shop as string[] | undefined
    if (!shops) return sql``
    return request.method === 'GET'
      ? sql` and (r.shop_id is null or r.shop_id = any(${shops}::bigint[]))`
      : sql` and r.shop_id = any(${shops}::bigint[])`
  },
  beforeSave: async (draft, was, call) => {
    const shopId = was ? was.shopId : (draft.shopId ?? null)
    if (!was && draft.parentId === null) draft.parentId = '0'
    // Serializes changes of the tree: two moves at once could form a cycle.
    await call.db.advisoryLock('goodType/tree')
    if (draft.parentId) await requireNoCycle(call.db, was?.id, draft.parentId, shopId)
    if (draft.name || draft.parentId) await requireFreeName(call.db, was, { ...was, ...draft, shopId })
  },
  beforeRemove: async (rows, call) => {
    await call.db.advisoryLock('goodType/tree')
    const ids = rows.map((row) => row.id)
    const child = await call.db.one(
      sql`select 1 from good_type where tenant_id = ${call.db.tenantId} and parent_id = any(${ids}::bigint[])
        and is_deleted = 0 and not id = any(${ids}::bigint[]) limit 1`,
    )
    if (child) throw new Refused('has_children')
  },
})

/** Refuses a name its siblings already have. The unique index does not cover types without a shop (null). */
async function requireFreeName(
  db: Db,
  was: { id: string } | undefined,
  wanted: { name?: string | null; parentId?: string | null; shopId: string | null },
): Promise<void> {
  const taken = await db.one(sql`select 1 from good_type where tenant_id = ${db.tenantId} and is_deleted = 0
      and name = ${wanted.name ?? ''} and coalesce(parent_id, 0) = ${wanted.parentId ?? '0'}
    and shop_id is not distinct from ${wanted.shopId}::bigint and id <> ${was?.id ?? '0'}`)
  if (taken) throw invalidFieldRefusal(goodType, 'name', 'taken')
}

type Node = {
  id: string
  parentId: string
  title: string
  key: string
  value: string
  shopId: string
  sort: number
  children?: Node[]
}

async function treeOf(call: Call<{ shopId: string | null }>): Promise<Node[]> {
  const shops = call.caller.limits.shop as string[] | undefined
  const ofShop = call.input.shopId ? sql` and (r.shop_id is null or r.shop_id = ${call.input.shopId})` : sql``
  const limited = shops ? sql` and (r.shop_id is null or r.shop_id = any(${shops}::bigint[]))` : sql``
  const ofTenant = call.caller.isPlatform ? sql`` : sql` and r.tenant_id = ${call.caller.tenantId}`
  const [rows] = await readBatch(call.services.pool, unitOfWorkOptionsForRead(call), [
    sql`select r.id, coalesce(r.parent_id, 0)::text as parent_id, r.name, r.shop_id, coalesce(r.sort, 0) as sort
      from good_type r where r.is_deleted = 0${ofTenant}${ofShop}${limited}${dataScopeSql(goodType, call.caller)}
      order by sort, r.id limit 5000`,
  ])
  return nestByParent(
    (rows as { id: string; parentId: string; name: string; shopId: string | null; sort: number }[]).map(
      ({ name, shopId, ...row }): Node => ({ ...row, title: name, key: row.id, value: row.id, shopId: shopId ?? '' }),
    ),
  )
}

export const goodsRoutes = [
  defineRoute({
    method: 'GET',
    path: '/api/shop/goodType/tree',
    title: { zh: '商品分类树', en: 'Category tree' },
    can: ['goodType', 'goodInfo'],
    tx: false,
    input: { shopId: f.ref('basicShopInfo', { label: basicShopInfo.label }) },
    handle: treeOf,
  }),
  defineRoute({
    method: 'GET',
    path: '/api/shop/barcodes/find',
    title: { zh: '按条码查找', en: 'Find by barcode' },
    can: ['barcodes', 'goodInfo_add', 'goodInfo_edit'],
    input: { upc: f.text({ label: barcodes.fields.upc.label, required: true, max: 13 }) },
    handle: async ({ db, input }) => {
      const row =
        await db.one(sql`select upc, name, coalesce(spec, '') as spec, coalesce(brand, '') as brand, coalesce(unit,
          '') as unit, coalesce(picture, '') as picture,
        coalesce(to_char(suggest_price / 100.0, 'FM999999990.00'), '') as suggest_price, coalesce(category,
        '') as category
        from barcodes where ${hasBarcodeSql(sql`upc`, input.upc)} and is_deleted = 0
        and tenant_id in (${db.tenantId}, ${MANAGEMENT_TENANT})
        order by tenant_id = ${db.tenantId} desc, upc = ${input.upc} desc limit 1`)
      return row ?? {}
    },
  }),
]
