import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import type { AccessMode } from './database/admission.ts'

/** A call or a job from beginning to end: what it leaves behind bears its id, and what it spends is added up. */
export type Trace = { readonly id: string; databaseMs: number; waitedMs: number }

declare module 'fastify' {
  // oxlint-disable-next-line typescript/consistent-type-definitions
  interface FastifyRequest {
    /** Set by the pipeline; what is refused before it has none. */
    trace?: Trace
  }
}

/** What a call of the outside is allowed: its lane, and how long it waits for a connection. */
export type ConnectionLimits = { lane: AccessMode; acquireTimeoutMs: number }

/**
 * By async context: an open unit, for a second connection is never taken while one is held (performance-anchors
 * §2.4.6); who asked; and whose work it is.
 */
export const executionContext = new AsyncLocalStorage<{ isHeld: boolean; asked?: ConnectionLimits; trace?: Trace }>()

/** A trace id as W3C has it: 32 digits; the system is asked for randomness once for many of them. */
export const newTraceId = (): string => randomUUID().replaceAll('-', '')

/** Version, trace, the caller's span, flags; a later version may say more. All zeros are nobody's. */
const TRACEPARENT = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-[\da-f]{2}(?:$|-)/

/** The trace a caller began, where it says so in its `traceparent` and the header is well formed. */
export const parseTraceparent = (traceparent: string | string[] | undefined): string | undefined =>
  typeof traceparent === 'string' && traceparent.length < 200 ? TRACEPARENT.exec(traceparent)?.[1] : undefined

export const createTrace = (id: string): Trace => ({ id, databaseMs: 0, waitedMs: 0 })

export const currentTrace = (): Trace | undefined => executionContext.getStore()?.trace
