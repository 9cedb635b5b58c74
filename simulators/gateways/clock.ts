/** Time as a gateway sees it: tests hold it in their hand, so that a minute costs nothing. */
export type Clock = {
  now: () => number
  /** Calls once; what it gives takes it back. */
  after(ms: number, call: () => void): () => void
}

export const realClock: Clock = {
  now: () => Date.now(),
  after(ms, call) {
    const timer = setTimeout(call, ms)
    return () => clearTimeout(timer)
  },
}

/** What is to be called after some time is called after so many times less. */
export const hurriedClock = (times: number): Clock => ({
  ...realClock,
  after: (ms, call) => realClock.after(ms / times, call),
})

/** A clock that stands still until it is told how much time has gone by. */
export function createManualClock(start = Date.UTC(2026, 0, 31, 4)): Clock & { pass(ms: number): void } {
  let now = start
  let serial = 0
  const waiting = new Map<number, { at: number; call: () => void }>()
  return {
    now: () => now,
    after(ms, call) {
      const id = ++serial
      waiting.set(id, { at: now + Math.max(ms, 0), call })
      return () => void waiting.delete(id)
    },
    pass(ms) {
      const end = now + ms
      for (;;) {
        const [id, next] = [...waiting].toSorted(([, one], [, other]) => one.at - other.at)[0] ?? []
        if (!next || next.at > end) break
        waiting.delete(id!)
        now = next.at
        next.call()
      }
      now = end
    },
  }
}
