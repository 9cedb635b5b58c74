import { formatYuan } from '#kit/fields/money/cents.ts'
import { f } from '#kit/resource/index.ts'
import { hasPermission } from '#kit/server/base/caller.ts'
import { dataScopeSql, canReadField } from '#kit/server/database/data-scope.ts'
import { readBatch, sql, type Sql } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { unitOfWorkOptionsForRead, visibleRowsSql } from '#kit/server/resource/list-of.ts'
import { presentRows, selectColumnsSql } from '#kit/server/resource/present.ts'
import { defineRoute, type Call } from '#kit/server/module/module.ts'
import { parseShanghaiTime, formatShanghaiTime } from '#kit/server/base/time.ts'
import { audioConf } from '#domains/devices/audio-announcements/index.ts'
import { event } from '#domains/shops/shop-events/index.ts'
import { pieceCostSql } from '#domains/catalogue/products/api.ts'
import { goodInfo } from '#domains/catalogue/products/index.ts'
import { user } from '#domains/platform/identity/index.ts'
import { refunds } from '#domains/sales/orders/index.ts'
import { basicShopInfo } from '#domains/shops/shops/index.ts'
import { guardCaseServer } from './case.server.ts'
import { GUARD_CASE_STATE, GUARD_SHIFT_STATE } from './dictionaries.ts'
import { guardCase } from './guard-case.resource.ts'
import { guardPhrase } from './guard-phrase.resource.ts'
import { scoreCaseRisk } from './risk.ts'
import { isWithinCallerShops } from './shift.server.ts'

export const GUARD_DESK_PERMISSION = 'guardDesk'
const QUEUE_MAX = 300
const KNOWN_DAYS = 90
const MINUTE_MS = 60_000

/** SQL condition: the shop always runs without staff, or has an open unattended period. */
const isUnattended = (shop: Sql) => sql`exists (select 1 from basic_shop_info b where b.tenant_id = r.tenant_id
  and b.id = ${shop} and (b.mode = 1 or exists (select 1 from unmanned_log u where u.tenant_id = b.tenant_id
  and u.shop_id = b.id and u.open_key is not null)))`
const isOffline = (shop: Sql) => sql`exists (select 1 from device_link l where l.tenant_id = r.tenant_id
  and l.shop_id = ${shop} and l.kind = 'gateway' and l.state = 'offline')`

/** Goods taken in a visit and neither put back nor paid: at cost, as in the shop's losses, and at sale price. */
const unpaid = sql`(select sum(greatest(0, t.pieces) * ${pieceCostSql(sql`g`)}) as at_cost,
    bool_or(t.pieces > 0 and ${pieceCostSql(sql`g`)} is null) as is_unknown,
    sum(greatest(0, t.pieces) * coalesce(g.sale_price, 0)) as at_price from (
    select m.good_id, sum(m.pieces) as pieces from (
      select v.good_id, case v.kind when 'picked' then v.quantity else -v.quantity end as pieces from visit_record v
        where v.tenant_id = r.tenant_id and v.visit_id = r.visit_id and v.kind in ('picked', 'returned')
      union all select d.good_id, -d.quantity from shopping_order o join shopping_order_detail d
        on d.tenant_id = o.tenant_id and d.order_id = o.id
        where o.tenant_id = r.tenant_id and o.visit_id = r.visit_id and o.status between 1 and 4
    ) m where m.good_id is not null group by m.good_id
  ) t join good_info g on g.tenant_id = r.tenant_id and g.id = t.good_id)`

