import { setImmediate as nextTurn } from 'node:timers/promises'

/** What everybody else waits at most because of one call. */
export const BLOCK_MAX_MS = 50

/** This thread's own processor time, in milliseconds. */
export const cpu = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/**
 * The longest a piece of work held the event loop, in milliseconds of this thread's own processor time: what a busy
 * machine does between is not counted, nor what other threads and the database do. Where all of it took less than the
 * limit nothing can have held the loop longer; only otherwise its turns are looked at one by one, on later and warmer
 * runs, and the least of these counts, less what known work takes more than it should at that very moment.
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
/** What as many samples take of an unhurried processor of the machines these tests are made on. */
const SAMPLES_MS = 24
/** More than this is no busy machine: what then holds the loop is the work itself. */
const SLOWNESS_MAX = 2

/**
 * How much more of its time a processor takes at this moment for known work: others beside it have its caches and its
 * turbo. From 1 to 2, so that a limit never becomes more than twice what it says.
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
