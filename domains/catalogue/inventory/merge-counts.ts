/** One count of some goods by one person. `book` and `seq` are the stock and the ledger's position at that moment. */
export type CountEntry = {
  userId: string
  mode: 'set' | 'add'
  quantity: number
  book: number
  seq: number
}

type Merged = {
  counted: number
  /** The stock the count is held against: of the moment the first of the counts that stand began. */
  expected: number
  baseSeq: number
  /** Stock moved between the first and the last of these counts: what was sold may have been counted or not. */
  isMoved: boolean
  /** Whose counts stand. */
  counters: string[]
}

type Own = { quantity: number; book: number; from: number; until: number }

/**
 * What several people counted, as one number. Each has a count of their own: `set` begins it anew, `add` goes on
 * with it. By the rule `add` all own counts add up (the goods stand in several places); by `last` the own count of
 * whoever counted last stands alone. Entries in the order they arrived; undefined without any.
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
