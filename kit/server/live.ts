import type { ServerResponse } from 'node:http'
import pg from 'pg'
import type { Logger } from 'pino'
import { may, type Caller } from './caller.ts'

/**
 * What goes to browsers. `permission` and `limits` say who may hear it: `{ topic: 'shoppingOrder.changed', tenantId, permission:
 * 'shoppingOrder', limits: { shop: '12' }, data }`. A message without a permission is for every user of the tenant.
 */
export type LiveMessage = { topic: string; tenantId: string; data: Record<string, unknown>; permission?: string; limits?: Record<string, string>; userIds?: string[] }

export type Live = {
  /** Holds a browser's connection open until it or the server ends it. */
  join: (caller: Caller, response: ServerResponse) => void
  /** Server-side listeners (caches, push adapters). */
  on: (topic: string, handler: (message: LiveMessage) => void) => void
  /** Ends the connections of a session that died. */
  drop: (isDead: (caller: Caller) => boolean) => void
  size: () => number
  stop: () => Promise<void>
}

const BEAT_MS = 20_000
const BACKLOG_MAX = 1_000_000

/** May this caller hear the message? Tenant, permission and data limits, as everywhere. */
export function hears(caller: Caller, message: LiveMessage): boolean {
  if (!caller.isPlatform && message.tenantId !== caller.tenantId) return false
  if (message.userIds && !message.userIds.includes(caller.userId)) return false
  if (message.permission && !may(caller, message.permission)) return false
  return Object.entries(caller.limits).every(([limit, ids]) => message.limits?.[limit] === undefined || ids.includes(message.limits[limit]))
}

/** Listens to the database's `live` channel (every process has one listener) and hands messages to the browsers that may hear them. */
export async function createLive(url: string, log: Logger): Promise<Live> {
  const clients = new Map<ServerResponse, Caller>()
  const handlers = new Map<string, Set<(message: LiveMessage) => void>>()
  let isStopped = false
  let connection: pg.Client | undefined
  let attempt = 0

  const send = (message: LiveMessage) => {
    for (const handler of [...(handlers.get(message.topic) ?? []), ...(handlers.get('*') ?? [])]) handler(message)
    let frame: string | undefined
    for (const [response, caller] of clients) {
      if (!hears(caller, message)) continue
      frame ??= `event: ${message.topic}\ndata: ${JSON.stringify(message.data)}\n\n`
      // A browser that does not read would make us hold its messages for ever; it reconnects and refetches.
      if (response.writableLength > BACKLOG_MAX) response.destroy()
      else response.write(frame)
    }
  }

  const connect = async (): Promise<void> => {
    const client = new pg.Client({ connectionString: url })
    client.on('error', () => {})
    client.on('end', () => {
      if (!isStopped && connection === client) setTimeout(() => void connect().catch(() => {}), Math.min(5000, 200 * 2 ** attempt++)).unref()
    })
    client.on('notification', ({ payload }) => {
      try {
        send(JSON.parse(payload ?? '') as LiveMessage)
      } catch (err) {
        log.warn({ err }, 'a live message could not be read')
      }
    })
    connection = client
    await client.connect()
    await client.query('listen live')
    if (attempt) for (const response of clients.keys()) response.write('event: missed\ndata: {}\n\n')
    attempt = 0
  }
  await connect()
  const beat = setInterval(() => {
    for (const response of clients.keys()) response.write(': beat\n\n')
  }, BEAT_MS)
  beat.unref()

  return {
    join: (caller, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store', 'x-accel-buffering': 'no', connection: 'keep-alive' })
      response.write('retry: 2000\nevent: joined\ndata: {}\n\n')
      clients.set(response, caller)
      response.on('close', () => clients.delete(response))
    },
    on: (topic, handler) => void (handlers.get(topic) ?? handlers.set(topic, new Set()).get(topic)!).add(handler),
    drop: (isDead) => {
      for (const [response, caller] of clients) if (isDead(caller)) response.end()
    },
    size: () => clients.size,
    stop: async () => {
      isStopped = true
      clearInterval(beat)
      for (const response of clients.keys()) response.end()
      await connection?.end().catch(() => {})
    },
  }
}
