/** Least width of a search box with its label, room between two, and what "more filters" needs (px). */
const BOX = 200
const GAP = 16
const MORE = 112

/**
 * So many search boxes stand in one line of some width, and whether the choice of days (`time` px, 0 for none) does;
 * the rest unfolds.
 */
export function fitSearchBoxes(boxes: number, time: number, width: number): { boxes: number; hasTime: boolean } {
  const roomOf = (count: number, withTime: boolean) => count * (BOX + GAP) + (withTime ? time + GAP : 0) - GAP
  if (roomOf(boxes, time > 0) <= width) return { boxes, hasTime: time > 0 }
  const room = width - MORE
  // One box at least: what is looked for most stands first.
  const hasTime = time > 0 && roomOf(Math.min(1, boxes), true) <= room
  let count = Math.min(1, boxes)
  while (count < boxes && roomOf(count + 1, hasTime) <= room) count++
  return { boxes: count, hasTime }
}
