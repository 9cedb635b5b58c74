import { bulkInsert, auditColumnTypes } from '#kit/server/database/bulk-insert.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { newId } from '#kit/server/database/snowflake.ts'
import { parseShanghaiTime, formatShanghaiTime } from '#kit/server/base/time.ts'
import type { RowOf } from '#kit/resource/index.ts'
import { transition } from '#kit/server/resource/transition.ts'
import { changeCustomerAccount } from './accounts.ts'
import { bookPayableRefund } from '#domains/money/payment-channels/api.ts'
import { type StorySeedContext } from '#domains/shops/shops/api.ts'
import { wxUser } from './wx-user.resource.ts'
import { annualFeeConf } from './annual-fee-conf.resource.ts'
import { annualFeeLog } from './annual-fee-log.resource.ts'
import { blackAppeal } from './black-appeal.resource.ts'
import { blackList } from './black-list.resource.ts'
import { BLACK_LIST_APPEAL_STATE, MEMBER_PAYMENT_STATE, MEMBERSHIP_TERM_STATE } from './dictionaries.ts'
import { isMemberDayOn } from './member-days.ts'
import { reviewMemberLevels } from './members.job.ts'
import { mergeCustomers } from './merge.ts'
import { rechargeConf } from './recharge-conf.resource.ts'
import { rechargeLog } from './recharge-log.resource.ts'
import { bookRecharge } from './recharge.ts'
import { vipDay } from './vip-day.resource.ts'
import { vipInfo } from './vip-info.resource.ts'
import { vipLevel } from './vip-level.resource.ts'
import { vipPrice } from './vip-price.resource.ts'
import { wxUserMerge } from './wx-user-merge.resource.ts'

const DAY_MS = 86_400_000
const YEAR_MS = 365 * DAY_MS

type Level = RowOf<typeof vipLevel>
type Day = RowOf<typeof vipDay>
type Customer = { id: string; nickname: string; phone: string; isVip: boolean; joined: string; integral: number }
type Term = {
  id: string
  wxUserId: string
  level: Level
  start: number
  end: number
  source: 'fee' | 'spending' | 'office'
  shopId: string
}

const at = (time: number) => formatShanghaiTime(new Date(time))

/** Members, their levels and accounts: what the customers of the history have earned, bought and been given. */
export async function seed(db: Db, stage: StorySeedContext): Promise<void> {
  const levels = await seedLevels(db)
  const days = await seedDays(db, stage)
  const customers = await db.query<Customer>(
    sql`select id, nickname, phone, coalesce(vip_level, 0) > 0 as is_vip, create_time as joined, coalesce(integral,
      0) as integral from wx_user where tenant_id = ${db.tenantId} order by openid`,
  )
  const terms = boughtTerms(stage, customers, levels)
  await seedPoints(db, customers, levels, days, terms)
  await writeTerms(db, terms)
  await seedFees(db, terms, levels)
  await seedRecharges(db, stage)
  await seedPrices(db, stage)
  await seedBlackList(db, stage, customers)
  await seedMerge(db, stage)
  await reviewMemberLevels(db, at(stage.now.getTime()))
}

const seedLevels = (db: Db): Promise<Level[]> =>
  inOrder(
    [
      {
        name: '普卡会员',
        rank: 1,
        discountRate: 100,
        integralTimes: 1,
        spendThreshold: null,
        benefits: '会员价购买、生日赠 50 积分',
      },
      {
        name: '银卡会员',
        rank: 2,
        discountRate: 98,
        integralTimes: 1.2,
        spendThreshold: 80_000,
        benefits: '全场 98 折、1.2 倍积分、会员日双倍积分',
      },
      {
        name: '金卡会员',
        rank: 3,
        discountRate: 95,
        integralTimes: 1.5,
        spendThreshold: 200_000,
        benefits: '全场 95 折、1.5 倍积分、每月赠咖啡券',
      },
    ],
    (level) => db.insert(vipLevel, { ...level, enabled: true }),
  )

const seedDays = (db: Db, stage: StorySeedContext): Promise<Day[]> => {
  const since = at(stage.now.getTime() - 30 * DAY_MS).slice(0, 10)
  return inOrder(
    [
      { name: '周三会员日', shopId: null, cycle: 'weekly', days: ['3'], discountRate: 100, integralTimes: 2 },
      { name: '每月8号 88 折', shopId: null, cycle: 'monthly', days: ['8'], discountRate: 88, integralTimes: 1 },
      {
        name: '周末双倍积分',
        shopId: stage.shops[0]!.shopId,
        cycle: 'weekly',
        days: ['6', '7'],
        discountRate: 98,
        integralTimes: 2,
      },
    ],
    (day) => db.insert(vipDay, { ...day, startDate: since, enabled: true }),
  )
}

