import './server.ts'
import { createPool, sql, systemActor, unitOfWork, type Db } from '#kit/server/database/db.ts'
import { newId } from '#kit/server/database/snowflake.ts'
import type { PatchOf, NewRowOf } from '#kit/resource/index.ts'
import { testDatabase } from '#tests/support/database.ts'
import { goodInfo } from '#domains/catalogue/products/index.ts'
import { basicShopInfo } from '#domains/shops/shops/index.ts'
import { wxUser } from '#domains/sales/customers/index.ts'
import { changeCustomerAccount } from '#domains/sales/customers/api.ts'
import { CAMPAIGN_STATE } from './dictionaries.ts'
import { discountConf } from './discount-conf.resource.ts'
import { discountTicket } from './discount-ticket.resource.ts'
import { createQuote, type Quote, type QuoteRequest } from './quote.ts'
import { reverseQuoteRedemption, redeemQuote } from './redeem-quote.ts'
import { createCampaignShopResults } from './shop-results.ts'
import { issueCoupons } from './coupons.ts'

const tenantId = '100001'
export const NOON = new Date('2026-11-20T12:00:00+08:00')
const AT = '2026-11-20 12:00:00'

/**
 * A shop with products, customers, campaigns and tickets in its own database, to test quotes under parallel callers.
 */
export async function testStand() {
  const database = await testDatabase()
  const pool = createPool(database.url, { max: 16 })
  const unit = <T>(work: (db: Db) => Promise<T>) => unitOfWork(pool, { tenantId }, systemActor, work)
  const shop = await unit((db) => db.insert(basicShopInfo, { shopName: '西溪店', shopCode: 'M1', status: 1 }))
  let made = 0

  return {
    unit,
    shop,
    good: (salePrice: number, upc?: string) =>
      unit((db) =>
        db.insert(goodInfo, {
          shopId: shop.id,
          upc: upc ?? `G${1000 + ++made}`,
          name: `商品${made}`,
          salePrice,
          costPrice: Math.floor(salePrice / 2),
          stock: 0,
          stockSeq: 0,
          onSale: true,
        }),
      ),
    customer: (integral = 0) =>
      unit(async (db) => {
        const customer = await db.insert(wxUser, { nickname: `顾客${++made}`, balance: 0, integral: 0 })
        if (integral)
          await changeCustomerAccount(db, 'integral', {
            wxUserId: customer.id,
            change: integral,
            type: 'adjust',
            refType: 'adjust',
            refId: customer.id,
          })
        return customer
      }),
    campaign: (draft: PatchOf<typeof discountConf> & Pick<NewRowOf<typeof discountConf>, 'type' | 'rules'>) =>
      unit(async (db) => {
        const campaign = await db.insert(discountConf, {
          name: `活动${++made}`,
          status: CAMPAIGN_STATE.published,
          startTime: '2026-11-01 00:00:00',
          endTime: '2026-12-01 00:00:00',
          priority: 10,
          perUser: 0,
          usedAmount: 0,
          reservedAmount: 0,
          usedCount: 0,
          ...draft,
        })
        await createCampaignShopResults(db, campaign)
        return campaign
      }),
    ticket: (customers: readonly { id: string }[], draft: PatchOf<typeof discountTicket> = {}) =>
      unit(async (db) => {
        const kind = await db.insert(discountTicket, {
          name: `券${++made}`,
          code: `K${made}`,
          type: 'amount',
          amount: 500,
          threshold: 0,
          validDays: 30,
          total: 0,
          perUser: 0,
          received: 0,
          used: 0,
          enabled: true,
          ...draft,
        })
        const { ids } = await issueCoupons(
          db,
          kind,
          customers.map(({ id }) => id),
          { source: 'office', at: AT },
        )
        const rows = await db.query<{ id: string; ticketNo: string }>(
          sql`select id, ticket_no from customer_ticket where id = any(${ids}::bigint[]) order by id`,
        )
        return { kind, tickets: rows }
      }),
    quote: (ask: Partial<QuoteRequest> & Pick<QuoteRequest, 'lines'>) =>
      unit((db) =>
        createQuote(db, {
          shopId: shop.id,
          tickets: [],
          points: 0,
          holder: 'register/1',
          key: `K${++made}`,
          now: NOON,
          ...ask,
        }),
      ),
    /** Redeems a quote as a paid order would, without writing the order itself. */
    pay: (quote: Quote, now = NOON) => {
      const orderId = newId()
      return unit(async (db) => ({
        orderId,
        ...(await redeemQuote(db, {
          quoteId: quote.id,
          order: { id: orderId, shopId: shop.id, payAmount: quote.priced.payAmount, costAmount: 100 },
          paidAt: AT,
          now,
        })),
      }))
    },
    refund: (orderId: string) =>
      unit((db) => reverseQuoteRedemption(db, { orderId, refundId: newId(), isWhole: true, now: NOON })),
    one: <R extends object>(statement: ReturnType<typeof sql>) => unit((db) => db.one<R>(statement)) as Promise<R>,
    close: async () => {
      await pool.end()
      await database.drop()
    },
  }
}

export type Stand = Awaited<ReturnType<typeof testStand>>
