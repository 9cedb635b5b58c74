import type { SharedKey } from './keys.ts'

/** What the processes of one installation must know of each other: short-lived values, counters and calls. */
export type SharedStore = {
  /** Calls every subscriber of the channel, in this process and in all others. */
  publish(channel: string, message: Json): Promise<void>
  /**
   * `onGap` runs when the connection was lost and is back: calls made in between were missed, so read again
   * whatever the channel speaks of. Resolves once the subscription stands.
   */
  subscribe(channel: string, handler: (message: Json) => void, onGap?: () => void): Promise<Unsubscribe>
  /** Adds one and answers the new count. A fixed window starts with the first hit; a sliding one with each hit. */
  increment(key: SharedKey, windowSeconds: number, kind?: 'fixed' | 'sliding'): Promise<number>
  count(key: SharedKey): Promise<number>
  /** Removes a value or a counter. */
  forget(key: SharedKey): Promise<void>
  put(key: SharedKey, value: Json, ttlSeconds: number): Promise<void>
  /** Stores only if the key is free and says whether it was: for locks and for "seen before?". */
  claim(key: SharedKey, value: Json, ttlSeconds: number): Promise<boolean>
  /** Reads and deletes in one step: of two takers one gets the value, the other undefined. */
  take(key: SharedKey): Promise<Json | undefined>
  read(key: SharedKey): Promise<Json | undefined>
  /** Throws when the store does not answer. */
  ping(): Promise<void>
  /** The store of choice is away and another does its work. */
  isStandingIn?(): boolean
  close(): Promise<void>
}

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json }

export type Unsubscribe = () => void

/** Where background parts report what nobody waits for; pino fits. */
export type MinimalLogger = {
  info(details: object, message: string): void
  warn(details: object, message: string): void
  error(details: object, message: string): void
}

export const silentLogger: MinimalLogger = { info: () => {}, warn: () => {}, error: () => {} }