async function inOrder<T, R>(list: readonly T[], make: (one: T) => Promise<R>): Promise<R[]> {
  const out: R[] = []
  for (const one of list) out.push(await make(one))
  return out
}

/** Whoever was a member in the history bought it when joining: most for a year, some for a quarter that ends soon. */
function boughtTerms(
  { random, shops }: StorySeedContext,
  customers: readonly Customer[],
  levels: readonly Level[],
): Term[] {
  return customers
    .filter((one) => one.isVip)
    .map((one) => {
      const start = parseShanghaiTime(one.joined).getTime()
      const isQuarter = random.chance(0.2)
      return {
        id: newId(),
        wxUserId: one.id,
        level: isQuarter || random.chance(0.7) ? levels[0]! : levels[2]!,
        start,
        end: start + (isQuarter ? 92 * DAY_MS : YEAR_MS),
        source: 'fee' as const,
        shopId: random.pick(shops).shopId,
      }
    })
}

type Event = {
  wxUserId: string
  shopId: string
  time: string
  paid: number
  orderId: string
  refundId: string | null
  refunded: number
}

/** State of the replay of orders and refunds in `seedPoints`. */
type Points = {
  levels: readonly Level[]
  days: readonly Day[]
  terms: Term[]
  /** Each customer's terms. */
  mine: Map<string, Term[]>
  /** Points each customer holds. */
  held: Map<string, number>
  /** Cents each customer has spent. */
  spent: Map<string, number>
  /** Points each order gave and how many of them were taken back, by order. */
  earned: Map<string, { points: number; refunded: number }>
  rows: unknown[][]
}

/**
 * Replays all orders and refunds: orders earn points, refunds take them back, and customers who have spent enough get a
 * higher level.
 */
async function seedPoints(
  db: Db,
  customers: readonly Customer[],
  levels: readonly Level[],
  days: readonly Day[],
  terms: Term[],
): Promise<void> {
  const points: Points = {
    levels,
    days,
    terms,
    mine: Map.groupBy(terms, (term) => term.wxUserId),
    held: new Map(customers.map((one) => [one.id, one.integral])),
    spent: new Map(),
    earned: new Map(),
    rows: [],
  }
  for (const event of await paymentsOf(db)) (event.refundId ? takeBack : earn)(points, event)
  await bulkInsert(db, 'integral_log', POINT_COLUMNS, points.rows)
  await db.run(sql`update wx_user w set integral = l.points from (select wx_user_id, sum(change) as points
    from integral_log where tenant_id = ${db.tenantId} group by 1) l
    where l.wx_user_id = w.id and w.tenant_id = ${db.tenantId}`)
}

const POINT_COLUMNS = {
  id: 'bigint',
  shop_id: 'bigint',
  wx_user_id: 'bigint',
  type: 'text',
  change: 'integer',
  before: 'integer',
  after: 'integer',
  ref_type: 'text',
  ref_id: 'bigint',
  ...auditColumnTypes,
}

/** Payments and refunds of all customers in the order of time. */
const paymentsOf = (db: Db): Promise<Event[]> =>
  db.query<Event>(sql`
    select wx_user_id, shop_id, pay_time as time, pay_amount - coalesce(freight, 0) as paid, id as order_id,
    null::bigint as refund_id, 0 as refunded
      from shopping_order where tenant_id = ${db.tenantId} and wx_user_id is not null and status in (1, 2, 3, 4)
      and pay_time is not null
    union all
    select r.wx_user_id, r.shop_id, r.finish_time, o.pay_amount - coalesce(o.freight, 0), r.order_id, r.id,
    r.amount
      from refunds r join shopping_order o on o.id = r.order_id and o.tenant_id = r.tenant_id
      where r.tenant_id = ${db.tenantId} and r.wx_user_id is not null and r.status = 3
    order by 3, 5, 6 nulls first`)

function takeBack(points: Points, event: Event): void {
  const { spent, held } = points
  const order = points.earned.get(event.orderId)!
  const upTo = (cents: number) => Math.floor((order.points * Math.min(cents, event.paid)) / event.paid)
  const wanted = upTo(order.refunded + event.refunded) - upTo(order.refunded)
  order.refunded += event.refunded
  spent.set(event.wxUserId, spent.get(event.wxUserId)! - event.refunded)
  book(points, event, -Math.min(wanted, held.get(event.wxUserId)!), 'takeBack', 'refund', event.refundId!)
}

