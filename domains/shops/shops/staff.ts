import type { Caller } from '#kit/server/base/caller.ts'
import { readBatch, sql, type Db } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { defineTable } from '#kit/server/database/schema.ts'
import type { Services } from '#kit/server/module/services.ts'

/** Staff of shops. Together with `basicShopInfo.bossUserId` it decides which shops a boss or clerk sees. */
export const shopStaffTable = defineTable({
  name: 'shop_staff',
  tenancy: 'tenant',
  primaryKey: ['tenant_id', 'shop_id', 'user_id'],
  columns: {
    tenant_id: 'text not null',
    shop_id: 'bigint not null',
    user_id: 'bigint not null',
    position: 'text not null',
    create_time: 'timestamptz(3) not null default now()',
  },
  indexes: { shop_staff_by_user_id: '(tenant_id, user_id)' },
})

/**
 * Returns the shops a person is limited to: undefined if unlimited, empty if limited but in no shop. Only the person's
 * flag `user.ownShops` decides, not the name of a role or the role of the session.
 */
export async function findShopScopeIds(
  services: Services,
  caller: Pick<Caller, 'tenantId' | 'userId' | 'isAdmin'>,
): Promise<string[] | undefined> {
  const { tenantId, userId, isAdmin } = caller
  if (isAdmin || !userId) return undefined
  const [limited, rows] = await readBatch(services.pool, { tenantId }, [
    sql`select 1 from sys_user where tenant_id = ${tenantId} and id = ${userId} and own_shops`,
    sql`select id::text from basic_shop_info where tenant_id = ${tenantId} and boss_user_id = ${userId}
      and is_deleted = 0
      union select s.shop_id::text from shop_staff s join basic_shop_info b on b.id = s.shop_id
      and b.tenant_id = s.tenant_id and b.is_deleted = 0
      where s.tenant_id = ${tenantId} and s.user_id = ${userId}
      union select b.id::text from wx_shoper w join basic_shop_info b on b.id = any(w.shop_ids)
      and b.tenant_id = w.tenant_id and b.is_deleted = 0
      where w.tenant_id = ${tenantId} and w.user_id = ${userId} and w.is_deleted = 0 order by 1`,
  ])
  return limited!.length ? rows!.map((row) => row.id as string) : undefined
}

type StaffMember = { userId: string; position: string; name: string; account: string }

export const findShopStaff = (db: Db, shopId: string): Promise<StaffMember[]> =>
  db.query<StaffMember>(sql`select s.user_id, s.position, coalesce(u.real_name, u.name, u.account, '') as name,
    coalesce(u.account, '') as account
    from shop_staff s join sys_user u on u.id = s.user_id and u.tenant_id = s.tenant_id and u.is_deleted = 0
    where s.tenant_id = ${db.tenantId} and s.shop_id = ${shopId} order by s.position, u.account`)

/** Replaces the staff of a shop; people left out no longer see it. */
export async function replaceShopStaff(
  db: Db,
  shopId: string,
  staff: readonly { userId: string; position: string }[],
): Promise<void> {
  const ids = [...new Set(staff.map((one) => one.userId))]
  const known = new Set(
    (
      await db.query<{ id: string }>(
        sql`select id from sys_user where tenant_id = ${db.tenantId} and is_deleted = 0 and id = any(${ids}::bigint[])`,
      )
    ).map((row) => row.id),
  )
  const missing = ids.find((id) => !known.has(id))
  if (missing) throw new Refused('staff_unknown', { name: missing })
  await db.run(sql`delete from shop_staff where tenant_id = ${db.tenantId} and shop_id = ${shopId}`)
  for (const { userId, position } of staff) {
    await db.run(
      sql`insert into shop_staff (tenant_id, shop_id, user_id, position)
        values (${db.tenantId}, ${shopId}, ${userId}, ${position}) on conflict (tenant_id, shop_id, user_id) do update
        set position = excluded.position`,
    )
  }
}
