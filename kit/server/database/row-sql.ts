/** SQL by which the rows of a resource are named and chosen: columns, tenant and removal. Asks nothing. */
import sql, { empty, raw, type Sql } from 'sql-template-tag'
import type { Field } from '../../fields/base/field-kind.ts'
import { isWriteOnlyField } from '../../fields/kinds.ts'
import { toSqlName, type Resource } from '../../resource/define-resource.ts'
import { MANAGEMENT_TENANT, type Caller } from '../base/caller.ts'

type Any = Resource<any, any>

type Entry = [string, Field]
const stored = new WeakMap<object, Entry[]>()
/** Fields of a resource that have a column. */
export function storedFields(resource: Any): Entry[] {
  let entries = stored.get(resource)
  if (!entries) {
    entries = Object.entries(resource.fields as Record<string, Field>).filter(([, field]) => !field.computed)
    stored.set(resource, entries)
  }
  return entries
}

/**
 * Whether the field's value must never be revealed, nor be searchable: write-only, or excluded from queries (`asked:
 * false`).
 */
export const isSecretField = (field: Field): boolean => field.asked === false || isWriteOnlyField(field)

export const hasTenantColumn = (resource: Any) => resource.tenancy !== 'platform'
export const columnNameSql = (key: string): Sql => raw(`"${toSqlName(key)}"`)
export const tableNameSql = (resource: Any): Sql => raw(`"${resource.table}"`)

const baseColumns = (resource: Any) => [
  'id',
  ...(hasTenantColumn(resource) ? ['tenantId'] : []),
  'createUser',
  'createDept',
  'createTime',
  'updateUser',
  'updateTime',
  'version',
]

const selectLists = new WeakMap<object, Sql>()
/** Column list of a resource for SELECT, alias `r`: `r."id" as "id", r."shop_name" as "shopName", …` */
export function resourceColumnsSql(resource: Any): Sql {
  let list = selectLists.get(resource)
  if (!list) {
    const keys = [...baseColumns(resource), ...storedFields(resource).map(([key]) => key)]
    list = raw(keys.map((key) => `r."${toSqlName(key)}" as "${key}"`).join(', '))
    selectLists.set(resource, list)
  }
  return list
}

export const notDeletedSql = (resource: Any): Sql => (resource.remove === 'soft' ? sql` and r.is_deleted = 0` : empty)
const MANAGEMENT = raw(`'${MANAGEMENT_TENANT}'`)

/** Whose rows are queried: those of one tenant, or of all. */
type TenantScope = { tenantId: string; isCrossTenant: boolean }

/** Returns the tenants whose rows a caller sees. */
export const tenantScopeOf = ({ tenantId, isPlatform }: Caller): TenantScope => ({
  tenantId,
  isCrossTenant: isPlatform,
})

/**
 * Tenant condition as ` and …` for alias `r`, so that indexes are used; row-level security would enforce it anyway. For
 * shared resources it includes the platform's rows.
 */
export const tenantPredicateSql = (resource: Any, { tenantId, isCrossTenant }: TenantScope): Sql =>
  !hasTenantColumn(resource) || isCrossTenant
    ? empty
    : resource.tenancy === 'shared'
      ? sql` and r.tenant_id in (${tenantId}, ${MANAGEMENT})`
      : sql` and r.tenant_id = ${tenantId}`

/** Returns the tenant of a stored row. */
export const tenantIdOfRow = (resource: Any, row: Record<string, any>): string =>
  hasTenantColumn(resource) ? row.tenantId : MANAGEMENT_TENANT

/** Returns the name of the unique index over these fields; `everywhere`: over all tenants. */
export const uniqueIndexName = (resource: Any, keys: readonly string[], where: '' | 'everywhere' = '') =>
  `${resource.table}_uq_${where && `${where}_`}${keys.map(toSqlName).join('_')}`.slice(0, 60)
