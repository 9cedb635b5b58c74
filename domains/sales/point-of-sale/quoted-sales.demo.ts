import { formatYuan } from '#kit/fields/money/cents.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import type { Random } from '#kit/server/base/random.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import type { StorySeedContext } from '#domains/shops/shops/api.ts'
import { endOverdueCampaignsAndCoupons, createQuote } from '#domains/sales/marketing/api.ts'
import { stockGrowthSinceSql } from '#domains/catalogue/inventory/api.ts'
import type { PayType } from '#domains/sales/orders/index.ts'
import { quoteHolderOfRegister, recordSale } from './sale.ts'

const HOUR_MS = 3_600_000
/** Periods of sales by quote, in hours ago: one in the ended campaign, one in the running ones. */
const PERIODS = [
  { from: 19 * 24, until: 11 * 24, sales: 14 },
  { from: 70, until: 1, sales: 42 },
]

/** Pieces to leave in stock for other demo sales. */
const LEAST = 8

type Register = { id: string; shopId: string }
type DemoBasketLine = { upc: string; quantity: number }

/**
 * Writes sales paid by quotes, requested and redeemed like a register does. They are the uses of campaigns and tickets
 * in the demo data.
 */
export async function seedQuotedSales(db: Db, { random, shops, now }: StorySeedContext): Promise<void> {
  const registers = await db.query<Register>(
    sql`select id, shop_id from cash_register where tenant_id = ${db.tenantId} and is_deleted = 0 and status = 1
      and shop_id = any(${shops.map((shop) => shop.shopId)}::bigint[]) order by id`,
  )
  const customers = await db.query<{ id: string }>(
    sql`select id from wx_user where tenant_id = ${db.tenantId} and merged_into is null order by openid, id`,
  )
  for (const { from, until, sales } of PERIODS) {
    const byShop = await shelvesSince(db, shops, new Date(now.getTime() - from * HOUR_MS))
    for (let n = 0; n < sales; n++) {
      const register = random.pick(registers)
      const shelf = byShop.get(register.shopId)
      if (!shelf?.length) continue
      const at = atOpenHour(new Date(now.getTime() - (from - ((from - until) * n) / sales) * HOUR_MS), now)
      const lines: DemoBasketLine[] = []
      for (let left = random.int(2, 4); left; left--) {
        const [good, quantity] = [random.pick(shelf), random.int(1, 4)]
        // Only sells pieces that were in stock.
        if (good.stock - quantity < LEAST || good.fewest < quantity) continue
        good.stock -= quantity
        good.fewest -= quantity
        lines.push({ upc: good.upc, quantity })
      }
      if (!lines.length) continue
      const saleNo = `H${at.getTime().toString(36).toUpperCase()}${n}`
      const wxUserId = random.chance(0.75) ? random.pick(customers).id : null
      await db.withTimestamp(at, (past) => sellByQuote(past, random, register, { wxUserId, lines, saleNo, at }))
    }
  }
  await endOverdueCampaignsAndCoupons(db, now)
}

/** `fewest`: the lowest stock at any time since the given time. */
type Shelved = { shopId: string; upc: string; stock: number; fewest: number }

/**
 * Returns by shop the products on sale with more than 12 pieces now, each with its lowest stock since then (`fewest`).
 */
async function shelvesSince(db: Db, shops: StorySeedContext['shops'], since: Date): Promise<Map<string, Shelved[]>> {
  const shopIds = shops.map((shop) => shop.shopId)
  const goods = await db.query<Shelved>(
    sql`select g.shop_id, g.upc, g.stock, g.stock - coalesce(l.grown, 0) as fewest from good_info g
      left join ${stockGrowthSinceSql(db, shopIds, since)} l on l.good_id = g.id
      where g.tenant_id = ${db.tenantId} and g.is_deleted = 0 and g.on_sale and g.stock > 12
      and g.shop_id = any(${shopIds}::bigint[]) order by g.shop_id, g.upc`,
  )
  return Map.groupBy(goods, (good) => good.shopId)
}

/** Requests a quote and redeems it with a sale. */
async function sellByQuote(
  past: Db,
  random: Random,
  register: Register,
  { wxUserId, lines, saleNo, at }: { wxUserId: string | null; lines: DemoBasketLine[]; saleNo: string; at: Date },
): Promise<void> {
  const quote = await createQuote(past, {
    shopId: register.shopId,
    wxUserId,
    lines,
    tickets: 'best',
    points: 0,
    holder: quoteHolderOfRegister(register.id),
    key: saleNo,
    now: at,
  })

  const payType: PayType = random.weighted(['wechat', 'alipay', 'cash'], [68, 26, 6])
  await recordSale(
    past,
    { registerId: register.id, shopId: register.shopId },
    {
      saleNo,
      quoteId: quote.id,
      saleTime: formatShanghaiTime(at),
      payType,
      payAmount: quote.priced.payAmount,
      balanceAmount: null,
      transactionNo: payType === 'cash' ? null : `H${saleNo}`,
      customerId: quote.wxUserId,
      remark: null,
      lines: quote.priced.lines.map((line) => ({
        upc: line.upc,
        name: line.name,
        price: formatYuan(line.price),
        quantity: line.quantity,
        discount: formatYuan(line.discount),
        amount: formatYuan(line.amount),
      })),
    },
    at,
  )
}

/** Moves a sale between midnight and seven to noon, unless noon is still to come. */
function atOpenHour(at: Date, now: Date): Date {
  const hour = Number(formatShanghaiTime(at).slice(11, 13))
  const noon = new Date(at.getTime() + (12 - hour) * HOUR_MS)
  return hour < 7 && noon < now ? noon : at
}
