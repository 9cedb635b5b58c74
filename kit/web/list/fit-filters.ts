/** Least width of a search box with its label (px). */
const BOX = 200
/** Gap between two search boxes (px). */
const GAP = 16
/** Width of the "more filters" button (px). */
const MORE = 112

/**
 * Returns how many search boxes fit into one line of `width` px, and whether the day buttons do (`time` px wide, 0 for
 * none). The rest is folded away.
 */
export function fitSearchBoxes(boxes: number, time: number, width: number): { boxes: number; hasTime: boolean } {
  const widthOf = (count: number, withTime: boolean) => count * (BOX + GAP) + (withTime ? time + GAP : 0) - GAP
  if (widthOf(boxes, time > 0) <= width) return { boxes, hasTime: time > 0 }
  const available = width - MORE
  // Shows at least one box; the most used field comes first.
  const hasTime = time > 0 && widthOf(Math.min(1, boxes), true) <= available
  let count = Math.min(1, boxes)
  while (count < boxes && widthOf(count + 1, hasTime) <= available) count++
  return { boxes: count, hasTime }
}