function earn(points: Points, event: Event): void {
  const { levels, days, mine, spent } = points
  const time = parseShanghaiTime(event.time).getTime()
  const rank = Math.max(
    0,
    ...(mine.get(event.wxUserId) ?? [])
      .filter((term) => term.start <= time && term.end > time)
      .map((term) => term.level.rank),
  )
  const level = levels.find((one) => one.rank === rank)
  const day = days
    .filter((one) => (!one.shopId || one.shopId === event.shopId) && isMemberDayOn(one, event.time.slice(0, 10)))
    .sort((a, b) => Number(b.shopId !== null) - Number(a.shopId !== null) || a.discountRate - b.discountRate)[0]
  const times = level ? Math.round(level.integralTimes * 100) * Math.round((day?.integralTimes ?? 1) * 100) : 10_000
  const change = Math.floor((event.paid * times) / 1_000_000)
  points.earned.set(event.orderId, { points: change, refunded: 0 })
  book(points, event, change, 'earn', 'order', event.orderId)
  const total = (spent.get(event.wxUserId) ?? 0) + event.paid
  spent.set(event.wxUserId, total)
  const reached = levels.findLast((one) => one.spendThreshold && one.spendThreshold <= total)
  if (reached && reached.rank > rank) raise(points, event, reached, time)
}

function raise({ terms, mine }: Points, { wxUserId, shopId }: Event, level: Level, start: number): void {
  const term: Term = { id: newId(), wxUserId, level, start, end: start + YEAR_MS, source: 'spending', shopId }
  terms.push(term)
  mine.set(wxUserId, [...(mine.get(wxUserId) ?? []), term])
}

function book(
  { held, rows }: Points,
  event: Event,
  change: number,
  type: string,
  refType: string,
  refId: string,
): void {
  if (!change) return
  const before = held.get(event.wxUserId)!
  held.set(event.wxUserId, before + change)
  rows.push([
    newId(),
    event.shopId,
    event.wxUserId,
    type,
    change,
    before,
    before + change,
    refType,
    refId,
    0,
    event.time,
    event.time,
  ])
}

const writeTerms = (db: Db, terms: readonly Term[]): Promise<void> =>
  bulkInsert(
    db,
    vipInfo.table,
    {
      id: 'bigint',
      wx_user_id: 'bigint',
      level: 'bigint',
      card_no: 'text',
      start_time: 'timestamptz',
      end_time: 'timestamptz',
      status: 'integer',
      source: 'text',
      shop_id: 'bigint',
      ...auditColumnTypes,
    },
    terms.map((term, n) => [
      term.id,
      term.wxUserId,
      term.level.id,
      `VIP${String(80_001 + n)}`,
      at(term.start),
      at(term.end),
      MEMBERSHIP_TERM_STATE.valid,
      term.source,
      term.shopId,
      0,
      at(term.start),
      at(term.start),
    ]),
  )

const FEE_COLUMNS = {
  id: 'bigint',
  fee_no: 'text',
  wx_user_id: 'bigint',
  conf_id: 'bigint',
  level: 'bigint',
  fee: 'bigint',
  months: 'integer',
  start_time: 'timestamptz',
  end_time: 'timestamptz',
  vip_info_id: 'bigint',
  pay_type: 'text',
  pay_status: 'integer',
  pay_time: 'timestamptz',
  transaction_no: 'text',
  shop_id: 'bigint',
  ...auditColumnTypes,
}

async function seedFees(db: Db, terms: readonly Term[], [plain, , gold]: readonly Level[]): Promise<void> {
  const offers = await inOrder(
    [
      { name: '普卡季卡', level: plain!.id, fee: 1500, months: 3, benefits: '三个月会员价', sort: 1 },
      { name: '普卡年卡', level: plain!.id, fee: 3900, months: 12, benefits: '全年会员价，生日赠 50 积分', sort: 2 },
      {
        name: '金卡年卡',
        level: gold!.id,
        fee: 12_900,
        months: 12,
        benefits: '全场 95 折、1.5 倍积分、每月赠咖啡券',
        sort: 3,
      },
    ],
    (offer) => db.insert(annualFeeConf, { ...offer, enabled: true }),
  )

  await bulkInsert(
    db,
    annualFeeLog.table,
    FEE_COLUMNS,
    terms
      .filter((term) => term.source === 'fee')
      .map((term, n) => {
        const offer = term.level === gold ? offers[2]! : term.end - term.start < YEAR_MS ? offers[0]! : offers[1]!
        const id = newId()
        return [
          id,
          `AF${String(20_001 + n)}`,
          term.wxUserId,
          offer.id,
          term.level.id,
          offer.fee,
          offer.months,
          at(term.start),
          at(term.end),
          term.id,
          'wechat',
          MEMBER_PAYMENT_STATE.paid,
          at(term.start),
          `42000${id}`,
          term.shopId,
          0,
          at(term.start),
          at(term.start),
        ]
      }),
  )
}

