import type { SharedKey } from './keys.ts'

/** Short-lived values, counters and messages shared by the processes of an installation. */
export type SharedStore = {
  /** Calls every subscriber of the channel, in this process and in all others. */
  publish(channel: string, message: Json): Promise<void>
  /**
   * Subscribes to a channel; resolves once subscribed. `onGap` is called after a lost connection is back: messages may
   * have been missed, so reload what the channel is about.
   */
  subscribe(channel: string, handler: (message: Json) => void, onGap?: () => void): Promise<Unsubscribe>
  /**
   * Adds one and returns the new count. A fixed window starts with the first hit; a sliding one restarts with each hit.
   */
  increment(key: SharedKey, windowSeconds: number, kind?: 'fixed' | 'sliding'): Promise<number>
  count(key: SharedKey): Promise<number>
  /** Removes a value or a counter. */
  forget(key: SharedKey): Promise<void>
  put(key: SharedKey, value: Json, ttlSeconds: number): Promise<void>
  /** Stores only if the key is free, and returns whether it was: for locks, and to detect repeats. */
  claim(key: SharedKey, value: Json, ttlSeconds: number): Promise<boolean>
  /** Reads and deletes in one step: of two takers one gets the value, the other undefined. */
  take(key: SharedKey): Promise<Json | undefined>
  read(key: SharedKey): Promise<Json | undefined>
  /** Throws when the store does not answer. */
  ping(): Promise<void>
  /** Whether a fallback is doing the work of the preferred store. */
  isStandingIn?(): boolean
  close(): Promise<void>
}

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json }

export type Unsubscribe = () => void
