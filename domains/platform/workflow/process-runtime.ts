import { sql, awaitBatch, type Db, type Sql } from '#kit/server/database/db.ts'
import { newId } from '#kit/server/database/snowflake.ts'
import { MANAGEMENT_TENANT } from '#kit/server/base/caller.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { defineQueue } from '#kit/server/jobs/index.ts'
import { defineModuleJob } from '#kit/server/module/module.ts'
import type { Services } from '#kit/server/module/services.ts'
import { defineSlot } from '#kit/server/base/slots.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import type { RowOf } from '#kit/resource/index.ts'
import type { ExpressionValue } from './expression.ts'
import { flowInstance, PROCESS_OUTCOME } from './flow-instance.resource.ts'
import { flowProcess, PROCESS_SUSPENSION_STATE } from './flow-process.resource.ts'
import { flowTask } from './flow-task.resource.ts'
import type { ProcessGraph } from './graph.ts'
import {
  isProcessEnded,
  computeNextProcessState,
  type FlowHistoryEntry,
  type Deputies,
  type FlowEvent,
  type OpenTask,
  type ProcessState,
  type FlowActor,
} from './machine.ts'
import { recordTaskAction, copyProcessToUsers } from './acts.ts'
import { existingUsers } from './check-people.ts'
import { notifyAssignees, notifyTaskDue, notifyInitiator } from './notify-participants.ts'
import { processTasksTopic } from './topics.ts'

const fireProcessTimerQueue = defineQueue<{ instanceId: string; timer: string }>('workflow.timer')

type Instance = RowOf<typeof flowInstance>
/** Context of a step: its transaction, services and time. */
export type FlowContext = { db: Db; services: Services; now: Date }
type Started = {
  who: FlowActor
  variables: Record<string, ExpressionValue>
  /** Name of the instance; by default the process name. */
  name?: string
  business?: { table: string; id: string }
}

/** Called when a process about a module's rows has ended, in the transaction of the last step. */
export type ProcessEndListener = (
  ground: FlowContext,
  end: { instance: Instance; outcome: number; businessId: string },
) => Promise<void>
/** Listeners by the table of the rows a process is about. */
export const processEndListenersSlot = defineSlot<Record<string, ProcessEndListener>>('processEndListeners')

/**
 * Starts a deployed process in the caller's transaction. Returns the instance id. Refuses an unknown or suspended
 * process.
 */
export async function startProcessInstance(ground: FlowContext, processId: string, started: Started): Promise<string> {
  const { db, now } = ground
  const [process, deputies] = await awaitBatch([processAt(db, sql`${processId}::bigint`), deputiesOf(db, now)])
  if (!process) throw new Refused('not_found', { label: flowProcess.label })
  if (process.suspensionState !== PROCESS_SUSPENSION_STATE.active)
    throw new Refused('flow_suspended', { name: process.name })
  return startOf(ground, process, deputies, started)
}

/** A process without its XML, which running it does not need and which is as large as the rest. */
export type RunnableProcess = Pick<
  RowOf<typeof flowProcess>,
  'id' | 'name' | 'key' | 'category' | 'processVersion' | 'suspensionState' | 'graph' | 'forms'
>

const processAt = (db: Db, id: Sql): Promise<RunnableProcess | undefined> =>
  db.one<RunnableProcess>(sql`select p.id::text as id, p.name, p.key, p.category, p.process_version, p.suspension_state,
    p.graph, p.forms from flow_process p
    where p.id = (${id}) and p.tenant_id in (${db.tenantId}, ${MANAGEMENT_TENANT})`)

async function startOf(
  ground: FlowContext,
  process: RunnableProcess,
  deputies: Deputies,
  { who, variables, name, business }: Started,
): Promise<string> {
  const { db, now } = ground
  const event: FlowEvent = { do: 'start', who, variables }
  const { state, deeds } = computeNextProcessState(graphOfProcess(process), undefined, event, now.getTime(), deputies)
  const row = await db.insert(flowInstance, {
    name: name ?? process.name,
    processDefinitionKey: process.key,
    processDefinitionId: process.id,
    processVersion: process.processVersion,
    category: process.category,
    startUserId: who.id,
    startTime: formatShanghaiTime(now),
    endTime: null,
    outcome: PROCESS_OUTCOME.running,
    suspensionState: PROCESS_SUSPENSION_STATE.active,
    businessTable: business?.table ?? null,
    businessId: business?.id ?? null,
    stand: state,
  })
  await saveStep(ground, row, undefined, { state, deeds })
  if (isProcessEnded(state)) await ended(ground, await db.update(flowInstance, row.id, over(ground, outcomeOf(state))))
  return row.id
}

