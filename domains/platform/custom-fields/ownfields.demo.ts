import { sql, type Db } from '#kit/server/database/db.ts'
import type { Services } from '#kit/server/module/services.ts'
import { publishCustomFieldsChanged } from './memory.ts'
import { ownField } from './own-field.resource.ts'
import { customFieldIndexQueue } from './queues.ts'

/** Custom fields of the demo tenants. */
const FIELDS = [
  { family: 'deviceInfo', labelZh: '资产编号', labelEn: 'Asset number', kind: 'text', slot: 't1', inList: false },
  { family: 'basicShopInfo', labelZh: '租约到期', labelEn: 'Lease until', kind: 'date', slot: 'd1', inList: true },
] as const

export async function seed(db: Db, { now, services }: { now: Date; services: Services }): Promise<void> {
  const everywhere = {
    inSearch: true,
    inForm: true,
    inExport: true,
    inImport: true,
    required: false,
    isClearing: false,
  }
  for (const [at, one] of FIELDS.entries())
    await db.insert(ownField, { ...everywhere, ...one, sort: at + 1, number: at + 1 })
  await db.run(sql`insert into own_field_count (tenant_id, last) values (${db.tenantId}, ${FIELDS.length})`)
  await db.run(sql`update device_info d set own_t1 = 'ZC-' || lpad(n.at::text, 4, '0') from (
    select id, row_number() over (order by id) as at from device_info where tenant_id = ${db.tenantId}) n
    where d.tenant_id = ${db.tenantId} and d.id = n.id`)
  await db.run(sql`update basic_shop_info s set own_d1 = ${now.toISOString()}::date + (200 + 90 * n.at)::int from (
    select id, row_number() over (order by shop_code) as at from basic_shop_info where tenant_id = ${db.tenantId}) n
    where s.tenant_id = ${db.tenantId} and s.id = n.id`)
  publishCustomFieldsChanged(db, services)
  await db.enqueue(customFieldIndexQueue, {}, { key: 'all' })
}
