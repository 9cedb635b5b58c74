import './refusals.ts'
import { cameraPictureSlot as aiCameraPicture } from '#domains/insight/ai/api.ts'
import { takeDeviceSnapshot } from './snapshot.ts'
import { defineDict, defineRetentionParam } from '#kit/resource/index.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { defineModule, serve } from '#kit/server/module/module.ts'
import { deleteStoredFiles, fileKeyOfLink } from '#domains/platform/files/api.ts'
import { momentVideoRoutes } from './moment-video.server.ts'
import { camera } from './camera.resource.ts'
import { cameraPicture } from './camera-picture.resource.ts'
import { videoDictionaries } from './dictionaries.ts'
import { takeEventPicturesJob } from './event-picture.job.ts'
import { gb28181Routes } from './gb-calls.server.ts'
import { hlsRoute } from './hls.server.ts'
import { checkCameraJob, enqueueCameraChecksJob } from './health.job.ts'
import { clearPtzPresses, stopCameraJob } from './ptz.ts'
import { ptzRoutes } from './ptz.server.ts'
import { checkVoicePushJob } from './push.job.ts'
import { webRtcRoutes } from './push.server.ts'
import { recordFileRoutes } from './record-file.server.ts'
import { dropRevokedViewers } from './viewers.ts'
import { recordingRoutes } from './recordings.server.ts'
import { fillCameraVoiceSlot, speakAnnouncementJob } from './speak.job.ts'
import { syncVideoAccountJob, enqueueVideoSyncsJob } from './sync.job.ts'
import { talkRoutes } from './talk.server.ts'
import { videoAccountServer } from './video-account.server.ts'
import { cameraWatchRoutes } from './watch.server.ts'

const cameraServer = serve(camera, {
  allowManualEdit: true,
  // Cameras are created from channels. People only edit their name and place.
  beforeSave: (_draft, was) => {
    if (!was) throw new Refused('camera_not_by_hand')
  },
})

export default defineModule({
  name: 'devices/video',
  label: { zh: '视频', en: 'Video' },
  resources: [videoAccountServer, cameraServer, serve(cameraPicture, { without: ['submit'] })],
  routes: [
    ...cameraWatchRoutes,
    hlsRoute,
    ...ptzRoutes,
    ...webRtcRoutes,
    ...talkRoutes,
    ...recordingRoutes,
    ...recordFileRoutes,
    ...momentVideoRoutes,
    ...gb28181Routes,
  ],
  jobs: [
    syncVideoAccountJob,
    enqueueVideoSyncsJob,
    checkCameraJob,
    enqueueCameraChecksJob,
    stopCameraJob,
    checkVoicePushJob,
    speakAnnouncementJob,
    takeEventPicturesJob,
  ],
  dictionaries: [
    ...videoDictionaries,
    defineDict({
      code: 'moment_kind',
      label: { zh: '留存事由', en: 'Snapshot reason' },
      entries: [
        { key: 'visit', zh: '到店', en: 'Visit' },
        { key: 'door', zh: '门禁', en: 'Door access' },
        { key: 'order', zh: '订单', en: 'Order' },
        { key: 'event', zh: '门店事件', en: 'Store event' },
        { key: 'count', zh: '盘点', en: 'Count' },
      ],
    }),
  ],
  menus: [
    {
      code: 'cameraWall',
      under: 'device',
      label: { zh: '视频墙', en: 'Video wall' },
      path: '/device/wall',
      icon: 'appstore',
      sort: 4,
    },
  ],
  retention: [
    {
      table: 'camera_picture',
      param: defineRetentionParam(
        'cameraPictureDays',
        365,
        { zh: '抓拍图片保留天数', en: 'Saved snapshot retention (days)' },
        30,
      ),
      along: async (db, rows) => {
        const keys = rows.flatMap((row) => fileKeyOfLink(String(row.picture ?? '')) ?? [])
        await deleteStoredFiles(db, keys)
      },
    },
  ],
  start: async (services) => {
    fillCameraVoiceSlot(services)
    services.slots.fill(aiCameraPicture, takeDeviceSnapshot)
    const leave = await dropRevokedViewers(services)
    return async () => {
      clearPtzPresses(services)
      await leave()
    }
  },
})
