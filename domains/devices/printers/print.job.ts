import { sql, type Db } from '#kit/server/database/db.ts'
import { defineModuleJob } from '#kit/server/module.ts'
import type { Services } from '#kit/server/services.ts'
import { fromShanghai, shanghaiText } from '#kit/server/time.ts'
import { loggedRequest } from '#domains/platform/logs/api.ts'
import { accountRow, makerOf, opened } from './accounts.ts'
import type { JobState } from './dictionaries.ts'
import { completePrintJob, transitionPrintJob, FAILURE_REASONS } from './job-state.ts'
import { printLocally } from './local.ts'
import {
  PrinterVendorUnreachableError,
  type PrinterVendor,
  type PrinterVendorAccount,
  type PrintAccepted,
} from './vendor.ts'
import { printJob } from './print-job.resource.ts'
import { labelOf, SEND_QUEUE, type Printer, type PrintJob } from './print.ts'
import { printerInfo } from './printer-info.resource.ts'
import { layOut, type Part } from './receipt.ts'

const ASK_QUEUE = 'print.ask'

/** After how long the maker is asked what became of it; then again and again until it is worth nothing any more. */
const ASK_AFTER_S = [5, 15, 60, 300]
const RETRY_MAX_S = 300

type ClaimedPrintJob = { job: PrintJob; printer: Printer } & (
  | { maker: PrinterVendor; account: PrinterVendorAccount }
  | { maker?: undefined; account?: undefined }
)

const isOver = ({ expireTime }: PrintJob, { now }: Services) => fromShanghai(expireTime!) <= now()

/** Takes a job for one sender; undefined when there is nothing left to send. */
async function claimPrintJob(db: Db, services: Services, id: string): Promise<ClaimedPrintJob | undefined> {
  const job = await db.get(printJob, id, 'forUpdate')
  if (job?.state !== 'queued' && job?.state !== 'sending') return undefined
  const end = async (state: JobState, reason: string) =>
    void (await transitionPrintJob(db, id, ['queued', 'sending'], { state, reason }))
  const printer = await db.get(printerInfo, job.printerId!)
  if (!printer) return end('failed', FAILURE_REASONS.noPrinter)
  const maker = makerOf(printer.brand)
  // Whoever began to send it never came back: killed, perhaps, with the maker's answer on the way.
  if (job.state === 'sending' && maker && !maker.remembersNumbers) return end('unconfirmed', FAILURE_REASONS.lost)
  if (isOver(job, services)) return end('expired', FAILURE_REASONS.tooLate)
  // Written down before it is done.
  if (!maker) return { job, printer }
  const row = await accountRow(db, printer.brand)
  if (!row) return end('failed', FAILURE_REASONS.noAccount)
  await transitionPrintJob(db, id, ['queued', 'sending'], { state: 'sending', reason: null })
  return { job, printer, maker, account: opened(services, row) }
}

const send = (
  services: Services,
  { job, printer, maker, account }: Extract<ClaimedPrintJob, { maker: PrinterVendor }>,
): Promise<PrintAccepted> => {
  const { sn, brand } = printer
  return loggedRequest(
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
        pieces: layOut(job.parts as Part[], job.columns!),
        copies: job.copies!,
        label: labelOf(printer),
        number: `${job.tenantId}-${job.id}`,
        expiresAt: fromShanghai(job.expireTime!),
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

/** It may have been taken; a maker that knows our number is asked again, of another only a person can tell. */
async function unanswered(
  services: Services,
  { job, maker }: ClaimedPrintJob,
  silent: PrinterVendorUnreachableError,
): Promise<void> {
  const state = silent.isUnsent ? 'queued' : maker!.remembersNumbers ? 'sending' : 'unconfirmed'
  await services.unit({ tenantId: job.tenantId }, (db) =>
    transitionPrintJob(db, job.id, ['sending'], {
      state,
      reason: state === 'unconfirmed' ? FAILURE_REASONS.lost : null,
    }),
  )
  if (state !== 'unconfirmed') throw silent
}

export const sendJob = defineModuleJob<{ id: string }>({
  queue: SEND_QUEUE,
  concurrency: 4,
  backoffSeconds: (attempt) => Math.min(RETRY_MAX_S, 5 * 2 ** attempt),
  run: async ({ id }, { tenantId, services }) => {
    const held = await services.unit({ tenantId }, (db) => claimPrintJob(db, services, id))
    if (!held) return
    if (!held.maker) return printLocally(services, held.job, held.printer)
    let answer: PrintAccepted
    try {
      answer = await send(services, held)
    } catch (error) {
      if (!(error instanceof PrinterVendorUnreachableError)) throw error
      return unanswered(services, held, error)
    }
    const sentTime = shanghaiText(services.now())
    await services.unit({ tenantId }, async (db) => {
      // Also where somebody gave it up as lost meanwhile.
      const from = ['sending', 'unconfirmed'] as const
      if (!answer.isDone)
        return transitionPrintJob(db, id, from, { state: 'failed', reason: answer.reason.slice(0, 500) })
      if (await transitionPrintJob(db, id, from, { state: 'sent', reason: null, makerNo: answer.makerNo, sentTime }))
        await later(db, services, id, 0)
    })
  },
})

/** What became of a job that was sent: asked of the maker by the clock, and when it reports. */
export const askJob = defineModuleJob<{ id: string; step?: number }>({
  queue: ASK_QUEUE,
  concurrency: 4,
  run: async ({ id, step }, { tenantId, services }) => {
    const held = await services.unit({ tenantId }, async (db) => {
      const job = await db.get(printJob, id)
      if (job?.state !== 'sent' || !job.makerNo) return undefined
      const printer = await db.get(printerInfo, job.printerId!)
      const row = printer && (await accountRow(db, printer.brand))
      return { job, printer, account: row && opened(services, row) }
    })
    if (!held) return
    const { job, printer, account } = held
    const maker = printer && makerOf(printer.brand)
    const isOut = maker && account && (await maker.isPrinted(account, printer.sn, job.makerNo!).catch(stillSilent))
    if (isOut) return void (await services.unit({ tenantId }, (db) => completePrintJob(db, services, id)))
    if (isOver(job, services)) {
      if (maker && account) await maker.cancel?.(account, printer.sn, job.makerNo!)
      const end = { state: 'expired', reason: FAILURE_REASONS.tooLate } as const
      return void (await services.unit({ tenantId }, (db) => transitionPrintJob(db, id, ['sent'], end)))
    }
    // What a report asked for stands beside the clock's own questions.
    if (step !== undefined) await services.unit({ tenantId }, (db) => later(db, services, id, step + 1))
  },
})

function stillSilent(error: unknown): false {
  if (error instanceof PrinterVendorUnreachableError) return false
  throw error
}

/** A report about one of the maker's orders: what it says is asked of the maker itself. */
export async function askAbout(db: Db, makerNo: string): Promise<void> {
  const [job] = await db.find(printJob, sql`r.maker_no = ${makerNo} and r.state = 'sent'`)
  if (job) await db.enqueue(ASK_QUEUE, { id: job.id }, { key: `${job.id}/reported` })
}
