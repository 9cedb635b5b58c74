import { lowStockSql } from '#domains/catalogue/products/api.ts'
import { goodInfo } from '#domains/catalogue/products/index.ts'
import { storageBatch } from '#domains/catalogue/inventory/index.ts'
import { notPracticeTenantSql } from '#domains/platform/system/api.ts'
import { hasPermission } from '#kit/server/base/caller.ts'
import { dataScopeSql, canReadField } from '#kit/server/database/data-scope.ts'
import { empty, raw, sql, type Sql } from '#kit/server/database/db.ts'
import type { Call } from '#kit/server/module/module.ts'
import { notDeletedSql, tableNameSql } from '#kit/server/database/row-sql.ts'
import type { Resource } from '#kit/resource/index.ts'

/**
 * Returns `from … where …` for the rows of a resource (alias `r`) the caller may see; no rows without its permission.
 */
export function fromVisibleRowsSql(call: Call, resource: Resource<any, any>): Sql {
  const ofTenant = call.caller.isPlatform ? notPracticeTenantSql('r') : sql` and r.tenant_id = ${call.caller.tenantId}`
  const allowed = hasPermission(call.caller, resource.code) ? empty : sql` and false`
  return sql`from ${tableNameSql(resource)} r where
    true${ofTenant}${notDeletedSql(resource)}${dataScopeSql(resource, call.caller)}${allowed}`
}

/** Selects the present stock of the shops: at cost by batch, and at sale price. */
export function stockValueSql(call: Call, shopIds: readonly string[] | undefined): Sql {
  const ofShops = shopIds ? sql` and r.shop_id = any(${shopIds}::bigint[])` : empty
  // Prices the caller may not read are not summed either.
  const price = canReadField(goodInfo, 'salePrice', call.caller) ? sql`r.sale_price` : sql`0`
  const cost = canReadField(storageBatch, 'costPrice', call.caller) ? sql`r.cost_price` : sql`0`
  return sql`select count(*)::int as goods, coalesce(sum(r.stock), 0) as items,
    coalesce(sum(r.stock * ${price}), 0) as price,
    (count(*) filter (where r.on_sale and ${raw(lowStockSql('r'))}))::int as low,
    (select coalesce(sum(r.remaining * ${cost}), 0) ${fromVisibleRowsSql(call, storageBatch)}${ofShops}
      and r.remaining <> 0
    and exists (select 1 from good_info g where g.id = r.good_id and g.tenant_id = r.tenant_id
    and g.is_deleted = 0)) as cost
    ${fromVisibleRowsSql(call, goodInfo)}${ofShops}`
}
