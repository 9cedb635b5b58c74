import { ServerResponse, type IncomingMessage, type Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer, type WebSocket } from 'ws'

/**
 * Websockets pass the same pipeline as every call: who asks for one asks a route with GET, is refused as others are,
 * and is given the connection by the handler (`reply({ take })`), which makes a socket of it with `socketOf`.
 */

const heads = new WeakMap<IncomingMessage, Buffer>()

/** Has requests for websockets answered by the same routes; `routing` is Fastify's. */
export function routeWebsocketUpgrades(
  server: Server,
  routing: (request: IncomingMessage, response: ServerResponse) => void,
): void {
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    heads.set(request, head)
    const response = new ServerResponse(request)
    // A refusal is an answer, and the end of the line.
    response.shouldKeepAlive = false
    response.assignSocket(socket as never)
    response.on('finish', () => socket.end())
    socket.on('error', () => socket.destroy())
    routing(request, response)
  })
}

const PAYLOAD_MAX = 256 * 1024
const sockets = new WebSocketServer({ noServer: true, maxPayload: PAYLOAD_MAX, perMessageDeflate: false })

/** Whether a websocket is wanted where an answer is about to be taken. */
export const isWebsocketUpgrade = ({ req }: ServerResponse): boolean => heads.has(req)

/** Makes a websocket of a connection that was taken. */
export function acceptWebsocket(response: ServerResponse, opened: (socket: WebSocket) => void): void {
  const { req: request, socket } = response
  const head = heads.get(request)
  if (!socket || !head) return void response.destroy()
  heads.delete(request)
  response.detachSocket(socket)
  sockets.handleUpgrade(request, socket, head, (client) => {
    client.on('error', () => client.terminate())
    opened(client)
  })
}
