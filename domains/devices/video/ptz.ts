import { defineModuleJob, type Call } from '#kit/server/module.ts'
import { Refused } from '#kit/server/refused.ts'
import type { Services } from '#kit/server/services.ts'
import { tenantSharedKey } from '#kit/server/shared/index.ts'
import { callPlatformForCamera, requireCameraById, type CameraAccess } from './camera-of.ts'
import { moveCamera, type PtzMove } from './platform.ts'

/**
 * A camera turns for as long as somebody presses. The browser says again and again that it is still pressed; when it
 * says so no more, this server stops the camera, and another one does where this one died meanwhile.
 */

/** Two operators: who turned a camera last has it for so long. */
const HELD_SECONDS = 8
/** A press that is not said again is over; a test waits less. */
export const ptzPressTimeout = { ms: 2_500 }
/** By then a press is over whatever became of the server that heard it. */
const LOST_MS = 10_000
const PER_SECOND = 10

const STOP: PtzMove = { command: 'stop', horizonSpeed: 0, verticalSpeed: 0, zoomSpeed: 0 }

const key = ({ row }: Pick<CameraAccess, 'row'>, what: string, ...more: (string | number)[]) =>
  tenantSharedKey(row.tenantId, 'video', what, row.id, ...more)

type Holder = { userId: string; name: string }

/** Takes hold of a camera; refuses while it is another's. */
export async function acquireCameraControl({ services, caller }: Call, reached: CameraAccess): Promise<void> {
  const { shared } = services
  const holder: Holder = { userId: caller.userId, name: caller.name || caller.account }
  const held = key(reached, 'held')
  if (await shared.claim(held, holder, HELD_SECONDS)) return
  const now = (await shared.read(held)) as Holder | undefined
  if (now && now.userId !== caller.userId) throw new Refused('camera_held', { name: reached.row.name, user: now.name })
  await shared.put(held, holder, HELD_SECONDS)
}

/** Refuses more commands a second than a camera can follow. */
export async function limitCameraCommandRate({ services, caller }: Call, reached: CameraAccess): Promise<void> {
  const second = Math.floor(Date.now() / 1000)
  const count = await services.shared.increment(key(reached, 'pace', caller.userId, second), 2)
  if (count > PER_SECOND) throw new Refused('camera_too_fast')
}

type Pressed = { timer: NodeJS.Timeout; move: string }
const pressed = new WeakMap<Services, Map<string, Pressed>>()
const pressedOf = (services: Services) => pressed.get(services) ?? pressed.set(services, new Map()).get(services)!

const QUEUE = 'video.stop'

function forget(services: Services, reached: CameraAccess): void {
  const all = pressedOf(services)
  clearTimeout(all.get(key(reached, 'press'))?.timer)
  all.delete(key(reached, 'press'))
}

async function stopLost(call: Call, reached: CameraAccess): Promise<void> {
  forget(call.services, reached)
  await stopCamera(call, reached).catch((err: unknown) =>
    call.services.log.warn({ err, camera: reached.row.id }, 'a camera could not be told to stop'),
  )
}

/** Waits for the next word of who presses. */
function listenFor(call: Call, reached: CameraAccess, move: string): void {
  const { services } = call
  forget(services, reached)
  const timer = setTimeout(() => void stopLost(call, reached), ptzPressTimeout.ms).unref()
  pressedOf(services).set(key(reached, 'press'), { timer, move })
}

async function stopCamera(call: Pick<Call, 'services'>, reached: CameraAccess): Promise<void> {
  forget(call.services, reached)
  await call.services.shared.forget(key(reached, 'turning'))
  await callPlatformForCamera(call, reached, (services, account, channel) =>
    moveCamera(services, account, channel, STOP),
  )
}

/** Turns a camera for as long as this is said again, every second or so. */
export async function moveCameraWhilePressed(call: Call, reached: CameraAccess, move: PtzMove): Promise<void> {
  const { services } = call
  await acquireCameraControl(call, reached)
  if (move.command === 'stop') return stopCamera(call, reached)
  const said = JSON.stringify(move)
  const isSame = pressedOf(services).get(key(reached, 'press'))?.move === said
  listenFor(call, reached, said)
  if (isSame) return
  await limitCameraCommandRate(call, reached)
  const { row } = reached
  const mark = `${services.now().getTime()}`
  await services.shared.put(key(reached, 'turning'), mark, 3600)
  await services.unit({ tenantId: row.tenantId }, (db) =>
    db.enqueue(QUEUE, { id: row.id, mark }, { runAt: new Date(services.now().getTime() + LOST_MS), maxAttempts: 3 }),
  )
  try {
    await callPlatformForCamera(call, reached, (_services, account, channel) =>
      moveCamera(services, account, channel, move),
    )
  } catch (error) {
    // Nobody knows whether it turns.
    await stopLost(call, reached)
    throw error
  }
  // Let go while it was being told: the end may have been there before it.
  if (!pressedOf(services).has(key(reached, 'press'))) await stopCamera(call, reached)
}

/** The last resort: stops a camera whose press nobody ended, and looks again while it is still pressed. */
export const stopCameraJob = defineModuleJob<{ id: string; mark: string }>({
  queue: QUEUE,
  run: async ({ id, mark }, { services, tenantId }) => {
    const reached = await requireCameraById(services, tenantId, id)
    if ((await services.shared.read(key(reached, 'turning'))) !== mark) return
    if (pressedOf(services).has(key(reached, 'press'))) {
      const runAt = new Date(services.now().getTime() + LOST_MS)
      await services.unit({ tenantId }, (db) => db.enqueue(QUEUE, { id, mark }, { runAt, maxAttempts: 3 }))
      return
    }
    await stopCamera({ services }, reached)
  },
})

/** Stops whatever is pressed through this process, as it goes. */
export const clearPtzPresses = (services: Services): void => {
  for (const { timer } of pressedOf(services).values()) clearTimeout(timer)
  pressedOf(services).clear()
}
