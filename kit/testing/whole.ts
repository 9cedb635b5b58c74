/**
 * Whether everything is asked (`npm test -- --all`, or a file that was named), and not what stands for the rest of its
 * kind.
 */
export const isWhole = process.env.TESTS !== 'quick'

/** Of some things the first with each of its kinds, in their order: whatever kind there is, one of them has it. */
export function oneOfEach<T>(all: readonly T[], kindsOf: (one: T) => readonly string[]): T[] {
  const seen = new Set<string>()
  return all.filter((one) => {
    const own = kindsOf(one)
    const isNew = own.some((word) => !seen.has(word))
    for (const word of own) seen.add(word)
    return isNew
  })
}
