import { sql } from '#kit/server/database/db.ts'
import { defineModuleJob } from '#kit/server/module/module.ts'
import { parseShanghaiTime } from '#kit/server/base/time.ts'
import { findGatewayOfShop } from '#domains/devices/device-messaging/api.ts'
import {
  enqueueStayTimeout,
  visitTimeoutQueue,
  enqueueNoShowTimeout,
  NO_SHOW_TEXT,
  EXIT_NOT_SEEN_TEXT,
  STAY_MAX_MS,
} from './visit-timeout.ts'
import { addVisitMoments } from './visit.server.ts'
import { customerVisitLog } from './visit.resource.ts'

export const endTimedOutVisitJob = defineModuleJob({
  queue: visitTimeoutQueue,
  run: ({ visitId, hasCome = false }, { tenantId, services }) =>
    services.unit({ tenantId }, async (db) => {
      const visit = await db.get(customerVisitLog, visitId, 'forUpdate')
      if (!visit || visit.leaveTime) return
      const now = services.now()
      const came = await db.one(sql`select 1 from visit_record where tenant_id = ${db.tenantId}
        and visit_id = ${visitId} and kind <> 'scanned' limit 1`)
      if (came && !hasCome) return enqueueStayTimeout(db, visitId, now)
      const isYoung = now.getTime() - parseShanghaiTime(visit.enterTime).getTime() < STAY_MAX_MS
      // A gateway without a line has told nothing yet of who came.
      const isUntold = !came && (await findGatewayOfShop(db, visit.shopId!))?.state === 'offline'
      if (isUntold && isYoung) return enqueueNoShowTimeout(db, visitId, now)
      await addVisitMoments(db, visitId, [
        { kind: 'left', at: now, note: came || isUntold ? EXIT_NOT_SEEN_TEXT : NO_SHOW_TEXT },
      ])
    }),
})
