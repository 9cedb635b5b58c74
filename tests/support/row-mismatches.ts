/** Compares the columns a statement gives, as PostgreSQL describes them, with the type that a read asserts. */
import pg from 'pg'
import { isRowIdColumn } from '#kit/resource/row-names.ts'
import type { StatementDescription } from './describe-statement.ts'
import type { RowShape, ValueKind } from './row-types.ts'

/** What the catalogue says of columns: by `tableID/columnID`. */
type Catalogue = ReadonlyMap<string, { table: string; column: string; isRequired: boolean }>

export async function readCatalogue(client: pg.Client): Promise<Catalogue> {
  const { rows } = await client.query<{ key: string; table: string; column: string; is_required: boolean }>(
    `select a.attrelid || '/' || a.attnum as key, c.relname as table, a.attname as column, a.attnotnull as is_required
      from pg_attribute a join pg_class c on c.oid = a.attrelid where a.attnum > 0 and not a.attisdropped`,
  )
  return new Map(rows.map(({ key, table, column, is_required: isRequired }) => [key, { table, column, isRequired }]))
}

const { builtins } = pg.types
const [TEXT_LIST, VARCHAR_LIST, INT2_LIST, INT4_LIST, INT8_LIST, NUMERIC_LIST, BOOL_LIST] = [
  1009, 1015, 1005, 1007, 1016, 1231, 1000,
]
/** What the driver makes of each type (database/values.ts). */
const KINDS = new Map<number, ValueKind>([
  ...[builtins.TEXT, builtins.VARCHAR, builtins.BPCHAR, builtins.UUID, 19].map((oid) => [oid, 'string'] as const),
  ...[builtins.TIMESTAMPTZ, builtins.TIMESTAMP, builtins.DATE, builtins.TIME].map((oid) => [oid, 'string'] as const),
  ...[builtins.INT2, builtins.INT4, builtins.NUMERIC, builtins.FLOAT4, builtins.FLOAT8, builtins.OID].map(
    (oid) => [oid, 'number'] as const,
  ),
  [builtins.BOOL, 'boolean'],
  [builtins.JSON, 'json'],
  [builtins.JSONB, 'json'],
  [TEXT_LIST, 'string[]'],
  [VARCHAR_LIST, 'string[]'],
  [INT8_LIST, 'string[]'],
  [INT2_LIST, 'number[]'],
  [INT4_LIST, 'number[]'],
  [NUMERIC_LIST, 'number[]'],
  [BOOL_LIST, 'boolean[]'],
])

const kindOf = ({ name, dataTypeID }: pg.FieldDef): ValueKind =>
  dataTypeID === builtins.INT8 ? (isRowIdColumn(name) ? 'string' : 'number') : (KINDS.get(dataTypeID) ?? 'any')

const keyOf = (column: string): string => column.replace(/_(\w)/g, (_all, letter: string) => letter.toUpperCase())

const fits = (kind: ValueKind, kinds: ReadonlySet<ValueKind>): boolean =>
  kind === 'any' || kinds.has('any') || kinds.has(kind) || kind === 'json'

/** Returns the text within the bracket that opens at `from`. */
function bracketed(text: string, from: number): string {
  let depth = 0
  for (let at = from; at < text.length; at++) {
    if (text[at] === '(') depth++
    else if (text[at] === ')' && --depth === 0) return text.slice(from + 1, at)
  }
  return text.slice(from + 1)
}

const wordsOf = (text: string): string[] => text.match(/[a-z_]\w*/gi) ?? []

/** Tables whose columns may be null whatever they are declared as: on the open side of an outer join. */
function openTables(text: string): ReadonlySet<string> {
  if (/\b(full|right)\s+(outer\s+)?join\b/i.test(text)) return new Set(wordsOf(text))
  const common = new Map(
    [...text.matchAll(/\b(\w+)\s+as\s+(?:not\s+)?(?:materialized\s+)?\(/gi)].map((found) => [
      found[1]!,
      bracketed(text, found.index + found[0].length - 1),
    ]),
  )
  const open = new Set<string>()
  for (const found of text.matchAll(/\bleft\s+(?:outer\s+)?join\s+(?:lateral\s+)?("?\w+"?|\()/gi)) {
    const [whole, side = ''] = found
    const name = side.replaceAll('"', '')
    const inner = side === '(' ? bracketed(text, found.index + whole.length - 1) : (common.get(name) ?? name)
    for (const word of wordsOf(inner)) open.add(word)
  }
  return open
}

/** A condition shows that the column is not null: compared, or asked for. */
const isShownByCondition = (text: string, column: string): boolean =>
  new RegExp(
    `\\b${column}\\s+is\\s+not\\s+null|\\b${column}\\)?\\s*(=|<|>|@>|&&|~|in\\b|like\\b|ilike\\b|between\\b)` +
      `|(=|<|>)\\s*(\\w+\\.)?${column}\\b|using\\s*\\([^)]*\\b${column}\\b`,
    'i',
  ).test(text.replace(/\bset\b[\s\S]*?\bwhere\b/gi, ' where '))

const AGGREGATE = /\b(?:sum|min|max|avg|string_agg|array_agg|jsonb_agg|bool_or|bool_and)\s*\(/gi

/** Names of columns that are a bare aggregate over rows of which there may be none. */
function emptyAggregates(text: string): ReadonlySet<string> {
  if (/\bgroup\s+by\b/i.test(text)) return new Set()
  const names = [...text.matchAll(AGGREGATE)].flatMap((found) => {
    const from = found.index + found[0].length - 1
    const rest = text.slice(from + bracketed(text, from).length + 2)
    const [, name] = /^(?:\s*filter\s*\([^)]*\))?(?:::\w+)?\s+as\s+(\w+)/i.exec(rest) ?? []
    return name ? [name] : []
  })
  return new Set(names)
}

/** The column takes null, though the program may always set it. */
export const NULLABLE_COLUMN = 'as its column'

/** Returns what differs, one line each: `total: may be null without rows, the type says number`. */
export function rowMismatches(
  text: string,
  { columns }: StatementDescription,
  shape: RowShape,
  catalogue: Catalogue,
): string[] {
  const given = new Map(columns.map((column) => [keyOf(column.name), column]))
  const open = openTables(text)
  const empty = emptyAggregates(text)

  /** Says why a column may be null. */
  const nullBy = (column: pg.FieldDef): string | undefined => {
    const source = catalogue.get(`${column.tableID}/${column.columnID}`)
    if (!source) return empty.has(column.name) ? 'without rows' : undefined
    if (open.has(source.table)) return 'by an outer join'
    return source.isRequired || isShownByCondition(text, source.column) ? undefined : NULLABLE_COLUMN
  }

  return [...shape].flatMap(([key, { kinds, isOptional }]) => {
    const asserted = [...kinds].join(' | ')
    const column = given.get(key)
    if (!column) return isOptional ? [] : [`${key}: no such column, the type says ${asserted}`]
    const kind = kindOf(column)
    if (!fits(kind, kinds)) return [`${key}: is ${kind}, the type says ${asserted}`]
    const why = kinds.has('null') || kinds.has('any') ? undefined : nullBy(column)
    return why ? [`${key}: may be null ${why}, the type says ${asserted}`] : []
  })
}
