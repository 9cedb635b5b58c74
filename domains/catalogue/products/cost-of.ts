/**
 * Returns the cost of so many pieces in cents, rounded, from the cost of one (`pieceCostSql`); null if that is unknown.
 */
export const costOf = (pieces: number, cost: number | null): number | null =>
  cost === null ? null : Math.round(pieces * cost)
