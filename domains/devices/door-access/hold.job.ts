import { sql } from '#kit/server/database/db.ts'
import { defineModuleJob } from '#kit/server/module/module.ts'
import { requestCommand } from '#domains/devices/device-messaging/api.ts'
import { deviceLink } from '#domains/devices/device-messaging/index.ts'
import { doorControlCommand, doorReleaseQueue } from './door-commands.ts'
import { parseReportedDoors } from './door-state.ts'

/** Releases a door after a timed hold in case the gateway has not done so itself. */
export const releaseHeldDoorJob = defineModuleJob({
  queue: doorReleaseQueue,
  run: ({ linkId, doorNo, commandId }, { tenantId, services }) =>
    services.unit({ tenantId }, async (db) => {
      const link = linkId ? await db.get(deviceLink, linkId) : undefined
      const door = link && parseReportedDoors(link.reported).find((one) => one.doorNo === doorNo)
      if (!door || door.mode !== 'hold') return
      // A later hold has its own job.
      const newer = await db.one(sql`select 1 from device_command where tenant_id = ${db.tenantId}
        and link_id = ${linkId} and lane = ${`door/${doorNo}`} and id > ${commandId}::bigint and state = 'done'`)
      if (newer) return
      const origin = { source: 'schedule', key: `release/${commandId}` } as const
      await requestCommand({ db, services }, doorControlCommand, link, { doorNo, opt: 'release' }, origin)
    }),
})
