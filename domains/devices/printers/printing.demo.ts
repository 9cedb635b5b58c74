import { sql, type Db } from '#kit/server/database/db.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import type { Services } from '#kit/server/module/services.ts'
import { goodInfo } from '#domains/catalogue/products/index.ts'
import { secretCipherOf } from '#domains/platform/files/api.ts'
import { shoppingOrder, shoppingOrderDetail } from '#domains/sales/orders/index.ts'
import { basicShopInfo } from '#domains/shops/shops/index.ts'
import type { StorySeedContext } from '#domains/shops/shops/api.ts'
import { PRINTER_VENDORS, type PrintJobState } from './dictionaries.ts'
import { createGoodLabel } from './good-labels.ts'
import { PRINT_FAILURE_TEXTS } from './job-state.ts'
import type { PrinterVendorName } from './vendor.ts'
import { createReceipt } from './order-receipt.ts'
import { printAccount } from './print-account.resource.ts'
import { printJob } from './print-job.resource.ts'
import { columnsOfPrinter, type Printer } from './print.ts'
import { printerInfo } from './printer-info.resource.ts'
import type { PrintPart } from './receipt.ts'

const MINUTE_MS = 60_000
const BRANDS = ['xpyun', 'feie', 'yilianyun'] as const

/** Creates printers and recent print jobs of the demo shops. */
export async function seed(db: Db, { now, shops }: StorySeedContext): Promise<void> {
  const at = (minutes: number) => formatShanghaiTime(new Date(now.getTime() - minutes * MINUTE_MS))
  const silent = new Set(
    (
      await db.query<{ id: string }>(
        sql`select id from basic_shop_info where tenant_id = ${db.tenantId}
          and coalesce(last_seen_time, '-infinity') < ${at(60)}::timestamptz`,
      )
    ).map(({ id }) => id),
  )
  for (const [n, { shopId, code }] of shops.entries()) {
    const isSilent = silent.has(shopId)
    const printer = await db.insert(printerInfo, {
      name: '小票打印机',
      shopId,
      brand: BRANDS[n % BRANDS.length]!,
      sn: `9${code.replace(/\D/g, '')}70${n}01`,
      paperWidth: 58,
      usage: 'receipt',
      autoPrint: n === 0,
      copies: 1,
      status: isSilent ? 0 : 1,
      statusTime: at(1),
    })
    await seedReceipts(db, printer, isSilent ? [] : ['printed', 'printed', n === 1 ? 'unconfirmed' : 'printed'], now)
    if (n === 0) await seedLabels(db, shopId, now)
  }
}

const past = (now: Date, minutes: number) => new Date(now.getTime() - minutes * MINUTE_MS)

type DemoPrintJob = {
  printer: Printer
  kind: string
  title: string
  parts: PrintPart[]
  orderId?: string
  state: PrintJobState
  at: Date
}

const seedPrintJob = (db: Db, { printer, at, state, ...rest }: DemoPrintJob) =>
  db.withTimestamp(at, (then) =>
    then.insert(printJob, {
      ...rest,
      state,
      printerId: printer.id,
      shopId: printer.shopId,
      copies: 1,
      columns: columnsOfPrinter(printer),
      reason: state === 'unconfirmed' ? PRINT_FAILURE_TEXTS.lost : null,
      expireTime: formatShanghaiTime(new Date(at.getTime() + 60 * MINUTE_MS)),
      sentTime: formatShanghaiTime(at),
      printedTime: state === 'printed' ? formatShanghaiTime(new Date(at.getTime() + 4000)) : null,
    }),
  )

async function seedReceipts(db: Db, printer: Printer, states: readonly PrintJobState[], now: Date): Promise<void> {
  if (!states.length) return
  const shop = await db.get(basicShopInfo, printer.shopId)
  const orders = await db.find(
    shoppingOrder,
    sql`r.shop_id = ${printer.shopId} and r.pay_time is not null and r.status = 2`,
    sql`order by r.pay_time desc limit ${states.length}`,
  )
  for (const [n, order] of orders.entries()) {
    const lines = await db.find(shoppingOrderDetail, sql`r.order_id = ${order.id}`, sql`order by r.sort, r.id`)
    await seedPrintJob(db, {
      printer,
      kind: 'receipt',
      title: `小票 ${order.orderNo!}`,
      parts: createReceipt(order, lines, shop?.shopName ?? '', { lang: 'zh' }),
      orderId: order.id,
      state: states[n]!,
      at: past(now, 12 + n * 17),
    })
  }
}

async function seedLabels(db: Db, shopId: string, now: Date): Promise<void> {
  const printer = await db.insert(printerInfo, {
    name: '标签打印机',
    shopId,
    brand: 'feie',
    sn: `92${shopId.slice(-7)}`,
    paperWidth: 58,
    usage: 'label',
    labelSize: '40x30',
    copies: 1,
    status: 3,
    statusTime: formatShanghaiTime(past(now, 1)),
  })
  const goods = await db.find(goodInfo, sql`r.shop_id = ${shopId} and r.on_sale`, sql`order by r.id limit 3`)
  for (const [n, good] of goods.entries())
    await seedPrintJob(db, {
      printer,
      kind: 'label',
      title: good.name,
      parts: createGoodLabel(good),
      state: 'printed',
      at: past(now, 150 + n),
    })
}

/** Address and credentials of the simulated vendors, which change with every start of the demo. */
type DemoMakers = Partial<
  Record<PrinterVendorName, { user: string; secret: string; endpoint: string; callbackKey?: string }>
>

const nameOf = (brand: string): string => PRINTER_VENDORS.find(({ key }) => key === brand)!.zh

/** Points the demo tenant's accounts at this start's simulators. Returns the printers to add there. */
export async function seedPrinterVendorAccounts(db: Db, services: Services, makers: DemoMakers): Promise<Printer[]> {
  for (const [brand, { secret, ...account }] of Object.entries(makers)) {
    const draft = {
      ...account,
      secretKey: secretCipherOf(services).seal(secret),
      mayBeInside: true,
      callbackOn: true,
      enabled: true,
      accessToken: null,
    }
    const [was] = await db.find(printAccount, sql`r.brand = ${brand}`)
    if (was) await db.update(printAccount, was.id, draft)
    else await db.insert(printAccount, { ...draft, brand, name: nameOf(brand) })
  }
  return db.find(printerInfo, sql`r.brand <> 'escpos'`, sql`order by r.id`)
}
