import { sql, type Db, type Sql } from '#kit/server/database/db.ts'
import { listBarcodeForms, normalizeBarcode } from './barcode.ts'

/** Rows whose barcode is one of these, in whichever form it was entered; asked on the column's index. */
export const hasBarcodeSql = (column: Sql, upcs: string | readonly string[]): Sql =>
  sql`${column} = any(${[...new Set([upcs].flat().flatMap(listBarcodeForms))]}::text[])`

/** What two columns of barcodes are compared, joined and counted by (`labelOf`). */
export const normalizedBarcodeSql = (column: Sql): Sql =>
  sql`case when ${column} ~ '^0[0-9]{12}$' then substr(${column}, 2) else ${column} end`

/**
 * Joins a shop's goods as `g` to rows with a barcode, for few rows: those of the same label, in whichever form either
 * was entered; nothing where the shop has none. The index of the goods is asked for the forms, which are reckoned apart
 * (`offset 0`): with patterns in the same condition, row level security keeps it from the index.
 */
export const joinGoodsByLabel = (db: Db, shopId: string, upc: Sql): Sql =>
  sql`cross join lateral (select array[${upc}, case when ${upc} ~ '^0[0-9]{12}$' then substr(${upc}, 2)
      when ${upc} ~ '^[0-9]{12}$' then '0' || ${upc} else ${upc} end] as forms offset 0) label
    left join good_info g on g.tenant_id = ${db.tenantId} and g.shop_id = ${shopId} and g.upc = any(label.forms)
      and g.is_deleted = 0`

/** Whether two columns are of one label; many rows are hashed by it, no index is used. */
export const sameBarcodeSql = (one: Sql, other: Sql): Sql =>
  sql`${normalizedBarcodeSql(one)} = ${normalizedBarcodeSql(other)}`

/**
 * Whoever adds goods to a shop under a form of these labels waits here for each other: the index knows a number as it
 * is written. Those with one form are its.
 */
export async function lockBarcodes(db: Db, shopId: string, upcs: readonly string[]): Promise<void> {
  const labels = new Set(upcs.filter((upc) => listBarcodeForms(upc).length > 1).map(normalizeBarcode))
  for (const label of [...labels].sort()) await db.advisoryLock(`goods/${shopId}/${label}`)
}
