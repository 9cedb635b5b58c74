import { openPool } from '../database/connections.ts'
import { defineQueue } from '../database/queue.ts'
import { defineJob } from './job.ts'
import { createJobWorker } from './worker.ts'

/** Worker process for a test that kills it: it starts every job of the queue and never finishes any. */
const pool = openPool({ connectionString: process.argv[2] ?? '' })
const hanging = defineJob({
  queue: defineQueue<{ sale: number }>('sale'),
  concurrency: 5,
  async run({ sale }) {
    await pool.query('insert into run (sale, worker) values ($1, $2)', [sale, 'killed'])
    await new Promise(() => setInterval(() => {}, 1_000))
  },
})
await createJobWorker({ pool, jobs: [hanging], leaseMs: 1_000 }).start()
