import type { Client, Pool } from 'pg'
import { openExtraClient } from '../database/connections.ts'
import { silentLogger, type MinimalLogger } from '../base/minimal-logger.ts'
import type { Unsubscribe } from './shared.ts'

/** PostgreSQL LISTEN on a dedicated connection that reconnects by itself. */
export type PostgresListener = {
  /** Resolves once the database listens. `onGap` runs after a reconnection: notifications may have been missed. */
  listen(channel: string, handler: (payload: string) => void, onGap?: () => void): Promise<Unsubscribe>
  close(): Promise<void>
}

const reconnectMsMin = 50
const reconnectMsMax = 5_000

type Handlers = Map<string, Set<{ handler: (payload: string) => void; onGap?: (() => void) | undefined }>>

/** Creates a listener that connects with the pool's settings at the first `listen`. */
export function createPostgresListener(pool: Pool, log: MinimalLogger = silentLogger): PostgresListener {
  const handlers: Handlers = new Map()
  let connection: Promise<Client> | undefined
  let closed = false

  async function connect(): Promise<Client> {
    const client = await openListening(pool, handlers, log)
    client.on('end', () => {
      if (!closed) connection = reconnect()
    })
    return client
  }

  async function reconnect(): Promise<Client> {
    for (let waitMs = reconnectMsMin; ; waitMs = Math.min(waitMs * 2, reconnectMsMax)) {
      await new Promise((resolve) => setTimeout(resolve, waitMs).unref())
      if (closed) throw new Error('The listener is closed')
      try {
        const client = await connect()
        for (const set of handlers.values()) for (const { onGap } of set) onGap?.()
        return client
      } catch (err) {
        log.warn({ err }, 'The listening connection is not back yet')
      }
    }
  }

  function connected(): Promise<Client> {
    connection ??= connect().catch((err: unknown) => {
      connection = undefined
      throw err
    })
    return connection
  }

  return {
    async listen(channel, handler, onGap) {
      const entry = { handler, onGap }
      const set = handlers.get(channel) ?? new Set()
      handlers.set(channel, set.add(entry))
      const client = await connected()
      await client.query(`listen ${client.escapeIdentifier(channel)}`)
      return () => {
        set.delete(entry)
      }
    },
    async close() {
      closed = true
      const client = await connection?.catch(() => undefined)
      await client?.end().catch(() => {})
    },
  }
}

/** Opens a connection that listens on the channels of these handlers. */
async function openListening(pool: Pool, handlers: Handlers, log: MinimalLogger): Promise<Client> {
  const client = await openExtraClient(pool, { pipeline: false, query_timeout: 0 })
  client.on('notification', ({ channel, payload }) => {
    for (const { handler } of handlers.get(channel) ?? []) {
      try {
        handler(payload ?? '')
      } catch (err) {
        log.error({ err, channel }, 'A listener failed')
      }
    }
  })
  client.on('error', (err) => log.warn({ err }, 'The listening connection broke'))
  try {
    for (const channel of handlers.keys()) await client.query(`listen ${client.escapeIdentifier(channel)}`)
    return client
  } catch (err) {
    await client.end().catch(() => {})
    throw err
  }
}
