/**
 * SQL of partitioned tables, for migrations. Tables that grow without end are partitioned by ranges of their ids, which
 * contain the creation time: the primary key stays global and old months are dropped whole. A partition is named by its
 * month, `log_api_2026_12`; the first, `log_api_past`, holds everything before. partition-maintenance.ts adds and drops
 * partitions at run time.
 */
import type pg from 'pg'
import type { Table } from './table.ts'
import { SNOWFLAKE_EPOCH_MS } from './snowflake.ts'

/** Storage options for tables with many writes; for a partitioned table they are set on each partition. */
export const BUSY_TABLE_STORAGE_SQL =
  ' with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, ' +
  'autovacuum_analyze_scale_factor = 0.02)'

export const isUniqueIndexName = (name: string) => /_uq(_|$)/.test(name)

/**
 * Whether a unique index must be made in each partition: PostgreSQL can enforce it over all partitions only if it
 * contains the id.
 */
export const isUniquePerPartition = (table: Table, name: string) => !!table.partitioned && isUniqueIndexName(name)

const NAME_MAX = 63
const PAST = 'past'
/** Length of a suffix such as `_2026_12`. */
const PART_MAX = 8
const PART = /_(?:past|\d{4}_\d\d)$/

/** Name of a partition of a table, or of an index on it. */
export const partitionName = (name: string, part: string) => `${name.slice(0, NAME_MAX - PART_MAX)}_${part}`

/** Name of the declared table or index, from the name of one of its partitions. */
export const nameWithoutPartition = (name: string) => name.replace(PART, '')

/** Whether the table is, or was before it was detached, a partition of the other table. */
export const isPartitionOf = (table: string, name: string) =>
  PART.test(name) && partitionName(table, PART.exec(name)![0].slice(1)) === name

/**
 * SQL of the id at which the first partition ends: end of this month, or of the next one in the last seven days of a
 * month. Until then later partitions must have been added, or inserts fail.
 */
const FIRST_END = `((extract(epoch from date_trunc('month', now() + interval '7 days', 'Asia/Shanghai')
      at time zone 'Asia/Shanghai' + interval '1 month') - 8 * 3600)::bigint * 1000 - ${SNOWFLAKE_EPOCH_MS}) << 22`

const uniquesOf = (table: Table) =>
  Object.entries(table.indexes ?? {}).filter(([name]) => isUniquePerPartition(table, name))

export const partitionUniqueIndexesSql = (table: Table, part: string): string[] =>
  uniquesOf(table).map(
    ([name, tail]) =>
      `create unique index "${partitionName(name, part)}" on "${partitionName(table.name, part)}" ${tail};`,
  )

/** SQL of the first partition of a new table. */
export const createFirstPartitionSql = (table: Table) => `do $$ begin
  execute format('create table "${partitionName(table.name, PAST)}" partition of "${table.name}" for values
    from (minvalue) to (%s)${table.busy ? BUSY_TABLE_STORAGE_SQL : ''}', ${FIRST_END});
  end $$;
${partitionUniqueIndexesSql(table, PAST).join('\n')}`

/**
 * Header of a statement that is run once for each partition, or for each whose index is not yet attached to the table's
 * index. `{part}` in the statement stands for the partition's suffix.
 */
const EACH_PART = /^-- each part of "(\w+)"(?: without "(\w+)")?\n/

const PARTS = `select substr(c.relname, length($1) + 2) as part
  from pg_inherits i join pg_class c on c.oid = i.inhrelid
  where i.inhparent = quote_ident($1)::regclass and not exists (
    select from pg_index x join pg_inherits y on y.inhrelid = x.indexrelid
    where x.indrelid = c.oid and y.inhparent = to_regclass(quote_ident($2)))
  order by part`

/** Expands a statement with an `EACH_PART` header into one for each partition; returns others unchanged. */
export async function expandPerPartition(client: pg.ClientBase, statement: string): Promise<string[]> {
  const [mark, table, index] = EACH_PART.exec(statement) ?? []
  if (!mark) return [statement]
  const { rows } = await client.query<{ part: string }>(PARTS, [table, index ?? null])
  return rows.map(({ part }) => statement.slice(mark.length).replaceAll('{part}', part))
}

