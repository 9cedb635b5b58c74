/**
 * Finds statements in migrations that would block users of a table for long: those that hold a lock while they read or
 * write all its rows. A comment `-- locks: why` above a statement allows it.
 */
import { parse } from 'libpg-query'
import { NO_TRANSACTION_MARKER } from '#kit/server/database/migrate.ts'

/** Migrations named before this one are not checked: they were applied before the rule existed and must not change. */
const RULED_FROM = '202611222000'
const ALLOWED = /^\s*-- locks: \S/m

type Migration = { name: string; text: string }
type Node = Record<string, any>
/**
 * The context of a statement: migration without a transaction, tables created by this series, inside a loop that
 * commits, tables whose check constraint was validated.
 */
type Where = { isApart: boolean; isNew: (table: string) => boolean; isCommitted: boolean; proven: Set<string> }

const CONCURRENTLY = 'create the index concurrently, in a migration that begins with the line for statements apart'
const UNSEEN = 'add it not valid, and validate it in a statement apart'
const ANEW = 'it writes the whole table anew: add a column beside it and fill it in parts'
const IN_PARTS = 'it locks every row it changes until the end: do it in parts, in a loop that commits'
const ALONE = 'holds the table for as long as it takes'

const REWRITES = new Set([
  'AT_AlterColumnType',
  'AT_SetLogged',
  'AT_SetUnLogged',
  'AT_SetAccessMethod',
  'AT_SetTableSpace',
  'AT_SetExpression',
  'AT_AddIdentity',
])
/** Functions with one value for all rows of a statement: as a column default they need no rewrite of the table. */
const STEADY = new Set(['now', 'transaction_timestamp', 'statement_timestamp', 'current_setting'])
const KEYS = new Set(['CONSTR_PRIMARY', 'CONSTR_UNIQUE', 'CONSTR_EXCLUSION'])
const SERIAL = /^(?:small|big)?serial\d?$/

const callsOf = (node: unknown): string[] => {
  if (typeof node !== 'object' || node === null) return []
  const name = (node as Node).FuncCall?.funcname?.at(-1)?.String?.sval as string | undefined
  return [...(name ? [name] : []), ...Object.values(node).flatMap(callsOf)]
}

const rulesOf = (column: Node): Node[] => (column.constraints ?? []).map((one: Node) => one.Constraint)

function columnFault(column: Node): string | undefined {
  const rules = rulesOf(column)
  const has = (...types: string[]) => rules.some(({ contype }) => types.includes(contype))
  const value = rules.find(({ contype }) => contype === 'CONSTR_DEFAULT')
  const type = String(column.typeName?.names?.at(-1)?.String?.sval)
  if (SERIAL.test(type) || has('CONSTR_IDENTITY', 'CONSTR_GENERATED')) return ANEW
  if (value && callsOf(value.raw_expr).some((name) => !STEADY.has(name))) return ANEW
  if (has(...KEYS)) return CONCURRENTLY
  if (has('CONSTR_CHECK', 'CONSTR_FOREIGN')) return UNSEEN
  if (has('CONSTR_NOTNULL') && !value)
    return 'rows that are there have nothing in it: give it a default, or fill it first'
  return undefined
}

function constraintFault({ contype, indexname, skip_validation: isUnseen }: Node): string | undefined {
  if (KEYS.has(contype)) return indexname ? undefined : `${CONCURRENTLY}, and add the constraint using that index`
  return isUnseen ? undefined : UNSEEN
}

/** Returns what is wrong with one command of an `alter table`, undefined when nothing is. */
function commandFault({ subtype, def }: Node, table: string, { isApart, proven }: Where): string | undefined {
  if (REWRITES.has(subtype)) return ANEW
  if (subtype === 'AT_AddColumn') return columnFault(def.ColumnDef)
  if (subtype === 'AT_AddConstraint') return constraintFault(def.Constraint)
  if (subtype === 'AT_ValidateConstraint') return isApart ? undefined : 'validate it in a statement apart'
  if (subtype === 'AT_SetNotNull' && !(isApart && proven.has(table)))
    return 'it looks at all rows: validate a check that says so first, in a statement apart'
  return undefined
}

