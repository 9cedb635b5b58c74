import { TENANT_ADMIN_ALIAS } from '#domains/platform/access/index.ts'
import { sql, type Db } from '#kit/server/database/db.ts'

/** Returns the active administrators of the transaction's tenant. */
export const findTenantAdministrators = (db: Db): Promise<{ id: string }[]> =>
  db.query<{ id: string }>(sql`select u.id from sys_user u where u.tenant_id = ${db.tenantId} and u.is_deleted = 0
    and coalesce(u.status, 1) = 1 and exists (
    select 1 from sys_role r where r.tenant_id = u.tenant_id and r.id = any(u.role_id)
      and r.role_alias = ${TENANT_ADMIN_ALIAS}
    and r.is_deleted = 0) order by u.id`)

/** Returns the active bosses of these shops: from their staff, and by linked WeChat accounts. */
export const findShopBosses = (db: Db, shopIds: readonly string[]): Promise<{ id: string }[]> =>
  db.query<{ id: string }>(sql`select u.id from sys_user u where u.tenant_id = ${db.tenantId} and u.is_deleted = 0
    and coalesce(u.status, 1) = 1 and (
    exists (select 1 from shop_staff s where s.tenant_id = u.tenant_id and s.user_id = u.id and s.position = 'boss'
      and s.shop_id = any(${shopIds}::bigint[]))
    or exists (select 1 from wx_shoper w where w.tenant_id = u.tenant_id and w.user_id = u.id and w.role = 'boss'
      and w.is_deleted = 0 and w.shop_ids && ${shopIds}::bigint[])) order by u.id`)
