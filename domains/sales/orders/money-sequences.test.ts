import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { merchantConsistencySql } from '#domains/money/merchant-accounts/api.ts'
import { sql } from '#kit/server/database/db.ts'
import { REFUND_STATE } from './dictionaries.ts'
import { checkLedgers } from './ledgers.ts'
import { RECEIVERS, testMoney, type PaidOrder, type TestMoney } from './test-money.ts'

/** Sequences to run; `npm run money-sequences` runs ten thousand. */
const SEQUENCES = Number(process.env.MONEY_SEQUENCES ?? 160)
const SEED = Number(process.env.MONEY_SEED ?? 20_261_124)
/** Sequences that run in parallel. */
const BATCH = SEQUENCES > 1000 ? 250 : 60
const CALLERS = 6
const STEPS = 6
const DEADLY = 0.12
const DRAIN_ROUNDS = 60

let money: TestMoney
beforeAll(async () => void (money = await testMoney(SEED)))
afterAll(() => money?.close())

const PATHS = [/refunds$/, /refunds\//, /profitsharing\/orders$/, /orders\//, /return-orders/, /amounts$/, /unfreeze$/]
const FAULTS = [
  'silent',
  'deaf after doing',
  'down',
  'wrong sign',
  { status: 500, code: 'SYSTEM_ERROR' },
  { status: 429, code: 'FREQUENCY_LIMITED' },
] as const
const first = fc.record({
  kind: fc.constant('share' as const),
  to: fc.uniqueArray(fc.constantFrom(...RECEIVERS), { minLength: 1, maxLength: 3 }),
  /** Percentage each receiver gets. */
  part: fc.integer({ min: 1, max: 16 }),
})
const step = fc.oneof(
  { weight: 5, arbitrary: first },
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('refund' as const), tenths: fc.option(fc.integer({ min: 1, max: 9 })) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('unfreeze' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('retry' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('event' as const),
      how: fc.constantFrom('early' as const, 'forged' as const, 'old' as const, 'strange' as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('ending' as const),
      ending: fc.constantFrom('CLOSED' as const, 'ABNORMAL' as const),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('fault' as const),
      fault: fc.constantFrom(...FAULTS),
      path: fc.constantFrom(...PATHS),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('broke' as const), who: fc.constantFrom(...RECEIVERS) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('nothing' as const) }) },
)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never
/** Most sequences begin with a share, so that later steps have something to act on. */
const sequence = fc.record({
  pieces: fc.integer({ min: 1, max: 20 }),
  steps: fc
    .tuple(fc.option(first), fc.array(step, { minLength: 2, maxLength: STEPS - 1 }))
    .map(([one, rest]) => (one ? [one, ...rest] : rest)),
})

type RefundPart = {
  id: string
  outNo: string
  state: string
  amount: number
  refundNo: string
  transactionNo: string
  note: string
}
/** The payments of these orders' refunds as stored. */
const partsOf = (orders: readonly PaidOrder[]) =>
  money.unit((db) =>
    db.query<RefundPart & { orderId: string; status: number }>(
      sql`select m.id, m.order_id, m.out_no, m.state, m.amount, r.refund_no, m.transaction_no, r.status,
        coalesce(r.channel_note, '') as note from refund_payment m
        join refunds r on r.id = m.refund_id and r.tenant_id = m.tenant_id where m.tenant_id = ${db.tenantId}
        and m.order_id = any(${orders.map(({ id }) => id)}::bigint[]) order by m.id`,
    ),
  )
const movesOf = (orders: readonly PaidOrder[]) =>
  money.unit((db) =>
    db.query<{
      orderId: string
      kind: string
      outOrderNo: string
      status: number
      amount: number
      finishAmount: number
      ofShareNo: string | null
    }>(
      sql`select order_id, coalesce(kind, 'share') as kind, out_order_no, status, amount, finish_amount, of_share_no
        from share_log where tenant_id = ${db.tenantId}
        and order_id = any(${orders.map(({ id }) => id)}::bigint[]) order by id`,
    ),
  )

const REFUSALS = ['share_', 'refund_', 'order_', 'receiver']
/** Performs a request; false when a rule refused it. Any other error fails the test. */
async function attempt(ask: ReturnType<TestMoney['post']>): Promise<boolean> {
  const { status, data, body } = await ask
  if (status === 200) return true
  const reason = String((data as { reason?: string } | undefined)?.reason ?? '')
  if (!REFUSALS.some((one) => reason.startsWith(one))) throw new Error(JSON.stringify(body))
  return false
}

let asks = 0
/** How the next refund of a payment will end at WeChat Pay. */
const endings = new Map<string, 'CLOSED' | 'ABNORMAL'>()
const bewitch = () => {
  for (const refund of money.wechat.world.refunds.values()) {
    const ending = endings.get(refund.payment.transactionId)
    if (refund.status !== 'PROCESSING' || !ending) continue
    refund.ending = ending
    endings.delete(refund.payment.transactionId)
  }
}
const acts: { [K in Step['kind']]: (order: PaidOrder, one: Extract<Step, { kind: K }>) => Promise<boolean> } = {
  share: (order, { to, part }) => {
    const each = Math.max(1, Math.floor((order.total * part) / 100))
    const receivers = to.map((account) => ({
      type: account.startsWith('o') ? 'PERSONAL_OPENID' : 'MERCHANT_ID',
      account,
      name: account.startsWith('o') ? '' : '云服务',
      amount: (each / 100).toFixed(2),
    }))
    const body = { orderId: order.id, receivers, description: '技术服务费' }
    return attempt(money.post('merchant/shareLog/submit', { body }))
  },
  refund: ({ id, detailId, pieces }, { tenths }) => {
    const quantity = Math.max(1, Math.round((pieces * (tenths ?? 0)) / 10))
    const what = tenths ? { lines: [{ detailId, quantity }] } : { full: true }
    const body = { orderId: id, reason: '商品破损', restock: true, requestKey: `money-${++asks}`, ...what }
    return attempt(money.post('shop/refunds/now', { body }))
  },
  unfreeze: async ({ id }) => {
    const [row] = await money.unit((db) =>
      db.query<{ id: string }>(sql`select id from share_log where tenant_id = ${db.tenantId} and order_id = ${id}
        and status in (2, 3) and coalesce(kind, 'share') = 'share' limit 1`),
    )
    return row ? attempt(money.post('merchant/shareLog/unfreeze', { query: { id: row.id } })) : false
  },
  retry: async (order) => {
    const [row] = await failedOf([order])
    return row ? attempt(money.post('shop/refunds/retry', { query: { id: row.id } })) : false
  },
  event: async (order, { how }) => {
    const [part] = await partsOf([order])
    if (!part) return false
    const plain = { out_refund_no: how === 'strange' ? 'RF404' : part.outNo, refund_status: 'SUCCESS' }
    const { world, callbacks } = money.wechat
    const seal = {
      early: {},
      strange: {},
      forged: { privateKey: world.certificate.privateKey },
      old: { at: world.now() - 400_000 },
    }[how]
    const isTheirs = how === 'early' || how === 'strange'
    expect(await callbacks.push(money.notifyUrl, 'REFUND.SUCCESS', plain, seal)).toBe(isTheirs ? 204 : 403)
    return true
  },
  ending: async ({ transactionNo }, { ending }) => {
    endings.set(transactionNo, ending)
    return true
  },
  fault: async (_order, { fault, path }) => {
    money.wechat.faults.push({ kind: fault, path, times: money.random.int(1, 4) })
    return true
  },
  broke: async (_order, { who }) => {
    money.wechat.world.balances.set(who, 0)
    return true
  },
  nothing: async () => true,
}
const failedOf = (orders: readonly PaidOrder[]) =>
  money.unit((db) =>
    db.query<{ id: string }>(sql`select id from refunds where tenant_id = ${db.tenantId}
      and status = ${REFUND_STATE.failed} and order_id = any(${orders.map(({ id }) => id)}::bigint[]) order by id`),
  )

/** Refunds that still fail without any fault, except those of money shared with persons. */
const whyNot = (orders: readonly PaidOrder[]) =>
  money.unit((db) =>
    db.query(sql`select order_id, refund_no, fail_reason from refunds where tenant_id = ${db.tenantId}
      and status = ${REFUND_STATE.failed} and fail_reason not like '%个人%'
      and order_id = any(${orders.map(({ id }) => id)}::bigint[])`),
  )

async function inTurns<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  let next = 0
  const caller = async () => {
    while (next < all.length) await work(all[next++]!)
  }
  await Promise.all(Array.from({ length: CALLERS }, caller))
}

