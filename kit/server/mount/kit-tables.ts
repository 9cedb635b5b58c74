import { defineSystemParam, defineRetentionParam } from '../../resource/param.ts'
import type { RetentionRule } from '../module/module.ts'
import { defineTable } from '../database/schema.ts'

/**
 * Tables of the kit that belong to a tenant. Those of jobs, shared entries and keys are plain SQL of their services.
 */
export const kitTables = [
  defineTable({
    name: 'user_setting',
    tenancy: 'tenant',
    primaryKey: ['tenant_id', 'user_id', 'key'],
    columns: {
      tenant_id: 'text not null',
      user_id: 'bigint not null',
      key: 'text not null',
      value: 'jsonb not null',
      update_time: 'timestamptz(3) not null default now()',
    },
  }),
  defineTable({
    name: 'background_task',
    tenancy: 'tenant',
    columns: {
      id: 'bigint not null',
      tenant_id: 'text not null',
      user_id: 'bigint not null',
      kind: 'text not null',
      resource: 'text not null',
      state: "text not null default 'waiting'",
      lang: 'text not null',
      ask: 'jsonb not null',
      progress: "jsonb not null default '{}'",
      step: 'integer not null default 0',
      done: 'integer not null default 0',
      total: 'integer',
      result: "jsonb not null default '{}'",
      problem: 'jsonb',
      create_time: 'timestamptz(3) not null default now()',
      update_time: 'timestamptz(3) not null default now()',
    },
    indexes: { background_task_own: '(tenant_id, user_id, create_time desc)', background_task_old: '(create_time)' },
  }),
  defineTable({
    name: 'background_task_row',
    tenancy: 'tenant',
    primaryKey: ['tenant_id', 'task_id', 'line'],
    columns: {
      task_id: 'bigint not null',
      line: 'integer not null',
      tenant_id: 'text not null',
      state: 'text not null',
      title: 'text',
      row_id: 'bigint',
      entity: "jsonb not null default '{}'",
      changes: "jsonb not null default '[]'",
      problems: "jsonb not null default '[]'",
    },
    indexes: { background_task_row_of: '(task_id, state, line)' },
  }),
  defineTable({
    // The primary key is the only index that reading a row's history needs.
    name: 'row_change',
    tenancy: 'tenant',
    primaryKey: ['tenant_id', 'resource', 'row_id', 'id'],
    appendOnly: true,
    retentionDays: 30,
    partitioned: 'month',
    indexes: { row_change_old: '(create_time)' },
    columns: {
      id: 'bigint not null',
      tenant_id: 'text not null',
      resource: 'text not null',
      row_id: 'bigint not null',
      kind: "text not null default 'edit'",
      via: 'text not null',
      version: 'integer not null',
      user_id: 'bigint not null',
      was: 'jsonb not null',
      now: 'jsonb not null',
      create_time: 'timestamptz(3) not null default now()',
    },
  }),
  defineTable({
    name: 'list_view',
    tenancy: 'tenant',
    columns: {
      id: 'bigint not null',
      tenant_id: 'text not null',
      resource: 'text not null',
      user_id: 'bigint not null',
      role_id: 'bigint',
      name: 'text not null',
      state: 'jsonb not null',
      create_time: 'timestamptz(3) not null default now()',
      update_time: 'timestamptz(3) not null default now()',
      version: 'integer not null default 0',
      as_tab: 'boolean not null default false',
      as_tile: 'boolean not null default false',
      as_link: 'boolean not null default false',
    },
    indexes: { list_view_by_resource: '(tenant_id, resource)', list_view_by_user: '(tenant_id, user_id)' },
  }),
  defineTable({
    name: 'bulk_run',
    tenancy: 'tenant',
    columns: {
      id: 'bigint not null',
      tenant_id: 'text not null',
      user_id: 'bigint not null',
      ask: 'jsonb not null',
      ids: 'bigint[] not null',
      done: 'integer not null default 0',
      failed: 'integer not null default 0',
      refused: "jsonb not null default '[]'",
      create_time: 'timestamptz(3) not null default now()',
      finish_time: 'timestamptz(3)',
      dry_run_rows: 'jsonb',
      sums: "jsonb not null default '{}'",
    },
    indexes: { bulk_run_by_user: '(tenant_id, user_id, create_time desc)', bulk_run_old: '(create_time)' },
  }),
]

const CHANGE_DAYS = defineSystemParam({
  key: 'keep.changeDays',
  value: '730',
  number: { min: 30, max: 36_500 },
  label: { zh: '修改历史保留天数', en: 'Change history retention (days)' },
  help: {
    zh: '到期的修改记录每夜清理，之后不能再恢复到那时',
    en: 'Older entries are removed every night and cannot be restored afterwards',
  },
})
const BULK_DAYS = defineRetentionParam('bulkDays', 30, {
  zh: '批量操作结果保留天数',
  en: 'Bulk result retention (days)',
})

/** Cleanup rules of the kit's own tables. */
export const kitRetentionRules: readonly RetentionRule[] = [
  { table: 'row_change', param: CHANGE_DAYS },
  { table: 'bulk_run', param: BULK_DAYS, where: 'finish_time is not null' },
]