/** Statements that lock the table for as long as they run, with the tables they name. */
const HOLDERS: Record<string, (body: Node) => Node[]> = {
  TruncateStmt: ({ relations }) => relations.map((one: Node) => one.RangeVar),
  LockStmt: ({ relations }) => relations.map((one: Node) => one.RangeVar),
  ClusterStmt: ({ relation }) => [relation ?? {}],
  RefreshMatViewStmt: ({ relation, concurrent }) => (concurrent ? [] : [relation]),
  ReindexStmt: ({ relation, params }) =>
    JSON.stringify(params ?? '').includes('concurrently') ? [] : [relation ?? {}],
  VacuumStmt: ({ options, rels }) =>
    JSON.stringify(options ?? '').includes('"full"')
      ? (rels ?? [{}]).map((one: Node) => one.VacuumRelation?.relation)
      : [],
}

function faultsOfStatement(statement: Node, where: Where): string[] {
  const [[kind, body]] = Object.entries(statement) as [[string, Node]]
  const table = String(body.relation?.relname)
  const faults = (fault: string | undefined) => (fault && !where.isNew(table) ? [`"${table}": ${fault}`] : [])
  if (kind === 'IndexStmt') {
    if (!body.concurrent) return faults(CONCURRENTLY)
    return body.if_not_exists ? faults('drop it first: what a crash left half built would stay') : []
  }
  if (kind === 'AlterTableStmt') {
    const cmds = (body.cmds ?? []).map((one: Node) => one.AlterTableCmd) as Node[]
    const out = cmds.flatMap((cmd) => faults(commandFault(cmd, table, where)))
    if (cmds.some(({ subtype }) => subtype === 'AT_ValidateConstraint')) where.proven.add(table)
    return out
  }
  if (kind === 'UpdateStmt' || kind === 'DeleteStmt') return where.isCommitted ? [] : faults(IN_PARTS)
  return (HOLDERS[kind]?.(body) ?? [])
    .map((held) => String(held.relname))
    .filter((name) => !where.isNew(name))
    .map((name) => `"${name}": ${ALONE}`)
}

/** Matches the statements inside a `do` block, as far as they are written out and not built as strings. */
const INSIDE = /(?:^|;|\b(?:begin|then|else|loop)\b)\s*((?:alter|create|update|delete|truncate|lock)\b[^;]*)/gi

async function faultsOfText(text: string, where: Where): Promise<string[]> {
  const { stmts = [] } = (await parse(text)) as { stmts?: Node[] }
  // Positions are in bytes. The comment above a statement begins where the previous statement ends.
  const bytes = Buffer.from(text)
  const out: string[] = []
  let above = 0
  for (const { stmt, stmt_location: at = 0, stmt_len: length = bytes.length } of stmts) {
    const whole = bytes.subarray(above, at + length).toString()
    above = at + length
    if (ALLOWED.test(whole)) continue
    const code = stmt.DoStmt?.args?.find((one: Node) => one.DefElem.defname === 'as')?.DefElem.arg.String.sval as string
    if (!code) out.push(...faultsOfStatement(stmt, where))
    const inner = { ...where, isCommitted: where.isApart && /\bcommit\b/i.test(code ?? '') }
    for (const [, one] of (code ?? '').matchAll(INSIDE)) out.push(...(await faultsOfText(one!, inner)))
  }
  return out
}

const seriesOf = (name: string) => name.replace(/(?:_apart)?\.sql$/, '')
const CREATED = /\bcreate table (?:if not exists )?"?(\w+)"?/gi

/** Returns one line for each statement of the migrations that would block others. */
export async function lockFaults(migrations: readonly Migration[], from = RULED_FROM): Promise<string[]> {
  const out: string[] = []
  for (const { name, text } of migrations) {
    if (name < from) continue
    const own = migrations.filter((other) => seriesOf(other.name) === seriesOf(name))
    const made = new Set(own.flatMap((other) => [...other.text.matchAll(CREATED)].map(([, table]) => table)))
    const isApart = text.startsWith(NO_TRANSACTION_MARKER)
    const where = { isApart, isNew: (table: string) => made.has(table), isCommitted: false, proven: new Set<string>() }
    out.push(...(await faultsOfText(text, where)).map((fault) => `${name}: ${fault}`))
  }
  return out
}
