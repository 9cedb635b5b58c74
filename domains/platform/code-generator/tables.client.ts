import type { ForeignColumn, ForeignTable } from './columns.ts'
import { MYSQL_DRIVER_CLASS } from './dictionaries.ts'
import type { RunSourceQuery } from './source.client.ts'

/** Tables offered for choice; others of a larger database are entered by name. */
const TABLES_MAX = 2000

type SchemaLocation = { driverClass: string; databaseName: string; schemaName: string | null }

const POSTGRES_TABLES = `
  select c.relname as name, left(coalesce(obj_description(c.oid, 'pg_class'), ''), 1000) as comment
  from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  where n.nspname = $1 and c.relkind in ('r', 'p', 'v', 'm', 'f') and not c.relispartition
    and c.relname not ilike 'act\\_%' order by c.relname limit ${TABLES_MAX}`

const MYSQL_TABLES = `
  select table_name as name, left(coalesce(table_comment, ''), 1000) as comment from information_schema.tables
  where table_schema = ? and table_type in ('BASE TABLE', 'VIEW') and lower(table_name) not like 'act\\_%'
  order by table_name limit ${TABLES_MAX}`

/** Lists tables and views, without those of a workflow engine in the same database. */
export async function listDataSourceTables(
  ask: RunSourceQuery,
  location: SchemaLocation,
): Promise<{ name: string; comment: string }[]> {
  const rows = await (location.driverClass === MYSQL_DRIVER_CLASS
    ? ask(MYSQL_TABLES, [location.databaseName])
    : ask(POSTGRES_TABLES, [location.schemaName || 'public']))
  return rows.map((row) => ({ name: text(row.name), comment: text(row.comment) }))
}

/**
 * Reads in one statement: type, length, not null, default, comment, enum values, single-column foreign key, unique
 * indexes.
 */
const POSTGRES_COLUMNS = `
  select a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
    coalesce(nullif(t.typbasetype, 0), a.atttypid)::regtype::text as base_type,
    case when t.typcategory = 'A' then format_type(t.typelem, null) else '' end as member,
    a.attnotnull or t.typnotnull as required, case when t.typcategory = 'A' then 1 else 0 end as is_list,
    information_schema._pg_char_max_length(coalesce(nullif(t.typbasetype, 0), a.atttypid),
      case when t.typtypmod > 0 then t.typtypmod else a.atttypmod end) as length,
    information_schema._pg_numeric_scale(coalesce(nullif(t.typbasetype, 0), a.atttypid),
      case when t.typtypmod > 0 then t.typtypmod else a.atttypmod end) as decimals,
    left(coalesce(pg_get_expr(d.adbin, d.adrelid), ''), 500) as value,
    a.attidentity <> '' or a.attgenerated <> '' as made,
    left(coalesce(col_description(c.oid, a.attnum), ''), 1000) as comment,
    (select json_agg(e.enumlabel order by e.enumsortorder) from pg_catalog.pg_enum e
      where e.enumtypid in (a.atttypid, t.typelem, t.typbasetype))::text as vals,
    (select f.confrelid::regclass::text from pg_catalog.pg_constraint f where f.conrelid = c.oid and f.contype = 'f'
      and f.conkey = array[a.attnum] limit 1) as ref,
    exists (select 1 from pg_catalog.pg_constraint p where p.conrelid = c.oid and p.contype = 'p'
      and p.conkey = array[a.attnum]) as is_key,
    (select json_agg(left(pg_get_constraintdef(k.oid), 2000)) from pg_catalog.pg_constraint k where k.conrelid = c.oid
      and k.contype = 'c' and k.conkey = array[a.attnum])::text as checks,
    (select json_agg(i.relname order by i.relname) from pg_catalog.pg_index x
      join pg_catalog.pg_class i on i.oid = x.indexrelid
      where x.indrelid = c.oid and x.indisunique and not x.indisprimary and x.indpred is null
      and a.attnum = any(x.indkey::int2[]))::text as uniques
  from pg_catalog.pg_class c
  join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  join pg_catalog.pg_type t on t.oid = a.atttypid
  left join pg_catalog.pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
  where n.nspname = $1 and c.relname = $2 order by a.attnum limit 1000`

