import { fieldKindOf } from '#kit/fields/kinds.ts'
import { f } from '#kit/resource/index.ts'
import { sql, awaitBatch, type Sql } from '#kit/server/database/db.ts'
import { parsePageRequest, containsTextSql } from '#kit/server/query/filters.ts'
import { pageEnvelope } from '#kit/server/resource/list-of.ts'
import { parseInput } from '#kit/server/request/parse-input.ts'
import { requireValidReferences } from '#kit/server/resource/submit-of.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { defineRoute, type Call, type Route } from '#kit/server/module/module.ts'
import type { ExpressionValue } from './expression.ts'
import { recordTaskAction, copyProcessToUsers } from './acts.ts'
import { requireVisibleInstance } from './diagram.server.ts'
import { flowChange } from './flow-change.resource.ts'
import { flowInstance, PROCESS_OUTCOME } from './flow-instance.resource.ts'
import {
  deployedProcessToWire,
  COMMON_PROCESS_TENANT,
  createFlowContext,
  type DeployedProcessRow,
} from './flow-process.server.ts'
import { flowProcess, PROCESS_SUSPENSION_STATE } from './flow-process.resource.ts'
import { processFormToFields, findProcessForm, type ProcessForm } from './forms.ts'
import { canReturnToNode, type FlowEvent, type FlowActor } from './machine.ts'
import {
  graphOfProcess,
  lockRunningInstance,
  advanceInstance,
  lockInstance,
  startProcessInstance,
  requireProcessState,
  type LockedInstance,
  type RunnableProcess,
} from './process-runtime.ts'
import { listClaimableTasks, listCopiedProcesses, listDoneTasks, listStartedProcesses, listOpenTasks } from './tasks.ts'
import { remindAssignees } from './notify-participants.ts'

const base = '/api/blade-flow/work'
const own = { signedIn: 'everybody may be asked to sign; the lists hold what is theirs' } as const
const person = f.ref('user', { label: { zh: '人员', en: 'Person' }, required: true, onRemoval: 'keep' })
const people = f.refs('user', { label: { zh: '人员', en: 'People' }, required: true, onRemoval: 'keep' })
const comment = f.text({ label: { zh: '说明', en: 'Comment' }, max: 500 })
const instanceId = f.ref('', { label: flowInstance.label, required: true })
const taskId = f.ref('', { label: { zh: '任务', en: 'Task' }, required: true })

export const flowActorOfCaller = ({ caller }: Call): FlowActor => ({ id: caller.userId, groups: caller.roleAliases })

type TaskRow = { instanceId: string; key: string; name: string }
/** A task with the locked instance its step needs. */
type Task = TaskRow & LockedInstance

const ofTask = ({ db }: Call, id: string): Sql =>
  sql`select instance_id from flow_task where tenant_id = ${db.tenantId} and id = ${id}`

/** Returns a task's row with its instance id. Refuses an unknown one. */
export async function requireFlowTaskRow({ db }: Call, id: string): Promise<TaskRow> {
  const row = await db.one<TaskRow>(
    sql`select instance_id::text as instance_id, key, name from flow_task
      where tenant_id = ${db.tenantId} and id = ${id}`,
  )
  if (!row) throw new Refused('not_found', { label: taskId.label })
  return row
}

/** Returns a task for a step, locking its instance. */
async function taskOf(call: Call, id: string): Promise<Task> {
  const [row, opened] = await awaitBatch([
    requireFlowTaskRow(call, id),
    lockInstance(createFlowContext(call), ofTask(call, id)),
  ])
  if (!opened) throw new Refused('flow_task_gone')
  return { ...row, ...opened }
}

/** Makes a step with a task; `said` also records it as an action with the caller and comment. */
async function act(
  call: Call,
  task: Task,
  event: FlowEvent,
  action?: { act: string; people?: string[] },
): Promise<void> {
  const ground = createFlowContext(call)
  await advanceInstance(ground, task, event)
  const comment = (call.input as { comment?: string | null }).comment ?? ''
  const by = call.caller.userId
  if (action)
    call.db.waitUntil(
      recordTaskAction(ground, task.instanceId, { ...action, key: task.key, name: task.name, by, comment }),
    )
}

async function claim(call: Call<{ taskId: string }>): Promise<void> {
  const { db, input, services } = call
  const task = await taskOf(call, input.taskId)
  await act(call, task, { do: 'claim', task: task.key, who: flowActorOfCaller(call) })
  db.waitUntil(
    db.run(sql`update flow_task set claim_time = ${services.now().toISOString()}
      where tenant_id = ${db.tenantId} and id = ${input.taskId}`),
  )
}

