import { Refused } from '#kit/server/base/refused.ts'
import { defineQueue } from '#kit/server/jobs/index.ts'
import { defineModuleJob, serve, type Call } from '#kit/server/module/module.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import type { Services } from '#kit/server/module/services.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import { resolveEvents } from '#domains/shops/shop-events/api.ts'
import { secretCipherOf } from '#domains/platform/files/api.ts'
import { callAndLogExternal } from '#domains/platform/logs/api.ts'
import { findPrinterVendorAccountRow, findPrinterVendor, decryptPrinterVendorAccount } from './accounts.ts'
import { printingDictionaries } from './dictionaries.ts'
import {
  PrinterVendorUnreachableError,
  type PrinterVendor,
  type PrinterVendorAccount,
  type PrinterVendorResult,
} from './vendor.ts'
import { enqueuePrintJob } from './print.job.ts'
import { columnsOfPrinter, type Printer } from './print.ts'
import { printerInfo } from './printer-info.resource.ts'
import { testPage } from './test-page.ts'
import './refusals.ts'

const printerVendorQueue = defineQueue<ToMaker>('printer.maker')

type ToMaker = { brand: string; sn: string; operation: 'add' | 'rename' | 'remove' }

const nameOfMaker = (brand: string, lang: Call['lang']): string =>
  printingDictionaries.find(({ code }) => code === 'print_maker')?.entries.find(({ key }) => key === brand)?.[lang] ??
  brand

const vendorOperations: Record<
  ToMaker['operation'],
  (maker: PrinterVendor, account: PrinterVendorAccount, printer: Printer, key: string) => Promise<PrinterVendorResult>
> = {
  add: (maker, account, { sn, name }, key) => maker.add(account, { sn, name, key }),
  rename: (maker, account, { sn, name }, key) => maker.rename(account, { sn, name, key }),
  remove: (maker, account, { sn }) => maker.remove(account, sn),
}

type PrinterRegistration = {
  services: Services
  account: PrinterVendorAccount
  printer: Printer
  operation: ToMaker['operation']
}

const callPrinterVendor = ({
  services,
  account,
  printer,
  operation,
}: PrinterRegistration): Promise<PrinterVendorResult> => {
  const { tenantId, brand, sn, name, printKey } = printer
  const key = printKey ? secretCipherOf(services).open(printKey) : ''
  return callAndLogExternal(
    services,
    { tenantId, system: 'printer', method: 'POST', url: account.endpoint || brand, request: { operation, sn, name } },
    () => vendorOperations[operation](findPrinterVendor(brand)!, account, printer, key),
    (answer) => ({ bizCode: answer.isDone ? 'OK' : 'refused', response: answer }),
  )
}

/**
 * Adds a new printer at its vendor within the transaction that inserts the row, so that a refusal leaves neither. If
 * the process dies after the vendor's answer, adding the printer again finds it there.
 */
async function register(row: Printer, call: Call): Promise<void> {
  const { db, services, lang, request } = call
  if (!findPrinterVendor(row.brand)) return
  const maker = nameOfMaker(row.brand, lang)
  const account = await findPrinterVendorAccountRow(db, row.brand)
  if (!account) throw new Refused('print_account_missing', { maker })
  // During an import, rows are tried out first, so the vendor is called by a job after the commit.
  if (!request.url) return later(db, row, 'add')
  let result: PrinterVendorResult
  try {
    result = await callPrinterVendor({
      services,
      account: decryptPrinterVendorAccount(services, account, db),
      printer: row,
      operation: 'add',
    })
  } catch (error) {
    if (error instanceof PrinterVendorUnreachableError) throw new Refused('printer_maker_silent', { maker })
    throw error
  }
  if (!result.isDone) throw new Refused('printer_refused', { maker, msg: result.reason })
}

const later = (db: Db, { brand, sn }: Printer, operation: ToMaker['operation']): Promise<void> =>
  db.enqueue(printerVendorQueue, { brand, sn, operation }, { key: `${brand}/${sn}/${operation}` })

export const printerInfoServer = serve(printerInfo, {
  beforeSave: (draft, was, call) => {
    if (draft.printKey) draft.printKey = secretCipherOf(call.services).seal(draft.printKey)
    // Never shown, so an empty one means unchanged.
    else if (was) delete draft.printKey
  },
  afterSave: async (row, was, call) => {
    if (!was) return register(row, call)
    if (!findPrinterVendor(row.brand)) return
    if (was.printKey !== row.printKey) await later(call.db, row, 'add')
    else if (was.name !== row.name) await later(call.db, row, 'rename')
  },
  afterRemove: async (rows, { db }) => {
    for (const row of rows) {
      if (findPrinterVendor(row.brand)) await later(db, row, 'remove')
      for (const type of ['offline', 'paperOut'] as const)
        await resolveEvents(db, { shopId: row.shopId, type, subject: `printer/${row.id}` })
    }
  },
  afterRestore: async (row, { db }) => {
    if (findPrinterVendor(row.brand)) await later(db, row, 'add')
  },
  actions: {
    testPrint: async (row, _input, { db, services, lang }) => {
      const now = services.now()
      const { title, parts } = testPage(row, columnsOfPrinter(row), now, lang)
      return { id: (await enqueuePrintJob(db, now, { printer: row, kind: 'test', title, parts, copies: 1 })).id }
    },
  },
})

/** Adds, renames or removes a printer at its vendor. The vendor's refusal is shown with the printer. */
export const syncPrinterWithVendorJob = defineModuleJob({
  queue: printerVendorQueue,
  run: async ({ brand, sn, operation }, { tenantId, services }) => {
    const isGone = operation === 'remove'
    const held = await services.unit({ tenantId }, async (db) => {
      const [printer] = await db.find(printerInfo, sql`r.brand = ${brand} and r.sn = ${sn}`)
      // The printer was added or removed again since, for which there is another job.
      if (isGone === (printer !== undefined)) return undefined
      const row = await findPrinterVendorAccountRow(db, brand)
      return (
        row && {
          account: decryptPrinterVendorAccount(services, row),
          printer: printer ?? ({ tenantId, brand, sn } as Printer),
        }
      )
    })
    if (!held) return
    const result = await callPrinterVendor({ services, operation, ...held })
    if (isGone) return
    await services.unit({ tenantId }, async (db) => {
      const note = result.isDone ? null : result.reason.slice(0, 300)
      publishRowsChanged({ db }, printerInfo, [await db.update(printerInfo, held.printer.id, { note })])
    })
  },
})
