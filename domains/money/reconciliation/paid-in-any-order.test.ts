import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '#kit/server/database/db.ts'
import { checkLedgers } from '#domains/sales/orders/api.ts'
import { testAccount, type TestAccount } from './test-account.ts'

// Random sequences: any channel, orders, recharges and fees, partial refunds, reused numbers. `npm run money-sequences`
// plays hundreds.

const SEQUENCES = Number(process.env.PAID_SEQUENCES ?? 60)
const SEED = Number(process.env.PAID_SEED ?? 20_261_128)
const CENTS = 1000
const NUMBERS = 4

let account: TestAccount
beforeAll(async () => void (account = await testAccount()))
afterAll(() => account?.close())

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('pay' as const),
      what: fc.constantFrom('order' as const, 'recharge' as const, 'fee' as const),
      channel: fc.constantFrom(
        'wechat' as const,
        'wechat' as const,
        'wechat' as const,
        'cash' as const,
        'alipay' as const,
        'card' as const,
      ),
      number: fc.integer({ min: 0, max: NUMBERS - 1 }),
      isInShop: fc.boolean(),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('refund' as const),
      which: fc.nat(7),
      cents: fc.constantFrom(1, 333, 500, 1000),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('compare' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('settle' as const), times: fc.integer({ min: 1, max: 3 }) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('jobs' as const) }) },
)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never
type Paid = {
  what: 'order' | 'recharge' | 'fee'
  id: string
  channel: string
  number: string | null
  wxUserId?: string
  back: number
}

class Play {
  readonly paid: Paid[] = []
  /** Numbers that have paid or were refunded. */
  readonly used = new Set<string>()
  readonly numbers: string[]
  readonly day = account.dayAt(0)
  readonly days = [this.day]
  isOver = false
  constructor(run: number) {
    this.numbers = Array.from({ length: NUMBERS }, (_none, n) => `45${String(run).padStart(6, '0')}${n}`)
    for (const no of this.numbers) account.pay(no, CENTS)
  }

  async take(one: Step): Promise<void> {
    if (one.kind === 'pay') return this.pay(one)
    if (one.kind === 'refund') return this.refund(one)
    if (one.kind === 'compare') return this.compare()
    if (one.kind === 'jobs') return account.runJobs(2)
    await this.settle(one.times)
  }

  async pay({ what, channel, number, isInShop }: Step & { kind: 'pay' }): Promise<void> {
    const no = this.numbers[number]!
    const isRefused = channel !== 'cash' && (this.used.has(no) || (await this.wentBack(no)))
    const made = await this.told(what, channel, no, isInShop)
    expect([what, channel, no, made === undefined]).toEqual([what, channel, no, isRefused])
    if (!made) return
    if (channel !== 'cash') this.used.add(no)
    this.paid.push({ what, channel, number: channel === 'cash' ? null : no, back: 0, ...made })
  }

  /** Reports a payment; returns nothing when its number is refused. */
  async told(
    what: Paid['what'],
    payType: 'wechat' | 'cash' | 'alipay' | 'card',
    transactionNo: string,
    isInShop: boolean,
  ) {
    if (what === 'order')
      return account.order(transactionNo, payType, CENTS).then(
        ({ id }) => ({ id }),
        (error: { code?: string }) => void expect(error.code).toBe('transaction_used'),
      )
    const wxUserId = await account.customer()
    const shop = isInShop ? { shopId: account.shopId } : {}
    const body = { wxUserId, payType, transactionNo, reason: '到店办理', ...shop }
    const { status, data } =
      what === 'recharge'
        ? await account.call('shop/rechargeLog/recharge', { ...body, amount: '10.00' })
        : await account.call('shop/annualFeeLog/buy', { ...body, confId: account.feeConfId })
    if (status === 200) return { id: data.id as string, wxUserId }
    expect(data.reason).toBe('transaction_used')
    return undefined
  }

  async refund({ which, cents }: Step & { kind: 'refund' }): Promise<void> {
    const one = this.paid[which]
    if (!one) return
    const amount = (cents / 100).toFixed(2)
    const [detail] =
      one.what === 'order' ? await account.rows('shopping_order_detail', sql`r.order_id = ${one.id}`) : []
    const { status } = detail
      ? await account.call('shop/refunds/now', {
          orderId: one.id,
          lines: [{ detailId: detail.id, quantity: 0, amount }],
          reason: '商品破损',
          restock: false,
        })
      : await account.call(
          `shop/${one.what === 'fee' ? 'annualFeeLog' : 'rechargeLog'}/refund`,
          { amount, reason: '顾客不再来' },
          { id: one.id },
        )
    const fits = one.back + cents <= CENTS
    expect([one.what, one.back, cents, status === 200]).toEqual([one.what, one.back, cents, fits])
    if (fits) one.back += cents
  }

  /** Presses the button of each difference several times at once. */
  async settle(times: number): Promise<void> {
    for (const { id, kind } of await account.open(this.day))
      if (kind === 'payWithoutOrder')
        for (const { status } of await Promise.all(Array.from({ length: times }, () => account.settle(id))))
          expect([200, 400, 409]).toContain(status)
  }

  /** Compares the day after it has ended; later reports of the day are late. */
  async compare(): Promise<void> {
    if (!this.isOver) account.advance(86_400)
    this.isOver = true
    await account.compare(this.day)
  }

  wentBack = async (no: string) => (await account.rows('tally_back', sql`r.transaction_no = ${no}`)).length > 0

  /** Lets requests finish and the day end, then returns what belongs to nothing. */
  async end(): Promise<void> {
    const finishRequests = async () => {
      for (let n = 0; n < 3; n++) {
        await account.runJobs(2)
        account.advance(61)
      }
    }
    await finishRequests()
    await this.compare()
    await this.settle(2)
    await finishRequests()
    const next = account.dayAt(0)
    account.advance(86_400)
    await account.compare(next)
    await account.compare(this.day)
    this.days.push(next)
  }

  async expectSettled(): Promise<void> {
    for (const no of this.numbers) {
      const by = this.paid.filter((one) => one.number === no)
      expect(by.length).toBeLessThanOrEqual(1)
      const refunded = account.wechat.world.payments.get(no)!.refunded
      const expected = by[0] ? (by[0].channel === 'wechat' ? by[0].back : 0) : CENTS
      expect([no, by[0]?.what, by[0]?.channel, refunded]).toEqual([no, by[0]?.what, by[0]?.channel, expected])
    }
    for (const one of this.paid.filter(({ what }) => what === 'recharge')) {
      const [holder] = await account.rows('wx_user', sql`r.id = ${one.wxUserId}`)
      expect([one.id, holder.balance]).toEqual([one.id, CENTS - one.back])
    }
    for (const day of this.days) {
      const [row] = await account.rows('tally_day', sql`r.day = ${day}`)
      const open = (await account.open(day)).filter(({ state }) => state !== 'explained')
      expect([day, row.remainder, open.map(({ kind, mark }) => [kind, mark])]).toEqual([day, 0, []])
    }
    expect(await account.inTenant(checkLedgers)).toEqual([])
  }
}

test(
  'what was paid is there or went back, once, whoever used its number again, in whatever order',
  async () => {
    const sequences = fc.sample(fc.array(step, { minLength: 8, maxLength: 16 }), { numRuns: SEQUENCES, seed: SEED })
    for (const [run, steps] of sequences.entries()) {
      account.toNoonTomorrow()
      await account.stay()
      const play = new Play(run)
      for (const one of steps) await play.take(one)
      await play.end()
      await play.expectSettled()
    }
  },
  60_000 + SEQUENCES * 10_000,
)
