import { startReaper } from './process-reaper.ts'

/**
 * A worker of the test run is ended by a signal, and vitest waits until nobody holds its output any more: a process
 * that a broken test left behind would hold it for ever, and the run would not end. So nothing outlives its worker.
 */
const WORKER = 'STORE_TEST_WORKER'

// Read for each file, also where files share a worker.
if (!process.env[WORKER]?.startsWith(`${process.pid}-`)) startReaper(WORKER, `${process.pid}-${Date.now()}`)
