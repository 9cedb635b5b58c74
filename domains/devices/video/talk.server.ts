/**
 * Talking through a camera: the browser sends A-law of 8,000 samples a second over a websocket, and this server pushes
 * it to the media server with the platform's signature. The browser only knows this server's address.
 */

import type { ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { WebSocket } from 'ws'
import { Refused } from '#kit/server/base/refused.ts'
import { acceptWebsocket, isWebsocketUpgrade } from '#kit/server/request/sockets.ts'
import { defineRoute } from '#kit/server/module/module.ts'
import type { Services } from '#kit/server/module/services.ts'
import { readEncryptedUrlPart, createEncryptedUrlPart } from '#domains/platform/files/api.ts'
import { requireCameraAccess, requireStillAllowed, sealedFor, type CameraAccess, type SealedFor } from './camera-of.ts'
import { camera } from './camera.resource.ts'
import { voiceBroadcastPushUrl, fetchPushKey } from './platform.ts'
import { cameraBeginTalkCall } from './talk.calls.ts'
import { addStreamViewer } from './viewers.ts'
import { startRtspPublishing, createALawSilence, type RtspPublisher } from './rtsp.client.ts'
import { releaseCameraVoice, voiceChannelOf, acquireCameraVoice } from './voice.ts'
import { pushKeySignature } from './wvp.client.ts'

const PURPOSE = 'talk'
const GOOD_SECONDS = 60
const path = `${camera.path}/talk/`

const can = 'camera_talk'
type Talking = SealedFor & { tenantId: string; name: string }

const beginRoute = defineRoute(cameraBeginTalkCall, {
  title: { zh: '开始对讲', en: 'Start two-way audio' },
  can,
  tx: false,
  handle: async (call) => {
    const { services, caller } = call
    const reached = await requireCameraAccess(call, { id: call.input.id })
    if (!reached.row.online) throw new Refused('camera_offline', { name: reached.row.name })
    const name = caller.name || caller.account
    await acquireCameraVoice(services, reached, { userId: caller.userId, name })
    const talking: Talking = { ...sealedFor(call, reached, can), tenantId: reached.row.tenantId, name }
    return { address: path + createEncryptedUrlPart(services, PURPOSE, talking, GOOD_SECONDS) }
  },
})

const talkRoute = defineRoute({
  method: 'GET',
  path: `${path}*`,
  title: { zh: '对讲', en: 'Two-way audio' },
  can: { open: 'the address is sealed for one who may talk, and opens for a minute while they still may' },
  tx: false,
  perMinute: 120,
  handle: async ({ services, query, reply }) => {
    const talking = readEncryptedUrlPart<Talking>(services, PURPOSE, query['*'] ?? '')
    if (!talking) throw new Refused('ticket_spent')
    const reached = await requireStillAllowed(services, talking)
    return reply({ take: (response) => acceptBrowserSound(services, reached, talking, response) })
  },
})

const RENEW_MS = 20_000
/** Largest backlog in bytes, a second of sound. Older sound is dropped, so that the delay does not grow. */
const BACKLOG = 8_000
const FAILED = 4005

function acceptBrowserSound(
  services: Services,
  reached: CameraAccess,
  talking: Talking,
  response: ServerResponse,
): void {
  if (!isWebsocketUpgrade(response)) return void response.writeHead(426).end()
  acceptWebsocket(response, (socket) => void relayBrowserSound(services, reached, talking, socket))
}

async function relayBrowserSound(
  services: Services,
  reached: CameraAccess,
  talking: Talking,
  socket: WebSocket,
): Promise<void> {
  const { userId, name } = talking
  const { account, row } = reached
  let waiting = Buffer.alloc(0)
  let isOpen = true
  const leave = addStreamViewer(services, { ...talking, end: () => socket.close() })
  socket.on('message', (part: Buffer) => {
    waiting = Buffer.concat([waiting, part])
    if (waiting.length > BACKLOG) waiting = waiting.subarray(waiting.length - BACKLOG)
  })
  const renew = setInterval(
    () => void acquireCameraVoice(services, reached, { userId, name }).catch(() => {}),
    RENEW_MS,
  ).unref()
  socket.on('close', () => (isOpen = false))
  let publisher: RtspPublisher | undefined
  try {
    const sign = pushKeySignature(await fetchPushKey(services, account))
    publisher = await startRtspPublishing(
      voiceBroadcastPushUrl(account, voiceChannelOf(reached)),
      sign,
      account.mayBeInside,
    )
    socket.send('ready')
    // Sends silence where nothing is said, as the camera stops listening without data.
    while (isOpen && !publisher.isOver()) {
      const part = waiting
      waiting = Buffer.alloc(0)
      await publisher.say(part.length ? part : createALawSilence(40))
      if (!waiting.length) await pause(5)
    }
  } catch (err) {
    services.log.warn({ err, camera: row.id }, 'nobody can talk through a camera')
  } finally {
    clearInterval(renew)
    leave()
    socket.close(FAILED)
    await publisher?.close()
    await releaseCameraVoice(services, reached, userId)
  }
}

export const talkRoutes = [beginRoute, talkRoute]
