import fc from 'fast-check'
import { vi } from 'vitest'
import { tellTimes } from './times.ts'

/**
 * The same examples every time, so that a change is judged by the change alone. New ones are looked for on purpose:
 * `PROPERTY_SEED=$RANDOM npm test`.
 */
fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? 20_260_131) })

if (process.env.TEST_TIMES) tellTimes()

/** How long is waited for what must come about: longer costs nothing where it does, and a busy machine needs it. */
const PATIENCE = { timeout: 20_000 }

// Modules are shared between files: wrapped twice it would only be slower to read in a stack.
const { waitFor } = vi
if (waitFor.name !== 'waitPatiently')
  vi.waitFor = function waitPatiently(callback, options) {
    return waitFor(callback, typeof options === 'number' ? options : { ...PATIENCE, ...options })
  }
