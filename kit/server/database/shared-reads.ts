import { AsyncLocalStorage } from 'node:async_hooks'
import type pg from 'pg'
import { isConnectionLoss } from './connections.ts'
import { gateOf, lend, waitFor, type Lent } from './acquire.ts'
import { traceNow } from '../trace.ts'
import { askTogether, follows, type Found, type Statement } from './statement-batch.ts'

/**
 * Readings of several calls on one connection, one behind the other without waiting for answers (PostgreSQL's pipeline
 * mode): each is a transaction of its own, and what is asked in one breath costs one write to the socket and wakes the
 * database once. What takes long is asked alone, so that nobody waits behind it (docs/decisions/0071).
 */

/** What takes longer on average, milliseconds, has a connection for itself. */
const QUICK_MS = 10
/** Of an average, the part the latest has. */
const NEWEST = 1 / 8
/** Filters asked once do not fill the memory: who was timed first goes first. */
const PACES_MAX = 2000
/** So long, milliseconds, the first of a line may keep those behind it; then they are asked anew, each alone. */
const STALL_MS = 50
/** And so many of these all of those before it together. */
const STALLS_MAX = 2

/** How long readings took of late, milliseconds of the database's own clock, by what they are known by. */
const paces = new Map<string, number>()

/** The names of a reading's statements, or the text of one that has none. */
const paceKey = ([, ...statements]: readonly Statement[]): string =>
  statements.map(({ name, text }) => name ?? text).join()

/** Nobody stands behind what was never timed. */
const isQuick = (key: string): boolean => (paces.get(key) ?? Infinity) < QUICK_MS

function learn(key: string, ms: number): void {
  const known = paces.get(key)
  paces.set(key, known === undefined ? ms : known + (ms - known) * NEWEST)
  if (paces.size > PACES_MAX) paces.delete(paces.keys().next().value!)
}

/** Whoever is in a line: its key, what asks it anew, alone, and what makes the place its own. */
type Waiting = { key: string; askAlone: () => void; alone: () => void }

/** A connection several readings have together. */
type Line = {
  client: Promise<pg.PoolClient>
  waiting: Waiting[]
  broken?: Error
  /** When the last answer was heard, and which one began when by the database's clock. */
  heardAt: number
  last?: { key: string; at: number }
}

const lines = new WeakMap<object, Line>()

/**
 * Answers the statements of a reading, the first of which binds the transaction and says when it began (`BEGAN`).
 * Reading twice harms nobody, so what was lost with a connection, or failed for another one's sake, is asked once more.
 */
export async function readInLine(pool: pg.Pool, tenantId: string, statements: readonly Statement[]): Promise<Found[]> {
  const key = paceKey(statements)
  const isShort = isQuick(key)
  try {
    return await (isShort ? readBehind(pool, tenantId, statements, key) : readAlone(pool, tenantId, statements, key))
  } catch (error) {
    // A reading before it in the line was to prepare a statement for both, and failed before it did.
    if (!isConnectionLoss(error) && !(isShort && follows(error))) throw error
    return await readAlone(pool, tenantId, statements, key)
  }
}

/** What a reading says of its own beginning, and one that is timed by itself of its end. */
export const BEGAN = `date_part('epoch', clock_timestamp()) as at`
const ENDED: Statement = { name: 'ended', text: `select ${BEGAN}` }

const beganAt = ([bound]: readonly Found[]): number => Number(bound!.rows[0]!.at) * 1000

async function readAlone(
  pool: pg.Pool,
  tenantId: string,
  statements: readonly Statement[],
  key: string,
): Promise<Found[]> {
  const { client, giveBack } = await lend(pool, tenantId, 'read')
  try {
    const found = await askTogether(client, [...statements, ENDED])
    learn(key, beganAt([found.pop()!]) - beganAt(found))
    giveBack()
    return found
  } catch (error) {
    // A failure has ended the transaction, and the tenant with it.
    giveBack(isConnectionLoss(error) ? (error as Error) : undefined)
    throw error
  }
}

async function readBehind(
  pool: pg.Pool,
  tenantId: string,
  statements: readonly Statement[],
  key: string,
): Promise<Found[]> {
  const { line, client, giveBack, alone } = await lineOf(pool, tenantId)
  const trace = traceNow()
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
      asCaller(() => readAlone(pool, tenantId, statements, key)).then(resolve, fail)
    }
    const self: Waiting = { key, askAlone, alone }
    if (line.waiting.push(self) === 1) watch(line)
    const leave = (error?: unknown) => {
      line.waiting.splice(line.waiting.indexOf(self), 1)
      if (trace && tries === 1) trace.waitedMs += Math.max(0, line.heardAt - since)
      line.heardAt = performance.now()
      giveBack(isConnectionLoss(error) ? (error as Error) : undefined)
    }
    askTogether(client, statements).then(
      (found) => {
        const at = beganAt(found)
        // It began when the one before it had ended.
        if (line.last) learn(line.last.key, at - line.last.at)
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
const lineOf = (pool: pg.Pool, tenantId: string): Promise<{ line: Line; alone: () => void } & Lent> =>
  waitFor(async ({ patienceMs }) => {
    const { place, leave, alone } = await gateOf(pool).share({ tenantId, patienceMs })
    let line = lines.get(place)
    if (!line) lines.set(place, (line = { client: pool.connect(), waiting: [], heardAt: 0 }))
    try {
      const client = await line.client
      return {
        line,
        alone,
        client,
        giveBack: (broken) => {
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
function watch(line: Line, stalls = 1): void {
  const first = line.waiting[0]!
  setTimeout(() => {
    // What has been answered by now is read before anybody is asked anew: a busy process is no slow database.
    setImmediate(() => {
      const [head, ...behind] = line.waiting
      if (!head) return
      if (head !== first && stalls < STALLS_MAX) return watch(line, stalls + 1)
      if (head === first) paces.set(head.key, Math.max(STALL_MS, paces.get(head.key) ?? 0))
      head.alone()
      for (const { askAlone } of behind) askAlone()
    })
  }, STALL_MS).unref()
}
