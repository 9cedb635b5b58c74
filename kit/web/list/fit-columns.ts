import type { TableColumn } from './columns.tsx'
import type { UntypedRow } from '../form/form-values.ts'

const WIDEST = 320
const sum = (parts: readonly number[]) => parts.reduce((all, part) => all + part, 0)

/** Of some room, each part gets its share of what it wants: all of it where the room suffices. */
function shared(wants: readonly number[], room: number): number[] {
  const all = sum(wants)
  return wants.map((want) => (all ? Math.floor(want * Math.min(1, room / all)) : 0))
}

/**
 * Columns for these rows in a table of some width (px): none is cut while another has room its rows do not need. Where
 * all fit they are as wide as what they hold, then as declared, and only then wider than long texts get otherwise.
 * Where they do not fit, those that are cut share what the others leave; and where not even the declared widths fit,
 * the table scrolls and its edge falls between two columns: half an amount reads like another amount.
 */
export function fitColumnWidths<R extends UntypedRow>(
  columns: readonly TableColumn<R>[],
  rows: readonly R[],
  width: number,
): TableColumn<R>[] {
  // Headings alone say little of the rows to come.
  if (!rows.length) return [...columns]
  const needs = columns.map(({ need, width: own }) => (need ? Math.max(...rows.map(need)) : own))
  const wants = needs.map((need, index) => Math.min(need, Math.max(WIDEST, columns[index]!.width)))
  const liked = columns.map((column, index) => (column.fits ? Math.max(column.width, wants[index]!) : column.width))
  const least = needs.map((need, index) => Math.min(need, liked[index]!))
  const sized = (widths: readonly number[]) => columns.map((column, index) => ({ ...column, width: widths[index]! }))
  if (sum(wants) <= width) return sized(grown(grown(wants, liked, width), needs, width))
  if (sum(least) <= width) return sized(grown(least, wants, width))
  let count = 0
  for (let used = 0; count < least.length && used + least[count]! <= width; count++) used += least[count]!
  const seen = grown(grown(least.slice(0, count), wants, width), liked, width)
  // What nobody likes to have is still better than half a column.
  const over = shared(
    seen.map((_one, index) => (columns[index]!.isDrawn ? 0 : width)),
    width - sum(seen),
  )
  return sized(
    columns.map((_column, index) =>
      index < count ? seen[index]! + over[index]! : Math.max(liked[index]!, wants[index]!),
    ),
  )
}

/** Widths with the room that is left shared among those that are narrower than they might be. */
function grown(widths: readonly number[], most: readonly number[], width: number): number[] {
  const more = shared(
    widths.map((one, index) => Math.max(0, most[index]! - one)),
    Math.max(0, width - sum(widths)),
  )
  return widths.map((one, index) => one + more[index]!)
}
