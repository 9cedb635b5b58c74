import { AsyncLocalStorage } from 'node:async_hooks'
import type pg from 'pg'
import { isConnectionLoss } from './connections.ts'
import { admissionControlOf, acquireConnection, recordAdmissionWait, type AcquiredConnection } from './acquire.ts'
import { currentTrace } from '../trace.ts'
import { executeBatch, isAbortedBatchError, type StatementResult, type Statement } from './statement-batch.ts'

/**
 * Readings of several calls on one connection, one behind the other without waiting for answers (PostgreSQL's pipeline
 * mode): each is a transaction of its own, and what is asked in one breath costs one write to the socket and wakes the
 * database once. What takes long is asked alone, so that nobody waits behind it (docs/decisions/0071).
 */

/** What takes longer on average, milliseconds, has a connection for itself. */
const FAST_MS = 10
/** Of an average, the part the latest has. */
const NEWEST = 1 / 8
/** Filters asked once do not fill the memory: who was timed first goes first. */
const LATENCIES_MAX = 2000
/** So long, milliseconds, the first of a line may keep those behind it; then they are asked anew, each alone. */
const STALL_MS = 50
/** And so many of these all of those before it together. */
const STALLS_MAX = 2

/** How long readings took of late, milliseconds of the database's own clock, by what they are known by. */
const latencyEwma = new Map<string, number>()

/** The names of a reading's statements, or the text of one that has none. */
const latencyKey = ([, ...statements]: readonly Statement[]): string =>
  statements.map(({ name, text }) => name ?? text).join()

/** Nobody stands behind what was never timed. */
const isFast = (key: string): boolean => (latencyEwma.get(key) ?? Infinity) < FAST_MS

function recordLatency(key: string, ms: number): void {
  const known = latencyEwma.get(key)
  latencyEwma.set(key, known === undefined ? ms : known + (ms - known) * NEWEST)
  if (latencyEwma.size > LATENCIES_MAX) latencyEwma.delete(latencyEwma.keys().next().value!)
}

/** Whoever is in a line: its key, what asks it anew, alone, and what makes the place its own. */
type PendingRead = { key: string; askAlone: () => void; alone: () => void }

/** A connection several readings have together. */
type SharedConnection = {
  client: Promise<pg.PoolClient>
  waiting: PendingRead[]
  broken?: Error
  /** When the last answer was heard, and which one began when by the database's clock. */
  heardAt: number
  last?: { key: string; at: number }
}

const lines = new WeakMap<object, SharedConnection>()

/**
 * Answers the statements of a reading, the first of which binds the transaction and says when it began
 * (`STARTED_AT_SQL`). Reading twice harms nobody, so what was lost with a connection, or failed for another one's sake,
 * is asked once more.
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
    // A reading before it in the line was to prepare a statement for both, and failed before it did.
    if (!isConnectionLoss(error) && !(isShort && isAbortedBatchError(error))) throw error
    return await readDedicated(pool, tenantId, statements, key)
  }
}

/** What a reading says of its own beginning, and one that is timed by itself of its end. */
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
    // A failure has ended the transaction, and the tenant with it.
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
        // It began when the one before it had ended.
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

/** A line and its connection, with all who ask in this breath. */
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

/** Nobody waits long behind one that turns out slow, nor behind several. */
function watch(line: SharedConnection, stalls = 1): void {
  const first = line.waiting[0]!
  setTimeout(() => {
    // What has been answered by now is read before anybody is asked anew: a busy process is no slow database.
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
