/** The clock of a simulated device, which tests can advance by hand. */
export type Clock = {
  now: () => number
  /** Calls once after a time. Returns how to cancel it. */
  after(ms: number, call: () => void): () => void
}

export const realClock: Clock = {
  now: () => Date.now(),
  after(ms, call) {
    const timer = setTimeout(call, ms)
    return () => clearTimeout(timer)
  },
}

/** Returns a clock whose timers run so many times faster. */
export const hurriedClock = (times: number): Clock => ({
  ...realClock,
  after: (ms, call) => realClock.after(ms / times, call),
})

/** Returns a clock that stands still until `pass` advances it. */
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
