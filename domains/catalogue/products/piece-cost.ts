import { sql, type Sql } from '#kit/server/database/db.ts'

/**
 * SQL expression for the cost of one piece in cents, of goods lost, spoilt or found: that of the batch, else of the
 * product; takes the table aliases. Null when unknown; never the sale price, which does not show what was paid.
 */
export const pieceCostSql = (good: Sql, batch?: Sql): Sql =>
  batch ? sql`coalesce(${batch}.cost_price, ${good}.cost_price)` : sql`${good}.cost_price`
