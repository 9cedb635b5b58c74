import { formatYuan } from '#kit/fields/money/cents.ts'
import { toSqlName } from '#kit/resource/define-resource.ts'
import { raw, sql, type Db } from '#kit/server/database/db.ts'
import { canReadField } from '#kit/server/database/data-scope.ts'
import { visibleRowsSql } from '#kit/server/resource/list-of.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { defineRoute, type Call } from '#kit/server/module/module.ts'
import { shoppingOrder } from '#domains/sales/orders/index.ts'
import { platformsOf } from '#domains/sales/delivery-platforms/api.ts'
import { moneyTrailCall } from './money-trail.calls.ts'
import { reconciliationDay } from './reconciliation-day.resource.ts'
import { reconciliationDifference } from './reconciliation-difference.resource.ts'

type Order = {
  id: string
  tenantId: string
  orderNo: string
  payTime: string | null
  goodsAmount: number
  discountAmount: number
  ticketAmount: number
  vipAmount: number
  integralAmount: number
  freight: number
  payAmount: number
}
type Step = { key: string; amount: number }
type Stand = { source: string; day: string; account: string; dayId: string; kind: string; no: string; amount: number }

/** Lines of an order in our daily bills: amount, fee and share in cents. */
const booked = (db: Db, { orderNo }: Order) =>
  db.query<{ billId: string; billNo: string; kind: string; no: string; amount: number; fee: number; share: number }>(
    sql`select d.bill_id, b.bill_no, d.kind, coalesce(d.refund_no, d.transaction_no, '') as no,
      d.amount - d.refund as amount, d.fee, d.share from merchant_bill_detail d
      join merchant_bill b on b.tenant_id = d.tenant_id and b.id = d.bill_id and b.bill_type = 'day'
      where d.tenant_id = ${db.tenantId} and d.order_no = ${orderNo} and d.check_result <> 'missingHere'
      order by d.time, d.id`,
  )

/** Lines of statements and fund flows about an order, by all its external numbers. */
const standsAt = (db: Db, { id, orderNo }: Order, platformNo: string | null) =>
  db.query<Stand>(
    sql`with no as (
        select transaction_no as no from order_payment where tenant_id = ${db.tenantId} and order_id = ${id}
        union select out_no from refund_payment where tenant_id = ${db.tenantId} and order_id = ${id}
        union select channel_refund_id from refund_payment where tenant_id = ${db.tenantId} and order_id = ${id}
        union select out_order_no from share_log where tenant_id = ${db.tenantId} and order_id = ${id}
        union select ${orderNo}::text union select ${platformNo}::text
      ), mine as (
        select l.* from no join tally_line l on l.tenant_id = ${db.tenantId} and l.transaction_no = no.no
        union
        select l.* from no join tally_line l on l.tenant_id = ${db.tenantId} and l.order_no = no.no
      ), back as (
        select l.* from mine m join tally_line l on l.tenant_id = m.tenant_id and l.transaction_no = m.refund_there
        where m.source = 'trade' and m.refund_there <> '' union select * from mine
      )
      select l.source, l.kind, to_char(l.time, 'YYYY-MM-DD HH24:MI:SS') as day, y.account_name as account, l.day_id,
        case l.source when 'flow' then l.refund_there when 'order' then l.order_no else
        coalesce(nullif(l.refund_there, ''), l.transaction_no) end as no,
        case l.source when 'order' then l.received when 'trade' then l.amount - l.fee else l.amount end as amount
      from back l join tally_day y on y.tenant_id = l.tenant_id and y.id = l.day_id 
      order by l.time, l.source desc, l.id`,
  )

type AtPlatform = { platform: string; orderNo: string; userFee: number; shopFee: number; fee: number }

async function atPlatform({ services }: Call, db: Db, orderId: string): Promise<AtPlatform | undefined> {
  for (const platform of platformsOf(services)) {
    const [table, fee] = [raw(`"${platform.order.resource.table}"`), raw(`"${toSqlName(platform.bill.feeKey)}"`)]
    const found = await db.one<Omit<AtPlatform, 'platform'>>(
      sql`select platform_order_id as order_no, coalesce(user_fee, 0) as user_fee, coalesce(shop_fee, 0) as shop_fee,
        coalesce(${fee}, 0) as fee from ${table} where tenant_id = ${db.tenantId} and order_id = ${orderId} limit 1`,
    )
    if (found) return { platform: platform.name, ...found }
  }
  return undefined
}

/** Payments of an order by channel, its refunds and shares, in cents. */
async function moneyOf(db: Db, orderId: string) {
  const payments = await db.query<{ channel: string; amount: number; no: string | null }>(
    sql`select channel, amount, transaction_no as no from order_payment
      where tenant_id = ${db.tenantId} and order_id = ${orderId} order by id`,
  )
  const back = (await db.one<{ done: number; underWay: number; shared: number }>(
    sql`select coalesce(sum(amount) filter (where state = 'done'), 0)::bigint as done,
      coalesce(sum(amount) filter (where state in ('asked', 'sent')), 0)::bigint as under_way,
      (select coalesce(sum(finish_amount), 0)::bigint from share_log where tenant_id = ${db.tenantId}
        and order_id = ${orderId} and coalesce(kind, 'share') = 'share') as shared
      from refund_payment where tenant_id = ${db.tenantId} and order_id = ${orderId}`,
  ))!
  return { payments, ...back }
}

