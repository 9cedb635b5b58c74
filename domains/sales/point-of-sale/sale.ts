import { hasBarcodeSql } from '#domains/catalogue/products/api.ts'
import { BarcodeMap, normalizeBarcode } from '#domains/catalogue/products/index.ts'
import { formatYuan } from '#kit/fields/money/cents.ts'
import { createHash } from 'node:crypto'
import { fieldKindOf, parseFieldInput } from '#kit/fields/kinds.ts'
import { fieldProblemSentence } from '#kit/fields/problem-sentence.ts'
import { sql, awaitBatch, type Db, type Sql } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { defineTable } from '#kit/server/database/schema.ts'
import { lockAgainstRemoval } from '#kit/server/resource/references.ts'
import { parseShanghaiTime, formatShanghaiTime } from '#kit/server/base/time.ts'
import { f, type Fields, type LocalizedText, remarkField } from '#kit/resource/index.ts'
import { requireQuoteOfSale, redeemQuote, type Quote } from '#domains/sales/marketing/api.ts'
import { transactionNoField } from '#domains/money/payment-channels/index.ts'
import { ORDER_STATE, payTypes, shoppingOrder, type OrderFlag, type PayType } from '#domains/sales/orders/index.ts'
import { prefetchOrderLocks, writeOrder, type PrefetchedOrder, type OrderLineDraft } from '#domains/sales/orders/api.ts'
import { lockByBarcode } from '#domains/catalogue/inventory/api.ts'
import { resolveMergedCustomerId } from '#domains/sales/customers/api.ts'
import { cashRegister } from './cash-register.resource.ts'

/** Each sale a register has sent, by the register's own number: what makes sending again harmless. */
export const registerSaleTable = defineTable({
  name: 'register_sale',
  tenancy: 'tenant',
  primaryKey: ['tenant_id', 'register_id', 'sale_no'],
  busy: true,
  columns: {
    tenant_id: 'text not null',
    register_id: 'bigint not null',
    sale_no: 'text not null',
    digest: 'text not null',
    order_id: 'bigint',
    answer: 'jsonb',
    create_time: 'timestamptz(3) not null default now()',
  },
})

export const LINES_MAX = 200
/** Sales older than this are not taken from a register any more. */
export const SALE_LATE_DAYS_MAX = 90
const FUTURE_MS = 10 * 60_000
const LATE_MS = 10 * 60_000

const text = (description: string) => ({ type: 'string', description })
const lineSchema = {
  type: 'object',
  required: ['upc', 'price', 'quantity', 'amount'],
  properties: {
    upc: text('as scanned'),
    name: text('shown when the barcode is unknown'),
    price: text('yuan, "3.50"'),
    quantity: { type: 'integer', minimum: 1 },
    discount: text('yuan off this line, "0.00"'),
    amount: text('price × quantity − discount'),
  },
}

const payType = (words: LocalizedText) =>
  f.text({
    label: words,
    required: true,
    max: 16,
    pattern: `^(${payTypes.join('|')})$`,
    patternWords: {
      zh: `支付方式应为 ${payTypes.join('、')} 之一`,
      en: `Payment must be one of ${payTypes.join(', ')}`,
    },
  })

/** A sale as a register reports it; amounts in yuan. */
export const saleFields = {
  saleNo: f.text({
    label: { zh: '流水号', en: 'Sale number' },
    required: true,
    max: 64,
    pattern: '^[A-Za-z0-9_-]+$',
    help: { zh: '收银机自己的唯一流水号', en: 'Unique sale number of the register' },
  }),
  saleTime: f.datetime({
    label: { zh: '销售时间', en: 'Sale time' },
    required: true,
    help: { zh: '按收银机时钟', en: 'By the register clock' },
  }),
  payType: payType({ zh: '支付方式', en: 'Payment method' }),
  payAmount: f.money({ label: { zh: '实付金额', en: 'Amount paid' }, required: true }),
  balanceAmount: f.money({ label: { zh: '余额支付', en: 'Balance payment' } }),
  transactionNo: transactionNoField(),
  customerId: f.ref('wxUser', { label: { zh: '顾客', en: 'Customer' } }),
  lines: f.json({
    label: { zh: '商品行', en: 'Sale lines' },
    required: true,
    schema: { type: 'array', items: lineSchema },
    help: {
      zh: '[{upc, name, price, quantity, discount, amount}]，amount = price × quantity − discount',
      en: '[{upc, name, price, quantity, discount, amount}] where amount = price × quantity − discount',
    },
  }),
  quoteId: f.ref('', {
    label: { zh: '报价编号', en: 'Quote' },
    help: {
      zh: '按报价收款时填写，商品行与实付金额须与报价一致',
      en: 'Enter it when charging by quote. Lines and amount paid must match the quote.',
    },
  }),
  remark: remarkField(),
} satisfies Fields

