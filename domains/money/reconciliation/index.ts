export { tallyDay } from './tally-day.resource.ts'
export { tallyDifference } from './tally-difference.resource.ts'
