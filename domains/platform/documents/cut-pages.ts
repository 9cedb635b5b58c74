/** The lines of one page: from index `from` up to, not including, `to`. */
export type PageLineRange = { from: number; to: number }

export type PageHeights = {
  /** Usable height of a page. All heights in pixels. */
  room: number
  /** Height of what is above the lines on the first page. */
  first: number
  /** The same on every other page. */
  next: number
  /** Height of each line. */
  lines: readonly number[]
  /** Height of the part after the last line, which is not split: sums, totals, signatures, footer. */
  end: number
}

/**
 * Splits lines into pages. The part after the last line never gets a page without a line, if there is one to move
 * along.
 */
export function splitLinesIntoPages({ room, first, next, lines, end }: PageHeights): PageLineRange[] {
  const pages: PageLineRange[] = []
  let from = 0
  let left = room - first
  lines.forEach((height, at) => {
    // Leaves the first page without lines rather than cut off a line too high for it.
    const isBegun = at > from || (!pages.length && height <= room - next)
    if (height > left && isBegun) {
      pages.push({ from, to: at })
      from = at
      left = room - next
    }
    left -= height
  })
  if (end > left && lines.length) {
    const to = lines.length - from > 1 ? lines.length - 1 : lines.length
    pages.push({ from, to })
    from = to
  }
  return [...pages, { from, to: lines.length }]
}
