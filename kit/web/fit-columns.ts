import { useLayoutEffect, useState, type RefObject } from 'react'
import type { Column } from './columns.tsx'
import type { Row } from './form-values.ts'

const WIDEST = 320
const sum = (parts: readonly number[]) => parts.reduce((all, part) => all + part, 0)

/** A column as wide as what its rows hold. */
const fitted = <R extends Row>(column: Column<R>, rows: readonly R[]): Column<R> => (column.fit ? { ...column, width: Math.max(column.width, ...rows.map((row) => Math.min(WIDEST, column.fit!(row)))) } : column)

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
  const wide = columns.map((column) => fitted(column, rows))
  // Headings alone say little of the rows to come.
  if (!rows.length) return wide
  const liked = wide.map((column) => column.width)
  const needs = wide.map((column) => (column.least ? Math.max(column.least, ...rows.map((row) => column.need!(row))) : column.width))
  const least = needs.map((need, index) => Math.min(need, liked[index]!))
  const sized = (widths: readonly number[]) => wide.map((column, index) => ({ ...column, width: widths[index] ?? column.width }))
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
  const over = shared(back.map((_one, index) => (wide[index]!.isDrawn ? 0 : width)), room - sum(back))
  return sized(back.map((one, index) => least[index]! + one + (count < least.length ? over[index]! : 0)))
}

/** Width of an element in pixels while it is on screen; endless until it was measured. */
export function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(Infinity)
  useLayoutEffect(() => {
    const measure = () => {
      // A page in the background has no width.
      if (element.current?.clientWidth) setWidth(element.current.clientWidth)
    }
    measure()
    const observer = new ResizeObserver(measure)
    if (element.current) observer.observe(element.current)
    return () => observer.disconnect()
  }, [element])
  return width
}
