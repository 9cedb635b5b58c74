import { removeStoredValue, setStoredValue, getStoredValue } from '../base/storage.ts'

const running = new Map<string, Promise<unknown>>()
const LEASE = 20_000

/** Runs work under a lock in local storage, with a lease, for browsers without a lock manager (no TLS). */
async function leased<T>(name: string, work: () => Promise<T>): Promise<T> {
  const mine = Math.random().toString(36).slice(2)
  const slot = `lock:${name}`
  for (;;) {
    const held = getStoredValue<{ by: string; until: number }>(slot)
    if (!held || held.until < Date.now()) {
      setStoredValue(slot, { by: mine, until: Date.now() + LEASE })
      await new Promise((resume) => setTimeout(resume, 30))
      if (getStoredValue<{ by: string }>(slot)?.by === mine) break
    }
    await new Promise((resume) => setTimeout(resume, 100))
  }
  try {
    return await work()
  } finally {
    if (getStoredValue<{ by: string }>(slot)?.by === mine) removeStoredValue(slot)
  }
}

/** Runs work one at a time across all tabs of the browser. Callers in the same tab share a run that is in progress. */
export function runExclusiveAcrossTabs<T>(name: string, work: () => Promise<T>): Promise<T> {
  const under = running.get(name) as Promise<T> | undefined
  if (under) return under
  const run = navigator.locks ? navigator.locks.request(name, work) : leased(name, work)
  const done = run.finally(() => running.delete(name))
  running.set(name, done)
  return done
}
