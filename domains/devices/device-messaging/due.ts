import { defineTable } from '#kit/server/database/schema.ts'

/**
 * When an open command has to be looked at next, by whoever listens to the devices: sent again, given up, or asked
 * about. Only open commands are in it, so that looking costs nothing however many there ever were.
 */
export const commandDueTable = defineTable({
  name: 'device_command_due',
  tenancy: 'tenant',
  busy: true,
  columns: {
    id: 'bigint not null',
    tenant_id: 'text not null',
    link_id: 'bigint not null',
    due_time: 'timestamptz(3) not null',
  },
  indexes: {
    device_command_due_by_time: '(due_time)',
    device_command_due_by_link: '(tenant_id, link_id)',
  },
})
