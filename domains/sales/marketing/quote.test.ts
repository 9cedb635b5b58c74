import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Refused } from '#kit/server/base/refused.ts'
import { sql } from '#kit/server/database/db.ts'
import { insertDefaultShopConf } from '#domains/shops/shops/api.ts'
import { shopConf } from '#domains/shops/shops/index.ts'
import { COUPON_STATE } from './dictionaries.ts'
import { releaseNextExpiredQuote, releaseQuote } from './quote.ts'
import { NOON, testStand, type Stand } from './test-stand.ts'
import { issueCouponGift, revokeCouponGift } from './coupons.ts'

let stand: Stand
let cola: { id: string; upc: string | null }
let three: { upc: string; quantity: number }[]

beforeAll(async () => {
  stand = await testStand()
  cola = await stand.good(1000)
  three = [{ upc: cola.upc!, quantity: 3 }]
})
afterAll(() => stand.close())

const off = { type: 'fullReduction', rules: { tiers: [{ over: '30.00', off: '5.00' }], repeat: false } }
const refusalOf = (work: Promise<unknown>) =>
  work.then(
    () => 'no refusal',
    (error: unknown) => (error instanceof Refused ? error.code : String(error)),
  )
const ticketState = async (id: string) =>
  (await stand.one<{ status: number }>(sql`select status from customer_ticket where id = ${id}`)).status
const campaignState = (id: string) =>
  stand.one<{ used: number; reserved: number; count: number }>(
    sql`select used_amount::float8 as used, coalesce(reserved_amount, 0)::float8 as reserved, used_count as count
      from discount_conf where id = ${id}`,
  )
/** Sessions of this database that wait for somebody else's lock. */
const waitingHere = async () =>
  (
    await stand.one<{ n: number }>(
      sql`select count(*)::int as n from pg_locks l where not l.granted and exists (select from pg_locks o
        join pg_database d on d.oid = o.database where o.pid = l.pid and d.datname = current_database())`,
    )
  ).n
const endOf = (id: string) => stand.unit((db) => db.run(sql`update discount_conf set status = 3 where id = ${id}`))
/** Checks that a campaign's totals, its uses and the shops' results agree. */
async function addsUp(id: string): Promise<void> {
  const { used, reserved, count } = await campaignState(id)
  const uses = await stand.one<{ used: number; reserved: number; count: number }>(
    sql`select coalesce(sum(amount) filter (where state = 'used'), 0)::float8 as used, coalesce(sum(amount)
      filter (where state = 'reserved'), 0)::float8 as reserved, (count(*) filter (where state = 'used'))::int as count
      from campaign_use where campaign_id = ${id}`,
  )
  const shops = await stand.one<{ used: number; count: number }>(
    sql`select coalesce(sum(discount_amount), 0)::float8 as used, coalesce(sum(orders), 0)::int as count
      from shop_markting where discount_conf_id = ${id}`,
  )
  expect({ used, count }).toEqual(shops)
  expect({ used, count }).toEqual({ used: uses.used, count: uses.count })
  const { budget } = await stand.one<{ budget: number | null }>(
    sql`select budget::float8 as budget from discount_conf where id = ${id}`,
  )
  expect(reserved).toBe(budget === null ? 0 : uses.reserved)
}

