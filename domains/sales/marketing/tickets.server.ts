import { formatYuan } from '#kit/fields/money/cents.ts'
import { randomBytes } from 'node:crypto'
import { type Field } from '#kit/fields/base/field-kind.ts'
import { fieldKindOf } from '#kit/fields/kinds.ts'
import { empty, readBatch, sql, type Sql } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { invalidFieldRefusal, serve, type Call } from '#kit/server/module/module.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { requireTransition } from '#kit/server/resource/transition.ts'
import { registerCouponGiver, visibleCustomersSql } from '#domains/sales/customers/api.ts'
import { findBarcodesOfGoods } from './barcodes-of.ts'
import { customerTicket } from './customer-ticket.resource.ts'
import { COUPON_STATE } from './dictionaries.ts'
import { discountTicket } from './discount-ticket.resource.ts'
import { shopListScope } from './own-shops.ts'
import { couponPromiseText } from './ticket-promise.ts'
import { issueCouponGift, issueCoupons, revokeCouponGift, type CouponKindRow } from './coupons.ts'

registerCouponGiver({
  give: issueCouponGift,
  takeBack: revokeCouponGift,
})

/** Fields with a ticket's value and validity; they may not change once a customer holds one. */
const WORTH = [
  'type',
  'amount',
  'rate',
  'cap',
  'threshold',
  'shopIds',
  'goodIds',
  'goodTypeIds',
  'stackable',
  'validFrom',
  'validTo',
  'validDays',
] as const

function requireSense(row: Partial<CouponKindRow>): void {
  if (row.validFrom && row.validTo && row.validTo <= row.validFrom)
    throw invalidFieldRefusal(discountTicket, 'validTo', 'too_small', { min: row.validFrom })
  if (row.type === 'amount' && (row.threshold ?? 0) > 0 && row.threshold! < row.amount!)
    throw invalidFieldRefusal(discountTicket, 'threshold', 'too_small', { min: formatYuan(row.amount!) })
}

export const discountTicketServer = serve(discountTicket, {
  where: shopListScope.where,
  beforeSave: async (draft, was, call) => {
    if (was) shopListScope.requireOwnRows([was], call)
    const row = { ...was, ...draft }
    if (
      was?.received &&
      WORTH.some(
        (key) => draft[key] !== undefined && JSON.stringify(draft[key] ?? null) !== JSON.stringify(was[key] ?? null),
      ) &&
      !isSameScope(draft, was)
    )
      throw new Refused('ticket_frozen', { name: was.name })
    if (was && draft.total && draft.total < (was.received ?? 0))
      throw new Refused('ticket_total_low', { received: was.received }, { field: 'total' })
    requireSense(row)
    draft.code ||= was?.code ?? `T${randomBytes(4).toString('hex').toUpperCase()}`
    draft.upcs = await findBarcodesOfGoods(call.db, row.goodIds)
  },
  beforeRemove: (rows, call) => {
    shopListScope.requireOwnRows(rows, call)
    const held = rows.find((row) => row.received)
    if (held) throw new Refused('ticket_in_hands', { name: held.name })
  },
  present: (wire, rows, call) => {
    for (const [at, row] of rows.entries()) wire[at]!.promise = couponPromiseText(row)[call.lang]
  },
  actions: {
    issue: async (kind, input, call) => {
      shopListScope.requireOwnRows([kind], call)
      const at = formatShanghaiTime(call.services.now())
      const chosen = input.levelId ? await membersOf(call, input.levelId, at) : (input.wxUserIds ?? [])
      const customers = await call.db.query<{ id: string }>(
        sql`select r.id from wx_user r where r.tenant_id = ${call.db.tenantId}
          and r.id = any(${chosen}::bigint[])${visibleCustomersSql(call, sql`r.id`)} order by r.id`,
      )
      const { ids, skipped } = await issueCoupons(
        call.db,
        kind,
        customers.map((row) => row.id),
        { source: input.levelId ? 'level' : 'office', at },
      )
      const field = input.levelId ? 'levelId' : 'wxUserIds'
      if (!ids.length)
        throw skipped
          ? new Refused('ticket_all_had', { count: skipped, share: kind.perUser }, { field })
          : new Refused('ticket_nobody', {}, { field })
      return { issued: ids.length, skipped }
    },
  },
})

