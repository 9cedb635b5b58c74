import { sql } from '#kit/server/database/db.ts'
import { defineModuleJob } from '#kit/server/module.ts'
import { fromShanghai } from '#kit/server/time.ts'
import { gatewayOf } from '#domains/devices/device-messaging/api.ts'
import {
  enqueueStayTimeout,
  LAPSE_QUEUE,
  enqueueVisitTimeout,
  NO_SHOW,
  NOT_SEEN,
  STAY_MAX_MS,
} from './visit-timeout.ts'
import { noteVisit } from './visit.server.ts'
import { customerVisitLog } from './visit.resource.ts'

export const lapseVisitJob = defineModuleJob<{ visitId: string; hasCome?: boolean }>({
  queue: LAPSE_QUEUE,
  run: ({ visitId, hasCome = false }, { tenantId, services }) =>
    services.unit({ tenantId }, async (db) => {
      const visit = await db.get(customerVisitLog, visitId, 'forUpdate')
      if (!visit || visit.leaveTime) return
      const now = services.now()
      const came = await db.one(sql`select 1 from visit_record where tenant_id = ${db.tenantId}
        and visit_id = ${visitId} and kind <> 'scanned' limit 1`)
      if (came && !hasCome) return enqueueStayTimeout(db, visitId, now)
      const isYoung = now.getTime() - fromShanghai(visit.enterTime).getTime() < STAY_MAX_MS
      // A gateway without a line has told nothing yet of who came.
      const isUntold = !came && (await gatewayOf(db, visit.shopId!))?.state === 'offline'
      if (isUntold && isYoung) return enqueueVisitTimeout(db, visitId, now)
      await noteVisit(db, visitId, [{ kind: 'left', at: now, note: came || isUntold ? NOT_SEEN : NO_SHOW }])
    }),
})
