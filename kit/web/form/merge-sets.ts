/** Three-way merge of a set: applies what I added to and removed from `was` to the set as it is `now`. */
export function mergeSetChanges<T>(mine: readonly T[], was: readonly T[], now: readonly T[]): T[] {
  const [own, before] = [new Set(mine), new Set(was)]
  return [
    ...new Set([...now.filter((one) => own.has(one) || !before.has(one)), ...mine.filter((one) => !before.has(one))]),
  ]
}
