import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fieldProblemSentence } from '#kit/fields/problem-sentence.ts'
import {
  parseCampaignRule,
  validateCampaignRule,
  campaignPromiseText,
  campaignRuleToWire,
  type CampaignRule,
  type RuleProblem,
} from './campaign-rules.ts'
import { createCampaignExample, type CampaignGoods } from './example.ts'
import type { BasketLine, CampaignOffer, BasketOffers, PricedBasket, CouponOffer } from './basket.ts'
import { priceBasketWithoutBlocking } from './price-in-turns.ts'
import { priceBasket } from './pricing.ts'
import { BLOCK_MAX_MS, eventLoopBlockOf } from '#tests/support/event-loop-block.ts'

const line = (upc: string, price: number, quantity = 1, more: Partial<BasketLine> = {}): BasketLine => ({
  upc,
  goodId: `g${upc}`,
  name: upc,
  price,
  quantity,
  typeIds: [],
  ...more,
})
let made = 0
const campaign = (rule: CampaignRule, more: Partial<CampaignOffer> = {}): CampaignOffer => ({
  id: String(1000 + ++made),
  name: '活动',
  rule,
  priority: 10,
  membersOnly: false,
  stackable: false,
  withVip: true,
  withTicket: true,
  left: null,
  times: null,
  upcs: [],
  typeIds: [],
  ...more,
})
const ticket = (more: Partial<CouponOffer> = {}): CouponOffer => ({
  id: String(5000 + ++made),
  name: '券',
  type: 'amount',
  threshold: 0,
  amount: 500,
  rate: 10_000,
  cap: null,
  stackable: false,
  endTime: '2030-01-01 00:00:00',
  upcs: [],
  typeIds: [],
  ...more,
})
const member = { levelId: 'L1', name: '金卡', rate: 10_000 }
const offers = (more: Partial<BasketOffers> = {}): BasketOffers => ({
  campaigns: [],
  tickets: [],
  ticketChoice: 'all',
  ...more,
})
const rule = (type: string, given: object): CampaignRule => parseCampaignRule(type, given)!
const full = (over: string, off: string, repeat = false) => rule('fullReduction', { tiers: [{ over, off }], repeat })
const half = rule('nthPiece', { n: 2, rate: '50.00', mixed: true })
const fold = (rate: string, cap = '') => rule('percentage', { rate, cap })

const cents = (priced: PricedBasket) => priced.payAmount

