import { Refused } from '#kit/server/refused.ts'
import './refusals.ts'
import { VendorError } from './vendor-call.ts'

/** Asks a platform for somebody who waits for the answer: what it says no with is said to them. */
export async function refuseOnVendorError<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof VendorError)) throw error
    throw error.isRetryable
      ? new Refused('platform_away')
      : new Refused('platform_refused', { words: error.message.slice(0, 200) })
  }
}
