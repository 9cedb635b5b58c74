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
  sent: Sent[]
}
/** A statement with its parameters. */
export type Sent = { text: string; values: readonly unknown[] }

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
    const settle = seen && note(seen, this, args[0])
    const [asked] = args
    // A batch (statement-batch.ts) answers by its callback, all other queries by a promise.
    if (settle && typeof asked === 'object' && asked.callback) {
      const { callback } = asked
      asked.callback = (...answer) => {
        settle()
        callback(...answer)
      }
    }
    const sent = query.apply(this, args)
    if (settle && sent instanceof Promise) sent.then(settle, settle)
    return sent
  }
  Object.assign(pg.Client.prototype, { query: seeing })
}

type Statement = { text: string; values?: readonly unknown[] }
type SentStatement = Statement & { statements?: readonly Statement[]; callback?: (...answer: unknown[]) => void }

/** Records a statement. Returns what to call when it is answered. */
function note({ trips, answered }: Seen, client: pg.Client, asked: SentStatement | string): () => void {
  // One more than the last statement whose answer could be known.
  const depth = 1 + (answered.get(client) ?? 0)
  const began = performance.now()
  const sent: readonly Statement[] = typeof asked === 'string' ? [{ text: asked }] : (asked.statements ?? [asked])
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