const { saleTime: _when, payType: _how, balanceAmount: _from, transactionNo: _paid, ...unpaid } = saleFields
/** Fields of a sale that is paid after it was sent. */
export const unpaidSaleFields = unpaid

const lineFields = {
  upc: f.text({ label: { zh: '条码', en: 'Barcode' }, required: true, max: 64 }),
  name: f.text({ label: { zh: '商品名称', en: 'Product name' }, max: 100 }),
  price: f.money({ label: { zh: '单价', en: 'Unit price' }, required: true, max: 99_999_999 }),
  quantity: f.number({ label: { zh: '数量', en: 'Quantity' }, required: true, min: 1, max: 100_000 }),
  discount: f.money({ label: { zh: '优惠', en: 'Discount' } }),
  amount: f.money({ label: { zh: '小计', en: 'Line total' }, required: true }),
} satisfies Fields

type Line = { upc: string; name: string | null; price: number; quantity: number; discount: number; amount: number }
/** JSON schema of a sale as an item of a batch, for the OpenAPI document. */
export const saleJsonSchema = {
  type: 'object',
  required: Object.entries(saleFields)
    .filter(([, field]) => 'required' in field && field.required)
    .map(([key]) => key),
  properties: Object.fromEntries(
    Object.entries(saleFields as Fields).map(([key, field]) => [
      key,
      { ...fieldKindOf(field).schema(field), title: field.label.en },
    ]),
  ),
}

export type Sale = {
  saleNo: string
  saleTime: string
  payType: PayType
  payAmount: number
  balanceAmount: number | null
  transactionNo: string | null
  customerId: string | null
  lines: unknown
  quoteId?: string | null
  remark: string | null
}

export type SaleAnswer = {
  saleNo: string
  orderId: string
  orderNo: string
  payTime: string
  flags: OrderFlag[]
  repeated: boolean
}

function parseLine(given: unknown, at: number): Line {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new Refused('sale_line_bad', { line: at + 1, detail: { zh: '格式不正确', en: 'wrong format' } })
  const out: Record<string, unknown> = {}
  for (const [key, field] of Object.entries(lineFields)) {
    const parsed = parseFieldInput((given as Record<string, unknown>)[key], field)
    if ('problem' in parsed) {
      const { problem } = parsed
      throw new Refused('sale_line_bad', {
        line: at + 1,
        detail: { zh: fieldProblemSentence(problem, field, 'zh'), en: fieldProblemSentence(problem, field, 'en') },
      })
    }
    out[key] = parsed.value
  }
  return { ...out, discount: out.discount ?? 0 } as Line
}

function parseLines(given: unknown): Line[] {
  if (!Array.isArray(given) || !given.length) throw new Refused('sale_no_lines')
  if (given.length > LINES_MAX) throw new Refused('bad_parameter', { name: 'lines' })
  return given.map(parseLine)
}

const digestOf = (sale: Sale, lines: Line[]) =>
  createHash('sha256')
    .update(
      JSON.stringify([
        sale.saleNo,
        sale.saleTime,
        sale.payType,
        sale.payAmount,
        sale.balanceAmount ?? 0,
        sale.transactionNo ?? '',
        sale.customerId ?? '',
        sale.remark ?? '',
        lines.map((line) => [line.upc, line.name ?? '', line.price, line.quantity, line.discount, line.amount]),
        ...(sale.quoteId ? [sale.quoteId] : []),
      ]),
    )
    .digest('hex')

type Good = {
  id: string
  upc: string
  name: string
  spec: string | null
  picture: string | null
  salePrice: number | null
  vipPrice: number | null
  onSale: boolean
  /** Lowest price its tags are confirmed to show, in shops that promise to charge no more; otherwise null. */
  tagPrice: number | null
}

/**
 * Time of a sale by the register's clock, but never in the future, with a flag if late or far ahead. Undefined when too
 * long ago.
 */
function timeOf(sale: Sale, now: Date): { payTime: string; flags: OrderFlag[] } | undefined {
  const age = now.getTime() - parseShanghaiTime(sale.saleTime).getTime()
  if (age > SALE_LATE_DAYS_MAX * 86_400_000) return undefined
  if (age < -FUTURE_MS) return { payTime: formatShanghaiTime(now), flags: ['clock'] }
  return { payTime: age < 0 ? formatShanghaiTime(now) : sale.saleTime, flags: age > LATE_MS ? ['late'] : [] }
}

