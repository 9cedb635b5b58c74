import { defineTable } from '#kit/server/database/schema.ts'

/** History of an instance: elements and flows passed, which colour the diagram. */
export const flowHistoryTable = defineTable({
  name: 'flow_history',
  tenancy: 'tenant',
  columns: {
    id: 'bigint not null',
    tenant_id: 'text not null',
    instance_id: 'bigint not null',
    key: 'text not null',
    node: 'text not null',
    name: 'text not null',
    element: 'text not null',
    create_time: 'timestamptz(3) not null default now()',
    end_time: 'timestamptz(3)',
  },
  indexes: { flow_history_uq_key: '(tenant_id, instance_id, key)' },
  busy: true,
})

/** Actions on tasks other than signing: handed over, asked others, returned, urged, copied. */
export const flowActTable = defineTable({
  name: 'flow_act',
  tenancy: 'tenant',
  columns: {
    id: 'bigint not null',
    tenant_id: 'text not null',
    instance_id: 'bigint not null',
    key: "text not null default ''",
    name: "text not null default ''",
    act: 'text not null',
    user_id: 'bigint',
    people: "bigint[] not null default '{}'",
    comment: "text not null default ''",
    create_time: 'timestamptz(3) not null default now()',
  },
  indexes: { flow_act_of: '(tenant_id, instance_id, id)' },
  busy: true,
})

/** Copies of an instance sent to users, and when they read them. */
export const flowCopyTable = defineTable({
  name: 'flow_copy',
  tenancy: 'tenant',
  columns: {
    id: 'bigint not null',
    tenant_id: 'text not null',
    instance_id: 'bigint not null',
    user_id: 'bigint not null',
    by_id: 'bigint',
    name: "text not null default ''",
    comment: "text not null default ''",
    read_time: 'timestamptz(3)',
    create_time: 'timestamptz(3) not null default now()',
  },
  indexes: { flow_copy_of: '(tenant_id, user_id, id)', flow_copy_uq_one: '(tenant_id, instance_id, user_id)' },
  busy: true,
})

/**
 * The stored call of a change request, its requester, and the rows before and after it; if it was not executed because
 * rows had changed, those rows.
 */
export const changeRequestCallTable = defineTable({
  name: 'flow_change_call',
  tenancy: 'tenant',
  columns: {
    id: 'bigint not null',
    tenant_id: 'text not null',
    call: 'jsonb not null',
    asker: 'jsonb not null',
    effects: 'jsonb not null',
    moved: 'jsonb',
    create_time: 'timestamptz(3) not null default now()',
  },
  // The arguments may hold secrets.
  secret: ['call', 'asker'],
})
