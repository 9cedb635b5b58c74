import { REFUND_STATE, SOLD_ORDER_STATES } from '#domains/sales/orders/index.ts'
import { raw, sql, type Sql } from '#kit/server/database/db.ts'

/**
 * Time units of roll-ups: sums kept beside their rows (docs/decisions/0021). A trigger appends what a transaction
 * changes as a delta, a job folds deltas into the sums, and readers add both, so that registers of a shop never wait
 * for each other.
 */
export type RollupTimeUnit = 'hour' | 'day' | 'month'

/** Tables facts are read from; a trigger replaces one of them by its changed rows. */
export type RollupSourceTables = { orders: string; lines: string; refunds: string }
export const ROLLUP_SOURCE_TABLES: RollupSourceTables = {
  orders: 'shopping_order',
  lines: 'shopping_order_detail',
  refunds: 'refunds',
}

/** What one row adds to the sums, and when. Alias `r` is the row that decides whether and when it counts. */
export type RollupFact = {
  of: readonly (keyof RollupSourceTables)[]
  /** `changed` comes first in the join, row by row, whatever the planner estimates for a table that is being filled. */
  from: (sources: RollupSourceTables, changed?: keyof RollupSourceTables) => string
  counts: string
  at: string
  values: Record<string, string>
}

export type Rollup = {
  name: string
  /** Key columns in addition to tenant, shop and time. */
  keys: readonly string[]
  fine: RollupTimeUnit
  coarse: RollupTimeUnit
  sums: readonly string[]
  facts: readonly RollupFact[]
}

const sold = `r.status in (${SOLD_ORDER_STATES.join(', ')}) and r.pay_time is not null`
const paidBack = `r.status = ${REFUND_STATE.succeeded} and r.finish_time is not null`
/** A number in a refund's lines; anything else counts as 0. */
const number = (key: string) =>
  `case when l ->> '${key}' ~ '^[0-9]{1,15}([.][0-9]{1,4})?$' then (l ->> '${key}')::numeric else 0 end`

export const salesRollup: Rollup = {
  name: 'sales',
  keys: [],
  fine: 'hour',
  coarse: 'day',
  sums: ['sales', 'orders', 'guests', 'items', 'cost', 'discount', 'freight', 'refunds', 'refund_count'],
  facts: [
    {
      of: ['orders'],
      from: ({ orders }) => `${orders} r`,
      counts: sold,
      at: 'r.pay_time',
      values: {
        sales: 'r.pay_amount',
        orders: '1',
        guests: 'case when r.wx_user_id is null then 1 else 0 end',
        items: 'r.quantity',
        cost: 'r.cost_amount',
        discount:
          'coalesce(r.discount_amount, 0) + coalesce(r.ticket_amount, 0) + coalesce(r.vip_amount, 0) + ' +
          'coalesce(r.integral_amount, 0)',
        freight: 'r.freight',
      },
    },
    {
      of: ['refunds'],
      from: ({ refunds }) => `${refunds} r`,
      counts: paidBack,
      at: 'r.finish_time',
      values: { refunds: 'r.amount', refund_count: '1' },
    },
  ],
}

/** By product and not by type: a product may change its type and takes its past along. */
export const goodsRollup: Rollup = {
  name: 'goods',
  keys: ['good_id'],
  fine: 'day',
  coarse: 'month',
  sums: ['sales', 'items', 'cost', 'refunds', 'refund_items'],
  facts: [
    {
      of: ['orders', 'lines'],
      from: ({ orders, lines }, changed) => {
        const on = (line: string, order: string) =>
          `${line}.tenant_id = ${order}.tenant_id and ${line}.order_id = ${order}.id`
        if (changed === 'lines')
          return `${lines} d cross join lateral (select * from ${orders} o where ${on('d', 'o')} offset 0) r`
        return changed
          ? `${orders} r cross join lateral (select * from ${lines} x where ${on('x', 'r')} offset 0) d`
          : `${orders} r join ${lines} d on ${on('d', 'r')}`
      },
      counts: sold,
      at: 'r.pay_time',
      values: { good_id: 'd.good_id', sales: 'd.amount', items: 'd.quantity', cost: 'd.cost_amount' },
    },
    {
      of: ['refunds'],
      from: ({ refunds }) =>
        `${refunds} r cross join lateral jsonb_array_elements(case jsonb_typeof(r.lines) when 'array' then ` +
        `r.lines else '[]' end) l`,
      counts: paidBack,
      at: 'r.finish_time',
      values: {
        good_id: `case when l ->> 'goodId' ~ '^[0-9]{1,18}$' then (l ->> 'goodId')::bigint end`,
        refunds: `round(${number('amount')} * 100)`,
        refund_items: number('quantity'),
      },
    },
  ],
}

