import sql from 'sql-template-tag'
import type { FieldProblem } from '../../fields/base/field-kind.ts'
import { fieldProblemSentence } from '../../fields/problem-sentence.ts'
import { permissionCodeOf, type Resource } from '../../resource/define-resource.ts'
import { sentenceLabelParams, type Lang } from '../../base/localized-text.ts'
import type { Caller } from '../base/caller.ts'
import { hasAtLeastAccess, accessSnapshotOf, type AccessSnapshot } from '../database/data-scope.ts'
import type { Db } from '../database/db.ts'
import { refusalResponse } from '../request/envelope.ts'
import { defineQueue, JobYieldSignal, UnrecoverableJobError, type JobContext, type Queue } from '../jobs/index.ts'
import { requireListPermission } from '../resource/may-list.ts'
import { findServedResource } from '../resource/custom-fields.ts'
import { defineRefusals, Refused, type CodesOf, type RefusalCode } from '../base/refused.ts'
import { authoriseCall, anonymousCaller } from '../request/pipeline.ts'
import { HttpReply, type Call, type ServedResource } from '../module/module.ts'
import type { Services } from '../module/services.ts'
import { newId } from '../database/snowflake.ts'
import { backgroundTaskTopic } from '../../resource/kit-topics.ts'

const refusals = defineRefusals({
  too_many_tasks: {
    zh: '还有 {max} 个任务没有完成，请稍后再试',
    en: '{max} {max|task is|tasks are} still running. Try again when they are done.',
  },
  task_broke: { zh: '任务没有完成，可以重试', en: 'The task did not finish. You can retry it.' },
  task_reach: {
    zh: '您可见的数据范围已变化，请重新导出或导入',
    en: 'Your data access has changed. Export or import again.',
  },
  task_gone: { zh: '任务不存在或已过期', en: 'The task does not exist or has expired' },
})

declare module '../base/refused.ts' {
  // oxlint-disable-next-line typescript/consistent-type-definitions
  interface Refusals extends CodesOf<typeof refusals> {}
}

/**
 * Work for one person that takes longer than a request. Export and archive of a tenant: waiting → running → done.
 * Import: waiting → running → checked → applying → done. Each can fail and be retried from where it was.
 */
export type BackgroundTask = {
  id: string
  tenantId: string
  userId: string
  kind: 'export' | 'import' | 'archive'
  resource: string
  lang: Lang
  state: 'waiting' | 'running' | 'checked' | 'applying' | 'done' | 'failed'
  ask: {
    query: Record<string, string>
    columns: string[]
    name?: string
    /** Hash of the imported file. */
    sum?: string
    roleIds: readonly string[]
    deptIds: readonly string[]
  }
  progress: Record<string, any>
  result: Record<string, any>
  done: number
  total: number | null
  step: number
  problem: { code: RefusalCode; params: Record<string, unknown>; again?: boolean } | null
  createTime: string
}

/** Storage key of a task's file. */
export const taskFileKey = (task: Pick<BackgroundTask, 'id' | 'tenantId'>, name: string) =>
  `${task.tenantId}/task/${task.id}/${name}`

/** File name and type of an archive task's result. */
export const [ARCHIVE_FILE, ZIP] = ['file.zip', 'application/zip'] as const

const UNFINISHED_TASKS_MAX = 20
const columns = sql`id::text as id, tenant_id, user_id::text as user_id, kind, resource, state, lang, ask, progress,
  result, done, total, step, problem, create_time`

/**
 * Creates a task for the caller in their transaction, and its job. While an equal task is unfinished, returns that
 * one's id. Refuses when too many are unfinished.
 */
export async function requestBackgroundTask(
  call: Call,
  task: Pick<BackgroundTask, 'kind' | 'resource'> & {
    ask: Omit<BackgroundTask['ask'], 'roleIds' | 'deptIds'>
    id?: string
  },
): Promise<string> {
  const { caller, db } = call
  const { roleIds, deptIds } = caller
  const ask = JSON.stringify({ ...task.ask, roleIds, deptIds })
  await db.advisoryLock(`tasks of ${caller.userId}`)
  const own = await db.query<{ id: string; isSame: boolean }>(sql`
    select id::text as id, kind = ${task.kind} and resource = ${task.resource} and lang = ${call.lang}
    and ask = ${ask}::jsonb as is_same from background_task
    where tenant_id = ${db.tenantId} and user_id = ${caller.userId} and state in ('waiting', 'running', 'applying')`)
  const same = own.find(({ isSame }) => isSame)
  if (same) return same.id
  if (own.length >= UNFINISHED_TASKS_MAX) throw new Refused('too_many_tasks', { max: UNFINISHED_TASKS_MAX })
  const id = task.id ?? newId()
  await db.run(
    sql`insert into background_task (id, tenant_id, user_id, kind, resource, lang, ask)
      values (${id}, ${db.tenantId}, ${caller.userId}, ${task.kind}, ${task.resource}, ${call.lang}, ${ask})`,
  )
  await enqueueBackgroundTask(db, { id, kind: task.kind })
  publishTask(db, { id, userId: caller.userId })
  return id
}

