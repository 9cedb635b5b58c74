import { createHash, randomInt } from 'node:crypto'

/** Start of the time in ids. */
export const SNOWFLAKE_EPOCH_MS = Date.UTC(2024, 0, 1)
// Ten random bits instead of an assigned worker number, so that servers need no state of their own. Two processes
// collide only with the same worker, millisecond and sequence start, and the primary key then refuses the second row.
// Processes of one machine get different numbers.
const WORKERS = 1024
let worker = BigInt(randomInt(WORKERS))
let last = 0
let sequence = 0

/** Sets the worker number in this process's ids, so that they differ from those of processes with other numbers. */
export function setSnowflakeWorker(number: number): void {
  worker = BigInt(number % WORKERS)
}

/**
 * If the clock was set back by less than this (milliseconds), ids continue from the last time, so that they keep
 * rising. If by more, the old time was wrong, and ids follow the new time at once.
 */
const HELD_MS = 10_000
/** Step by which the worker number changes when the clock is set back, away from those of the same machine. */
const WORKER_STEP = 67n

/** A new id: 41 bits of milliseconds, 10 of worker, 12 of sequence, as decimal text; later ids are larger. */
export function newId(): string {
  let now = Date.now()
  if (now < last - HELD_MS) {
    // The clock will reach the same times again; with another worker number no id is made twice.
    worker = (worker + WORKER_STEP) % BigInt(WORKERS)
    last = 0
  }
  if (now < last) now = last
  if (now === last) {
    sequence = (sequence + 1) & 0xfff
    if (sequence === 0) now = last + 1
  } else {
    sequence = randomInt(64)
  }
  last = now
  return ((BigInt(now - SNOWFLAKE_EPOCH_MS) << 22n) | (worker << 12n) | BigInt(sequence)).toString()
}

/** Smallest id of a moment, the start of an id range. */
export const firstIdAtTime = (ms: number): string => (BigInt(ms - SNOWFLAKE_EPOCH_MS) << 22n).toString()

/** Time at which an id was made, in milliseconds. */
export const timeOfId = (id: string): number => Number(BigInt(id) >> 22n) + SNOWFLAKE_EPOCH_MS

/**
 * Returns the same id for the same name, for seeded rows: grants to them survive a new seeding. Smaller than every
 * snowflake id of this century.
 */
export function deterministicId(name: string): string {
  const digest = createHash('sha256').update(name).digest()
  return ((digest.readBigUInt64BE(0) >> 12n) | (1n << 51n)).toString()
}
