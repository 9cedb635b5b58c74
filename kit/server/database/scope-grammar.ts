import sql, { type Sql } from 'sql-template-tag'
import type { Field } from '../../fields/base/field-kind.ts'
import { fieldKindOf } from '../../fields/kinds.ts'
import { isPersonalField } from '../../fields/base/masks.ts'
import { toSqlName, type Resource } from '../../resource/define-resource.ts'
import type { Caller } from '../base/caller.ts'
import { columnNameSql, isSecretField, storedFields } from './row-sql.ts'

/**
 * Returns the field a scope condition may use, by field or column name: stored fields and who created a row. Excludes
 * secrets and personal data, which could be found out piece by piece from which rows match.
 */
export function findScopeColumn(resource: Resource<any, any>, name: string | null): string | undefined {
  const open = storedFields(resource).filter(([, field]) => !isSecretField(field) && !isPersonalField(field))
  const keys = ['createUser', 'createDept', 'id', ...open.map(([key]) => key)]
  return keys.find((key) => key === name || toSqlName(key) === name)
}

const NUMBER = /^-?\d+(\.\d+)?$/

/**
 * Compiles a custom scope: `column op value` joined by `and` / `or` (`and` binds tighter); op is one of = <> > >= < <=
 * in; values are numbers, quoted texts, lists in parentheses, ${userId} ${deptId} ${deptIds} ${roleIds} ${tenantId}, or
 * the caller's limits (${shopIds}). Never raw SQL. Returns undefined if it cannot be parsed; callers must then show no
 * rows.
 */
export function compileCustomScope(resource: Resource<any, any>, text: string, caller: Caller): Sql | undefined {
  const tokens = text.match(/'(?:[^']|'')*'|\$\{\w+\}|<=|>=|<>|[=<>(),]|[\w.-]+|\S/g) ?? []
  const reading: Reading = { resource, placeholders: placeholdersOf(caller), tokens, at: 0 }
  const out = alternatives(reading)
  return reading.at === tokens.length ? out : undefined
}

/** State of the parser: the tokens and the position of the next one. */
type Reading = {
  readonly resource: Resource<any, any>
  readonly placeholders: Readonly<Record<string, readonly string[]>>
  readonly tokens: readonly string[]
  at: number
}

const next = (reading: Reading): string | undefined => reading.tokens[reading.at++]
const isNext = ({ tokens, at }: Reading, token: string): boolean => tokens[at]?.toLowerCase() === token

const placeholdersOf = (caller: Caller): Reading['placeholders'] => ({
  '${userId}': [caller.userId],
  '${tenantId}': [caller.tenantId],
  '${deptId}': caller.deptIds.slice(0, 1),
  '${deptIds}': caller.deptIds,
  '${roleIds}': caller.roleIds,
  ...Object.fromEntries(Object.entries(caller.limits).map(([limit, ids]) => [`\${${limit}Ids}`, ids])),
})

function alternatives(reading: Reading): Sql | undefined {
  let out = conjunction(reading)
  while (out && isNext(reading, 'or')) {
    reading.at++
    const other = conjunction(reading)
    out = other && sql`(${out}) or (${other})`
  }
  return out
}

function conjunction(reading: Reading): Sql | undefined {
  let out = comparison(reading)
  while (out && isNext(reading, 'and')) {
    reading.at++
    const other = comparison(reading)
    out = other && sql`${out} and ${other}`
  }
  return out
}

function comparison(reading: Reading): Sql | undefined {
  if (isNext(reading, '(')) {
    reading.at++
    const inner = alternatives(reading)
    return next(reading) === ')' ? inner && sql`(${inner})` : undefined
  }
  const key = findScopeColumn(reading.resource, next(reading) ?? '')
  const operator = next(reading)?.toLowerCase()
  if (!key || !operator) return undefined
  if (operator === 'in') {
    const list = isNext(reading, '(') ? listOf(reading) : valuesOf(reading)
    return list && sql`r.${columnNameSql(key)}::text = any(${list})`
  }
  const found = valuesOf(reading)
  return found?.length === 1 ? compared(reading.resource, key, operator, found[0]!) : undefined
}

/** Values of the next token; a placeholder may have several. */
function valuesOf(reading: Reading): readonly string[] | undefined {
  const token = next(reading)
  if (token === undefined) return undefined
  if (token.startsWith("'")) return [token.slice(1, -1).replaceAll("''", "'")]
  if (NUMBER.test(token)) return [token]
  return Object.hasOwn(reading.placeholders, token) ? reading.placeholders[token] : undefined
}

/** Values of a list in parentheses. */
function listOf(reading: Reading): readonly string[] | undefined {
  const list: string[] = []
  reading.at++
  while (!isNext(reading, ')')) {
    const found = valuesOf(reading)
    if (!found) return undefined
    list.push(...found)
    if (isNext(reading, ',')) reading.at++
    else if (!isNext(reading, ')')) return undefined
  }
  reading.at++
  return list
}

function compared(resource: Resource<any, any>, key: string, operator: string, value: string): Sql | undefined {
  const text = sql`r.${columnNameSql(key)}::text`
  if (operator === '=') return sql`${text} = ${value}`
  if (operator === '<>') return sql`${text} <> ${value}`
  const field = resource.fields[key] as Field | undefined
  // Masked values may only be compared for equality, as in filters: ranges would reveal them digit by digit.
  if (field?.mask) return undefined
  const isNumeric = field !== undefined && fieldKindOf(field).readsAs === 'number'
  if (isNumeric && !NUMBER.test(value)) return undefined
  const left = isNumeric ? sql`r.${columnNameSql(key)}::numeric` : text
  const right = isNumeric ? sql`${value}::numeric` : sql`${value}`
  if (operator === '>') return sql`${left} > ${right}`
  if (operator === '>=') return sql`${left} >= ${right}`
  if (operator === '<') return sql`${left} < ${right}`
  return operator === '<=' ? sql`${left} <= ${right}` : undefined
}
