import { defineTable } from '#kit/server/database/schema.ts'
import { shopSafetyTriggerSql } from './follow-events.ts'
import { goodsSyncTriggerSql, shopGoodsSyncTriggerSql } from './follow-goods.ts'

/**
 * How far a row has come at its platform: what was confirmed last (`told`), and when it is tried again; what it was
 * handed over with among others (`asked`), and under which number (`task_id`), which keeps it until its work is over.
 * Not the row's own: people change rows, and what they read of them stays as it is while the platform is asked.
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
    /** When the last reading of the row there began. */
    read_time: 'timestamptz',
    /** The field the platform's refusal means. */
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
