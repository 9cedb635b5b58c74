import { defineTable } from '#kit/server/database/schema.ts'

/** Events devices have reported, each stored once: a device repeats an event until it is acknowledged. */
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
    /** When it happened, by the server's clock. */
    time: 'timestamptz(3) not null',
    /** The same by the device's own clock. */
    said_time: 'timestamptz(3) not null',
    create_time: 'timestamptz(3) not null default now()',
  },
  indexes: {
    device_event_uq_link_id_eid: '(tenant_id, link_id, eid)',
    device_event_by_link_id: '(tenant_id, link_id, time)',
    device_event_by_create_time: '(create_time)',
  },
})
