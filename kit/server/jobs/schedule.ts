import { Cron } from 'croner'
import type { Pool, PoolClient } from 'pg'
import { MANAGEMENT_TENANT } from '../base/caller.ts'
import { runSystemTransaction } from '../database/connections.ts'
import { enqueue } from '../database/enqueue.ts'
import type { JobDefinition } from './job.ts'

const tz = 'Asia/Shanghai'

/** Returns the next time after `after` at which a cron expression fires; throws if it is invalid or never fires. */
export function nextRun(cron: string, after: Date): Date {
  const next = new Cron(cron, { timezone: tz }).nextRun(after)
  if (!next) throw new Error(`The schedule "${cron}" never fires`)
  return next
}

/**
 * Enqueues jobs by their cron schedules. Enqueueing and setting the next time are one transaction under a row lock, so
 * each time fires once, whatever the number of processes.
 */
export function createScheduler(pool: Pool, definitions: JobDefinition[], now?: () => Date) {
  const crons = new Map(definitions.flatMap(({ queue, cron }) => (cron ? [[queue, cron] as const] : [])))

  async function currentTime(client: Pool | PoolClient): Promise<Date> {
    if (now) return now()
    const { rows } = await client.query('select extract(epoch from clock_timestamp())::float8 * 1000 as ms')
    return new Date(rows[0].ms)
  }

  return {
    async register() {
      const time = await currentTime(pool)
      const names = [...crons.keys()]
      const times = [...crons.values()].map((cron) => nextRun(cron, time).toISOString())
      await pool.query(
        `insert into job_schedule as known (name, cron, tz, next_at)
         select name, cron, $3, next_at
         from unnest($1::text[], $2::text[], $4::timestamptz[]) as due (name, cron, next_at)
         on conflict (name) do update set cron = excluded.cron, tz = excluded.tz, next_at = excluded.next_at
         where known.cron <> excluded.cron or known.tz <> excluded.tz`,
        [names, [...crons.values()], tz, times],
      )
    },

    async fire() {
      if (crons.size === 0) return
      await runSystemTransaction(pool, async (client) => {
        const time = await currentTime(client)
        const { rows } = await client.query(
          'select name from job_schedule where name = any($1) and next_at <= $2 for update skip locked',
          [[...crons.keys()], time.toISOString()],
        )
        for (const { name } of rows) {
          // Scheduled jobs belong to the platform's tenant.
          await enqueue(client, { queue: name, tenantId: MANAGEMENT_TENANT, key: 'schedule', runAt: time })
          await client.query('update job_schedule set last_at = $2, next_at = $3 where name = $1', [
            name,
            time.toISOString(),
            nextRun(crons.get(name)!, time).toISOString(),
          ])
        }
      })
    },
  }
}
