import { fieldKindOf } from '../../fields/kinds.ts'
import { toSqlName, type Resource } from '../../resource/define-resource.ts'
import { fieldsNeedingIndex } from '../../resource/list-capabilities.ts'
import { customSlotLetterOf, customColumnTypes, customColumnsSignature } from '../../resource/custom-columns.ts'
import { ngramSearchSql } from './ngrams.ts'
import {
  BUSY_TABLE_STORAGE_SQL,
  createPartitionedIndexSql,
  dropPartitionedIndexSql,
  createFirstPartitionSql,
  convertToPartitionsSql,
  isUniqueIndexName,
  isUniquePerPartition,
} from './partitions.ts'
import { hasTenantColumn, storedFields, uniqueIndexName } from './row-sql.ts'
import type { Table } from './table.ts'

export const defineTable = (table: Table): Table => table

/** Primary key; the tenant comes first, so that a table can be distributed by it. */
const keyOf = (table: Table): readonly string[] =>
  table.primaryKey ?? (table.columns.tenant_id ? ['tenant_id', 'id'] : ['id'])

const ORDERED = (key: string, index: number, keys: readonly string[]) =>
  key === 'createTime' || (key === 'id' && keys[index - 1] === 'createTime') ? `${toSqlName(key)} desc` : toSqlName(key)

/** Column and direction of a list's default order. */
const sortOf = (resource: Resource<any, any>) => ({
  key: resource.list.sort.replace(/^-/, ''),
  isDescending: resource.list.sort.startsWith('-'),
})

const floorOf = (min: number | undefined) => (min !== undefined && min >= 0 ? 0 : undefined)

/**
 * Check constraints for the limits of fields that people write. Rows that are never removed are also written by
 * modules, so only "not negative" is enforced there. Rows of devices, platforms and the system, and fields that change
 * by themselves, have no checks: they are stored as they arrive (docs/decisions/0009).
 */
function checksOf(resource: Resource<any, any>): Record<string, string> {
  const checks: Record<string, string> = {}
  if (resource.writer !== 'office') return checks
  for (const [key, field] of storedFields(resource)) {
    const isWritten = (field.form ?? 'edit') === 'edit' || field.form === 'add'
    const bounds = (isWritten && !field.systemUpdated && fieldKindOf(field).bounds?.(field)) || {}
    const { min, max } = resource.remove === false ? { min: floorOf(bounds.min), max: undefined } : bounds
    const column = `"${toSqlName(key)}"`
    const parts = [
      ...(min === undefined ? [] : [`${column} >= ${min}`]),
      ...(max === undefined ? [] : [`${column} <= ${max}`]),
    ]
    if (parts.length) checks[`${resource.table}_${toSqlName(key)}_range`.slice(0, 60)] = parts.join(' and ')
  }
  return checks
}

function columnsOf(resource: Resource<any, any>): Record<string, string> {
  const columns: Record<string, string> = { id: 'bigint not null' }
  if (hasTenantColumn(resource))
    columns.tenant_id = `text not null${resource.tenancy === 'shared' ? " default '000000'" : ''}`
  for (const [key, field] of storedFields(resource)) {
    columns[toSqlName(key)] = `${fieldKindOf(field).column(field)}${field.required ? ' not null' : ''}`
    if (field.search === 'part')
      columns[`${toSqlName(key)}_tail`] = `text collate "C" generated always as (reverse("${toSqlName(key)}")) stored`
  }
  Object.assign(columns, {
    create_user: 'bigint',
    create_dept: 'bigint',
    create_time: 'timestamptz(3) not null default now()',
    update_user: 'bigint',
    update_time: 'timestamptz(3) not null default now()',
    version: 'integer not null default 0',
  })
  if (resource.remove === 'soft') columns.is_deleted = 'smallint not null default 0'
  return columns
}

const liveOf = (resource: Resource<any, any>) => (resource.remove === 'soft' ? ' where is_deleted = 0' : '')

/** Whether a declared index is redundant, since an index generated for the list begins with the same columns. */
const isWithin = ([first, ...rest]: readonly string[], offered: readonly string[]): boolean =>
  offered.includes(first!) && rest.every((key, at) => key === ['createTime', 'id'][at])

/** Start and end common to all indexes of a resource, and the columns of its list order. */
type IndexParts = { prefix: string; live: string; order: string }
type Indexes = Record<string, string>

