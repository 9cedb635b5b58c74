import { REFUND, SOLD } from '#domains/sales/orders/index.ts'
import { raw, sql, type Sql } from '#kit/server/database/db.ts'

/**
 * Sums kept beside the rows they come from (docs/decisions/0021). What a transaction changes is appended as a
 * difference by the database itself, a job folds differences into the kept sums, and readers add both: registers of one
 * shop never wait for each other.
 */
export type Unit = 'hour' | 'day' | 'month'

/** Tables facts are read from; a trigger reads what just changed in place of one of them. */
export type Sources = { orders: string; lines: string; refunds: string }
export const SOURCES: Sources = { orders: 'shopping_order', lines: 'shopping_order_detail', refunds: 'refunds' }

/** What one row of the trade adds to the sums, and when. Alias `r` is the row that says whether and when it counts. */
export type Fact = {
  of: readonly (keyof Sources)[]
  /** `changed` drives the join when it is given, row by row, however the planner sees a table that is being filled. */
  from: (sources: Sources, changed?: keyof Sources) => string
  counts: string
  at: string
  values: Record<string, string>
}

export type Rollup = {
  name: string
  /** Beside tenant, shop and time. */
  keys: readonly string[]
  fine: Unit
  coarse: Unit
  sums: readonly string[]
  facts: readonly Fact[]
}

const sold = `r.status in (${SOLD.join(', ')}) and r.pay_time is not null`
const paidBack = `r.status = ${REFUND.succeeded} and r.finish_time is not null`
/** A number inside a refund's lines; whatever else stands there is nothing. */
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

/** By goods, not by type: goods may be put into another type later, and take their past with them. */
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

