/** Least previous count for a percentage: 5 orders after 1 are 4 more, not 400 percent. */
const SHARED_FROM = 10

/** Returns whether a change of a count or an amount is shown as a percentage of its previous value. */
export const isShownAsPercentChange = (before: number, isCount: boolean): boolean =>
  before > 0 && (!isCount || before >= SHARED_FROM)
