import type { Caller } from '#kit/server/base/caller.ts'
import { sql } from '#kit/server/database/db.ts'
import type { Services } from '#kit/server/module/services.ts'

/**
 * Returns whether a role of the caller holds this permission explicitly, in the caller's own tenant, read from the
 * tables now. For what even platform administrators, who may do everything else, do only with an explicit grant.
 */
export const isGrantedByRole = async (services: Services, caller: Caller, code: string): Promise<boolean> =>
  services.unit({ tenantId: caller.tenantId }, async (db) => {
    const found = await db.one(sql`select 1 from role_menu g
      join sys_role r on r.tenant_id = g.tenant_id and r.id = g.role_id and r.is_deleted = 0
      join menu m on m.id = g.menu_id and m.is_deleted = 0
      where g.tenant_id = ${caller.tenantId} and g.role_id = any(${[...caller.roleIds]}::bigint[])
      and m.code = ${code} limit 1`)
    return found !== undefined
  })
