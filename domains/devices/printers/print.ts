import type { RowOf } from '#kit/resource/index.ts'
import type { Db } from '#kit/server/database/db.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import { formatShanghaiTime } from '#kit/server/time.ts'
import { printJob } from './print-job.resource.ts'
import type { printerInfo } from './printer-info.resource.ts'
import { columnsOfPaperWidth, columnsOfLabel, parseLabelSize, type LabelSize, type PrintPart } from './receipt.ts'

export type Printer = RowOf<typeof printerInfo>
export type PrintJob = RowOf<typeof printJob>

export const PRINT_SEND_QUEUE = 'print.send'
/** A job that waits longer is not printed any more, as nobody needs it then. */
export const PRINT_JOB_LIFETIME_MS = 3_600_000
/** Enough attempts for the whole lifetime of a job. */
const ATTEMPTS = 40

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

type PrintRequest = {
  printer: Printer
  kind: 'receipt' | 'label' | 'shelfCard' | 'test'
  title: string
  parts: readonly PrintPart[]
  copies?: number
  orderId?: string
  reprintOf?: string
}

/** Creates a print job and queues its sending, in the caller's transaction. */
export async function enqueuePrintJob(db: Db, now: Date, ask: PrintRequest): Promise<PrintJob> {
  const { printer, kind, title, parts, orderId, reprintOf } = ask
  const job = await db.insert(printJob, {
    title: title.slice(0, 100),
    kind,
    state: 'queued',
    printerId: printer.id,
    shopId: printer.shopId,
    orderId,
    reprintOf,
    copies: ask.copies ?? printer.copies,
    parts,
    columns: columnsOfPrinter(printer),
    expireTime: formatShanghaiTime(new Date(now.getTime() + PRINT_JOB_LIFETIME_MS)),
  })
  await db.enqueue(PRINT_SEND_QUEUE, { id: job.id }, { key: job.id, maxAttempts: ATTEMPTS })
  publishRowsChanged({ db }, printJob, [job])
  return job
}
