import type { MeasureUnit } from './measures.ts'
import type { DayRange, DimensionValue, ReportQuery } from './report-query.ts'

/** A figure as clients get it: yuan amounts as text, everything else as a number, null without a value. */
export type ReportFigure = string | number | null
/** Heading of one row or column: its dimension values (`places`) and the text of each. */
export type ReportHeading = { places: DimensionValue[]; words: string[] }

/** Figures of a report. `cells[row]` holds all measures of the first column, then those of the second, and so on. */
export type ReportFigureGrid = {
  cells: ReportFigure[][]
  byRow: ReportFigure[][]
  byColumn: ReportFigure[]
  total: ReportFigure[]
}

export type ReportResult = ReportFigureGrid & {
  question: ReportQuery
  label: string
  days?: DayRange
  before?: DayRange
  rowHeads: string[]
  columnHeads: string[]
  measures: { key: string; label: string; help: string; unit: MeasureUnit; more?: 'good' | 'bad' }[]
  rows: ReportHeading[]
  columns: ReportHeading[]
  compared?: ReportFigureGrid
  /** Time the report was computed, as "yyyy-MM-dd HH:mm:ss". */
  time: string
  /** Whether the figures come from a module's precomputed sums (`RollupSource`) instead of the rows themselves. */
  isKept: boolean
}