/** Selects the facts for the risk and the summary of cases, by id. */
const factsOf = (mine: Sql, since: string): Sql => sql`
  select r.id, r.refund_id is not null as is_refund, coalesce(e.count, 1) as count, e.content, e.content_en,
    coalesce(f.amount, u.at_cost, 0)::float8
    as cents, f.amount is null and coalesce(u.is_unknown, false) as is_cost_unknown,
    case when f.amount is null then u.at_price::float8 end as price_cents, f.reason,
    coalesce(e.picture, '') as picture, v.enter_time, v.order_ids,
    f.order_id as refund_order_id, ${isUnattended(sql`r.shop_id`)} as is_unattended,
    ${isOffline(sql`r.shop_id`)} as is_offline,
    (select count(*)::int from customer_visit_log w where w.tenant_id = r.tenant_id and w.wx_user_id = r.wx_user_id
      and w.enter_time > ${since} and w.result = 'unpaid' and w.id is distinct from r.visit_id) as unpaid_before,
    (select count(*)::int from guard_case c where c.tenant_id = r.tenant_id and c.shop_id = r.shop_id
      and c.status < ${GUARD_CASE_STATE.done} and c.id <> r.id) as others
  from (select r.* ${mine} limit ${QUEUE_MAX}) r
  left join shop_event e on e.tenant_id = r.tenant_id and e.id = r.event_id
  left join customer_visit_log v on v.tenant_id = r.tenant_id and v.id = r.visit_id
  left join refunds f on f.tenant_id = r.tenant_id and f.id = r.refund_id
  left join lateral ${unpaid} u on true`

type Facts = {
  id: string
  isRefund: boolean
  count: number
  content: string | null
  contentEn: string | null
  /** Amount of the refund, or cost of the goods not paid for. */
  cents: number
  /** Some of these goods have no known cost and are not in `cents`. */
  isCostUnknown: boolean
  /** The goods not paid for, at sale price. */
  priceCents: number | null
  reason: string | null
  picture: string
  orderIds: string[] | null
  refundOrderId: string | null
  isUnattended: boolean
  isOffline: boolean
  unpaidBefore: number
  others: number
}

type Wire = Record<string, unknown>

/** Leaves the facts of a case the caller may read in their own lists; the others are empty. */
function seenFacts({ caller }: Call, one: Facts) {
  const isAmountSeen = one.isRefund
    ? canReadField(refunds, 'amount', caller)
    : canReadField(goodInfo, 'costPrice', caller)
  const price = one.priceCents !== null && canReadField(goodInfo, 'salePrice', caller) ? formatYuan(one.priceCents) : ''
  const isContentSeen = canReadField(event, 'content', caller)
  return {
    // Without permission for the cost the sale price is returned.
    ...(isAmountSeen
      ? { amount: formatYuan(one.cents), isCostUnknown: one.isCostUnknown, priceAmount: price }
      : { amount: price || '0.00', isCostUnknown: false, priceAmount: '' }),
    told: (text: string | null) => (isContentSeen ? text : null),
    reason: canReadField(refunds, 'reason', caller) ? one.reason : null,
  }
}

/** Returns cases as the desk shows them, the riskiest first. */
async function presentCases(call: Call, rows: Wire[], facts: readonly Facts[]) {
  const wires = await presentRows(call, guardCase, guardCaseServer.hooks, rows)
  const byId = new Map(facts.map((one) => [one.id, one]))
  const now = call.services.now().getTime()
  return wires
    .flatMap((row) => {
      const one = byId.get(String(row.id))
      if (!one) return []
      const seen = seenFacts(call, one)
      const waited = Math.max(0, Math.floor((now - parseShanghaiTime(String(row.cameTime)).getTime()) / MINUTE_MS))
      const risk = scoreCaseRisk({
        ...one,
        kind: String(row.kind),
        level: Number(row.level),
        waitedMinutes: waited,
        isWaiting: Number(row.status) === GUARD_CASE_STATE.waiting,
      })
      return [
        {
          ...row,
          content: seen.told(call.lang === 'en' ? one.contentEn : null) ?? seen.told(one.content) ?? seen.reason ?? '',
          count: one.count,
          amount: seen.amount,
          isCostUnknown: seen.isCostUnknown,
          priceAmount: seen.priceAmount,
          picture: one.picture,
          orderId: one.refundOrderId ?? one.orderIds?.at(-1) ?? '',
          isOffline: one.isOffline,
          isUnattended: one.isUnattended,
          risk: risk.score,
          parts: risk.parts,
        },
      ]
    })
    .toSorted((a, b) => b.risk - a.risk)
}