/** Describes a line as charged, with flags for what is unusual. */
function describe(
  line: Line,
  good: Good | undefined,
  benefits: OrderLineDraft['benefits'],
): { line: OrderLineDraft; flags: OrderFlag[] } {
  const { upc, price, quantity, discount, amount } = line
  if (!good)
    return {
      line: { goodId: null, upc, name: line.name ?? upc, price, listPrice: null, quantity, discount, amount },
      flags: ['unknownGoods'],
    }
  const flags: OrderFlag[] = []
  if (!benefits && price !== good.salePrice && price !== good.vipPrice) flags.push('price')
  if (!good.onSale) flags.push('offSale')
  // Compared for the whole line, because a discount may make up for a higher price.
  if (good.tagPrice !== null && amount > good.tagPrice * quantity) flags.push('aboveTag')
  return {
    line: {
      goodId: good.id,
      upc: good.upc,
      name: good.name,
      spec: good.spec,
      picture: good.picture,
      price,
      listPrice: good.salePrice,
      vipPrice: good.vipPrice,
      quantity,
      discount,
      amount,
      ...(benefits ? { benefits } : {}),
    },
    flags,
  }
}

export const quoteHolderOfRegister = (registerId: string) => `register/${registerId}`

/** Refuses a sale whose lines or amount differ from its quote. */
function requireQuoted(sale: Pick<Sale, 'payAmount'>, lines: readonly Line[], { priced }: Quote): void {
  const say = (line: Pick<Line, 'upc' | 'price' | 'quantity' | 'discount' | 'amount'>) =>
    `${normalizeBarcode(line.upc)} ${formatYuan(line.price)} × ${line.quantity} − ${formatYuan(line.discount)} = ` +
    `${formatYuan(line.amount)}`
  const quoted = new Set(priced.lines.map(say))
  const other = lines.map(say).find((line) => !quoted.delete(line)) ?? [...quoted][0]
  if (other) throw new Refused('quote_differs', { detail: other })
  if (sale.payAmount !== priced.payAmount)
    throw new Refused('quote_differs', {
      detail: `${formatYuan(sale.payAmount)} ≠ ${formatYuan(priced.payAmount)}`,
    })
}

/** SQL of product columns that describe a line, besides those for stock. */
const described = (db: Db) => sql`g.spec, g.picture, g.vip_price, coalesce(g.on_sale, true) as on_sale,
  (select min(t.shown_price) from price_tag t
    join shop_conf c on c.tenant_id = t.tenant_id and c.shop_id = t.shop_id and c.is_deleted = 0
    where t.tenant_id = ${db.tenantId} and t.good_id = g.id and t.is_deleted = 0
    and c.charge_confirmed_tag) as tag_price`

const goodsWhere = (db: Db, which: Sql) =>
  db.query<Good>(sql`select g.id, g.upc, g.name, g.sale_price, ${described(db)}
    from good_info g where g.tenant_id = ${db.tenantId} and ${which}`)

const upcsOf = (lines: readonly Line[]) => [...new Set(lines.map((line) => line.upc))]
const byUpc = (goods: Iterable<Good>) => new BarcodeMap([...goods].map((good) => [good.upc, good] as const))

type ScannedProducts = { goods: Promise<BarcodeMap<Good>>; ahead?: Promise<PrefetchedOrder> }

/** Reads a shop's products by the barcodes of a sale. For a paid sale also locks them and everything else it needs. */
const scan = (db: Db, from: From, lines: readonly Line[], paid: PaidSale | undefined): ScannedProducts =>
  paid ? scanPaid(db, from, paid, lines) : scanUnpaid(db, from, lines)

const scanUnpaid = (db: Db, { shopId }: From, lines: readonly Line[]): ScannedProducts => ({
  goods: goodsWhere(
    db,
    sql`g.shop_id = ${shopId} and ${hasBarcodeSql(sql`g.upc`, upcsOf(lines))} and g.is_deleted = 0`,
  ).then(byUpc),
})

function scanPaid(db: Db, { shopId }: From, sale: PaidSale, lines: readonly Line[]): ScannedProducts {
  const { customerId: wxUserId, payAmount, payType, payTime, transactionNo } = sale
  const balanceAmount = sale.balanceAmount ?? 0
  const { goods, whole } = prefetchOrderLocks(
    db,
    { shopId, type: 'store', wxUserId, payAmount, payType, payTime, transactionNo, balanceAmount },
    () => lockByBarcode<Omit<Good, 'salePrice'>>(db, { shopId, upcs: upcsOf(lines) }, described(db)),
  )
  return { goods: goods.then((held) => byUpc(held.goods.values())), ahead: whole }
}

