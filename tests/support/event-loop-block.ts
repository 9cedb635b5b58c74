import { setImmediate as nextTurn } from 'node:timers/promises'

/** Longest time one call may block the event loop for all others. */
export const BLOCK_MAX_MS = 50

/** Returns this thread's own CPU time in ms. */
export const cpu = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/**
 * Returns the longest time a piece of work blocks the event loop, in ms of this thread's CPU time, so that other
 * processes, threads and the database do not count. If all of it takes less than the limit, that is the result.
 * Otherwise the turns are measured in up to four more, warmer runs, and the smallest result counts, divided by the
 * machine's present `slowness`.
 */
export async function eventLoopBlockOf(work: () => Promise<unknown>): Promise<number> {
  const began = cpu()
  await work()
  const all = cpu() - began
  if (all < BLOCK_MAX_MS) return all
  let least = all
  for (let run = 0; run < 4 && least >= BLOCK_MAX_MS; run++)
    least = Math.min(least, (await longestBlock(work)) / slowness())
  return least
}

const SAMPLE = JSON.stringify(Array.from({ length: 4_000 }, (_unused, n) => ({ id: `${n}`, name: 'x'.repeat(n % 40) })))
const SAMPLES = 10
/** CPU time of the samples on an idle machine of the kind these tests were written on. */
const SAMPLES_MS = 24
/** Limit of the correction: what takes longer is not the machine's fault. */
const SLOWNESS_MAX = 2

/**
 * Returns how much more CPU time a known piece of work takes at this moment, from 1 to 2: other processes share the
 * caches and the turbo.
 */
export function slowness(sample: () => number = sampleMs): number {
  return Math.min(SLOWNESS_MAX, Math.max(1, sample() / SAMPLES_MS))
}

function sampleMs(): number {
  const began = cpu()
  let letters = 0
  for (let n = 0; n < SAMPLES; n++)
    for (const { name } of JSON.parse(SAMPLE) as { name: string }[]) letters += name.replaceAll('x', 'y').length
  return letters ? cpu() - began : 0
}

async function longestBlock(work: () => Promise<unknown>): Promise<number> {
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
