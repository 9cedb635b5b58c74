import type { MeasureUnit } from './measures.ts'
import type { DayRange, DimensionValue, ReportQuery } from './report-query.ts'

/** A figure on its way out: yuan as text, all else a number; null where nothing is said. */
export type ReportFigure = string | number | null
/** A row or a column: the values it is of, and how they are said. */
export type ReportHeading = { places: DimensionValue[]; words: string[] }

/** Figures by rows and columns; of a cell the measures stand side by side. */
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
  /** When it was asked. */
  time: string
  /** Answered from sums kept beside the rows. */
  isKept: boolean
}