/**
 * Returns the products of a quote by their barcodes at that time, even if they were removed or got another barcode
 * since: the quote still applies to them.
 */
async function quotedGoods(db: Db, { priced }: Quote): Promise<BarcodeMap<Good>> {
  const ids = priced.lines.flatMap((line) => line.goodId ?? [])
  const goods = await goodsWhere(db, sql`g.id = any(${ids}::bigint[])`)
  const upcs = new Map(priced.lines.map((line) => [line.goodId, line.upc]))
  return new BarcodeMap(goods.map((good) => [upcs.get(good.id)!, good] as const))
}

type From = { registerId: string; shopId: string }
/** A sale as known before it is paid. */
type Basket = Omit<Sale, 'payType' | 'balanceAmount' | 'transactionNo' | 'saleTime'>
type PaidSale = Sale & { payTime: string }

/**
 * Claims a sale's number and reads everything it needs. Returns `before` if the same sale was claimed earlier. Refuses
 * a removed register and an unknown customer.
 */
async function holdSale(db: Db, from: From, sale: Basket, lines: readonly Line[], digest: string, paid?: PaidSale) {
  // All in one batch: the lookups do not wait for the claim to succeed.
  const claimed = claimSaleNo(db, from.registerId, sale, digest)
  const held = holdRegister(db, from.registerId)
  const scanned = sale.quoteId ? undefined : scan(db, from, lines, paid)
  const known = sale.customerId ? isCustomer(db, sale.customerId) : undefined
  const [before, isRegistered, scannedGoods, isKnown] = await awaitBatch([claimed, held, scanned?.goods, known])
  // Reads still under way belong to this transaction, so their end is awaited whatever it is.
  if (before || !isRegistered) await scanned?.ahead?.catch(() => {})
  if (before) return { before }
  if (!isRegistered) throw new Refused('not_signed_in')
  const quote = await verifiedQuote(db, from, sale, lines)
  const found = quote
    ? describeLines(lines, await quotedGoods(db, quote), quote.priced.lines)
    : describeLines(lines, scannedGoods!)
  if (isKnown === false) throw new Refused('not_found', { label: saleFields.customerId.label })
  if (quote) await requireQuoteOf(db, sale, quote)
  return {
    before: undefined,
    quote,
    ahead: scanned?.ahead,
    shopId: from.shopId,
    wxUserId: quote ? quote.wxUserId : sale.customerId,
    source: 'register' as const,
    type: 'store' as const,
    lines: found.map((one) => one.line),
    payAmount: sale.payAmount,
    cashRegisterId: from.registerId,
    saleNo: sale.saleNo,
    flags: found.flatMap((one) => one.flags),
    remark: sale.remark,
  }
}

/** Locks and returns the quote a sale names; undefined if it names none. Refuses a sale that differs from it. */
async function verifiedQuote(db: Db, from: From, sale: Basket, lines: readonly Line[]): Promise<Quote | undefined> {
  if (!sale.quoteId) return undefined
  const quote = await requireQuoteOfSale(db, sale.quoteId, {
    holder: quoteHolderOfRegister(from.registerId),
    key: sale.saleNo,
  })
  requireQuoted(sale, lines, quote)
  return quote
}

function describeLines(lines: readonly Line[], goods: BarcodeMap<Good>, quoted: Quote['priced']['lines'] = []) {
  const benefits = new BarcodeMap(quoted.map((line) => [line.upc, line.benefits] as const))
  return lines.map((line) => describe(line, goods.get(line.upc), benefits.get(line.upc)))
}

/** Creates the order of a sale that is not paid yet and returns its id; the same sale gets the same order. */
export async function createUnpaidSale(db: Db, from: From, sale: Basket): Promise<string> {
  const lines = parseLines(sale.lines)
  const toPay = { saleTime: '', payType: 'wechat', balanceAmount: 0, transactionNo: 'to pay' } as const
  const held = await holdSale(db, from, sale, lines, digestOf({ ...sale, ...toPay }, lines))
  if (held.before) return held.before.orderId!
  const { before: _none, ahead: _unpaid, quote, flags, ...draft } = held
  const order = await writeOrder(db, {
    ...draft,
    status: ORDER_STATE.toPay,
    flags: [...new Set(flags)],
    ...(quote && { quoteId: quote.id }),
  })
  db.beforeCommit(
    sql`update register_sale set order_id = ${order.id} where tenant_id = ${db.tenantId}
      and register_id = ${from.registerId} and sale_no = ${sale.saleNo}`,
  )
  return order.id
}