/** Returns the deputies of everybody absent at this time. */
async function deputiesOf(db: Db, now: Date): Promise<Deputies> {
  const at = now.toISOString()
  const rows = await db.query<{ userId: string; deputyId: string }>(sql`select user_id::text as user_id,
    deputy_id::text as deputy_id from flow_away where tenant_id = ${db.tenantId} and is_deleted = 0
      and start_time <= ${at}::timestamptz and end_time > ${at}::timestamptz order by id`)
  return Object.fromEntries(rows.map((row) => [row.userId, row.deputyId]))
}

const outcomeOf = (state: ProcessState): number =>
  state.variables.pass === false ? PROCESS_OUTCOME.refused : PROCESS_OUTCOME.agreed

/** Input of a step: the locked instance, its process and the deputies. */
export type LockedInstance = { instance: Instance; process: RunnableProcess; deputies: Deputies }

/** Locks an instance and loads its process and deputies, in one batch; undefined when it does not exist. */
export async function lockInstance(
  { db, now }: Pick<FlowContext, 'db' | 'now'>,
  id: Sql,
): Promise<LockedInstance | undefined> {
  const of = sql`select i.process_definition_id from flow_instance i
    where i.tenant_id = ${db.tenantId} and i.id = (${id})`
  const [[instance], process, deputies] = await awaitBatch([
    db.find(flowInstance, sql`r.id = (${id})`, sql`for update`),
    processAt(db, of),
    deputiesOf(db, now),
  ])
  return instance && process && { instance, process, deputies }
}

/**
 * Makes one step of an instance in the caller's transaction: locks it, computes the next state and stores it. A second,
 * parallel step finds the state the first one left. Refuses an ended or suspended instance.
 *
 * @param of The instance locked in this transaction, or its id.
 */
export async function advanceInstance(
  ground: FlowContext,
  of: LockedInstance | string,
  event: FlowEvent,
  outcome: (state: ProcessState) => number = outcomeOf,
): Promise<ProcessState> {
  const { db, now } = ground
  const opened = typeof of === 'string' ? await lockInstance(ground, sql`${of}::bigint`) : of
  const instance = running(opened?.instance)
  const { process, deputies } = opened!
  const was = requireProcessState(instance)
  const { state, deeds } = computeNextProcessState(graphOfProcess(process), was, event, now.getTime(), deputies)
  const isOver = isProcessEnded(state)
  const updating = db.update(flowInstance, instance.id, { stand: state, ...(isOver && over(ground, outcome(state))) })
  db.waitUntil(updating)
  await saveStep(ground, instance, was, { state, deeds })
  if (isOver) await ended(ground, await updating)
  return state
}

/** Returns a running instance. Refuses an ended or suspended one. */
function running(row: Instance | undefined): Instance {
  if (!row || row.endTime) throw new Refused('flow_task_gone')
  if (row.suspensionState === PROCESS_SUSPENSION_STATE.suspended) throw new Refused('flow_instance_suspended')
  return row
}

/** Locks and returns a running instance. Refuses an ended or suspended one. */
export const lockRunningInstance = async (db: Db, instanceId: string): Promise<Instance> =>
  running(await db.get(flowInstance, instanceId, 'forUpdate'))

const over = ({ now }: FlowContext, outcome: number) => ({ endTime: formatShanghaiTime(now), outcome })

async function ended(ground: FlowContext, row: Instance): Promise<void> {
  const { db, services, now } = ground
  db.waitUntil(
    db.run(sql`update flow_history set end_time = ${now.toISOString()}
      where tenant_id = ${db.tenantId} and instance_id = ${row.id} and end_time is null`),
  )
  publishRowsChanged({ db }, flowInstance, [row])
  const outcome = row.outcome!
  const about = row.businessTable ? services.slots.find(processEndListenersSlot)?.[row.businessTable] : undefined
  if (about) await about(ground, { instance: row, outcome, businessId: row.businessId! })
  else await notifyInitiator(ground, row, outcome)
}

/** Returns the state of an instance. Refuses one without, such as a row inserted by hand. */
export function requireProcessState(row: Instance): ProcessState {
  if (!row.stand) throw new Refused('flow_without_state', { name: row.name })
  return row.stand as ProcessState
}
export const graphOfProcess = ({ graph }: Pick<RunnableProcess, 'graph'>): ProcessGraph => graph as ProcessGraph