/** A decision is an agreement by its flag or, without one, by the comment older clients send (wire contract §20.2). */
const AGREED = { flag: 'ok', comment: '同意' }

type Completion = { taskId: string; comment: string | null; flag: string | null; variables: unknown }

async function complete(call: Call<Completion>): Promise<void> {
  const { input } = call
  const task = await taskOf(call, input.taskId)
  const isPassed = input.flag ? input.flag === AGREED.flag : input.comment === AGREED.comment
  if (isPassed) refuseOwn(call, task)
  const variables = await filledIn(call, task, variablesOf(input.variables), isPassed)
  const event = { do: 'complete', task: task.key, who: flowActorOfCaller(call), isPassed, variables } as const
  // Advice on a lent task is recorded as an action, as the task's owner still has to decide.
  if (openTask(task)?.isLent) return act(call, task, event, { act: 'word' })
  // Before the step, which drops tasks that nobody signed.
  finish(call, input.taskId, isPassed)
  await act(call, task, event)
}

const openTask = ({ instance, key }: Pick<Task, 'key' | 'instance'>) =>
  requireProcessState(instance).tasks.find((one) => one.id === key)

/** Refuses to let anybody approve their own change request, whatever the process says. */
function refuseOwn({ caller }: Call, { instance }: Task): void {
  if (instance.businessTable === flowChange.table && instance.startUserId === caller.userId)
    throw new Refused('flow_own_change')
}

const finish = ({ db, input, services, caller }: Call, taskId: string, isPassed: boolean) =>
  db.waitUntil(
    db.run(sql`update flow_task set state = 'done', end_time = ${services.now().toISOString()},
      is_passed = ${isPassed}, comment = ${(input.comment as string | null) ?? ''}
      where tenant_id = ${db.tenantId} and id = ${taskId} and state = 'open' and assignee = ${caller.userId}`),
  )

const variablesOf = (given: unknown): Record<string, ExpressionValue> =>
  given && typeof given === 'object' && !Array.isArray(given) ? (given as Record<string, ExpressionValue>) : {}

/**
 * Returns the values of a task's form, checked like any input; none when refusing or without a form, so that a signer
 * cannot set variables that decide the further path.
 */
async function filledIn(call: Call, task: Task, given: Record<string, ExpressionValue>, isPassed: boolean) {
  const { process } = task
  const open = openTask(task)
  const form = open && findProcessForm(process.forms, graphOfProcess(process).nodes[open.node]?.form)
  if (!form || !isPassed) return {}
  return readForm(call, form, given)
}

/** Returns a form's values for conditions: numbers as numbers, money in yuan, empty as null. */
async function readForm(
  call: Call,
  form: ProcessForm,
  given: Record<string, ExpressionValue>,
): Promise<Record<string, ExpressionValue>> {
  const fields = processFormToFields(form)
  const input = parseInput(fields, given)
  await requireValidReferences(call, fields, input)
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => {
      const value = input[name] ?? null
      const { currency, wire } = fieldKindOf(field)
      return [name, (value !== null && currency ? Number(wire(value, field)) : value) as ExpressionValue]
    }),
  )
}

/** Starts a process without pages of its own, with the values of its start form. */
async function startProcess(call: Call<{ processDefinitionId: string; variables: unknown }>) {
  const { db, input, caller } = call
  const process = await db.get(flowProcess, input.processDefinitionId)
  if (!process) throw new Refused('not_found', { label: flowProcess.label })
  const form = findProcessForm(process.forms, graphOfProcess(process).form)
  const filled = form ? await readForm(call, form, variablesOf(input.variables)) : {}
  const processInstanceId = await startProcessInstance(createFlowContext(call), process.id, {
    who: flowActorOfCaller(call),
    name: `${process.name} · ${caller.name}`,
    variables: { createUser: caller.name, ...filled },
  })
  return { processInstanceId }
}

/** Lists the processes that can be started: the latest version of each, of the tenant or common to all. */
async function startList(call: Call) {
  const { db, query } = call
  const page = parsePageRequest(query)
  const rows = await db.query<DeployedProcessRow & { total: number }>(sql`
    select q.*, (count(*) over ())::int as total from (
      select distinct on (p.tenant_id, p.key) p.id::text as id, p.tenant_id, p.name, p.key, p.category,
        p.process_version, p.suspension_state, p.create_time
      from flow_process p where p.tenant_id in (${db.tenantId}, ${COMMON_PROCESS_TENANT})
      order by p.tenant_id, p.key, p.process_version desc) q
    where q.suspension_state = ${PROCESS_SUSPENSION_STATE.active}
      and (${query.category || null}::text is null or q.category = ${query.category ?? ''})
      and (${query.mode || null}::text is null or (q.tenant_id = ${COMMON_PROCESS_TENANT}) = (${query.mode ?? ''} =
        '1'))
      and (${query.name || null}::text is null or ${containsTextSql(sql`q.name`, query.name ?? '')})
    order by q.create_time desc, q.id desc limit ${page.size} offset ${(page.current - 1) * page.size}`)
  await call.services.labels.ready(db.tenantId)
  return pageEnvelope(
    rows.map((row) => deployedProcessToWire(call, row)),
    rows[0]?.total ?? 0,
    page,
  )
}

