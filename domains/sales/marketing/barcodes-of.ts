import { sql, type Db } from '#kit/server/database/db.ts'

/**
 * Returns the sorted barcodes of products, since each shop has a product of its own under the same barcode. Locks the
 * products (`for share`): their barcodes stay until the caller's row is stored and follows changes
 * (`follow-barcodes.ts`).
 */
export async function findBarcodesOfGoods(db: Db, goodIds: readonly string[] | null | undefined): Promise<string[]> {
  if (!goodIds?.length) return []
  const rows = await db.query<{ upc: string }>(
    sql`select upc from good_info where tenant_id = ${db.tenantId} and id = any(${goodIds}::bigint[])
      order by id for share`,
  )
  return [...new Set(rows.map((row) => row.upc))].sort()
}
