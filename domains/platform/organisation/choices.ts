import type { Resource } from '#kit/resource/index.ts'
import { canReadField } from '#kit/server/database/data-scope.ts'
import { unitOfWorkOptionsForRead, visibleRowsSql } from '#kit/server/resource/list-of.ts'
import { hasListPermission } from '#kit/server/resource/may-list.ts'
import { readBatch, raw, sql, type UnitOfWorkOptions, type Sql } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/base/refused.ts'
import type { Call } from '#kit/server/module/module.ts'
import { filterOfferedSignInIds } from './offered.ts'

type AssignmentKind = 'dept' | 'role'

const idList = (text: string | null | undefined) =>
  (text ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => /^\d{1,19}$/.test(part))
    .slice(0, 200)

/**
 * Whether the caller may see the roles or departments a user holds: their own, and those of users they find in the user
 * list with that field.
 */
async function seesHeld(call: Call, kind: AssignmentKind, userId: string): Promise<boolean> {
  if (userId === call.caller.userId) return true
  const served = call.services.registry.served.get('user')
  if (!served || !canReadField(served.resource, `${kind}Id`, call.caller) || !(await hasListPermission(call, served)))
    return false
  const [found] = await readBatch(call.services.pool, unitOfWorkOptionsForRead(call), [
    sql`select 1 ${visibleRowsSql(served, { ...call, query: {} })} and r.id = ${userId}`,
  ])
  return found!.length > 0
}

/**
 * Returns ids and names of the departments or roles a user holds, or of given ids (GET {dept,role}/select). Without a
 * session only those offered by a sign-in of the last minutes, and only to a known client.
 */
export async function loadAssignmentOptions(
  call: Call,
  resource: Resource<any, any>,
  kind: AssignmentKind,
  ask: { userId?: string | null; ids?: string | null },
): Promise<Record<string, unknown>[]> {
  const read = async (bound: UnitOfWorkOptions, where: Sql) => {
    const name = raw(`r."${kind}_name"`)
    const [rows] = await readBatch(call.services.pool, bound, [
      sql`
      select r.id, ${name} as name from ${raw(`"${resource.table}"`)} r where r.is_deleted = 0 and ${where}
      order by r.sort, r.id limit 500`,
    ])
    return rows!.map((row) => ({ id: String(row.id), [`${kind}Name`]: row.name ?? '' }))
  }
  if (!call.caller.userId) {
    if (!(await call.services.access.clientOf(call.request.headers.authorization as string | undefined)))
      throw new Refused('not_signed_in')
    const { tenantId, ids } = await filterOfferedSignInIds(call.services, kind, idList(ask.ids))
    return ids.length ? read({ tenantId }, sql`r.id = any(${ids}::bigint[])`) : []
  }
  const mine = call.caller.isPlatform ? sql`true` : sql`r.tenant_id = ${call.caller.tenantId}`
  if (ask.userId) {
    if (!(await seesHeld(call, kind, ask.userId))) return []
    const held = raw(`u.${kind}_id`)
    return read(
      unitOfWorkOptionsForRead(call),
      sql`${mine} and r.id = any(select unnest(${held}) from sys_user u where u.tenant_id = r.tenant_id
        and u.id = ${ask.userId} and u.is_deleted = 0)`,
    )
  }
  if (ask.ids) return read(unitOfWorkOptionsForRead(call), sql`${mine} and r.id = any(${idList(ask.ids)}::bigint[])`)
  return read({ tenantId: call.caller.tenantId }, sql`r.tenant_id = ${call.caller.tenantId}`)
}
