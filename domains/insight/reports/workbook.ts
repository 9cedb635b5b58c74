import type { Lang } from '#kit/resource/localized-text.ts'
import type { Answer, Figure, Figures } from '#kit/resource/answer.ts'
import {
  widthOf,
  writeWorkbook,
  type Cell,
  type Heading,
  type Look,
  type Sheet,
} from '#kit/server/sheets/write-sheet.ts'

const words = {
  total: { zh: '合计', en: 'Total' },
  compared: { zh: '对比', en: 'Comparison' },
}

const cellOf = (figure: Figure): Cell => (figure === null ? '' : Number(figure))
const lookOf = (unit: string): Look => (unit === 'yuan' ? 'amount' : 'plain')

/** One sheet: what rows are told apart by, then a column for each figure, as on screen. */
function sheetOf(name: string, answer: Answer, { cells, byRow, byColumn, total }: Figures, lang: Lang): Sheet {
  const { measures, columns, rows } = answer
  const isWide = answer.columnHeads.length > 0
  const heads = columns.flatMap(({ words: said }) =>
    measures.map((measure) => ({
      text: [...said, ...(measures.length > 1 || !isWide ? [measure.label] : [])].join(' · '),
      look: lookOf(measure.unit),
    })),
  )
  const totals = isWide
    ? measures.map(({ label, unit }) => ({ text: `${words.total[lang]} · ${label}`, look: lookOf(unit) }))
    : []
  const first = answer.rowHeads.length ? answer.rowHeads : ['']
  const headings: Heading[] = [
    ...first.map((text) => ({ text, width: 24, look: 'text' as const })),
    ...[...heads, ...totals].map(({ text, look }) => ({ text, width: Math.max(14, widthOf(text) + 2), look })),
  ]
  const line = (said: readonly string[], figures: readonly Figure[], own: readonly Figure[]): Cell[] => [
    ...first.map((_head, at) => said[at] ?? ''),
    ...figures.map(cellOf),
    ...(isWide ? own.map(cellOf) : []),
  ]
  return {
    name,
    headings,
    rows: [
      ...rows.map(({ words: said }, at) => line(said, cells[at]!, byRow[at]!)),
      ...(answer.rowHeads.length ? [line([words.total[lang]], byColumn, total)] : []),
    ],
  }
}

/** An answer as a workbook; what it is compared with stands on a sheet of its own. */
export const workbookOf = (answer: Answer, name: string, lang: Lang): Promise<Buffer> =>
  writeWorkbook([
    sheetOf(name, answer, answer, lang),
    ...(answer.compared ? [sheetOf(words.compared[lang], answer, answer.compared, lang)] : []),
  ])
