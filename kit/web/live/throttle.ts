import { useEffect, useState } from 'react'
import { useLatestRef } from '../base/use-latest.ts'

/** `waitMs`: how long a call waits for others to join it. `everyMs`: least time between two calls. */
type Pace = { waitMs: number; everyMs: number }

/**
 * Combines many calls into one: the first waits `waitMs`, all that come meanwhile are merged into it, and the next runs
 * at least `everyMs` later. The last requested call always runs, unless `cancel` is called first.
 */
export function throttle(call: () => void, { waitMs, everyMs }: Pace): { later: () => void; cancel: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined
  let last = -Infinity
  const run = () => {
    timer = undefined
    last = Date.now()
    call()
  }
  return {
    later: () => {
      timer ??= setTimeout(run, Math.max(waitMs, last + everyMs - Date.now()))
    },
    cancel: () => {
      clearTimeout(timer)
      timer = undefined
    },
  }
}

/** Throttles within a component. Calls the function of the last render, and never after unmounting. */
export function useThrottled(call: () => void, pace: Pace): () => void {
  const latest = useLatestRef(call)
  const [{ later, cancel }] = useState(() => throttle(() => latest.current(), pace))
  useEffect(() => cancel, [cancel])
  return later
}
