import { useLayoutEffect, useState, type RefObject } from 'react'
import type { Column } from './columns.tsx'
import type { Row } from './form-values.ts'

const WIDEST = 260

/** A column as wide as what its rows hold. */
const fitted = <R extends Row>(column: Column<R>, rows: readonly R[]): Column<R> => (column.fit ? { ...column, width: Math.max(column.width, ...rows.map((row) => Math.min(WIDEST, column.fit!(row)))) } : column)

/**
 * Columns for these rows in a table of some width (px): as wide as declared, or as what they hold where that is more. Where that is too wide by no more
 * than the room its rows and headings leave free, that room is given up, so that no column is cut at the edge; wider tables scroll.
 */
export function fitColumns<R extends Row>(columns: readonly Column<R>[], rows: readonly R[], width: number): Column<R>[] {
  const wide = columns.map((column) => fitted(column, rows))
  const free = wide.map((column) => (column.least ? Math.max(0, column.width - Math.max(column.least, ...rows.map((row) => column.need!(row)))) : 0))
  const over = wide.reduce((sum, column) => sum + column.width, 0) - width
  const all = free.reduce((sum, room) => sum + room, 0)
  if (over <= 0 || over > all) return wide
  return wide.map((column, index) => ({ ...column, width: column.width - Math.ceil((free[index]! * over) / all) }))
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
