import { formatYuan } from '#kit/fields/money/cents.ts'
import type { RowOf } from '#kit/resource/index.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { enqueueSql } from '#kit/server/database/enqueue.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { defineQueue } from '#kit/server/jobs/index.ts'
import { defineModuleJob, extend, type Call } from '#kit/server/module/module.ts'
import type { Services } from '#kit/server/module/services.ts'
import { shoppingOrder, shoppingOrderDetail } from '#domains/sales/orders/index.ts'
import { onOrderPaid } from '#domains/sales/orders/api.ts'
import { basicShopInfo } from '#domains/shops/shops/index.ts'
import { fitsInGatewayMessage } from './local.ts'
import { enqueuePrintJob } from './print.job.ts'
import type { Printer } from './print.ts'
import { printJob } from './print-job.resource.ts'
import { printerInfo } from './printer-info.resource.ts'
import type { PrintPart } from './receipt.ts'
import './refusals.ts'

type Order = RowOf<typeof shoppingOrder>
type Line = RowOf<typeof shoppingOrderDetail>
type Lang = Call['lang']

const orderReceiptQueue = defineQueue<{ orderId: string }>('print.receipt')
/** Goods lines on a receipt of a cloud printer, as vendors limit the size. */
const LINES_MAX = 25
/** Goods lines on a receipt of a local printer. It is shortened until it fits into one device message. */
const LINES_MAX_LOCAL = 400
const [QUANTITY_CELLS, AMOUNT_CELLS] = [6, 10]

const words = {
  receipt: { zh: '小票', en: 'Receipt' },
  goods: { zh: '商品', en: 'Products' },
  quantity: { zh: '数量', en: 'Qty' },
  amount: { zh: '金额', en: 'Amount' },
  more: { zh: '另有 {count} 种商品', en: '{count} more {count|product|products}' },
  goodsAmount: { zh: '商品金额', en: 'Subtotal' },
  discount: { zh: '优惠', en: 'Discount' },
  freight: { zh: '运费', en: 'Delivery fee' },
  paid: { zh: '实付', en: 'Paid' },
  refunded: { zh: '已退', en: 'Refunded' },
  thanks: { zh: '谢谢惠顾', en: 'Thank you' },
}

const line = (cells: readonly [string, string, string]): PrintPart => ({
  t: 'row',
  cols: [
    { v: cells[0] },
    { v: cells[1], width: QUANTITY_CELLS, align: 'right' },
    { v: cells[2], width: AMOUNT_CELLS, align: 'right' },
  ],
})

const sum = (label: string, cents: number): PrintPart => ({
  t: 'row',
  cols: [{ v: label }, { v: `¥${formatYuan(cents)}`, width: AMOUNT_CELLS + QUANTITY_CELLS, align: 'right' }],
})

function sumsOf(order: Order, lang: Lang): PrintPart[] {
  const { goodsAmount, payAmount, freight, refundAmount } = order
  const discount = (goodsAmount ?? 0) + (freight ?? 0) - (payAmount ?? 0)
  return [
    sum(words.goodsAmount[lang], goodsAmount ?? 0),
    ...(discount > 0 ? [sum(words.discount[lang], -discount)] : []),
    ...(freight ? [sum(words.freight[lang], freight)] : []),
    { t: 'text', v: `${words.paid[lang]} ¥${formatYuan(payAmount ?? 0)}`, align: 'right', h: 2, bold: true },
    ...(refundAmount ? [sum(words.refunded[lang], refundAmount)] : []),
  ]
}

const fullAmountOf = ({ price, quantity, amount }: Line): number =>
  price === null ? (amount ?? 0) : price * (quantity ?? 0)

/** Lays out a receipt with as many goods lines as the printer takes. */
export function createReceiptForPrinter(
  order: Order,
  lines: readonly Line[],
  shopName: string,
  printer: Printer,
  lang: Lang,
): PrintPart[] {
  let parts = createReceipt(order, lines, shopName, { lang })
  if (printer.brand !== 'escpos') return parts
  for (let linesMax = LINES_MAX_LOCAL; linesMax > LINES_MAX; linesMax = Math.floor(linesMax / 2)) {
    parts = createReceipt(order, lines, shopName, { lang, linesMax })
    if (fitsInGatewayMessage(parts, printer)) return parts
  }
  return createReceipt(order, lines, shopName, { lang })
}

