import { VendorError } from '#domains/platform/external-apis/api.ts'
import { f } from '#kit/resource/index.ts'
import { dataScopeSql } from '#kit/server/database/data-scope.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { forEachTenantOfRows } from '#kit/server/resource/remove-of.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import { defineQueue } from '#kit/server/jobs/index.ts'
import { defineModuleJob, defineRoute, type Call } from '#kit/server/module/module.ts'
import type { Services } from '#kit/server/module/services.ts'
import { createDifyAccess } from './access.ts'
import { aiTask, aiTaskLog } from './ai-task.resource.ts'
import { findEnabledAiApp, type AiRunRow } from './begin-runs.ts'
import { AI_RUN_STATE } from './dictionaries.ts'
import { stopDifyRun } from './dify.client.ts'
import { completeAiRun } from './complete-run.ts'

const STOP_TRIES = 5
const aiStopQueue = defineQueue<{ id: string }>('ai.stop', { maxAttempts: STOP_TRIES })

/**
 * Stops a run: at once if it is queued. Else marks it as stopping; a job tells Dify, and the job following the run sees
 * the end.
 */
export async function requestAiRunStop(db: Db, services: Services, run: AiRunRow): Promise<{ result: 'success' }> {
  if (run.status === AI_RUN_STATE.queued) await completeAiRun.within(db, services, run, { status: 'stopped' })
  else {
    const row = await db.update(aiTaskLog, run.id, { status: AI_RUN_STATE.stopping })
    publishRowsChanged({ db }, aiTaskLog, [row])
    if (run.difyTaskId) await db.enqueue(aiStopQueue, { id: run.id }, { key: run.id })
  }
  return { result: 'success' }
}

export const stopDifyRunJob = defineModuleJob({
  queue: aiStopQueue,
  concurrency: 4,
  run: async ({ id }, { services, tenantId }) => {
    const target = await services.unit({ tenantId }, async (db) => {
      const run = await db.get(aiTaskLog, id)
      const task = run?.status === AI_RUN_STATE.stopping && run.taskId ? await db.get(aiTask, run.taskId) : undefined
      const app = task && (await findEnabledAiApp(db, task))
      return run?.difyTaskId && app
        ? { taskId: run.difyTaskId, access: createDifyAccess(services, app, run) }
        : undefined
    })
    if (!target) return
    await stopDifyRun(target.access, target.taskId).catch((error: unknown) => {
      // The run has ended or was never known there; the job that follows it finds out which.
      if (!(error instanceof VendorError) || !error.isUndone || error.isRetryable) throw error
      services.log.warn({ err: error }, 'Dify did not take the stop of a run')
    })
  },
})

/** Stops the run with this Dify task id among those the caller may see. */
async function stopAtDify(call: Call<{ taskId: string | null }>): Promise<{ result: 'success' }> {
  const { caller, db, query } = call
  const within = caller.isPlatform ? sql`true` : sql`r.tenant_id = ${caller.tenantId}`
  const matchingRun = sql`select r.id from ai_task_log r where ${within} and r.dify_task_id = ${query.taskId ?? ''}
    ${dataScopeSql(aiTaskLog, caller)} order by r.id desc limit 1`
  const look = (all: Db) => all.one<{ id: string }>(matchingRun)
  const found = caller.isPlatform
    ? await db.acrossTenants('platform administrator stops an AI run', look)
    : await look(db)
  if (!found) throw new Refused('not_found', { label: aiTaskLog.label })
  await forEachTenantOfRows(call, aiTaskLog, [found.id], async ([id], own) => {
    const run = (await own.get(aiTaskLog, id!, 'forUpdate'))!
    if (!isActive(run)) throw new Refused('action_not_now', { action: aiTaskLog.actions.stop.label })
    await requestAiRunStop(own, call.services, run)
  })
  return { result: 'success' }
}

const isActive = ({ status }: AiRunRow) =>
  status === AI_RUN_STATE.queued || status === AI_RUN_STATE.running || status === AI_RUN_STATE.stopping

export const stopAiRunRoute = defineRoute({
  method: 'POST',
  path: '/api/dify/block/workflows/tasks/:taskId/stop',
  title: { zh: '停止 AI 运行', en: 'Stop AI run' },
  can: 'aiTaskLog_stop',
  // Accepted and ignored: Dify receives the user stored with the run.
  documentedInput: { user: f.text({ label: { zh: '用户标识', en: 'User ID' }, max: 200 }) },
  handle: (call) => stopAtDify(call as unknown as Call<{ taskId: string | null }>),
})
