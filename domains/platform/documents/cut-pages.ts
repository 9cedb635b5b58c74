/** Lines `from` to before `to` stand on a page. */
export type PageLineRange = { from: number; to: number }

export type PageHeights = {
  /** What a page has room for. */
  room: number
  /** What stands above the lines of the first page, and of any other. */
  first: number
  next: number
  lines: readonly number[]
  /** What follows the last line and is not cut: sums, totals, signatures, footer. */
  end: number
}

/**
 * Which lines stand on which page. What follows the last line never stands alone while there is a line to go with it.
 */
export function splitLinesIntoPages({ room, first, next, lines, end }: PageHeights): PageLineRange[] {
  const pages: PageLineRange[] = []
  let from = 0
  let left = room - first
  lines.forEach((height, at) => {
    // A first page without a line is better than a line that is cut off.
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