/** Customers who bought. They are counted separately, as a person on two days is one person. */
export const buyersRollup: Rollup = {
  name: 'people',
  keys: ['wx_user_id'],
  fine: 'day',
  coarse: 'month',
  sums: ['orders'],
  facts: [
    {
      of: ['orders'],
      from: ({ orders }) => `${orders} r`,
      counts: `${sold} and r.wx_user_id is not null`,
      at: 'r.pay_time',
      values: { wx_user_id: 'r.wx_user_id', orders: '1' },
    },
  ],
}

export const rollups = [salesRollup, goodsRollup, buyersRollup]

export const columnListSql = (list: readonly string[], of = '') => list.map((name) => `${of}${name}`).join(', ')
export const ROLLUP_BASE_COLUMNS = ['tenant_id', 'shop_id', 'at']
export const rollupKeyColumns = (rollup: Rollup) => [...ROLLUP_BASE_COLUMNS, ...rollup.keys]
export const rollupTableName = (rollup: Rollup, kind: 'delta' | RollupTimeUnit) =>
  `${rollup.name}_by_${kind}`.replace('by_delta', 'delta')
export const truncateToUnitSql = (unit: RollupTimeUnit, at: string) => `date_trunc('${unit}', ${at}, 'Asia/Shanghai')`

/** Selects `tenant_id, shop_id, at, <keys>, <sums>` of the rows of a fact; `and` narrows them. */
export const rollupFactSql = (
  rollup: Rollup,
  fact: RollupFact,
  {
    sources = ROLLUP_SOURCE_TABLES,
    changed,
    and = '',
  }: { sources?: RollupSourceTables; changed?: keyof RollupSourceTables; and?: string } = {},
): string => {
  const value = (name: string, cast: string) => `coalesce(${fact.values[name] ?? '0'}, 0)::${cast} as ${name}`
  const columns = [
    ...rollup.keys.map((name) => value(name, 'bigint')),
    ...rollup.sums.map((name) => value(name, 'bigint')),
  ]
  return `select r.tenant_id, coalesce(r.shop_id, 0) as shop_id, ${fact.at} as at, ${columns.join(', ')}
    from ${fact.from(sources, changed)} where ${fact.counts}${and}`
}

/** Condition on a time column, for whole fine units. */
type When = (column: string) => string
const always: When = () => 'true'

/** Recounts the sums from the rows, in the fine unit. */
const recountSql = (rollup: Rollup, when: When = always): string =>
  `select tenant_id, shop_id, ${truncateToUnitSql(rollup.fine, 'at')} as at,
    ${columnListSql([...rollup.keys, ...rollup.sums])}
    from (${rollup.facts
      .map((fact) => rollupFactSql(rollup, fact, { and: ` and ${when(fact.at)}` }))
      .join(' union all ')}) f`

const keptSql = (rollup: Rollup, when: When): string =>
  (['delta', rollup.fine] as const)
    .map(
      (kind) =>
        `select ${columnListSql([...rollupKeyColumns(rollup), ...rollup.sums])} from ${rollupTableName(
          rollup,
          kind,
        )} t where ${when('t.at')}`,
    )
    .join(' union all ')

export const negateRollupSumsSql = (rollup: Rollup, from: string) =>
  `select ${columnListSql(rollupKeyColumns(rollup))}, ${rollup.sums
    .map((sum) => `-${sum} as ${sum}`)
    .join(', ')} from (${from}) n`
export const groupRollupSumsSql = (rollup: Rollup, from: string) =>
  `select ${columnListSql(rollupKeyColumns(rollup))}, ${rollup.sums
    .map((sum) => `sum(${sum})::bigint as ${sum}`)
    .join(', ')}
    from (${from}) s group by ${columnListSql(rollupKeyColumns(rollup))}`