const MYSQL_COLUMNS = `
  select c.column_name as name, c.column_type as type, c.data_type as base_type, c.is_nullable = 'NO' as required,
    c.character_maximum_length as length, c.numeric_scale as decimals,
    left(coalesce(c.column_default, ''), 500) as value,
    c.extra as extra, left(c.column_comment, 1000) as comment, c.column_key = 'PRI' as is_key,
    (select min(k.referenced_table_name) from information_schema.key_column_usage k
      where k.table_schema = c.table_schema and k.table_name = c.table_name and k.column_name = c.column_name
      and k.referenced_table_name is not null) as ref,
    (select group_concat(distinct s.index_name order by s.index_name separator ',') from information_schema.statistics s
      where s.table_schema = c.table_schema and s.table_name = c.table_name and s.column_name = c.column_name
      and s.non_unique = 0 and s.index_name <> 'PRIMARY') as uniques,
    (select left(t.table_comment, 1000) from information_schema.tables t where t.table_schema = c.table_schema
      and t.table_name = c.table_name) as table_comment
  from information_schema.columns c where c.table_schema = ? and c.table_name = ?
  order by c.ordinal_position limit 1000`

/** Reads a table with its columns; undefined when there is none of this name. */
export async function findForeignTable(
  ask: RunSourceQuery,
  location: SchemaLocation,
  name: string,
): Promise<ForeignTable | undefined> {
  if (location.driverClass === MYSQL_DRIVER_CLASS) {
    const rows = await ask(MYSQL_COLUMNS, [location.databaseName, name])
    if (!rows.length) return undefined
    const rules = await rulesIn(ask, location.databaseName, name)
    const documents = new Set(rules.flatMap((rule) => /^json_valid\(`(.+)`\)$/.exec(rule)?.[1] ?? []))
    const columns = rows
      .map(mysqlColumn)
      .map((one) => (documents.has(one.name) ? { ...one, base: 'json' } : withValues(one, rules)))
    return { name, comment: text(rows[0]!.table_comment), columns }
  }
  const schema = location.schemaName || 'public'
  const rows = await ask(POSTGRES_COLUMNS, [schema, name])
  if (!rows.length) return undefined
  const [row] = await ask(
    `select left(coalesce(obj_description(c.oid, 'pg_class'), ''), 1000) as comment from pg_catalog.pg_class c
     join pg_catalog.pg_namespace n on n.oid = c.relnamespace where n.nspname = $1 and c.relname = $2`,
    [schema, name],
  )
  return { name, comment: text(row?.comment), columns: rows.map(postgresColumn) }
}

/** Returns the check constraints of a table: MariaDB's view has the table name, MySQL's needs a join. */
async function rulesIn(ask: RunSourceQuery, database: string, table: string): Promise<string[]> {
  const rows = await ask(
    `select left(check_clause, 2000) as rule from information_schema.check_constraints
     where constraint_schema = ? and table_name = ? limit 1000`,
    [database, table],
  ).catch(() =>
    ask(
      `select left(k.check_clause, 2000) as rule from information_schema.check_constraints k
       join information_schema.table_constraints t on t.constraint_schema = k.constraint_schema
         and t.constraint_name = k.constraint_name
       where t.table_schema = ? and t.table_name = ? and t.constraint_type = 'CHECK' limit 1000`,
      [database, table],
    ).catch(() => []),
  )
  return rows.map(({ rule }) => text(rule))
}

const CAST = /::[\w ".]+(?:\(\d+(?:,\d+)?\))?(?:\[\])?/g

/**
 * Parses the values a check constraint allows this column alone: `state in ('a','b')`, `state = ANY (ARRAY['a'::text,
 * 'b'::text])`. Empty for other constraints.
 */
export function parseAllowedValues(rule: string, column: string): string[] {
  const sign = /= ANY\b|\bin\b/i.exec(rule)
  if (!sign) return []
  const left = rule
    .slice(0, sign.index)
    .replace(/^CHECK/i, '')
    .replace(CAST, '')
  if (left.replace(/[()"`\s]/g, '') !== column) return []
  const quoted: string[] = []
  const rest = rule
    .slice(sign.index + sign[0].length)
    .replaceAll("\\'", "'")
    .replace(/'((?:[^']|'')*)'/g, (_whole, value: string) => {
      quoted.push(value.replaceAll("''", "'"))
      return ' '
    })
    .replace(CAST, '')
  // A combined condition is no list of choices.
  if (/\b(?:and|or|not)\b/i.test(rest)) return []
  const values = quoted.length ? quoted : (rest.match(/(?<![\w.])-?\d{1,18}(?![\w.])/g) ?? [])
  return [...new Set(values)].slice(0, VALUES_MAX)
}

