import type { ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import { hasPermission, type Caller } from './caller.ts'
import { Refused } from './refused.ts'
import type { PostgresListener } from './shared/index.ts'

/**
 * What goes to browsers. `permission` and `limits` say who may hear it: `{ topic: 'shoppingOrder.changed', tenantId,
 * permission: 'shoppingOrder', limits: { shop: '12' }, data }`. A message without a permission is for every user of the
 * tenant.
 */
export type LiveMessage = {
  topic: string
  tenantId: string
  data: Record<string, unknown>
  permission?: string
  limits?: Record<string, string>
  userIds?: string[]
}

export type LiveStreams = {
  /** Refuses when the session, the person or the tenant holds as many streams as it may. */
  admit: (caller: Caller) => void
  /** Holds a browser's connection open until it or the server ends it. */
  join: (caller: Caller, response: ServerResponse) => void
  /** Server-side listeners (caches, push adapters). */
  on: (topic: string, handler: (message: LiveMessage) => void) => void
  /** Ends the connections of a session that died. */
  drop: (isDead: (caller: Caller) => boolean) => void
  /** Those who hold a connection. */
  callers: () => readonly Caller[]
  size: () => number
  stop: () => Promise<void>
}

const BEAT_MS = 20_000
/**
 * Streams of one session (a tab has one), of one person however often they signed in, and of one tenant, in one
 * process: an open connection costs memory whoever it belongs to.
 */
export const LIVE_STREAMS_MAX = { session: 20, person: 100, tenant: 2000 }
const BACKLOG_MAX = 1_000_000
const STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
  connection: 'keep-alive',
}

/** May this caller hear the message? Tenant, permission and data limits, as everywhere. */
export function mayReceiveMessage(caller: Caller, message: LiveMessage): boolean {
  if (!caller.isPlatform && message.tenantId !== caller.tenantId) return false
  if (message.userIds && !message.userIds.includes(caller.userId)) return false
  if (message.permission && !hasPermission(caller, message.permission)) return false
  return Object.entries(caller.limits).every(
    ([limit, ids]) => message.limits?.[limit] === undefined || ids.includes(message.limits[limit]),
  )
}

/** The limit that those who hold streams already leave no room below. */
function limitReached(holders: readonly Caller[], { sessionId, tenantId, userId }: Caller): number | undefined {
  const { session, person, tenant } = LIVE_STREAMS_MAX
  const ofTenant = holders.filter((one) => one.tenantId === tenantId)
  if (holders.filter((one) => one.sessionId === sessionId).length >= session) return session
  if (ofTenant.filter((one) => one.userId === userId).length >= person) return person
  return ofTenant.length >= tenant ? tenant : undefined
}

/**
 * Listens to the database's `live` channel, on the one listening connection of the process, and hands messages to the
 * browsers that may hear them.
 */
export async function createLiveStreams(listener: PostgresListener, log: Logger): Promise<LiveStreams> {
  const clients = new Map<ServerResponse, Caller>()
  const handlers = new Map<string, Set<(message: LiveMessage) => void>>()

  const send = (message: LiveMessage) => {
    for (const handler of [...(handlers.get(message.topic) ?? []), ...(handlers.get('*') ?? [])]) handler(message)
    let frame: string | undefined
    for (const [response, caller] of clients) {
      if (!mayReceiveMessage(caller, message)) continue
      frame ??= `event: ${message.topic}\ndata: ${JSON.stringify(message.data)}\n\n`
      // A browser that does not read would make us hold its messages for ever; it reconnects and refetches.
      if (response.writableLength > BACKLOG_MAX) response.destroy()
      else response.write(frame)
    }
  }

  const hear = (payload: string) => {
    try {
      send(JSON.parse(payload) as LiveMessage)
    } catch (err) {
      log.warn({ err }, 'a live message could not be read')
    }
  }
  // After a lost connection browsers refetch: what was told meanwhile is not repeated.
  const missed = () => {
    for (const response of clients.keys()) response.write('event: missed\ndata: {}\n\n')
  }
  const unlisten = await listener.listen('live', hear, missed)
  const beat = setInterval(() => {
    for (const response of clients.keys()) response.write(': beat\n\n')
  }, BEAT_MS).unref()

  return {
    admit: (caller) => {
      const max = limitReached([...clients.values()], caller)
      if (max) throw new Refused('too_many_streams', { max })
    },
    join: (caller, response) => {
      response.writeHead(200, STREAM_HEADERS)
      response.write('retry: 2000\nevent: joined\ndata: {}\n\n')
      clients.set(response, caller)
      response.on('close', () => clients.delete(response))
    },
    on: (topic, handler) => void (handlers.get(topic) ?? handlers.set(topic, new Set()).get(topic)!).add(handler),
    drop: (isDead) => {
      for (const [response, caller] of clients) if (isDead(caller)) response.end()
    },
    callers: () => [...clients.values()],
    size: () => clients.size,
    stop: async () => {
      unlisten()
      clearInterval(beat)
      for (const response of clients.keys()) response.end()
    },
  }
}
