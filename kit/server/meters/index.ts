export { createMeters, metricsText } from './meters.ts'
export type { Measures, Meters } from './meters.ts'
export { processState, routeCosts, slowestOf } from './digest.ts'
