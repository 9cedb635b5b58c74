import type { RowOf } from '#kit/resource/index.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/refused.ts'
import { publishChanged } from '#kit/server/resource/submit-of.ts'
import { shanghaiText } from '#kit/server/time.ts'
import { aiApp } from './ai-app.resource.ts'
import { aiTask, aiTaskLog } from './ai-task.resource.ts'
import { RUN } from './dictionaries.ts'
import { cameraOfEvent, subjectsOf, type Subject } from './target-facts.ts'

export type Task = RowOf<typeof aiTask>
export type Run = RowOf<typeof aiTaskLog>

export const runQueue = 'ai.run'
/** Runs that are under way, whoever thinks of them. */
export const UNDER_WAY = [RUN.queued, RUN.running, RUN.stopping] as const

type Cause = { cause: 'hand' | 'clock' | 'event'; eventId?: string; now: Date }

/** The application a task's workflow is, where one is in use. */
export async function appOf(db: Db, { workflow }: Pick<Task, 'workflow'>): Promise<RowOf<typeof aiApp> | undefined> {
  const [app] = await db.find(aiApp, sql`r.workflow = ${workflow} and coalesce(r.enabled, true)`)
  return app
}

async function notYetLookedAt(db: Db, taskId: string, subjects: readonly Subject[]): Promise<Subject[]> {
  const busy = await db.query<{ targetId: string }>(sql`select target_id from ai_task_log
    where tenant_id = ${db.tenantId} and task_id = ${taskId} and status = any(${[...UNDER_WAY]})`)
  const ids = new Set(busy.map((one) => one.targetId))
  return subjects.filter(({ id }) => !ids.has(id))
}

/** An event of a camera is looked at with that camera alone, where the task looks at cameras and names none. */
async function meantBy(db: Db, task: Task, eventId: string | undefined): Promise<Subject[]> {
  const camera =
    eventId && task.targetType === 'camera' && !task.targetIds?.length ? await cameraOfEvent(db, eventId) : undefined
  return camera ? [camera] : subjectsOf(db, task)
}

/**
 * Asks for a run about each thing a task looks at: rows first, each with the job that does it. What is being looked at
 * by the same task already is left out. Answers the ids of the runs.
 */
export async function beginRuns(db: Db, task: Task, { cause, eventId, now }: Cause): Promise<string[]> {
  const subjects = await notYetLookedAt(db, task.id, await meantBy(db, task, eventId))
  const startTime = shanghaiText(now)
  const runs: Run[] = []
  for (const { id, name } of subjects) {
    const run = await db.insert(aiTaskLog, {
      taskId: task.id,
      shopId: task.shopId,
      targetType: task.targetType,
      targetId: id,
      targetName: name.slice(0, 200),
      cause,
      eventId: eventId ?? null,
      status: RUN.queued,
      startTime,
      tries: 0,
      tokens: 0,
    })
    await db.enqueue(runQueue, { id: run.id }, { key: run.id })
    runs.push(run)
  }
  if (!runs.length) return []
  const row = await db.update(aiTask, task.id, { lastRunTime: startTime, lastStatus: RUN.queued })
  publishChanged({ db }, aiTaskLog, runs)
  publishChanged({ db }, aiTask, [row])
  return runs.map(({ id }) => id)
}

/** The same for a person, who is told why nothing runs. */
export async function runByHand(db: Db, task: Task, now: Date): Promise<string[]> {
  if (task.enabled === false) throw new Refused('ai_task_off', { name: task.name })
  if (!(await appOf(db, task))) throw new Refused('ai_no_app', { workflow: task.workflow })
  const ids = await beginRuns(db, task, { cause: 'hand', now })
  if (!ids.length) throw new Refused('ai_nothing_to_see', { name: task.name })
  return ids
}
