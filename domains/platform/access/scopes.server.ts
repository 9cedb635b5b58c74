import type { PatchOf, RowOf } from '#kit/resource/index.ts'
import { snake } from '#kit/resource/define-resource.ts'
import { permissionsChanged } from '#kit/server/request/authenticate.ts'
import { MANAGEMENT_TENANT, rolesHeld } from '#kit/server/caller.ts'
import { fieldsInScopes } from '#kit/server/database/data-scope.ts'
import { customScope, scopeColumn } from '#kit/server/database/scope-grammar.ts'
import { sql } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/refused.ts'
import { anonymousCaller } from '#kit/server/request/pipeline.ts'
import { invalidField, serve, type Call } from '#kit/server/module.ts'
import { checkBoundsNobody } from './bounds-of-others.ts'
import { onlyPlatform } from './only-platform.ts'
import { boundsOf } from './rights.ts'
import { CUSTOM, DEPTS_BELOW, OWN, OWN_DEPT } from './dictionaries.ts'
import { columnsFor, familyOf, typesFor, usualColumn } from './scope-meaning.ts'
import { apiScope, dataScope } from './scopes.resource.ts'
import { API, DATA } from './tables.ts'

/** Values for every placeholder, so that only what cannot be read at all is refused. */
const anybody = {
  ...anonymousCaller,
  userId: '1',
  tenantId: MANAGEMENT_TENANT,
  deptIds: ['1'],
  roleIds: ['1'],
  limits: { shop: ['1'] },
}

/**
 * A scope that the server could not follow would show nothing to anybody, or everything; it is refused while somebody
 * can still mend it. Whatever its kind it is about a list there is, and asks for something that list's rows have.
 */
function checkReadable(scope: PatchOf<typeof dataScope>, call: Call): void {
  const target = familyOf(call.services.registry, scope.resourceCode)
  if (!target) throw new Refused('scope_resource_unknown', { code: scope.resourceCode })
  if (fieldsInScopes(target, scope.scopeField) === null) throw invalidField(dataScope, 'scopeField', 'not_found')
  const type = scope.scopeType ?? 0
  if (type === CUSTOM) {
    if (!customScope(target, scope.scopeValue!, anybody)) throw new Refused('scope_unreadable')
    return
  }
  if (!typesFor(target).includes(type)) throw new Refused('scope_without_meaning', { label: target.label })
  if (![OWN, OWN_DEPT, DEPTS_BELOW].includes(type)) return
  const key = scope.scopeColumn ? scopeColumn(target, scope.scopeColumn) : usualColumn(type)
  if (!key) throw invalidField(dataScope, 'scopeColumn', 'not_found')
  if (!columnsFor(target, type).includes(key))
    throw new Refused(type === OWN ? 'scope_column_no_user' : 'scope_column_no_dept', {
      column: snake(key),
      label: target.label,
    })
}

/** Whoever a scope bounds does not write it, nor another one of the same list: administrators, whom none bounds, do. */
async function checkNotBound(
  call: Call,
  rows: readonly Pick<RowOf<typeof dataScope>, 'id' | 'resourceCode'>[],
  codes: readonly (string | null | undefined)[],
): Promise<void> {
  const { caller, db, services } = call
  if (caller.isAdmin) return
  const bounds = boundsOf(caller)
  const code = [...rows.map((row) => row.resourceCode), ...codes].find((one) =>
    bounds.has(familyOf(services.registry, one)?.code ?? one ?? ''),
  )
  const held = await db.one(sql`select 1 from role_scope where tenant_id = ${db.tenantId} and scope_category = ${DATA}
    and scope_id = any(${rows.map((row) => row.id)}::bigint[]) and role_id = any(${rolesHeld(caller)}::bigint[])`)
  if (code || held) throw new Refused('scope_bounds_self', { code: code ?? rows[0]?.resourceCode })
}

export const dataScopeServer = serve(dataScope, {
  beforeSave: async (draft, was, call) => {
    await checkNotBound(call, was ? [was] : [], [draft.resourceCode])
    await checkBoundsNobody(call, was ? [was] : [])
    checkReadable({ ...was, ...draft }, call)
  },
  afterSave: (_row, _was, { db, services }) => permissionsChanged(services, db, { tenantIds: [db.tenantId] }),
  beforeRemove: async (rows, call) => {
    await checkNotBound(call, rows, [])
    await checkBoundsNobody(call, rows)
  },
  afterRemove: async (rows, { db, services }) => {
    await db.run(
      sql`delete from role_scope where scope_category = ${DATA}
        and scope_id = any(${rows.map((row) => row.id)}::bigint[])`,
    )
    permissionsChanged(services, db, { tenantIds: [db.tenantId] })
  },
})

export const apiScopeServer = serve(apiScope, {
  beforeSave: (_draft, _was, call) => onlyPlatform(call),
  afterSave: (_row, _was, { db, services }) => permissionsChanged(services, db, { everybody: true }),
  beforeRemove: (_rows, call) => onlyPlatform(call),
  afterRemove: async (rows, { db, services }) => {
    await db.run(
      sql`delete from role_scope where scope_category = ${API}
        and scope_id = any(${rows.map((row) => row.id)}::bigint[])`,
    )
    permissionsChanged(services, db, { everybody: true })
  },
})
