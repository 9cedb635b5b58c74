import sql, { empty, join, type Sql } from 'sql-template-tag'
import type { Field } from '../../fields/base/field-kind.ts'
import { fieldKindOf } from '../../fields/kinds.ts'
import { baseFields, permissionCodeOf, toSqlName, type Resource } from '../../resource/define-resource.ts'
import { hasPermission, type Caller, type DataScope } from '../base/caller.ts'
import { columnNameSql, storedFields } from './row-sql.ts'
import { compileCustomScope, findScopeColumn } from './scope-grammar.ts'

function condition(resource: Resource<any, any>, scope: DataScope, caller: Caller): Sql | undefined {
  const among = (fallback: string, ids: readonly string[]) => {
    const key = findScopeColumn(resource, scope.column) ?? fallback
    const isMany = resource.fields[key] && fieldKindOf(resource.fields[key]).many
    return isMany ? sql`r.${columnNameSql(key)}::text[] && ${ids}` : sql`r.${columnNameSql(key)}::text = any(${ids})`
  }
  if (scope.type === 1) return undefined
  if (scope.type === 2) return among('createUser', [caller.userId])
  if (scope.type === 3) return among('createDept', caller.deptIds)
  if (scope.type === 4) return among('createDept', caller.deptTreeIds)
  if (scope.type === 5) return compileCustomScope(resource, scope.value ?? '', caller) ?? sql`false`
  // `dataScopeSql` applies the limits anyway; this type only requires that the caller has one.
  if (scope.type === 6)
    return Object.keys(resource.scope).some((limit) => caller.limits[limit]) ? sql`true` : sql`false`
  return sql`false`
}

const scopesOn = (resource: Resource<any, any>, caller: Caller) =>
  caller.dataScopes.filter((scope) => scope.resourceCode === resource.code || scope.resourceCode === resource.name)

/**
 * Parses a comma-separated list of field or column names. Returns undefined if it means all fields, null if it has an
 * unknown name.
 */
export function parseScopeFields(
  resource: Resource<any, any>,
  list: string | null | undefined,
): Set<string> | undefined | null {
  const names = (list ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean)
  if (!names.length || names.includes('*')) return undefined
  const keys = Object.keys({ ...resource.fields, ...baseFields })
  const found = names.map((name) => keys.find((key) => key === name || toSqlName(key) === name))
  return found.includes(undefined) ? null : new Set(found as string[])
}

/** Fields of a resource the caller may see; undefined means all. Several data scopes add up, as for rows. */
export function visibleFields(resource: Resource<any, any>, caller: Caller): ReadonlySet<string> | undefined {
  if (caller.isAdmin) return undefined
  const bound = scopesOn(resource, caller)
  if (!bound.length) return undefined
  const sets = bound.map((scope) => parseScopeFields(resource, scope.fields))
  return sets.includes(undefined) ? undefined : new Set(sets.flatMap((set) => [...(set ?? [])]))
}

/** Whether the caller may see the field. */
export const canReadField = (resource: Resource<any, any>, key: string, caller: Caller): boolean =>
  visibleFields(resource, caller)?.has(key) ?? true

/** Whether the caller sees the field without its mask, if it has one. */
export const canReadUnmasked = (resource: Resource<any, any>, field: Field, caller: Caller): boolean =>
  !field.mask || (!!field.unmaskedFor && hasPermission(caller, permissionCodeOf(resource, field.unmaskedFor)))

/**
 * SQL conditions for the rows the caller may see and change, for alias `r`; empty if all. Limits (a manager's shops)
 * always apply. Data scopes apply to callers who are no administrators; several of them are combined by "or".
 */
export function dataScopeSql(resource: Resource<any, any>, caller: Caller): Sql {
  const parts: Sql[] = []
  for (const [limit, key] of Object.entries(resource.scope)) {
    const ids = caller.limits[limit]
    if (!ids) continue
    const isMany = key !== 'id' && resource.fields[key] && fieldKindOf(resource.fields[key]).many
    parts.push(
      isMany
        ? sql` and r.${columnNameSql(key)} && ${ids}::bigint[]`
        : ids.length === 1
          ? sql` and r.${columnNameSql(key)} = ${ids[0]}`
          : sql` and r.${columnNameSql(key)} = any(${ids}::bigint[])`,
    )
  }
  if (!caller.isAdmin) {
    const bound = scopesOn(resource, caller)
    const conditions = bound.map((scope) => condition(resource, scope, caller))
    if (bound.length && !conditions.includes(undefined)) parts.push(sql` and (${join(conditions, ' or ')})`)
  }
  return parts.length ? join(parts, '') : empty
}

/** What a caller could see of a resource at one time, to compare with what they may see later. */
export type AccessSnapshot = {
  limits: Record<string, readonly string[] | null>
  scopes: string
  /** Sees all tenants. */
  isPlatform?: boolean
  /** Masked fields the caller sees unmasked. */
  whole?: readonly string[]
}

export function accessSnapshotOf(resource: Resource<any, any>, caller: Caller): AccessSnapshot {
  const bound = caller.isAdmin ? [] : scopesOn(resource, caller)
  const depts = bound.some(({ type }) => type !== 1) ? [caller.deptIds, caller.deptTreeIds, caller.roleIds] : []
  return {
    limits: Object.fromEntries(Object.keys(resource.scope).map((limit) => [limit, caller.limits[limit] ?? null])),
    scopes: JSON.stringify([bound.map(({ type, column, value, fields }) => [type, column, value, fields]), depts]),
    isPlatform: caller.isPlatform,
    whole: storedFields(resource)
      .filter(([, field]) => field.mask && canReadUnmasked(resource, field, caller))
      .map(([key]) => key),
  }
}

/** Whether the access `now` includes all of `then`: tenants, limits and unmasked fields, with the same data scopes. */
export const hasAtLeastAccess = (now: AccessSnapshot, then: AccessSnapshot): boolean =>
  now.scopes === then.scopes &&
  (!then.isPlatform || now.isPlatform === true) &&
  (then.whole ?? []).every((key) => now.whole?.includes(key)) &&
  Object.entries(then.limits).every(
    ([limit, ids]) => !now.limits[limit] || ids?.every((id) => now.limits[limit]!.includes(id)),
  )

/**
 * SQL condition that a row (alias `r`) lies completely within the caller's limits: a row that also belongs to other
 * shops may be read but not changed. Undefined if no such check is needed.
 */
export function writeScopeSql(resource: Resource<any, any>, caller: Caller): Sql | undefined {
  const parts = Object.entries(resource.scope).flatMap(([limit, key]) => {
    const isMany = key !== 'id' && resource.fields[key] && fieldKindOf(resource.fields[key]).many
    return isMany && caller.limits[limit] ? [sql`r.${columnNameSql(key)} <@ ${caller.limits[limit]}::bigint[]`] : []
  })
  return parts.length ? sql`(${join(parts, ' and ')})` : undefined
}
