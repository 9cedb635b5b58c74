/**
 * Proxies streams: a browser only gets an address on this server, sealed and valid for a minute, and learns nothing
 * about the platform. When a viewer leaves, the connection to the media server ends too.
 */

import { request as requestHttp, type ClientRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { WebSocket } from 'ws'
import { sharedEgressAgents } from '#kit/server/request/egress.ts'
import { acceptWebsocket, isWebsocketUpgrade } from '#kit/server/request/sockets.ts'
import type { Services } from '#kit/server/module/services.ts'
import { addStreamViewer, type StreamViewer } from './viewers.ts'

/** Contents of a sealed stream address. */
export type SealedStreamTarget = Omit<StreamViewer, 'end'> & {
  url: string
  mayBeInside: boolean
  /** Saved as a file under this name. */
  fileName?: string
}

const CONNECT_MS = 15_000
/** A stream without data for so long has ended. */
const SILENT_MS = 20_000
const BACKLOG_MAX = 2_000_000

/** Converts a websocket address to HTTP, where media servers offer the same stream. */
const httpOf = (address: string): URL => new URL(address.replace(/^ws/, 'http'))

type Source = { begun: (answer: IncomingMessage) => void; failed: (status: number) => void }

/** Connects to a media server. Private addresses are only allowed if the account permits them. */
function openSource({ url, mayBeInside }: SealedStreamTarget, { begun, failed }: Source): ClientRequest {
  const target = httpOf(url)
  const isTls = target.protocol === 'https:'
  const agents = sharedEgressAgents()
  let isOpen = false
  const fail = (status: number) => {
    if (!isOpen) failed(status)
    isOpen = true
  }
  let request: ClientRequest
  try {
    request = (isTls ? requestHttps : requestHttp)(target, {
      ...(mayBeInside ? { agent: false } : { agent: isTls ? agents.https : agents.http }),
      timeout: CONNECT_MS,
    })
  } catch {
    // The address was rejected as private.
    request = requestHttp({ host: '127.0.0.1', port: 1 })
    request.on('error', () => {})
    fail(502)
    return request
  }
  request.on('timeout', () => request.destroy())
  request.on('error', () => fail(502))
  request.on('response', (answer: IncomingMessage) => {
    if (answer.statusCode !== 200) {
      answer.resume()
      request.destroy()
      return fail(answer.statusCode ?? 502)
    }
    isOpen = true
    request.setTimeout(SILENT_MS)
    begun(answer)
  })
  request.end()
  return request
}

const ENDED = 4000
const NO_STREAM = 4004
/** Detects viewers that have left without closing the connection. */
const PING_MS = 15_000

function toSocket(services: Services, watching: SealedStreamTarget, socket: WebSocket): void {
  const end = () => socket.close(ENDED)
  const leave = addStreamViewer(services, { ...watching, end })
  let isAlive = true
  socket.on('pong', () => (isAlive = true))
  const pingTimer = setInterval(() => {
    if (!isAlive) return socket.terminate()
    isAlive = false
    socket.ping()
  }, PING_MS).unref()
  const source = openSource(watching, {
    failed: () => socket.close(NO_STREAM),
    begun: (answer) => {
      answer.on('data', (part: Buffer) => {
        socket.send(part, () => {
          if (answer.isPaused() && socket.bufferedAmount < BACKLOG_MAX / 2) answer.resume()
        })
        if (socket.bufferedAmount > BACKLOG_MAX) answer.pause()
      })
      answer.on('close', end)
      answer.on('error', end)
    },
  })
  socket.on('close', () => {
    clearInterval(pingTimer)
    leave()
    source.destroy()
  })
}

/** Returns the headers of a download, an MP4 of known size. */
const fileHeaders = (name: string, length: string | undefined) => ({
  'content-type': 'video/mp4',
  'content-disposition': `attachment; filename="recording.mp4"; filename*=UTF-8''${encodeURIComponent(name)}`,
  ...(length && { 'content-length': length }),
})

function toAnswer(services: Services, watching: SealedStreamTarget, response: ServerResponse): void {
  const leave = addStreamViewer(services, { ...watching, end: () => response.destroy() })
  const source = openSource(watching, {
    failed: (status) => {
      if (!response.headersSent) response.writeHead(status === 404 ? 404 : 502)
      response.end()
    },
    begun: (answer) => {
      response.writeHead(200, {
        'cache-control': 'no-store',
        ...(watching.fileName
          ? fileHeaders(watching.fileName, answer.headers['content-length'])
          : { 'content-type': 'video/x-flv' }),
      })
      answer.pipe(response)
      answer.on('error', () => response.destroy())
    },
  })
  response.on('close', () => {
    leave()
    source.destroy()
  })
}

/** Serves the stream of an address, as a websocket or as an HTTP response. */
export function proxyCameraStream(services: Services, watching: SealedStreamTarget, response: ServerResponse): void {
  if (isWebsocketUpgrade(response)) acceptWebsocket(response, (socket) => toSocket(services, watching, socket))
  else toAnswer(services, watching, response)
}
