import { sql, type Sql } from '#kit/server/database/db.ts'
import { formsOf } from './barcode.ts'

/** Rows whose barcode is one of these, in whichever form it was entered; asked on the column's index. */
export const hasLabel = (column: Sql, upcs: string | readonly string[]): Sql =>
  sql`${column} = any(${[...new Set([upcs].flat().flatMap(formsOf))]}::text[])`

/** What two columns of barcodes are compared, joined and counted by (`labelOf`). */
export const labelColumn = (column: Sql): Sql =>
  sql`case when ${column} ~ '^0[0-9]{12}$' then substr(${column}, 2) else ${column} end`

export const sameLabel = (one: Sql, other: Sql): Sql => sql`${labelColumn(one)} = ${labelColumn(other)}`
