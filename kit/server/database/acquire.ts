import type pg from 'pg'
import { executionContext, type ConnectionLimits, type AccessMode } from '../base/trace.ts'
import { createAdmissionControl, type AdmissionControl } from './admission.ts'

/** Limits for work no caller waits for (jobs, seeds, commands): a full pool makes it wait, not fail. */
const BACKGROUND_LIMITS: ConnectionLimits = { lane: 'write', acquireTimeoutMs: 60_000 }

const gates = new WeakMap<pg.Pool, AdmissionControl>()

/** Returns the admission control of a pool, one for each pool. */
export function admissionControlOf(pool: pg.Pool): AdmissionControl {
  let gate = gates.get(pool)
  if (!gate) gates.set(pool, (gate = createAdmissionControl(pool.options.max ?? 10)))
  return gate
}

/**
 * A connection and the function that returns it to the pool. Called with an error, it discards the connection instead.
 */
export type AcquiredConnection = { client: pg.PoolClient; release: (broken?: Error) => void }

/** Calls `enter` with the limits of the running call and adds the time it took to the call's trace. */
async function recordAdmissionWait<T>(enter: (limits: ConnectionLimits) => Promise<T>): Promise<T> {
  const { asked = BACKGROUND_LIMITS, trace } = executionContext.getStore() ?? {}
  const since = performance.now()
  const entered = await enter(asked)
  if (trace) trace.waitedMs += performance.now() - since
  return entered
}

/** Takes a connection from the pool once admission control lets this tenant in. */
export const acquireConnection = (pool: pg.Pool, tenantId: string, lane?: AccessMode): Promise<AcquiredConnection> =>
  recordAdmissionWait(async (limits) => {
    const { acquireTimeoutMs } = limits
    const isOfMachines = limits === BACKGROUND_LIMITS
    const leave = await admissionControlOf(pool).enter({
      tenantId,
      acquireTimeoutMs,
      lane: lane ?? limits.lane,
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

/** A connection that several reads share. */
type SharedConnection = {
  client: Promise<pg.PoolClient>
  broken?: Error
  /** When the last answer arrived. */
  answeredAt: number
}

const sharedConnections = new WeakMap<object, SharedConnection>()

/**
 * Takes a share of the connection on which short reads of this event-loop turn are sent. The time in which others'
 * answers are awaited counts as waiting.
 */
export async function acquireSharedConnection(pool: pg.Pool, tenantId: string): Promise<AcquiredConnection> {
  const { trace } = executionContext.getStore() ?? {}
  const { place, leave } = await recordAdmissionWait(({ acquireTimeoutMs }) =>
    admissionControlOf(pool).share({ tenantId, acquireTimeoutMs }),
  )
  let shared = sharedConnections.get(place)
  if (!shared) sharedConnections.set(place, (shared = { client: pool.connect(), answeredAt: 0 }))
  const connection = shared
  try {
    const client = await connection.client
    const since = performance.now()
    return {
      client,
      release: (broken) => {
        if (trace) trace.waitedMs += Math.max(0, connection.answeredAt - since)
        connection.answeredAt = performance.now()
        connection.broken ??= broken
        leave(() => client.release(connection.broken))
      },
    }
  } catch (error) {
    leave()
    throw error
  }
}
