import type { ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import { hasPermission, type Caller } from '../base/caller.ts'
import { Refused } from '../base/refused.ts'
import type { PostgresListener } from '../shared/index.ts'
import type { Topic } from '../../resource/topic.ts'

/**
 * A message to browsers. `permission`, `limits` and `userIds` say who may receive it: `{ topic:
 * 'shoppingOrder.changed', tenantId, permission: 'shoppingOrder', limits: { shop: '12' }, data }`. Without a permission
 * it goes to every user of the tenant.
 */
export type LiveMessage<Data = Record<string, unknown>> = {
  topic: string
  tenantId: string
  /** Empty where all of it was too long to send. */
  data: Partial<Data>
  permission?: string
  limits?: Record<string, string>
  userIds?: string[]
}

export type LiveStreams = {
  /** Refuses if the session, the person or the tenant already has its maximum of streams. */
  admit: (caller: Caller) => void
  /** Keeps a browser's connection open and sends it messages until either side closes it. */
  join: (caller: Caller, response: ServerResponse) => void
  /** Subscribes server code (caches, push adapters) to a topic; `*` means all. */
  on: {
    (topic: '*', handler: (message: LiveMessage) => void): void
    <Data>(topic: Topic<Data>, handler: (message: LiveMessage<Data>) => void): void
  }
  /** Closes the connections of sessions that have ended. */
  drop: (isDead: (caller: Caller) => boolean) => void
  /** Callers with an open connection. */
  callers: () => readonly Caller[]
  size: () => number
  stop: () => Promise<void>
}

const HEARTBEAT_MS = 20_000
/**
 * Most streams in one process of a session (each tab has one), of a person over all sessions, and of a tenant: each
 * open connection costs memory.
 */
export const LIVE_STREAMS_MAX = { session: 20, person: 100, tenant: 2000 }
const BACKLOG_MAX = 1_000_000
const STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
  connection: 'keep-alive',
}

/** Whether the caller may receive the message, by tenant, user, permission and limits. */
export function mayReceiveMessage(caller: Caller, message: LiveMessage): boolean {
  if (!caller.isPlatform && message.tenantId !== caller.tenantId) return false
  if (message.userIds && !message.userIds.includes(caller.userId)) return false
  if (message.permission && !hasPermission(caller, message.permission)) return false
  return Object.entries(caller.limits).every(
    ([limit, ids]) => message.limits?.[limit] === undefined || ids.includes(message.limits[limit]),
  )
}

/** Returns the limit that the caller has already reached; undefined if they may open another stream. */
function limitReached(holders: readonly Caller[], { sessionId, tenantId, userId }: Caller): number | undefined {
  const { session, person, tenant } = LIVE_STREAMS_MAX
  const ofTenant = holders.filter((one) => one.tenantId === tenantId)
  if (holders.filter((one) => one.sessionId === sessionId).length >= session) return session
  if (ofTenant.filter((one) => one.userId === userId).length >= person) return person
  return ofTenant.length >= tenant ? tenant : undefined
}

/**
 * Listens on PostgreSQL channel `live`, over the process's one listening connection, and sends each message to the
 * browsers that may receive it.
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
      // A browser that does not read would make us buffer messages without end; closed, it reconnects and refetches.
      if (response.writableLength > BACKLOG_MAX) response.destroy()
      else response.write(frame)
    }
  }

  const handleNotification = (payload: string) => {
    try {
      send(JSON.parse(payload) as LiveMessage)
    } catch (err) {
      log.warn({ err }, 'a live message could not be read')
    }
  }
  // Messages sent while the connection was lost are gone, so browsers are told to refetch.
  const missed = () => {
    for (const response of clients.keys()) response.write('event: missed\ndata: {}\n\n')
  }
  const unlisten = await listener.listen('live', handleNotification, missed)
  const heartbeat = setInterval(() => {
    for (const response of clients.keys()) response.write(': beat\n\n')
  }, HEARTBEAT_MS).unref()

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
    on: (topic: '*' | Topic<unknown>, handler: (message: LiveMessage<any>) => void) => {
      const name = topic === '*' ? topic : topic.name
      handlers.set(name, (handlers.get(name) ?? new Set()).add(handler))
    },
    drop: (isDead) => {
      for (const [response, caller] of clients) if (isDead(caller)) response.end()
    },
    callers: () => [...clients.values()],
    size: () => clients.size,
    stop: async () => {
      unlisten()
      clearInterval(heartbeat)
      for (const response of clients.keys()) response.end()
    },
  }
}