/** Whether all these fields are unchanged; an empty list equals null. */
const isSameScope = (draft: Partial<CouponKindRow>, was: CouponKindRow) =>
  WORTH.every(
    (key) => draft[key] === undefined || JSON.stringify(emptied(draft[key])) === JSON.stringify(emptied(was[key])),
  )
const emptied = (value: unknown) => (Array.isArray(value) && !value.length ? null : (value ?? null))

const membersOf = async ({ db }: Call, levelId: string, at: string): Promise<string[]> =>
  (
    await db.query<{ id: string }>(
      sql`select distinct wx_user_id as id from vip_info where tenant_id = ${db.tenantId} and level = ${levelId}
        and status = 1 and start_time <= ${at}::timestamptz and end_time > ${at}::timestamptz`,
    )
  ).map((row) => row.id)

const OF_THE_SALE = ['shopId', 'usedAmount', 'orderId', 'usedTime'] as const

/**
 * Condition for callers limited to shops who filter or sort by data of the sale: they find only sales in their own
 * shops.
 */
function usedInOwn({ caller, query }: Call): Sql {
  // A sort column may be written in snake case.
  const named = (text: string) =>
    OF_THE_SALE.some((one) => text.replaceAll('_', '').toLowerCase().includes(one.toLowerCase()))
  const usesSaleFields = Object.entries(query).some(([key, value]) => named(/^(a|de)scs$/.test(key) ? value : key))
  return usesSaleFields ? sql` and (r.shop_id is null or r.shop_id = any(${caller.limits.shop}::bigint[]))` : empty
}

export const customerTicketServer = serve(customerTicket, {
  // Tickets valid in all shops: seen by staff of the shops where the customer has been.
  where: (call) =>
    call.caller.limits.shop
      ? sql` and (r.shop_ids && ${call.caller.limits.shop as string[]}::bigint[]
        or (coalesce(cardinality(r.shop_ids), 0) = 0${visibleCustomersSql(call, sql`r.wx_user_id`)}))${usedInOwn(call)}`
      : empty,
  // Staff limited to other shops do not see where, when, for how much and in which order a ticket was used.
  present: (wire, rows, { caller }) => {
    for (const [at, row] of rows.entries()) {
      if (!caller.limits.shop || !row.shopId || caller.limits.shop.includes(row.shopId)) continue
      for (const key of OF_THE_SALE) {
        const field: Field = customerTicket.fields[key]
        row[key] = null
        wire[at]![key] = fieldKindOf(field).wire(null, field)
        if ('labelKey' in field) wire[at]![String(field.labelKey)] = ''
      }
    }
  },
  actions: {
    takeBack: async (row, { remark }, call) => {
      shopListScope.requireOwnRows([{ ...row, name: row.ticketNo }], call)
      await requireTransition(call, customerTicket, row.id, 'takeBack', { remark })
    },
  },
})

/**
 * The unused tickets of a customer, and of accounts merged into theirs, that count in a shop now: as a register offers
 * them.
 */
export async function findUsableCoupons({ services, caller, lang }: Call, wxUserId: string, shopId: string) {
  const at = formatShanghaiTime(services.now())
  const { tenantId } = caller
  const [rows] = await readBatch(services.pool, { tenantId }, [
    sql`
    with recursive person as (select id from wx_user where id = ${wxUserId} and tenant_id = ${tenantId} union
    select w.id from person p join wx_user w on w.merged_into = p.id and w.tenant_id = ${tenantId})
    select c.ticket_no, c.end_time, t.name, t.type, t.amount, t.rate, t.cap,
    t.threshold
    from customer_ticket c join discount_ticket t on t.id = c.ticket_id and t.tenant_id = c.tenant_id
    where c.tenant_id = ${tenantId} and c.wx_user_id in (select id from person) and c.status = ${COUPON_STATE.unused}
    and c.start_time <= ${at}::timestamptz and c.end_time > ${at}::timestamptz
      and (coalesce(cardinality(t.shop_ids), 0) = 0 or ${shopId}::bigint = any(t.shop_ids)) order by c.end_time, c.id
      limit 50`,
  ])
  return (
    rows as (Parameters<typeof couponPromiseText>[0] & { ticketNo: string; name: string; endTime: string })[]
  ).map((row) => ({
    ticketNo: row.ticketNo,
    name: row.name,
    promise: couponPromiseText(row)[lang],
    endTime: row.endTime,
  }))
}
