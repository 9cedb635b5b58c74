import { sql, type Db, type Sql } from '#kit/server/database/db.ts'
import { formsOf, labelOf } from './barcode.ts'

/** Rows whose barcode is one of these, in whichever form it was entered; asked on the column's index. */
export const hasLabel = (column: Sql, upcs: string | readonly string[]): Sql =>
  sql`${column} = any(${[...new Set([upcs].flat().flatMap(formsOf))]}::text[])`

/** What two columns of barcodes are compared, joined and counted by (`labelOf`). */
export const labelColumn = (column: Sql): Sql =>
  sql`case when ${column} ~ '^0[0-9]{12}$' then substr(${column}, 2) else ${column} end`

/**
 * The forms a label may have been entered in, as `forms` of a row to join: `column = any(x.forms)` asks for few labels
 * among many rows by the column's index. Reckoned apart (`offset 0`): with patterns in the same condition, row level
 * security keeps it from the index.
 */
export const labelForms = (upc: Sql): Sql =>
  sql`lateral (select array[${upc}, case when ${upc} ~ '^0[0-9]{12}$' then substr(${upc}, 2)
    when ${upc} ~ '^[0-9]{12}$' then '0' || ${upc} else ${upc} end] as forms offset 0)`

/** Whether a column's barcode is a form of the label `forms` of a joined row (`labelForms`) stands for. */
export const isFormOf = (column: Sql, forms: Sql): Sql => sql`${column} = any(${forms})`

/** Whether two columns are of one label; many rows are hashed by it, no index is used. */
export const sameLabel = (one: Sql, other: Sql): Sql => sql`${labelColumn(one)} = ${labelColumn(other)}`

/**
 * Whoever adds goods to a shop under a form of these labels waits here for each other: the index knows a number as it
 * is written. Those with one form are its.
 */
export async function lockLabels(db: Db, shopId: string, upcs: readonly string[]): Promise<void> {
  const labels = new Set(upcs.filter((upc) => formsOf(upc).length > 1).map(labelOf))
  for (const label of [...labels].sort()) await db.advisoryLock(`goods/${shopId}/${label}`)
}