/** Examples computed by hand. */
const examples: [string, BasketLine[], BasketOffers, number, (priced: PricedBasket) => void][] = [
  [
    'nothing on offer costs the shelf price',
    [line('A', 350, 2), line('B', 1200)],
    offers(),
    1900,
    (p) => expect(p.lines.flatMap((one) => one.benefits)).toEqual([]),
  ],
  [
    'a member pays the member price where there is one',
    [line('A', 1000, 2, { member: { price: 850, refId: 'v1' } }), line('B', 500)],
    offers({ member }),
    2200,
    (p) => expect(p.lines[0]!.benefits).toEqual([{ kind: 'vipPrice', refId: 'v1', name: '', amount: 300 }]),
  ],
  ['nobody else does', [line('A', 1000, 2, { member: { price: 850, refId: 'v1' } })], offers(), 2000, () => {}],
  [
    'of member price, level and member day the lowest counts, alone',
    [line('A', 1000, 1, { member: { price: 950, refId: 'v1' } })],
    offers({ member: { ...member, rate: 9000 }, memberDay: { id: 'd', name: '周三', rate: 8800 } }),
    880,
    (p) => expect(p.lines[0]!.benefits).toEqual([{ kind: 'vipDay', refId: 'd', name: '周三', amount: 120 }]),
  ],
  [
    'a level rounds half a cent up for each piece',
    [line('A', 333, 3)],
    offers({ member: { ...member, rate: 9500 } }),
    948,
    (p) => expect(p.vipAmount).toBe(51),
  ],
  [
    '30 − 5 at exactly 30',
    [line('A', 1000, 3)],
    offers({ campaigns: [campaign(full('30', '5'))] }),
    2500,
    (p) => expect(p.lines[0]!.discount).toBe(500),
  ],
  [
    '30 − 5 at 29.99 gives nothing and says what is lacking',
    [line('A', 2999)],
    offers({ campaigns: [campaign(full('30', '5'), { id: '9' })] }),
    2999,
    (p) => expect(p.missed).toEqual([{ kind: 'campaign', refId: '9', name: '活动', why: 'threshold', lacking: 1 }]),
  ],
  [
    'the highest tier that is reached counts alone',
    [line('A', 7000)],
    offers({
      campaigns: [
        campaign(
          rule('fullReduction', {
            tiers: [
              { over: '30', off: '5' },
              { over: '60', off: '12' },
            ],
            repeat: false,
          }),
        ),
      ],
    }),
    5800,
    () => {},
  ],
  [
    'every 30 − 5 counts as often as it fits',
    [line('A', 9500)],
    offers({ campaigns: [campaign(full('30', '5', true))] }),
    8000,
    () => {},
  ],
  [
    'a reduction is borne by the lines in proportion, to the cent',
    [line('A', 1000), line('B', 1000), line('C', 1000)],
    offers({ campaigns: [campaign(full('30', '5'))] }),
    2500,
    (p) => expect(p.lines.map((one) => one.discount)).toEqual([167, 166, 167]),
  ],
  [
    '20 % off one type',
    [line('A', 1000, 1, { typeIds: ['t1'] }), line('B', 1000)],
    offers({ campaigns: [campaign(fold('80'), { typeIds: ['t1'] })] }),
    1800,
    () => {},
  ],
  [
    '20 % off, at most 3 yuan',
    [line('A', 2000), line('B', 2000)],
    offers({ campaigns: [campaign(fold('80', '3'))] }),
    3700,
    (p) => expect(p.lines.map((one) => one.discount)).toEqual([150, 150]),
  ],
  [
    'a fixed price for two pieces of an order',
    [line('A', 590, 3)],
    offers({ campaigns: [campaign(rule('fixedPrice', { price: '3.90', maxPieces: 2 }))] }),
    1370,
    () => {},
  ],
  [
    'a fixed price above the shelf raises nothing',
    [line('A', 300)],
    offers({ campaigns: [campaign(rule('fixedPrice', { price: '3.90' }))] }),
    300,
    (p) => expect(p.missed[0]!.why).toBe('noGain'),
  ],
  [
    'the second piece at half price takes the cheaper of each pair',
    [line('A', 1000), line('B', 600), line('C', 400)],
    offers({ campaigns: [campaign(half)] }),
    1700,
    (p) => expect(p.lines.map((one) => one.discount)).toEqual([0, 300, 0]),
  ],
  [
    'of the same goods only pairs of the same goods count',
    [line('A', 1000, 3), line('B', 600)],
    offers({ campaigns: [campaign(rule('nthPiece', { n: 2, rate: '50', mixed: false }))] }),
    3100,
    () => {},
  ],
  [
    'the third piece is free',
    [line('A', 500, 7)],
    offers({ campaigns: [campaign(rule('nthPiece', { n: 3, rate: '0', mixed: true }))] }),
    2500,
    () => {},
  ],
  [
    'any three for ten, the dearest first',
    [line('A', 500, 2), line('B', 400), line('C', 300)],
    offers({ campaigns: [campaign(rule('bundle', { pieces: 3, price: '10' }))] }),
    1300,
    (p) => expect(p.lines.map((one) => one.discount)).toEqual([286, 114, 0]),
  ],
  [
    'a set of named goods, twice',
    [line('A', 600, 2), line('B', 400, 5)],
    offers({
      campaigns: [
        campaign(
          rule('bundle', {
            items: [
              { upc: 'A', quantity: 1 },
              { upc: 'B', quantity: 2 },
            ],
            price: '11',
          }),
        ),
      ],
    }),
    2600,
    () => {},
  ],
  [
    'a set that is not whole gives nothing',
    [line('A', 600)],
    offers({
      campaigns: [
        campaign(
          rule('bundle', {
            items: [
              { upc: 'A', quantity: 1 },
              { upc: 'B', quantity: 2 },
            ],
            price: '11',
          }),
        ),
      ],
    }),
    600,
    (p) => expect(p.missed[0]).toMatchObject({ why: 'pieces', lacking: 2 }),
  ],
  [
    'of two that do not stack the first by priority counts',
    [line('A', 3000)],
    offers({ campaigns: [campaign(fold('90')), campaign(full('30', '5'), { priority: 20 })] }),
    2500,
    (p) => expect(p.missed[0]!.why).toBe('taken'),
  ],
  [
    'two that stack count one after the other',
    [line('A', 4000)],
    offers({
      campaigns: [
        campaign(fold('90'), { priority: 20, stackable: true }),
        campaign(full('30', '5'), { stackable: true }),
      ],
    }),
    3100,
    (p) => expect(p.campaigns.map((one) => one.amount)).toEqual([400, 500]),
  ],
  [
    'one that stacks leaves goods closed that one which does not has taken',
    [line('A', 4000)],
    offers({ campaigns: [campaign(fold('90'), { priority: 20 }), campaign(full('30', '5'), { stackable: true })] }),
    3600,
    () => {},
  ],
  [
    'a campaign counts on top of the member price',
    [line('A', 4000, 1, { member: { price: 3600, refId: 'v' } })],
    offers({ member, campaigns: [campaign(full('30', '5'))] }),
    3100,
    (p) => expect([p.vipAmount, p.campaignAmount]).toEqual([400, 500]),
  ],
  [
    'a campaign that does not go with member prices competes with them: the cheaper basket counts',
    [line('A', 4000, 1, { member: { price: 3600, refId: 'v' } })],
    offers({ member, campaigns: [campaign(full('30', '5'), { withVip: false })] }),
    3500,
    (p) => expect([p.vipAmount, p.campaignAmount]).toEqual([0, 500]),
  ],
  [
    'a member never misses a threshold by his own price',
    [line('A', 3000, 1, { member: { price: 2900, refId: 'v' } })],
    offers({ member, campaigns: [campaign(full('30', '5'))] }),
    2500,
    () => {},
  ],
  [
    'a campaign for members leaves others out',
    [line('A', 4000)],
    offers({ campaigns: [campaign(full('30', '5'), { membersOnly: true })] }),
    4000,
    (p) => expect(p.missed[0]!.why).toBe('membersOnly'),
  ],
  [
    'a campaign without budget for the whole of it gives nothing',
    [line('A', 4000)],
    offers({ campaigns: [campaign(full('30', '5'), { left: 499 })] }),
    4000,
    (p) => expect(p.missed[0]!.why).toBe('budget'),
  ],
  [
    'a customer who has had his turns gets nothing',
    [line('A', 4000)],
    offers({ campaigns: [campaign(full('30', '5'), { times: 0 })] }),
    4000,
    (p) => expect(p.missed[0]!.why).toBe('limit'),
  ],
  [
    'a ticket counts what campaigns have left',
    [line('A', 3200)],
    offers({ campaigns: [campaign(full('30', '5'))], tickets: [ticket({ threshold: 3000 })] }),
    2700,
    (p) => expect(p.missed[0]).toMatchObject({ kind: 'ticket', why: 'threshold', lacking: 300 }),
  ],
  [
    'a ticket takes at most what the goods cost',
    [line('A', 300)],
    offers({ tickets: [ticket()] }),
    0,
    (p) => expect(p.ticketAmount).toBe(300),
  ],
  [
    'a per-cent ticket with a cap',
    [line('A', 10_000)],
    offers({ tickets: [ticket({ type: 'rate', rate: 8000, cap: 1500 })] }),
    8500,
    () => {},
  ],
  [
    'two tickets only when both may be used together, per cents first',
    [line('A', 10_000)],
    offers({ tickets: [ticket({ stackable: true }), ticket({ type: 'rate', rate: 9000, stackable: true })] }),
    8500,
    () => {},
  ],
  [
    'a second ticket that stands alone is left in the hand',
    [line('A', 10_000)],
    offers({ tickets: [ticket({ stackable: true }), ticket({ amount: 700 })] }),
    9500,
    (p) => expect(p.missed[0]!.why).toBe('oneTicket'),
  ],
  [
    'the best ticket is chosen, among equals the one that ends first',
    [line('A', 10_000)],
    offers({
      ticketChoice: 'best',
      tickets: [
        ticket(),
        ticket({ id: '77', endTime: '2027-01-01 00:00:00' }),
        ticket({ threshold: 20_000, amount: 900 }),
      ],
    }),
    9500,
    (p) => expect(p.tickets).toEqual([{ id: '77', name: '券', amount: 500 }]),
  ],
  [
    'goods of a campaign without tickets are not paid with one',
    [line('A', 4000, 1, { typeIds: ['t'] }), line('B', 1000)],
    offers({
      campaigns: [campaign(fold('50'), { typeIds: ['t'], withTicket: false })],
      tickets: [ticket({ amount: 2000 })],
    }),
    2000,
    (p) => expect(p.ticketAmount).toBe(1000),
  ],
  [
    'points pay their share of the rest, in whole cents',
    [line('A', 1999)],
    offers({ points: { wanted: 5000, perYuan: 100, shareRate: 5000 } }),
    1000,
    (p) => expect([p.pointsAmount, p.points]).toEqual([999, 999]),
  ],
  [
    'no more points than the customer offers',
    [line('A', 1999)],
    offers({ points: { wanted: 250, perYuan: 100, shareRate: 5000 } }),
    1749,
    (p) => expect(p.points).toBe(250),
  ],
  [
    'all of it at once: member, campaign, ticket, points',
    [line('A', 4000, 1, { member: { price: 3600, refId: 'v' } })],
    offers({
      member,
      campaigns: [campaign(full('30', '5'))],
      tickets: [ticket()],
      points: { wanted: 10_000, perYuan: 100, shareRate: 5000 },
    }),
    1300,
    (p) => expect([p.vipAmount, p.campaignAmount, p.ticketAmount, p.pointsAmount]).toEqual([400, 500, 500, 1300]),
  ],
]