// The same label: UPC-A as printed, and as scanners report it as EAN-13.
describe.each([
  ['036000291452', '0036000291452'],
  ['0042100005264', '042100005264'],
])('goods entered as %s, in what names them as %s', (entered, other) => {
  const bundle = { type: 'bundle', rules: { price: '9.00', items: [{ upc: other, quantity: 2 }] } }
  const half = { type: 'percentage', rules: { rate: '50' } }
  let good: { id: string; upc: string | null }
  beforeAll(async () => void (good = await stand.good(1000, entered)))
  const paid = async (upc: string, more: object = {}) =>
    (await stand.quote({ lines: [{ upc, quantity: 2 }], ...more })).priced.payAmount

  it.each([
    ['a campaign for them', { ...half, upcs: [other] }, 1000],
    ['a set of them', { ...bundle, upcs: [other] }, 900],
  ])('are cheaper by %s, whichever form is scanned', async (_what, draft, pays) => {
    expect([await paid(entered), await paid(other)]).toEqual([2000, 2000])
    const campaign = await stand.campaign(draft)
    expect([await paid(entered), await paid(other)]).toEqual([pays, pays])
    const { lines } = (await stand.quote({ lines: [{ upc: other, quantity: 2 }] })).priced
    expect(lines).toMatchObject([{ goodId: good.id, benefits: [{ kind: 'campaign', refId: campaign.id }] }])
    await endOf(campaign.id)
    expect([await paid(entered), await paid(other)]).toEqual([2000, 2000])
  })

  it('are paid with a ticket for them', async () => {
    const customer = await stand.customer()
    const { tickets } = await stand.ticket([customer], { upcs: [other] })
    const ask = { wxUserId: customer.id, tickets: [tickets[0]!.ticketNo], key: `form ${entered}` }
    expect([await paid(entered, ask), await paid(other, ask)]).toEqual([1500, 1500])
  })
})

