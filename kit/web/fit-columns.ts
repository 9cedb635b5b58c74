import type { Column } from './columns.tsx'
import type { Row } from './form-values.ts'

const WIDEST = 320
const sum = (parts: readonly number[]) => parts.reduce((all, part) => all + part, 0)

/** Of some room, each part gets its share of what it wants: all of it where the room suffices. */
function shared(wants: readonly number[], room: number): number[] {
  const all = sum(wants)
  return wants.map((want) => (all ? Math.floor(want * Math.min(1, room / all)) : 0))
}

/**
 * Columns for these rows in a table of some width (px): as wide as declared, or as what they hold where that is more. Room that is left goes to
 * columns whose rows are cut. Where they are too wide they give up what neither rows nor headings need; and where that is not enough the table scrolls,
 * and its edge falls between two columns: half an amount reads like another amount.
 */
export function fitColumns<R extends Row>(columns: readonly Column<R>[], rows: readonly R[], width: number): Column<R>[] {
  // Headings alone say little of the rows to come.
  if (!rows.length) return [...columns]
  const needs = columns.map(({ need, width: own }) => (need ? Math.max(...rows.map(need)) : own))
  const liked = columns.map((column, index) => (column.fits ? Math.max(column.width, Math.min(WIDEST, needs[index]!)) : column.width))
  const least = needs.map((need, index) => Math.min(need, liked[index]!))
  const sized = (widths: readonly number[]) => columns.map((column, index) => ({ ...column, width: widths[index] ?? liked[index]! }))
  const left = width - sum(liked)
  if (left >= 0) {
    const more = shared(needs.map((need, index) => Math.max(0, Math.min(WIDEST, need) - liked[index]!)), left)
    return sized(liked.map((one, index) => one + more[index]!))
  }
  let count = 0
  for (let used = 0; count < least.length && used + least[count]! <= width; count++) used += least[count]!
  const room = width - sum(least.slice(0, count))
  const back = shared(least.slice(0, count).map((one, index) => liked[index]! - one), room)
  // What nobody likes to have is still better than half a column.
  const over = shared(back.map((_one, index) => (columns[index]!.isDrawn ? 0 : width)), room - sum(back))
  return sized(back.map((one, index) => least[index]! + one + (count < least.length ? over[index]! : 0)))
}
