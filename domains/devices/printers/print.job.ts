import { sql, type Db } from '#kit/server/database/db.ts'
import { defineModuleJob } from '#kit/server/module.ts'
import type { Services } from '#kit/server/services.ts'
import { parseShanghaiTime, formatShanghaiTime } from '#kit/server/time.ts'
import { callAndLogExternal } from '#domains/platform/logs/api.ts'
import { findPrinterVendorAccountRow, findPrinterVendor, decryptPrinterVendorAccount } from './accounts.ts'
import type { PrintJobState } from './dictionaries.ts'
import { completePrintJob, transitionPrintJob, PRINT_FAILURE_TEXTS } from './job-state.ts'
import { printThroughGateway } from './local.ts'
import {
  PrinterVendorUnreachableError,
  type PrinterVendor,
  type PrinterVendorAccount,
  type PrinterVendorPrintResult,
} from './vendor.ts'
import { printJob } from './print-job.resource.ts'
import { labelSizeOfPrinter, PRINT_SEND_QUEUE, type Printer, type PrintJob } from './print.ts'
import { printerInfo } from './printer-info.resource.ts'
import { layOutPrintParts, type PrintPart } from './receipt.ts'

const ASK_QUEUE = 'print.ask'

/**
 * Seconds after which the vendor is asked whether a job was printed. The last interval repeats until the job expires.
 */
const ASK_AFTER_S = [5, 15, 60, 300]
const RETRY_MAX_S = 300

type ClaimedPrintJob = { job: PrintJob; printer: Printer } & (
  | { maker: PrinterVendor; account: PrinterVendorAccount }
  | { maker?: undefined; account?: undefined }
)

const isOver = ({ expireTime }: PrintJob, { now }: Services) => parseShanghaiTime(expireTime!) <= now()

/** Claims a job for sending. Returns undefined when there is nothing to send any more. */
async function claimPrintJob(db: Db, services: Services, id: string): Promise<ClaimedPrintJob | undefined> {
  const job = await db.get(printJob, id, 'forUpdate')
  if (job?.state !== 'queued' && job?.state !== 'sending') return undefined
  const end = async (state: PrintJobState, reason: string) =>
    void (await transitionPrintJob(db, id, ['queued', 'sending'], { state, reason }))
  const printer = await db.get(printerInfo, job.printerId!)
  if (!printer) return end('failed', PRINT_FAILURE_TEXTS.noPrinter)
  const maker = findPrinterVendor(printer.brand)
  // An earlier attempt never ended. It may have been killed while the vendor was answering.
  if (job.state === 'sending' && maker && !maker.remembersNumbers) return end('unconfirmed', PRINT_FAILURE_TEXTS.lost)
  if (isOver(job, services)) return end('expired', PRINT_FAILURE_TEXTS.tooLate)
  // The state `sending` is stored before the request.
  if (!maker) return { job, printer }
  const row = await findPrinterVendorAccountRow(db, printer.brand)
  if (!row) return end('failed', PRINT_FAILURE_TEXTS.noAccount)
  await transitionPrintJob(db, id, ['queued', 'sending'], { state: 'sending', reason: null })
  return { job, printer, maker, account: decryptPrinterVendorAccount(services, row) }
}

