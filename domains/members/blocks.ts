import { sql, type Db } from '#kit/server/database/db.ts'

export type Block = { id: string; reason: string; shopId: string | null; startTime: string; endTime: string | null }

/**
 * The blacklist entry in force for a person at a shop at a moment: by account, those merged into it included, or by any
 * of their phones. The longest one when there are several; undefined when there is none.
 */
export async function blockOf(
  db: Db,
  who: { wxUserId?: string | null; phone?: string | null; shopId: string; at: string },
): Promise<Block | undefined> {
  const { wxUserId = null, phone = null, shopId, at } = who
  if (!wxUserId && !phone) return undefined
  return db.one<Block>(sql`
    with recursive up as (
      select id, merged_into from wx_user where tenant_id = ${db.tenantId} and id = ${wxUserId}
      union select w.id, w.merged_into from up join wx_user w on w.id = up.merged_into and w.tenant_id = ${db.tenantId}
    ), person as (
      select w.id, w.phone from wx_user w where w.tenant_id = ${db.tenantId} and w.id in (select id from up
      where merged_into is null)
      union select w.id, w.phone from person p join wx_user w on w.merged_into = p.id and w.tenant_id = ${db.tenantId}
    )
    select b.id, b.reason, b.shop_id, b.start_time, b.end_time from black_list b
    where b.tenant_id = ${db.tenantId} and b.is_deleted = 0 and (b.shop_id is null or b.shop_id = ${shopId})
      and b.start_time <= ${at}::timestamptz and (b.end_time is null or b.end_time > ${at}::timestamptz)
      and (b.wx_user_id in (select id from person) or b.phone = ${phone} or b.phone in (select phone from person
      where phone <> ''))
    order by b.end_time desc nulls first, b.id limit 1`)
}
