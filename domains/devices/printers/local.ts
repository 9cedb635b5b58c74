import { sql, type Db } from '#kit/server/database/db.ts'
import type { OutboundAnswer } from '#kit/server/outbox/index.ts'
import type { Services } from '#kit/server/module/services.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import {
  requestCommand,
  defineCommand,
  findGatewayOfShop,
  onDeviceEvent,
  type DeviceCommand,
} from '#domains/devices/device-messaging/api.ts'
import { PRINTER_STATE, type PrinterState } from './dictionaries.ts'
import { escposBytes } from './escpos.ts'
import { completePrintJob, transitionPrintJob, PRINT_FAILURE_TEXTS } from './job-state.ts'
import { columnsOfPrinter, PRINT_JOB_LIFETIME_MS, type Printer, type PrintJob } from './print.ts'
import { printJob } from './print-job.resource.ts'
import { savePrinterState } from './printer-status.job.ts'
import { printerInfo } from './printer-info.resource.ts'
import { layOutPrintParts, type PrintPart } from './receipt.ts'

type Raw = { printer: string; data: string; jobId: string }

/** Largest print data in bytes: a device message holds 64 KiB, and base64 adds a third. */
const BYTES_MAX = 45_000

/** Returns whether the print data fits into one message to a gateway. */
export const fitsInGatewayMessage = (
  parts: readonly PrintPart[],
  printer: Printer,
  copies = printer.copies ?? 1,
): boolean => escposBytes(layOutPrintParts(parts, columnsOfPrinter(printer)), copies).length <= BYTES_MAX

/** Prints raw bytes on a printer attached to the gateway, which knows it by its serial number. */
const printRaw = defineCommand<Raw>({
  method: 'print.raw',
  label: { zh: '打印', en: 'Print' },
  summary: ({ printer }) => ({ zh: `在 ${printer} 打印`, en: `Print on ${printer}` }),
  ackTimeoutMs: 10_000,
  completionTimeoutMs: 60_000,
  lifeMs: PRINT_JOB_LIFETIME_MS,
  offline: 'wait',
  ended: applyCommandResult,
})

async function applyCommandResult(db: Db, command: DeviceCommand, services: Services): Promise<void> {
  const { jobId } = command.params as Raw
  const job = await db.get(printJob, jobId)
  const printer = job && (await db.get(printerInfo, job.printerId!))
  const reportedState = (command.result as { state?: unknown } | null)?.state
  const from = ['queued', 'sent', 'unconfirmed'] as const
  if (command.state === 'unknown')
    return void (await transitionPrintJob(db, jobId, from, { state: 'unconfirmed', reason: PRINT_FAILURE_TEXTS.lost }))
  if (command.state === 'expired')
    return void (await transitionPrintJob(db, jobId, from, { state: 'expired', reason: PRINT_FAILURE_TEXTS.tooLate }))
  if (command.state === 'canceled')
    return void (await transitionPrintJob(db, jobId, from, {
      state: 'failed',
      reason: PRINT_FAILURE_TEXTS.otherGateway,
    }))
  const isPrinted = command.state === 'done' && reportedState === 'printed'
  if (isPrinted) await completePrintJob(db, services, jobId)
  else {
    const reason =
      reportedState === 'paperOut'
        ? PRINT_FAILURE_TEXTS.noPaper
        : (command.message ?? String(reportedState ?? command.code ?? ''))
    await transitionPrintJob(db, jobId, from, { state: 'failed', reason: reason.slice(0, 500) })
  }
  if (printer && (isPrinted || reportedState === 'paperOut'))
    await savePrinterState(db, printer, isPrinted ? PRINTER_STATE.ready : PRINTER_STATE.noPaper, services.now())
}

/** Asks the shop's gateway to print a job. The job's id is the idempotency key, so it is printed once. */
export async function requestGatewayPrint(
  db: Db,
  services: Services,
  job: PrintJob,
  printer: Printer,
): Promise<OutboundAnswer<PrintJob>> {
  const fail = (reason: string) => ({ outcome: 'failed', patch: { reason } }) as const
  const gateway = await findGatewayOfShop(db, printer.shopId)
  if (!gateway) return fail(PRINT_FAILURE_TEXTS.noGateway)
  const bytes = escposBytes(layOutPrintParts(job.parts as PrintPart[], job.columns!), job.copies!)
  if (bytes.length > BYTES_MAX) return fail(PRINT_FAILURE_TEXTS.tooLong)
  const params = { printer: printer.sn, data: bytes.toString('base64'), jobId: job.id }
  const origin = { source: 'system', userId: job.createUser, key: `print/${job.id}` } as const
  const command = await requestCommand({ db, services }, printRaw, gateway, params, origin)
  if (command.state === 'refused') return fail(command.message ?? '')
  return { outcome: 'accepted', patch: { makerNo: command.id, sentTime: formatShanghaiTime(services.now()) } }
}

const STATES: Record<string, PrinterState> = {
  ready: PRINTER_STATE.ready,
  paperOut: PRINTER_STATE.noPaper,
  offline: PRINTER_STATE.offline,
  fault: PRINTER_STATE.trouble,
}

onDeviceEvent('printer.state', async ({ db, link, data, at }) => {
  if (link.kind !== 'gateway') return
  const status = STATES[String(data.state)]
  const [printer] = await db.find(
    printerInfo,
    sql`r.brand = 'escpos' and r.shop_id = ${link.shopId} and r.sn = ${String(data.printer)}`,
  )
  if (printer && status !== undefined) await savePrinterState(db, printer, status, at)
})
