import type { DocumentLayout, DocumentField, DocumentValues } from './paper.ts'

/** A document to render, with its empty parts left out. */
export type DocumentToRender = { layout: DocumentLayout; sheet: DocumentValues }

/**
 * Whether a column is kept when it is empty on every line: figures may be written in by hand, as may columns a template
 * asks for.
 */
const staysEmpty = ({ look, isAsked }: DocumentField): boolean => look === 'number' || look === 'amount' || !!isAsked

/** Leaves out facts and totals without a value, and text columns that are empty on every line. */
export function omitEmptyDocumentParts(layout: DocumentLayout, sheet: DocumentValues): DocumentToRender {
  const places = (fields: readonly DocumentField[], isShown: (field: DocumentField, at: number) => unknown) =>
    fields.flatMap((field, at) => (isShown(field, at) ? [at] : []))
  const only = <T>(all: readonly T[], at: readonly number[]): T[] => at.map((one) => all[one]!)
  const facts = places(layout.facts, (_, at) => sheet.facts[at])
  const totals = places(layout.totals, (_, at) => sheet.totals[at])
  const columns = places(
    layout.columns,
    (field, at) => staysEmpty(field) || !sheet.lines.length || sheet.lines.some((line) => line[at]),
  )
  return {
    layout: {
      ...layout,
      facts: only(layout.facts, facts),
      totals: only(layout.totals, totals),
      columns: only(layout.columns, columns),
    },
    sheet: {
      ...sheet,
      facts: only(sheet.facts, facts),
      totals: only(sheet.totals, totals),
      lines: sheet.lines.map((line) => only(line, columns)),
      sums: only(sheet.sums, columns),
    },
  }
}
