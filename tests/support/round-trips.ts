import { AsyncLocalStorage } from 'node:async_hooks'
import pg from 'pg'

/** Database work of a piece of code. */
export type RoundTrips = {
  /** All statements sent, BEGIN and COMMIT included. */
  statements: number
  /** Number of times a statement had to wait for an answer; statements sent together count once. */
  roundTrips: number
  /** Sum of the times from sending each statement to its answer. */
  databaseMs: number
  sent: CountedStatement[]
}
/** A statement with its parameters. */
export type CountedStatement = { text: string; values: readonly unknown[] }

type Seen = { trips: RoundTrips; answered: WeakMap<object, number> }
const watched = new AsyncLocalStorage<Seen>()
let isWatching = false

/** Wraps the driver's `query`, for every connection of this process. */
function watch(): void {
  if (isWatching) return
  isWatching = true
  const query = Reflect.get(pg.Client.prototype, 'query') as (...args: unknown[]) => unknown
  const seeing = function (this: pg.Client, ...args: [SentStatement | string, ...unknown[]]) {
    const seen = watched.getStore()
    const finish = seen && recordStatement(seen, this, args[0])
    const [statement] = args
    // A batch (statement-batch.ts) answers by its callback, all other queries by a promise.
    if (finish && typeof statement === 'object' && statement.callback) {
      const { callback } = statement
      statement.callback = (...answer) => {
        finish()
        callback(...answer)
      }
    }
    const sent = query.apply(this, args)
    if (finish && sent instanceof Promise) sent.then(finish, finish)
    return sent
  }
  Object.assign(pg.Client.prototype, { query: seeing })
}

type Statement = { text: string; values?: readonly unknown[] }
type SentStatement = Statement & { statements?: readonly Statement[]; callback?: (...answer: unknown[]) => void }

/** Records a statement. Returns what to call when it is answered. */
function recordStatement({ trips, answered }: Seen, client: pg.Client, query: SentStatement | string): () => void {
  // One more than the last statement whose answer could be known.
  const depth = 1 + (answered.get(client) ?? 0)
  const began = performance.now()
  const sent: readonly Statement[] = typeof query === 'string' ? [{ text: query }] : (query.statements ?? [query])
  trips.statements += sent.length
  trips.roundTrips = Math.max(trips.roundTrips, depth)
  trips.sent.push(...sent.map(({ text, values = [] }) => ({ text, values })))
  return () => {
    trips.databaseMs += performance.now() - began
    answered.set(client, Math.max(depth, answered.get(client) ?? 0))
  }
}

/** Runs `work` and counts its own statements, not those of code running at the same time. */
export async function countRoundTrips(work: () => Promise<unknown>): Promise<RoundTrips> {
  watch()
  const trips: RoundTrips = { statements: 0, roundTrips: 0, databaseMs: 0, sent: [] }
  await watched.run({ trips, answered: new WeakMap() }, work)
  return { ...trips, sent: [...trips.sent] }
}
