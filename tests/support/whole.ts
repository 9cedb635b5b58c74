/** Whether everything is checked (`npm test -- --all`, or a named file), or only one representative of each kind. */
export const isWhole = process.env.TESTS !== 'quick'

/** Returns the first item of each kind, in order, so that every kind is represented. */
export function oneOfEach<T>(all: readonly T[], kindsOf: (one: T) => readonly string[]): T[] {
  const seen = new Set<string>()
  return all.filter((one) => {
    const own = kindsOf(one)
    const isNew = own.some((word) => !seen.has(word))
    for (const word of own) seen.add(word)
    return isNew
  })
}
