import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import sql from 'sql-template-tag'

/** Nobody sees that he is told so much later, while each telling is a transaction and wakes every server. */
const COALESCE_MS = 25

type Waiting = { messages: Set<string>; isSending: boolean }
const pendingNotifications = new WeakMap<pg.Pool, Waiting>()
/** What is told is of many calls: it runs in the context of none. */
const outsideContext = AsyncLocalStorage.snapshot()

/**
 * Tells browsers what committed units had to say: at once, and what gathers in the rest that follows with one
 * statement. Not in their transactions: a commit that notifies holds a lock of the whole server until its log is on the
 * disk, and all others wait for it one by one (docs/decisions/0046). Nor does it wait for the disk itself, or for a
 * standby: whoever listened to a database that died asks anew.
 */
export function queueNotifications(pool: pg.Pool, messages: Iterable<string>): void {
  const teller = pendingNotifications.get(pool) ?? { messages: new Set(), isSending: false }
  pendingNotifications.set(pool, teller)
  for (const message of messages) teller.messages.add(message)
  if (!teller.isSending && teller.messages.size) outsideContext(() => void flushNotifications(pool, teller))
}

async function flushNotifications(pool: pg.Pool, teller: Waiting): Promise<void> {
  teller.isSending = true
  while (teller.messages.size) {
    const { text, values } = sql`with soon as (select set_config('synchronous_commit', 'off', true))
      select pg_notify('live', told) from soon, unnest(${[...teller.messages]}::text[]) told`
    teller.messages.clear()
    // Where the database is away its listeners are too: browsers ask anew when they are back.
    await pool.query({ name: 'tell', text, values }).catch(() => {})
    await pause(COALESCE_MS, undefined, { ref: false })
  }
  teller.isSending = false
}
