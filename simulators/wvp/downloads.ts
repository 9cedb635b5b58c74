/** Downloads of recordings: sent faster than filmed, and written to a file meanwhile. */
import { COLUMNS, drawSight, ROWS } from './scene.ts'
import { CELL, createEncoder } from './h264.ts'
import { sightOf } from './media.ts'
import { mp4Of } from './mp4.ts'
import type { SimulatedCamera, World } from './world.ts'

export type Download = {
  camera: SimulatedCamera
  stream: string
  from: number
  until: number
  speed: number
  begun: number
}

/** Returns the share that has been sent, 1 when the file is complete. */
export const progressOf = ({ from, until, speed, begun }: Download): number =>
  Math.min(1, ((Date.now() - begun) * speed) / (until - from))

const FRAMES_MAX = 3_000
const FRAME_MS = 100

/** Returns the file of a complete download. */
export function fileOf(world: World, { camera, from, until }: Download): Buffer {
  const encoder = createEncoder()
  const frameMs = Math.max(FRAME_MS, Math.ceil((until - from) / FRAMES_MAX))
  const stream = { app: '', name: '', camera, from, speed: 1, isPaused: false, begun: 0 }
  const frames = Array.from({ length: Math.ceil((until - from) / frameMs) }, (_none, n) =>
    encoder.encode(drawSight(sightOf(world, { ...stream, played: n * frameMs })), n === 0),
  )
  return mp4Of({ frames, frameMs, columns: COLUMNS, rows: ROWS, cell: CELL })
}