describe('a basket, by hand:', () => {
  it.each(examples)('%s', (_name, basket, given, expected, also) => {
    const priced = priceBasket(basket, given)
    expect(cents(priced)).toBe(expected)
    also(priced)
  })
})

const upcs = ['A', 'B', 'C', 'D']
const types = ['t1', 't2']
const money = fc.integer({ min: 0, max: 20_000 })
const rate = fc.integer({ min: 0, max: 9999 })
const goods = fc.record({ price: money, member: fc.option(money), typeIds: fc.subarray(types) })
const scope = { upcs: fc.subarray(upcs, { maxLength: 2 }), typeIds: fc.subarray(types, { maxLength: 1 }) }
const anyRule: fc.Arbitrary<CampaignRule> = fc.oneof(
  fc
    .tuple(fc.integer({ min: 1, max: 20_000 }), fc.integer({ min: 1, max: 20_000 }), fc.boolean())
    .map(([a, b, repeat]): CampaignRule => ({
      type: 'fullReduction',
      tiers: [{ over: Math.max(a, b), off: Math.min(a, b) }],
      repeat,
    })),
  fc.record({ type: fc.constant('percentage' as const), rate, cap: fc.option(money) }),
  fc.record({
    type: fc.constant('fixedPrice' as const),
    price: money,
    maxPieces: fc.option(fc.integer({ min: 1, max: 5 })),
  }),
  fc.record({ type: fc.constant('nthPiece' as const), n: fc.integer({ min: 2, max: 4 }), rate, mixed: fc.boolean() }),
  fc.record({
    type: fc.constant('bundle' as const),
    pieces: fc.integer({ min: 2, max: 4 }),
    price: money,
    items: fc.constant([]),
  }),
  fc.record({
    type: fc.constant('bundle' as const),
    pieces: fc.constant(3),
    price: money,
    items: fc.constant([
      { upc: 'A', quantity: 1 },
      { upc: 'B', quantity: 2 },
    ]),
  }),
)
const anyCampaign = fc.record({
  id: fc.integer({ min: 1, max: 9999 }).map(String),
  name: fc.constant('c'),
  rule: anyRule,
  priority: fc.integer({ min: 0, max: 3 }),
  membersOnly: fc.boolean(),
  stackable: fc.boolean(),
  withVip: fc.boolean(),
  withTicket: fc.boolean(),
  left: fc.option(fc.integer({ min: -100, max: 5000 })),
  times: fc.option(fc.integer({ min: 0, max: 2 })),
  ...scope,
})
const anyTicket = fc.record({
  id: fc.integer({ min: 10_000, max: 19_999 }).map(String),
  name: fc.constant('t'),
  type: fc.constantFrom('amount' as const, 'rate' as const),
  threshold: money,
  amount: money,
  rate,
  cap: fc.option(money),
  stackable: fc.boolean(),
  endTime: fc.constantFrom('2030', '2031'),
  ...scope,
})
const unique = <T extends { id: string }>(rows: T[]) => [...new Map(rows.map((row) => [row.id, row])).values()]
const anyOffers: fc.Arbitrary<BasketOffers> = fc.record({
  member: fc.option(fc.record({ levelId: fc.constant('L'), name: fc.constant('l'), rate }), { nil: undefined }),
  memberDay: fc.option(fc.record({ id: fc.constant('d'), name: fc.constant('d'), rate }), { nil: undefined }),
  campaigns: fc.array(anyCampaign, { maxLength: 5 }).map(unique),
  tickets: fc.array(anyTicket, { maxLength: 3 }).map(unique),
  ticketChoice: fc.constantFrom('best' as const, 'all' as const),
  points: fc.option(
    fc.record({
      wanted: fc.integer({ min: 0, max: 50_000 }),
      perYuan: fc.integer({ min: 0, max: 500 }),
      shareRate: fc.integer({ min: 0, max: 10_000 }),
    }),
    { nil: undefined },
  ),
})
const anyBasket = fc
  .tuple(
    fc.array(goods, { minLength: 4, maxLength: 4 }),
    fc.array(fc.tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 1, max: 6 })), { minLength: 1, maxLength: 8 }),
  )
  .map(([kinds, lines]) =>
    lines.map(([which, quantity]): BasketLine => {
      const { price, member: own, typeIds } = kinds[which]!
      return line(upcs[which]!, price, quantity, {
        typeIds,
        member: own === null ? null : { price: own, refId: `v${which}` },
      })
    }),
  )
