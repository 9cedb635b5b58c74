import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import sql from 'sql-template-tag'

/**
 * Pause between two batches of messages, in milliseconds. Nobody notices the delay, while each batch is a transaction
 * and wakes every server.
 */
const COALESCE_MS = 25

type PendingNotifications = { messages: Set<string>; isSending: boolean }
const pendingNotifications = new WeakMap<pg.Pool, PendingNotifications>()
/** Messages belong to many calls, so they are sent in the context of none. */
const outsideContext = AsyncLocalStorage.snapshot()

/**
 * Sends messages of committed units to browsers: the first at once, those that gather during the pause with one
 * statement. Not inside their transactions: a commit with NOTIFY holds a server-wide lock until it is on disk, so all
 * such commits would wait for each other (docs/decisions/0046). The sending transaction commits asynchronously: after a
 * crash of the database listeners refetch anyway.
 */
export function queueNotifications(pool: pg.Pool, messages: Iterable<string>): void {
  const pending = pendingNotifications.get(pool) ?? { messages: new Set(), isSending: false }
  pendingNotifications.set(pool, pending)
  for (const message of messages) pending.messages.add(message)
  if (!pending.isSending && pending.messages.size) outsideContext(() => void flushNotifications(pool, pending))
}

async function flushNotifications(pool: pg.Pool, pending: PendingNotifications): Promise<void> {
  pending.isSending = true
  while (pending.messages.size) {
    const { text, values } = sql`with soon as (select set_config('synchronous_commit', 'off', true))
      select pg_notify('live', message) from soon, unnest(${[...pending.messages]}::text[]) message`
    pending.messages.clear()
    // If the database is down, its listeners have lost their connections too and will refetch.
    await pool.query({ name: 'tell', text, values }).catch(() => {})
    await pause(COALESCE_MS, undefined, { ref: false })
  }
  pending.isSending = false
}
