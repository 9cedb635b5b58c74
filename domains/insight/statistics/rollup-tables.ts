import { defineTable } from '#kit/server/database/schema.ts'
import type { Table } from '#kit/server/database/table.ts'
import {
  appendRollupDeltaSql,
  rollupFactSql,
  truncateToUnitSql,
  columnListSql,
  negateRollupSumsSql,
  BUYER_DAY_COLUMNS,
  ROLLUP_BASE_COLUMNS,
  buyersRollup,
  rollupKeyColumns,
  ROAMERS_BY_DAY_TABLE,
  rollups,
  ROLLUP_SOURCE_TABLES,
  groupRollupSumsSql,
  rollupTableName,
  VISITORS_BY_DAY_TABLE,
  type Rollup,
  type RollupSourceTables,
  type RollupTimeUnit,
} from './rollups.ts'

/**
 * Generates the trigger that appends what a change of a source table adds and removes as deltas. Joins use the indexes,
 * however large the change.
 */
function followSql(source: keyof RollupSourceTables): string {
  const table = ROLLUP_SOURCE_TABLES[source]
  const changed = (rollup: Rollup, side: 'fresh' | 'was') =>
    rollup.facts
      .filter((fact) => fact.of.includes(source))
      .map((fact) =>
        rollupFactSql(rollup, fact, { sources: { ...ROLLUP_SOURCE_TABLES, [source]: side }, changed: source }),
      )

  const append = (rollup: Rollup, sides: readonly ('fresh' | 'was')[]) => {
    const parts = sides.flatMap((side) =>
      changed(rollup, side).map((text) => {
        const fine = `select tenant_id, shop_id, ${truncateToUnitSql(rollup.fine, 'at')} as at,
          ${columnListSql([...rollup.keys, ...rollup.sums])} from (${text}) f`
        return side === 'fresh' ? fine : negateRollupSumsSql(rollup, fine)
      }),
    )
    return parts.length
      ? [
          `    ${appendRollupDeltaSql(
            rollup,
            `select * from (${groupRollupSumsSql(rollup, parts.join(' union all '))}) d
            where ${rollup.sums.map((sum) => `${sum} <> 0`).join(' or ')}`,
          )};`,
        ]
      : []
  }

  const all = (sides: readonly ('fresh' | 'was')[]) => rollups.flatMap((rollup) => append(rollup, sides)).join('\n')
  // Written with `except` and not as a join, which these planner settings would turn into a nested loop over all rows.
  const watched = ['id', ...WATCHED[source]].join(', ')
  const name = `follow_${table}`
  const on = (event: string, referencing: string) =>
    `create or replace trigger ${name}_${event} after ${event} on "${table}" referencing ${referencing} for each
      statement execute function ${name}();`

  return `create or replace function ${name}() returns trigger language plpgsql set enable_seqscan = off
    set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  if tg_op = 'INSERT' then
${all(['fresh'])}
  elsif tg_op = 'DELETE' then
${all(['was'])}
  elsif exists (select ${watched} from fresh except select ${watched} from was) then
${all(['fresh', 'was'])}
  end if;
  return null;
end $$;
${on('insert', 'new table as fresh')}
${on('update', 'old table as was new table as fresh')}
${on('delete', 'old table as was')}`
}

/** Columns the facts use; an update of other columns appends nothing. */
const WATCHED: Record<keyof RollupSourceTables, readonly string[]> = {
  orders: [
    'tenant_id',
    'shop_id',
    'status',
    'pay_time',
    'wx_user_id',
    'pay_amount',
    'quantity',
    'cost_amount',
    'discount_amount',
    'ticket_amount',
    'vip_amount',
    'integral_amount',
    'freight',
  ],
  lines: ['tenant_id', 'order_id', 'good_id', 'amount', 'quantity', 'cost_amount'],
  refunds: ['tenant_id', 'shop_id', 'status', 'finish_time', 'amount', 'lines'],
}

const columnsOf = (rollup: Rollup) => ({
  tenant_id: 'text not null',
  shop_id: 'bigint not null',
  at: 'timestamptz(3) not null',
  ...Object.fromEntries([...rollup.keys, ...rollup.sums].map((name) => [name, 'bigint not null'])),
})

const indexesOf = (rollup: Rollup, kind: 'delta' | RollupTimeUnit) => ({
  [`${rollupTableName(rollup, kind)}_by_time`]: '(tenant_id, at)',
  ...(rollup === buyersRollup && { [`${rollupTableName(rollup, kind)}_by_wx_user_id`]: '(tenant_id, wx_user_id, at)' }),
})

const deltaTable = (rollup: Rollup): Table => ({
  name: rollupTableName(rollup, 'delta'),
  tenancy: 'tenant',
  busy: true,
  columns: { id: 'bigint generated always as identity', ...columnsOf(rollup) },
  // The table is nearly empty but often scanned while rows are added; without indexes it would be read as a whole when
  // bloated by a busy hour.
  indexes: indexesOf(rollup, 'delta'),
})

const keptTable = (rollup: Rollup, unit: RollupTimeUnit): Table => ({
  name: rollupTableName(rollup, unit),
  tenancy: 'tenant',
  busy: true,
  columns: columnsOf(rollup),
  primaryKey: rollupKeyColumns(rollup),
  indexes: indexesOf(rollup, unit),
})

export const rollupTables = rollups
  .flatMap((rollup) => [deltaTable(rollup), keptTable(rollup, rollup.fine), keptTable(rollup, rollup.coarse)])
  .map((table, at) =>
    defineTable(
      at
        ? table
        : {
            ...table,
            after: Object.fromEntries(
              (Object.keys(ROLLUP_SOURCE_TABLES) as (keyof RollupSourceTables)[]).map((source) => [
                `follow_${ROLLUP_SOURCE_TABLES[source]}`,
                followSql(source),
              ]),
            ),
          },
    ),
  )

export const visitorTables = [
  defineTable({
    name: VISITORS_BY_DAY_TABLE,
    tenancy: 'tenant',
    busy: true,
    primaryKey: ROLLUP_BASE_COLUMNS,
    indexes: { [`${VISITORS_BY_DAY_TABLE}_by_time`]: '(tenant_id, at)' },
    columns: {
      tenant_id: 'text not null',
      shop_id: 'bigint not null',
      at: 'timestamptz(3) not null',
      people: 'bigint not null',
    },
  }),
  defineTable({
    name: ROAMERS_BY_DAY_TABLE,
    tenancy: 'tenant',
    primaryKey: BUYER_DAY_COLUMNS,
    columns: { tenant_id: 'text not null', at: 'timestamptz(3) not null', wx_user_id: 'bigint not null' },
  }),
]

/** When a tenant's sums were last recounted, and how many were wrong. */
export const statisticsRecountTable = defineTable({
  name: 'statistics_recount',
  tenancy: 'tenant',
  columns: {
    tenant_id: 'text not null',
    at: 'timestamptz(3) not null',
    wrong: 'integer not null',
    millis: 'integer not null',
  },
  primaryKey: ['tenant_id'],
})
