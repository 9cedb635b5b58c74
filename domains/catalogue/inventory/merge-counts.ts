/** One count of a product by one person. `book` is the stock and `seq` the last ledger number at that moment. */
export type CountEntry = {
  userId: string
  mode: 'set' | 'add'
  quantity: number
  book: number
  seq: number
}

type Merged = {
  counted: number
  /** Stock the count is compared with: that of the moment when the first valid count began. */
  expected: number
  baseSeq: number
  /** Stock moved between the first and the last valid count, so it is unclear whether the moved pieces were counted. */
  isMoved: boolean
  /** Ids of the people whose counts are valid. */
  counters: string[]
}

type Own = { quantity: number; book: number; from: number; until: number }

/**
 * Merges the counts of several people into one number. `set` restarts the count of one person, `add` adds to it. By the
 * rule `add` the counts of all people add up (the goods stand in several places); by `last` only the person who counted
 * last is valid. Takes the entries in the order they arrived; returns undefined when there are none.
 */
export function mergeCounts(entries: readonly CountEntry[], rule: 'add' | 'last'): Merged | undefined {
  const own = new Map<string, Own>()
  for (const { userId, mode, quantity, book, seq } of entries) {
    const was = mode === 'add' ? own.get(userId) : undefined
    own.set(
      userId,
      was ? { ...was, quantity: was.quantity + quantity, until: seq } : { quantity, book, from: seq, until: seq },
    )
  }
  const last = entries.at(-1)
  if (!last) return undefined
  const standing = rule === 'last' ? [[last.userId, own.get(last.userId)!] as const] : [...own]
  const first = standing.map(([, count]) => count).reduce((a, b) => (b.from < a.from ? b : a))
  return {
    counted: standing.reduce((sum, [, count]) => sum + count.quantity, 0),
    expected: first.book,
    baseSeq: first.from,
    isMoved: standing.some(([, count]) => count.until > first.from),
    counters: standing.map(([userId]) => userId).toSorted(),
  }
}