const VALUES_MAX = 200

function withValues(column: ForeignColumn, rules: readonly string[]): ForeignColumn {
  if (column.values.length || column.isList) return column
  const values = rules.map((rule) => parseAllowedValues(rule, column.name)).find((one) => one.length > 1)
  return values ? { ...column, values } : column
}

const text = (value: unknown): string => (value === null || value === undefined ? '' : String(value))
const isYes = (value: unknown): boolean => ['t', 'true', '1'].includes(text(value))
const whole = (value: unknown): number => (/^\d{1,10}$/.test(text(value)) ? Number(value) : 0)

function listed(value: unknown): string[] {
  const parsed: unknown = text(value) ? JSON.parse(text(value)) : []
  return Array.isArray(parsed) ? parsed.map(String) : []
}

const bare = (type: string): string =>
  type
    .replace(/\([^()]*\)/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase()
const unquoted = (name: string): string => name.replace(/^.*\./, '').replace(/^"|"$/g, '')

function postgresColumn(row: Record<string, unknown>): ForeignColumn {
  const values = listed(row.vals)
  const isList = isYes(row.is_list)
  const base = bare(text(isList ? row.member : row.base_type))
  const made = text(row.value)
  const column: ForeignColumn = {
    name: text(row.name),
    type: text(row.type),
    base: values.length ? 'enum' : base,
    length: whole(row.length),
    decimals: whole(row.decimals),
    isRequired: isYes(row.required),
    isList,
    isUnsigned: false,
    isKey: isYes(row.is_key),
    isMade: isYes(row.made) || made.startsWith('nextval('),
    value: postgresValue(made),
    comment: text(row.comment),
    values,
    refTable: unquoted(text(row.ref)),
    uniques: listed(row.uniques),
  }
  return withValues(column, listed(row.checks))
}

/** Returns the value of a constant default (`'cold'::text`, `(-1)::numeric`, `true`), else ''. */
function postgresValue(expression: string): string {
  const quoted = /^'((?:[^']|'')*)'(::[\w". ]+(\(\d+(,\d+)?\))?)?$/.exec(expression)
  if (quoted) return quoted[1]!.replaceAll("''", "'")
  const plain = /^\(?(-?\d+(?:\.\d+)?|true|false)\)?(::[\w ]+(\(\d+(,\d+)?\))?)?$/.exec(expression)
  return plain ? plain[1]! : ''
}

function mysqlColumn(row: Record<string, unknown>): ForeignColumn {
  const type = text(row.type)
  const base = bare(text(row.base_type))
  const extra = text(row.extra)
  const values = ['enum', 'set'].includes(base)
    ? [...type.matchAll(/'((?:[^']|'')*)'/g)].map(([, one]) => one!.replaceAll("''", "'"))
    : []
  return {
    name: text(row.name),
    type,
    base: base === 'bit' && type.startsWith('bit(1)') ? 'boolean' : base,
    length: values.length ? 0 : whole(row.length),
    decimals: whole(row.decimals),
    isRequired: isYes(row.required),
    isList: false,
    isUnsigned: /unsigned/i.test(type),
    isKey: isYes(row.is_key),
    isMade: /auto_increment|generated/i.test(extra) && !/default_generated/i.test(extra),
    value: mysqlValue(text(row.value)),
    comment: text(row.comment),
    values,
    refTable: text(row.ref),
    uniques: text(row.uniques) ? text(row.uniques).split(',') : [],
  }
}

/**
 * Returns the value of a constant default, else ''. MariaDB quotes text, MySQL does not; `current_timestamp()` is not
 * constant.
 */
function mysqlValue(given: string): string {
  const quoted = /^'((?:[^']|'')*)'$/.exec(given)
  if (quoted) return quoted[1]!.replaceAll("''", "'")
  if (/^null$|\(\)|^current_timestamp/i.test(given)) return ''
  return given
}
