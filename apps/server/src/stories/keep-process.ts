import type { ChildProcess } from 'node:child_process'

/** A process that lived so long has not died of how it begins: the next one begins at once again. */
const STEADY_MS = 60_000

type Options = {
  /** How long the next one is waited for after a first death; twice as long after each that follows. */
  firstMs?: number
  /** Longer is never waited. */
  mostMs?: number
  onDeath?: (why: string | number, waitMs: number) => void
  /** Does a piece of work so many milliseconds later. */
  later?: (work: () => void, ms: number) => void
}

/**
 * Keeps a process beside this one: where it dies another is begun, by and by more slowly while they die young. Ends it
 * with `stop`. `begin` starts one; neither it nor the wait keeps this process alive.
 */
export function superviseProcess(begin: () => ChildProcess, options: Options = {}) {
  const { firstMs = 1_000, mostMs = 60_000, onDeath = () => {} } = options
  const later = options.later ?? ((work, ms) => void setTimeout(work, ms).unref())
  let child: ChildProcess | undefined
  let isStopped = false
  let deaths = 0

  function occupy(): void {
    if (isStopped) return
    const one = (child = begin())
    const beganAt = performance.now()
    let isOver = false
    const again = (why: string | number) => {
      if (isOver || isStopped) return
      isOver = true
      deaths = performance.now() - beganAt < STEADY_MS ? deaths + 1 : 1
      const waitMs = Math.min(mostMs, firstMs * 2 ** Math.min(deaths - 1, 20))
      onDeath(why, waitMs)
      later(occupy, waitMs)
    }
    one.once('error', (error) => again(error.message))
    one.once('exit', (code, signal) => again(signal ?? code ?? ''))
    one.unref()
  }

  occupy()
  return {
    pid: () => child?.pid,
    stop: () => {
      isStopped = true
      child?.kill()
    },
  }
}
