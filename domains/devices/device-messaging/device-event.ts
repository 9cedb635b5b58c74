import { defineTable } from '#kit/server/database/schema.ts'

/** What devices have reported, each once: a device says it again until it is acknowledged. */
export const deviceEventTable = defineTable({
  name: 'device_event',
  tenancy: 'tenant',
  busy: true,
  columns: {
    id: 'bigint not null',
    tenant_id: 'text not null',
    link_id: 'bigint not null',
    eid: 'text not null',
    type: 'text not null',
    data: 'jsonb not null',
    /** By the office's clock, and as the device said it. */
    time: 'timestamptz(3) not null',
    said_time: 'timestamptz(3) not null',
    create_time: 'timestamptz(3) not null default now()',
  },
  indexes: {
    device_event_uq_link_id_eid: '(tenant_id, link_id, eid)',
    device_event_by_link_id: '(tenant_id, link_id, time)',
    device_event_by_create_time: '(create_time)',
  },
})
