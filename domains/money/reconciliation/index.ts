export { reconciliationDay } from './reconciliation-day.resource.ts'
export { reconciliationDifference } from './reconciliation-difference.resource.ts'
