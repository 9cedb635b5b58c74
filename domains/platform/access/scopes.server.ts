import type { PatchOf, RowOf } from '#kit/resource/index.ts'
import { toSqlName } from '#kit/resource/define-resource.ts'
import { publishPermissionsChanged } from '#kit/server/request/authenticate.ts'
import { MANAGEMENT_TENANT, allRoleIds } from '#kit/server/base/caller.ts'
import { parseScopeFields } from '#kit/server/database/data-scope.ts'
import { compileCustomScope, findScopeColumn } from '#kit/server/database/scope-grammar.ts'
import { sql } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { anonymousCaller } from '#kit/server/request/pipeline.ts'
import { invalidFieldRefusal, serve, type Call } from '#kit/server/module/module.ts'
import { requireScopesWithoutHolders } from './bounds-of-others.ts'
import { requirePlatformCaller } from '#kit/server/base/require-platform-caller.ts'
import { bindingScopesByResource } from './rights.ts'
import { DATA_SCOPE_CUSTOM, DATA_SCOPE_DEPTS_BELOW, DATA_SCOPE_OWN_ROWS, DATA_SCOPE_OWN_DEPT } from './dictionaries.ts'
import {
  possibleScopeColumns,
  findResourceByScopeCode,
  possibleDataScopeTypes,
  defaultScopeColumn,
} from './scope-meaning.ts'
import { apiScope, dataScope } from './scopes.resource.ts'
import { API_SCOPE_CATEGORY, DATA_SCOPE_CATEGORY } from './tables.ts'

/** A caller with a value for every placeholder, so that a condition is refused only for its grammar and columns. */
const anybody = {
  ...anonymousCaller,
  userId: '1',
  tenantId: MANAGEMENT_TENANT,
  deptIds: ['1'],
  roleIds: ['1'],
  limits: { shop: ['1'] },
}

/**
 * Refuses a data scope the server cannot apply (unknown resource, fields, column, type or unreadable condition): it
 * would show nobody any row, or everybody all.
 */
function checkReadable(scope: PatchOf<typeof dataScope>, call: Call): void {
  const target = findResourceByScopeCode(call.services.registry, scope.resourceCode)
  if (!target) throw new Refused('scope_resource_unknown', { code: scope.resourceCode })
  if (parseScopeFields(target, scope.scopeField) === null)
    throw invalidFieldRefusal(dataScope, 'scopeField', 'not_found')
  const type = scope.scopeType ?? 0
  if (type === DATA_SCOPE_CUSTOM) {
    if (!compileCustomScope(target, scope.scopeValue!, anybody)) throw new Refused('scope_unreadable')
    return
  }
  if (!possibleDataScopeTypes(target).includes(type))
    throw new Refused('scope_without_meaning', { label: target.label })
  if (![DATA_SCOPE_OWN_ROWS, DATA_SCOPE_OWN_DEPT, DATA_SCOPE_DEPTS_BELOW].includes(type)) return
  const key = scope.scopeColumn ? findScopeColumn(target, scope.scopeColumn) : defaultScopeColumn(type)
  if (!key) throw invalidFieldRefusal(dataScope, 'scopeColumn', 'not_found')
  if (!possibleScopeColumns(target, type).includes(key))
    throw new Refused(type === DATA_SCOPE_OWN_ROWS ? 'scope_column_no_user' : 'scope_column_no_dept', {
      column: toSqlName(key),
      label: target.label,
    })
}

/**
 * Refuses callers to change a data scope that binds them, or any of the same resource. Administrators are bound by
 * none.
 */
async function checkNotBound(
  call: Call,
  rows: readonly Pick<RowOf<typeof dataScope>, 'id' | 'resourceCode'>[],
  codes: readonly (string | null | undefined)[],
): Promise<void> {
  const { caller, db, services } = call
  if (caller.isAdmin) return
  const bounds = bindingScopesByResource(caller)
  const code = [...rows.map((row) => row.resourceCode), ...codes].find((one) =>
    bounds.has(findResourceByScopeCode(services.registry, one)?.code ?? one ?? ''),
  )
  const held = await db.one(sql`select 1 from role_scope where tenant_id = ${db.tenantId} and scope_category =
      ${DATA_SCOPE_CATEGORY}
    and scope_id = any(${rows.map((row) => row.id)}::bigint[]) and role_id = any(${allRoleIds(caller)}::bigint[])`)
  if (code || held) throw new Refused('scope_bounds_self', { code: code ?? rows[0]?.resourceCode })
}

export const dataScopeServer = serve(dataScope, {
  beforeSave: async (draft, was, call) => {
    await checkNotBound(call, was ? [was] : [], [draft.resourceCode])
    await requireScopesWithoutHolders(call, was ? [was] : [])
    checkReadable({ ...was, ...draft }, call)
  },
  afterSave: (_row, _was, { db, services }) => publishPermissionsChanged(services, db, { tenantIds: [db.tenantId] }),
  beforeRemove: async (rows, call) => {
    await checkNotBound(call, rows, [])
    await requireScopesWithoutHolders(call, rows)
  },
  afterRemove: async (rows, { db, services }) => {
    await db.run(
      sql`delete from role_scope where scope_category = ${DATA_SCOPE_CATEGORY}
        and scope_id = any(${rows.map((row) => row.id)}::bigint[])`,
    )
    publishPermissionsChanged(services, db, { tenantIds: [db.tenantId] })
  },
})

export const apiScopeServer = serve(apiScope, {
  beforeSave: (_draft, _was, call) => requirePlatformCaller(call),
  afterSave: (_row, _was, { db, services }) => publishPermissionsChanged(services, db, { everybody: true }),
  beforeRemove: (_rows, call) => requirePlatformCaller(call),
  afterRemove: async (rows, { db, services }) => {
    await db.run(
      sql`delete from role_scope where scope_category = ${API_SCOPE_CATEGORY}
        and scope_id = any(${rows.map((row) => row.id)}::bigint[])`,
    )
    publishPermissionsChanged(services, db, { everybody: true })
  },
})
