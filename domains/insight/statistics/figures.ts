import { notPracticeTenantSql } from '#domains/platform/system/api.ts'
import { refunds, shoppingOrder } from '#domains/sales/orders/index.ts'
import { parseIdInput } from '#kit/fields/base/field-kind.ts'
import { hasPermission, type Caller } from '#kit/server/base/caller.ts'
import { dataScopeSql, visibleFields } from '#kit/server/database/data-scope.ts'
import { empty, join, raw, sql, type Sql } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/base/refused.ts'
import type { Call } from '#kit/server/module/module.ts'
import { splitPeriodByUnits, type StatisticsPeriod } from './period.ts'
import {
  rollupFactSql,
  buyersByWholeDaySql,
  buyersRollup,
  rollupTableName,
  type RollupFact,
  type Rollup,
  type RollupTimeUnit,
} from './rollups.ts'

/** Shops and period of a query; without shops all that the caller may see. */
export type StatisticsFilter = { period: StatisticsPeriod; shopIds?: readonly string[] }

/** Parses the shops of a query: `shopId` or `shopIds`, a comma list. Undefined if none is named. */
export function parseShopIdsFilter(query: Record<string, string>): string[] | undefined {
  const given = [query.shopId, query.shopIds]
    .filter((text) => text && text !== 'undefined' && text !== 'null')
    .join(',')
  if (!given) return undefined
  return given
    .split(',')
    .filter(Boolean)
    .map((text) => {
      const id = parseIdInput(text)
      if ('problem' in id || id.value === null) throw new Refused('bad_parameter', { name: 'shopIds' })
      return id.value
    })
}

const moment = (ms: number) => (Number.isFinite(ms) ? new Date(ms).toISOString() : ms > 0 ? 'infinity' : '-infinity')
const within = (column: string, { from, to }: StatisticsPeriod): Sql =>
  sql` and ${raw(column)} >= ${moment(from)}::timestamptz and ${raw(column)} < ${moment(to)}::timestamptz`
const shopsWithin = (column: string, ids: readonly string[] | undefined): Sql =>
  ids ? sql` and ${raw(column)} = any(${ids}::bigint[])` : empty
const tenantOf = (alias: string, caller: Caller): Sql =>
  caller.isPlatform ? notPracticeTenantSql(alias) : sql` and ${raw(alias)}.tenant_id = ${caller.tenantId}`

/** Whether roll-up sums suffice for a caller: not if a data scope limits rows by more than the shop. */
function isKeptEnough(caller: Caller): boolean {
  return [shoppingOrder, refunds].every((resource) => {
    const limits = dataScopeSql(resource, { ...caller, dataScopes: [] }).text
    return [limits, `${limits} and (true)`].includes(dataScopeSql(resource, caller).text)
  })
}

const resourceOf = (fact: RollupFact) => (fact.of.includes('refunds') ? refunds : shoppingOrder)

/** Whether the caller may see a fact: refunds only with their permission and with readable amounts. */
const isVisibleFact = (fact: RollupFact, caller: Caller): boolean =>
  resourceOf(fact) !== refunds ||
  (hasPermission(caller, refunds.code) && (visibleFields(refunds, caller)?.has('amount') ?? true))

function fromRows(
  call: Call,
  rollup: Rollup,
  fact: RollupFact,
  ask: StatisticsFilter,
  period: StatisticsPeriod,
  sign: 1 | -1,
): Sql {
  const columns = raw(rollup.sums.map((sum) => (sign === 1 ? sum : `-${sum} as ${sum}`)).join(', '))
  const own = sql`${tenantOf('r', call.caller)}${shopsWithin('r.shop_id', ask.shopIds)}`
  const scope = sql`${own}${dataScopeSql(resourceOf(fact), call.caller)}`
  return sql`select tenant_id, shop_id, at, ${raw([...rollup.keys, ''].join(', '))}${columns}
    from (${raw(rollupFactSql(rollup, fact))}${scope}${within(fact.at, period)}) f`
}

