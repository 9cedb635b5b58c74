import { defineTable } from '#kit/server/database/schema.ts'

/** Entry requests of doors with their answers. A repeated request gets the same answer. */
export const entryRequestTable = defineTable({
  name: 'entry_ask',
  tenancy: 'tenant',
  busy: true,
  columns: {
    id: 'bigint not null',
    tenant_id: 'text not null',
    link_id: 'bigint not null',
    ask_id: 'text not null',
    /** Nonce of the code that was accepted. Unique, so that a code lets one person in once. */
    code_key: 'text',
    answer: 'jsonb not null',
    create_time: 'timestamptz(3) not null default now()',
  },
  indexes: {
    entry_ask_uq_link_id_ask_id: '(tenant_id, link_id, ask_id)',
    entry_ask_by_create_time: '(create_time)',
    entry_ask_uq_code_key: '(tenant_id, code_key) where code_key is not null',
  },
})