/** Who bought: counted apart from the sums, as one person on two days is one person. */
export const peopleRollup: Rollup = {
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

export const rollups = [salesRollup, goodsRollup, peopleRollup]

export const names = (list: readonly string[], of = '') => list.map((name) => `${of}${name}`).join(', ')
export const PLACE = ['tenant_id', 'shop_id', 'at']
export const placeOf = (rollup: Rollup) => [...PLACE, ...rollup.keys]
export const tableName = (rollup: Rollup, kind: 'delta' | Unit) =>
  `${rollup.name}_by_${kind}`.replace('by_delta', 'delta')
export const floor = (unit: Unit, at: string) => `date_trunc('${unit}', ${at}, 'Asia/Shanghai')`

/** `select tenant_id, shop_id, at, <keys>, <sums>` of the rows themselves; `and` narrows them. */
export const factSql = (
  rollup: Rollup,
  fact: Fact,
  { sources = SOURCES, changed, and = '' }: { sources?: Sources; changed?: keyof Sources; and?: string } = {},
): string => {
  const value = (name: string, cast: string) => `coalesce(${fact.values[name] ?? '0'}, 0)::${cast} as ${name}`
  const columns = [
    ...rollup.keys.map((name) => value(name, 'bigint')),
    ...rollup.sums.map((name) => value(name, 'bigint')),
  ]
  return `select r.tenant_id, coalesce(r.shop_id, 0) as shop_id, ${fact.at} as at, ${columns.join(', ')}
    from ${fact.from(sources, changed)} where ${fact.counts}${and}`
}

/** A condition on a time column; a whole number of the finest units. */
type When = (column: string) => string
const always: When = () => 'true'

/** What the sums would be, counted anew in the finest unit. */
const recountSql = (rollup: Rollup, when: When = always): string =>
  `select tenant_id, shop_id, ${floor(rollup.fine, 'at')} as at, ${names([...rollup.keys, ...rollup.sums])}
    from (${rollup.facts.map((fact) => factSql(rollup, fact, { and: ` and ${when(fact.at)}` })).join(' union all ')}) f`

const keptSql = (rollup: Rollup, when: When): string =>
  (['delta', rollup.fine] as const)
    .map(
      (kind) =>
        `select ${names([...placeOf(rollup), ...rollup.sums])} from ${tableName(rollup, kind)} t where ${when('t.at')}`,
    )
    .join(' union all ')

export const negative = (rollup: Rollup, from: string) =>
  `select ${names(placeOf(rollup))}, ${rollup.sums.map((sum) => `-${sum} as ${sum}`).join(', ')} from (${from}) n`
export const summed = (rollup: Rollup, from: string) =>
  `select ${names(placeOf(rollup))}, ${rollup.sums.map((sum) => `sum(${sum})::bigint as ${sum}`).join(', ')}
    from (${from}) s group by ${names(placeOf(rollup))}`

/** Where the kept sums differ from a recount, and by how much. */
export const differenceSql = (rollup: Rollup, when: When = always): string =>
  `select * from (${summed(rollup, `${recountSql(rollup, when)} union all ${negative(rollup, keptSql(rollup, when))}`)})
    d where ${rollup.sums.map((sum) => `${sum} <> 0`).join(' or ')}`

export const appendSql = (rollup: Rollup, from: string): string =>
  `insert into ${tableName(rollup, 'delta')} (${names([...placeOf(rollup), ...rollup.sums])}) ${from}`

const add = (rollup: Rollup, unit: Unit) =>
  `insert into ${tableName(rollup, unit)} as t (${names([...placeOf(rollup), ...rollup.sums])})
    ${summed(
      rollup,
      `select tenant_id, shop_id, ${floor(unit, 'at')} as at, ${names([...rollup.keys, ...rollup.sums])}
      from taken`,
    )}
    on conflict (${names(placeOf(rollup))}) do update
    set ${rollup.sums.map((sum) => `${sum} = t.${sum} + excluded.${sum}`).join(', ')}`

export const PERSON = ['tenant_id', 'at', 'wx_user_id']
export const VISITORS = 'visitors_by_day'
export const ROAMERS = 'roamers_by_day'

/**
 * Distinct people of many days, without looking at each of them: how many a shop had on a day, and who may have been in
 * several shops of the tenant that day. `from` holds one row a shop, day and person with the `change` that is about to
 * be added.
 */
const countVisitors = `
    changed as (
      select ${names(placeOf(peopleRollup), 's.')}, coalesce(k.orders, 0) as was,
        coalesce(k.orders, 0) + s.orders as orders
      from (${summed(peopleRollup, 'select * from taken')}) s
      left join ${tableName(peopleRollup, 'day')} k using (${names(placeOf(peopleRollup))})),
    visitors as (insert into ${VISITORS} as t (${names([...PLACE, 'people'])})
      select ${names(PLACE)}, sum((orders > 0)::int - (was > 0)::int) as people from changed
      group by ${names(PLACE)} having sum((orders > 0)::int - (was > 0)::int) <> 0
      on conflict (${names(PLACE)}) do update set people = t.people + excluded.people),
    roamers as (insert into ${ROAMERS} (${names(PERSON)})
      select ${names(PERSON, 'c.')} from changed c join ${tableName(peopleRollup, 'day')} k using (${names(PERSON)})
      where k.shop_id <> c.shop_id
      union select ${names(PERSON)} from changed group by ${names(PERSON)} having count(*) > 1
      on conflict do nothing)`

/**
 * Moves the oldest differences into the kept sums, in one statement: a reader finds each of them in exactly one place.
 */
export const foldSql = (rollup: Rollup, limit: number): string => `
  with taken as (delete from ${tableName(rollup, 'delta')} where (tenant_id, id) in
  (select tenant_id, id from ${tableName(rollup, 'delta')} order by id limit ${limit}) returning *),
    fine as (${add(rollup, rollup.fine)}), coarse as
    (${add(rollup, rollup.coarse)})${rollup === peopleRollup ? `,${countVisitors}` : ''}
  select count(*)::int as n from taken`

/** The coarser sums from the finer ones. */
export const coarsenSql = (
  rollup: Rollup,
): string => `insert into ${tableName(rollup, rollup.coarse)} (${names([...placeOf(rollup), ...rollup.sums])})
  ${summed(
    rollup,
    `select tenant_id, shop_id, ${floor(rollup.coarse, 'at')} as at,
    ${names([...rollup.keys, ...rollup.sums])} from ${tableName(rollup, rollup.fine)}`,
  )}`

const visitorsOf = `select ${names(PLACE)}, count(*)::bigint as people from ${tableName(peopleRollup, 'day')}
  where orders > 0 group by ${names(PLACE)}`
const roamersOf = `select ${names(PERSON)} from ${tableName(peopleRollup, 'day')} where orders > 0
  group by ${names(PERSON)} having count(*) > 1`

/** Visitors and roamers from the kept days of customers, in place of what there was. */
export const visitorsAnewSql = (tenantId: string): string[] => [
  `delete from ${VISITORS} where tenant_id = '${tenantId}'`,
  `delete from ${ROAMERS} where tenant_id = '${tenantId}'`,
  `insert into ${VISITORS} (${names([...PLACE, 'people'])}) ${visitorsOf}`,
  `insert into ${ROAMERS} (${names(PERSON)}) ${roamersOf}`,
]

/**
 * Where visitors differ from the kept days of customers, and roamers that are not known to be. More of them than there
 * are do no harm.
 */
export const visitorDifferenceSql = `
  (${visitorsOf} except select ${names([...PLACE, 'people'])} from ${VISITORS})
  union all (select ${names([...PLACE, 'people'])} from ${VISITORS} where people <> 0 except ${visitorsOf})
  union all select tenant_id, wx_user_id, at, -1 from (${roamersOf} except select ${names(PERSON)} from ${ROAMERS}) r`

/**
 * `select at, members`: customers known by name of each whole day, each once a day. A shop's visitors are added up;
 * roamers, and whoever is in the differences not folded yet, are taken out and counted one by one. `tenant` narrows
 * alias `t`, `shops` the rows that have one.
 */
export const membersByDay = (tenant: Sql, shops: Sql): Sql => sql`
  with apart as materialized (select ${raw(names(PERSON))} from ${raw(ROAMERS)} t where true${tenant} union
  select ${raw(names(PERSON))} from ${raw(tableName(peopleRollup, 'delta'))} t where true${tenant}),
    theirs as materialized (select ${raw(names([...PERSON, 'orders'], 't.'))} from apart
    join ${raw(tableName(peopleRollup, 'day'))} t using (${raw(names(PERSON))}) where true${shops})
  select at, sum(n)::int as members from (
    select at, people as n from ${raw(VISITORS)} t where true${tenant}${shops}
    union all select at, -1 from theirs where orders > 0
    union all select at, 1 from (select * from theirs union all select ${raw(names([...PERSON, 'orders'], 't.'))}
    from ${raw(tableName(peopleRollup, 'delta'))} t where true${tenant}${shops}) p
      group by ${raw(names(PERSON))} having sum(orders) > 0
  ) x group by at`
