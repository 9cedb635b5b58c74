import { useEffect, useState } from 'react'
import { useLatestRef } from '../use-latest.ts'

/** `waitMs` is how long a call waits for others, `everyMs` the least time between two calls. */
type Pace = { waitMs: number; everyMs: number }

/**
 * Makes one call of many: the first waits a moment, all that come meanwhile go with it, and the next comes no sooner
 * than `everyMs` after. The last one asked for is always made, unless `cancel` is called before.
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

/** Throttles within a component: calls the function rendered last, and none once it has left the screen. */
export function useThrottled(call: () => void, pace: Pace): () => void {
  const latest = useLatestRef(call)
  const [{ later, cancel }] = useState(() => throttle(() => latest.current(), pace))
  useEffect(() => cancel, [cancel])
  return later
}
