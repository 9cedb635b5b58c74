export { defineJob, JobGivesWay, JobRefused, jobTablesSql } from './job.ts'
export type { JobContext, JobDefinition } from './job.ts'
export { createJobWorker } from './worker.ts'
export type { JobWorker } from './worker.ts'