const eachPart = (table: string, statement: string, index?: string) =>
  `-- each part of "${table}"${index ? ` without "${index}"` : ''}\n${statement};`

/**
 * SQL that builds an index of a partitioned table partition by partition while others write. Drops half-built ones
 * first.
 */
export function createPartitionedIndexSql(table: Table, name: string, tail: string): string[] {
  const [t, part] = [table.name, partitionName(name, '{part}')]
  const fresh = (how: string) => `create ${how}index concurrently "${part}" on "${t}_{part}" ${tail}`
  const drop = `drop index concurrently if exists "${part}"`
  if (isUniquePerPartition(table, name)) return [eachPart(t, drop), eachPart(t, fresh('unique '))]
  return [
    `-- locks: the whole holds no row itself
create index if not exists "${name}" on only "${t}" ${tail};`,
    eachPart(t, drop, name),
    eachPart(t, fresh(''), name),
    eachPart(t, `alter index "${name}" attach partition "${part}"`, name),
  ]
}

/**
 * SQL that drops an index of a partitioned table; unique ones that exist only within partitions are dropped in each.
 */
export const dropPartitionedIndexSql = (table: Table, name: string): string =>
  isUniquePerPartition(table, name)
    ? eachPart(table.name, `drop index concurrently if exists "${partitionName(name, '{part}')}"`)
    : `drop index if exists "${name}";`

const isWhole = (name: string) => `(select relkind from pg_class where oid = '"${name}"'::regclass) = 'r'`

/**
 * Renames check constraints that PostgreSQL named after the table: the new table's constraints get those names first,
 * then those of the old one are made equal to them.
 */
const renameRulesSql = (past: string, to: string) =>
  `for named in select conname from pg_constraint where conrelid = '"${past}"'::regclass and contype = 'c' loop
      execute format('alter table "${past}" rename constraint %I to %I', named, ${to});
    end loop;`

/**
 * SQL that converts an existing table into a partitioned one: the old table becomes the first partition, without
 * rewriting rows. Its rows are checked while others write; then it is swapped with a new table at once, and triggers,
 * policies and grants move to that. `create` creates the new table. Each statement can be repeated after a crash.
 */
export function convertToPartitionsSql(name: string, create: readonly string[]): string[] {
  const past = partitionName(name, PAST)
  const inside = create
    .join('\n')
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n')

  return [
    `do $$ begin
  if ${isWhole(name)} then
    alter table "${name}" drop constraint if exists "${past}";
    execute format('alter table "${name}" add constraint "${past}" check (id < %s) not valid',
      ${FIRST_END});
  end if;
  end $$;`,
    `do $$ begin
  if ${isWhole(name)} then
    alter table "${name}" validate constraint "${past}";
  end if;
  end $$;`,
    `do $cut$ declare named text; begin
  if ${isWhole(name)} then
    alter table "${name}" rename to "${past}";
    for named in select indexrelid::regclass from pg_index where indrelid = '"${past}"'::regclass loop
      execute format('alter index %s rename to %I',
        named, left(trim('"' from named), ${NAME_MAX - PART_MAX}) || '_${PAST}');
    end loop;
    ${renameRulesSql(past, "named || '_'")}
    for named in select tgname from pg_trigger where tgrelid = '"${past}"'::regclass and not tgisinternal loop
      execute format('drop trigger %I on "${past}"', named);
    end loop;
    for named in select policyname from pg_policies where tablename = '${past}' loop
      execute format('drop policy %I on "${past}"', named);
    end loop;
    alter table "${past}" disable row level security;
    revoke all on "${past}" from store_app, store_platform;
${inside}
    ${renameRulesSql(past, 'left(named, -1)')}
    execute format('alter table "${name}" attach partition "${past}" for values from (minvalue) to (%s)',
      ${FIRST_END});
    alter table "${past}" drop constraint "${past}";
  end if;
  end $cut$;`,
  ]
}
