import { sql, type Db } from '#kit/server/database/db.ts'
import { defineRoomJob } from '#kit/server/room.ts'
import { systemWords } from '#kit/server/system-words.ts'
import { noteVisit } from './visit.server.ts'
import { customerVisitLog } from './visit.resource.ts'

const QUEUE = 'visit.lapse'
const MINUTE_MS = 60_000
/** Whoever was let in and did not open the door by then has gone on. */
const COMES_MS = 10 * MINUTE_MS
/** Nobody is in a shop for so long: their leaving was not seen. */
const STAYS_MS = 3 * 60 * MINUTE_MS

const NEVER_CAME = systemWords({ zh: '未进店', en: 'Did not come in' })
const NOT_SEEN = systemWords({ zh: '未见离店', en: 'Was not seen to leave' })

/** A visit that begins with leave to enter ends by itself when nobody comes, or is seen to leave. */
export const lapseLater = (db: Db, visitId: string, at: Date): Promise<void> =>
  db.later(QUEUE, { visitId }, { key: visitId, runAt: new Date(at.getTime() + COMES_MS) })

export const lapseVisitJob = defineRoomJob<{ visitId: string; hasCome?: boolean }>({
  queue: QUEUE,
  run: ({ visitId, hasCome = false }, { tenantId, services }) =>
    services.unit({ tenantId }, async (db) => {
      const visit = await db.get(customerVisitLog, visitId, 'lock')
      if (!visit || visit.leaveTime) return
      const now = services.now()
      const came = await db.one(sql`select 1 from visit_record where tenant_id = ${db.tenantId}
        and visit_id = ${visitId} and kind <> 'scanned' limit 1`)
      if (came && !hasCome) {
        const runAt = new Date(now.getTime() + STAYS_MS)
        return db.later(QUEUE, { visitId, hasCome: true }, { key: `${visitId}/stays`, runAt })
      }
      await noteVisit(db, visitId, [{ kind: 'left', at: now, note: came ? NOT_SEEN : NEVER_CAME }])
    }),
})
