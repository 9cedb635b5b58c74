import { sql, type Db, type Sql } from '#kit/server/database/db.ts'
import { listBarcodeForms, normalizeBarcode } from './barcode.ts'

/** SQL condition for rows with one of these barcodes in any of its forms; uses the index of the column. */
export const hasBarcodeSql = (column: Sql, upcs: string | readonly string[]): Sql =>
  sql`${column} = any(${[...new Set([upcs].flat().flatMap(listBarcodeForms))]}::text[])`

/**
 * SQL expression by which barcode columns are compared, joined and grouped: EAN-13 numbers with a leading zero as
 * UPC-A.
 */
export const normalizedBarcodeSql = (column: Sql): Sql =>
  sql`case when ${column} ~ '^0[0-9]{12}$' then substr(${column}, 2) else ${column} end`

/**
 * Left-joins the products of a shop as `g` to rows with the barcode `upc`, in any form of the label. For few rows: uses
 * the product index for each. The forms are computed in a subquery (`offset 0`), because with the patterns in the same
 * condition row level security prevents the use of the index.
 */
export const joinGoodsByLabel = (db: Db, shopId: string, upc: Sql): Sql =>
  sql`cross join lateral (select array[${upc}, case when ${upc} ~ '^0[0-9]{12}$' then substr(${upc}, 2)
      when ${upc} ~ '^[0-9]{12}$' then '0' || ${upc} else ${upc} end] as forms offset 0) label
    left join good_info g on g.tenant_id = ${db.tenantId} and g.shop_id = ${shopId} and g.upc = any(label.forms)
      and g.is_deleted = 0`

/** SQL condition whether two barcode columns are of the same label. For many rows: joins by hash, without an index. */
export const sameBarcodeSql = (one: Sql, other: Sql): Sql =>
  sql`${normalizedBarcodeSql(one)} = ${normalizedBarcodeSql(other)}`

/**
 * Serializes adding products with these labels to a shop, as the unique index compares numbers only as written. Labels
 * with a single form need no lock.
 */
export async function lockBarcodes(db: Db, shopId: string, upcs: readonly string[]): Promise<void> {
  const labels = new Set(upcs.filter((upc) => listBarcodeForms(upc).length > 1).map(normalizeBarcode))
  for (const label of [...labels].sort()) await db.advisoryLock(`goods/${shopId}/${label}`)
}