const runs = { numRuns: 600 }

describe('any basket with any offers', () => {
  it('costs neither less than nothing nor more than the shelf price, in sum and by line', () => {
    fc.assert(
      fc.property(anyBasket, anyOffers, (basket, given) => {
        const priced = priceBasket(basket, given)
        expect(priced.goodsAmount).toBe(basket.reduce((sum, one) => sum + one.price * one.quantity, 0))
        for (const one of priced.lines) {
          expect(one.amount).toBeGreaterThanOrEqual(0)
          expect(one.amount).toBeLessThanOrEqual(one.price * one.quantity)
        }
      }),
      runs,
    )
  })

  it('is explained to the cent: parts of lines, lines, kinds and the whole agree', () => {
    fc.assert(
      fc.property(anyBasket, anyOffers, (basket, given) => {
        const priced = priceBasket(basket, given)
        for (const one of priced.lines) {
          expect(one.benefits.reduce((sum, benefit) => sum + benefit.amount, 0)).toBe(one.discount)
          expect(one.benefits.every((benefit) => Number.isInteger(benefit.amount) && benefit.amount > 0)).toBe(true)
        }
        expect(priced.payAmount).toBe(
          priced.goodsAmount - priced.vipAmount - priced.campaignAmount - priced.ticketAmount - priced.pointsAmount,
        )
        const by = (id: string) =>
          priced.lines
            .flatMap((one) => one.benefits)
            .reduce((sum, benefit) => (benefit.refId === id ? sum + benefit.amount : sum), 0)
        for (const one of [...priced.campaigns, ...priced.tickets]) expect(by(one.id)).toBe(one.amount)
      }),
      runs,
    )
  })

  it('costs the same however its lines stand and however they are split', () => {
    fc.assert(
      fc.property(anyBasket, anyOffers, fc.array(fc.nat(), { minLength: 8, maxLength: 8 }), (basket, given, order) => {
        const split = basket.flatMap((one) =>
          one.quantity > 1
            ? [
                { ...one, quantity: 1 },
                { ...one, quantity: one.quantity - 1 },
              ]
            : [one],
        )
        const mixed = split
          .map((one, at) => ({ one, key: order[at % 8]! }))
          .sort((a, b) => a.key - b.key)
          .map(({ one }) => one)
        const turned = { ...given, campaigns: given.campaigns.toReversed(), tickets: given.tickets.toReversed() }
        expect(priceBasket(mixed, turned)).toEqual(priceBasket(basket, given))
      }),
      runs,
    )
  })

  it('never gives more than a budget has left, nor to those whom a campaign leaves out', () => {
    fc.assert(
      fc.property(anyBasket, anyOffers, (basket, given) => {
        for (const used of priceBasket(basket, given).campaigns) {
          const offer = given.campaigns.find((one) => one.id === used.id)!
          expect(used.amount).toBeLessThanOrEqual(offer.left ?? Infinity)
          expect(offer.times ?? Infinity).toBeGreaterThan(0)
          expect(!offer.membersOnly || given.member !== undefined).toBe(true)
        }
      }),
      runs,
    )
  })

  it('costs a member no more than a stranger, before points', () => {
    fc.assert(
      fc.property(anyBasket, anyOffers, (basket, { points: _points, ...given }) => {
        const stranger = priceBasket(basket, { ...given, member: undefined })
        expect(priceBasket(basket, { ...given, member }).payAmount).toBeLessThanOrEqual(stranger.payAmount)
      }),
      { numRuns: 300 },
    )
  })

  it('spends no more points than the customer offers, and no point for nothing', () => {
    fc.assert(
      fc.property(anyBasket, anyOffers, (basket, given) => {
        const priced = priceBasket(basket, given)
        expect(priced.points).toBeLessThanOrEqual(given.points?.wanted ?? 0)
        expect(priced.points > 0).toBe(priced.pointsAmount > 0)
      }),
      runs,
    )
  })
})

