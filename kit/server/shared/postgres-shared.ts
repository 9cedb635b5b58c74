import { randomUUID } from 'node:crypto'
import type { Pool } from 'pg'
import { createPostgresListener, type PostgresListener } from './listener.ts'
import { defineGlobalSharedKey, type SharedKey } from './keys.ts'
import { silentLogger, type MinimalLogger } from '../base/minimal-logger.ts'
import type { Json, SharedStore } from './shared.ts'
import { createSubscribers } from './subscribers.ts'

/** An unlogged table: a crash of the database loses at most captchas and the like. */
export const sharedTablesSql = `
create unlogged table if not exists shared_entry (
  key text primary key,
  value jsonb,
  hits integer not null default 0,
  expires_at timestamptz not null
);
create index if not exists shared_entry_expires_at on shared_entry (expires_at);
`

const notifyChannel = 'shared'
/** NOTIFY carries less than 8000 bytes; longer messages are stored in the table, and only their key is sent. */
const notifyBytesMax = 7_000
const longMessageSeconds = 60
const messageKey = defineGlobalSharedKey('message', 'what is published is for all processes, under a number of its own')
const sweepMs = 60_000

const seconds = (parameter: string) => `clock_timestamp() + make_interval(secs => ${parameter}::double precision)`

type Options = { log?: MinimalLogger; listener?: PostgresListener }

type Entries = Pick<SharedStore, 'increment' | 'count' | 'forget' | 'put' | 'claim' | 'take' | 'read' | 'ping'>

/** Values and counters, one row each. */
function createEntries(pool: Pool): Entries {
  async function write(key: string, value: Json, ttlSeconds: number, onConflict: string): Promise<boolean> {
    const { rowCount } = await pool.query(
      `insert into shared_entry as entry (key, value, expires_at) values ($1, $2, ${seconds('$3')})
       on conflict (key) do update set value = excluded.value, hits = 0,
       expires_at = excluded.expires_at ${onConflict}`,
      [key, JSON.stringify(value), ttlSeconds],
    )
    return rowCount === 1
  }

  return {
    async increment(key, windowSeconds, kind = 'fixed') {
      const { rows } = await pool.query(
        `insert into shared_entry as entry (key, hits, expires_at) values ($1, 1, ${seconds('$2')})
         on conflict (key) do update set
           hits = case when entry.expires_at > clock_timestamp() then entry.hits + 1 else 1 end,
           expires_at = case when entry.expires_at > clock_timestamp() and not $3
             then entry.expires_at else excluded.expires_at end
         returning hits`,
        [key, windowSeconds, kind === 'sliding'],
      )
      return rows[0].hits
    },
    async count(key) {
      const { rows } = await pool.query(
        'select hits from shared_entry where key = $1 and expires_at > clock_timestamp()',
        [key],
      )
      return rows[0]?.hits ?? 0
    },
    async forget(key) {
      await pool.query('delete from shared_entry where key = $1', [key])
    },
    async put(key, value, ttlSeconds) {
      await write(key, value, ttlSeconds, '')
    },
    claim(key, value, ttlSeconds) {
      return write(key, value, ttlSeconds, 'where entry.expires_at <= clock_timestamp()')
    },
    async take(key) {
      const { rows } = await pool.query(
        'delete from shared_entry where key = $1 returning value, expires_at > clock_timestamp() as fresh',
        [key],
      )
      return rows[0]?.fresh ? (rows[0].value ?? undefined) : undefined
    },
    async read(key) {
      const { rows } = await pool.query(
        'select value from shared_entry where key = $1 and expires_at > clock_timestamp()',
        [key],
      )
      return rows[0]?.value ?? undefined
    },
    async ping() {
      await pool.query('select from shared_entry limit 1')
    },
  }
}

/** Messages by NOTIFY; longer ones are stored as entries. */
function createChannels(
  pool: Pool,
  listener: PostgresListener,
  entries: Entries,
  log: MinimalLogger,
): Pick<SharedStore, 'publish' | 'subscribe'> {
  const subscribers = createSubscribers(log)
  let listening: Promise<unknown> | undefined

  async function receive(payload: string) {
    const { channel, message, key } = JSON.parse(payload) as { channel: string; message?: Json; key?: SharedKey }
    if (key === undefined) return subscribers.deliver(channel, message ?? null)
    const stored = await entries.read(key)
    if (stored !== undefined) subscribers.deliver(channel, stored)
  }

  function onNotification(payload: string) {
    receive(payload).catch((err: unknown) => log.error({ err }, 'A shared message could not be read'))
  }

  return {
    async publish(channel, message) {
      let payload = JSON.stringify({ channel, message })
      if (Buffer.byteLength(payload) > notifyBytesMax) {
        const key = messageKey(randomUUID())
        await entries.put(key, message, longMessageSeconds)
        payload = JSON.stringify({ channel, key })
      }
      await pool.query('select pg_notify($1, $2)', [notifyChannel, payload])
    },
    async subscribe(channel, handler, onGap) {
      const unsubscribe = subscribers.add(channel, handler, onGap)
      listening ??= listener.listen(notifyChannel, onNotification, () => subscribers.gap())
      try {
        await listening
      } catch (err) {
        listening = undefined
        unsubscribe()
        throw err
      }
      return unsubscribe
    },
  }
}

/** `SharedStore` on the product's own database; pass the process's listener to share its connection. */
export function createPostgresSharedStore(
  pool: Pool,
  { log = silentLogger, listener: given }: Options = {},
): SharedStore {
  const listener = given ?? createPostgresListener(pool, log)
  const entries = createEntries(pool)
  const sweep = setInterval(() => {
    pool
      .query('delete from shared_entry where expires_at < clock_timestamp()')
      .catch((err: unknown) => log.warn({ err }, 'Expired shared entries could not be removed'))
  }, sweepMs).unref()

  return {
    ...entries,
    ...createChannels(pool, listener, entries, log),
    async close() {
      clearInterval(sweep)
      if (!given) await listener.close()
    },
  }
}
