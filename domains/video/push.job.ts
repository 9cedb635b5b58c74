import { Refused } from '#kit/server/refused.ts'
import { defineModuleJob } from '#kit/server/module.ts'
import type { Services } from '#kit/server/services.ts'
import { cameraById, type CameraAccess } from './camera-of.ts'
import { isPublished, type Published } from './platform.ts'
import { endTalk, takeVoice, type Holder } from './voice.ts'

/**
 * What a browser pushes by WebRTC goes past this server: whether it still goes on the media server knows, and while it
 * does the camera's voice stays with who speaks.
 */

const QUEUE = 'video.push'
const LOOK_MS = 20_000

type PushCheck = { id: string; holder: Holder; published: Published }

const lookLater = (services: Services, tenantId: string, ask: PushCheck): Promise<void> =>
  services.unit({ tenantId }, (db) =>
    db.enqueue(QUEUE, ask, {
      key: `${ask.id}/${ask.holder.userId}`,
      runAt: new Date(services.now().getTime() + LOOK_MS),
      maxAttempts: 5,
    }),
  )

/** Keeps the voice of a camera with who pushes to it, for as long as they do. */
export const followPush = (
  services: Services,
  { row }: CameraAccess,
  holder: Holder,
  pushed: Published,
): Promise<void> => {
  const { app, stream, mediaServerId } = pushed
  return lookLater(services, row.tenantId, { id: row.id, holder, published: { app, stream, mediaServerId } })
}

export const pushJob = defineModuleJob<PushCheck>({
  queue: QUEUE,
  run: async (ask, { services, tenantId }) => {
    const { holder, published } = ask
    const reached = await cameraById(services, tenantId, ask.id)
    if (!(await isPublished(services, reached.account, published))) return endTalk(services, reached, holder.userId)
    try {
      await takeVoice(services, reached, holder)
    } catch (error) {
      // It lapsed while nobody looked, and is somebody else's now.
      if (error instanceof Refused) return
      throw error
    }
    await lookLater(services, tenantId, ask)
  },
})