describe('a quote', () => {
  it(
    'asked again under its number is the same quote; with another basket a new ' +
      'one, and what the first held is free',
    async () => {
      const customer = await stand.customer()
      const { tickets } = await stand.ticket([customer])
      const ask = { lines: three, wxUserId: customer.id, tickets: [tickets[0]!.ticketNo], key: 'again' }
      const first = await stand.quote(ask)
      const [same, split] = [
        await stand.quote(ask),
        await stand.quote({
          ...ask,
          lines: [
            { upc: cola.upc!, quantity: 1 },
            { upc: cola.upc!, quantity: 2 },
          ],
        }),
      ]
      expect([same.id, split.id]).toEqual([first.id, first.id])
      const other = await stand.quote({ ...ask, lines: [{ upc: cola.upc!, quantity: 4 }] })
      expect(other.id).not.toBe(first.id)
      expect(other.priced).toMatchObject({ payAmount: 3500, ticketAmount: 500 })
      expect(await stand.one(sql`select state from price_quote where id = ${first.id}`)).toEqual({ state: 'freed' })
    },
  )

  it('asked twenty times at once under one number is one quote', async () => {
    const customer = await stand.customer()
    const { tickets } = await stand.ticket([customer])
    const quotes = await Promise.all(
      Array.from({ length: 20 }, () =>
        stand.quote({ lines: three, wxUserId: customer.id, tickets: [tickets[0]!.ticketNo], key: 'once' }),
      ),
    )
    expect(new Set(quotes.map((one) => one.id)).size).toBe(1)
    expect(await ticketState(tickets[0]!.id)).toBe(COUPON_STATE.locked)
  })

  it('locks a ticket: of ten registers that want it one gets it, and it is not another customer’s', async () => {
    const [customer, stranger] = [await stand.customer(), await stand.customer()]
    const { tickets } = await stand.ticket([customer])
    const request = { lines: three, wxUserId: customer.id, tickets: [tickets[0]!.ticketNo] }
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_unused, n) => refusalOf(stand.quote({ ...request, holder: `register/${n}` }))),
    )
    expect(answers.filter((one) => one === 'no refusal')).toHaveLength(1)
    expect(answers.filter((one) => one === 'quote_ticket_bad')).toHaveLength(9)
    const other = await stand.ticket([customer])
    expect(
      await refusalOf(stand.quote({ lines: three, wxUserId: stranger.id, tickets: [other.tickets[0]!.ticketNo] })),
    ).toBe('quote_ticket_bad')
    expect(await refusalOf(stand.quote({ lines: three, tickets: [other.tickets[0]!.ticketNo] }))).toBe(
      'quote_ticket_bad',
    )
    expect(await ticketState(other.tickets[0]!.id)).toBe(COUPON_STATE.unused)
  })

  it(
    'does not keep a present whose recharge was paid back, and paid all the same ' +
      'does not spend it: the order says so',
    async () => {
      const [customer, good] = [await stand.customer(), await stand.good(1000)]
      const { kind } = await stand.ticket([])
      const quoted = async (refId: string) => {
        const gift = { ticketId: kind.id, wxUserId: customer.id, refType: 'recharge', refId }
        await stand.unit((db) => issueCouponGift(db, { ...gift, at: '2026-11-20 12:00:00' }))
        const { id, ticketNo } = await stand.one<{ id: string; ticketNo: string }>(
          sql`select id, ticket_no from customer_ticket where remark = ${`recharge/${refId}`}`,
        )
        const quote = await stand.quote({
          wxUserId: customer.id,
          lines: [{ upc: good.upc, quantity: 1 }],
          tickets: [ticketNo],
        })
        await stand.unit((db) => revokeCouponGift(db, gift))
        return {
          quote,
          status: async () =>
            (await stand.one<{ status: number }>(sql`select status from customer_ticket where id = ${id}`)).status,
        }
      }
      const dropped = await quoted('71')
      await stand.unit((db) => releaseQuote(db, dropped.quote.id, NOON))
      expect(await dropped.status()).toBe(COUPON_STATE.takenBack)
      const paid = await quoted('72')
      expect((await stand.pay(paid.quote)).isWhole).toBe(false)
      expect(await paid.status()).toBe(COUPON_STATE.takenBack)
    },
  )

  it('finds a ticket whose days begin later good for all its days', async () => {
    const [customer, good] = [await stand.customer(), await stand.good(1000)]
    const { tickets } = await stand.ticket([customer], { validFrom: '2026-12-20 00:00:00', validDays: 7 })
    const at = (time: string) =>
      stand.quote({
        wxUserId: customer.id,
        lines: [{ upc: good.upc, quantity: 1 }],
        tickets: [tickets[0]!.ticketNo],
        now: new Date(`${time}+08:00`),
      })
    await expect(at('2026-12-19T23:59:59')).rejects.toThrow('quote_ticket_bad')
    await expect(at('2026-12-27T00:00:00')).rejects.toThrow('quote_ticket_bad')
    expect((await at('2026-12-26T23:59:59')).priced.ticketAmount).toBe(500)
  })

  it('turns its ticket from locked to used when it is paid, and back to unused with the whole order', async () => {
    const customer = await stand.customer()
    const { kind, tickets } = await stand.ticket([customer])
    const [ticket] = tickets
    const quote = await stand.quote({ lines: three, wxUserId: customer.id, tickets: 'best' })
    expect(quote.priced).toMatchObject({ ticketAmount: 500, payAmount: 2500 })
    expect(await ticketState(ticket!.id)).toBe(COUPON_STATE.locked)
    const { orderId, isWhole } = await stand.pay(quote)
    expect(isWhole).toBe(true)
    expect(await ticketState(ticket!.id)).toBe(COUPON_STATE.used)
    const usedOf = () => stand.one<{ used: number }>(sql`select used from discount_ticket where id = ${kind.id}`)
    expect(await usedOf()).toEqual({ used: 1 })
    await stand.refund(orderId)
    await stand.refund(orderId)
    expect(await ticketState(ticket!.id)).toBe(COUPON_STATE.unused)
    expect(await usedOf()).toEqual({ used: 0 })
  })

  it('that is not paid in time holds nothing any more; paid all the same it is booked and pointed out', async () => {
    const customer = await stand.customer()
    const { tickets } = await stand.ticket([customer])
    const campaign = await stand.campaign({ ...off, budget: 5000 })
    const quote = await stand.quote({
      lines: [{ upc: cola.upc!, quantity: 4 }],
      wxUserId: customer.id,
      tickets: 'best',
    })
    expect(await campaignState(campaign.id)).toMatchObject({ reserved: 500 })
    const later = new Date(NOON.getTime() + 11 * 60_000)
    expect(await stand.unit((db) => releaseNextExpiredQuote(db, new Date(NOON.getTime() + 9 * 60_000)))).toBe(false)
    while (await stand.unit((db) => releaseNextExpiredQuote(db, later)));
    expect(await ticketState(tickets[0]!.id)).toBe(COUPON_STATE.unused)
    expect(await campaignState(campaign.id)).toMatchObject({ reserved: 0, used: 0 })
    const { isWhole } = await stand.pay(quote, later)
    expect(isWhole).toBe(false)
    expect(await campaignState(campaign.id)).toMatchObject({ used: 500, count: 1, reserved: 0 })
    expect(await ticketState(tickets[0]!.id)).toBe(COUPON_STATE.used)
    await addsUp(campaign.id)
    await endOf(campaign.id)
  })

  it('paid late leaves a ticket alone that another sale has used meanwhile', async () => {
    const customer = await stand.customer()
    const { kind } = await stand.ticket([customer])
    const first = await stand.quote({ lines: three, wxUserId: customer.id, tickets: 'best' })
    await stand.unit((db) => releaseQuote(db, first.id, NOON))
    const second = await stand.quote({ lines: three, wxUserId: customer.id, tickets: 'best' })
    expect((await stand.pay(second)).isWhole).toBe(true)
    expect((await stand.pay(first)).isWhole).toBe(false)
    expect(await stand.one(sql`select used from discount_ticket where id = ${kind.id}`)).toEqual({ used: 1 })
  })

  it('spends points when it is paid, not twice what there is, and gives them back', async () => {
    const customer = await stand.customer(1000)
    const [one, two] = [
      await stand.quote({ lines: three, wxUserId: customer.id, points: 800 }),
      await stand.quote({ lines: three, wxUserId: customer.id, points: 800 }),
    ]
    expect([one.priced.points, two.priced.points]).toEqual([800, 200])
    const { orderId } = await stand.pay(one)
    await stand.pay(two)
    const held = () => stand.one<{ integral: number }>(sql`select integral from wx_user where id = ${customer.id}`)
    expect(await held()).toEqual({ integral: 0 })
    expect(await stand.refund(orderId)).toBe(800)
    expect(await held()).toEqual({ integral: 800 })
  })

  it(
    'takes points at the worth and up to the share its shop says, and as the ' +
      'parameters say where the shop says nothing',
    async () => {
      const customer = await stand.customer(1000)
      const conf = await stand.unit((db) => insertDefaultShopConf(db, stand.shop.id))
      const priced = async (patch: object) => {
        await stand.unit((db) => db.update(shopConf, conf.id, patch))
        const quote = await stand.quote({ lines: three, wxUserId: customer.id, points: 1000 })
        await stand.unit((db) => releaseQuote(db, quote.id, NOON))
        return [quote.priced.points, quote.priced.pointsAmount]
      }
      expect(await priced({})).toEqual([1000, 1000])
      expect(await priced({ pointsForYuan: 50, pointsShare: 10 })).toEqual([150, 300])
      expect(await priced({ pointsForYuan: 0 })).toEqual([0, 0])
      expect(await priced({ pointsForYuan: null, pointsShare: null })).toEqual([1000, 1000])
      await stand.unit((db) => db.run(sql`delete from shop_conf where id = ${conf.id}`))
    },
  )

  it('refuses goods the shop does not have, and an empty basket', async () => {
    expect(await refusalOf(stand.quote({ lines: [{ upc: 'nothing', quantity: 1 }] }))).toBe('quote_unknown_goods')
    expect(await refusalOf(stand.quote({ lines: [] }))).toBe('quote_no_lines')
  })
})

