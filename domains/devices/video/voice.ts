/** Only one user at a time talks through a camera, and keeps its voice while they go on. */

import { Refused } from '#kit/server/base/refused.ts'
import type { Services } from '#kit/server/module/services.ts'
import { tenantSharedKey } from '#kit/server/shared/index.ts'
import type { CameraAccess } from './camera-of.ts'

const HELD_SECONDS = 60

export type CameraVoiceHolder = { userId: string; name: string }
const voiceKey = ({ row }: CameraAccess) => tenantSharedKey(row.tenantId, 'video', 'voice', row.id)

/** Reserves a camera's voice, or extends the reservation. Refuses while somebody else has it. */
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

/** Releases a camera's voice unless somebody else has it by now. */
export async function releaseCameraVoice({ shared }: Services, reached: CameraAccess, userId: string): Promise<void> {
  const now = (await shared.read(voiceKey(reached))) as CameraVoiceHolder | undefined
  if (now?.userId === userId) await shared.forget(voiceKey(reached))
}

/** Refuses while somebody else talks through the camera. */
export async function requireVoiceFreeOrOwn(
  { shared }: Services,
  reached: CameraAccess,
  userId: string,
): Promise<void> {
  const now = (await shared.read(voiceKey(reached))) as CameraVoiceHolder | undefined
  if (now && now.userId !== userId) throw new Refused('camera_talking', { name: reached.row.name, user: now.name })
}

/** Returns the channel of a camera's loudspeaker. */
export const voiceChannelOf = ({ row, channel }: CameraAccess) => ({
  ...channel,
  gbChannelId: row.voiceChannel || channel.gbChannelId,
})
