export { createMeters, metricsText } from './meters.ts'
export type { Measures, Meters } from './meters.ts'
export { answersOf, figureOf, processState, routeCosts, slowestOf } from './digest.ts'
