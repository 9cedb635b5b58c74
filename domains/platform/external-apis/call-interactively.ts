import { Refused } from '#kit/server/base/refused.ts'
import './refusals.ts'
import { VendorError } from './vendor-call.ts'

/**
 * Runs a vendor call for a waiting user: turns its `VendorError` into a refusal with the vendor's message, or
 * `platform_away` when a retry may succeed.
 */
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
