import { defineTable } from './schema.ts'

/** Tables of the kit that belong to a tenant. Those of jobs, shared entries and keys are plain SQL of their services. */
export const kitTables = [
  defineTable({
    name: 'user_setting', tenancy: 'tenant', primaryKey: ['tenant_id', 'user_id', 'key'],
    columns: { tenant_id: 'text not null', user_id: 'bigint not null', key: 'text not null', value: 'jsonb not null', update_time: 'timestamptz(3) not null default now()' },
  }),
]
