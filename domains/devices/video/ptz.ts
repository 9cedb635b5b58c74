/**
 * A camera turns while somebody presses a button, and the browser repeats the press. When the repeats stop, this
 * process stops the camera; if this process has died, a job of another one does.
 */

import { defineQueue } from '#kit/server/jobs/index.ts'
import { defineModuleJob, type Call } from '#kit/server/module/module.ts'
import { Refused } from '#kit/server/base/refused.ts'
import type { Services } from '#kit/server/module/services.ts'
import { tenantSharedKey } from '#kit/server/shared/index.ts'
import { callPlatformForCamera, requireCameraById, type CameraAccess } from './camera-of.ts'
import { moveCamera, type PtzMove } from './platform.ts'

/** How long the user who turned a camera last keeps control of it. */
const HELD_SECONDS = 8
/** A press without a repeat ends after this time. Tests shorten it. */
export const ptzPressTimeout = { ms: 2_500 }
/** When a job checks for a press that never ended, even if the process that handled it died. */
const LOST_MS = 10_000
const PER_SECOND = 10

const STOP: PtzMove = { command: 'stop', horizonSpeed: 0, verticalSpeed: 0, zoomSpeed: 0 }

const key = ({ row }: Pick<CameraAccess, 'row'>, what: string, ...more: (string | number)[]) =>
  tenantSharedKey(row.tenantId, 'video', what, row.id, ...more)

type Holder = { userId: string; name: string }

/** Gives the caller control of a camera; refuses while somebody else has it. */
export async function acquireCameraControl({ services, caller }: Call, reached: CameraAccess): Promise<void> {
  const { shared } = services
  const holder: Holder = { userId: caller.userId, name: caller.name || caller.account }
  const held = key(reached, 'held')
  if (await shared.claim(held, holder, HELD_SECONDS)) return
  const now = (await shared.read(held)) as Holder | undefined
  if (now && now.userId !== caller.userId) throw new Refused('camera_held', { name: reached.row.name, user: now.name })
  await shared.put(held, holder, HELD_SECONDS)
}

/** Refuses more commands per second and user than a camera can follow. */
export async function limitCameraCommandRate({ services, caller }: Call, reached: CameraAccess): Promise<void> {
  const second = Math.floor(Date.now() / 1000)
  const count = await services.shared.increment(key(reached, 'pace', caller.userId, second), 2)
  if (count > PER_SECOND) throw new Refused('camera_too_fast')
}

type Pressed = { timer: NodeJS.Timeout; move: string }
const pressed = new WeakMap<Services, Map<string, Pressed>>()
const pressedOf = (services: Services) => pressed.get(services) ?? pressed.set(services, new Map()).get(services)!

const stopCameraQueue = defineQueue<{ id: string; mark: string }>('video.stop', { maxAttempts: 3 })

function clearPress(services: Services, reached: CameraAccess): void {
  const all = pressedOf(services)
  clearTimeout(all.get(key(reached, 'press'))?.timer)
  all.delete(key(reached, 'press'))
}

async function stopLost(call: Call, reached: CameraAccess): Promise<void> {
  clearPress(call.services, reached)
  await stopCamera(call, reached).catch((err: unknown) =>
    call.services.log.warn({ err, camera: reached.row.id }, 'a camera could not be told to stop'),
  )
}

/** Restarts the timer that stops the camera when the next repeat is missing. */
function listenFor(call: Call, reached: CameraAccess, move: string): void {
  const { services } = call
  clearPress(services, reached)
  const timer = setTimeout(() => void stopLost(call, reached), ptzPressTimeout.ms).unref()
  pressedOf(services).set(key(reached, 'press'), { timer, move })
}

async function stopCamera(call: Pick<Call, 'services'>, reached: CameraAccess): Promise<void> {
  clearPress(call.services, reached)
  await call.services.shared.forget(key(reached, 'turning'))
  await callPlatformForCamera(call, reached, (services, account, channel) =>
    moveCamera(services, account, channel, STOP),
  )
}

/** Turns a camera, or continues if it is turning that way. Has to be called again about every second. */
export async function moveCameraWhilePressed(call: Call, reached: CameraAccess, move: PtzMove): Promise<void> {
  const { services } = call
  await acquireCameraControl(call, reached)
  if (move.command === 'stop') return stopCamera(call, reached)
  const moveText = JSON.stringify(move)
  const isSame = pressedOf(services).get(key(reached, 'press'))?.move === moveText
  listenFor(call, reached, moveText)
  if (isSame) return
  await limitCameraCommandRate(call, reached)
  const { row } = reached
  const mark = `${services.now().getTime()}`
  await services.shared.put(key(reached, 'turning'), mark, 3600)
  await services.unit({ tenantId: row.tenantId }, (db) =>
    db.enqueue(stopCameraQueue, { id: row.id, mark }, { runAt: new Date(services.now().getTime() + LOST_MS) }),
  )
  try {
    await callPlatformForCamera(call, reached, (_services, account, channel) =>
      moveCamera(services, account, channel, move),
    )
  } catch (error) {
    // Nobody knows whether it turns, so it is stopped.
    await stopLost(call, reached)
    throw error
  }
  // Released while the command was being sent: the stop may have arrived before it, so it is sent again.
  if (!pressedOf(services).has(key(reached, 'press'))) await stopCamera(call, reached)
}

/** Stops a camera whose press was never ended, as a last resort. While it is still pressed, checks again later. */
export const stopCameraJob = defineModuleJob({
  queue: stopCameraQueue,
  run: async ({ id, mark }, { services, tenantId }) => {
    const reached = await requireCameraById(services, tenantId, id)
    if ((await services.shared.read(key(reached, 'turning'))) !== mark) return
    if (pressedOf(services).has(key(reached, 'press'))) {
      const runAt = new Date(services.now().getTime() + LOST_MS)
      await services.unit({ tenantId }, (db) => db.enqueue(stopCameraQueue, { id, mark }, { runAt }))
      return
    }
    await stopCamera({ services }, reached)
  },
})

/** Stops the timers of all presses when the process ends. The job above then stops the cameras. */
export const clearPtzPresses = (services: Services): void => {
  for (const { timer } of pressedOf(services).values()) clearTimeout(timer)
  pressedOf(services).clear()
}
