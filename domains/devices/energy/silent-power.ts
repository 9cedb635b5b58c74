import { sql } from '#kit/server/database/db.ts'
import { registerSilenceCheck } from '#domains/shops/shop-events/api.ts'

// Power devices whose gateway is silent or no longer lists them.
registerSilenceCheck((db, limit) =>
  db.query(sql`
    select d.tenant_id as "tenantId", d.shop_id::text as "shopId", 'epaDevice/' || d.id as key, d.name,
      (extract(epoch from coalesce(d.last_report_time, l.last_seen_time, d.update_time)) * 1000)::float8 as since,
      coalesce(d.lost, false) or l.state = 'offline' as "isSure"
    from epa_device d join device_link l on l.tenant_id = d.tenant_id and l.id = d.gateway_id
    where d.is_deleted = 0 and (d.lost or l.state <> 'online' and l.last_seen_time < ${limit}) order by d.id`),
)
