import { AsyncLocalStorage } from 'node:async_hooks'
import type pg from 'pg'
import { isConnectionLoss } from './connections.ts'
import { gateOf, lend, waitFor, type Lent } from './lending.ts'
import { askTogether, type Found, type Statement } from './reading.ts'

/**
 * Readings of several calls on one connection, one behind the other without waiting for answers (PostgreSQL's pipeline
 * mode): each is a transaction of its own, and what is asked in one breath costs one write to the socket and wakes the
 * database once. What takes long is asked alone, so that nobody waits behind it (docs/decisions/0071).
 */

/** What takes longer, milliseconds, has a connection for itself, for so long. */
const [QUICK_MS, ALONE_MS] = [10, 10_000]
/** So long, milliseconds, the first of a line may keep those behind it; then they are asked anew, each alone. */
const STALL_MS = 50
/** Of an average, the part the latest has. */
const NEWEST = 1 / 16
/** Statements of filters asked once do not fill the memory. */
const PACES_MAX = 4000

/** How long a reading took of late, milliseconds, and until when it is asked alone. */
type Pace = { ms: number; aloneUntil: number }

/** By the names of a reading's statements. */
const paces = new Map<string, Pace>()

/** What a reading is known by; undefined where a statement has no name, as one not asked often enough. */
function paceKey([, ...statements]: readonly Statement[]): string | undefined {
  if (statements.some(({ name }) => !name)) return undefined
  return statements.map(({ name }) => name).join()
}

function mayRide(key: string | undefined): key is string {
  if (key === undefined) return false
  const pace = paces.get(key)
  return pace ? pace.aloneUntil < performance.now() : paces.size < PACES_MAX
}

function learn(key: string, ms: number): void {
  let pace = paces.get(key)
  if (!pace) paces.set(key, (pace = { ms: 0, aloneUntil: 0 }))
  pace.ms += (ms - pace.ms) * NEWEST
  if (pace.ms < QUICK_MS) return
  paces.set(key, { ms: 0, aloneUntil: performance.now() + ALONE_MS })
}

/** Whoever is in a line: its key, and what asks it anew, alone. */
type Waiting = { key: string; askAlone: () => void }

/** A connection several readings have together. */
type Line = {
  client: Promise<pg.PoolClient>
  waiting: Waiting[]
  /** Others may share another one in its stead. */
  alone: () => void
  broken?: Error
  last?: { key: string; at: number }
}

const lines = new WeakMap<object, Line>()

/**
 * Answers the statements of a reading, the first of which binds the transaction. Reading twice harms nobody, so what
 * was lost with a connection, or failed for another one's sake, is asked once more.
 */
export async function readInLine(pool: pg.Pool, tenantId: string, statements: readonly Statement[]): Promise<Found[]> {
  const key = paceKey(statements)
  const isQuick = mayRide(key)
  try {
    return await (isQuick ? readBehind(pool, tenantId, statements, key) : readAlone(pool, tenantId, statements))
  } catch (error) {
    if (!isConnectionLoss(error) && !(isQuick && isUnprepared(error))) throw error
    return await readAlone(pool, tenantId, statements)
  }
}

/** A statement sent before it in the same line would have been prepared for both, and failed before it was. */
const isUnprepared = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === '26000'

async function readAlone(pool: pg.Pool, tenantId: string, statements: readonly Statement[]): Promise<Found[]> {
  const { client, giveBack } = await lend(pool, tenantId, 'read')
  try {
    const found = await askTogether(client, statements)
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
  const { line, client, giveBack } = await lineOf(pool, tenantId)
  return new Promise((resolve, reject) => {
    const asCaller = AsyncLocalStorage.snapshot()
    const self: Waiting = { key, askAlone: () => resolve(asCaller(() => readAlone(pool, tenantId, statements))) }
    if (line.waiting.push(self) === 1) watch(line)
    askTogether(client, statements).then(
      (found) => {
        line.waiting.shift()
        timeOf(line, key, found)
        giveBack()
        resolve(found)
      },
      (error: unknown) => {
        line.waiting.shift()
        delete line.last
        giveBack(isConnectionLoss(error) ? (error as Error) : undefined)
        reject(error)
      },
    )
  })
}

/** A line and its connection, with all who ask in this breath. */
const lineOf = (pool: pg.Pool, tenantId: string): Promise<{ line: Line } & Lent> =>
  waitFor(async ({ patienceMs }) => {
    const { place, leave, alone } = await gateOf(pool).share({ tenantId, patienceMs })
    let line = lines.get(place)
    if (!line) lines.set(place, (line = { client: pool.connect(), waiting: [], alone }))
    try {
      const client = await line.client
      return {
        line,
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

/** What binds a reading says when it began, which is when the one before it had ended: the database's own time. */
function timeOf(line: Line, key: string, [bound]: Found[]): void {
  const at = Number(bound!.rows[0]!.at) * 1000
  if (line.last) learn(line.last.key, at - line.last.at)
  line.last = { key, at }
}

/** Nobody waits long behind one that turns out slow, and it is asked alone from now on. */
function watch(line: Line): void {
  const first = line.waiting[0]!
  setTimeout(() => {
    // What has been answered by now is read before anybody is asked anew: a busy process is no slow database.
    setImmediate(() => {
      if (!line.waiting.length) return
      if (line.waiting[0] !== first) return watch(line)
      learn(first.key, Infinity)
      line.alone()
      for (const { askAlone } of line.waiting.slice(1)) askAlone()
    })
  }, STALL_MS).unref()
}