const sendToVendor = (
  services: Services,
  { job, printer, maker, account }: Extract<ClaimedPrintJob, { maker: PrinterVendor }>,
): Promise<PrinterVendorPrintResult> => {
  const { sn, brand } = printer
  return callAndLogExternal(
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
}

const later = (db: Db, { now }: Services, id: string, step: number) => {
  const seconds = ASK_AFTER_S[step] ?? ASK_AFTER_S.at(-1)!
  return db.enqueue(
    ASK_QUEUE,
    { id, step },
    { key: `${id}/${step}`, runAt: new Date(now().getTime() + seconds * 1000) },
  )
}

/**
 * Handles a request without an answer. Sends again when nothing was sent or the vendor recognises the job's number;
 * otherwise only a person can see whether it was printed.
 */
async function unanswered(
  services: Services,
  { job, maker }: ClaimedPrintJob,
  silent: PrinterVendorUnreachableError,
): Promise<void> {
  const state = silent.isUnsent ? 'queued' : maker!.remembersNumbers ? 'sending' : 'unconfirmed'
  await services.unit({ tenantId: job.tenantId }, (db) =>
    transitionPrintJob(db, job.id, ['sending'], {
      state,
      reason: state === 'unconfirmed' ? PRINT_FAILURE_TEXTS.lost : null,
    }),
  )
  if (state !== 'unconfirmed') throw silent
}

export const sendToPrinterJob = defineModuleJob<{ id: string }>({
  queue: PRINT_SEND_QUEUE,
  concurrency: 4,
  backoffSeconds: (attempt) => Math.min(RETRY_MAX_S, 5 * 2 ** attempt),
  run: async ({ id }, { tenantId, services }) => {
    const held = await services.unit({ tenantId }, (db) => claimPrintJob(db, services, id))
    if (!held) return
    if (!held.maker) return printThroughGateway(services, held.job, held.printer)
    let answer: PrinterVendorPrintResult
    try {
      answer = await sendToVendor(services, held)
    } catch (error) {
      if (!(error instanceof PrinterVendorUnreachableError)) throw error
      return unanswered(services, held, error)
    }
    const sentTime = formatShanghaiTime(services.now())
    await services.unit({ tenantId }, async (db) => {
      // A job somebody marked as unconfirmed in the meantime moves on too.
      const from = ['sending', 'unconfirmed'] as const
      if (!answer.isDone)
        return transitionPrintJob(db, id, from, { state: 'failed', reason: answer.reason.slice(0, 500) })
      if (await transitionPrintJob(db, id, from, { state: 'sent', reason: null, makerNo: answer.makerNo, sentTime }))
        await later(db, services, id, 0)
    })
  },
})

/**
 * Asks the vendor whether a job was printed, at intervals and after a report of the vendor. An expired job is
 * cancelled.
 */
export const checkPrintOutcomeJob = defineModuleJob<{ id: string; step?: number }>({
  queue: ASK_QUEUE,
  concurrency: 4,
  run: async ({ id, step }, { tenantId, services }) => {
    const held = await services.unit({ tenantId }, async (db) => {
      const job = await db.get(printJob, id)
      if (job?.state !== 'sent' || !job.makerNo) return undefined
      const printer = await db.get(printerInfo, job.printerId!)
      const row = printer && (await findPrinterVendorAccountRow(db, printer.brand))
      return { job, printer, account: row && decryptPrinterVendorAccount(services, row) }
    })
    if (!held) return
    const { job, printer, account } = held
    const maker = printer && findPrinterVendor(printer.brand)
    const isOut = maker && account && (await maker.isPrinted(account, printer.sn, job.makerNo!).catch(stillSilent))
    if (isOut) return void (await services.unit({ tenantId }, (db) => completePrintJob(db, services, id)))
    if (isOver(job, services)) {
      if (maker && account) await maker.cancel?.(account, printer.sn, job.makerNo!)
      const end = { state: 'expired', reason: PRINT_FAILURE_TEXTS.tooLate } as const
      return void (await services.unit({ tenantId }, (db) => transitionPrintJob(db, id, ['sent'], end)))
    }
    // A check that a report triggered does not schedule the next one.
    if (step !== undefined) await services.unit({ tenantId }, (db) => later(db, services, id, step + 1))
  },
})

function stillSilent(error: unknown): false {
  if (error instanceof PrinterVendorUnreachableError) return false
  throw error
}

/** Queues a check of the job a vendor's report is about. The report itself is not trusted. */
export async function enqueuePrintOutcomeCheck(db: Db, makerNo: string): Promise<void> {
  const [job] = await db.find(printJob, sql`r.maker_no = ${makerNo} and r.state = 'sent'`)
  if (job) await db.enqueue(ASK_QUEUE, { id: job.id }, { key: `${job.id}/reported` })
}
