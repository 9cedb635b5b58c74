import { sql } from '#kit/server/database/db.ts'
import { registerSilenceCheck } from '#domains/shops/shop-events/api.ts'
import { PRICE_TAG_STATE } from './dictionaries.ts'

const ms = (column: string) => sql([`(extract(epoch from ${column}) * 1000)::float8`])

// Leaves out lost tags, which have an event of their own (tag-outcomes.ts), and tags that have never been heard.
const isExpected = sql`t.is_deleted = 0 and t.status not in (${PRICE_TAG_STATE.unbound}, ${PRICE_TAG_STATE.lost})
  and coalesce(t.last_report_time, t.last_sync_time) is not null`

// Tags that cannot be heard because their gateway, access point or cloud is silent itself.
registerSilenceCheck((db, limit) =>
  db.query(sql`
    select t.tenant_id as "tenantId", t.shop_id::text as "shopId", 'priceTag/' || t.id as key, t.tag_id as name,
      coalesce(${ms('t.last_report_time')}, ${ms('l.last_seen_time')}) as since, l.state = 'offline' as "isSure"
    from device_link l join price_tag t on t.tenant_id = l.tenant_id and t.shop_id = l.shop_id
      and coalesce(t.gateway_id, t.shop_id) = l.id and t.account_id is null
    where l.state <> 'online' and l.last_seen_time < ${limit} and ${isExpected} order by t.id`),
)

const isAway = (limit: string) =>
  sql`a.is_deleted = 0 and a.enabled and a.state in ('away', 'unknown') and a.seen_time < ${limit}`

registerSilenceCheck((db, limit) =>
  db.query(sql`
    select a.tenant_id as "tenantId", a.shop_id::text as "shopId", 'tagAccount/' || a.id as key, a.name,
      ${ms('a.seen_time')} as since, a.state = 'away' as "isSure"
    from tag_account a where ${isAway(limit)} order by a.id`),
)

registerSilenceCheck((db, limit) =>
  db.query(sql`
    select t.tenant_id as "tenantId", t.shop_id::text as "shopId", 'priceTag/' || t.id as key, t.tag_id as name,
      coalesce(${ms('t.last_report_time')}, ${ms('a.seen_time')}) as since, a.state = 'away' as "isSure"
    from tag_account a join price_tag t on t.tenant_id = a.tenant_id and t.account_id = a.id
    where ${isAway(limit)} and ${isExpected} order by t.id`),
)