/** The recharges the history's balances came from, and some of today with what is given on top. */
async function seedRecharges(db: Db, { now, shops }: StorySeedContext): Promise<void> {
  await db.run(sql`
    insert into recharge_log (id, tenant_id, recharge_no, wx_user_id, shop_id, amount, gift_amount, gift_integral,
    pay_type, pay_status, pay_time, transaction_no, refund_amount, refund_gift_amount, refund_gift_integral,
    create_user, create_time, update_time)
    select ref_id, tenant_id, 'RC' || ref_id, wx_user_id, shop_id, change, 0, 0, 'wechat',
      ${MEMBER_PAYMENT_STATE.paid}::int,
    create_time, '42000' || ref_id, 0, 0, 0, 0, create_time, create_time
    from balance_log where tenant_id = ${db.tenantId} and type = 'recharge' and ref_type = 'recharge'`)

  const offers = await inOrder(
    [
      { name: '充 50 送 3', amount: 5000, giftAmount: 300, giftIntegral: 0, perUser: 0, sort: 1 },
      { name: '充 100 送 10', amount: 10_000, giftAmount: 1000, giftIntegral: 50, perUser: 0, sort: 2 },
      { name: '充 200 送 25', amount: 20_000, giftAmount: 2500, giftIntegral: 120, perUser: 0, sort: 3 },
      { name: '新客首充 30 送 10', amount: 3000, giftAmount: 1000, giftIntegral: 0, perUser: 1, sort: 4 },
    ],
    (offer) => db.insert(rechargeConf, { ...offer, enabled: true }),
  )

  const eager = await db.query<{ id: string }>(
    sql`select id from wx_user where tenant_id = ${db.tenantId} and order_count > 0 order by total_spent desc, openid
      limit 9`,
  )
  const made = await inOrder([...eager.entries()], ([n, customer]) =>
    bookRecharge(db, {
      rechargeNo: `RCD${db.tenantId}${String(n + 1).padStart(3, '0')}`,
      wxUserId: customer.id,
      confId: offers[n % offers.length]!.id,
      payType: n % 3 === 2 ? 'cash' : 'wechat',
      shopId: shops[n % shops.length]!.shopId,
      transactionNo: n % 3 === 2 ? null : `4200002${String(610_000 + n)}`,
      reason: n % 3 === 2 ? '门店现金充值' : '小程序充值',
      at: at(now.getTime() - (n + 1) * 37 * 60_000),
    }),
  )
  await bookPayableRefund(db, rechargeLog.name, made[2]!.row.id, { amount: 5000, reason: '顾客搬家，退一部分' }, now)

  const best = eager[0]!.id
  await changeCustomerAccount(db, 'integral', {
    wxUserId: best,
    change: 200,
    type: 'adjust',
    refType: 'adjust',
    refId: newId(),
    shopId: shops[0]!.shopId,
    remark: '扫码门故障补偿',
  })
}

/** Prices for members at every shop: most running, one to come, one over, and one that earns next to nothing. */
async function seedPrices(db: Db, { now, shops }: StorySeedContext): Promise<void> {
  for (const shop of shops) {
    const goods = await db.query<{ id: string; salePrice: number; costPrice: number }>(sql`
      select id, sale_price, cost_price from good_info
      where tenant_id = ${db.tenantId} and shop_id = ${shop.shopId} and is_deleted = 0 and cost_price > 0
      and sale_price >= 400 order by upc limit 7`)
    for (const [n, good] of goods.entries()) {
      const thin = n === 3
      const price = thin
        ? good.costPrice + 10
        : Math.max(good.costPrice + 20, Math.round((good.salePrice * 0.9) / 10) * 10)
      const from = now.getTime() + (n === 5 ? 3 : n === 6 ? -40 : -20) * DAY_MS
      await db.insert(vipPrice, {
        shopId: shop.shopId,
        goodId: good.id,
        price: Math.min(price, good.salePrice),
        startTime: `${at(from).slice(0, 10)} 00:00:00`,
        endTime:
          n === 6
            ? `${at(now.getTime() - 5 * DAY_MS).slice(0, 10)} 23:59:59`
            : n % 2
              ? `${at(now.getTime() + 40 * DAY_MS).slice(0, 10)} 23:59:59`
              : null,
        remark: thin ? '引流款，毛利很低' : null,
      })
    }
  }
}