/**
 * Selects `tenant_id, shop_id, at, <keys>, <sums>`, which add up exactly to the rows of a period and shops. Whole units
 * come from the roll-up sums and unfolded deltas, the rest from the rows, all in one statement and so one snapshot.
 * `finest` uses the fine unit only.
 */
export function rollupRowsSql(call: Call, rollup: Rollup, ask: StatisticsFilter, finest = false): Sql {
  const { caller } = call
  const facts = rollup.facts.filter((fact) => isVisibleFact(fact, caller))
  const isEmpty = !(ask.period.from < ask.period.to)
  const pieces = splitPeriodByUnits(
    isEmpty ? { from: 0, to: 0 } : ask.period,
    rollup.fine,
    finest ? undefined : rollup.coarse,
  )
  const limits = caller.limits.shop
  const hidden = (sum: string) => facts.length < rollup.facts.length && !facts.some((fact) => fact.values[sum])
  const columns = raw(
    [
      'tenant_id',
      'shop_id',
      'at',
      ...rollup.keys,
      ...rollup.sums.map((sum) => (hidden(sum) ? `0::bigint as ${sum}` : sum)),
    ].join(', '),
  )
  const seen = sql`${tenantOf('t', caller)}${shopsWithin('t.shop_id', ask.shopIds)}${shopsWithin('t.shop_id', limits)}`
  const kept = (kind: 'delta' | RollupTimeUnit, period: StatisticsPeriod) =>
    sql`select ${columns} from ${raw(rollupTableName(rollup, kind))} t where true${seen}${within('t.at', period)}`
  const parts: Sql[] = []
  if (!isKeptEnough(caller)) parts.push(...facts.map((fact) => fromRows(call, rollup, fact, ask, ask.period, 1)))
  else {
    parts.push(kept('delta', pieces.kept))
    if (!pieces.coarse) parts.push(kept(rollup.fine, pieces.kept))
    else {
      parts.push(kept(rollup.coarse, pieces.coarse))
      if (pieces.kept.from < pieces.coarse.from)
        parts.push(kept(rollup.fine, { from: pieces.kept.from, to: pieces.coarse.from }))
      if (pieces.coarse.to < pieces.kept.to)
        parts.push(kept(rollup.fine, { from: pieces.coarse.to, to: pieces.kept.to }))
    }
    for (const { sign, ...edge } of pieces.edges)
      parts.push(...facts.map((fact) => fromRows(call, rollup, fact, ask, edge, sign)))
  }
  return join(parts, ' union all ')
}

/**
 * Selects sums by groups: `{ shopId: 'shop_id' }` is the name of a group and its SQL expression over `tenant_id`,
 * `shop_id`, `at` and the keys of the roll-up.
 */
export function rollupSumsByGroupSql(
  call: Call,
  rollup: Rollup,
  ask: StatisticsFilter,
  groups: Record<string, string>,
  finest = false,
): Sql {
  const keys = Object.entries(groups).map(([name, made]) => `${made} as "${name}"`)
  const sums = rollup.sums.map((sum) => `coalesce(sum(${sum}), 0) as ${sum}`)
  const by = keys.length ? sql` group by ${raw(Object.values(groups).join(', '))}` : empty
  return sql`select ${raw([...keys, ...sums].join(', '))} from (${rollupRowsSql(call, rollup, ask, finest)}) x${by}`
}

const FEW_DAYS_MS = 3 * 86_400_000

/** Raises `work_mem` for the transaction, so that statements over a year can sort and hash in memory. */
export const raiseWorkMemSql = sql`select set_config('work_mem', '64MB', true)`

/**
 * Selects the number of identified customers in a period, how many are new to these shops, how many bought repeatedly,
 * and their orders.
 */
