import { sql, type Db } from '#kit/server/database/db.ts'
import { defineQueue } from '#kit/server/jobs/index.ts'
import { defineModuleJob } from '#kit/server/module/module.ts'
import type { Services } from '#kit/server/module/services.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { raiseEvent, updateOpenEvent, resolveEvents } from '#domains/shops/shop-events/api.ts'
import { findPrinterVendorAccountRow, findPrinterVendor, decryptPrinterVendorAccount } from './accounts.ts'
import { PRINTER_STATE, type PrinterState } from './dictionaries.ts'
import { PrinterVendorUnreachableError } from './vendor.ts'
import type { Printer } from './print.ts'
import { printerInfo } from './printer-info.resource.ts'

export const printerCheckQueue = defineQueue('printer.look', { maxAttempts: 1 })

type Trouble = { type: 'offline' | 'paperOut'; zh: string; en: string }
const TROUBLES: Readonly<Partial<Record<PrinterState, Trouble>>> = {
  [PRINTER_STATE.offline]: { type: 'offline', zh: '离线', en: 'is offline' },
  [PRINTER_STATE.trouble]: {
    type: 'paperOut',
    zh: '报告异常，多半是缺纸',
    en: 'reports an error, usually out of paper',
  },
  [PRINTER_STATE.noPaper]: { type: 'paperOut', zh: '缺纸', en: 'is out of paper' },
}

/** Stores a printer's state. When it changes, raises or updates the shop's event and resolves the previous one. */
export async function savePrinterState(db: Db, printer: Printer, status: PrinterState, now: Date): Promise<void> {
  const was = printer.status as PrinterState
  const row = await db.update(printerInfo, printer.id, { status, statusTime: formatShanghaiTime(now) })
  if (was === status) return
  publishRowsChanged({ db }, printerInfo, [row])
  const about = { shopId: printer.shopId, subject: `printer/${printer.id}` }
  const [before, after] = [TROUBLES[was], TROUBLES[status]]
  if (before && before.type !== after?.type) await resolveEvents(db, { ...about, type: before.type })
  if (!after) return
  const { type, zh, en } = after
  const content = { zh: `打印机“${printer.name}”${zh}`, en: `Printer "${printer.name}" ${en}` }
  if (before?.type === type) await updateOpenEvent(db, { ...about, type }, content)
  else await raiseEvent(db, { ...about, type, content })
}

/** Asks the vendors for the state of the tenant's printers. */
async function lookAtPrinters(services: Services, tenantId: string): Promise<void> {
  const { printers, accounts } = await services.unit({ tenantId }, async (db) => {
    const found = await db.find(printerInfo, sql`r.brand <> 'escpos'`, sql`order by r.id`)
    const brands = [...new Set(found.map(({ brand }) => brand))]
    const rows = await Promise.all(brands.map((brand) => findPrinterVendorAccountRow(db, brand)))
    return { printers: found, accounts: rows.filter((row) => row !== undefined) }
  })
  for (const row of accounts) {
    const own = printers.filter(({ brand }) => brand === row.brand)
    const sns = own.map(({ sn }) => sn)
    const states = await findPrinterVendor(row.brand)!
      .states(decryptPrinterVendorAccount(services, row), sns)
      .catch((error: unknown) => {
        if (error instanceof PrinterVendorUnreachableError) return new Map<string, PrinterState>()
        throw error
      })
    await services.unit({ tenantId }, async (db) => {
      for (const { id, sn } of own) {
        const status = states.get(sn)
        const printer = status === undefined ? undefined : await db.get(printerInfo, id, 'forUpdate')
        if (printer) await savePrinterState(db, printer, status!, services.now())
      }
    })
  }
}

export const checkTenantPrintersJob = defineModuleJob({
  queue: printerCheckQueue,
  run: (_payload, { tenantId, services }) => lookAtPrinters(services, tenantId),
})

/** Queues a check for each tenant, so that a vendor that hangs delays only its own. */
export const enqueuePrinterChecksJob = defineModuleJob({
  queue: defineQueue('printer.look-at-all'),
  cron: '* * * * *',
  concurrency: 1,
  run: (_payload, { services }) =>
    services.unit({ crossTenantReason: 'tenants that have printers at a maker' }, async (all) => {
      const tenants = await all.query<{ tenantId: string }>(
        sql`select distinct tenant_id from print_account where enabled and is_deleted = 0`,
      )
      for (const { tenantId } of tenants)
        await all.asTenant(tenantId, (db) => db.enqueue(printerCheckQueue, {}, { key: 'look' }))
    }),
})