describe('rules', () => {
  it('come back from the wire as they went', () => {
    fc.assert(
      fc.property(anyRule, (one) => {
        const wire = campaignRuleToWire(one)
        expect(campaignRuleToWire(parseCampaignRule(one.type, JSON.parse(JSON.stringify(wire)))!)).toEqual(wire)
      }),
    )
  })

  it.each([
    ['fullReduction', { tiers: [] }],
    ['fullReduction', { tiers: [{ over: '5', off: '6' }] }],
    [
      'fullReduction',
      {
        tiers: [
          { over: '30', off: '5' },
          { over: '60', off: '4' },
        ],
      },
    ],
    ['percentage', { rate: '100' }],
    ['percentage', { rate: '-1' }],
    ['percentage', {}],
    ['fixedPrice', { price: '-2' }],
    ['fixedPrice', { price: 'x' }],
    ['nthPiece', { n: 1, rate: '50' }],
    ['nthPiece', { n: 2.5, rate: '50' }],
    ['bundle', { pieces: 1, price: '5' }],
    ['bundle', { items: [{ upc: 'A', quantity: 1 }], price: '5' }],
    [
      'bundle',
      {
        items: [
          { upc: 'A', quantity: 1 },
          { upc: 'A', quantity: 1 },
        ],
        price: '5',
      },
    ],
    ['lottery', {}],
    ['percentage', []],
    ['percentage', null],
  ])('that make no sense are no rules: %s %j', (type, given) => {
    expect(parseCampaignRule(type, given)).toBeUndefined()
  })

  it.each([
    ['fullReduction', { tiers: [] }, [['tiers.0.over', 'required']]],
    ['fullReduction', { tiers: [{ over: '30', off: '' }] }, [['tiers.0.off', 'required']]],
    ['fullReduction', { tiers: [{ over: '5', off: '6' }] }, [['tiers.0.off', 'too_large']]],
    // Problems name the position as written, not the sorted one.
    [
      'fullReduction',
      {
        tiers: [
          { over: '60', off: '4' },
          { over: '30', off: '5' },
        ],
      },
      [['tiers.0.off', 'too_small']],
    ],
    [
      'fullReduction',
      {
        tiers: [
          { over: '30', off: '5' },
          { over: '30', off: '9' },
        ],
      },
      [['tiers.1.over', 'too_small']],
    ],
    [
      'fullReduction',
      {
        tiers: [
          { over: '30', off: '5' },
          { over: '60', off: '12' },
        ],
        repeat: true,
      },
      [['repeat', 'bad_format']],
    ],
    [
      'percentage',
      { rate: '100', cap: 'x' },
      [
        ['rate', 'too_large'],
        ['cap', 'not_money'],
      ],
    ],
    [
      'fixedPrice',
      { price: '', maxPieces: '1.5' },
      [
        ['price', 'required'],
        ['maxPieces', 'not_an_integer'],
      ],
    ],
    [
      'nthPiece',
      { n: 1, rate: '' },
      [
        ['n', 'too_small'],
        ['rate', 'required'],
      ],
    ],
    ['bundle', { price: '5' }, [['pieces', 'required']]],
    ['bundle', { named: true, items: [], pieces: 3, price: '5' }, [['items', 'required']]],
    ['bundle', { items: [{ upc: 'A', quantity: 1 }], price: '5' }, [['items.0.quantity', 'too_small']]],
    [
      'bundle',
      {
        items: [
          { upc: 'A', quantity: 1 },
          { upc: 'A', quantity: 0 },
        ],
        price: '',
      },
      [
        ['items.1.upc', 'taken'],
        ['items.1.quantity', 'too_small'],
        ['price', 'required'],
      ],
    ],
  ] as const)('say which number is wrong: %s %j', (type, given, wrong) => {
    const found = validateCampaignRule(type, given)
    expect('problems' in found && found.problems.map(({ at, problem }) => [at, problem.code])).toEqual(wrong)
    for (const { label, problem } of (found as { problems: RuleProblem[] }).problems)
      expect(fieldProblemSentence(problem, { label }, 'en')).not.toContain('{')
  })

  it('promise in a sentence what they do', () => {
    expect(
      campaignPromiseText(
        rule('fullReduction', {
          tiers: [
            { over: '30', off: '5' },
            { over: '60', off: '12' },
          ],
        }),
      ),
    ).toEqual({ zh: '满 30 减 5，满 60 减 12', en: '¥5 off from ¥30, ¥12 off from ¥60' })
    expect(campaignPromiseText(half)).toEqual({ zh: '任选第 2 件半价', en: '50% off every 2nd piece, any mix' })
    expect(campaignPromiseText(fold('85', '20')).zh).toBe('打 8.5 折，最多减 20')
    expect(campaignPromiseText(rule('bundle', { pieces: 3, price: '9.90' })).zh).toBe('任选 3 件 9.90 元')
    const set = (names: string[]) =>
      campaignPromiseText(
        rule('bundle', { price: '12', items: names.map((name, at) => ({ upc: `A${at}`, quantity: at + 1, name })) }),
      )
    expect(set(['拿铁', '可颂'])).toEqual({ zh: '拿铁 + 可颂 ×2 组合价 12 元', en: '拿铁 + 可颂 ×2 together for ¥12' })
    expect(set(['拿铁', '可颂', '香蕉', '酸奶']).zh).toBe('4 种商品 组合价 12 元')
  })
})

