import type { Lang } from '#kit/base/localized-text.ts'
import type { ReportResult, ReportFigure, ReportFigureGrid } from '#kit/resource/answer.ts'
import {
  textDisplayWidth,
  writeWorkbook,
  type SheetCell,
  type SheetHeading,
  type CellStyle,
  type Sheet,
} from '#kit/server/sheets/write-sheet.ts'

const words = {
  total: { zh: '合计', en: 'Total' },
  compared: { zh: '对比', en: 'Comparison' },
}

const cellOf = (figure: ReportFigure): SheetCell => (figure === null ? '' : Number(figure))
const lookOf = (unit: string): CellStyle => (unit === 'yuan' ? 'amount' : 'plain')

/** One sheet as on screen: the row dimensions, then a column for each figure. */
function sheetOf(
  name: string,
  answer: ReportResult,
  { cells, byRow, byColumn, total }: ReportFigureGrid,
  lang: Lang,
): Sheet {
  const { measures, columns, rows } = answer
  const isWide = answer.columnHeads.length > 0
  const heads = columns.flatMap(({ words: labels }) =>
    measures.map((measure) => ({
      text: [...labels, ...(measures.length > 1 || !isWide ? [measure.label] : [])].join(' · '),
      look: lookOf(measure.unit),
    })),
  )
  const totals = isWide
    ? measures.map(({ label, unit }) => ({ text: `${words.total[lang]} · ${label}`, look: lookOf(unit) }))
    : []
  const first = answer.rowHeads.length ? answer.rowHeads : ['']
  const headings: SheetHeading[] = [
    ...first.map((text) => ({ text, width: 24, look: 'text' as const })),
    ...[...heads, ...totals].map(({ text, look }) => ({ text, width: Math.max(14, textDisplayWidth(text) + 2), look })),
  ]
  const line = (
    labels: readonly string[],
    figures: readonly ReportFigure[],
    own: readonly ReportFigure[],
  ): SheetCell[] => [
    ...first.map((_head, at) => labels[at] ?? ''),
    ...figures.map(cellOf),
    ...(isWide ? own.map(cellOf) : []),
  ]
  return {
    name,
    headings,
    rows: [
      ...rows.map(({ words: labels }, at) => line(labels, cells[at]!, byRow[at]!)),
      ...(answer.rowHeads.length ? [line([words.total[lang]], byColumn, total)] : []),
    ],
  }
}

/** Builds the workbook of a result; the compared period has a sheet of its own. */
export const buildReportWorkbook = (answer: ReportResult, name: string, lang: Lang): Promise<Buffer> =>
  writeWorkbook([
    sheetOf(name, answer, answer, lang),
    ...(answer.compared ? [sheetOf(words.compared[lang], answer, answer.compared, lang)] : []),
  ])
