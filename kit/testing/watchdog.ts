import { setImmediate as nextTurn } from 'node:timers/promises'

/** What everybody else waits at most because of one call. */
export const HELD_MS = 50

/** This thread's own processor time, in milliseconds. */
export const cpu = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/**
 * The longest a piece of work held the event loop, in milliseconds of this thread's own processor time: what a busy
 * machine does between is not counted, nor what other threads and the database do. Where all of it took less than the
 * limit nothing can have held the loop longer; only otherwise its turns are looked at one by one, on later and warmer
 * runs, and the least of these counts.
 */
export async function heldBy(work: () => Promise<unknown>): Promise<number> {
  const began = cpu()
  await work()
  const all = cpu() - began
  if (all < HELD_MS) return all
  let least = all
  for (let run = 0; run < 4 && least >= HELD_MS; run++) least = Math.min(least, await longestTurn(work))
  return least
}

async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  let isOver = false
  let longest = 0
  let before = cpu()
  const turn = () => {
    const now = cpu()
    longest = Math.max(longest, now - before)
    before = now
  }
  const done = work().finally(() => (isOver = true))
  while (!isOver) {
    turn()
    await nextTurn()
  }
  turn()
  await done
  return longest
}
