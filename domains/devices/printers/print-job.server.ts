import { f } from '#kit/resource/index.ts'
import { textSchema } from '#kit/resource/response-schema.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { defineRoute, serve } from '#kit/server/module/module.ts'
import { translateSystemTextField } from '#kit/server/base/system-words.ts'
import { findPrinterVendor, decryptPrinterVendorAccount } from './accounts.ts'
import { printAccount } from './print-account.resource.ts'
import { enqueuePrintJob, enqueuePrintOutcomeCheck } from './print.job.ts'
import { printJob } from './print-job.resource.ts'
import { printerCheckQueue } from './printer-status.job.ts'
import { printerInfo } from './printer-info.resource.ts'
import type { PrintPart } from './receipt.ts'

export const printJobServer = serve(printJob, {
  without: ['submit', 'remove'],
  present: (wire, _rows, { lang }) => translateSystemTextField(wire, 'reason', lang),
  actions: {
    reprint: async (job, _input, { db, services }) => {
      const printer = await db.get(printerInfo, job.printerId!)
      if (!printer) throw new Refused('not_found', { label: printerInfo.label })
      const again = await enqueuePrintJob(db, services.now(), {
        printer,
        kind: job.kind as 'receipt',
        title: job.title!,
        parts: job.parts as PrintPart[],
        copies: job.copies!,
        orderId: job.orderId ?? undefined,
        reprintOf: job.id,
      })
      return { id: again.id }
    },
  },
})

const textOf = (given: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries((given ?? {}) as Record<string, unknown>).flatMap(([key, value]) =>
      typeof value === 'string' || typeof value === 'number' ? [[key, String(value)]] : [],
    ),
  )

/**
 * Receives a vendor's report. Not all vendors sign the contents, so a report only triggers a query of the vendor, whose
 * answer counts. Repeated reports trigger one query.
 */
export const printerVendorCallbackRoute = defineRoute({
  method: 'POST',
  path: `${printJob.path}/report`,
  answers: textSchema,
  answersAs: { type: '*/*' },
  title: { zh: '打印平台回调', en: 'Printer vendor callback' },
  can: { open: 'makers of printers sign what they report' },
  tx: false,
  rawResponse: true,
  perMinute: 600,
  documentedInput: { account: f.text({ label: printAccount.label, required: true, max: 40 }) },
  handle: async ({ query, body, services, reply }) => {
    const [, tenantId, id] = /^(\d{6,12})-(\d{1,19})$/.exec(query.account ?? '') ?? []
    const row =
      tenantId === undefined ? undefined : await services.unit({ tenantId }, (db) => db.get(printAccount, id!))
    const maker = row?.enabled && findPrinterVendor(row.brand)
    const report = maker && maker.reportOf(decryptPrinterVendorAccount(services, row), textOf(body))
    if (!report) throw new Refused('forbidden')
    await services.unit({ tenantId: tenantId! }, async (db) => {
      if (report.makerNo) await enqueuePrintOutcomeCheck(db, report.makerNo)
      else await db.enqueue(printerCheckQueue, {}, { key: 'look' })
    })
    const type = maker.thanks.startsWith('{') ? 'application/json' : 'text/plain'
    return reply({ headers: { 'content-type': `${type}; charset=utf-8` }, body: maker.thanks })
  },
})
