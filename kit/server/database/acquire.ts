import type pg from 'pg'
import { context, type Asked } from '../trace.ts'
import { createGate, type Gate, type Lane } from './admission.ts'

/** Jobs, seeds and commands are waited for by nobody: a crowd does not make them fail. */
const PATIENT: Asked = { lane: 'write', patienceMs: 60_000 }

const gates = new WeakMap<pg.Pool, Gate>()

/** The gate before a pool's connections. */
export function gateOf(pool: pg.Pool): Gate {
  let gate = gates.get(pool)
  if (!gate) gates.set(pool, (gate = createGate(pool.options.max ?? 10)))
  return gate
}

/** A connection, and what gives it back: with the error that broke it, it is thrown away. */
export type Lent = { client: pg.PoolClient; giveBack: (broken?: Error) => void }

/** Waits for a place and a connection, as long as the caller of the outside may, and notes how long it took. */
export async function waitFor<T>(enter: (asked: Asked) => Promise<T>): Promise<T> {
  const { asked = PATIENT, trace } = context.getStore() ?? {}
  const since = performance.now()
  const entered = await enter(asked)
  if (trace) trace.waitedMs += performance.now() - since
  return entered
}

/** A connection of the pool, when it is this tenant's turn. */
export const lend = (pool: pg.Pool, tenantId: string, lane?: Lane): Promise<Lent> =>
  waitFor(async (asked) => {
    const { patienceMs } = asked
    const isOfMachines = asked === PATIENT
    const leave = await gateOf(pool).enter({ tenantId, patienceMs, lane: lane ?? asked.lane, isOfMachines })
    try {
      const client = await pool.connect()
      return {
        client,
        giveBack: (broken) => {
          client.release(broken)
          leave()
        },
      }
    } catch (error) {
      leave()
      throw error
    }
  })
