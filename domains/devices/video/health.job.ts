/**
 * Checks every few minutes whether each camera still sees what it should, since nobody would notice for weeks. A faulty
 * picture is confirmed by further ones before an event is raised.
 */

import { createHash } from 'node:crypto'
import { sql, type Db } from '#kit/server/database/db.ts'
import { defineQueue } from '#kit/server/jobs/index.ts'
import { defineModuleJob } from '#kit/server/module/module.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import type { Services } from '#kit/server/module/services.ts'
import { parseShanghaiTime, formatShanghaiTime } from '#kit/server/base/time.ts'
import {
  registerSilenceCheck,
  raiseEvent,
  resolveEvents,
  type RaiseEventInput,
} from '#domains/shops/shop-events/api.ts'
import { deleteStoredFiles, storeFile, fileKeyOfLink } from '#domains/platform/files/api.ts'
import { requireCameraById, type Camera, type CameraAccess } from './camera-of.ts'
import { camera } from './camera.resource.ts'
import { computeCameraClockSkewMs } from './clocks.ts'
import { greyThumbnail, movingAverageThumbnail, isBlackImage, imageSimilarity } from './image-stats.ts'
import { readCameraClock, fetchCameraSnapshot } from './platform.ts'
import { videoPlatformErrorText } from './trouble.ts'

const cameraCheckQueue = defineQueue<{ id: string }>('video.look', { maxAttempts: 1 })

/** How many faulty pictures in a row raise an event. */
const TIMES = { black: 2, frozen: 2, turned: 3 } as const
type PictureFault = keyof typeof TIMES

/** Below this similarity, the camera looks somewhere else. */
const OTHER_VIEW = 0.35
/** Above this similarity, it is the same view, perhaps in another light. */
const SAME_VIEW = 0.6
/** PTZ types of cameras that turn, whose view changes on purpose. */
const TURNS = new Set(['0', '1', '4', '5'])

const EVENTS = { black: 'cameraBlack', frozen: 'cameraFrozen', turned: 'cameraTurned' } as const
const says: Record<PictureFault, (name: string) => { zh: string; en: string }> = {
  black: (name) => ({ zh: `摄像头“${name}”黑屏或被遮住`, en: `Camera "${name}" is black or covered` }),
  frozen: (name) => ({ zh: `摄像头“${name}”画面冻结`, en: `The picture of camera "${name}" is frozen` }),
  turned: (name) => ({ zh: `摄像头“${name}”被转动或遮挡`, en: `Camera "${name}" was turned away or covered` }),
}

type Looked = { hash: string; look: number[] | undefined }

const usualOf = ({ usual }: Camera): number[] | undefined =>
  Array.isArray(usual) && usual.length ? (usual as number[]) : undefined

/** Returns the fault of a picture; undefined when it has none, or when it cannot be read. */
function pictureFaultOf(row: Camera, { hash, look }: Looked): PictureFault | undefined {
  if (look && isBlackImage(look)) return 'black'
  if (row.lastHash === hash) return 'frozen'
  const usual = usualOf(row)
  if (!look || !usual || TURNS.has(String(row.ptzType ?? '3'))) return undefined
  return imageSimilarity(usual, look) < OTHER_VIEW ? 'turned' : undefined
}

/** Returns the columns to update after a picture, and the fault once enough pictures in a row have confirmed it. */
function judged(row: Camera, looked: Looked): { patch: Partial<Camera>; fault: PictureFault | undefined } {
  const fault = pictureFaultOf(row, looked)
  const times = fault ? (row.oddTimes ?? 0) + 1 : 0
  const isConfirmed = fault && times >= TIMES[fault]
  const usual = usualOf(row)
  const follows = looked.look && !fault && (!usual || imageSimilarity(usual, looked.look) > SAME_VIEW)
  return {
    fault: isConfirmed ? fault : undefined,
    patch: {
      lastHash: looked.hash,
      oddTimes: times,
      ...(isConfirmed ? { state: fault } : fault ? {} : { state: 'ok' }),
      ...(follows && { usual: usual ? movingAverageThumbnail(usual, looked.look!) : looked.look! }),
    },
  }
}

async function raiseCameraEvent(
  db: Db,
  row: Camera,
  fault: PictureFault | undefined,
  at: Date,
  picture: string | null,
): Promise<void> {
  if (!row.shopId) return
  const { id, shopId, deviceId, name } = row
  for (const kind of Object.keys(EVENTS) as PictureFault[]) {
    const about = { shopId, type: EVENTS[kind], subject: `camera/${id}`, deviceId: deviceId ?? undefined } as const
    if (kind === fault) {
      const raised: RaiseEventInput = { ...about, at, content: says[kind](name), picture: picture ?? undefined }
      // Raised once, not again while the state lasts.
      if (row.state !== kind) await raiseEvent(db, raised)
    } else if (row.state === kind) await resolveEvents(db, about)
  }
}