const done = new Map<string, number>()
type Played = { order: PaidOrder; steps: readonly Step[] }

/** Runs the sequences of a batch step by step, with jobs, callbacks and crashes between the steps. */
async function play(batch: readonly Played[]): Promise<void> {
  const { random, wechat } = money
  for (let at = 0; at < STEPS; at++) {
    wechat.callbacks.mood = random.pick(['well', 'twice', 'held', 'never'] as const)
    money.fill()
    await inTurns(batch, async ({ order, steps }) => {
      const one = steps[at]
      if (!one) return
      const isDone = await (acts[one.kind] as (order: PaidOrder, one: Step) => Promise<boolean>)(order, one)
      if (isDone) done.set(one.kind, (done.get(one.kind) ?? 0) + 1)
    })
    await money.work(DEADLY)
    bewitch()
    money.advance(random.pick([1, 8, 31, 70]))
    await wechat.tick()
    if (random.chance(0.3)) await wechat.callbacks.release()
    await money.work(DEADLY)
  }
}

/** Stops all faults and runs jobs until nothing is under way. */
async function drainMoneyJobs(orders: readonly PaidOrder[]): Promise<void> {
  const { wechat } = money
  wechat.faults.length = 0
  endings.clear()
  wechat.callbacks.mood = 'well'
  money.fill()
  await wechat.callbacks.release()
  for (let round = 0; round < DRAIN_ROUNDS; round++) {
    // A refund that cannot reach its card is redirected by hand at WeChat Pay.
    for (const one of wechat.world.refunds.values())
      if (one.status === 'ABNORMAL') Object.assign(one, { status: 'PROCESSING', ending: 'SUCCESS' })
    const worked = await money.work()
    const wait = await money.nextIn()
    if (!worked && wait === undefined) break
    money.advance(Math.max(31, wait ?? 0))
    await wechat.tick()
  }
  const open = await partsOf(orders)
  expect(open.filter(({ status }) => status === REFUND_STATE.approved || status === REFUND_STATE.processing)).toEqual(
    [],
  )
  expect((await movesOf(orders)).filter(({ status }) => status < 2)).toEqual([])
}

