import type { DraftOf, Resource } from '#kit/resource/index.ts'
import { rightsChanged } from '#kit/server/authenticate.ts'
import { customScope, namedFields, scopeColumn } from '#kit/server/data-scope.ts'
import { sql } from '#kit/server/db.ts'
import { Refused } from '#kit/server/refused.ts'
import { stranger } from '#kit/server/road.ts'
import { invalidField, serve, type Call } from '#kit/server/room.ts'
import { onlyPlatform } from './only-platform.ts'
import { apiScope, dataScope } from './scopes.resource.ts'
import { API, DATA } from './tables.ts'

const CUSTOM = 5

/** Values for every placeholder, so that only what cannot be read at all is refused. */
const anybody = { ...stranger, userId: '1', tenantId: '000000', deptIds: ['1'], roleIds: ['1'], limits: { shop: ['1'] } }

const resourceOf = (call: Call, code: string): Resource<any, any> | undefined =>
  [...call.services.registry.served.values()].map((one) => one.resource).find((one) => one.code === code || one.name === code)

/** A scope that the server could not follow would show nothing to anybody; it is refused while somebody can still mend it. */
function checkReadable(scope: DraftOf<typeof dataScope>, call: Call): void {
  const target = resourceOf(call, scope.resourceCode ?? '')
  if (target && namedFields(target, scope.scopeField) === null) throw invalidField(dataScope, 'scopeField', 'not_found')
  if (scope.scopeType === CUSTOM) {
    if (!target) throw new Refused('scope_resource_unknown', { code: scope.resourceCode })
    if (!scope.scopeValue) throw invalidField(dataScope, 'scopeValue', 'required')
    if (!customScope(target, scope.scopeValue, anybody)) throw new Refused('scope_unreadable')
  } else if (target && scope.scopeColumn && scope.scopeType !== 1 && !scopeColumn(target, scope.scopeColumn)) {
    throw invalidField(dataScope, 'scopeColumn', 'not_found')
  }
}

export const dataScopeServer = serve(dataScope, {
  beforeSave: (draft, was, call) => checkReadable({ ...was, ...draft }, call),
  afterSave: (_row, _was, { db, services }) => rightsChanged(services, db),
  afterRemove: async (rows, { db, services }) => {
    await db.run(sql`delete from role_scope where scope_category = ${DATA} and scope_id = any(${rows.map((row) => row.id)}::bigint[])`)
    rightsChanged(services, db)
  },
})

export const apiScopeServer = serve(apiScope, {
  beforeSave: (_draft, _was, call) => onlyPlatform(call),
  afterSave: (_row, _was, { db, services }) => rightsChanged(services, db),
  beforeRemove: (_rows, call) => onlyPlatform(call),
  afterRemove: async (rows, { db, services }) => {
    await db.run(sql`delete from role_scope where scope_category = ${API} and scope_id = any(${rows.map((row) => row.id)}::bigint[])`)
    rightsChanged(services, db)
  },
})
