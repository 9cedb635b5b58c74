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
/** So long a paper is of use to somebody; what waits for its printer longer is not printed any more. */
export const PRINT_JOB_LIFETIME_MS = 3_600_000
/** Enough for as long as a job is worth printing. */
const ATTEMPTS = 40

/** Whether a printer takes pages of labels instead of lines of a roll: those of the makers that have such a call. */
export const labelSizeOfPrinter = ({ brand, usage, labelSize }: Printer): LabelSize | undefined =>
  usage === 'label' && (brand === 'feie' || brand === 'xpyun') ? parseLabelSize(labelSize) : undefined

/** Cells of a line of what a printer prints on. */
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

/** Wants something printed: the job exists, and goes to the printer, if and only if this transaction commits. */
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
