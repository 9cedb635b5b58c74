import { AsyncLocalStorage } from 'node:async_hooks'
import pg from 'pg'

/** What a piece of work asked of the database. */
export type RoundTrips = {
  /** Everything sent: BEGIN and COMMIT are two of them. */
  statements: number
  /** How often the next statement waited for an answer: what is sent together is one. */
  roundTrips: number
  /** From each statement's sending to its answer, added up. */
  databaseMs: number
  sent: Sent[]
}
/** A statement as it was asked. */
export type Sent = { text: string; values: readonly unknown[] }

type Seen = { trips: RoundTrips; answered: WeakMap<object, number> }
const watched = new AsyncLocalStorage<Seen>()
let isWatching = false

/** Every connection of this process, from now on. */
function watch(): void {
  if (isWatching) return
  isWatching = true
  const query = Reflect.get(pg.Client.prototype, 'query') as (...args: unknown[]) => unknown
  const seeing = function (this: pg.Client, ...args: [SentStatement | string, ...unknown[]]) {
    const seen = watched.getStore()
    const settle = seen && note(seen, this, args[0])
    const [asked] = args
    // What is submitted whole (statement-batch.ts) answers by its callback, everything else by a promise.
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

/** Notes what is sent; answers what is to be done when it is answered. */
function note({ trips, answered }: Seen, client: pg.Client, asked: SentStatement | string): () => void {
  // One behind the last answer it can have known.
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

/** Runs `work` and counts what it, and nobody beside it, asks of the database. */
export async function countRoundTrips(work: () => Promise<unknown>): Promise<RoundTrips> {
  watch()
  const trips: RoundTrips = { statements: 0, roundTrips: 0, databaseMs: 0, sent: [] }
  await watched.run({ trips, answered: new WeakMap() }, work)
  return { ...trips, sent: [...trips.sent] }
}
