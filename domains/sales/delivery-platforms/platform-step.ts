import { defineTable } from '#kit/server/database/schema.ts'
import { shopSafetyTriggerSql } from './follow-events.ts'
import { goodsSyncTriggerSql, shopGoodsSyncTriggerSql } from './follow-goods.ts'

/**
 * Sync progress of a row at its platform: the values confirmed last (`told`), the time of the next try, and the values
 * sent in a batch (`asked`) with its number (`task_id`), which keeps the row out of other syncs until the batch ends. A
 * table of its own, because syncing must not touch a row that people edit.
 */
export const platformSyncProgressTable = defineTable({
  name: 'platform_step',
  tenancy: 'tenant',
  columns: {
    tenant_id: 'text not null',
    row_id: 'bigint not null',
    told: 'jsonb',
    asked: 'jsonb',
    task_id: 'bigint',
    tries: 'integer not null default 0',
    next_time: 'timestamptz(3)',
    /** Start of the last reading of the row at the platform. */
    read_time: 'timestamptz',
    /** Our field that the platform's refusal is about. */
    problem_field: 'text',
  },
  primaryKey: ['tenant_id', 'row_id'],
  indexes: { platform_step_by_task: '(tenant_id, task_id) where task_id is not null' },
  after: {
    follow_goods: goodsSyncTriggerSql,
    follow_ele_shop: shopGoodsSyncTriggerSql('ele'),
    follow_meituan_shop: shopGoodsSyncTriggerSql('meituan'),
    follow_events: shopSafetyTriggerSql,
  },
})
