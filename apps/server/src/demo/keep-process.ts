import type { ChildProcess } from 'node:child_process'

/** A process that lived this long died of something else than its start: the delay begins anew. */
const STEADY_MS = 60_000

type Options = {
  /** Delay after the first death in ms; it doubles with each early death that follows. */
  firstMs?: number
  /** Longest delay in ms. */
  mostMs?: number
  onDeath?: (why: string | number, waitMs: number) => void
  /** Runs work after a delay; `setTimeout` by default. */
  later?: (work: () => void, ms: number) => void
}

/**
 * Runs a child process and starts it again when it dies, after a growing delay while it dies early. `stop` ends it.
 * Neither the child nor the delay keeps this process alive.
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