/** Lays out a customer's receipt: shop, goods, amounts. */
export function createReceipt(
  order: Order,
  lines: readonly Line[],
  shopName: string,
  { lang, linesMax = LINES_MAX }: { lang: Lang; linesMax?: number },
): PrintPart[] {
  const shown = lines.slice(0, linesMax)
  return [
    { t: 'text', v: shopName, align: 'center', w: 2, h: 2 },
    { t: 'text', v: order.orderNo!, align: 'center' },
    { t: 'text', v: (order.payTime ?? order.createTime).slice(0, 19), align: 'center' },
    { t: 'line' },
    line([words.goods[lang], words.quantity[lang], words.amount[lang]]),
    { t: 'line' },
    // Full prices, before discounts: the discount stands once below, so the lines add up to the amount of the goods.
    ...shown.map((one) => line([one.name ?? '', `x${one.quantity ?? 0}`, formatYuan(fullAmountOf(one))])),
    ...(lines.length > shown.length
      ? [{ t: 'text', v: words.more[lang].replace('{count}', String(lines.length - shown.length)) } as const]
      : []),
    { t: 'line' },
    ...sumsOf(order, lang),
    { t: 'text', v: '' },
    { t: 'text', v: words.thanks[lang], align: 'center' },
    { t: 'qr', v: order.orderNo! },
    { t: 'cut' },
  ]
}

/** Returns the given printer, else the shop's first for this use, undefined when it has none. */
export async function findPrinterForUse(
  db: Db,
  shopId: string,
  usage: string,
  named?: string | null,
): Promise<Printer | undefined> {
  if (named) return db.get(printerInfo, named)
  const [printer] = await db.find(
    printerInfo,
    sql`r.shop_id = ${shopId} and r.usage = ${usage}`,
    sql`order by r.id limit 1`,
  )
  return printer
}

async function printReceipt(db: Db, services: Services, order: Order, printer: Printer, lang: Lang): Promise<string> {
  const lines = await db.find(shoppingOrderDetail, sql`r.order_id = ${order.id}`, sql`order by r.sort, r.id`)
  const shop = await db.get(basicShopInfo, order.shopId!)
  const parts = createReceiptForPrinter(order, lines, shop?.shopName ?? '', printer, lang)
  const title = `${words.receipt[lang]} ${order.orderNo!}`
  return (await enqueuePrintJob(db, services.now(), { printer, kind: 'receipt', title, parts, orderId: order.id })).id
}

/** Adds the action that prints an order's receipt by hand. */
export const orderPrintingExtension = extend(shoppingOrder, {
  actions: {
    printReceipt: async (order, { printerId }, { db, services, lang }) => {
      const printer = await findPrinterForUse(db, order.shopId!, 'receipt', printerId)
      if (!printer) throw new Refused('no_printer', { what: words.receipt })
      return { id: await printReceipt(db, services, order, printer, lang) }
    },
  },
})

// Runs as part of the statement that completes the sale, so a shop without such a printer needs no further query.
onOrderPaid((db, { id, shopId }) =>
  db.beforeCommit(
    enqueueSql(
      orderReceiptQueue,
      { orderId: id },
      { tenantId: db.tenantId, key: id },
      sql`exists (select 1 from printer_info p where p.tenant_id = ${db.tenantId} and p.shop_id = ${shopId}
        and p.auto_print and p.usage = 'receipt' and p.is_deleted = 0)`,
    ),
  ),
)

/** Prints the receipt of a paid order on each printer with automatic printing, once. */
export const printOrderReceiptJob = defineModuleJob({
  queue: orderReceiptQueue,
  run: ({ orderId }, { tenantId, services }) =>
    services.unit({ tenantId }, async (db) => {
      const order = await db.get(shoppingOrder, orderId)
      if (!order) return
      const printers = await db.find(
        printerInfo,
        sql`r.shop_id = ${order.shopId} and r.auto_print and r.usage = 'receipt'`,
        sql`order by r.id`,
      )
      const [known] = await db.find(printJob, sql`r.order_id = ${orderId}`, sql`limit 1`)
      if (known) return
      for (const printer of printers) await printReceipt(db, services, order, printer, 'zh')
    }),
})