/** Selects the sums that differ from a recount, with the difference. */
export const rollupDifferenceSql = (rollup: Rollup, when: When = always): string =>
  `select * from (${groupRollupSumsSql(
    rollup,
    `${recountSql(rollup, when)} union all ${negateRollupSumsSql(rollup, keptSql(rollup, when))}`,
  )}) d where ${rollup.sums.map((sum) => `${sum} <> 0`).join(' or ')}`

export const appendRollupDeltaSql = (rollup: Rollup, from: string): string =>
  `insert into ${rollupTableName(rollup, 'delta')} (${columnListSql([
    ...rollupKeyColumns(rollup),
    ...rollup.sums,
  ])}) ${from}`

const add = (rollup: Rollup, unit: RollupTimeUnit) =>
  `insert into ${rollupTableName(rollup, unit)} as t (${columnListSql([...rollupKeyColumns(rollup), ...rollup.sums])})
    ${groupRollupSumsSql(
      rollup,
      `select tenant_id, shop_id, ${truncateToUnitSql(unit, 'at')} as at,
        ${columnListSql([...rollup.keys, ...rollup.sums])}
      from taken`,
    )}
    on conflict (${columnListSql(rollupKeyColumns(rollup))}) do update
    set ${rollup.sums.map((sum) => `${sum} = t.${sum} + excluded.${sum}`).join(', ')}`

export const BUYER_DAY_COLUMNS = ['tenant_id', 'at', 'wx_user_id']
export const VISITORS_BY_DAY_TABLE = 'visitors_by_day'
export const ROAMERS_BY_DAY_TABLE = 'roamers_by_day'

/**
 * CTEs that count distinct customers by day without reading each person: visitors of a shop on a day, and roamers, who
 * may have been in several shops of the tenant that day. Reads the folded deltas from `taken`.
 */
const countVisitors = `
    changed as (
      select ${columnListSql(rollupKeyColumns(buyersRollup), 's.')}, coalesce(k.orders, 0) as was,
        coalesce(k.orders, 0) + s.orders as orders
      from (${groupRollupSumsSql(buyersRollup, 'select * from taken')}) s
      left join ${rollupTableName(buyersRollup, 'day')} k using (${columnListSql(rollupKeyColumns(buyersRollup))})),
    visitors as (insert into ${VISITORS_BY_DAY_TABLE} as t (${columnListSql([...ROLLUP_BASE_COLUMNS, 'people'])})
      select ${columnListSql(ROLLUP_BASE_COLUMNS)}, sum((orders > 0)::int - (was > 0)::int) as people from changed
      group by ${columnListSql(ROLLUP_BASE_COLUMNS)} having sum((orders > 0)::int - (was > 0)::int) <> 0
      on conflict (${columnListSql(ROLLUP_BASE_COLUMNS)}) do update set people = t.people + excluded.people),
    roamers as (insert into ${ROAMERS_BY_DAY_TABLE} (${columnListSql(BUYER_DAY_COLUMNS)})
      select ${columnListSql(BUYER_DAY_COLUMNS, 'c.')} from changed c join ${rollupTableName(buyersRollup, 'day')} k
        using (${columnListSql(BUYER_DAY_COLUMNS)})
      where k.shop_id <> c.shop_id
      union select ${columnListSql(BUYER_DAY_COLUMNS)} from changed group by ${columnListSql(BUYER_DAY_COLUMNS)}
        having count(*) > 1
      on conflict do nothing)`

/** Moves the oldest deltas into the sums in one statement, so that a reader finds each of them in exactly one place. */
export const foldRollupDeltasSql = (rollup: Rollup, limit: number): string => `
  with taken as (delete from ${rollupTableName(rollup, 'delta')} where (tenant_id, id) in
  (select tenant_id, id from ${rollupTableName(rollup, 'delta')} order by id limit ${limit}) returning *),
    fine as (${add(rollup, rollup.fine)}), coarse as
    (${add(rollup, rollup.coarse)})${rollup === buyersRollup ? `,${countVisitors}` : ''}
  select count(*)::int as n from taken`

