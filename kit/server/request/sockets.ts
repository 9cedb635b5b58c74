import { ServerResponse, type IncomingMessage, type Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer, type WebSocket } from 'ws'

/**
 * Websockets go through the same pipeline as other requests: a client requests a GET route, may be refused as usual,
 * and the handler takes the connection (`reply({ take })`) and makes a websocket of it with `acceptWebsocket`.
 */

const heads = new WeakMap<IncomingMessage, Buffer>()

/** Routes websocket upgrade requests through the normal routes; `routing` is Fastify's request handler. */
export function routeWebsocketUpgrades(
  server: Server,
  routing: (request: IncomingMessage, response: ServerResponse) => void,
): void {
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    heads.set(request, head)
    const response = new ServerResponse(request)
    // A refusal is sent as a normal response, then the connection is closed.
    response.shouldKeepAlive = false
    response.assignSocket(socket as never)
    response.on('finish', () => socket.end())
    socket.on('error', () => socket.destroy())
    routing(request, response)
  })
}

const PAYLOAD_MAX = 256 * 1024
const sockets = new WebSocketServer({ noServer: true, maxPayload: PAYLOAD_MAX, perMessageDeflate: false })

/** Whether the request asks for a websocket. */
export const isWebsocketUpgrade = ({ req }: ServerResponse): boolean => heads.has(req)

/** Turns a taken connection into a websocket. */
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
