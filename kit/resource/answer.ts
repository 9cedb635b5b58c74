import type { Unit } from './measures.ts'
import type { Days, DimensionValue, ReportQuery } from './report-query.ts'

/** A figure on its way out: yuan as text, all else a number; null where nothing is said. */
export type Figure = string | number | null
/** A row or a column: the values it is of, and how they are said. */
export type Line = { places: DimensionValue[]; words: string[] }

/** Figures by rows and columns; of a cell the measures stand side by side. */
export type Figures = { cells: Figure[][]; byRow: Figure[][]; byColumn: Figure[]; total: Figure[] }

export type Answer = Figures & {
  question: ReportQuery
  label: string
  days?: Days
  before?: Days
  rowHeads: string[]
  columnHeads: string[]
  measures: { key: string; label: string; help: string; unit: Unit; more?: 'good' | 'bad' }[]
  rows: Line[]
  columns: Line[]
  compared?: Figures
  /** When it was asked. */
  time: string
  /** Answered from sums kept beside the rows. */
  isKept: boolean
}