type TaskPayload = { taskId: string }
const bounds = { maxAttempts: 5 }

/** Queue of each kind of task. */
export const backgroundTaskQueues: Readonly<Record<BackgroundTask['kind'], Queue<TaskPayload>>> = {
  export: defineQueue<TaskPayload>('kit.export', bounds),
  import: defineQueue<TaskPayload>('kit.import', bounds),
  archive: defineQueue<TaskPayload>('kit.archive', bounds),
}

export const enqueueBackgroundTask = (db: Db, task: Pick<BackgroundTask, 'id' | 'kind'>) =>
  db.enqueue(backgroundTaskQueues[task.kind], { taskId: task.id }, { key: task.id })

const publishTask = (db: Db, { id, userId }: Pick<BackgroundTask, 'id' | 'userId'>) =>
  db.publish(backgroundTaskTopic, { id }, { userIds: [userId] })

/** Returns one of the caller's own tasks; refuses others as missing. */
export async function requireTaskOfCaller(
  db: Db,
  caller: Caller,
  id: unknown,
  lock?: 'forUpdate',
): Promise<BackgroundTask> {
  if (typeof id !== 'string' || !/^\d{1,18}$/.test(id)) throw new Refused('task_gone')
  const statement = sql`select ${columns} from background_task where tenant_id = ${db.tenantId} and id = ${id}
    and user_id = ${caller.userId}`
  const [task] = await db.query<BackgroundTask>(lock ? sql`${statement} for update` : statement)
  if (!task) throw new Refused('task_gone')
  return task
}

export const findTasksOfCaller = (db: Db, caller: Caller): Promise<BackgroundTask[]> =>
  db.query<BackgroundTask>(
    sql`select ${columns} from background_task where tenant_id = ${db.tenantId} and user_id = ${caller.userId}
      order by create_time desc, id desc limit 30`,
  )

/**
 * Stores the progress of a task and notifies its owner. Returns false if another process has continued it since it was
 * read (`step`).
 */
export async function updateBackgroundTask(
  db: Db,
  task: BackgroundTask,
  patch: Partial<Pick<BackgroundTask, 'state' | 'progress' | 'result' | 'done' | 'total' | 'problem'>>,
): Promise<boolean> {
  const next = { ...task, ...patch }
  const changed = await db.run(sql`
    update background_task set state = ${next.state}, progress = ${JSON.stringify(next.progress)},
    result = ${JSON.stringify(next.result)}, done = ${next.done}, total = ${next.total},
      problem = ${next.problem && JSON.stringify(next.problem)}, step = step + 1, update_time = now()
    where tenant_id = ${task.tenantId} and id = ${task.id} and step = ${task.step}`)
  if (!changed) return false
  Object.assign(task, patch, { step: task.step + 1 })
  publishTask(db, task)
  return true
}

export type BackgroundTaskContext = {
  task: BackgroundTask
  served: ServedResource
  /** The resource as it is now; custom fields may change while the task runs. */
  servedNow: () => Promise<ServedResource>
  services: Services
  signal: AbortSignal
  yieldIfOthersWait: () => Promise<void>
  caller: () => Promise<Caller>
  call: (caller: Caller, db?: Db) => Call
  unit: <T>(work: (db: Db) => Promise<T>) => Promise<T>
}

const noDb = new Proxy(
  {},
  {
    get: () => () => {
      throw new Error('there is no transaction here')
    },
  },
) as Db

/**
 * Returns the function that makes the calls of a task. One that reads looks like a list request, one that writes like a
 * save, since hooks may distinguish them.
 */
const createTaskCall =
  (services: Services, task: BackgroundTask, served: ServedResource): BackgroundTaskContext['call'] =>
  (who, db) => ({
    caller: who,
    lang: task.lang,
    db: db ?? noDb,
    input: {},
    body: undefined,
    query: task.ask.query,
    services,
    reply: (answer) => new HttpReply(answer),
    request: {
      ip: '',
      userAgent: '',
      method: db ? 'POST' : 'GET',
      url: `${served.resource.path}/${db ? 'submit' : 'list'}`,
      headers: {},
      traceId: `task-${task.id}`,
    },
  })

/**
 * Runs a task on behalf of its owner, with the rights they have now. A refusal ends it with its message; after a crash
 * it can be retried.
 */
