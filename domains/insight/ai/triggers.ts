import { onEventRaised } from '#domains/shops/shop-events/api.ts'
import { sql } from '#kit/server/database/db.ts'
import { nextRun } from '#kit/server/jobs/schedule.ts'
import { defineQueue } from '#kit/server/jobs/index.ts'
import { defineModuleJob } from '#kit/server/module/module.ts'
import type { Services } from '#kit/server/module/services.ts'
import { aiTask } from './ai-task.resource.ts'
import { enqueueAiRuns } from './begin-runs.ts'

const aiEventQueue = defineQueue<{ taskId: string; eventId: string }>('ai.event')

onEventRaised(async (db, { id, shopId, type }) => {
  const tasks = await db.query<{ id: string }>(sql`select id from ai_task r where r.tenant_id = ${db.tenantId}
    and r.shop_id = ${shopId} and r.is_deleted = 0 and coalesce(r.enabled, true)
    and r.on_events @> array[${type}]::text[] order by id`)
  for (const task of tasks)
    await db.enqueue(aiEventQueue, { taskId: task.id, eventId: id }, { key: `${task.id}/${id}` })
})

/** Runs a task after an event of its shop. A job, so that it cannot delay the event. */
export const runAiTaskForEventJob = defineModuleJob({
  queue: aiEventQueue,
  run: async ({ taskId, eventId }, { services, tenantId }) => {
    await services.unit({ tenantId }, async (db) => {
      const task = await db.get(aiTask, taskId, 'forUpdate')
      if (task && task.enabled !== false)
        await enqueueAiRuns(db, task, { cause: 'event', eventId, now: services.now() })
    })
  },
})

/** How far back in ms a due time is accepted: the job may run late, but older times are skipped. */
const LOOK_BACK_MS = 90_000

/** Returns when a schedule was last due within `LOOK_BACK_MS`; undefined if it was not or is invalid. */
function lastDue(cron: string, now: Date): Date | undefined {
  let last: Date | undefined
  try {
    for (let at = nextRun(cron, new Date(now.getTime() - LOOK_BACK_MS)); at <= now; at = nextRun(cron, at)) last = at
  } catch {
    // The schedule has no further time.
  }
  return last
}

/** Starts the due tasks of all shops (Shanghai time), once for each due time. */
export async function runDueAiTasks(services: Services): Promise<void> {
  const now = services.now()
  const scheduled = await services.unit({ crossTenantReason: 'AI tasks of all tenants that may be due' }, (db) =>
    db.query<{ id: string; tenantId: string; cron: string }>(sql`select id, tenant_id, cron from ai_task r
      where r.cron is not null and r.is_deleted = 0 and coalesce(r.enabled, true) order by r.id`),
  )
  for (const { id, tenantId, cron } of scheduled) {
    const due = lastDue(cron, now)
    if (!due) continue
    await services.unit({ tenantId }, async (db) => {
      const task = await db.get(aiTask, id, 'forUpdate')
      const begun = await db.one(sql`select 1 from ai_task_log where tenant_id = ${tenantId} and task_id = ${id}
        and cause = 'clock' and start_time >= ${due.toISOString()}::timestamptz limit 1`)
      if (task && !begun) await enqueueAiRuns(db, task, { cause: 'clock', now })
    })
  }
}

export const runDueAiTasksJob = defineModuleJob({
  queue: defineQueue('ai.schedule'),
  cron: '* * * * *',
  concurrency: 1,
  run: (_payload, { services }) => runDueAiTasks(services),
})
