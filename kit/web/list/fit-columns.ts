import type { TableColumn } from './columns.tsx'
import type { UntypedRow } from '../row/form-values.ts'

const WIDEST = 320
const sum = (parts: readonly number[]) => parts.reduce((all, part) => all + part, 0)

/** Distributes room in proportion to what each part wants, and never more than it wants. */
function shared(wants: readonly number[], available: number): number[] {
  const all = sum(wants)
  return wants.map((want) => (all ? Math.floor(want * Math.min(1, available / all)) : 0))
}

/**
 * Returns the columns with widths that fit these rows into a table of `width` px. If everything fits, columns first get
 * what their content needs, then their declared width, then more for long texts. Otherwise the columns that are cut
 * share the rest. If even the least widths do not fit, the table scrolls and its edge falls between two columns,
 * because half an amount reads like another amount.
 */
export function fitColumnWidths<R extends UntypedRow>(
  columns: readonly TableColumn<R>[],
  rows: readonly R[],
  width: number,
): TableColumn<R>[] {
  // Without rows, headings alone do not tell the widths to come.
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
  // Widening columns beyond their needs is better than showing half a column at the edge.
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

/** Widens columns up to their `most` width with the room that is left over. */
function grown(widths: readonly number[], most: readonly number[], width: number): number[] {
  const more = shared(
    widths.map((one, index) => Math.max(0, most[index]! - one)),
    Math.max(0, width - sum(widths)),
  )
  return widths.map((one, index) => one + more[index]!)
}