export async function runBackgroundTask(
  services: Services,
  context: JobContext,
  taskId: string,
  states: readonly BackgroundTask['state'][],
  work: (work: BackgroundTaskContext) => Promise<void>,
): Promise<void> {
  const { tenantId } = context
  const task = await services.unit({ tenantId }, (db) =>
    db.one<BackgroundTask>(
      sql`select ${columns} from background_task where tenant_id = ${tenantId} and id = ${taskId}`,
    ),
  )
  if (!task || !states.includes(task.state)) return
  const served = await resourceOfTask(services, task)

  const unit: BackgroundTaskContext['unit'] = (inside) => services.unit({ tenantId }, inside)
  const caller = () => requireTaskOwner(services, task)
  const yieldIfOthersWait = async () => context.yieldIfOthersWait?.()
  const call = createTaskCall(services, task, served!)

  const fail = (problem: BackgroundTask['problem']) =>
    unit((db) => updateBackgroundTask(db, task, { state: 'failed', problem }))

  try {
    const servedNow = async () => (await resourceOfTask(services, task))!
    await work({
      task,
      served: served!,
      servedNow,
      services,
      signal: context.signal,
      yieldIfOthersWait,
      caller,
      call,
      unit,
    })
  } catch (error) {
    if (error instanceof Refused) return void (await fail({ code: error.code, params: error.params }))
    if (context.signal.aborted || error instanceof JobYieldSignal || context.attempt < 3) throw error
    services.log.error({ err: error, taskId }, 'a task broke')
    await fail({ code: 'task_broke', params: {}, again: true })
    throw new UnrecoverableJobError(String(error))
  } finally {
    // If the task was deleted while running, its files are deleted too.
    if (
      !(await unit((db) => db.one(sql`select 1 from background_task where tenant_id = ${tenantId} and id = ${taskId}`)))
    )
      await deleteTaskFiles(services, task)
  }
}

/** Resource of a task with the tenant's current custom fields; undefined if it is not declared any more. */
async function resourceOfTask(
  services: Services,
  { resource, tenantId }: BackgroundTask,
): Promise<ServedResource | undefined> {
  await services.own?.ready(tenantId)
  return findServedResource(resource, { services, caller: { tenantId, isPlatform: false } })
}

export async function deleteTaskFiles(
  services: Services,
  task: Pick<BackgroundTask, 'id' | 'tenantId'>,
): Promise<void> {
  for (const file of await services.files.list(taskFileKey(task, ''))) await services.files.remove(file)
}

/** Returns the task's owner with their current rights; refuses if they may no longer run such a task. */
export async function requireTaskOwner(services: Services, task: BackgroundTask): Promise<Caller> {
  const now = await services.access.again({
    ...anonymousCaller,
    tenantId: task.tenantId,
    userId: task.userId,
    roleIds: task.ask.roleIds,
    deptIds: task.ask.deptIds,
  })
  const served = services.registry.served.get(task.resource)
  if (!now || !served) throw new Refused('forbidden')
  await requireTaskStillAllowed(services, now, served, task.kind)
  return now
}

/** Refuses if the caller has lost the permission for this kind of task. */
export async function requireTaskStillAllowed(
  services: Services,
  caller: Caller,
  served: ServedResource,
  kind: BackgroundTask['kind'],
): Promise<void> {
  const { resource } = served
  await authoriseCall(caller, permissionCodeOf(resource, kind), `${resource.path}/${kind}`, services)
  if (kind === 'export') await requireListPermission({ caller, services }, served)
}

/** Refuses if the caller can now see less than when the task's data was written. */
export function requireTaskDataStillVisible(task: BackgroundTask, resource: Resource<any, any>, caller: Caller): void {
  const then = task.progress.reach as AccessSnapshot | undefined
  if (then && !hasAtLeastAccess(accessSnapshotOf(resource, caller), then)) throw new Refused('task_reach')
}

/** A problem stored as data, to be worded later in its reader's language. */
export type TaskProblem = { key?: string; problem?: FieldProblem; code?: RefusalCode; params?: Record<string, unknown> }

export const taskProblemsOf = (error: Refused): TaskProblem[] => {
  const { problems } = error.data as { problems?: Record<string, { problem: FieldProblem }> }
  return problems
    ? Object.entries(problems).map(([key, { problem }]) => ({ key, problem }))
    : [{ code: error.code, params: error.params }]
}

export function taskProblemSentence(problem: TaskProblem, resource: Resource<any, any>, lang: Lang): string {
  const field = problem.key ? resource.fields[problem.key] : undefined
  if (problem.problem && field) return fieldProblemSentence(problem.problem, field, lang)
  return refusalResponse(new Refused(problem.code ?? 'bad_request', problem.params), lang).body.msg
}

/** A task as its owner sees it. */
export function taskToWire(services: Services, task: BackgroundTask, lang: Lang): Record<string, unknown> {
  const label = services.registry.served.get(task.resource)?.resource.label
  return {
    id: task.id,
    kind: task.kind,
    resource: task.resource,
    label: label ? sentenceLabelParams(label, lang).labels : task.resource,
    name: task.ask.name ?? '',
    state: task.state,
    done: task.done,
    total: task.total ?? -1,
    result: task.result,
    problem: task.problem ? refusalResponse(new Refused(task.problem.code, task.problem.params), lang).body.msg : '',
    createTime: task.createTime,
    // A crashed task may be retried; a refused one would be refused again.
    again:
      task.problem?.again === true || task.state === 'running' || task.state === 'applying' || task.state === 'waiting',
  }
}