type Next = { state: ProcessState; deeds: readonly FlowHistoryEntry[] }

async function saveStep(
  ground: FlowContext,
  instance: Instance,
  was: ProcessState | undefined,
  next: Next,
): Promise<void> {
  const { db, now } = ground
  insertHistory(db, instance.id, next.deeds, now)
  await keepTasks(ground, instance, was, next)
  const known = new Set(was?.timers.map((one) => one.id))
  for (const timer of next.state.timers.filter((one) => !known.has(one.id))) await later(db, instance.id, timer)
  for (const entry of next.deeds)
    if (entry.did === 'copy')
      await copyProcessToUsers(ground, instance, entry.users, { by: null, name: entry.name, comment: '' })
}

type Timed = { id: string; at: number }
const later = (db: Db, instanceId: string, { id, at }: Timed, again = ''): Promise<void> =>
  db.enqueue(
    fireProcessTimerQueue,
    { instanceId, timer: id },
    { key: `${instanceId}/${id}${again}`, runAt: new Date(at) },
  )

/** Schedules the timers of a resumed instance again; those due while it was suspended fire now. */
export async function resumeTimers({ db, now }: FlowContext, instance: Instance): Promise<void> {
  for (const timer of requireProcessState(instance).timers) await later(db, instance.id, timer, `/${now.getTime()}`)
}

function insertHistory(db: Db, instanceId: string, entries: readonly FlowHistoryEntry[], now: Date): void {
  const at = now.toISOString()
  const left = new Set(entries.flatMap((entry) => (entry.did === 'leave' ? [entry.key] : [])))
  const rows = entries.flatMap((entry) =>
    entry.did === 'enter' || entry.did === 'line'
      ? [
          {
            id: newId(),
            key: entry.key,
            node: entry.node,
            name: entry.name,
            element: entry.did === 'line' ? 'sequenceFlow' : entry.element,
            end_time: entry.did === 'line' || left.has(entry.key) ? at : null,
          },
        ]
      : [],
  )
  if (rows.length)
    db.waitUntil(
      db.run(sql`insert into flow_history (tenant_id, instance_id, id, key, node, name, element, create_time, end_time)
        select ${db.tenantId}, ${instanceId}, d.id, d.key, d.node, d.name, d.element, ${at}::timestamptz, d.end_time
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
          as d(id bigint, key text, node text, name text, element text, end_time timestamptz)`),
    )
  if (left.size)
    db.waitUntil(
      db.run(sql`update flow_history set end_time = ${at}::timestamptz where tenant_id = ${db.tenantId}
        and instance_id = ${instanceId} and key = any(${[...left]}) and end_time is null`),
    )
}

/** Returns the assignment of a task as one text; when it changes, the row is updated and people are notified again. */
const assignmentKey = ({ assignee, owner = '', users, groups, due = 0 }: OpenTask): string =>
  JSON.stringify([assignee, owner, users, groups, due])

