import { createHash, randomBytes } from 'node:crypto'
import type { Download } from './downloads.ts'

/** The faults of a camera. */
type CameraFaults = {
  /** A stream sends no data; the platform reports that after a timeout. */
  isMute?: true
  /** Ends each stream after so many ms. */
  diesAfterMs?: number
  isHevc?: true
  isBlack?: true
  isFrozen?: true
  isTurned?: true
  /** The media server offers only HLS. */
  hasOnlyHls?: true
}

export type SimulatedCamera = {
  deviceId: string
  channelId: string
  name: string
  /** The text on its picture, in Latin letters. */
  title: string
  mark: number
  isOnline: boolean
  /** Offset of its clock; positive when it is ahead. */
  clockMs: number
  hasPtz: boolean
  hasAudio: boolean
  view: { pan: number; zoom: number; moving: string; movedAt: number }
  presets: Map<number, { pan: number; zoom: number }>
  faults: CameraFaults
}

export type CameraDraft = Pick<SimulatedCamera, 'deviceId' | 'channelId' | 'name' | 'title'> &
  Partial<Pick<SimulatedCamera, 'isOnline' | 'clockMs' | 'hasPtz' | 'hasAudio'>>

type Mood = {
  /** No call is answered. */
  isAway: boolean
  /** Number of calls that are still refused as not signed in. */
  forgets: number
  lateMs: number
}

/** A sound received by RTSP or WebRTC. */
export type ReceivedSound = { stream: string; aLaw: Buffer; isOver: boolean }

export type World = {
  generation: 'g1' | 'g2'
  username: string
  password: string
  apiKey: string
  pushKey: string
  tokens: Map<string, number>
  tokenSeconds: number
  logins: number
  cameras: SimulatedCamera[]
  mood: Mood
  /** Commands sent to cameras: eight bytes in hex, and the camera. */
  told: { channelId: string; bytes: string; at: number }[]
  heard: ReceivedSound[]
  downloads: Map<string, Download>
  /** The calls received, as `GET /api/...`. */
  calls: string[]
  now: () => number
}

export type WorldDraft = {
  generation?: 'g1' | 'g2'
  username?: string
  password?: string
  apiKey?: string
  tokenSeconds?: number
  now?: () => number
  cameras?: readonly CameraDraft[]
}

export const md5 = (text: string): string => createHash('md5').update(text).digest('hex')

/** Returns the number that a camera's picture contains as bits. */
const markOf = (deviceId: string, channelId: string): number =>
  Number.parseInt(md5(`${deviceId}/${channelId}`).slice(0, 8), 16)

const cameraOf = (draft: CameraDraft): SimulatedCamera => ({
  isOnline: true,
  clockMs: 0,
  hasPtz: false,
  hasAudio: true,
  ...draft,
  mark: markOf(draft.deviceId, draft.channelId),
  view: { pan: 0, zoom: 0, moving: 'stop', movedAt: 0 },
  presets: new Map(),
  faults: {},
})

export const createWorld = (draft: WorldDraft): World => ({
  generation: draft.generation ?? 'g1',
  username: draft.username ?? 'admin',
  password: draft.password ?? randomBytes(8).toString('hex'),
  apiKey: draft.apiKey ?? '',
  pushKey: randomBytes(16).toString('hex'),
  tokens: new Map(),
  tokenSeconds: draft.tokenSeconds ?? 1800,
  logins: 0,
  cameras: (draft.cameras ?? []).map(cameraOf),
  mood: { isAway: false, forgets: 0, lateMs: 0 },
  told: [],
  heard: [],
  downloads: new Map(),
  calls: [],
  now: draft.now ?? Date.now,
})

/** A refusal in WVP's format: HTTP 200 with a code, except when not signed in. */
export class WvpRefusal extends Error {
  readonly code: number
  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

export function cameraIn(world: World, deviceId: string, channelId: string): SimulatedCamera {
  const found = world.cameras.find((one) => one.deviceId === deviceId && one.channelId === channelId)
  if (!found) throw new WvpRefusal(404, '设备或通道不存在')
  return found
}

/** Returns the eight bytes sent to a camera; the generations encode the last parameter differently. */
function frontEndBytes(world: World, code: number, p1: number, p2: number, c2: number): string {
  const last = world.generation === 'g1' ? c2 & 0xf0 : (c2 << 4) & 0xff
  const bytes = [0xa5, 0x0f, 0x01, code & 0xff, p1 & 0xff, p2 & 0xff, last]
  bytes.push(bytes.reduce((sum, byte) => sum + byte, 0) % 256)
  return Buffer.from(bytes).toString('hex').toUpperCase()
}

const DIRECTIONS: Record<string, number> = { right: 1, left: 2, down: 4, up: 8, zoomin: 16, zoomout: 32, stop: 0 }
const PER_SECOND = 6

/** Updates the camera's direction and zoom for the time since the last movement. */
export function advanceCameraView(world: World, { view }: SimulatedCamera): void {
  const seconds = (world.now() - view.movedAt) / 1000
  view.movedAt = world.now()
  const steps = Math.min(seconds, 60) * PER_SECOND
  if (view.moving.includes('left')) view.pan -= steps
  if (view.moving.includes('right')) view.pan += steps
  if (view.moving === 'zoomin') view.zoom = Math.min(view.zoom + seconds * 2, 8)
  if (view.moving === 'zoomout') view.zoom = Math.max(view.zoom - seconds * 2, 0)
}

export function moveCamera(world: World, camera: SimulatedCamera, command: string, speed: number): void {
  const parts = Object.keys(DIRECTIONS).filter(
    (one) => command === one || (!/zoom|stop/.test(one) && command.includes(one)),
  )
  if (!parts.length) throw new WvpRefusal(400, `未知的云台指令 ${command}`)
  advanceCameraView(world, camera)
  camera.view.moving = command
  const code = parts.reduce((all, one) => all | DIRECTIONS[one]!, 0)
  sendToCamera(
    world,
    camera,
    frontEndBytes(world, code, command === 'stop' ? 0 : speed, command === 'stop' ? 0 : speed, 0),
  )
}

export const sendToCamera = (world: World, { channelId }: SimulatedCamera, bytes: string): void =>
  void world.told.push({ channelId, bytes, at: world.now() })

const PRESET = { set: 129, call: 130, drop: 131 }

/** Sends a front-end command to the camera. Presets and stop also change its view; other codes are only recorded. */
export function frontEnd(world: World, camera: SimulatedCamera, [code, p1, p2, c2]: readonly number[]): void {
  advanceCameraView(world, camera)
  const { pan, zoom } = camera.view
  if (code === PRESET.set) camera.presets.set(p2!, { pan, zoom })
  if (code === PRESET.drop) camera.presets.delete(p2!)
  const preset = code === PRESET.call ? camera.presets.get(p2!) : undefined
  if (preset) Object.assign(camera.view, preset, { moving: 'stop' })
  if (code === 0) camera.view.moving = 'stop'
  sendToCamera(world, camera, frontEndBytes(world, code!, p1!, p2!, c2!))
}
