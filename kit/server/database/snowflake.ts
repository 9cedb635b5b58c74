import { createHash, randomInt } from 'node:crypto'

/** Ids count their milliseconds from here. */
export const SNOWFLAKE_EPOCH_MS = Date.UTC(2024, 0, 1)
// Ten random bits instead of an assigned worker number: servers hold no state of their own. Two processes would have to
// draw the same worker, millisecond and sequence start to collide, and the primary key would refuse the second row.
// Processes of one machine are given numbers that differ.
const WORKERS = 1024
let worker = BigInt(randomInt(WORKERS))
let last = 0
let sequence = 0

/** Makes ids of this process differ from those of all who were given another number. */
export function setSnowflakeWorker(number: number): void {
  worker = BigInt(number % WORKERS)
}

/**
 * A clock that is put back by less than this is waited for, so that later ids are larger. By more it was wrong before,
 * and ids follow it at once.
 */
const HELD_MS = 10_000
/** How far a step back moves the number of the process: away from those of its machine. */
const WORKER_STEP = 67n

/** A new id: 41 bits of milliseconds, 10 of worker, 12 of sequence, as decimal text; later ids are larger. */
export function newId(): string {
  let now = Date.now()
  if (now < last - HELD_MS) {
    // Those made ahead of time are met again one day: under another number none is made twice.
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

/** The smallest id of a moment: what ranges of ids begin with. */
export const firstIdAtTime = (ms: number): string => (BigInt(ms - SNOWFLAKE_EPOCH_MS) << 22n).toString()

/** The moment an id was made. */
export const timeOfId = (id: string): number => Number(BigInt(id) >> 22n) + SNOWFLAKE_EPOCH_MS

/**
 * The same id for the same name, for rows that declarations seed: grants survive a new seeding. Below every snowflake
 * of this century.
 */
export function deterministicId(name: string): string {
  const digest = createHash('sha256').update(name).digest()
  return ((digest.readBigUInt64BE(0) >> 12n) | (1n << 51n)).toString()
}