async function keepTasks(
  ground: FlowContext,
  instance: Instance,
  was: ProcessState | undefined,
  next: Next,
): Promise<void> {
  const { db, now } = ground
  const at = now.toISOString()
  const { tasks } = next.state
  const known = new Map(was?.tasks.map((one) => [one.id, assignmentKey(one)]))
  const moved = tasks.filter((one) => known.get(one.id) !== assignmentKey(one))
  const nameOf = new Map(
    next.deeds.flatMap((entry) => (entry.did === 'enter' ? [[entry.key, entry.name] as const] : [])),
  )
  await requireUsers(
    db,
    moved.map((one) => ({ name: nameOf.get(one.id) ?? one.node, ids: [one.assignee, ...one.users].filter(Boolean) })),
  )
  const rows = moved.map((one) => ({
    id: newId(),
    key: one.id,
    node: one.node,
    name: nameOf.get(one.id) ?? '',
    assignee: one.assignee || null,
    owner: one.owner ?? null,
    users: one.users,
    groups: one.groups,
    due_time: one.due === undefined ? null : new Date(one.due).toISOString(),
  }))
  if (rows.length)
    db.waitUntil(
      db.run(sql`insert into flow_task as t (tenant_id, instance_id, id, key, node, name, state, assignee, owner,
        users, groups, due_time, create_time, update_time, create_user, update_user)
      select ${db.tenantId}, ${instance.id}, d.id, d.key, d.node, d.name, 'open', d.assignee, d.owner, d.users,
        d.groups, d.due_time, ${at}::timestamptz, ${at}::timestamptz, ${db.userId}, ${db.userId}
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as d(id bigint, key text, node text, name text,
        assignee bigint, owner bigint, users text[], groups text[], due_time timestamptz)
      on conflict (tenant_id, instance_id, key) do update set assignee = excluded.assignee, owner = excluded.owner,
        users = excluded.users, groups = excluded.groups, due_time = excluded.due_time,
        update_time = excluded.update_time`),
    )
  const open = tasks.map((one) => one.id)
  // Tasks no longer open that nobody signed are dropped.
  db.waitUntil(
    db.run(sql`update flow_task set state = 'dropped', end_time = ${at}::timestamptz
      where tenant_id = ${db.tenantId} and instance_id = ${instance.id} and state = 'open' and not key = any(${open})`),
  )
  db.publish(processTasksTopic, { instanceId: instance.id })
  await notifyAssignees(ground, instance, moved, nameOf)
  for (const entry of next.deeds)
    if (entry.did === 'due') {
      await recordTaskAction(ground, instance.id, {
        key: entry.key,
        name: entry.name,
        act: `due_${entry.what}`,
        by: null,
      })
      const task = tasks.find((one) => one.id === entry.key)
      if (task && entry.what === 'remind') await notifyTaskDue(ground, instance, task, entry.name)
    }
}

/** Refuses tasks for people who do not exist, which would wait for ever. */
async function requireUsers(db: Db, tasks: readonly { name: string; ids: readonly string[] }[]): Promise<void> {
  const existing = await existingUsers(db, [...new Set(tasks.flatMap((one) => one.ids))])
  const missing = tasks.find((one) => one.ids.some((id) => !existing.has(id)))
  if (missing) throw new Refused('flow_unknown_person', { node: missing.name })
}

/** Fires a timer. Does nothing when the instance has moved on, ended or is suspended. */
export const fireProcessTimerJob = defineModuleJob({
  queue: fireProcessTimerQueue,
  run: ({ instanceId, timer }, { tenantId, services }) =>
    services.unit({ tenantId }, async (db) => {
      const row = await db.get(flowInstance, instanceId, 'forUpdate')
      const isMute = !row || row.endTime || row.suspensionState === PROCESS_SUSPENSION_STATE.suspended
      if (isMute || !requireProcessState(row).timers.some((one) => one.id === timer)) return
      await advanceInstance({ db, services, now: services.now() }, instanceId, { do: 'timer', timer })
    }),
})

export const taskReassignmentQueue = defineQueue<{ awayId: string }>('workflow.away')

/** Hands the open tasks of a person over to their deputy when the absence begins. */
export const reassignTasksToDeputyJob = defineModuleJob({
  queue: taskReassignmentQueue,
  run: ({ awayId }, { tenantId, services }) =>
    services.unit({ tenantId }, async (db) => {
      const away = await db.one<{ userId: string; deputyId: string }>(sql`select user_id::text as user_id,
        deputy_id::text as deputy_id from flow_away where tenant_id = ${tenantId} and id = ${awayId}
          and is_deleted = 0 and hand_over and start_time <= ${services.now().toISOString()}::timestamptz
          and end_time > ${services.now().toISOString()}::timestamptz`)
      if (!away) return
      const open = await db.find(flowTask, sql`r.assignee = ${away.userId} and r.state = 'open'`, sql`order by r.id`)
      const ground = { db, services, now: services.now() }
      for (const task of open) {
        const instance = await db.get(flowInstance, task.instanceId!, 'forUpdate')
        const own =
          instance && !instance.endTime && requireProcessState(instance).tasks.find((one) => one.id === task.key)
        if (!own || own.assignee !== away.userId || instance.suspensionState === PROCESS_SUSPENSION_STATE.suspended)
          continue
        const who = { id: away.userId, groups: [] }
        await advanceInstance(ground, instance.id, { do: 'transfer', task: task.key!, who, to: away.deputyId })
        await db.run(sql`update flow_task set owner = ${away.userId} where tenant_id = ${tenantId} and id = ${task.id}`)
        await recordTaskAction(ground, instance.id, {
          key: task.key!,
          name: task.name!,
          act: 'standIn',
          by: away.userId,
          people: [away.deputyId],
        })
      }
    }),
})
