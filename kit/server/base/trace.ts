import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'

/**
 * Trace of one call or job. Its id marks all logs and rows it leaves; its database and waiting times are added up here.
 */
export type Trace = { readonly id: string; databaseMs: number; waitedMs: number }

declare module 'fastify' {
  // oxlint-disable-next-line typescript/consistent-type-definitions
  interface FastifyRequest {
    /** Set by the pipeline; absent for requests refused before it. */
    trace?: Trace
  }
}

/** Reads and writes are counted separately, so that neither takes all connections. */
export type AccessMode = 'read' | 'write'

/** How a request may get a database connection: its access mode, and how long it waits in milliseconds. */
export type ConnectionLimits = { lane: AccessMode; acquireTimeoutMs: number }

/**
 * Context of the running call. `isHeld`: it holds a connection, and must never take a second one (performance-anchors
 * §2.4.6). `asked`: limits for getting one. `trace`: its trace.
 */
export const executionContext = new AsyncLocalStorage<{ isHeld: boolean; asked?: ConnectionLimits; trace?: Trace }>()

/** Makes a W3C trace id of 32 hex digits. From a UUID, since those take randomness from the system in batches. */
export const newTraceId = (): string => randomUUID().replaceAll('-', '')

/**
 * Header `traceparent`: version, trace id, span id, flags; later versions may append more. All-zero ids are invalid.
 */
const TRACEPARENT = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-[\da-f]{2}(?:$|-)/

/** Returns the trace id of a well-formed `traceparent` header; undefined otherwise. */
export const parseTraceparent = (traceparent: string | string[] | undefined): string | undefined =>
  typeof traceparent === 'string' && traceparent.length < 200 ? TRACEPARENT.exec(traceparent)?.[1] : undefined

export const createTrace = (id: string): Trace => ({ id, databaseMs: 0, waitedMs: 0 })

export const currentTrace = (): Trace | undefined => executionContext.getStore()?.trace