export function identifiedCustomersSql(call: Call, ask: StatisticsFilter): Sql {
  const before: StatisticsFilter = { ...ask, period: { from: -Infinity, to: ask.period.from } }
  const bought = (of: StatisticsFilter) => sql`select tenant_id, wx_user_id, sum(orders) as orders
    from (${rollupRowsSql(call, buyersRollup, of)}) x`
  if (!Number.isFinite(ask.period.from))
    return sql`select count(*)::int as members, count(*)::int as newcomers, coalesce(sum(orders), 0) as orders,
      (count(*) filter (where orders > 1))::int as again
      from (${bought(ask)} group by 1, 2 having sum(orders) > 0) n`
  // Few customers are looked up one by one, many are joined as sets: the planner cannot estimate their number.
  const earlier =
    ask.period.to - ask.period.from <= FEW_DAYS_MS
      ? sql`left join lateral (${bought(before)} where x.tenant_id = n.tenant_id and x.wx_user_id = n.wx_user_id
        group by 1, 2
        having sum(orders) > 0) p on true`
      : sql`left join (${bought(before)} group by 1, 2 having sum(orders) > 0) p
        on p.tenant_id = n.tenant_id and p.wx_user_id = n.wx_user_id`
  return sql`with n as materialized (${bought(ask)} group by 1, 2 having sum(orders) > 0)
    select count(*)::int as members, (count(*) filter (where p.wx_user_id is null))::int as newcomers,
    coalesce(sum(n.orders), 0) as orders, (count(*) filter (where n.orders > 1))::int as again
    from n ${earlier}`
}

/** Selects the number of identified customers for each group of a period; a person counts once a group. */
export const identifiedCustomersByGroupSql = (
  call: Call,
  ask: StatisticsFilter,
  groups: Record<string, string>,
): Sql => {
  const keys = Object.entries(groups)
    .map(([name, made]) => `${made} as "${name}"`)
    .join(', ')
  const places = Object.keys(groups)
    .map((_name, at) => at + 1)
    .join(', ')
  return sql`select ${raw(
    Object.keys(groups)
      .map((name) => `"${name}"`)
      .join(', '),
  )}, count(*)::int as members
    from (select ${raw(keys)}, wx_user_id from (${rollupRowsSql(call, buyersRollup, ask, true)}) x
    group by ${raw(places)}, wx_user_id having sum(orders) > 0) p group by ${raw(places)}`
}

/** Selects `at, members` for each day of a period: identified customers, each counted once a day. */
export function identifiedCustomersByDaySql(call: Call, ask: StatisticsFilter): Sql {
  const { caller } = call
  const { kept, edges } = splitPeriodByUnits(ask.period, buyersRollup.fine, undefined)
  if (edges.length || !isKeptEnough(caller) || !(ask.period.from < ask.period.to))
    return identifiedCustomersByGroupSql(call, ask, { at: "date_trunc('day', at)" })
  return buyersByWholeDaySql(
    sql`${tenantOf('t', caller)}${within('t.at', kept)}`,
    sql`${shopsWithin('t.shop_id', ask.shopIds)}${shopsWithin('t.shop_id', caller.limits.shop)}`,
  )
}

/** Refuses callers who may not read the amounts of single orders. */
export function requireReadableAmounts(call: Call): void {
  const sees = visibleFields(shoppingOrder, call.caller)
  if (sees && !['payAmount', 'costAmount'].every((key) => sees.has(key))) throw new Refused('forbidden')
}

/**
 * Selects identified customers by hour of the day, each once an hour. Reads the rows, as customers are rolled up only
 * by day.
 */
export const identifiedCustomersByHourSql = (call: Call, ask: StatisticsFilter): Sql => {
  const rows = join(
    buyersRollup.facts.map((fact) => fromRows(call, buyersRollup, fact, ask, ask.period, 1)),
    ' union all ',
  )
  return sql`select extract(hour from at)::int as hour, count(distinct wx_user_id)::int as members from (${rows}) x
    group by 1`
}