const day = (call: Call) => `${formatShanghaiTime(call.services.now()).slice(0, 10)} 00:00:00`

/** Today's figures of the desk for the shops the caller may see. */
const figures = (call: Call): Sql => sql`select
    (count(*) filter (where r.status = ${GUARD_CASE_STATE.waiting}))::int as waiting,
    (count(*) filter (where r.status = ${GUARD_CASE_STATE.taken}))::int as taken,
    (count(*) filter (where r.status = ${GUARD_CASE_STATE.done}
      and r.end_time >= ${day(call)}::timestamptz))::int as done,
    (percentile_disc(0.95) within group (order by greatest(0, extract(epoch from r.first_time - r.came_time)))
      filter (where r.first_time >= ${day(call)}::timestamptz))::float8 as p95
  ${visibleRowsSql(guardCaseServer, call)} and (r.status < ${GUARD_CASE_STATE.done}
    or r.end_time >= ${day(call)}::timestamptz)`

const shopsOf = ({ caller }: Call): Sql => sql`
  select r.id, r.shop_name as name, ${isOffline(sql`r.id`)} as is_offline, ${isUnattended(sql`r.id`)} as is_unattended
  from basic_shop_info r where r.tenant_id = ${caller.tenantId} and r.is_deleted = 0 and r.status = 1
    ${dataScopeSql(basicShopInfo, caller)} order by r.shop_code limit 500`

const shiftOf = ({ caller }: Call): Sql => sql`select id, start_time, shop_ids::text[] as shop_ids from guard_shift
  where tenant_id = ${caller.tenantId} and user_id = ${caller.userId} and status = ${GUARD_SHIFT_STATE.running} limit 1`

type ShiftSeen = { id: string; startTime: string; shopIds: string[] | null }
const shiftShown = (shift: ShiftSeen | undefined, { caller }: Call) =>
  shift && isWithinCallerShops(caller, shift.shopIds) ? { id: shift.id, startTime: shift.startTime } : null

async function desk(call: Call) {
  const { services, caller } = call
  await services.labels.ready(caller.tenantId)
  const since = new Date(services.now().getTime() - KNOWN_DAYS * 1440 * MINUTE_MS).toISOString()
  const mine = sql`${visibleRowsSql(guardCaseServer, call)} and r.status < ${GUARD_CASE_STATE.done} order by r.id`
  const [rows, facts, shops, today, shift] = await readBatch(services.pool, unitOfWorkOptionsForRead(call), [
    sql`select ${selectColumnsSql(services.registry, guardCase, 'detail')} ${mine} limit ${QUEUE_MAX}`,
    factsOf(mine, since),
    shopsOf(call),
    figures(call),
    shiftOf(call),
  ])
  const cases = await presentCases(call, rows!, facts as unknown as Facts[])
  const { waiting, taken, done, p95 } = today![0] as Record<string, number | null>
  return {
    now: formatShanghaiTime(services.now()),
    userId: caller.userId,
    cases,
    shops,
    figures: { waiting, taken, done, p95: p95 ?? '' },
    shift: shiftShown(shift![0] as ShiftSeen | undefined, call),
  }
}

/** SQL expression for a person's name as far as the caller may read it in the user list; alias `u` or `w`. */
function nameOf(alias: Sql, { caller }: Call): Sql {
  const realName = canReadField(user, 'realName', caller) ? sql`nullif(${alias}.real_name, '')` : sql`null`
  return canReadField(user, 'account', caller)
    ? sql`coalesce(${realName}, ${alias}.account, '')`
    : sql`coalesce(${realName}, '')`
}

const actionsOfCase = (id: string, call: Call): Sql => sql`
  select d.id, d.kind, d.note, d.command_id,
      to_char(d.create_time at time zone 'Asia/Shanghai', 'YYYY-MM-DD HH24:MI:SS')
      as time, ${nameOf(sql`u`, call)} as who, ${nameOf(sql`w`, call)} as whom
  from guard_deed d left join sys_user u on u.tenant_id = d.tenant_id and u.id = d.user_id
  left join sys_user w on w.tenant_id = d.tenant_id and w.id = d.to_user
  where d.case_id = ${id}${call.caller.isPlatform ? sql`` : sql` and d.tenant_id = ${call.caller.tenantId}`}
  order by d.id`