/** How old the stored picture gets before it is replaced. */
const PICTURE_MS = 10 * 60_000

const isOlder = (text: string | null, now: Date, ms: number) =>
  !text || now.getTime() - parseShanghaiTime(text).getTime() >= ms

/** Fetches a camera's picture and updates its state by it. */
export async function checkCameraPicture(services: Services, { row, account, channel }: CameraAccess): Promise<void> {
  const bytes = await fetchCameraSnapshot(services, account, channel)
  if (!bytes) return
  const now = services.now()
  const looked = { hash: createHash('sha256').update(bytes).digest('hex'), look: await greyThumbnail(bytes) }
  const wantsPicture = isOlder(row.pictureTime, now, PICTURE_MS) || pictureFaultOf(row, looked) !== undefined
  const kept = wantsPicture
    ? await storeFile(services, { tenantId: row.tenantId, bytes, name: 'camera.jpg', allowed: ['jpg', 'jpeg', 'png'] })
    : undefined
  await services.unit({ tenantId: row.tenantId }, async (db) => {
    const held = await db.get(camera, row.id, 'forUpdate')
    if (!held) return
    const { patch, fault } = judged(held, looked)
    const old = kept && fileKeyOfLink(held.picture)
    await raiseCameraEvent(db, held, fault, now, kept?.link ?? held.picture)
    const pictured = kept && { picture: kept.link, pictureTime: formatShanghaiTime(now) }
    const after = await db.update(camera, row.id, { ...patch, ...pictured })
    // A picture that an event shows is kept.
    if (old && !fault) await deleteUnusedPicture(db, old)
    if (kept || after.state !== held.state) publishRowsChanged({ db }, camera, [after])
  })
}

/** Deletes the previous picture unless an event shows it. */
async function deleteUnusedPicture(db: Db, key: string): Promise<void> {
  const used = await db.one(sql`select 1 from shop_event where tenant_id = ${db.tenantId}
    and picture like ${`%${key}`} limit 1`)
  if (!used) await deleteStoredFiles(db, [key])
}

const CLOCK_MS = 3_600_000

/** Measures a camera's clock error, if its device reports the time. */
export async function measureCameraClock(services: Services, { row, account, channel }: CameraAccess): Promise<void> {
  const requestedAt = services.now()
  const deviceTime = await readCameraClock(services, account, channel.gbDeviceId)
  const clockError = computeCameraClockSkewMs(deviceTime, requestedAt, services.now())
  if (clockError === undefined) return
  await services.unit({ tenantId: row.tenantId }, async (db) => {
    const clockTime = formatShanghaiTime(services.now())
    publishRowsChanged({ db }, camera, [await db.update(camera, row.id, { clockError, clockTime })])
  })
}

export const checkCameraJob = defineModuleJob({
  queue: cameraCheckQueue,
  concurrency: 3,
  timeoutSeconds: 90,
  run: async ({ id }, { services, tenantId }) => {
    const reached = await requireCameraById(services, tenantId, id).catch(() => undefined)
    if (!reached?.row.online) return
    const note = (err: unknown) =>
      services.log.warn({ camera: id, trouble: videoPlatformErrorText(err) }, 'a camera could not be looked at')
    if (isOlder(reached.row.clockTime, services.now(), CLOCK_MS))
      await measureCameraClock(services, reached).catch(note)
    if (reached.row.watched !== false) await checkCameraPicture(services, reached).catch(note)
  },
})

export const enqueueCameraChecksJob = defineModuleJob({
  queue: defineQueue('video.lookAll'),
  cron: '*/5 * * * *',
  concurrency: 1,
  run: async (_payload, { services }) => {
    await services.unit({ crossTenantReason: 'the cameras of all tenants are looked at' }, async (db) => {
      const all = await db.query<{ id: string; tenantId: string }>(sql`select id::text, tenant_id from camera
        where online order by id`)
      for (const { id, tenantId } of all)
        await db.asTenant(tenantId, (own) => own.enqueue(cameraCheckQueue, { id }, { key: id }))
    })
  },
})

registerSilenceCheck((db, limit) =>
  db.query(sql`select tenant_id as "tenantId", shop_id::text as "shopId", 'camera/' || id as key, name,
    (extract(epoch from last_seen_time) * 1000)::float8 as since, true as "isSure" from camera
    where not online and shop_id is not null and last_seen_time < ${limit} order by id`),
)
