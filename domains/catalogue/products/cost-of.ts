/** What so many pieces cost, in cents, by what one did (`pieceCostSql`); null where their cost is unknown. */
export const costOf = (pieces: number, cost: number | null): number | null =>
  cost === null ? null : Math.round(pieces * cost)