function indexPartsOf(resource: Resource<any, any>): IndexParts {
  const { key, isDescending } = sortOf(resource)
  const direction = isDescending ? ' desc' : ''
  return {
    prefix: hasTenantColumn(resource) ? 'tenant_id, ' : '',
    live: liveOf(resource),
    order: `${toSqlName(key)}${direction}, id${direction}`,
  }
}

/** All indexes of a resource: for lists, filters, scopes, declared and unique ones. */
function indexesOf(resource: Resource<any, any>): Indexes {
  const parts = indexPartsOf(resource)
  const indexes: Indexes = {
    ...orderIndexes(resource, parts),
    ...filterIndexes(resource, parts),
    ...severalIndexes(resource, parts),
    ...uniqueIndexes(resource, parts),
    ...partIndexes(resource, parts),
    ...binIndexes(resource, parts),
    ...everywhereIndexes(resource, parts),
  }
  // The nightly cleanup searches the oldest rows of all tenants.
  if (resource.retentionDays && !Object.values(indexes).some((tail) => /^\(create_time\b/.test(tail)))
    indexes[`${resource.table}_old`] = '(create_time)'
  return indexes
}

/** Indexes for the list order: within a tenant, over all tenants, and by each scope field. */
function orderIndexes(resource: Resource<any, any>, { prefix, live, order }: IndexParts): Indexes {
  const indexes: Indexes = { [`${resource.table}_list`]: `(${prefix}${order})${live}` }
  if (hasTenantColumn(resource)) indexes[`${resource.table}_all`] = `(${order})${live}`
  for (const key of new Set(Object.values(resource.scope))) {
    if (key !== 'id')
      indexes[`${resource.table}_by_${toSqlName(key)}`] = `(${prefix}${toSqlName(key)}, ${order})${live}`
  }
  return indexes
}

/** Declared indexes, and those for filtering and sorting large lists. */
function filterIndexes(resource: Resource<any, any>, { prefix, live }: IndexParts): Indexes {
  const indexes: Indexes = {}
  const offered = fieldsNeedingIndex(resource)
  for (const keys of resource.indexes.filter((keys: readonly string[]) => !isWithin(keys, offered)))
    indexes[`${resource.table}_by_${keys.map(toSqlName).join('_')}`.slice(0, 60)] =
      `(${prefix}${keys.map(ORDERED).join(', ')})${live}`
  const sortKey = sortOf(resource).key
  for (const key of offered)
    indexes[`${resource.table}_of_${toSqlName(key)}`.slice(0, 60)] =
      `(${prefix}${[...new Set([key, sortKey, 'id'])].map(toSqlName).join(', ')})${live}`
  return indexes
}

/**
 * Partial indexes for fields with several values that few rows have: only rows with any value, in list order; those are
 * then scanned.
 */
function severalIndexes(resource: Resource<any, any>, { prefix, live, order }: IndexParts): Indexes {
  const indexes: Indexes = {}
  if (!resource.indexedList) return indexes
  for (const [key, field] of storedFields(resource))
    if (field.search && fieldKindOf(field).many)
      indexes[`${resource.table}_with_${toSqlName(key)}`.slice(0, 60)] =
        `(${prefix}${order})${live ? `${live} and` : ' where'} ${toSqlName(key)} <> '{}'`
  return indexes
}

const uniqueIndexes = (resource: Resource<any, any>, { prefix, live }: IndexParts): Indexes =>
  Object.fromEntries(
    resource.unique.map((keys: readonly string[]) => [
      uniqueIndexName(resource, keys),
      `(${prefix}${keys.map(toSqlName).join(', ')})${live}`,
    ]),
  )

/**
 * Indexes for searching by the end of a number. They start with the number and not with the tenant, so that they also
 * serve callers who see all tenants.
 */
function partIndexes(resource: Resource<any, any>, { live }: IndexParts): Indexes {
  const indexes: Indexes = {}
  const tenant = hasTenantColumn(resource) ? ', tenant_id' : ''
  for (const [key, field] of storedFields(resource))
    if (field.search === 'part')
      indexes[`${resource.table}_by_${toSqlName(key)}_tail`] = `(${toSqlName(key)}_tail${tenant})${live}`
  return indexes
}

const binIndexes = (resource: Resource<any, any>, { prefix }: IndexParts): Indexes =>
  resource.restore ? { [`${resource.table}_bin`]: `(${prefix}update_time desc, id desc) where is_deleted = 1` } : {}

/** Indexes over all tenants: unique ones, and those for finding a row before its tenant is known. */
function everywhereIndexes(resource: Resource<any, any>, { live }: IndexParts): Indexes {
  const indexes: Indexes = {}
  for (const keys of resource.uniqueEverywhere)
    indexes[uniqueIndexName(resource, keys, 'everywhere')] = `(${keys.map(toSqlName).join(', ')})${live}`
  for (const key of resource.foundEverywhere)
    indexes[`${resource.table}_found_${toSqlName(key)}`] = `(${toSqlName(key)})${live}`
  return indexes
}

/** Substring search indexes and their finder functions. */
function ngramStatementsOf(resource: Resource<any, any>) {
  const indexes: Record<string, string> = {}
  const after: Record<string, string> = {}
  for (const [key, field] of storedFields(resource)) {
    if (!field.ngramIndex) continue
    if (resource.tenancy !== 'tenant') throw new Error(`${resource.name}: "${key}" has grams, and no tenant's rows`)
    const { index, finder } = ngramSearchSql(resource.table, key, liveOf(resource))
    indexes[`${resource.table}_grams_of_${toSqlName(key)}`.slice(0, 60)] = index
    after[`find by ${key}`] = finder
  }
  return { indexes, after }
}

/**
 * Index for filtering or sorting a list by a spare column: rows with a value, in list order. One for all tenants, and
 * small while few use the column.
 */
export function customFieldIndexOf(resource: Resource<any, any>, slot: string): { name: string; tail: string } {
  const live = liveOf(resource)
  const sort = sortOf(resource)
  const order = [...new Set([sort.key, 'id'])].map(toSqlName)
  const column = `own_${slot}`
  const isMany = customSlotLetterOf(slot) === 'l'
  const tail = `(${['tenant_id', ...(isMany ? [] : [column]), ...order].join(', ')})${live}${
    live ? ' and' : ' where'
  } ${column} ${isMany ? "<> '{}'" : 'is not null'}`
  return { name: `${resource.table.slice(0, 40)}_own_${slot}`, tail }
}

export function tableOfResource(resource: Resource<any, any>): Table {
  const grams = ngramStatementsOf(resource)
  return {
    name: resource.table,
    tenancy: resource.tenancy,
    columns: columnsOf(resource),
    indexes: { ...indexesOf(resource), ...grams.indexes },
    checks: checksOf(resource),
    appendOnly: resource.appendOnly,
    ...(resource.retentionDays ? { retentionDays: resource.retentionDays } : {}),
    busy: resource.writer !== 'office',
    ...(resource.partitioned ? { partitioned: resource.partitioned } : {}),
    ...(resource.ownFields ? { own: customColumnsSignature } : {}),
    ...(Object.keys(grams.after).length ? { after: grams.after } : {}),
  }
}

const policies = (table: Table): string[] => {
  const t = `"${table.name}"`
  const mine = `tenant_id = current_setting('app.tenant', true)`
  const out = [`alter table ${t} enable row level security;`]
  if (table.tenancy === 'tenant')
    out.push(`create policy own_rows on ${t} to store_app using (${mine}) with check (${mine});`)
  if (table.tenancy === 'shared') {
    out.push(
      `create policy read_own_and_shared on ${t} for select to store_app using (tenant_id in ` +
        `(current_setting('app.tenant', true), '000000'));`,
      `create policy add_own on ${t} for insert to store_app with check (${mine});`,
      `create policy change_own on ${t} for update to store_app using (${mine}) with check (${mine});`,
      `create policy remove_own on ${t} for delete to store_app using (${mine});`,
    )
  }
  if (table.tenancy === 'platform') out.push(`create policy read_all on ${t} for select to store_app using (true);`)
  out.push(`create policy every_row on ${t} to store_platform using (true) with check (true);`)
  return out
}

const expiryGrant = (table: Table) => `grant delete on "${table.name}" to store_platform;
create policy young_stay on "${table.name}" as restrictive for delete to store_platform
  using (create_time < now() - interval '${table.retentionDays!} days');`

const grants = (table: Table): string[] => {
  const t = `"${table.name}"`
  const verbs = table.appendOnly ? 'select, insert' : 'select, insert, update, delete'
  const out = [
    `grant ${table.tenancy === 'platform' ? 'select' : verbs} on ${t} to store_app;`,
    `grant ${verbs} on ${t} to store_platform;`,
  ]
  if (table.appendOnly && table.mutable?.length)
    out.push(`grant update (${table.mutable.join(', ')}) on ${t} to store_app, store_platform;`)
  if (table.appendOnly && table.retentionDays) out.push(expiryGrant(table))
  return out
}

const indexSql = (table: Table, name: string, tail: string, how = '', isOwn = isUniqueIndexName(name)) =>
  `create ${isOwn ? 'unique ' : ''}index ${how}"${name}" on "${table.name}" ${tail};`

const storageOf = (table: Table) =>
  table.partitioned ? ' partition by range (id)' : table.busy ? BUSY_TABLE_STORAGE_SQL : ''

const OWN_A_LINE = 3

/** SQL of the spare columns, a few on each line. */
function ownLines(before = ''): string[] {
  const columns = Object.entries(customColumnTypes).map(([name, type]) => `${before}"${name}" ${type}`)
  return Array.from({ length: Math.ceil(columns.length / OWN_A_LINE) }, (_none, at) =>
    columns.slice(at * OWN_A_LINE, (at + 1) * OWN_A_LINE).join(', '),
  )
}

/**
 * SQL that adds all spare columns in one statement, so that the table is locked once. Nullable columns do not rewrite
 * the table.
 */
const addOwnSql = ({ name }: Table): string =>
  `alter table "${name}"\n  ${ownLines('add if not exists ').join(',\n  ')};`

const tableSql = (table: Table): string[] => [
  `create table "${table.name}" (\n${Object.entries(table.columns)
    .map(([name, type]) => `  "${name}" ${type},`)
    .concat(table.own ? ownLines().map((line) => `  ${line},`) : [])
    .concat(Object.entries(table.checks ?? {}).map(([name, rule]) => `  constraint "${name}" check (${rule}),`))
    .join('\n')}\n  primary key (${keyOf(table).join(', ')})\n)${storageOf(table)};`,
  ...Object.entries(table.indexes ?? {})
    .filter(([name]) => !isUniquePerPartition(table, name))
    .map(([name, tail]) => indexSql(table, name, tail)),
  ...grants(table),
  ...policies(table),
]

const createSql = (table: Table): string[] => [
  ...tableSql(table),
  ...(table.partitioned ? [createFirstPartitionSql(table)] : []),
]

export type Schema = Record<string, Table>

export const schemaOf = (tables: readonly Table[]): Schema => {
  const schema: Schema = {}
  for (const table of [...tables].sort((a, b) => a.name.localeCompare(b.name))) {
    if (schema[table.name]) throw new Error(`table "${table.name}" is declared twice`)
    schema[table.name] = JSON.parse(JSON.stringify({ ...table, primaryKey: keyOf(table) })) as Table
  }
  return schema
}

export const schemaSql = (schema: Schema): string =>
  [
    ...Object.values(schema).map((table) => createSql(table).join('\n')),
    ...Object.values(schema).flatMap((table) => Object.values(table.after ?? {})),
  ].join('\n\n') + '\n'

/** Whether two texts differ only in white space. */
const isSame = (one: string | undefined, other: string | undefined) =>
  one?.replace(/\s+/g, ' ') === other?.replace(/\s+/g, ' ')

const NOT_NULL = / not null$/

/**
 * SQL default for rows that have no value in a column that becomes NOT NULL; the row's own id if the column is unique.
 */
function emptyOf(table: Table, name: string): string {
  const type = table.columns[name]!.replace(NOT_NULL, '')
  const isOwn = Object.entries(table.indexes ?? {}).some(
    ([index, tail]) => isUniqueIndexName(index) && new RegExp(`\\b${name}\\b`).test(tail),
  )
  if (type.endsWith('[]')) return `'{}'`
  if (type.startsWith('text')) return isOwn ? 'id::text' : `''`
  if (type === 'jsonb') return `'{}'`
  if (type === 'boolean') return 'false'
  if (/^(date|timestamptz)/.test(type)) return 'create_time'
  if (!isOwn) return '0'
  return type === 'integer' ? '(abs(id) % 2147483647)::integer' : 'id'
}

/** Columns that are now NOT NULL and were not before, or are new. */
const filledColumns = (table: Table, old: Table): string[] =>
  Object.entries(table.columns).flatMap(([name, type]) => {
    const was = old.columns[name]
    const becomesRequired =
      NOT_NULL.test(type) && (was === undefined ? !/ (default|generated) /.test(type) : was !== type)
    return becomesRequired && (was === undefined || was === type.replace(NOT_NULL, '')) ? [name] : []
  })

/** Rows filled in one transaction. */
const FILLED_AT_ONCE = 5000

/**
 * SQL that makes columns NOT NULL: fills empty values in batches, so that no start fails on them. A validated check
 * constraint first, so that `set not null` need not scan the table under a lock.
 */
const fillSql = ({ name: table, ...rest }: Table, names: readonly string[]): string[] => {
  const empty = names.map((name) => `"${name}" is null`).join(' or ')
  const whole = names.map((name) => `"${name}" is not null`).join(' and ')
  const filled = names.map((name) => `"${name}" = coalesce("${name}", ${emptyOf({ name: table, ...rest }, name)})`)
  const t = `alter table "${table}"`
  return [
    `do $$ declare n integer; begin loop
  update "${table}" set
    ${filled.join(', ')}
    where ctid = any(array(select ctid from "${table}" where ${empty} limit ${FILLED_AT_ONCE}));
  get diagnostics n = row_count;
  commit;
  exit when n = 0;
  end loop; end $$;`,
    `${t} drop constraint if exists "${table}_filled", add constraint "${table}_filled" check (${whole}) not valid;`,
    `${t} validate constraint "${table}_filled";`,
    `${t} ${names.map((name) => `alter column "${name}" set not null`).join(', ')};`,
    `${t} drop constraint "${table}_filled";`,
  ]
}

/**
 * SQL that adds a check constraint. Where existing rows violate it, it is dropped again with a warning, as every update
 * of those rows would fail.
 */
const checkSql = ({ name: table }: Table, name: string, rule: string): string[] => [
  `alter table "${table}" drop constraint if exists "${name}", add constraint "${name}" check (${rule}) not valid;`,
  `do $$ begin
  alter table "${table}" validate constraint "${name}";
  exception when check_violation then
    alter table "${table}" drop constraint "${name}";
    raise warning 'rows of ${table} break the rule ${rule.replaceAll("'", "''")}: it is left out';
  end $$;`,
]

/**
 * SQL for changed indexes. Old ones are dropped after their replacements are built; half-built ones are dropped first.
 */
function proposeIndexes(table: Table, old: Table): string[] {
  const { indexes = {} } = table
  const gone = Object.keys(old.indexes ?? {}).filter((name) => !(name in indexes))
  return [
    ...Object.entries(indexes).flatMap(([name, tail]) => {
      if (old.indexes?.[name] === tail) return []
      if (table.partitioned)
        return [
          ...(old.indexes?.[name] ? [dropPartitionedIndexSql(table, name)] : []),
          ...createPartitionedIndexSql(table, name, tail),
        ]
      const drop = (one: string) => `drop index concurrently if exists "${one}";`
      const build = (one: string) => [drop(one), indexSql(table, one, tail, 'concurrently ', isUniqueIndexName(name))]
      const fresh = `${name}_fresh`.slice(-60)
      if (!old.indexes?.[name]) return build(name)
      return [...build(fresh), drop(name), `alter index "${fresh}" rename to "${name}";`]
    }),
    ...gone.map((name) =>
      table.partitioned ? dropPartitionedIndexSql(table, name) : `drop index concurrently if exists "${name}";`,
    ),
  ]
}

function proposeChecks(table: Table, old: Table): string[] {
  const { checks = {} } = table
  const gone = Object.keys(old.checks ?? {}).filter((name) => !(name in checks))
  return [
    ...gone.map((name) => `alter table "${table.name}" drop constraint if exists "${name}";`),
    ...Object.entries(checks)
      .filter(([name, rule]) => old.checks?.[name] !== rule)
      .flatMap(([name, rule]) => checkSql(table, name, rule)),
  ]
}

/**
 * Statements that run without a transaction, so that no table is locked longer than one needs: indexes and keys (built
 * concurrently, then swapped in), check constraints, and columns that become NOT NULL. Each can be repeated after a
 * crash (`NO_TRANSACTION_MARKER`).
 */
export function proposeNoTransactionMigration(was: Schema, wanted: Schema): string[] {
  return Object.values(wanted).flatMap((table) => {
    const old = was[table.name]
    if (!old) return []
    const isCut = table.partitioned && !old.partitioned
    const fed = Object.values(wanted).flatMap(({ after }) => Object.values(after ?? {}))
    const follows = fed.filter((text) => text.includes(`"${table.name}"`))
    const filled = filledColumns(table, old)
    return [
      ...(table.own && table.own !== old.own ? [addOwnSql(table)] : []),
      ...(filled.length ? fillSql(table, filled) : []),
      ...proposeKey(table, old),
      ...(isCut ? [] : proposeIndexes(table, old)),
      ...proposeChecks(table, old),
      ...(isCut ? convertToPartitionsSql(table.name, [...tableSql(table), ...follows]) : []),
    ]
  })
}

function proposeKey(table: Table, old: Table): string[] {
  const key = keyOf(table).join(', ')
  if ((old.primaryKey ?? ['id']).join(', ') === key) return []
  const [t, fresh, kept] = [`"${table.name}"`, `"${table.name}_key"`, `"${table.name}_pkey"`]
  return [
    `drop index concurrently if exists ${fresh};`,
    `create unique index concurrently ${fresh} on ${t} (${key});`,
    `alter table ${t} drop constraint ${kept}, add constraint ${kept} primary key using index ${fresh};`,
  ]
}

/**
 * SQL that changes a database from one schema to the next. Changes that lose data (dropped tables and columns, changed
 * types) are written as `-- decide:` comments for a person; the SQL is reviewed before it is committed.
 */
export function proposeMigration(was: Schema, wanted: Schema): string[] {
  const tables = Object.values(wanted)
  return [
    ...tables.flatMap((table) => {
      const old = was[table.name]
      return old ? [...proposeColumns(table, old), ...proposeKind(table, old)] : createSql(table)
    }),
    ...tables.flatMap((table) => proposeFeeds(table, was[table.name])),
    ...Object.keys(was).flatMap((name) => (wanted[name] ? [] : [`-- decide: drop table "${name}";`])),
  ]
}

/**
 * New, changed and removed columns. New columns that need values are added as nullable here;
 * `proposeNoTransactionMigration` fills them.
 */
function proposeColumns(table: Table, old: Table): string[] {
  const filled = filledColumns(table, old)
  const out = Object.entries(table.columns).flatMap(([name, type]) =>
    old.columns[name] === type ? [] : proposeColumn(table, name, old.columns[name], filled.includes(name)),
  )
  if (old.own && old.own !== table.own)
    out.push(`-- decide: drop spare columns of "${table.name}": "${old.own}" were, "${table.own ?? ''}" are`)
  for (const name of Object.keys(old.columns))
    if (!(name in table.columns)) out.push(`-- decide: alter table "${table.name}" drop column "${name}";`)
  return out
}

function proposeColumn(table: Table, name: string, was: string | undefined, isFilled: boolean): string[] {
  const type = table.columns[name]!
  if (was === undefined)
    return [`alter table "${table.name}" add column "${name}" ${isFilled ? type.replace(NOT_NULL, '') : type};`]
  if (isFilled) return []
  if (was === `${type} not null`) return [`alter table "${table.name}" alter column "${name}" drop not null;`]
  return [`-- decide: alter table "${table.name}" alter column "${name}": was "${was}", wanted "${type}"`]
}

/** Changes of tenancy, append-only, retention and partitioning. */
function proposeKind(table: Table, old: Table): string[] {
  const out: string[] = []
  if (table.appendOnly && table.retentionDays && !old.retentionDays) out.push(expiryGrant(table))
  if (old.partitioned && !table.partitioned) out.push(`-- decide: put the months of "${table.name}" together`)
  if (old.tenancy !== table.tenancy || !!old.appendOnly !== !!table.appendOnly)
    out.push(`-- decide: tenancy or append-only of "${table.name}" changed`)
  return out
}

/** Functions and triggers; run after all tables exist. */
function proposeFeeds({ name: table, after = {} }: Table, old: Table | undefined): string[] {
  const before = old?.after ?? {}
  return [
    ...Object.entries(after).flatMap(([name, text]) => (isSame(before[name], text) ? [] : [text])),
    ...Object.keys(before).flatMap((name) =>
      after[name] ? [] : [`-- decide: drop what "${table}" no longer has: ${name}`],
    ),
  ]
}
