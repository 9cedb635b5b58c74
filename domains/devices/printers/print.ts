import type { RowOf } from '#kit/resource/index.ts'
import type { printJob } from './print-job.resource.ts'
import type { printerInfo } from './printer-info.resource.ts'
import { columnsOfPaperWidth, columnsOfLabel, parseLabelSize, type LabelSize } from './receipt.ts'

export type Printer = RowOf<typeof printerInfo>
export type PrintJob = RowOf<typeof printJob>

/** A job that waits longer is not printed any more, as nobody needs it then. */
export const PRINT_JOB_LIFETIME_MS = 3_600_000

/**
 * Returns the size of label the printer prints, undefined for one that prints lines on a roll. Only Feie and Xpyun have
 * an API for labels.
 */
export const labelSizeOfPrinter = ({ brand, usage, labelSize }: Printer): LabelSize | undefined =>
  usage === 'label' && (brand === 'feie' || brand === 'xpyun') ? parseLabelSize(labelSize) : undefined

/** Returns how many cells a line of the printer has. */
export function columnsOfPrinter(printer: Printer): number {
  const label = labelSizeOfPrinter(printer)
  return label ? columnsOfLabel(label) : columnsOfPaperWidth(printer.paperWidth)
}
