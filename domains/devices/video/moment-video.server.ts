/**
 * Video of an event, visit, order, door command or count: the shop's cameras with their clock errors, and the pictures
 * that were kept.
 */

import { f } from '#kit/resource/index.ts'
import { hasPermission } from '#kit/server/base/caller.ts'
import { dataScopeSql } from '#kit/server/database/data-scope.ts'
import { sql } from '#kit/server/database/db.ts'
import { actorOfCaller } from '#kit/server/request/pipeline.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { defineRoute, type Call } from '#kit/server/module/module.ts'
import { parseShanghaiTime, formatShanghaiTime } from '#kit/server/base/time.ts'
import { storeFile } from '#domains/platform/files/api.ts'
import { requireCameraAccess } from './camera-of.ts'
import { cameraPicture } from './camera-picture.resource.ts'
import { camera } from './camera.resource.ts'
import { momentVideoCall, videoMomentKindField, videoMomentIdField } from './moment-video.calls.ts'
import { isVideoMomentKind, requireVideoMoment, type VideoMomentKind } from './moments.ts'

const kindOf = (text: string | null): VideoMomentKind => {
  if (!text || !isVideoMomentKind(text)) throw new Refused('bad_request')
  return text
}

const CAMERAS_MAX = 16
const PICTURES_MAX = 30

async function findMomentVideo(call: Call<{ kind: string | null; id: string | null }>) {
  const { caller, services } = call
  const word = kindOf(call.input.kind)
  const { shopId, at, until } = await requireVideoMoment(call, word, call.input.id!)
  const tenantId = caller.isPlatform ? await tenantOfShop(call, shopId) : caller.tenantId
  const { cameras, pictures } = await services.unit({ tenantId }, async (db) => ({
    cameras: await db.find(
      camera,
      sql`r.shop_id = ${shopId}${dataScopeSql(camera, caller)}`,
      sql`order by r.id limit ${CAMERAS_MAX}`,
    ),
    pictures: await db.find(
      cameraPicture,
      sql`r.ref_type = ${word} and r.ref_id = ${call.input.id}${dataScopeSql(cameraPicture, caller)}`,
      sql`order by r.taken_time, r.id limit ${PICTURES_MAX}`,
    ),
  }))
  return {
    at: formatShanghaiTime(at),
    until: until ? formatShanghaiTime(until) : '',
    canRecord: hasPermission(caller, 'camera_record'),
    cameras: cameras.map(({ id: cameraId, name, online, clockError }) => ({
      id: cameraId,
      name,
      isOnline: online === true,
      clockError,
    })),
    pictures: pictures.map(({ id: pictureId, picture, takenTime, cameraId }) => ({
      id: pictureId,
      picture,
      takenTime,
      cameraId,
    })),
  }
}

/** Returns the tenant of a shop, for platform administrators, who see the events of all tenants. */
const tenantOfShop = async ({ services, caller }: Call, shopId: string): Promise<string> =>
  (
    await services.unit({ crossTenantReason: 'platform administrator: whose shop this happened in' }, (db) =>
      db.one<{ tenantId: string }>(sql`select tenant_id from basic_shop_info where id = ${shopId}`),
    )
  )?.tenantId ?? caller.tenantId

const momentVideoRoute = defineRoute(momentVideoCall, {
  title: { zh: '事件视频', en: 'Event video' },
  can: camera.code,
  tx: false,
  handle: findMomentVideo,
})

const PICTURE_MAX = 4 * 1024 * 1024

const keepRoute = defineRoute({
  method: 'POST',
  path: `${camera.path}/keep`,
  title: { zh: '留存画面', en: 'Save snapshot' },
  can: 'camera_record',
  tx: false,
  raw: true,
  bodyMaxBytes: PICTURE_MAX,
  input: {
    kind: videoMomentKindField,
    id: videoMomentIdField,
    cameraId: f.ref('camera', { label: camera.label, required: true, onRemoval: 'keep' }),
    takenTime: f.datetime({ label: { zh: '画面时间', en: 'Snapshot time' }, required: true }),
  },
  handle: async (call) => {
    const { services, caller, input, bytes } = call
    const word = kindOf(input.kind)
    const { row } = await requireCameraAccess(call, { id: input.cameraId })
    const { shopId } = await requireVideoMoment(call, word, input.id)
    if (!bytes?.length || row.shopId !== shopId) throw new Refused('bad_request')
    const name = `${row.name}.jpg`
    const { link } = await storeFile(
      services,
      { tenantId: row.tenantId, bytes, name, allowed: ['jpg', 'jpeg', 'png'], maxBytes: PICTURE_MAX },
      actorOfCaller(caller),
    )
    return services.unit(
      { tenantId: row.tenantId },
      async (db) => {
        const kept = await db.insert(cameraPicture, {
          takenTime: formatShanghaiTime(parseShanghaiTime(input.takenTime)),
          cameraId: row.id,
          shopId,
          refType: word,
          refId: input.id,
          picture: link,
          userId: caller.userId,
        })
        publishRowsChanged({ db }, cameraPicture, [kept])
        return { id: kept.id, picture: link }
      },
      actorOfCaller(caller),
    )
  },
})

export const momentVideoRoutes = [momentVideoRoute, keepRoute]
