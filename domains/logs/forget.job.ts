import { raw, sql } from '#kit/server/database/db.ts'
import { defineRoomJob, type Forgetting } from '#kit/server/room.ts'
import type { Services } from '#kit/server/services.ts'
import { paramNumber } from '#domains/system/doors.ts'

/** So few at once that nobody waits for them. */
const BATCH = 2000

/** Removes what grew older than its parameter says, of all rooms. */
export const forgetOld = defineRoomJob({
  queue: 'logs.forget',
  cron: '50 3 * * *',
  concurrency: 1,
  timeoutSeconds: 4 * 3600,
  run: async (_none, { services, signal }) => {
    for (const one of services.registry.rooms.flatMap((room) => room.forgets ?? [])) {
      while (!signal.aborted && (await forgetPart(services, one)) === BATCH);
    }
  },
})

async function forgetPart(services: Services, { table, param, where }: Forgetting): Promise<number> {
  const days = await paramNumber(services, param)
  const before = new Date(services.now().getTime() - days * 86_400_000).toISOString()
  const name = raw(`"${table}"`)
  const narrowed = raw(where ? ` and ${where}` : '')
  return services.unit({ across: 'old rows of all tenants are removed' }, (db) =>
    db.run(sql`
    delete from ${name} where ctid = any(array(select ctid from ${name}
    where create_time < ${before}::timestamptz${narrowed} order by create_time limit ${BATCH}))`),
  )
}