/** Selects phrases for a case, those for its kind first. A phrase whose name is hidden is named by its id. */
const phrasesOf = (id: string, { caller }: Call): Sql => sql`
  select p.id, ${canReadField(guardPhrase, 'name', caller) ? sql`p.name` : sql`p.id::text`} as name,
    ${canReadField(audioConf, 'text', caller) ? sql`a.text` : sql`''`} as text, a.state
  from guard_case c join guard_phrase p on p.tenant_id = c.tenant_id
    and p.is_deleted = 0 and p.enabled is not false and (coalesce(p.kinds, '{}') = '{}' or c.kind = any(p.kinds))
  join audio_conf a on a.tenant_id = p.tenant_id and a.id = p.audio_id and a.is_deleted = 0
  where c.id = ${id}${caller.isPlatform ? sql`` : sql` and c.tenant_id = ${caller.tenantId}`}
  order by coalesce(p.kinds, '{}') = '{}', p.sort nulls last, p.id limit 9`

/** Selects the person of a case: whether blocked already, and the number of unpaid visits. */
const personOf = (mine: Sql, now: string): Sql => sql`
  select r.wx_user_id, (select b.id from black_list b where b.tenant_id = r.tenant_id and b.wx_user_id = r.wx_user_id
      and b.is_deleted = 0 and b.start_time <= ${now}::timestamptz
      and (b.end_time is null or b.end_time > ${now}::timestamptz) limit 1) as block_id,
    (select count(*)::int from customer_visit_log w where w.tenant_id = r.tenant_id
      and w.wx_user_id = r.wx_user_id) as visits,
    (select count(*)::int from customer_visit_log w where w.tenant_id = r.tenant_id
      and w.wx_user_id = r.wx_user_id and w.result = 'unpaid') as unpaid
  ${mine} and r.wx_user_id is not null`

async function findCaseContext(call: Call<{ id: string }>) {
  const { services, caller, input } = call
  const mine = sql`${visibleRowsSql(guardCaseServer, call)} and r.id = ${input.id}`
  await services.labels.ready(caller.tenantId)
  const [rows, actions, phrases, person] = await readBatch(services.pool, unitOfWorkOptionsForRead(call), [
    sql`select ${selectColumnsSql(services.registry, guardCase, 'detail')} ${mine}`,
    actionsOfCase(input.id, call),
    phrasesOf(input.id, call),
    personOf(mine, formatShanghaiTime(services.now())),
  ])
  if (!rows!.length) throw new Refused('not_found', { label: guardCase.label })
  const [row] = await presentRows(call, guardCase, guardCaseServer.hooks, rows!)
  const labels = new Map(
    services.labels.entries(caller.tenantId, 'guard_deed', call.lang).map(({ key, label }) => [key, label]),
  )
  return {
    case: row,
    deeds: actions!.map((one) => ({ ...one, kindName: labels.get(String(one.kind)) ?? '' })),
    phrases: hasPermission(caller, `${guardCase.code}_say`) || hasPermission(caller, guardPhrase.code) ? phrases : [],
    person: person![0] ?? null,
  }
}

export const guardDeskRoutes = [
  defineRoute({
    method: 'GET',
    path: `${guardCase.path}/desk`,
    title: { zh: '值守台', en: 'Security desk' },
    can: GUARD_DESK_PERMISSION,
    tx: false,
    handle: desk,
  }),
  defineRoute({
    method: 'GET',
    path: `${guardCase.path}/beside`,
    title: { zh: '值守事项的相关信息', en: 'Case context' },
    can: [GUARD_DESK_PERMISSION, guardCase.code],
    tx: false,
    input: { id: f.ref('', { label: guardCase.label, required: true }) },
    handle: findCaseContext,
  }),
]
