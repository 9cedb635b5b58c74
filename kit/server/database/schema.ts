import { fieldKindOf } from '../../fields/kinds.ts'
import { toSqlName, type Resource, type Tenancy } from '../../resource/define-resource.ts'
import { fieldsNeedingIndex } from '../../resource/list-capabilities.ts'
import { customSlotLetterOf, customColumnTypes, customColumnsSignature } from '../../resource/custom-fields.ts'
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
import { hasTenantColumn, storedFields, uniqueIndexName } from './rows.ts'

/**
 * A table as the migrations see it. Resources are lowered to this; modules may add tables that are no resource (links,
 * counters).
 */
export type Table = {
  name: string
  tenancy: Tenancy
  /** Column name to SQL type with constraints: `{ role_id: 'bigint not null' }`. */
  columns: Record<string, string>
  /** `(tenant_id, id)` where rows belong to tenants, `(id)` elsewhere, unless said. */
  primaryKey?: readonly string[]
  /**
   * Index name to what follows the table name: `(tenant_id, shop_id) where is_deleted = 0`. A name ending in `_uq…` is
   * unique.
   */
  indexes?: Record<string, string>
  /** Constraint name to what holds of every row. */
  checks?: Record<string, string>
  /** Rows are added and read, never changed or removed, by grant. */
  appendOnly?: boolean
  /**
   * Append-only, and yet the clock removes what grew old (`ModuleDefinition.retention`): nothing younger than so many
   * days, whoever asks.
   */
  retentionDays?: number
  /**
   * Cut into months or quarters by the id, which carries its time (partitions.ts). What is unique without the id is
   * held so within one: its number must carry its time too, or be counted under a lock. What goes after its days goes
   * by months; what stays has few parts, as each costs every list.
   */
  partitioned?: 'month' | 'quarter'
  /** Rows written and read all the time: vacuum early, so that counts stay index-only. */
  busy?: boolean
  /**
   * Functions and triggers that feed this table from others, created after all tables. Each text replaces its
   * predecessor when run again.
   */
  after?: Record<string, string>
  /** What nobody is handed, not even the tenant that leaves with its data: all of it, or these columns. */
  secret?: true | readonly string[]
  /** Columns the store role may update although the table is append-only. */
  mutable?: readonly string[]
  /** Has the spare columns for fields its tenants add, and how many of each (`customColumnsSignature`). */
  own?: string
}

export const defineTable = (table: Table): Table => table

/** The tenant comes first, so that a table can be spread by it. */
const keyOf = (table: Table): readonly string[] =>
  table.primaryKey ?? (table.columns.tenant_id ? ['tenant_id', 'id'] : ['id'])

const ORDERED = (key: string, index: number, keys: readonly string[]) =>
  key === 'createTime' || (key === 'id' && keys[index - 1] === 'createTime') ? `${toSqlName(key)} desc` : toSqlName(key)

/** `-createTime` → its column and direction. */
const sortOf = (resource: Resource<any, any>) => ({
  key: resource.list.sort.replace(/^-/, ''),
  isDescending: resource.list.sort.startsWith('-'),
})

const floorOf = (min: number | undefined) => (min !== undefined && min >= 0 ? 0 : undefined)

/**
 * Bounds of what people write: no form and no import goes beyond them, so neither may anything else. Records, which are
 * never removed, are written by their modules too: of them no more is asked than that nothing is negative. What
 * devices,
 * platforms and the system write, and what moves by itself, is recorded as it came (docs/decisions/0009).
 */
