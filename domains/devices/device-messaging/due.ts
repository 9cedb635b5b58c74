import { defineTable } from '#kit/server/database/schema.ts'

/**
 * When each open command is checked next by the listening process: to resend it, give it up or ask about it. Holds open
 * commands only, so that the check stays fast however many commands there are in all.
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
