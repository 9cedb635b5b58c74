import { sql, type Db } from '#kit/server/database/db.ts'
import { MEMBERSHIP_TERM_STATE } from './dictionaries.ts'

type Block = { id: string; reason: string; shopId: string | null; startTime: string; endTime: string | null }

/** A person who wants to enter a shop: their account, whether they are a member, and the entry that blocks them. */
export type ShopEntrant = {
  /** The open account, also where theirs was merged into another; null when unknown. */
  wxUserId: string | null
  isMember: boolean
  block: Block | null
}

/**
 * Finds who wants to enter a shop at a moment ('yyyy-MM-dd HH:mm:ss', Shanghai) by account, by openid, or else by
 * phone. `block` is the blacklist entry in force for any of their accounts, merged ones included, or any of their
 * phones; the one that ends last when there are several.
 */
export async function findShopEntrant(
  db: Db,
  who: { wxUserId?: string | null; openid?: string | null; phone?: string | null; shopId: string; at: string },
): Promise<ShopEntrant> {
  const { wxUserId = null, openid = null, phone = null, shopId, at } = who
  const found = await db.one<ShopEntrant>(sql`
    with recursive up as (
      select id, merged_into from wx_user where tenant_id = ${db.tenantId} and (id = ${wxUserId}::bigint
        or openid = ${openid} or (${wxUserId}::bigint is null and ${openid}::text is null and phone = ${phone}
        and phone <> ''))
      union select w.id, w.merged_into from up join wx_user w on w.id = up.merged_into and w.tenant_id = ${db.tenantId}
    ), survivor as (
      select id from up where merged_into is null order by id limit 1
    ), person as (
      select w.id, w.phone from wx_user w where w.tenant_id = ${db.tenantId} and w.id in (select id from up
      where merged_into is null)
      union select w.id, w.phone from person p join wx_user w on w.merged_into = p.id and w.tenant_id = ${db.tenantId}
    ), block as (
      select b.id, b.reason, b.shop_id, b.start_time, b.end_time from black_list b
      where b.tenant_id = ${db.tenantId} and b.is_deleted = 0 and (b.shop_id is null or b.shop_id = ${shopId})
        and b.start_time <= ${at}::timestamptz and (b.end_time is null or b.end_time > ${at}::timestamptz)
        and (b.wx_user_id in (select id from person) or b.phone = ${phone} or b.phone in (select phone from person
        where phone <> ''))
      order by b.end_time desc nulls first, b.id limit 1
    )
    select (select id from survivor) as wx_user_id, exists (select 1 from vip_info v where v.tenant_id = ${db.tenantId}
        and v.wx_user_id = (select id from survivor) and v.status = ${MEMBERSHIP_TERM_STATE.valid}
        and v.start_time <= ${at}::timestamptz and v.end_time > ${at}::timestamptz) as is_member,
      (select json_build_object('id', b.id::text, 'reason', b.reason, 'shopId', b.shop_id::text,
        'startTime', to_char(b.start_time at time zone 'Asia/Shanghai', 'YYYY-MM-DD HH24:MI:SS'),
        'endTime', to_char(b.end_time at time zone 'Asia/Shanghai', 'YYYY-MM-DD HH24:MI:SS')) from block b) as block`)
  return found!
}
