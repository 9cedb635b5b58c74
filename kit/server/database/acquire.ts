import type pg from 'pg'
import { executionContext, type ConnectionLimits } from '../trace.ts'
import { createAdmissionControl, type AdmissionControl, type AccessMode } from './admission.ts'

/** Jobs, seeds and commands are waited for by nobody: a crowd does not make them fail. */
const BACKGROUND_LIMITS: ConnectionLimits = { lane: 'write', acquireTimeoutMs: 60_000 }

const gates = new WeakMap<pg.Pool, AdmissionControl>()

/** The gate before a pool's connections. */
export function admissionControlOf(pool: pg.Pool): AdmissionControl {
  let gate = gates.get(pool)
  if (!gate) gates.set(pool, (gate = createAdmissionControl(pool.options.max ?? 10)))
  return gate
}

/** A connection, and what gives it back: with the error that broke it, it is thrown away. */
export type AcquiredConnection = { client: pg.PoolClient; release: (broken?: Error) => void }

/** Waits for a place and a connection, as long as the caller of the outside may, and notes how long it took. */
export async function recordAdmissionWait<T>(enter: (asked: ConnectionLimits) => Promise<T>): Promise<T> {
  const { asked = BACKGROUND_LIMITS, trace } = executionContext.getStore() ?? {}
  const since = performance.now()
  const entered = await enter(asked)
  if (trace) trace.waitedMs += performance.now() - since
  return entered
}

/** A connection of the pool, when it is this tenant's turn. */
export const acquireConnection = (pool: pg.Pool, tenantId: string, lane?: AccessMode): Promise<AcquiredConnection> =>
  recordAdmissionWait(async (asked) => {
    const { acquireTimeoutMs } = asked
    const isOfMachines = asked === BACKGROUND_LIMITS
    const leave = await admissionControlOf(pool).enter({
      tenantId,
      acquireTimeoutMs,
      lane: lane ?? asked.lane,
      isOfMachines,
    })
    try {
      const client = await pool.connect()
      return {
        client,
        release: (broken) => {
          client.release(broken)
          leave()
        },
      }
    } catch (error) {
      leave()
      throw error
    }
  })
