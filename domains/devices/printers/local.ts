import { sql, type Db } from '#kit/server/database/db.ts'
import type { Services } from '#kit/server/services.ts'
import { shanghaiText } from '#kit/server/time.ts'
import { requestCommand, defineCommand, gatewayOf, onDeviceEvent } from '#domains/devices/device-messaging/api.ts'
import type { Command } from '#domains/devices/device-messaging/api.ts'
import { PRINTER, type PrinterState } from './dictionaries.ts'
import { escposBytes } from './escpos.ts'
import { completePrintJob, transitionPrintJob, FAILURE_REASONS } from './job-state.ts'
import { columnsOfPrinter, WORTH_MS, type Printer, type PrintJob } from './print.ts'
import { printJob } from './print-job.resource.ts'
import { noteState } from './printer-status.job.ts'
import { printerInfo } from './printer-info.resource.ts'
import { layOut, type Part } from './receipt.ts'

type Raw = { printer: string; data: string; jobId: string }

/** A message to a device holds 64 KiB, of which bytes in letters take four thirds. */
const BYTES_MAX = 45_000

/** Whether a paper is no more than one message to a gateway holds. */
export const fitsLocally = (parts: readonly Part[], printer: Printer, copies = printer.copies ?? 1): boolean =>
  escposBytes(layOut(parts, columnsOfPrinter(printer)), copies).length <= BYTES_MAX

/** Bytes for a printer beside the gateway, which knows it by its number there. */
const printRaw = defineCommand<Raw>({
  method: 'print.raw',
  label: { zh: '打印', en: 'Print' },
  summary: ({ printer }) => ({ zh: `在 ${printer} 打印`, en: `Print on ${printer}` }),
  ackTimeoutMs: 10_000,
  completionTimeoutMs: 60_000,
  lifeMs: WORTH_MS,
  offline: 'wait',
  ended: applyCommandResult,
})

async function applyCommandResult(db: Db, command: Command, services: Services): Promise<void> {
  const { jobId } = command.params as Raw
  const job = await db.get(printJob, jobId)
  const printer = job && (await db.get(printerInfo, job.printerId!))
  const said = (command.result as { state?: unknown } | null)?.state
  const from = ['queued', 'sent', 'unconfirmed'] as const
  if (command.state === 'unknown')
    return void (await transitionPrintJob(db, jobId, from, { state: 'unconfirmed', reason: FAILURE_REASONS.lost }))
  if (command.state === 'expired')
    return void (await transitionPrintJob(db, jobId, from, { state: 'expired', reason: FAILURE_REASONS.tooLate }))
  if (command.state === 'canceled')
    return void (await transitionPrintJob(db, jobId, from, { state: 'failed', reason: FAILURE_REASONS.otherGateway }))
  const isPrinted = command.state === 'done' && said === 'printed'
  if (isPrinted) await completePrintJob(db, services, jobId)
  else {
    const reason =
      said === 'paperOut' ? FAILURE_REASONS.noPaper : (command.message ?? String(said ?? command.code ?? ''))
    await transitionPrintJob(db, jobId, from, { state: 'failed', reason: reason.slice(0, 500) })
  }
  if (printer && (isPrinted || said === 'paperOut'))
    await noteState(db, printer, isPrinted ? PRINTER.ready : PRINTER.noPaper, services.now())
}

/** Gives a job to the gateway of the shop, under one number however often it is given. */
export const printLocally = (services: Services, job: PrintJob, printer: Printer): Promise<void> =>
  services.unit({ tenantId: job.tenantId }, async (db) => {
    const fail = (reason: string) => transitionPrintJob(db, job.id, ['queued'], { state: 'failed', reason })
    const gateway = await gatewayOf(db, printer.shopId)
    if (!gateway) return void (await fail(FAILURE_REASONS.noGateway))
    const bytes = escposBytes(layOut(job.parts as Part[], job.columns!), job.copies!)
    if (bytes.length > BYTES_MAX) return void (await fail(FAILURE_REASONS.tooLong))
    const params = { printer: printer.sn, data: bytes.toString('base64'), jobId: job.id }
    const asked = { source: 'system', userId: job.createUser, key: `print/${job.id}` } as const
    const command = await requestCommand({ db, services }, printRaw, gateway, params, asked)
    if (command.state === 'refused') return void (await fail(command.message ?? ''))
    const sentTime = shanghaiText(services.now())
    await transitionPrintJob(db, job.id, ['queued'], { state: 'sent', makerNo: command.id, sentTime })
  })

const STATES: Record<string, PrinterState> = {
  ready: PRINTER.ready,
  paperOut: PRINTER.noPaper,
  offline: PRINTER.offline,
  fault: PRINTER.trouble,
}

onDeviceEvent('printer.state', async ({ db, link, data, at }) => {
  if (link.kind !== 'gateway') return
  const status = STATES[String(data.state)]
  const [printer] = await db.find(
    printerInfo,
    sql`r.brand = 'escpos' and r.shop_id = ${link.shopId} and r.sn = ${String(data.printer)}`,
  )
  if (printer && status !== undefined) await noteState(db, printer, status, at)
})
