/**
 * Runs reads of several calls on one connection, one after the other without waiting for answers (pipeline mode). Each
 * is its own transaction; those sent in one event-loop turn cost one socket write and wake the database once. Slow
 * reads get a connection of their own, so that no other waits behind them (docs/decisions/0071).
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type pg from 'pg'
import { isConnectionLoss } from './connections.ts'
import { admissionControlOf, acquireConnection, recordAdmissionWait, type AcquiredConnection } from './acquire.ts'
import { currentTrace } from '../trace.ts'
import { executeBatch, isAbortedBatchError, type StatementResult, type Statement } from './statement-batch.ts'

/** Reads that take longer on average (milliseconds) get a dedicated connection. */
const FAST_MS = 10
/** Weight of the newest measurement in the moving average. */
const NEWEST = 1 / 8
/** Measurements kept; the oldest is dropped first, as many texts are filters used once. */
const LATENCIES_MAX = 2000
/**
 * Milliseconds the first read of a shared connection may hold up those behind it; after that they are sent again, each
 * on its own connection.
 */
const STALL_MS = 50
/** So many stalls of this length, of several reads, have the same effect. */
const STALLS_MAX = 2

/** Moving average of read times (milliseconds by the database's clock), by `latencyKey`. */
const latencyEwma = new Map<string, number>()

/** Identifies a read: names of its statements, or texts where they have none. */
const latencyKey = ([, ...statements]: readonly Statement[]): string =>
  statements.map(({ name, text }) => name ?? text).join()

/** Whether reads of this key are known to be fast; a read never measured gets a dedicated connection. */
const isFast = (key: string): boolean => (latencyEwma.get(key) ?? Infinity) < FAST_MS

function recordLatency(key: string, ms: number): void {
  const known = latencyEwma.get(key)
  latencyEwma.set(key, known === undefined ? ms : known + (ms - known) * NEWEST)
  if (latencyEwma.size > LATENCIES_MAX) latencyEwma.delete(latencyEwma.keys().next().value!)
}

/**
 * A read on a shared connection: its key, a function that sends it again on its own connection, and one that stops
 * sharing the place.
 */
type PendingRead = { key: string; askAlone: () => void; alone: () => void }

/** A connection shared by several reads. */
type SharedConnection = {
  client: Promise<pg.PoolClient>
  waiting: PendingRead[]
  broken?: Error
  /** When the last answer arrived, and which read it was with its start by the database's clock. */
  heardAt: number
  last?: { key: string; at: number }
}

const lines = new WeakMap<object, SharedConnection>()

/**
 * Runs the statements of a read. The first must bind the transaction and return the start time (`STARTED_AT_SQL`). If
 * the connection is lost, or another read's failure broke it, it is repeated once, which does no harm.
 */
export async function readOnSharedConnection(
  pool: pg.Pool,
  tenantId: string,
  statements: readonly Statement[],
): Promise<StatementResult[]> {
  const key = latencyKey(statements)
  const isShort = isFast(key)
  try {
    return await (isShort
      ? readPipelined(pool, tenantId, statements, key)
      : readDedicated(pool, tenantId, statements, key))
  } catch (error) {
    // An earlier read on this connection should have prepared a statement for both, but failed first.
    if (!isConnectionLoss(error) && !(isShort && isAbortedBatchError(error))) throw error
    return await readDedicated(pool, tenantId, statements, key)
  }
}

/** SQL of the start time that each read returns; dedicated reads also return their end time. */
export const STARTED_AT_SQL = `date_part('epoch', clock_timestamp()) as at`
const ENDED: Statement = { name: 'ended', text: `select ${STARTED_AT_SQL}` }

const beganAt = ([bound]: readonly StatementResult[]): number => Number(bound!.rows[0]!.at) * 1000

async function readDedicated(
  pool: pg.Pool,
  tenantId: string,
  statements: readonly Statement[],
  key: string,
): Promise<StatementResult[]> {
  const { client, release } = await acquireConnection(pool, tenantId, 'read')
  try {
    const found = await executeBatch(client, [...statements, ENDED])
    recordLatency(key, beganAt([found.pop()!]) - beganAt(found))
    release()
    return found
  } catch (error) {
    // The failure ended the transaction, and with it the tenant setting.
    release(isConnectionLoss(error) ? (error as Error) : undefined)
    throw error
  }
}

async function readPipelined(
  pool: pg.Pool,
  tenantId: string,
  statements: readonly Statement[],
  key: string,
): Promise<StatementResult[]> {
  const { line, client, release, alone } = await joinSharedConnection(pool, tenantId)
  const trace = currentTrace()
  const since = performance.now()
  return new Promise((resolve, reject) => {
    let tries = 1
    const fail = (error: unknown) => {
      if (!--tries) reject(error)
    }

    const asCaller = AsyncLocalStorage.snapshot()
    const askAlone = () => {
      tries++
      if (trace) trace.waitedMs += performance.now() - since
      asCaller(() => readDedicated(pool, tenantId, statements, key)).then(resolve, fail)
    }

    const self: PendingRead = { key, askAlone, alone }
    if (line.waiting.push(self) === 1) watch(line)
    const leave = (error?: unknown) => {
      line.waiting.splice(line.waiting.indexOf(self), 1)
      if (trace && tries === 1) trace.waitedMs += Math.max(0, line.heardAt - since)
      line.heardAt = performance.now()
      release(isConnectionLoss(error) ? (error as Error) : undefined)
    }

    executeBatch(client, statements).then(
      (found) => {
        const at = beganAt(found)
        // This read started when the one before it ended.
        if (line.last) recordLatency(line.last.key, at - line.last.at)
        line.last = { key, at }
        leave()
        resolve(found)
      },
      (error: unknown) => {
        delete line.last
        leave(error)
        fail(error)
      },
    )
  })
}

/** Joins the shared connection of this event-loop turn. */
const joinSharedConnection = (
  pool: pg.Pool,
  tenantId: string,
): Promise<{ line: SharedConnection; alone: () => void } & AcquiredConnection> =>
  recordAdmissionWait(async ({ acquireTimeoutMs }) => {
    const { place, leave, alone } = await admissionControlOf(pool).share({ tenantId, acquireTimeoutMs })
    let line = lines.get(place)
    if (!line) lines.set(place, (line = { client: pool.connect(), waiting: [], heardAt: 0 }))
    try {
      const client = await line.client
      return {
        line,
        alone,
        client,
        release: (broken) => {
          line.broken ??= broken
          leave(() => client.release(line.broken))
        },
      }
    } catch (error) {
      leave()
      throw error
    }
  })

/** Makes sure that no read waits long behind slow ones: after a stall all waiting ones are sent again. */
function watch(line: SharedConnection, stalls = 1): void {
  const first = line.waiting[0]!
  setTimeout(() => {
    // First handle answers that have already arrived: a busy process does not mean a slow database.
    setImmediate(() => {
      const [head, ...behind] = line.waiting
      if (!head) return
      if (head !== first && stalls < STALLS_MAX) return watch(line, stalls + 1)
      if (head === first) latencyEwma.set(head.key, Math.max(STALL_MS, latencyEwma.get(head.key) ?? 0))
      head.alone()
      for (const { askAlone } of behind) askAlone()
    })
  }, STALL_MS).unref()
}