/** Computes the coarse sums from the fine ones. */
export const coarsenRollupSql = (rollup: Rollup): string => `insert into ${rollupTableName(rollup, rollup.coarse)}
  (${columnListSql([...rollupKeyColumns(rollup), ...rollup.sums])})
  ${groupRollupSumsSql(
    rollup,
    `select tenant_id, shop_id, ${truncateToUnitSql(rollup.coarse, 'at')} as at,
    ${columnListSql([...rollup.keys, ...rollup.sums])} from ${rollupTableName(rollup, rollup.fine)}`,
  )}`

const visitorsOf = `select ${columnListSql(ROLLUP_BASE_COLUMNS)}, count(*)::bigint as people
  from ${rollupTableName(buyersRollup, 'day')}
  where orders > 0 group by ${columnListSql(ROLLUP_BASE_COLUMNS)}`
const roamersOf = `select ${columnListSql(BUYER_DAY_COLUMNS)} from ${rollupTableName(buyersRollup, 'day')}
  where orders > 0
  group by ${columnListSql(BUYER_DAY_COLUMNS)} having count(*) > 1`

/** Rebuilds visitors and roamers from the customers' daily sums. */
export const rebuildDailyVisitorsSql = (tenantId: string): string[] => [
  `delete from ${VISITORS_BY_DAY_TABLE} where tenant_id = '${tenantId}'`,
  `delete from ${ROAMERS_BY_DAY_TABLE} where tenant_id = '${tenantId}'`,
  `insert into ${VISITORS_BY_DAY_TABLE} (${columnListSql([...ROLLUP_BASE_COLUMNS, 'people'])}) ${visitorsOf}`,
  `insert into ${ROAMERS_BY_DAY_TABLE} (${columnListSql(BUYER_DAY_COLUMNS)}) ${roamersOf}`,
]

/** Selects visitors that differ from the customers' daily sums, and missing roamers. Superfluous roamers do no harm. */
export const dailyVisitorDifferenceSql = `
  (${visitorsOf} except select ${columnListSql([...ROLLUP_BASE_COLUMNS, 'people'])} from ${VISITORS_BY_DAY_TABLE})
  union all (select ${columnListSql([...ROLLUP_BASE_COLUMNS, 'people'])} from ${VISITORS_BY_DAY_TABLE}
    where people <> 0 except ${visitorsOf})
  union all select tenant_id, wx_user_id, at, -1 from (${roamersOf} except select ${columnListSql(BUYER_DAY_COLUMNS)}
    from ${ROAMERS_BY_DAY_TABLE}) r`

/**
 * Selects `at, members`: identified customers of each whole day, each counted once. Adds up the visitors of the shops;
 * roamers and customers in unfolded deltas are subtracted and counted one by one. `tenant` narrows alias `t`, `shops`
 * rows that have a shop.
 */
export const buyersByWholeDaySql = (tenant: Sql, shops: Sql): Sql => sql`
  with apart as materialized (select ${raw(columnListSql(BUYER_DAY_COLUMNS))} from ${raw(ROAMERS_BY_DAY_TABLE)} t
    where true${tenant} union
  select ${raw(columnListSql(BUYER_DAY_COLUMNS))} from ${raw(rollupTableName(buyersRollup, 'delta'))} t
    where true${tenant}),
    theirs as materialized (select ${raw(columnListSql([...BUYER_DAY_COLUMNS, 'orders'], 't.'))} from apart
    join ${raw(rollupTableName(buyersRollup, 'day'))} t using (${raw(columnListSql(BUYER_DAY_COLUMNS))})
      where true${shops})
  select at, sum(n)::int as members from (
    select at, people as n from ${raw(VISITORS_BY_DAY_TABLE)} t where true${tenant}${shops}
    union all select at, -1 from theirs where orders > 0
    union all select at, 1 from (select * from theirs union all select
      ${raw(columnListSql([...BUYER_DAY_COLUMNS, 'orders'], 't.'))}
    from ${raw(rollupTableName(buyersRollup, 'delta'))} t where true${tenant}${shops}) p
      group by ${raw(columnListSql(BUYER_DAY_COLUMNS))} having sum(orders) > 0
  ) x group by at`
