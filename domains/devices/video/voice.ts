import { Refused } from '#kit/server/refused.ts'
import type { Services } from '#kit/server/services.ts'
import { tenantSharedKey } from '#kit/server/shared/index.ts'
import type { CameraAccess } from './camera-of.ts'

/** One voice at a time through a camera: who speaks has it while they go on speaking. */

const HELD_SECONDS = 60

export type CameraVoiceHolder = { userId: string; name: string }
const voiceKey = ({ row }: CameraAccess) => tenantSharedKey(row.tenantId, 'video', 'voice', row.id)

/** Takes the voice of a camera, or has it for longer; refuses while it is another's. */
export async function acquireCameraVoice(
  { shared }: Services,
  reached: CameraAccess,
  holder: CameraVoiceHolder,
  seconds = HELD_SECONDS,
): Promise<void> {
  const { row } = reached
  if (row.hasAudio === false && !row.voiceChannel) throw new Refused('camera_no_voice', { name: row.name })
  if (await shared.claim(voiceKey(reached), holder, seconds)) return
  const now = (await shared.read(voiceKey(reached))) as CameraVoiceHolder | undefined
  if (now && now.userId !== holder.userId) throw new Refused('camera_talking', { name: row.name, user: now.name })
  await shared.put(voiceKey(reached), holder, seconds)
}

/** Lets go of a camera's voice, where it has not become somebody else's meanwhile. */
export async function releaseCameraVoice({ shared }: Services, reached: CameraAccess, userId: string): Promise<void> {
  const now = (await shared.read(voiceKey(reached))) as CameraVoiceHolder | undefined
  if (now?.userId === userId) await shared.forget(voiceKey(reached))
}

/** Refuses to touch the talk of somebody else. */
export async function requireVoiceFreeOrOwn(
  { shared }: Services,
  reached: CameraAccess,
  userId: string,
): Promise<void> {
  const now = (await shared.read(voiceKey(reached))) as CameraVoiceHolder | undefined
  if (now && now.userId !== userId) throw new Refused('camera_talking', { name: reached.row.name, user: now.name })
}

/** The channel a camera speaks through. */
export const voiceChannelOf = ({ row, channel }: CameraAccess) => ({
  ...channel,
  gbChannelId: row.voiceChannel || channel.gbChannelId,
})
