export { createProcessMetrics, prometheusText } from './meters.ts'
export type { ProcessMeasurements, ProcessMetrics } from './meters.ts'
export { countResponses, metricSamples, summarizeProcess, routeLatencySummary, slowestStatements } from './digest.ts'
