import type { JsonObject } from '../../base/json.ts'

declare const payloadOf: unique symbol

/** A queue of background jobs: its stored name, its bounds and, for the compiler, the payload of its jobs. */
export type Queue<Payload> = {
  readonly name: string
  readonly maxAttempts?: number
  readonly [payloadOf]?: (payload: Payload) => Payload
}

type QueueBounds = {
  /** Attempts until a job fails for good; default 10. */
  maxAttempts?: number
}

/**
 * Declares a queue once, for those who enqueue and for the job that handles it. The name is stored in rows of `job`, so
 * it stays as it is. Jobs enqueued by the version before are read with this type: a new key of the payload is optional.
 */
export const defineQueue = <Payload extends JsonObject = Record<string, never>>(
  name: string,
  bounds: QueueBounds = {},
): Queue<Payload> => ({ name, ...bounds })
