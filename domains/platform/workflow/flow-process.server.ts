import {
  f,
  localize,
  type RowOf,
  type LocalizedText,
  objectSchema,
  textSchema,
  rowIdSchema,
  integerSchema,
} from '#kit/resource/index.ts'
import { MANAGEMENT_TENANT } from '#kit/server/base/caller.ts'
import { empty, sql, type Db } from '#kit/server/database/db.ts'
import { rejectManualCreate } from '#kit/server/resource/read-only-fields.ts'
import { requireIdList, forEachTenantOfRows } from '#kit/server/resource/remove-of.ts'
import { sentencesOf } from '#kit/server/request/envelope.ts'
import { requireExistingTenant, publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import { Refused } from '#kit/server/base/refused.ts'
import {
  MessageResult,
  invalidFieldRefusal,
  defineRoute,
  serve,
  type Call,
  type Route,
} from '#kit/server/module/module.ts'
import { processCategoryLabel, isProcessCategory } from './flow-fields.ts'
import { flowInstance } from './flow-instance.resource.ts'
import { recordTaskAction } from './acts.ts'
import { findProcessFormFault } from './forms.ts'
import type { ProcessState } from './machine.ts'
import { flowModel } from './flow-model.resource.ts'
import { flowProcess, PROCESS_SUSPENSION_STATE } from './flow-process.resource.ts'
import type { ProcessGraph } from './graph.ts'
import { checkProcessAssignees } from './check-people.ts'
import { ProcessFaultCollector } from './faults.ts'
import { addMissingDiagram } from './lay-out.ts'
import { readBpmn, readBpmnWithIds } from './read-bpmn.ts'
import { decodeXmlText } from './xml-text.ts'
import {
  graphOfProcess,
  lockRunningInstance,
  resumeTimers,
  requireProcessState,
  type FlowContext,
} from './process-runtime.ts'

/** Tenant whose processes all tenants can use. */
export const COMMON_PROCESS_TENANT = MANAGEMENT_TENANT
const FILE_MAX = 1_000_000
const FILES_MAX = 10

export type DeployedProcessRow = {
  id: string
  tenantId: string
  name: string | null
  key: string | null
  category: string | null
  processVersion: number | null
  suspensionState: number | null
  createTime: string
}

const deployedProcessAdditions = objectSchema(
  {
    categoryName: textSchema,
    deploymentId: rowIdSchema,
    resourceName: textSchema,
    diagramResourceName: textSchema,
    deploymentTime: textSchema,
  },
  // Left out with the category, where that is hidden from the reader.
  ['categoryName'],
)

/** Converts a deployed process to the protocol (wire contract §20.1, FlowProcess), where common ones have no tenant. */
export const deployedProcessToWire = (
  { db, lang, services }: Call,
  row: DeployedProcessRow,
): Record<string, unknown> => ({
  id: row.id,
  tenantId: row.tenantId === COMMON_PROCESS_TENANT ? '' : row.tenantId,
  name: row.name,
  key: row.key,
  category: row.category,
  categoryName: processCategoryLabel(services.labels, db.tenantId, row.category, lang),
  version: row.processVersion,
  deploymentId: row.id,
  resourceName: `${row.key}.bpmn20.xml`,
  diagramResourceName: '',
  suspensionState: row.suspensionState,
  deploymentTime: row.createTime,
})

/** SQL condition for the query's `mode`: 1 for processes common to all tenants, 2 for those of one. */
const modeOf = ({ query }: Call) =>
  query.mode
    ? query.mode === '1'
      ? sql` and r.tenant_id = ${COMMON_PROCESS_TENANT}`
      : sql` and r.tenant_id <> ${COMMON_PROCESS_TENANT}`
    : empty

export const flowModelServer = serve(flowModel, {
  beforeSave: (draft) => {
    if (draft.modelEditorXml) readBpmn(draft.modelEditorXml)
    const wrong = findProcessFormFault(draft.forms)
    if (wrong !== undefined) throw new Refused('flow_bad_form', { field: wrong })
  },
  adds: objectSchema({
    created: textSchema,
    createdBy: textSchema,
    lastUpdated: textSchema,
    lastUpdatedBy: textSchema,
    modelType: integerSchema,
  }),
  present: (wire, rows) => {
    for (const [at, row] of rows.entries())
      Object.assign(wire[at]!, {
        created: row.createTime,
        createdBy: row.createUser ?? '',
        lastUpdated: row.updateTime,
        lastUpdatedBy: row.updateUser ?? '',
        modelType: 0,
      })
  },
  actions: {
    deploy: async (row, { category }, call) => {
      return deployModel(call, row, { category: `flow_${category}`, tenantIds: null })
    },
  },
})

export const flowProcessServer = serve(flowProcess, {
  where: modeOf,
  beforeSave: (_draft, was) => rejectManualCreate(flowProcess, was),
  adds: deployedProcessAdditions,
  present: async (wire, rows, call) => {
    for (const [at, row] of rows.entries()) Object.assign(wire[at]!, deployedProcessToWire(call, row))
  },
})

export const flowInstanceServer = serve(flowInstance, {
  where: ({ query }) =>
    sql` and r.stand -> 'tokens' is distinct from '[]'::jsonb${
      query.processInstanceId ? sql` and r.id::text = ${query.processInstanceId}` : empty
    }${query.executionId ? sql` and r.id::text = ${query.executionId}` : empty}`,
  beforeSave: (_draft, was) => rejectManualCreate(flowInstance, was),
  adds: objectSchema(
    { executionId: rowIdSchema, processInstanceId: rowIdSchema, categoryName: textSchema },
    // Left out with the category, where that is hidden from the reader.
    ['categoryName'],
  ),
  present: (wire, rows, { db, lang, services }) => {
    for (const [at, row] of rows.entries())
      Object.assign(wire[at]!, {
        executionId: row.id,
        processInstanceId: row.id,
        categoryName: processCategoryLabel(services.labels, db.tenantId, row.category, lang),
      })
  },
  actions: {
    suspend: async (row, _input, call) => {
      await lockRunningInstance(call.db, row.id)
      await stand(call, row.id, PROCESS_SUSPENSION_STATE.suspended, 'suspend')
    },
    resume: async (row, _input, call) => {
      const instance = await call.db.get(flowInstance, row.id, 'forUpdate')
      if (!instance || instance.endTime) throw new Refused('flow_task_gone')
      await resumeTimers(createFlowContext(call), instance)
      await stand(call, row.id, PROCESS_SUSPENSION_STATE.active, 'resume')
    },
    move: async (row, { processId }, call) => {
      await moveTo(call, row, processId)
    },
  },
})

async function stand(call: Call, id: string, suspensionState: number, act: string): Promise<void> {
  await call.db.update(flowInstance, id, { suspensionState })
  await recordTaskAction(createFlowContext(call), id, { act, by: call.caller.userId })
}

/** Moves an instance to another version of its process. Refuses when that lacks an element the instance is at. */
async function moveTo(call: Call, row: RowOf<typeof flowInstance>, processId: string): Promise<void> {
  const { db } = call
  const instance = await db.get(flowInstance, row.id, 'forUpdate')
  if (!instance || instance.endTime) throw new Refused('flow_task_gone')
  const to = await db.get(flowProcess, processId)
  const from = await db.get(flowProcess, instance.processDefinitionId!)
  if (!to || !from) throw new Refused('not_found', { label: flowProcess.label })
  if (to.key !== from.key || to.tenantId !== from.tenantId) throw new Refused('flow_other_process')
  const was = graphOfProcess(from)
  const lost = elementLost(requireProcessState(instance), was, graphOfProcess(to))
  if (lost !== undefined)
    throw new Refused('flow_cannot_move', { name: instance.name, node: was.nodes[lost]?.name ?? lost })
  await db.update(flowInstance, row.id, { processDefinitionId: to.id, processVersion: to.processVersion })
  await recordTaskAction(createFlowContext(call), row.id, {
    act: 'move',
    by: call.caller.userId,
    comment: `v${from.processVersion} → v${to.processVersion}`,
  })
}

/**
 * Returns an element of the instance's current position that is missing or different in the next graph; undefined if
 * none.
 */
function elementLost(
  { tokens, timers, tasks }: ProcessState,
  was: ProcessGraph,
  next: ProcessGraph,
): string | undefined {
  const stands = [...tokens.map(({ at }) => at), ...timers.map(({ node }) => node)]
  const changed = stands.find(
    (id) => next.nodes[id]?.type !== was.nodes[id]?.type || !next.nodes[id]?.many !== !was.nodes[id]?.many,
  )
  if (changed !== undefined) return changed
  return tokens.find(
    ({ at, via, id }) => via && !next.nodes[at]!.ins.includes(via) && !tasks.some(({ token }) => token === id),
  )?.at
}

export const createFlowContext = ({ db, services }: Pick<Call, 'db' | 'services'>): FlowContext => ({
  db,
  services,
  now: services.now(),
})

/** A parsed process file, ready to be deployed any number of times. */
type Drawing = { graph: ProcessGraph; xml: string; forms: unknown }

function drawingOf({
  modelEditorXml,
  forms,
  name,
}: {
  modelEditorXml: string
  forms: unknown
  name?: string
}): Drawing {
  const { graph, xml } = readBpmnWithIds(modelEditorXml)
  // Uses the model's name when the diagram has none of its own.
  if (name && graph.name === graph.key) graph.name = name
  return { graph, xml: addMissingDiagram(xml, graph), forms }
}

/** Deploys a process in the transaction's tenant as the next version of its key. Returns warnings for who starts it. */
async function deploy(db: Db, { graph, xml, forms }: Drawing, category: string): Promise<LocalizedText[]> {
  const remarks = await checkProcessAssignees(db, graph)
  await db.advisoryLock(`flow/${graph.key}`)
  const last = await db.one<{ version: number }>(
    sql`select coalesce(max(process_version), 0)::int as version from flow_process
      where tenant_id = ${db.tenantId} and key = ${graph.key}`,
  )
  await db.insert(flowProcess, {
    name: graph.name,
    key: graph.key,
    category,
    processVersion: (last?.version ?? 0) + 1,
    suspensionState: PROCESS_SUSPENSION_STATE.active,
    xml,
    graph,
    forms,
  })
  return remarks
}

/** The input of every way to deploy. */
type Deployment = { category: string; tenantIds: string | null }

/** Returns the tenants to deploy to. Only the platform may name any; empty means the caller's own. */
async function checkDeployment({ caller, services }: Call, { category, tenantIds }: Deployment): Promise<string[]> {
  await services.labels.ready(caller.tenantId)
  if (!isProcessCategory(services.labels, caller.tenantId, category)) throw new Refused('flow_bad_category')
  const named = [...new Set((tenantIds ?? '').split(',').filter(Boolean))]
  if (!caller.isPlatform && named.some((id) => id !== caller.tenantId)) throw new Refused('platform_only')
  return caller.isPlatform ? named : []
}

async function deployAll(
  { db }: Call,
  drawings: readonly Drawing[],
  category: string,
  named: readonly string[],
): Promise<MessageResult<{ remarks: readonly LocalizedText[] }> | undefined> {
  const remarks: LocalizedText[] = []
  for (const drawing of drawings) {
    if (!named.length) remarks.push(...(await deploy(db, drawing, category)))
    for (const id of named) remarks.push(...(await deployElsewhere(db, drawing, category, id)))
  }
  return deployed(remarks)
}

async function deployElsewhere(db: Db, drawing: Drawing, category: string, id: string): Promise<LocalizedText[]> {
  const tenantId = await requireExistingTenant(db, id)
  const found = await db.acrossTenants('a process is deployed for tenants the platform names', (all) =>
    all.asTenant(tenantId, (own) => deploy(own, drawing, category)),
  )
  return found.map(({ zh, en }) => ({ zh: `${tenantId}：${zh}`, en: `${tenantId}: ${en}` }))
}

async function deployModel(call: Call, model: Parameters<typeof drawingOf>[0], deployment: Deployment) {
  const named = await checkDeployment(call, deployment)
  return deployAll(call, [drawingOf(model)], deployment.category, named)
}

/** Returns the warnings as the response's message, which clients show; undefined without any. */
const deployed = (
  remarks: readonly LocalizedText[],
): MessageResult<{ remarks: readonly LocalizedText[] }> | undefined =>
  remarks.length
    ? new MessageResult(
        {
          zh: `部署成功。请注意：${remarks.map(({ zh }) => zh).join('；')}`,
          en: `Deployed. Please note: ${remarks.map(({ en }) => en).join('; ')}`,
        },
        { remarks },
      )
    : undefined

/** Deploys several files, all or none; faults are reported with the file name. */
async function deployFiles(
  call: Call<Deployment>,
): Promise<MessageResult<{ remarks: readonly LocalizedText[] }> | undefined> {
  const { files = [], input } = call
  if (files.length < 2) return deployModel(call, { modelEditorXml: fileOf(call), forms: null }, input)
  const drawings = drawingsOf(files)
  return deployAll(call, drawings, input.category, await checkDeployment(call, input))
}

function drawingsOf(files: NonNullable<Call['files']>): Drawing[] {
  const faults = new ProcessFaultCollector()
  const drawings = files.flatMap(({ name, bytes }) => {
    try {
      return [drawingOf({ modelEditorXml: decodeXmlText(bytes), forms: null })]
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      faults.add('flow_file_refused', { name: name.slice(0, 100), why: sentencesOf(error) })
      return []
    }
  })
  faults.refuse()
  return drawings
}

const label = (zh: string, en: string) => ({ label: { zh, en } })
const tenantIds = f.text({ ...label('租户', 'Tenants'), max: 2000 })
const category = f.text({ ...label('流程类型', 'Process category'), required: true, max: 40 })

const fileOf = ({ file }: Call): string => {
  if (!file) throw new Refused('flow_no_file')
  return decodeXmlText(file.bytes)
}

/**
 * Returns a process of the transaction's tenant. Refuses processes common to all tenants, which only the platform
 * changes.
 */
async function ownProcess(db: Db, id: string) {
  const row = (await db.get(flowProcess, id, 'forUpdate')) ?? (await db.get(flowProcess, id))
  if (!row) throw new Refused('not_found', { label: flowProcess.label })
  if (row.tenantId !== db.tenantId) throw new Refused('common_to_all', { label: flowProcess.label })
  return row
}

/** States by their name in the protocol, with the message shown when one is reached. */
const STATES: Record<string, { is: number; said: (id: string) => LocalizedText }> = {
  active: {
    is: PROCESS_SUSPENSION_STATE.active,
    said: (id) => ({ zh: `激活ID为 [${id}] 的流程成功`, en: `The process [${id}] is active` }),
  },
  suspend: {
    is: PROCESS_SUSPENSION_STATE.suspended,
    said: (id) => ({ zh: `挂起ID为 [${id}] 的流程成功`, en: `The process [${id}] is suspended` }),
  },
}

async function changeState(call: Call<{ processId: string; state: string }>): Promise<MessageResult> {
  const { processId, state } = call.input
  const wanted = Object.hasOwn(STATES, state) ? STATES[state] : undefined
  if (!wanted) throw invalidFieldRefusal(flowProcess, 'suspensionState', 'not_a_choice')
  await forEachTenantOfRows(call, flowProcess, [processId], async ([id], db) => {
    await ownProcess(db, id!)
    const row = await db.update(flowProcess, id!, { suspensionState: wanted.is })
    publishRowsChanged({ ...call, db }, flowProcess, [row])
  })
  return new MessageResult(wanted.said(processId))
}

async function removeDeployments(call: Call): Promise<void> {
  const given = call.query.deploymentIds ?? (call.body as { deploymentIds?: unknown } | undefined)?.deploymentIds
  await forEachTenantOfRows(call, flowProcess, requireIdList(flowProcess, given), (ids, db) =>
    removeFrom({ ...call, db }, [...ids].sort()),
  )
}

async function removeFrom(call: Call, ids: readonly string[]): Promise<void> {
  const { db } = call
  for (const id of ids) {
    const row = await ownProcess(db, id)
    const running = await db.acrossTenants('whether a common process still runs for any tenant', (all) =>
      all.one(sql`select 1 from flow_instance where process_definition_id = ${id}
        and end_time is null and tenant_id <> ${db.tenantId} limit 1`),
    )
    if (running) throw new Refused('flow_runs_elsewhere', { name: row.name })
    await removeInstances(db, id)
    await db.run(sql`delete from flow_process where tenant_id = ${db.tenantId} and id = ${id}`)
    publishRowsChanged(call, flowProcess, [row])
  }
}

/** Deletes the instances of a deployment in the transaction's tenant. */
async function removeInstances(db: Db, processId: string): Promise<void> {
  const of = sql`tenant_id = ${db.tenantId} and instance_id in (select id from flow_instance
    where tenant_id = ${db.tenantId} and process_definition_id = ${processId})`
  await db.run(sql`delete from flow_task where ${of}`)
  await db.run(sql`delete from flow_act where ${of}`)
  await db.run(sql`delete from flow_copy where ${of}`)
  await db.run(sql`delete from flow_history where ${of}`)
  await db.run(sql`delete from flow_instance where tenant_id = ${db.tenantId} and process_definition_id = ${processId}`)
}

export const deploymentRoutes: Route[] = [
  defineRoute({
    method: 'POST',
    path: '/api/blade-flow/model/deploy',
    title: { zh: '部署流程模型', en: 'Deploy a process model' },
    can: 'flow_model_deploy',
    input: { modelId: f.ref('flowModel', { label: flowModel.label, required: true }), category, tenantIds },
    handle: async (call) => {
      const row = await call.db.get(flowModel, call.input.modelId)
      if (!row) throw new Refused('not_found', { label: flowModel.label })
      return deployModel(call, row, call.input)
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/api/blade-flow/manager/change-state',
    title: { zh: '变更流程状态', en: 'Suspend or resume process' },
    can: 'flow_manager_state',
    input: {
      processId: f.ref('', { label: flowProcess.label, required: true }),
      state: f.text({ ...label('状态', 'Status'), required: true, max: 20 }),
    },
    handle: changeState,
  }),
  defineRoute({
    method: 'POST',
    path: '/api/blade-flow/manager/check-upload',
    title: { zh: '检查流程文件', en: 'Check process file' },
    can: 'flow_model_deploy',
    uploadMaxBytes: FILE_MAX,
    handle: async (call) => {
      const { graph } = readBpmnWithIds(fileOf(call))
      const remarks = await checkProcessAssignees(call.db, graph)
      return { name: graph.name, success: true, remarks: remarks.map((one) => localize(one, call.lang)) }
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/api/blade-flow/manager/deploy-upload',
    title: { zh: '上传部署流程', en: 'Deploy a process file' },
    can: 'flow_model_deploy',
    comesTo: () => ['/api/blade-flow/model/deploy'],
    uploadMaxBytes: FILE_MAX,
    input: { category, tenantIds },
    uploadMaxFiles: FILES_MAX,
    handle: deployFiles,
  }),
  defineRoute({
    method: 'POST',
    path: '/api/blade-flow/manager/delete-deployment',
    title: { zh: '删除流程部署', en: 'Delete deployments' },
    can: 'flow_manager_remove',
    handle: removeDeployments,
  }),
]
