import type { RowOf } from '#kit/resource/index.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { aiApp } from './ai-app.resource.ts'
import { aiTask, aiTaskLog } from './ai-task.resource.ts'
import { AI_RUN_STATE } from './dictionaries.ts'
import { findCameraOfEvent, findAiTargetsOfTask, type AiTarget } from './target-facts.ts'
import { defineQueue } from '#kit/server/jobs/index.ts'

export type AiTaskRow = RowOf<typeof aiTask>
export type AiRunRow = RowOf<typeof aiTaskLog>

export const aiRunQueue = defineQueue<{ id: string }>('ai.run')
/** States of a run that has not ended. */
export const UNFINISHED_AI_RUN_STATES = [AI_RUN_STATE.queued, AI_RUN_STATE.running, AI_RUN_STATE.stopping] as const

type Cause = { cause: 'hand' | 'clock' | 'event'; eventId?: string; now: Date }

/** Returns the enabled application of a task's workflow; undefined if there is none. */
export async function findEnabledAiApp(
  db: Db,
  { workflow }: Pick<AiTaskRow, 'workflow'>,
): Promise<RowOf<typeof aiApp> | undefined> {
  const [app] = await db.find(aiApp, sql`r.workflow = ${workflow} and coalesce(r.enabled, true)`)
  return app
}

async function notYetLookedAt(db: Db, taskId: string, subjects: readonly AiTarget[]): Promise<AiTarget[]> {
  const busy = await db.query<{ targetId: string }>(sql`select target_id from ai_task_log
    where tenant_id = ${db.tenantId} and task_id = ${taskId} and status = any(${[...UNFINISHED_AI_RUN_STATES]})`)
  const ids = new Set(busy.map((one) => one.targetId))
  return subjects.filter(({ id }) => !ids.has(id))
}

/**
 * Returns the targets of a run started by an event: only the event's camera if the task looks at cameras and names
 * none, else all targets of the task.
 */
async function meantBy(db: Db, task: AiTaskRow, eventId: string | undefined): Promise<AiTarget[]> {
  const camera =
    eventId && task.targetType === 'camera' && !task.targetIds?.length
      ? await findCameraOfEvent(db, eventId)
      : undefined
  return camera ? [camera] : findAiTargetsOfTask(db, task)
}

/**
 * Queues a run for each target of a task: a row and its job. Skips targets an unfinished run of the task already
 * covers. Returns the ids of the runs.
 */
export async function enqueueAiRuns(db: Db, task: AiTaskRow, { cause, eventId, now }: Cause): Promise<string[]> {
  const subjects = await notYetLookedAt(db, task.id, await meantBy(db, task, eventId))
  const startTime = formatShanghaiTime(now)
  const runs: AiRunRow[] = []
  for (const { id, name } of subjects) {
    const run = await db.insert(aiTaskLog, {
      taskId: task.id,
      shopId: task.shopId,
      targetType: task.targetType,
      targetId: id,
      targetName: name.slice(0, 200),
      cause,
      eventId: eventId ?? null,
      status: AI_RUN_STATE.queued,
      startTime,
      tries: 0,
      tokens: 0,
    })
    await db.enqueue(aiRunQueue, { id: run.id }, { key: run.id })
    runs.push(run)
  }
  if (!runs.length) return []
  const row = await db.update(aiTask, task.id, { lastRunTime: startTime, lastStatus: AI_RUN_STATE.queued })
  publishRowsChanged({ db }, aiTaskLog, runs)
  publishRowsChanged({ db }, aiTask, [row])
  return runs.map(({ id }) => id)
}

/** Starts a task by hand; refuses with the reason when nothing can run. */
export async function runAiTaskManually(db: Db, task: AiTaskRow, now: Date): Promise<string[]> {
  if (task.enabled === false) throw new Refused('ai_task_off', { name: task.name })
  if (!(await findEnabledAiApp(db, task))) throw new Refused('ai_no_app', { workflow: task.workflow })
  const ids = await enqueueAiRuns(db, task, { cause: 'hand', now })
  if (!ids.length) throw new Refused('ai_nothing_to_see', { name: task.name })
  return ids
}