/** Returns violations of what must hold for an order's money: here, at WeChat Pay, and between both. */
function faultsOf(
  { id, total, transactionNo }: PaidOrder,
  parts: readonly (RefundPart & { orderId: string })[],
  moves: Awaited<ReturnType<typeof movesOf>>,
): string[] {
  const { refunds, shares, returns } = money.wechat.world
  const out: string[] = []
  const must = (isTrue: boolean, ...what: unknown[]) => void (isTrue || out.push(`${id}: ${JSON.stringify(what)}`))
  const ownRefunds = [...refunds.values()].filter(({ payment }) => payment.transactionId === transactionNo)
  const live = ownRefunds.filter(({ status }) => status !== 'CLOSED')
  const back = live.reduce((sum, { amount }) => sum + amount, 0)
  must(back <= total, 'refunded more than paid', back, total)
  must(
    live.every(({ status }) => status === 'SUCCESS'),
    'not in a final state there',
    live.map(({ status }) => status),
  )
  for (const { outNo, refundNo, state, amount } of parts) {
    const mine = live.filter((one) => one.outNo === refundNo || one.outNo.startsWith(`${refundNo}_`))
    must(mine.length <= 1, 'one refund asked under several numbers', refundNo)
    if (state === 'done') must(mine[0]?.outNo === outNo && mine[0]?.amount === amount, 'done, but not there', outNo)
    else must(!mine.length, 'there, but not done', outNo, state)
  }
  must(
    back === parts.filter(({ state }) => state === 'done').reduce((sum, { amount }) => sum + amount, 0),
    'what is refunded there and here',
  )
  const shared = [...shares.values()].filter(
    ({ payment, isUnfreeze }) => payment.transactionId === transactionNo && !isUnfreeze,
  )
  const given = shared
    .flatMap(({ lines }) => lines)
    .reduce((sum, one) => sum + (one.result === 'SUCCESS' ? one.amount : 0), 0)
  must(given <= Math.floor(total * 0.3), 'shared more than allowed', given, total)
  for (const { kind, outOrderNo, status, finishAmount, amount, ofShareNo } of moves) {
    if (kind === 'share') {
      const lines = shares.get(outOrderNo)?.lines ?? []
      const kept = lines.reduce((sum, one) => sum + (one.result === 'SUCCESS' ? one.amount - one.returned : 0), 0)
      must(finishAmount === kept, 'a share here and there', outOrderNo, finishAmount, kept)
    }
    if (kind === 'return') {
      const isBack = returns.get(outOrderNo)?.result === 'SUCCESS'
      must((status === 2) === isBack, 'a return here and there', outOrderNo, status)
      must(!isBack || returns.get(outOrderNo)!.amount === amount, 'a return of another amount', outOrderNo)
      must(
        moves.some((one) => one.outOrderNo === ofShareNo),
        'a return of no share',
        outOrderNo,
      )
    }
    if (kind === 'unfreeze' && status === 2) must(shares.has(outOrderNo) || live.length > 0, 'let go, but not there')
  }
  must(
    shared.length === moves.filter((one) => shares.has(one.outOrderNo) && one.kind === 'share').length,
    'shares of nobody',
  )
  return out
}

