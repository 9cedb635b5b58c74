/**
 * Runs reads of several calls on one connection, one after the other without waiting for answers (pipeline mode). Each
 * is its own transaction; those sent in one event-loop turn cost one socket write and wake the database once. Slow
 * reads get a connection of their own, so that no other waits behind them (docs/decisions/0110).
 */
import type pg from 'pg'
import { acquireConnection, acquireSharedConnection, type AcquiredConnection } from './acquire.ts'
import { isConnectionLoss } from './connections.ts'
import { executeBatch, isAbortedBatchError, type Statement, type StatementResult } from './statement-batch.ts'

/**
 * Milliseconds a statement may take on a shared connection. PostgreSQL cancels a longer one, which is then sent again
 * on a connection of its own.
 */
export const SHARED_STATEMENT_MS = 250
/** Slow reads that are remembered; the oldest is dropped first, as many texts are filters used once. */
const SLOW_READS_MAX = 2000

/** Reads, by `readKey`, that took longer than that on a connection of their own the last time. */
const slowReads = new Set<string>()

/** A read: `bind` makes the statement that binds its transaction, on a shared connection with the limit above. */
type Read = {
  tenantId: string
  bind: (isShared: boolean) => Statement
  statements: readonly Statement[]
}

/** Identifies a read of a tenant: by the names of its statements, or the texts where they have none. */
const readKey = ({ tenantId, statements }: Read): string =>
  [tenantId, ...statements.map(({ name, text }) => name ?? text)].join()

/**
 * Runs a read; returns its statements' results. If the connection is lost, or the read was too slow for it or broken by
 * another one's failure, it is repeated once, which does no harm.
 */
export async function readOnSharedConnection(pool: pg.Pool, read: Read): Promise<StatementResult[]> {
  const key = readKey(read)
  const isShared = !slowReads.has(key)
  try {
    return await (isShared ? readPipelined(pool, read) : readDedicated(pool, read, key))
  } catch (error) {
    if (!isConnectionLoss(error) && !(isShared && isOfSharing(error))) throw error
  }
  return readDedicated(pool, read, key)
}

/** SQLSTATE `query_canceled`. */
const CANCELLED = '57014'

/**
 * Whether a read failed because it was too slow for a shared connection, or because an earlier one, which should have
 * prepared a statement for both, failed first.
 */
const isOfSharing = (error: unknown): boolean =>
  isAbortedBatchError(error) || (error as { code?: unknown } | null)?.code === CANCELLED

async function readPipelined(pool: pg.Pool, read: Read): Promise<StatementResult[]> {
  return execute(await acquireSharedConnection(pool, read.tenantId), read, true)
}

async function readDedicated(pool: pg.Pool, read: Read, key: string): Promise<StatementResult[]> {
  const connection = await acquireConnection(pool, read.tenantId, 'read')
  const since = performance.now()
  return execute(connection, read, false).finally(() => recordDuration(key, performance.now() - since))
}

async function execute(
  { client, release }: AcquiredConnection,
  { bind, statements }: Read,
  isShared: boolean,
): Promise<StatementResult[]> {
  try {
    const [, ...found] = await executeBatch(client, [bind(isShared), ...statements])
    release()
    return found
  } catch (error) {
    // The failure ended the transaction, and with it the tenant setting.
    release(isConnectionLoss(error) ? (error as Error) : undefined)
    throw error
  }
}

function recordDuration(key: string, ms: number): void {
  slowReads.delete(key)
  if (ms <= SHARED_STATEMENT_MS) return
  slowReads.add(key)
  if (slowReads.size > SLOW_READS_MAX) slowReads.delete(slowReads.values().next().value!)
}
