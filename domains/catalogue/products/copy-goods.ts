import { hasBarcodeSql } from './labels.ts'
import { fieldEntries } from '#kit/fields/base/field-kind.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { PendingApproval } from '#kit/server/request/approval-gate.ts'
import { toWire } from '#kit/server/request/parse-input.ts'
import { findServedResource } from '#kit/server/resource/custom-fields.ts'
import { callRoute } from '#kit/server/resource/call-route.ts'
import type { Call } from '#kit/server/module/module.ts'
import type { RowOf } from '#kit/resource/index.ts'
import { goodInfo } from './good-info.resource.ts'

type Goods = RowOf<typeof goodInfo>

/**
 * Fields that are not copied to other shops. Stock, sales and platform data are in no form and are not copied either.
 */
const OF_ITS_SHOP = new Set(['shopId', 'shelfNo', 'goodTypeId'])

/**
 * Copies a product to other shops by calling the submit route of its form for each. Skips shops that have the barcode.
 * Returns the numbers of shops made and skipped, or the pending approval when adding products needs one.
 */
export async function copyGoodsToShops(good: Goods, shopIds: readonly string[], call: Call) {
  const { db } = call
  // Sorted, so that two callers lock shops in the same order.
  const wanted = [...new Set(shopIds)].sort()
  const [have, types] = [await shopsWith(db, good.upc, wanted), await matchingTypes(db, good.goodTypeId, wanted)]
  const given = whatIsCopied(good, call)
  let made = 0
  let held: PendingApproval | undefined
  for (const shopId of wanted) {
    if (have.has(shopId)) continue
    const body = { ...given, shopId, goodTypeId: types.get(shopId) ?? '' }
    const answer = await added(body, call)
    if (answer instanceof PendingApproval) held ??= answer
    else if (answer) made++
  }
  return held ?? { made, skipped: wanted.length - made }
}

function whatIsCopied(good: Goods, { services, caller, db }: Call): Record<string, unknown> {
  const { fields } = findServedResource(goodInfo.name, { services, caller })!.resource
  const wire = toWire(fields, good)
  const keys = fieldEntries(fields)
    .filter(([key, { form = 'edit' }]) => ['edit', 'add'].includes(form) && !OF_ITS_SHOP.has(key))
    .filter(([key]) => (good as Record<string, unknown>)[key] !== null)
    .map(([key]) => key)
  return {
    ...Object.fromEntries(keys.map((key) => [key, wire[key]])),
    ...(caller.isPlatform && { tenantId: db.tenantId }),
  }
}

/** Submits the copy; undefined if somebody else has added the product to the shop meanwhile. */
async function added(body: Record<string, unknown>, call: Call): Promise<unknown> {
  try {
    return await call.db.savepoint(() => callRoute(call, `${goodInfo.path}/submit`, { body }))
  } catch (error) {
    if (error instanceof Refused && error.code === 'taken') return undefined
    throw error
  }
}

async function shopsWith(db: Db, upc: string, shopIds: readonly string[]): Promise<Set<string>> {
  const rows = await db.query<{ shopId: string }>(
    sql`select shop_id from good_info where tenant_id = ${db.tenantId} and ${hasBarcodeSql(sql`upc`, upc)}
      and shop_id = any(${shopIds}::bigint[]) and is_deleted = 0`,
  )
  return new Set(rows.map(({ shopId }) => shopId))
}

/**
 * Returns the product type for each shop: a type common to all shops stays, a shop's own type is replaced by the other
 * shop's or the common type of the same name. Shops without a match are missing.
 */
async function matchingTypes(
  db: Db,
  typeId: string | null,
  shopIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (!typeId) return new Map()
  const rows = await db.query<{ shopId: string; typeId: string }>(
    sql`select distinct on (s.id) s.id as shop_id, o.id as type_id
      from good_type t cross join unnest(${shopIds}::bigint[]) s(id)
      join good_type o on o.tenant_id = t.tenant_id and o.is_deleted = 0
        and (o.id = t.id and o.shop_id is null or o.name = t.name and t.shop_id is not null
          and (o.shop_id = s.id or o.shop_id is null))
      where t.tenant_id = ${db.tenantId} and t.id = ${typeId} and t.is_deleted = 0
      order by s.id, o.shop_id nulls last, o.id`,
  )
  return new Map(rows.map((row) => [row.shopId, row.typeId]))
}
