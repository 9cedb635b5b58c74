import { removeStoredValue, setStoredValue, getStoredValue } from '../storage.ts'

const running = new Map<string, Promise<unknown>>()
const LEASE = 20_000

/** Where the browser has no lock manager (plain http), a lease in local storage keeps other tabs waiting. */
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

/**
 * Runs work that must happen once at a time in the whole browser, all tabs counted.
 * Callers of the same tab share the run that is already under way.
 */
export function runExclusiveAcrossTabs<T>(name: string, work: () => Promise<T>): Promise<T> {
  const under = running.get(name) as Promise<T> | undefined
  if (under) return under
  const run = navigator.locks ? navigator.locks.request(name, work) : leased(name, work)
  const done = run.finally(() => running.delete(name))
  running.set(name, done)
  return done
}
