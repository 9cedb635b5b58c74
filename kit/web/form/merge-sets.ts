/** What I added to and took from a set, done to the set as somebody else has made it meanwhile. */
export function mergeSetChanges<T>(mine: readonly T[], was: readonly T[], now: readonly T[]): T[] {
  const [own, before] = [new Set(mine), new Set(was)]
  return [
    ...new Set([...now.filter((one) => own.has(one) || !before.has(one)), ...mine.filter((one) => !before.has(one))]),
  ]
}