/**
 * Records a sale of a register. Its number is claimed first: a parallel request with the same number waits, then gets
 * the same answer for the same content and a refusal for other content.
 */
export async function recordSale(db: Db, from: From, sale: Sale, now: Date): Promise<SaleAnswer> {
  const lines = parseLines(sale.lines)
  const time = timeOf(sale, now)
  const paid = time && { ...sale, payTime: time.payTime }
  const held = await holdSale(db, from, sale, lines, digestOf(sale, lines), paid)
  if (held.before) {
    if (!held.before.answer) throw new Refused('sale_differs', { saleNo: sale.saleNo })
    return { ...held.before.answer, repeated: true }
  }
  if (!time) throw new Refused('sale_too_old', { days: SALE_LATE_DAYS_MAX })
  const { before: _none, ahead, quote, flags: heldFlags, ...draft } = held
  const { payTime, flags } = time
  const paidDraft = {
    ...draft,
    balanceAmount: sale.balanceAmount ?? 0,
    payType: sale.payType,
    payTime,
    transactionNo: sale.transactionNo,
    flags: [...new Set([...flags, ...heldFlags])],
  }
  const order = await writeOrder(db, paidDraft, ahead)
  if (quote) await applyQuote(db, quote, order, { payTime, now })
  const answer: SaleAnswer = {
    saleNo: sale.saleNo,
    orderId: order.id,
    orderNo: order.orderNo!,
    payTime,
    flags: order.flags as OrderFlag[],
    repeated: false,
  }
  db.beforeCommit(
    sql`update register_sale set order_id = ${order.id}, answer = ${JSON.stringify(answer)}
      where tenant_id = ${db.tenantId} and register_id = ${from.registerId} and sale_no = ${sale.saleNo}`,
  )
  return answer
}

/** Locks the register against removal until the sale is stored. Returns false if it was just removed. */
async function holdRegister(db: Db, id: string): Promise<boolean> {
  const [, register] = await awaitBatch([
    lockAgainstRemoval(db, cashRegister, [id]),
    db.one(sql`select 1 from cash_register where tenant_id = ${db.tenantId} and id = ${id} and is_deleted = 0`),
  ])
  return register !== undefined
}

/** Claims a sale's number. If the same sale claimed it before, returns its order and answer; refuses other content. */
async function claimSaleNo(
  db: Db,
  registerId: string,
  sale: Pick<Sale, 'saleNo'>,
  digest: string,
): Promise<{ orderId: string | null; answer: SaleAnswer | null } | undefined> {
  const claimed = await db.one(sql`insert into register_sale (tenant_id, register_id, sale_no, digest)
      values (${db.tenantId}, ${registerId}, ${sale.saleNo}, ${digest})
    on conflict (tenant_id, register_id, sale_no) do nothing returning sale_no`)
  if (claimed) return undefined
  const was = await db.one<{ digest: string; orderId: string | null; answer: SaleAnswer | null }>(
    sql`select digest, order_id, answer from register_sale where tenant_id = ${db.tenantId}
      and register_id = ${registerId} and sale_no = ${sale.saleNo}`,
  )
  if (was!.digest !== digest) throw new Refused('sale_differs', { saleNo: sale.saleNo })
  return was
}

async function applyQuote(
  db: Db,
  quote: Quote,
  order: Awaited<ReturnType<typeof writeOrder>>,
  { payTime, now }: { payTime: string; now: Date },
): Promise<void> {
  const { isWhole } = await redeemQuote(db, {
    quoteId: quote.id,
    order: { id: order.id, shopId: order.shopId!, payAmount: order.payAmount!, costAmount: order.costAmount ?? 0 },
    paidAt: payTime,
    now,
  })
  // The quote had expired, or its ticket or points were used elsewhere. The sale happened, so it is flagged for the
  // office.
  if (!isWhole)
    order.flags = (await db.update(shoppingOrder, order.id, { flags: [...(order.flags ?? []), 'quote'] })).flags
}

const isCustomer = async (db: Db, id: string): Promise<boolean> =>
  (await db.one(sql`select 1 from wx_user where id = ${id} and tenant_id = ${db.tenantId}`)) !== undefined

/** Refuses a sale whose customer is not the one of the quote. */
async function requireQuoteOf(db: Db, { customerId }: Pick<Sale, 'customerId'>, quote: Quote): Promise<void> {
  if (!customerId) return
  if (
    !(
      quote.wxUserId &&
      (await resolveMergedCustomerId(db, customerId)) === (await resolveMergedCustomerId(db, quote.wxUserId))
    )
  )
    throw new Refused('quote_of_other', { quoteId: quote.id })
}
