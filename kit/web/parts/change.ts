/** Of fewer pieces than that a share says nothing: 5 orders after 1 are 4 more, not 400 percent. */
const SHARED_FROM = 10

/** Whether a change of a count or an amount is read as a share of what it was. */
export const isShownAsPercentChange = (before: number, isCount: boolean): boolean =>
  before > 0 && (!isCount || before >= SHARED_FROM)