/** Checks all orders, and that each merchant's balance at WeChat Pay equals the sum of its bookings. */
async function allIsWell(orders: readonly PaidOrder[]): Promise<void> {
  const [parts, moves] = [await partsOf(orders), await movesOf(orders)]
  const partsBy = Map.groupBy(parts, ({ orderId }) => orderId)
  const movesBy = Map.groupBy(moves, ({ orderId }) => orderId)
  expect(orders.flatMap((order) => faultsOf(order, partsBy.get(order.id) ?? [], movesBy.get(order.id) ?? []))).toEqual(
    [],
  )
}

/** WeChat Pay's complete trade bill, to compare with our payments and refunds. */
function billOf() {
  const lines = money.wechat.world.trades.map(({ payment, refund }) =>
    refund ? `refund ${refund.outNo} ${refund.amount}` : `pay ${payment.transactionId} ${payment.total}`,
  )
  return lines.toSorted()
}
const ourBill = async () => {
  const rows = await money.unit((db) =>
    db.query<{ line: string }>(sql`select 'pay ' || transaction_no || ' ' || amount as line from order_payment
      where tenant_id = ${db.tenantId} and channel = 'wechat'
      union all select 'refund ' || out_no || ' ' || amount from refund_payment where tenant_id = ${db.tenantId}
      and state = 'done' and way like 'wechat/%'`),
  )
  return rows.map(({ line }) => line).toSorted()
}

describe('money over WeChat Pay', () => {
  it(
    `${SEQUENCES} random sequences of payments, shares, refunds, returns, callbacks, faults and deaths end with ` +
      'every cent in its place, each asked once',
    async () => {
      const drawn = fc.sample(sequence, { numRuns: SEQUENCES, seed: SEED })
      const context = `seed ${SEED}`
      for (let from = 0; from < drawn.length; from += BATCH) {
        const batch: Played[] = []
        await inTurns(drawn.slice(from, from + BATCH), async ({ pieces, steps }) => {
          batch.push({ order: await money.order(pieces), steps })
        })
        money.advance(61)
        const orders = batch.map(({ order }) => order)
        await play(batch)
        await drainMoneyJobs(orders)
        await allIsWell(orders)
        // Staff retry every failed refund.
        for (const { id } of await failedOf(orders)) await money.post('shop/refunds/retry', { query: { id } })
        await drainMoneyJobs(orders)
        await allIsWell(orders)
        expect(await whyNot(orders), context).toEqual([])
      }
      expect(billOf(), context).toEqual(await ourBill())
      expect(await money.unit(checkLedgers), context).toEqual([])
      for (const [name, check] of Object.entries(merchantConsistencySql))
        expect(await money.unit((db) => db.query(check)), `${name}, ${context}`).toEqual([])
      for (const kind of ['share', 'refund', 'event', 'ending', 'fault', 'broke'])
        expect(done.get(kind), `${kind}, ${context}`).toBeGreaterThan(SEQUENCES / 60)
      // An unfreeze may come too late, so fewer succeed.
      expect(done.get('unfreeze'), context).toBeGreaterThanOrEqual(SEQUENCES / 160)
      expect(money.kills()).toBeGreaterThan(SEQUENCES / 20)
      const again = [...money.moneyRequests].filter(([, times]) => times > 1)
      expect(again, context).toEqual([])
    },
    120_000 + SEQUENCES * 1_000,
  )
})
