/**
 * Checks sound that a browser pushes by WebRTC directly to the media server. Only the media server knows whether it
 * still flows; while it does, the camera's voice stays reserved for its user.
 */

import { Refused } from '#kit/server/base/refused.ts'
import { defineQueue } from '#kit/server/jobs/index.ts'
import { defineModuleJob } from '#kit/server/module/module.ts'
import type { Services } from '#kit/server/module/services.ts'
import { requireCameraById, requireStillAllowed, type CameraAccess, type SealedFor } from './camera-of.ts'
import { isStreamPublished, stopVoiceBroadcast, type PublishedStream } from './platform.ts'
import { releaseCameraVoice, acquireCameraVoice, type CameraVoiceHolder } from './voice.ts'

const checkVoicePushQueue = defineQueue<PushCheck>('video.push', { maxAttempts: 5 })
const LOOK_MS = 20_000

type PushCheck = {
  id: string
  holder: CameraVoiceHolder
  published: PublishedStream
  /** Whose permission to talk it depends on. Missing in jobs queued by older versions. */
  sealed?: SealedFor
}

const lookLater = (services: Services, tenantId: string, ask: PushCheck): Promise<void> =>
  services.unit({ tenantId }, (db) =>
    db.enqueue(checkVoicePushQueue, ask, {
      key: `${ask.id}/${ask.holder.userId}`,
      runAt: new Date(services.now().getTime() + LOOK_MS),
    }),
  )

/** Queues a check that keeps the camera's voice reserved for the user while they push. */
export const enqueueVoicePushCheck = (
  services: Services,
  { row }: CameraAccess,
  { holder, published, sealed }: Omit<Required<PushCheck>, 'id'>,
): Promise<void> => {
  const { app, stream, mediaServerId } = published
  const { cameraId, ofTenant, userId, sessionId, can } = sealed
  return lookLater(services, row.tenantId, {
    id: row.id,
    holder,
    published: { app, stream, mediaServerId },
    sealed: { cameraId, ofTenant, userId, sessionId, can },
  })
}

/** Returns whether the user still has the permission. A failed check is repeated by the next job. */
const mayStill = (services: Services, sealed: SealedFor | undefined): Promise<boolean> =>
  sealed
    ? requireStillAllowed(services, sealed).then(
        () => true,
        (error: unknown) => {
          if (error instanceof Refused) return false
          throw error
        },
      )
    : Promise.resolve(true)

export const checkVoicePushJob = defineModuleJob({
  queue: checkVoicePushQueue,
  run: async (ask, { services, tenantId }) => {
    const { holder, published } = ask
    const reached = await requireCameraById(services, tenantId, ask.id)
    if (!(await isStreamPublished(services, reached.account, published)))
      return releaseCameraVoice(services, reached, holder.userId)
    if (!(await mayStill(services, ask.sealed))) {
      await stopVoiceBroadcast(services, reached.account, reached.channel)
      return releaseCameraVoice(services, reached, holder.userId)
    }
    try {
      await acquireCameraVoice(services, reached, holder)
    } catch (error) {
      // The reservation expired and somebody else has the voice now.
      if (error instanceof Refused) return
      throw error
    }
    await lookLater(services, tenantId, ask)
  },
})