async function seedBlackList(db: Db, { now, shops }: StorySeedContext, customers: readonly Customer[]): Promise<void> {
  const from = (days: number) => at(now.getTime() + days * DAY_MS)
  const idle = customers.filter((one) => !one.isVip).slice(-4)
  const entries: { id: string; shopId: string | null }[] = []

  for (const entry of [
    {
      wxUserId: idle[0]!.id,
      phone: idle[0]!.phone,
      shopId: null,
      reason: '三次未付款离店，电话沟通后拒绝补付',
      startTime: from(-12),
      endTime: from(78),
    },
    {
      wxUserId: idle[1]!.id,
      phone: idle[1]!.phone,
      shopId: shops[0]!.shopId,
      reason: '夜间多次在店内吸烟，不听劝阻',
      startTime: from(-5),
      endTime: from(25),
    },
    {
      wxUserId: null,
      phone: '13900008217',
      shopId: shops[1]!.shopId,
      reason: '调换价签后结账，监控为证',
      startTime: from(-30),
      endTime: from(150),
    },
    {
      wxUserId: idle[2]!.id,
      phone: idle[2]!.phone,
      shopId: shops.at(-1)!.shopId,
      reason: '损坏自助门，已赔付',
      startTime: from(-60),
      endTime: from(-30),
    },
    {
      wxUserId: idle[3]!.id,
      phone: idle[3]!.phone,
      shopId: shops[0]!.shopId,
      reason: '频繁恶意退款',
      startTime: from(-9),
      endTime: from(-2),
      liftReason: '核实为家人误操作，提前解除',
    },
  ])
    entries.push(await db.insert(blackList, entry))

  await seedAppeals(db, now, entries)
}

/** Writes two appeals: an open one, which somebody other than the entry's author must decide, and a decided one. */
async function seedAppeals(db: Db, now: Date, entries: readonly { id: string; shopId: string | null }[]) {
  const [unpaid, smoking] = entries
  const { id: decideUser } = (await db.one<{ id: string }>(sql`select id::text from sys_user
    where tenant_id = ${db.tenantId} and is_deleted = 0 order by id desc limit 1`))!
  const ago = (hours: number) => new Date(now.getTime() - hours * 3_600_000)
  await db.withTimestamp(ago(7), (then) =>
    then.insert(blackAppeal, {
      blackListId: smoking!.id,
      shopId: smoking!.shopId,
      statement: '那天是一起来的朋友在抽烟，我劝过他，请看一下监控。',
      status: BLACK_LIST_APPEAL_STATE.open,
    }),
  )
  await db.withTimestamp(ago(150), (then) =>
    then.insert(blackAppeal, {
      blackListId: unpaid!.id,
      shopId: unpaid!.shopId,
      statement: '我以为出门时会自动扣款。',
      status: BLACK_LIST_APPEAL_STATE.upheld,
      decideUser,
      decideTime: at(ago(126).getTime()),
      decision: '电话里已说明过三次，维持到期',
    }),
  )
}

/** One customer had a second account from a lost phone; they are one now. */
async function seedMerge(db: Db, { now }: StorySeedContext): Promise<void> {
  const target = (
    await db.find(
      wxUser,
      sql`r.tenant_id = ${db.tenantId} and r.order_count > 0`,
      sql`order by r.total_spent desc, r.openid limit 1 offset 3`,
    )
  )[0]!
  const time = at(now.getTime() - 3 * DAY_MS)

  const source = await db.insert(wxUser, {
    nickname: `${target.nickname}（旧号）`,
    phone: '13588001234',
    openid: `demo-${db.tenantId}-old`,
    gender: target.gender,
    balance: 0,
    integral: 0,
    totalSpent: 0,
    orderCount: 0,
  })

  await changeCustomerAccount(db, 'balance', {
    wxUserId: source.id,
    change: 2600,
    type: 'adjust',
    refType: 'adjust',
    refId: newId(),
    remark: '旧系统余额迁入',
  })
  await changeCustomerAccount(db, 'integral', {
    wxUserId: source.id,
    change: 180,
    type: 'adjust',
    refType: 'adjust',
    refId: newId(),
    remark: '旧系统积分迁入',
  })

  const merge = await mergeCustomers(db, {
    sourceId: source.id,
    targetId: target.id,
    reason: '顾客换号，凭旧手机短信核实',
    isSamePerson: true,
    at: time,
  })
  await transition(db, wxUserMerge, merge.id, 'finish', { moved: {}, finishTime: time })
}
