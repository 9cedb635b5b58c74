/** Keeps pictures of the shop's cameras when an event is raised. */

import { sql } from '#kit/server/database/db.ts'
import { defineQueue } from '#kit/server/jobs/index.ts'
import { defineModuleJob } from '#kit/server/module/module.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { onEventRaised } from '#domains/shops/shop-events/api.ts'
import { event } from '#domains/shops/shop-events/index.ts'
import { storeFile } from '#domains/platform/files/api.ts'
import { requireCameraById, type CameraAccess } from './camera-of.ts'
import { cameraPicture } from './camera-picture.resource.ts'
import { camera } from './camera.resource.ts'
import { fetchCameraSnapshot } from './platform.ts'

const takeEventPicturesQueue = defineQueue<{ eventId: string; shopId: string }>('video.eventPicture', {
  maxAttempts: 3,
})
const CAMERAS = 3
/** A later picture would not show the event. */
const LATE_MS = 120_000

/** Types of events that cannot be seen on camera. */
const UNSEEN = new Set(['offline', 'lowStock', 'expiring', 'tagBatteryLow', 'tagsLost', 'rolloutStopped', 'deviceTwin'])
const ABOUT_CAMERAS = /^camera/

onEventRaised(async (db, { id, shopId, type }) => {
  if (UNSEEN.has(type) || ABOUT_CAMERAS.test(type)) return
  const seesIt = await db.one(sql`select 1 from camera where tenant_id = ${db.tenantId} and shop_id = ${shopId}
    and online limit 1`)
  if (seesIt) await db.enqueue(takeEventPicturesQueue, { eventId: id, shopId }, { key: id })
})

export const takeEventPicturesJob = defineModuleJob({
  queue: takeEventPicturesQueue,
  concurrency: 2,
  timeoutSeconds: 60,
  run: async ({ eventId, shopId }, { services, tenantId }) => {
    const cameras = await services.unit({ tenantId }, async (db) => {
      const fresh = await db.one<{ at: number }>(sql`select (extract(epoch from create_time) * 1000)::float8 as at
        from shop_event where tenant_id = ${tenantId} and id = ${eventId}`)
      if (!fresh || services.now().getTime() - Number(fresh.at) > LATE_MS) return []
      return db.find(
        camera,
        sql`r.shop_id = ${shopId} and r.online and not exists (select 1 from camera_picture p
          where p.tenant_id = r.tenant_id and p.camera_id = r.id and p.ref_type = 'event' and p.ref_id = ${eventId})`,
        sql`order by r.id limit ${CAMERAS}`,
      )
    })
    const take = async ({ id }: { id: string }) => keep(await requireCameraById(services, tenantId, id))
    const keep = async ({ row, account, channel }: CameraAccess) => {
      const bytes = await fetchCameraSnapshot(services, account, channel)
      if (!bytes) return
      const takenTime = formatShanghaiTime(services.now())
      const { link } = await storeFile(services, {
        tenantId,
        bytes,
        name: 'event.jpg',
        allowed: ['jpg', 'jpeg', 'png'],
      })
      await services.unit({ tenantId }, async (db) => {
        const kept = { takenTime, cameraId: row.id, shopId, refType: 'event', refId: eventId, picture: link }
        publishRowsChanged({ db }, cameraPicture, [await db.insert(cameraPicture, kept)])
        const [shown] = await db.find(event, sql`r.id = ${eventId} and r.picture is null`)
        if (shown) publishRowsChanged({ db }, event, [await db.update(event, eventId, { picture: link })])
      })
    }
    const done = await Promise.allSettled(cameras.map(take))
    const failed = done.find((one) => one.status === 'rejected')
    if (failed) throw failed.reason
  },
})