const list = (name: string, zh: string, en: string, handle: (call: Call) => Promise<unknown>): Route =>
  defineRoute({ method: 'GET', path: `${base}/${name}`, title: { zh, en }, can: own, handle })

const handOver = (name: string, zh: string, en: string, what: 'transfer' | 'lend'): Route =>
  defineRoute({
    method: 'POST',
    path: `${base}/${name}`,
    title: { zh, en },
    can: own,
    input: { taskId, userId: person, comment },
    handle: async (call) => {
      const task = await taskOf(call, call.input.taskId)
      const people = [call.input.userId]
      const event = { do: what, task: task.key, who: flowActorOfCaller(call), to: call.input.userId } as const
      await act(call, task, event, { act: what, people })
    },
  })

const handRoutes: Route[] = [
  handOver('transfer-task', '转办任务', 'Reassign task', 'transfer'),
  handOver('delegate-task', '委派任务', 'Delegate task', 'lend'),
  defineRoute({
    method: 'POST',
    path: `${base}/add-sign`,
    title: { zh: '加签', en: 'Add approver' },
    can: own,
    input: {
      taskId,
      userIds: people,
      place: f.text({ label: { zh: '位置', en: 'Position' }, required: true, max: 10 }),
      comment,
    },
    handle: async (call) => {
      const { place } = call.input
      if (place !== 'before' && place !== 'after') throw new Refused('bad_parameter', { name: 'place' })
      const task = await taskOf(call, call.input.taskId)
      const to = call.input.userIds
      await act(
        call,
        task,
        { do: 'addSign', task: task.key, who: flowActorOfCaller(call), to, place },
        {
          act: `addSign_${place}`,
          people: to,
        },
      )
    },
  }),
  defineRoute({
    method: 'POST',
    path: `${base}/add-signer`,
    title: { zh: '会签加人', en: 'Add multi-approver' },
    can: own,
    input: { taskId, userId: person, comment },
    handle: async (call) => {
      const task = await taskOf(call, call.input.taskId)
      const to = call.input.userId
      const event = { do: 'addSigner', task: task.key, who: flowActorOfCaller(call), to } as const
      await act(call, task, event, { act: 'addSigner', people: [to] })
    },
  }),
  defineRoute({
    method: 'POST',
    path: `${base}/drop-signer`,
    title: { zh: '减签', en: 'Remove approver' },
    can: own,
    input: { taskId, comment },
    handle: async (call) => {
      const task = await taskOf(call, call.input.taskId)
      await act(call, task, { do: 'dropSigner', task: task.key, who: flowActorOfCaller(call) }, { act: 'dropSigner' })
    },
  }),
  defineRoute({
    method: 'POST',
    path: `${base}/return-task`,
    title: { zh: '退回任务', en: 'Return task' },
    can: own,
    input: { taskId, node: f.text({ label: { zh: '退回到', en: 'Return to' }, required: true, max: 200 }), comment },
    handle: async (call) => {
      const task = await taskOf(call, call.input.taskId)
      const back = (await findReturnTargets(call, task)).find((one) => one.node === call.input.node)
      if (!back) throw new Refused('flow_no_return')
      finish(call, call.input.taskId, false)
      const event = { do: 'return', task: task.key, who: flowActorOfCaller(call), node: back.node } as const
      await act(call, task, event, { act: 'return' })
    },
  }),
]

/** Returns the earlier tasks a task can be returned to: those people completed on the way to it. */
export async function findReturnTargets(
  { db }: Call,
  { key, instance, process }: Pick<Task, 'key' | 'instance'> & { process: Pick<RunnableProcess, 'graph'> },
): Promise<{ node: string; name: string }[]> {
  const at = openTask({ key, instance })?.node
  if (!at) return []
  const graph = graphOfProcess(process)
  const done = await db.query<{ node: string; name: string }>(sql`select node, max(name) as name from flow_task
    where tenant_id = ${db.tenantId} and instance_id = ${instance.id} and state = 'done' group by node
    order by min(end_time)`)
  return done.filter(({ node }) => graph.nodes[node] && canReturnToNode(graph, graph.nodes[node], at))
}

