import { sql, type Db } from '#kit/server/database/db.ts'

/**
 * The barcodes of chosen goods: what is meant in every shop, while each shop keeps goods of its own. They stay as they
 * are until the row that keeps them is there to follow (`follow-barcodes.ts`).
 */
export async function findBarcodesOfGoods(db: Db, goodIds: readonly string[] | null | undefined): Promise<string[]> {
  if (!goodIds?.length) return []
  const rows = await db.query<{ upc: string }>(
    sql`select upc from good_info where tenant_id = ${db.tenantId} and id = any(${goodIds}::bigint[])
      order by id for share`,
  )
  return [...new Set(rows.map((row) => row.upc))].sort()
}
