import { sql } from '#kit/server/database/db.ts'
import { defineQueue } from '#kit/server/jobs/index.ts'
import { defineModuleJob } from '#kit/server/module/module.ts'

const KEEP_DAYS = 30
const BATCH = 5000

/** Deletes sessions that ended a month ago; until then they show who was signed in from where. */
export const purgeEndedSessionsJob = defineModuleJob({
  queue: defineQueue('identity.purge-sessions'),
  cron: '25 3 * * *',
  run: async (_payload, { services, signal }) => {
    let removed = BATCH
    while (removed === BATCH && !signal.aborted) {
      removed = await services.unit({ crossTenantReason: 'old sessions of all tenants are removed' }, async (db) => {
        const gone = await db.run(
          sql`delete from session where (tenant_id, sid) in (select tenant_id, sid from session
              where expires_at < now() - make_interval(days => ${KEEP_DAYS}) limit ${BATCH})`,
        )
        await db.run(
          sql`delete from session_refresh where (tenant_id, jti) in (select tenant_id, jti from session_refresh
              where expires_at < now() - make_interval(days => ${KEEP_DAYS}) limit ${BATCH})`,
        )
        return gone
      })
    }
  },
})
