import { sql, type Sql } from '#kit/server/database/db.ts'

/**
 * What a piece that was lost, spoilt or found cost, in cents: what its batch did, else its goods; of both the alias of
 * their table. Null where nobody entered it, and never the price: a price says nothing of what was paid.
 */
export const pieceCost = (good: Sql, batch?: Sql): Sql =>
  batch ? sql`coalesce(${batch}.cost_price, ${good}.cost_price)` : sql`${good}.cost_price`

/** What so many pieces cost, in cents; null where their cost is unknown. */
export const costOf = (pieces: number, cost: number | null): number | null =>
  cost === null ? null : Math.round(pieces * cost)
