import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer, type WebSocket } from 'ws'
import { flvFrame, flvHead, flvSequence } from './flv.ts'
import { createEncoder, parameterSets, type Frame } from './h264.ts'
import { COLUMNS, drawSight, ROWS, type Sight } from './scene.ts'
import { advanceCameraView, type SimulatedCamera, type World } from './world.ts'

const FRAME_MS = 100

/** A stream of a camera, live or from a time of its recording. */
export type Stream = {
  app: string
  name: string
  camera: SimulatedCamera
  /** Begin of a recording by the camera's own clock; undefined for a live stream. */
  from?: number
  /** End of a recording. */
  until?: number
  speed: number
  isPaused: boolean
  /** Milliseconds of the recording played so far. */
  played: number
  begun: number
}

type Reader = { take: (frame: Frame, timestamp: number) => void; end: () => void }
type Running = { stream: Stream; readers: Set<Reader>; timer?: NodeJS.Timeout; timestamp: number }

/** Returns what a camera shows at the stream's present time. */
export function sightOf(world: World, { camera, from, played }: Stream): Sight {
  advanceCameraView(world, camera)
  const { faults, view, clockMs } = camera
  const now = world.now()
  const at = from === undefined ? (faults.isFrozen ? 0 : now) + clockMs : from + played
  return {
    title: camera.title,
    mark: camera.mark,
    at: new Date(at),
    phase: Math.floor((at - clockMs) / 250),
    pan: Math.round(view.pan),
    isTurned: faults.isTurned,
    zoom: Math.round(view.zoom),
    isBlack: faults.isBlack,
  }
}

/** The media server's streams: encoded while somebody reads them, ended when nobody does. */
export function createMedia(world: World) {
  const streams = new Map<string, Running>()
  const keyOf = (app: string, name: string) => `${app}/${name}`

  function end(key: string): void {
    const running = streams.get(key)
    if (!running) return
    streams.delete(key)
    clearInterval(running.timer)
    for (const reader of running.readers) reader.end()
  }

  function tick(key: string, running: Running, encoder: ReturnType<typeof createEncoder>): void {
    const { stream, readers } = running
    const { camera } = stream
    if (!camera.isOnline || (camera.faults.diesAfterMs && Date.now() - stream.begun > camera.faults.diesAfterMs))
      return end(key)
    if (camera.faults.isMute || stream.isPaused) return
    if (stream.until !== undefined && stream.from! + stream.played >= stream.until) return end(key)
    const frame = encoder.encode(drawSight(sightOf(world, stream)), running.timestamp === 0)
    for (const reader of readers) reader.take(frame, running.timestamp)
    running.timestamp += FRAME_MS
    stream.played += FRAME_MS * stream.speed
  }

  function read(key: string, reader: Reader): () => void {
    const running = streams.get(key)!
    running.readers.add(reader)
    // A new reader needs a key frame first, so all readers get one.
    const encoder = createEncoder()
    clearInterval(running.timer)
    tick(key, running, encoder)
    running.timer = setInterval(() => tick(key, running, encoder), FRAME_MS)
    return () => {
      running.readers.delete(reader)
      if (!running.readers.size) end(key)
    }
  }

  return {
    streams,
    keyOf,
    open(stream: Omit<Stream, 'begun' | 'played' | 'speed' | 'isPaused'>): Stream {
      const key = keyOf(stream.app, stream.name)
      const known = streams.get(key)
      if (known) return known.stream
      const made = { ...stream, begun: Date.now(), played: 0, speed: 1, isPaused: false }
      streams.set(key, { stream: made, readers: new Set(), timestamp: 0 })
      return made
    },
    end,
    read,
    readers: (): number => [...streams.values()].reduce((sum, { readers }) => sum + readers.size, 0),
    close: () => [...streams.keys()].forEach(end),
  }
}

export type Media = ReturnType<typeof createMedia>

/** A reader that gets the stream as FLV. */
function flvReader(camera: SimulatedCamera, send: (bytes: Buffer) => void, end: () => void): Reader {
  const isHevc = camera.faults.isHevc === true
  const { sps, pps } = parameterSets(COLUMNS, ROWS)
  let hasBegun = false
  return {
    end,
    take: (frame, timestamp) => {
      if (!hasBegun && !frame.isKey) return
      if (!hasBegun) send(Buffer.concat([flvHead(), flvSequence([sps, pps], isHevc)]))
      hasBegun = true
      // The parameter sets were sent in the header.
      const units = frame.isKey ? frame.units.slice(2) : frame.units
      send(flvFrame({ ...frame, units }, timestamp, isHevc))
    },
  }
}

const FLV_PATH = /^\/([\w-]+)\/([\w-]+)\.live\.flv$/

const keyIn = (media: Media, url: string): string | undefined => {
  const [, app, name] = FLV_PATH.exec(url.split('?', 1)[0]!) ?? []
  const key = app && name ? media.keyOf(app, name) : ''
  return media.streams.has(key) ? key : undefined
}

/** Serves FLV over HTTP. Returns false for any other address. */
export function sendFlv(media: Media, request: IncomingMessage, response: ServerResponse): boolean {
  if (!FLV_PATH.test(request.url!.split('?', 1)[0]!)) return false
  const key = keyIn(media, request.url!)
  if (!key) {
    response.writeHead(404).end()
    return true
  }
  response.writeHead(200, { 'content-type': 'video/x-flv', 'access-control-allow-origin': '*' })
  const { camera } = media.streams.get(key)!.stream
  const leave = media.read(
    key,
    flvReader(
      camera,
      (bytes) => void response.write(bytes),
      () => response.end(),
    ),
  )
  response.on('close', leave)
  return true
}

/** Serves FLV over websockets. */
export function createSockets(media: Media) {
  const sockets = new WebSocketServer({ noServer: true })
  return (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    const key = keyIn(media, request.url!)
    if (!key) return void socket.end('HTTP/1.1 404 Not Found\r\n\r\n')
    sockets.handleUpgrade(request, socket, head, (client: WebSocket) => {
      const { camera } = media.streams.get(key)!.stream
      const leave = media.read(
        key,
        flvReader(
          camera,
          (bytes) => client.send(bytes),
          () => client.close(),
        ),
      )
      client.on('close', leave)
      client.on('error', () => {})
    })
  }
}
