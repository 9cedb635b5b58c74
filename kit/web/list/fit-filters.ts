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
  const roomOf = (count: number, withTime: boolean) => count * (BOX + GAP) + (withTime ? time + GAP : 0) - GAP
  if (roomOf(boxes, time > 0) <= width) return { boxes, hasTime: time > 0 }
  const room = width - MORE
  // Shows at least one box; the most used field comes first.
  const hasTime = time > 0 && roomOf(Math.min(1, boxes), true) <= room
  let count = Math.min(1, boxes)
  while (count < boxes && roomOf(count + 1, hasTime) <= room) count++
  return { boxes: count, hasTime }
}
