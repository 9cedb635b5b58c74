/** Seeded random numbers, the same for the same seed: for demo data, samples and simulators. */
export type Random = {
  /** 0 ≤ x < 1 */
  next: () => number
  /** Whole number, both ends included. */
  int: (min: number, max: number) => number
  chance: (probability: number) => boolean
  pick: <T>(from: readonly T[]) => T
  /** Picks one with a probability in proportion to its weight. */
  weighted: <T>(from: readonly T[], weights: readonly number[]) => T
}

/** Mulberry32: small, fast, and good enough for anything but secrets. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  return {
    next,
    int: (min, max) => min + Math.floor(next() * (max - min + 1)),
    chance: (probability) => next() < probability,
    pick: (from) => from[Math.floor(next() * from.length)]!,
    weighted: (from, weights) => {
      let left = next() * weights.reduce((sum, weight) => sum + weight, 0)
      for (const [at, weight] of weights.entries()) {
        left -= weight
        if (left < 0) return from[at]!
      }
      return from.at(-1)!
    },
  }
}