describe('an example of a rule', () => {
  const goods: CampaignGoods[] = [
    { upc: 'A', name: '可乐', price: 350, cost: 200 },
    { upc: 'B', name: '薯片', price: 750, cost: 500 },
    { upc: 'C', name: '水', price: 200, cost: 80 },
    { upc: 'D', name: '赠品', price: 0, cost: 10 },
  ]
  it.each([
    ['fullReduction', { tiers: [{ over: '30', off: '5' }] }, '可乐 ×3 薯片 ×3 水 ×2', 3700, 3200],
    ['percentage', { rate: '80' }, '可乐 ×1 薯片 ×1 水 ×1', 1300, 1040],
    ['fixedPrice', { price: '3', maxPieces: 2 }, '可乐 ×3', 1050, 950],
    ['nthPiece', { n: 2, rate: '50', mixed: true }, '可乐 ×1 薯片 ×1', 1100, 925],
    ['nthPiece', { n: 3, rate: '0', mixed: false }, '可乐 ×3', 1050, 700],
    ['bundle', { pieces: 3, price: '10' }, '可乐 ×1 薯片 ×1 水 ×1', 1300, 1000],
    [
      'bundle',
      {
        items: [
          { upc: 'B', quantity: 2 },
          { upc: 'C', quantity: 1 },
        ],
        price: '15',
      },
      '薯片 ×2 水 ×1',
      1700,
      1500,
    ],
    ['fixedPrice', { price: '2' }, '可乐 ×2', 700, 400],
  ] as const)('is a basket of real goods that the rule counts for: %s %j', (type, given, basket, shelf, pays) => {
    const found = createCampaignExample(rule(type, given), goods)!
    expect([
      found.lines.map((one) => `${one.name} ×${one.quantity}`).join(' '),
      found.priced.goodsAmount,
      found.priced.payAmount,
    ]).toEqual([basket, shelf, pays])
  })

  it('is not made up where there are no goods for it', () => {
    expect(createCampaignExample(rule('percentage', { rate: '80' }), [])).toBeUndefined()
    expect(
      createCampaignExample(
        rule('bundle', {
          items: [
            { upc: 'B', quantity: 1 },
            { upc: 'gone', quantity: 1 },
          ],
          price: '5',
        }),
        goods,
      ),
    ).toBeUndefined()
    expect(createCampaignExample(rule('fixedPrice', { price: '9' }), goods)).toBeUndefined()
  })
})

