import { defineTable } from './schema.ts'

/** Tables of the kit that belong to a tenant. Those of jobs, shared entries and keys are plain SQL of their services. */
export const kitTables = [
  defineTable({
    name: 'user_setting', tenancy: 'tenant', primaryKey: ['tenant_id', 'user_id', 'key'],
    columns: { tenant_id: 'text not null', user_id: 'bigint not null', key: 'text not null', value: 'jsonb not null', update_time: 'timestamptz(3) not null default now()' },
  }),
  defineTable({
    name: 'background_task', tenancy: 'tenant', primaryKey: ['id'],
    columns: {
      id: 'bigint not null', tenant_id: 'text not null', user_id: 'bigint not null', kind: 'text not null', resource: 'text not null', state: "text not null default 'waiting'", lang: 'text not null',
      ask: 'jsonb not null', progress: "jsonb not null default '{}'", step: 'integer not null default 0', done: 'integer not null default 0', total: 'integer', result: "jsonb not null default '{}'", problem: 'jsonb',
      create_time: 'timestamptz(3) not null default now()', update_time: 'timestamptz(3) not null default now()',
    },
    indexes: { background_task_own: '(tenant_id, user_id, create_time desc)', background_task_old: '(create_time)' },
  }),
  defineTable({
    name: 'background_task_row', tenancy: 'tenant', primaryKey: ['task_id', 'line'],
    columns: {
      task_id: 'bigint not null', line: 'integer not null', tenant_id: 'text not null', state: 'text not null', title: 'text', row_id: 'bigint',
      entity: "jsonb not null default '{}'", changes: "jsonb not null default '[]'", problems: "jsonb not null default '[]'",
    },
    indexes: { background_task_row_of: '(task_id, state, line)' },
  }),
]