function checksOf(resource: Resource<any, any>): Record<string, string> {
  const checks: Record<string, string> = {}
  if (resource.writer !== 'office') return checks
  for (const [key, field] of storedFields(resource)) {
    const isWritten = (field.form ?? 'edit') === 'edit' || field.form === 'add'
    const asked = (isWritten && !field.systemUpdated && fieldKindOf(field).bounds?.(field)) || {}
    const { min, max } = resource.remove === false ? { min: floorOf(asked.min), max: undefined } : asked
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

/** Whether a declared index says no more than one of a list's offers. */
const isWithin = ([first, ...rest]: readonly string[], offered: readonly string[]): boolean =>
  offered.includes(first!) && rest.every((key, at) => key === ['createTime', 'id'][at])

/** What every index of a family begins with and ends with, and the columns of its list's own order. */
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

/** What the lists, the scopes, the declared and the unique indexes of a family want. */
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
  // The clock asks for the oldest rows of all tenants.
  if (resource.retentionDays && !Object.values(indexes).some((tail) => /^\(create_time\b/.test(tail)))
    indexes[`${resource.table}_old`] = '(create_time)'
  return indexes
}

/** The order of the list: of one tenant, of all, and of what a limited caller sees. */
function orderIndexes(resource: Resource<any, any>, { prefix, live, order }: IndexParts): Indexes {
  const indexes: Indexes = { [`${resource.table}_list`]: `(${prefix}${order})${live}` }
  if (hasTenantColumn(resource)) indexes[`${resource.table}_all`] = `(${order})${live}`
  for (const key of new Set(Object.values(resource.scope))) {
    if (key !== 'id')
      indexes[`${resource.table}_by_${toSqlName(key)}`] = `(${prefix}${toSqlName(key)}, ${order})${live}`
  }
  return indexes
}

/** What is declared, and what a big list offers to filter and to sort by. */
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
 * Of what few rows have several of: those rows, in the list's order. They are looked through for the ones asked for.
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
 * Ends of numbers. The number alone tells rows apart: one index serves those who see one tenant and those who see all.
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

/** What is unique or looked for in the whole installation. */
function everywhereIndexes(resource: Resource<any, any>, { live }: IndexParts): Indexes {
  const indexes: Indexes = {}
  for (const keys of resource.uniqueEverywhere)
    indexes[uniqueIndexName(resource, keys, 'everywhere')] = `(${keys.map(toSqlName).join(', ')})${live}`
  for (const key of resource.foundEverywhere)
    indexes[`${resource.table}_found_${toSqlName(key)}`] = `(${toSqlName(key)})${live}`
  return indexes
}

/** Indexes over the pairs of signs of texts, and the functions that find by them. */
function gramsOfFamily(resource: Resource<any, any>) {
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
 * What a list wants that is filtered or sorted by a spare column: rows that have something in it, in the list's order.
 * One for all tenants, and small while few of them use it.
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
  const grams = gramsOfFamily(resource)
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

const forgetGrant = (table: Table) => `grant delete on "${table.name}" to store_platform;
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
  if (table.appendOnly && table.retentionDays) out.push(forgetGrant(table))
  return out
}

const indexSql = (table: Table, name: string, tail: string, how = '', isOwn = isUniqueIndexName(name)) =>
  `create ${isOwn ? 'unique ' : ''}index ${how}"${name}" on "${table.name}" ${tail};`

const storageOf = (table: Table) =>
  table.partitioned ? ' partition by range (id)' : table.busy ? BUSY_TABLE_STORAGE_SQL : ''

const OWN_A_LINE = 3

/** The spare columns, some to a line. */
function ownLines(before = ''): string[] {
  const columns = Object.entries(customColumnTypes).map(([name, type]) => `${before}"${name}" ${type}`)
  return Array.from({ length: Math.ceil(columns.length / OWN_A_LINE) }, (_none, at) =>
    columns.slice(at * OWN_A_LINE, (at + 1) * OWN_A_LINE).join(', '),
  )
}

/**
 * One statement a table, so that it is locked once. Columns that are empty are no more than a note in the catalogue.
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

/** How a text is broken into lines changes nothing about what it does. */
const isSame = (one: string | undefined, other: string | undefined) =>
  one?.replace(/\s+/g, ' ') === other?.replace(/\s+/g, ' ')

const NOT_NULL = / not null$/

/** What a column is given that held nothing and has to hold something; where no two may be alike, the row's own id. */
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

/** Columns that have to hold something now, and did not have to before or are new. */
const filledColumns = (table: Table, old: Table): string[] =>
  Object.entries(table.columns).flatMap(([name, type]) => {
    const was = old.columns[name]
    const isAsked = NOT_NULL.test(type) && (was === undefined ? !/ (default|generated) /.test(type) : was !== type)
    return isAsked && (was === undefined || was === type.replace(NOT_NULL, '')) ? [name] : []
  })

/** Rows that are filled before others get their turn again. */
const FILLED_AT_ONCE = 5000

/**
 * Columns that were allowed to be empty and no longer are: what is empty is filled, so that no start fails on it, in
 * parts. A rule that has been validated spares the column's own the look at all rows.
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

/** An old row beyond the rule keeps this one rule out of that database, which says so; no change of it may fail. */
const checkSql = ({ name: table }: Table, name: string, rule: string): string[] => [
  `alter table "${table}" drop constraint if exists "${name}", add constraint "${name}" check (${rule}) not valid;`,
  `do $$ begin
  alter table "${table}" validate constraint "${name}";
  exception when check_violation then
    alter table "${table}" drop constraint "${name}";
    raise warning 'rows of ${table} break the rule ${rule.replaceAll("'", "''")}: it is left out';
  end $$;`,
]

/** What is no longer wanted goes when what takes its place is there; a half-built one of before goes first. */
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
 * What needs no transaction around it, so that no table is locked longer than its own change takes: indexes and keys,
 * which are built while others write and take the place of the old ones in an instant, rules of rows, and columns that
 * may no longer be empty. Each statement may be run again after a crash between any two of them (`APART`).
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
 * SQL that takes a database from one schema to the next. What loses data (dropped tables and columns, changed types) is
 * written as a comment for a person to decide; the proposal is read before it is committed.
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

/** Columns that are new, changed or gone; what fills the new ones and may no longer be empty stands apart. */
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

/** Whose rows a table holds, and how long. */
function proposeKind(table: Table, old: Table): string[] {
  const out: string[] = []
  if (table.appendOnly && table.retentionDays && !old.retentionDays) out.push(forgetGrant(table))
  if (old.partitioned && !table.partitioned) out.push(`-- decide: put the months of "${table.name}" together`)
  if (old.tenancy !== table.tenancy || !!old.appendOnly !== !!table.appendOnly)
    out.push(`-- decide: tenancy or append-only of "${table.name}" changed`)
  return out
}

/** Functions and triggers, when all tables are there. */
function proposeFeeds({ name: table, after = {} }: Table, old: Table | undefined): string[] {
  const before = old?.after ?? {}
  return [
    ...Object.entries(after).flatMap(([name, text]) => (isSame(before[name], text) ? [] : [text])),
    ...Object.keys(before).flatMap((name) =>
      after[name] ? [] : [`-- decide: drop what "${table}" no longer has: ${name}`],
    ),
  ]
}