describe('a campaign under parallel callers', () => {
  it('gives no more than its budget, whatever is quoted, paid, dropped and refunded at the same time', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 4 }),
        fc.array(fc.constantFrom('pay', 'drop', 'keep', 'refund'), { minLength: 8, maxLength: 12 }),
        async (turns, steps) => {
          const budget = turns * 500 + 250
          const campaign = await stand.campaign({ ...off, budget })
          const given = await Promise.all(
            steps.map(async (step, n) => {
              const quote = await stand.quote({ lines: three, holder: `register/${n}` })
              const got = quote.priced.campaigns.some((one) => one.id === campaign.id)
              if (step === 'drop') await stand.unit((db) => releaseQuote(db, quote.id, NOON))
              if (step === 'pay') await stand.pay(quote)
              if (step === 'refund') await stand.refund((await stand.pay(quote)).orderId)
              return got && (step === 'pay' || step === 'keep')
            }),
          )
          const { used, reserved } = await campaignState(campaign.id)
          expect(used + reserved).toBeLessThanOrEqual(budget)
          expect(used + reserved).toBe(given.filter(Boolean).length * 500)
          await addsUp(campaign.id)
          await endOf(campaign.id)
        },
      ),
      { numRuns: 6 },
    )
  })

  it('asked anew while others ask, two campaigns are waited for in one order and in no circle', async () => {
    const [pear, plum] = [await stand.good(1000), await stand.good(1000)]
    const half = (good: { upc: string | null }) =>
      stand.campaign({
        type: 'percentage',
        rules: { rate: '50' },
        upcs: [good.upc!],
        budget: 1_000_000,
        stackable: true,
      })
    const campaigns = [await half(pear), await half(plum)]
    const of = (...goods: { upc: string | null }[]) => goods.map(({ upc }) => ({ upc: upc!, quantity: 1 }))
    const before = await stand.quote({ lines: of(plum), key: 'circle' })
    expect(before.priced.campaigns.map((one) => one.id)).toEqual([campaigns[1]!.id])
    const [held, waiting] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const other = stand.unit(async (db) => {
      await db.run(sql`update discount_conf set remark = '一' where id = ${campaigns[0]!.id}`)
      held.resolve()
      await waiting.promise
      await db.run(sql`update discount_conf set remark = '二' where id = ${campaigns[1]!.id}`)
    })
    await held.promise
    const again = stand.quote({ lines: of(pear, plum), key: 'circle' })
    await expect.poll(waitingHere).toBeGreaterThan(0)
    waiting.resolve()
    const [, second] = await Promise.all([other, again])
    expect(second.priced.campaigns.map((one) => one.id)).toEqual(campaigns.map((one) => one.id))
    for (const one of campaigns) await endOf(one.id)
  })

  it('counts a customer’s turns: never more than his, none for somebody unknown, one more after a refund', async () => {
    const campaign = await stand.campaign({ ...off, perUser: 2 })
    const customer = await stand.customer()
    const quotes = await Promise.all(
      Array.from({ length: 8 }, (_unused, n) =>
        stand.quote({ lines: three, wxUserId: customer.id, holder: `register/${n}` }),
      ),
    )
    const lucky = quotes.filter((one) => one.priced.campaigns.length)
    expect(lucky).toHaveLength(2)
    expect((await stand.quote({ lines: three })).priced).toMatchObject({ campaigns: [], missed: [{ why: 'limit' }] })
    const { orderId } = await stand.pay(lucky[0]!)
    expect((await stand.quote({ lines: three, wxUserId: customer.id })).priced.campaigns).toEqual([])
    await stand.refund(orderId)
    expect((await stand.quote({ lines: three, wxUserId: customer.id })).priced.campaigns).toHaveLength(1)
    await addsUp(campaign.id)
    await endOf(campaign.id)
  })

  it('with tickets and points beside it, everything ends where it began when every order goes back', async () => {
    const campaign = await stand.campaign({ ...off, budget: 100_000, perUser: 5 })
    const customers = await Promise.all(Array.from({ length: 5 }, () => stand.customer(500)))
    const { tickets, kind } = await stand.ticket(customers)
    await Promise.all(
      customers.map(async (customer, n) => {
        const quote = await stand.quote({
          lines: [{ upc: cola.upc!, quantity: 3 + n }],
          wxUserId: customer.id,
          tickets: 'best',
          points: 500,
          holder: `register/${n}`,
        })
        const { orderId } = await stand.pay(quote)
        await stand.refund(orderId)
      }),
    )
    expect(await campaignState(campaign.id)).toEqual({ used: 0, reserved: 0, count: 0 })
    for (const ticket of tickets) expect(await ticketState(ticket.id)).toBe(COUPON_STATE.unused)
    expect(await stand.one(sql`select used from discount_ticket where id = ${kind.id}`)).toEqual({ used: 0 })
    expect(
      await stand.one(
        sql`select sum(integral)::int as integral from wx_user
          where id = any(${customers.map(({ id }) => id)}::bigint[])`,
      ),
    ).toEqual({ integral: 2500 })
    await addsUp(campaign.id)
    await endOf(campaign.id)
  })
})
