export { reconciliationDay } from './tally-day.resource.ts'
export { reconciliationDifference } from './tally-difference.resource.ts'