const withdrawRoutes: Route[] = [
  defineRoute({
    method: 'POST',
    path: `${base}/withdraw`,
    title: { zh: '撤回流程', en: 'Withdraw process' },
    can: own,
    input: { processInstanceId: instanceId, comment },
    handle: async (call) => {
      const row = await requireVisibleInstance(call, call.input.processInstanceId)
      if (row.startUserId !== call.caller.userId) throw new Refused('flow_not_started_by_you')
      const ground = createFlowContext(call)
      await advanceInstance(ground, row.id, { do: 'stop' }, () => PROCESS_OUTCOME.withdrawn)
      await recordTaskAction(ground, row.id, {
        act: 'withdraw',
        by: call.caller.userId,
        comment: call.input.comment ?? '',
      })
    },
  }),
  defineRoute({
    method: 'POST',
    path: `${base}/urge`,
    title: { zh: '催办', en: 'Send reminder' },
    can: own,
    input: { processInstanceId: instanceId, comment },
    handle: urge,
  }),
  defineRoute({
    method: 'POST',
    path: `${base}/copy`,
    title: { zh: '抄送', en: 'CC' },
    can: own,
    input: { processInstanceId: instanceId, userIds: people, comment },
    handle: async (call) => {
      const { input, caller } = call
      const row = await requireVisibleInstance(call, input.processInstanceId)
      const ground = createFlowContext(call)
      const comment = input.comment ?? ''
      await copyProcessToUsers(ground, row, input.userIds, { by: caller.userId, name: caller.name, comment })
      await recordTaskAction(ground, row.id, {
        act: 'copy',
        by: caller.userId,
        people: input.userIds,
        comment,
      })
    },
  }),
]

/** Reminds the assignees of an instance's open tasks; at most once an hour per task. */
async function urge(call: Call<{ processInstanceId: string; comment: string | null }>): Promise<void> {
  const { db, input, caller, services } = call
  const row = await requireVisibleInstance(call, input.processInstanceId)
  await lockRunningInstance(db, row.id)
  const now = services.now()
  const fresh = await db.query<{ key: string; name: string }>(sql`update flow_task
    set urge_time = ${now.toISOString()} where tenant_id = ${db.tenantId} and instance_id = ${row.id}
      and state = 'open' and (urge_time is null or urge_time <= ${new Date(now.getTime() - HOUR_MS).toISOString()})
    returning key, name`)
  if (!fresh.length) throw new Refused('flow_urged_lately')
  const ground = createFlowContext(call)
  for (const { key, name } of fresh) {
    const task = requireProcessState(row).tasks.find((one) => one.id === key)
    if (task) await remindAssignees(ground, row, task, name)
  }
  await recordTaskAction(ground, row.id, { act: 'urge', by: caller.userId, comment: input.comment ?? '' })
}

const HOUR_MS = 3_600_000

export const processTaskRoutes: Route[] = [
  ...handRoutes,
  ...withdrawRoutes,
  list('copy-list', '抄送事务', "List CC'd processes", listCopiedProcesses),
  defineRoute({
    method: 'POST',
    path: `${base}/start-process`,
    title: { zh: '发起流程', en: 'Start process' },
    can: own,
    input: {
      processDefinitionId: f.ref('', { label: flowProcess.label, required: true }),
      variables: f.json({ label: { zh: '表单内容', en: 'Form content' } }),
    },
    handle: startProcess,
  }),
  list('start-list', '可发起的流程', 'Processes that can be started', startList),
  list('claim-list', '待签事务', 'List unclaimed tasks', listClaimableTasks),
  list('todo-list', '待办事务', 'List open tasks', listOpenTasks),
  list('send-list', '已发事务', 'List started processes', listStartedProcesses),
  list('done-list', '办结事务', 'List completed tasks', listDoneTasks),
  defineRoute({
    method: 'POST',
    path: `${base}/claim-task`,
    title: { zh: '签收任务', en: 'Claim task' },
    can: own,
    input: { taskId },
    handle: claim,
  }),
  defineRoute({
    method: 'POST',
    path: `${base}/complete-task`,
    title: { zh: '办理任务', en: 'Complete task' },
    can: own,
    input: {
      taskId,
      comment: f.text({ label: { zh: '批复意见', en: 'Comment' }, max: 500 }),
      flag: f.text({ label: { zh: '结论', en: 'Conclusion' }, max: 20 }),
      variables: f.json({ label: { zh: '变量', en: 'Variables' } }),
    },
    handle: complete,
  }),
]
