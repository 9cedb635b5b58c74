import { sql, type Db } from '#kit/server/database/db.ts'
import {
  callRowsOf,
  defineOutboundCall,
  type OutboundAnswer,
  type OutboundContext,
  type PreparedCall,
} from '#kit/server/outbox/index.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import type { Services } from '#kit/server/module/services.ts'
import { formatShanghaiTime, parseShanghaiTime } from '#kit/server/base/time.ts'
import { callAndLogExternal } from '#domains/platform/logs/api.ts'
import { findPrinterVendorAccountRow, findPrinterVendor, decryptPrinterVendorAccount } from './accounts.ts'
import { PRINT_FAILURE_TEXTS } from './job-state.ts'
import { requestGatewayPrint } from './local.ts'
import { PrinterVendorUnreachableError, type PrinterVendor, type PrinterVendorAccount } from './vendor.ts'
import { printJob } from './print-job.resource.ts'
import { columnsOfPrinter, labelSizeOfPrinter, PRINT_JOB_LIFETIME_MS, type Printer, type PrintJob } from './print.ts'
import { printerInfo } from './printer-info.resource.ts'
import { layOutPrintParts, type PrintPart } from './receipt.ts'

const RETRY_MAX_S = 300

type PrintWork = { printer: Printer; maker: PrinterVendor; account: PrinterVendorAccount }
type Print = OutboundContext<PrintJob, PrintWork>

const failedAnswer = (reason: string) => ({ answer: { outcome: 'failed', patch: { reason } } }) as const

/** Finds the printer's vendor and account; one at a gateway gets a device command in the same transaction instead. */
async function prepare(
  db: Db,
  job: PrintJob,
  services: Services,
  isAgain: boolean,
): Promise<PreparedCall<PrintJob, PrintWork>> {
  const printer = await db.get(printerInfo, job.printerId!)
  if (!printer) return failedAnswer(PRINT_FAILURE_TEXTS.noPrinter)
  const maker = findPrinterVendor(printer.brand)
  // The gateway's command has its own time and says what became of it.
  if (!maker) return isAgain ? undefined : { answer: await requestGatewayPrint(db, services, job, printer) }
  const row = await findPrinterVendorAccountRow(db, printer.brand)
  if (row)
    return { work: { printer, maker, account: decryptPrinterVendorAccount(services, row) }, patch: { reason: null } }
  return failedAnswer(PRINT_FAILURE_TEXTS.noAccount)
}

async function sendPrint({ services, row: job, work }: Print): Promise<OutboundAnswer<PrintJob>> {
  const { printer, maker, account } = work
  const { sn, brand } = printer
  const answer = await callAndLogExternal(
    services,
    {
      tenantId: job.tenantId,
      system: 'printer',
      method: 'POST',
      url: account.endpoint || brand,
      request: { brand, sn, title: job.title, copies: job.copies },
    },
    () =>
      maker.print(account, {
        sn,
        pieces: layOutPrintParts(job.parts as PrintPart[], job.columns!),
        copies: job.copies!,
        label: labelSizeOfPrinter(printer),
        number: `${job.tenantId}-${job.id}`,
        expiresAt: parseShanghaiTime(job.expireTime!),
      }),
    (answer) => ({ bizCode: answer.isDone ? 'OK' : 'refused', response: answer }),
  )
  return answer.isDone
    ? {
        outcome: 'accepted',
        patch: { reason: null, makerNo: answer.makerNo, sentTime: formatShanghaiTime(services.now()) },
      }
    : { outcome: 'failed', patch: { reason: answer.reason.slice(0, 500) } }
}

/** Asks the vendor whether a job it took was printed. An expired one is cancelled. */
async function checkPrinted({ row: job, work, isOver }: Print): Promise<OutboundAnswer<PrintJob>> {
  const { printer, maker, account } = work
  const isPrinted = await maker.isPrinted(account, printer.sn, job.makerNo!).catch(stillSilent)
  if (isPrinted) return { outcome: 'done' }
  if (!isOver) return { outcome: 'accepted' }
  await maker.cancel?.(account, printer.sn, job.makerNo!)
  return { outcome: 'expired', patch: { reason: PRINT_FAILURE_TEXTS.tooLate } }
}

function stillSilent(error: unknown): false {
  if (error instanceof PrinterVendorUnreachableError) return false
  throw error
}

export const printCall = defineOutboundCall<PrintJob, PrintWork>({
  queue: 'print.send',
  checkQueue: 'print.ask',
  sweep: { queue: 'print.sweep', cron: '*/10 * * * *', crossTenantReason: 'prints of all tenants that nobody sends' },
  rows: callRowsOf(printJob, 'state'),
  fields: { state: 'state', reason: 'reason', doneTime: 'printedTime', expireTime: 'expireTime' },
  states: {
    queued: 'queued',
    sent: 'sending',
    accepted: 'sent',
    done: 'printed',
    failed: 'failed',
    unknown: 'unconfirmed',
    expired: 'expired',
  },
  prepare,
  send: sendPrint,
  check: checkPrinted,
  isRepeatable: (_job, { maker }) => maker.remembersNumbers,
  checkAfterS: [5, 15, 60, 300],
  texts: { unknown: PRINT_FAILURE_TEXTS.lost, expired: PRINT_FAILURE_TEXTS.tooLate },
  concurrency: 4,
  backoffSeconds: (attempt) => Math.min(RETRY_MAX_S, 5 * 2 ** attempt),
})

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
  await printCall.enqueue(db, job.id)
  publishRowsChanged({ db }, printJob, [job])
  return job
}

/** Queues a check of the job a vendor's report is about. The report itself is not trusted. */
export async function enqueuePrintOutcomeCheck(db: Db, makerNo: string): Promise<void> {
  const [job] = await db.find(printJob, sql`r.maker_no = ${makerNo} and r.state = 'sent'`)
  if (job) await printCall.enqueueCheck(db, job.id)
}
