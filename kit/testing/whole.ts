/**
 * Whether everything is asked (`npm test -- --all`, or a file that was named), and not what stands for the rest of its
 * kind.
 */
export const isWhole = process.env.TESTS !== 'quick'

/** Of some things the first with each of its kinds, in their order: whatever kind there is, one of them has it. */
export function oneOfEach<T>(all: readonly T[], kindsOf: (one: T) => readonly string[]): T[] {
  const seen = new Set<string>()
  return all.filter((one) => {
    const kinds = kindsOf(one)
    const isNew = kinds.some((kind) => !seen.has(kind))
    for (const kind of kinds) seen.add(kind)
    return isNew
  })
}
