import { sql } from '#kit/server/database/db.ts'
import { registerSilenceCheck } from '#domains/shops/shop-events/api.ts'

// Devices that were online once and are not now. While no process listens, that is not certain.
registerSilenceCheck((db, limit) =>
  db.query(sql`select tenant_id as "tenantId", shop_id::text as "shopId", 'deviceLink/' || id as key, name,
      (extract(epoch from last_seen_time) * 1000)::float8 as since, state = 'offline' as "isSure"
    from device_link where state <> 'online' and last_seen_time < ${limit} order by id`),
)