const discountsOf = (order: Order): Step[] =>
  (['discountAmount', 'ticketAmount', 'vipAmount', 'integralAmount'] as const)
    .filter((key) => order[key])
    .map((key) => ({ key, amount: -order[key] }))

async function moneyTrailOf(call: Call, db: Db, order: Order) {
  const platformOrder = await atPlatform(call, db, order.id)
  const [lines, stands, money] = [
    await booked(db, order),
    await standsAt(db, order, platformOrder?.orderNo ?? null),
    await moneyOf(db, order.id),
  ]

  const fee = lines.reduce((sum, one) => sum + one.fee, 0)
  const kept = platformOrder ? platformOrder.userFee - platformOrder.shopFee - platformOrder.fee : 0
  const after: Step[] = [
    ...(money.done ? [{ key: 'refunded', amount: -money.done }] : []),
    ...(fee ? [{ key: 'fee', amount: -fee }] : []),
    ...(money.shared ? [{ key: 'shared', amount: -money.shared }] : []),
    ...(platformOrder
      ? [{ key: 'commission', amount: -platformOrder.fee }, ...(kept ? [{ key: 'bornThere', amount: -kept }] : [])]
      : []),
  ]

  const steps: Step[] = [
    { key: 'goods', amount: order.goodsAmount },
    ...discountsOf(order),
    ...(order.freight ? [{ key: 'freight', amount: order.freight }] : []),
    { key: 'paid', amount: order.payAmount },
    ...after,
  ]

  const net = order.payAmount + after.reduce((sum, one) => sum + one.amount, 0)
  const sumOf = (source: string) =>
    stands.filter((one) => one.source === source).reduce((sum, { amount }) => sum + amount, 0)
  const arrived = platformOrder ? sumOf('order') : sumOf('flow')
  const otherPayments = money.payments.filter(({ channel }) => channel !== 'wechat' && channel !== 'platform')

  return {
    orderId: order.id,
    orderNo: order.orderNo,
    payTime: order.payTime ?? '',
    platform: platformOrder?.platform ?? '',
    steps: steps.map((one) => ({ ...one, amount: formatYuan(one.amount) })),
    net: formatYuan(net),
    underWay: formatYuan(money.underWay),
    beside: formatYuan(otherPayments.reduce((sum, { amount }) => sum + amount, 0)),
    arrived: stands.length ? formatYuan(arrived) : '',
    payments: money.payments.map(({ amount, no, channel }) => ({ channel, no: no ?? '', amount: formatYuan(amount) })),
    bills: lines.map(({ amount, fee: own, share, ...one }) => ({ ...one, amount: formatYuan(amount - own - share) })),
    stands: stands.map((one) => ({ ...one, amount: formatYuan(one.amount) })),
    differences: await db.query<{ id: string; kind: string; state: string; worth: string }>(
      sql`select id, kind, state, trim(to_char(worth / 100.0, 'FM999999999990.00')) as worth
        from tally_difference where tenant_id = ${db.tenantId}
        and order_id = ${order.id} order by day, id`,
    ),
  }
}

/** Amounts the trail consists of: refused to callers who may not read all of them. */
const AMOUNTS = [
  'orderNo',
  'goodsAmount',
  'discountAmount',
  'ticketAmount',
  'vipAmount',
  'integralAmount',
  'freight',
  'payAmount',
] as const

/** Returns the payment trail of a sale, from the listed prices to the line of the account. */
export const moneyTrailRoute = defineRoute(moneyTrailCall, {
  title: { zh: '一笔钱的来龙去脉', en: 'Payment trail' },
  can: [reconciliationDifference.name, reconciliationDay.name],
  handle: async (call) => {
    const served = call.services.registry.served.get(shoppingOrder.name)!
    if (!AMOUNTS.every((key) => canReadField(shoppingOrder, key, call.caller))) throw new Refused('forbidden')
    const order = await call.db.one<Order>(
      sql`select r.id, r.tenant_id, r.order_no, r.pay_time, coalesce(r.goods_amount, 0) as goods_amount,
        coalesce(r.discount_amount, 0) as discount_amount, coalesce(r.ticket_amount, 0) as ticket_amount,
        coalesce(r.vip_amount, 0) as vip_amount, coalesce(r.integral_amount, 0) as integral_amount,
        coalesce(r.freight, 0) as freight, coalesce(r.pay_amount, 0) as pay_amount
        ${visibleRowsSql(served, call)} and r.id = ${call.input.orderId}`,
    )
    if (!order) throw new Refused('not_found', { label: shoppingOrder.label })
    return order.tenantId === call.db.tenantId
      ? moneyTrailOf(call, call.db, order)
      : call.db.acrossTenants('a sale of a tenant is followed by the platform’s people', (all) =>
          all.asTenant(order.tenantId, (db) => moneyTrailOf(call, db, order)),
        )
  },
})
