import fc from 'fast-check'
import { vi } from 'vitest'
import { reportTestTimes } from './times.ts'

/**
 * A fixed seed, so that a failure comes from the change and not from new examples. To search for new ones:
 * `PROPERTY_SEED=$RANDOM npm test`.
 */
fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? 20_260_131) })

if (process.env.TEST_TIMES) reportTestTimes()

/** Timeout of `vi.waitFor`: a busy machine needs long, and a fast one does not wait longer. */
const WAIT = { timeout: 20_000 }

// Modules are shared between files: wrapping it twice would only lengthen stacks.
const { waitFor } = vi
if (waitFor.name !== 'waitPatiently')
  vi.waitFor = function waitPatiently(callback, options) {
    return waitFor(callback, typeof options === 'number' ? options : { ...WAIT, ...options })
  }
