import { sql, type Sql } from '#kit/server/database/db.ts'

/**
 * What a piece that was lost, spoilt or found cost, in cents: what its batch did, else its goods; of both the alias of
 * their table. Null where nobody entered it, and never the price: a price says nothing of what was paid.
 */
export const pieceCostSql = (good: Sql, batch?: Sql): Sql =>
  batch ? sql`coalesce(${batch}.cost_price, ${good}.cost_price)` : sql`${good}.cost_price`
