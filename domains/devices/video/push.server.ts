/**
 * WebRTC: a browser's offer passes through this server to the media server, and the answer back. Pictures and sound
 * then flow directly between the two. The signed address and its key stay on this server.
 */

import { randomBytes } from 'node:crypto'
import { f } from '#kit/resource/index.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { type HttpReply, defineRoute, type Call } from '#kit/server/module/module.ts'
import type { Services } from '#kit/server/module/services.ts'
import { requestExternal } from '#kit/server/request/external-request.ts'
import { tenantSharedKey } from '#kit/server/shared/index.ts'
import { readEncryptedUrlPart, createEncryptedUrlPart } from '#domains/platform/files/api.ts'
import type { VideoAccount } from './accounts.ts'
import {
  callPlatformForCamera,
  requireCameraAccess,
  requireStillAllowed,
  sealedFor,
  type CameraAccess,
  type SealedFor,
} from './camera-of.ts'
import { camera } from './camera.resource.ts'
import { fetchPushKey, startVoiceBroadcast, stopVoiceBroadcast } from './platform.ts'
import { enqueueVoicePushCheck } from './push.job.ts'
import { requireBelowStreamViewerLimit } from './viewers.ts'
import { releaseCameraVoice, acquireCameraVoice } from './voice.ts'
import { startCameraStream } from './watch.server.ts'
import { pushKeySignature } from './wvp.client.ts'
import { parseUntrustedJson } from '#kit/server/base/outside-json.ts'

const CAN_TALK = 'camera_talk'
const PUSH = 'push'
const KEY = 'video push'
const GOOD_SECONDS = 120
const OFFER_MAX = 64 * 1024
const TIMEOUT_MS = 10_000
const path = `${camera.path}/push/`

type Pushing = SealedFor & { gbDeviceId: string; gbChannelId: string; name: string }

/** Returns the address on this server that a client pushes its microphone to, valid for two minutes. */
export function createVoicePushUrl(call: Call, reached: CameraAccess): string {
  const { services, caller } = call
  const { gbDeviceId, gbChannelId } = reached.channel
  const name = caller.name || caller.account
  const pushing: Pushing = { ...sealedFor(call, reached, CAN_TALK), gbDeviceId, gbChannelId, name }
  return services.config.publicUrl + path + createEncryptedUrlPart(services, PUSH, pushing, GOOD_SECONDS)
}

const pushKeyOf = ({ tenantId, userId }: { tenantId: string; userId: string }) => tenantSharedKey(tenantId, KEY, userId)

/** Returns a key of ours, valid for two minutes. Signatures with it are replaced by ones with the platform's key. */
export async function issueOneTimePushKey({ services, caller }: Call): Promise<string> {
  const pushKey = randomBytes(16).toString('hex')
  await services.shared.put(pushKeyOf(caller), pushKey, GOOD_SECONDS)
  return pushKey
}

/** Sends an offer to the media server and returns its answer. Throws a refusal when it is rejected. */
async function exchange(
  services: Services,
  { mayBeInside }: VideoAccount,
  url: string,
  offer: string,
): Promise<string> {
  const reply = await requestExternal({
    url,
    method: 'POST',
    body: offer,
    contentType: 'application/sdp',
    timeoutMs: TIMEOUT_MS,
    mayBeInside,
  }).catch((err: unknown) => {
    services.log.warn({ err }, 'a media server did not answer an offer')
    throw new Refused('video_away')
  })
  const text = reply.body.toString('utf8')
  if (reply.status === 201) return text
  try {
    const answer = parseUntrustedJson(text) as { code?: unknown; sdp?: unknown; msg?: unknown }
    if (answer.code === 0 && typeof answer.sdp === 'string') return answer.sdp
    throw new Refused('video_refused', { message: String(answer.msg ?? '').slice(0, 100) })
  } catch (error) {
    throw error instanceof Refused ? error : new Refused('video_away')
  }
}

const textOf = ({ bytes, body }: Call): string => {
  const offer = bytes?.toString('utf8') ?? String(body ?? '')
  if (!offer.startsWith('v=0')) throw new Refused('bad_request')
  return offer
}

const answered = ({ reply }: Call, sdp: string): HttpReply =>
  reply({ status: 201, headers: { 'content-type': 'application/sdp', 'cache-control': 'no-store' }, body: sdp })

const whepRoute = defineRoute({
  method: 'POST',
  path: `${camera.path}/whep`,
  title: { zh: '低延迟观看', en: 'Watch with low latency' },
  can: 'camera_watch',
  tx: false,
  raw: true,
  log: false,
  bodyMaxBytes: OFFER_MAX,
  input: { id: f.ref('', { label: camera.label, required: true }) },
  handle: async (call) => {
    const offer = textOf(call)
    requireBelowStreamViewerLimit(call.services, call.caller)
    const reached = await requireCameraAccess(call, { id: call.input.id })
    const { rtc } = await startCameraStream(call, reached)
    if (!rtc) throw new Refused('camera_no_stream')
    return answered(call, await exchange(call.services, reached.account, rtc, offer))
  },
})

/** Starts talking through a camera: reserves its voice, prepares the platform, and forwards the offer, signed. */
async function push(call: Call, pushing: Pushing, offer: string): Promise<string> {
  const { services } = call
  const reached = await requireStillAllowed(services, pushing)
  const holder = { userId: pushing.userId, name: pushing.name }
  await acquireCameraVoice(services, reached, holder)
  try {
    const { account } = reached
    const channel = { gbDeviceId: pushing.gbDeviceId, gbChannelId: pushing.gbChannelId }
    const { rtc, ...pushed } = await callPlatformForCamera(call, { ...reached, channel }, startVoiceBroadcast)
    if (!rtc) throw new Refused('camera_no_stream')
    const pushKey = await callPlatformForCamera(call, reached, (_services, own) => fetchPushKey(services, own))
    const url = new URL(rtc)
    url.searchParams.set('sign', pushKeySignature(pushKey))
    const answer = await exchange(services, account, url.href, offer)
    await enqueueVoicePushCheck(services, reached, { holder, published: pushed, sealed: pushing })
    return answer
  } catch (error) {
    await releaseCameraVoice(services, reached, pushing.userId)
    await callPlatformForCamera(call, reached, stopVoiceBroadcast).catch(() => {})
    throw error
  }
}

const pushRoute = defineRoute({
  method: 'POST',
  path: `${path}*`,
  title: { zh: '推送麦克风', en: 'Push microphone audio' },
  can: { open: 'the address is sealed for one person, and signed with a key that person was given' },
  perMinute: 60,
  tx: false,
  raw: true,
  log: false,
  bodyMaxBytes: OFFER_MAX,
  handle: async (call) => {
    const { services, query } = call
    const pushing = readEncryptedUrlPart<Pushing>(services, PUSH, query['*'] ?? '')
    if (!pushing) throw new Refused('ticket_spent')
    const key = await services.shared.read(pushKeyOf({ tenantId: pushing.ofTenant, userId: pushing.userId }))
    if (typeof key !== 'string' || query.sign !== pushKeySignature(key)) throw new Refused('forbidden')
    return answered(call, await push(call, pushing, textOf(call)))
  },
})

export const webRtcRoutes = [whepRoute, pushRoute]
