import { findUserNames } from '#domains/platform/identity/api.ts'
import { f, type RowOf } from '#kit/resource/index.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { defineRoute, type Call, type Route } from '#kit/server/module/module.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { requireVisibleInstance } from './diagram.server.ts'
import { presentChangeRequest } from './change.server.ts'
import { flowChange } from './flow-change.resource.ts'
import { processCategoryLabel } from './flow-fields.ts'
import { flowInstance } from './flow-instance.resource.ts'
import { flowProcess } from './flow-process.resource.ts'
import { findProcessForm, type ProcessForm } from './forms.ts'
import type { OpenTask } from './machine.ts'
import { graphOfProcess, requireProcessState } from './process-runtime.ts'
import { findReturnTargets, requireFlowTaskRow } from './work.server.ts'

type Act = { name: string; act: string; userId: string | null; people: string[]; comment: string; createTime: string }

const actsOf = ({ db }: Call, instanceId: string): Promise<Act[]> =>
  db.query<Act>(sql`select name, act, user_id::text as user_id, people::text[] as people, comment, create_time
    from flow_act where tenant_id = ${db.tenantId} and instance_id = ${instanceId} order by id`)

/** Returns the caller's task: its form and possible actions; undefined when it is not open. */
async function findRequestedTask(
  call: Call,
  taskId: string,
  instance: RowOf<typeof flowInstance>,
  process: RowOf<typeof flowProcess>,
) {
  const { db, caller } = call
  const row = await requireFlowTaskRow(call, taskId)
  const task =
    row.instanceId === instance.id ? requireProcessState(instance).tasks.find((one) => one.id === row.key) : undefined
  if (!task) return undefined
  const node = graphOfProcess(process).nodes[task.node]!
  const isMine = task.assignee === caller.userId
  const mayClaim =
    !task.assignee &&
    (task.users.includes(caller.userId) || task.groups.some((one) => caller.roleAliases.includes(one)))
  return {
    taskId,
    name: row.name,
    isMine,
    mayClaim,
    isLent: !!task.isLent,
    owner: (await findUserNames(db, task.owner ? [task.owner] : [])).get(task.owner ?? '') ?? '',
    isCountersign: !!node.many?.collection,
    form: (isMine || mayClaim) && !task.isLent ? findProcessForm(process.forms, node.form) : undefined,
    returns: isMine ? await findReturnTargets(call, { key: row.key, instance, process }) : [],
    added: await addedBy(db, instance, caller.userId),
  }
}

/** Returns signers the user added who have not signed yet and may be removed. */
async function addedBy(db: Db, instance: RowOf<typeof flowInstance>, userId: string) {
  const added = requireProcessState(instance).tasks.filter((one: OpenTask) => one.addedBy === userId)
  if (!added.length) return []
  const rows = await db.query<{ id: string; key: string }>(sql`select id::text as id, key from flow_task
    where tenant_id = ${db.tenantId} and instance_id = ${instance.id} and state = 'open'`)
  const names = await findUserNames(db, added.map((one) => one.assignee).filter(Boolean))
  return added.flatMap((one) => {
    const row = rows.find(({ key }) => key === one.id)
    return row ? [{ taskId: row.id, name: names.get(one.assignee) ?? '' }] : []
  })
}

/** Returns the filled-in forms of a process, in the order of its nodes. */
function filledForms(instance: RowOf<typeof flowInstance>, process: RowOf<typeof flowProcess>) {
  const graph = graphOfProcess(process)
  const keys = [graph.form, ...Object.values(graph.nodes).map((node) => node.form)]
  const forms = [...new Set(keys)].flatMap((key) => findProcessForm(process.forms, key) ?? [])
  const { variables } = requireProcessState(instance)
  return forms
    .filter((form) => form.fields.some(({ name }) => Object.hasOwn(variables, name)))
    .map((form: ProcessForm) => ({
      form,
      values: Object.fromEntries(form.fields.map(({ name }) => [name, variables[name] ?? null])),
    }))
}

/** Returns an instance for its page: its subject, history and the caller's task. */
async function detail(call: Call<{ processInstanceId: string; taskId: string | null }>) {
  const { db, input, caller, lang, services } = call
  const instance = await requireVisibleInstance(call, input.processInstanceId)
  const process = await db.get(flowProcess, instance.processDefinitionId!)
  if (!process) throw new Refused('not_found', { label: flowProcess.label })

  await services.labels.ready(db.tenantId)
  const acts = await actsOf(call, instance.id)
  const forms = filledForms(instance, process)

  const people = forms.flatMap(({ form, values }) =>
    form.fields.filter((one) => one.input === 'person').map((one) => String(values[one.name] ?? '')),
  )
  const ids = [instance.startUserId!, ...people, ...acts.flatMap((one) => [one.userId ?? '', ...one.people])]
  const names = await findUserNames(
    db,
    ids.filter((one) => /^\d+$/.test(one)),
  )

  await db.run(sql`update flow_copy set read_time = ${services.now().toISOString()} where tenant_id = ${db.tenantId}
    and instance_id = ${instance.id} and user_id = ${caller.userId} and read_time is null`)

  return {
    processInstanceId: instance.id,
    name: instance.name,
    category: instance.category,
    categoryName: processCategoryLabel(services.labels, db.tenantId, instance.category, lang),
    version: instance.processVersion,
    starter: names.get(instance.startUserId!) ?? '',
    startTime: instance.startTime,
    endTime: instance.endTime ?? '',
    outcome: instance.outcome ?? 0,
    suspensionState: instance.suspensionState,
    businessTable: instance.businessTable ?? '',
    businessId: instance.businessId ?? '',
    isStarter: instance.startUserId === caller.userId,
    forms,
    names: Object.fromEntries(names),
    change:
      instance.businessTable === flowChange.table ? await presentChangeRequest(call, instance.businessId!) : undefined,
    task: input.taskId ? await findRequestedTask(call, input.taskId, instance, process) : undefined,
    acts: acts.map((one) => ({
      ...one,
      userName: names.get(one.userId ?? '') ?? '',
      peopleNames: one.people.map((id) => names.get(id) ?? id),
    })),
  }
}

const own = { signedIn: 'who started it, is asked, signed or was told may look' } as const

export const processDetailRoutes: Route[] = [
  defineRoute({
    method: 'GET',
    path: '/api/blade-flow/work/detail',
    title: { zh: '流程详情', en: 'Process details' },
    can: own,
    input: {
      processInstanceId: f.ref('', { label: flowInstance.label, required: true }),
      taskId: f.ref('', { label: { zh: '任务', en: 'Task' } }),
    },
    handle: detail,
  }),
  defineRoute({
    method: 'GET',
    path: '/api/blade-flow/work/start-form',
    title: { zh: '申请表单', en: 'Request form' },
    can: own,
    input: { processDefinitionId: f.ref('', { label: flowProcess.label, required: true }) },
    handle: async ({ db, input }) => {
      const process = await db.get(flowProcess, input.processDefinitionId)
      if (!process) throw new Refused('not_found', { label: flowProcess.label })
      return { name: process.name, form: findProcessForm(process.forms, graphOfProcess(process).form) ?? null }
    },
  }),
]
