import { startReaper } from './process-reaper.ts'

/**
 * Environment variable that marks the processes a test worker starts, so that they are killed with it. Vitest waits
 * until nobody holds the output of an ended worker, and a leftover process would hold it for ever.
 */
const WORKER = 'STORE_TEST_WORKER'

// Loaded for each file, also in a worker that runs several.
if (!process.env[WORKER]?.startsWith(`${process.pid}-`)) startReaper(WORKER, `${process.pid}-${Date.now()}`)
