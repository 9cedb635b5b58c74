import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { Flat, Image, wvpCalls, type WvpSimContext } from './calls.ts'
import { fileOf, progressOf } from './downloads.ts'
import { createHls } from './hls.ts'
import { createMedia, createSockets, sendFlv } from './media.ts'
import { createRtsp } from './rtsp.ts'
import { answerOffer } from './webrtc.ts'
import { createWorld, md5, WvpRefusal, type World, type WorldDraft } from './world.ts'

const SPOKEN = {
  g1: ['/api/ptz/control/{deviceId}/{channelId}'],
  g2: ['/api/front-end/ptz/{deviceId}/{channelId}', '/api/common/channel/list'],
}

type Options = WorldDraft & { port?: number; playTimeoutMs?: number }

/** Signs in with the MD5 of the password. The token is in the answer and in its headers. */
function signIn(world: World, url: URL): { token: string; data: object } {
  const { username, password, pushKey } = world
  const right = url.searchParams.get('username') === username && url.searchParams.get('password') === md5(password)
  if (!right) throw new WvpRefusal(100, '用户名或密码错误')
  world.logins++
  const token = `${randomBytes(12).toString('hex')}.${randomBytes(24).toString('hex')}`
  world.tokens.set(token, world.now() + world.tokenSeconds * 1000)
  return { token, data: { id: 1, username, pushKey, accessToken: token, serverId: 'wvp-1' } }
}

function isSignedIn(world: World, { headers }: IncomingMessage): boolean {
  if (world.mood.forgets > 0) {
    world.mood.forgets--
    world.tokens.clear()
    return false
  }
  if (world.generation === 'g2' && world.apiKey && headers['api-key'] === world.apiKey) return true
  return (world.tokens.get(String(headers['access-token'])) ?? 0) > world.now()
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json;charset=UTF-8' }).end(JSON.stringify(body))
}

function sendResult(response: ServerResponse, result: unknown): void {
  if (result instanceof Flat) return sendJson(response, 200, result.body)
  if (!(result instanceof Image)) return sendJson(response, 200, { code: 0, msg: '成功', data: result ?? null })
  if (!result.bytes) return void response.writeHead(204).end()
  response.writeHead(200, { 'content-type': 'image/jpeg' }).end(result.bytes)
}

async function routeRequest(
  place: WvpSimContext,
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
): Promise<void> {
  const { world } = place
  if (url.pathname === '/v3/api-docs') {
    const paths = Object.fromEntries(SPOKEN[world.generation].map((path) => [path, {}]))
    return sendJson(response, 200, { openapi: '3.0.1', paths })
  }
  if (url.pathname === '/api/user/login') {
    const { token, data } = signIn(world, url)
    response.setHeader('access-token', token)
    return sendJson(response, 200, { code: 0, msg: '成功', data })
  }
  if (!isSignedIn(world, request)) return sendJson(response, 401, { code: 401, msg: '请登录后重新请求', data: null })
  for (const { of, method, path, handle } of wvpCalls) {
    const params = path.exec(url.pathname)?.slice(1)
    if (!params || (of && of !== world.generation) || (method !== 'ANY' && method !== request.method)) continue
    const raw = await text(request)
    const body = raw.startsWith('{') ? (JSON.parse(raw) as Record<string, unknown>) : {}
    return sendResult(response, await handle(place, { params, query: Object.fromEntries(url.searchParams), body }))
  }
  throw new WvpRefusal(404, '请求的资源不存在')
}

const FILE_PATH = /\/record\/rtp\/(\w+)\/[\d-]+\/[\d-]+\.mp4$/

/** Serves recorded files by path or by the download call. Returns false for any other address. */
function sendFile({ world }: WvpSimContext, url: URL, response: ServerResponse): boolean {
  const path = url.pathname === '/index/api/downloadFile' ? (url.searchParams.get('file_path') ?? '') : url.pathname
  const [, stream] = FILE_PATH.exec(path) ?? []
  if (stream === undefined) return false
  const found = world.downloads.get(stream)
  if (!found || progressOf(found) < 1) {
    response.writeHead(404).end()
    return true
  }
  const bytes = fileOf(world, found)
  response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': bytes.length }).end(bytes)
  return true
}

async function serveRtc(
  place: WvpSimContext,
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
): Promise<void> {
  const reply = await answerOffer(place, url.searchParams, await text(request)).catch((error: unknown) => ({
    code: -400,
    msg: (error as Error).message,
  }))
  sendJson(response, 200, reply)
}

/** Answers one request; hangs up while `isAway`. */
async function serve(
  place: WvpSimContext & { sendHls: ReturnType<typeof createHls> },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { world, media } = place
  const url = new URL(request.url!, place.origin)
  world.calls.push(`${request.method} ${url.pathname}`)
  if (world.mood.isAway) return void response.destroy()
  if (sendFlv(media, request, response) || place.sendHls(url.pathname, response)) return
  if (sendFile(place, url, response)) return
  if (world.mood.lateMs) await pause(world.mood.lateMs)
  if (url.pathname === '/index/api/webrtc') return serveRtc(place, request, response, url)
  try {
    await routeRequest(place, request, response, url)
  } catch (error) {
    if (!(error instanceof WvpRefusal)) throw error
    sendJson(response, 200, { code: error.code, msg: error.message, data: null })
  }
}

/**
 * Starts a simulated WVP platform with its media server on loopback: calls, live and recorded video, and received
 * sound.
 */
export async function startWvp({ port = 0, playTimeoutMs = 2_000, ...draft }: Options = {}) {
  const world = createWorld(draft)
  const media = createMedia(world)
  const rtsp = createRtsp(world)
  const place: WvpSimContext & { sendHls: ReturnType<typeof createHls> } = {
    world,
    media,
    origin: '',
    rtspPort: 0,
    playTimeoutMs,
    sendHls: createHls(media),
  }

  const server = createServer((request, response) => {
    serve(place, request, response).catch(() => response.destroy())
  })
  const upgrade = createSockets(media)
  server.on('upgrade', (request, socket, head) =>
    world.mood.isAway ? socket.destroy() : upgrade(request, socket, head),
  )

  const open = new Set<Socket>()
  for (const one of [server, rtsp])
    one.on('connection', (socket: Socket) => {
      open.add(socket)
      socket.on('close', () => open.delete(socket))
    })
  server.listen(port, '127.0.0.1')
  rtsp.listen(0, '127.0.0.1')
  await Promise.all([once(server, 'listening'), once(rtsp, 'listening')])
  place.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  place.rtspPort = (rtsp.address() as AddressInfo).port

  return {
    world,
    media,
    url: place.origin,
    rtspUrl: `rtsp://127.0.0.1:${place.rtspPort}`,
    camera: (channelId: string) => world.cameras.find((one) => one.channelId === channelId)!,
    /** Closes all connections and ends all streams; new calls are answered. */
    cut: () => {
      media.close()
      for (const socket of open) socket.destroy()
    },
    close: async () => {
      media.close()
      for (const socket of open) socket.destroy()
      server.close()
      rtsp.close()
      await Promise.all([once(server, 'close'), once(rtsp, 'close')])
    },
  }
}

export type WvpSimulator = Awaited<ReturnType<typeof startWvp>>