it('a basket of ten thousand pieces meets a hundred campaigns without holding anybody up', async () => {
  const upcs = Array.from({ length: 500 }, (_unused, at) => `690${at}`)
  const basket = upcs.map((upc): BasketLine => ({ upc, goodId: upc, name: upc, price: 777, quantity: 20, typeIds: [] }))
  const rules: CampaignRule[] = [
    { type: 'percentage', rate: 9_900, cap: null },
    { type: 'nthPiece', n: 3, rate: 9_000, mixed: true },
    { type: 'fullReduction', tiers: [{ over: 100, off: 1 }], repeat: true },
    { type: 'fixedPrice', price: 700, maxPieces: null },
  ]
  const campaigns = Array.from({ length: 100 }, (_unused, at): CampaignOffer => ({
    id: String(at + 1),
    name: `活动 ${at}`,
    rule: rules[at % rules.length]!,
    priority: at,
    membersOnly: false,
    stackable: true,
    withVip: true,
    withTicket: true,
    left: null,
    times: null,
    upcs: upcs.toReversed(),
    typeIds: [],
  }))
  const offers = {
    campaigns,
    tickets: [],
    ticketChoice: 'all',
    member: { levelId: '1', name: '', rate: 9_800 },
  } as const
  expect(await eventLoopBlockOf(() => priceBasketWithoutBlocking(basket, offers))).toBeLessThan(BLOCK_MAX_MS)
  const small = basket.slice(0, 20)
  expect(await priceBasketWithoutBlocking(small, offers)).toEqual(priceBasket(small, offers))
}, 60_000)
