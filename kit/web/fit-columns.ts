import { useLayoutEffect, useState, type RefObject } from 'react'
import type { Column } from './columns.tsx'
import type { Row } from './form-values.ts'

const WIDEST = 320
const sum = (parts: readonly number[]) => parts.reduce((all, part) => all + part, 0)

/** A column as wide as what its rows hold. */
const fitted = <R extends Row>(column: Column<R>, rows: readonly R[]): Column<R> => (column.fit ? { ...column, width: Math.max(column.width, ...rows.map((row) => Math.min(WIDEST, column.fit!(row)))) } : column)

/**
 * Columns for these rows in a table of some width (px): as wide as declared, or as what they hold where that is more. Where that is too wide by no more
 * than the room its rows and headings leave free, that room is given up, so that no column is cut at the edge; wider tables scroll. Where there is
 * room left, columns whose rows are cut get it first.
 */
export function fitColumns<R extends Row>(columns: readonly Column<R>[], rows: readonly R[], width: number): Column<R>[] {
  const wide = columns.map((column) => fitted(column, rows))
  const needs = wide.map((column) => (column.least ? Math.max(column.least, ...rows.map((row) => column.need!(row))) : column.width))
  const over = sum(wide.map((column) => column.width)) - width
  const changes = wide.map((column, index) => (over > 0 ? Math.max(0, column.width - needs[index]!) : Math.max(0, Math.min(WIDEST, needs[index]!) - column.width)))
  const all = sum(changes)
  if (!all || over > all) return wide
  const share = Math.min(1, Math.abs(over) / all)
  return wide.map((column, index) => ({ ...column, width: column.width + (over > 0 ? -Math.ceil(changes[index]! * share) : Math.floor(changes[index]! * share)) }))
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
