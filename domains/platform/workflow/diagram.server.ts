import { findUserNames } from '#domains/platform/identity/api.ts'
import { f, type RowOf, type LocalizedText } from '#kit/resource/index.ts'
import { hasPermission } from '#kit/server/base/caller.ts'
import { sql } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { defineRoute, type Call, type HttpReply, type Route } from '#kit/server/module/module.ts'
import { recordTaskAction } from './acts.ts'
import { flowInstance, PROCESS_OUTCOME } from './flow-instance.resource.ts'
import { flowProcess, PROCESS_SUSPENSION_STATE } from './flow-process.resource.ts'
import { createFlowContext } from './flow-process.server.ts'
import { bpmnElementByNodeType } from './graph.ts'
import { addMissingDiagram } from './lay-out.ts'
import { drawProcessSvg, type ProcessElementProgress } from './picture.ts'
import { graphOfProcess, advanceInstance, requireProcessState } from './process-runtime.ts'

const own = { signedIn: 'who started it, is asked or signed may look; others with the right to follow' } as const

type Passed = {
  node: string
  name: string
  element: string
  createTime: string
  endTime: string | null
  assignee: string | null
  comment: string | null
  isPassed: boolean | null
  millis: number | null
}

/**
 * Returns an instance the caller may see: who started it, has or had a task in it, got a copy, or may follow all.
 * Refuses others.
 */
export async function requireVisibleInstance({ db, caller }: Call, id: string): Promise<RowOf<typeof flowInstance>> {
  const row = await db.get(flowInstance, id)
  const isTheirs =
    row &&
    (row.startUserId === caller.userId ||
      hasPermission(caller, flowInstance.code) ||
      (await db.one(sql`select 1 from flow_task where tenant_id = ${db.tenantId} and instance_id = ${id}
        and (assignee = ${caller.userId} or owner = ${caller.userId} or users && ${[caller.userId]}::text[]
          or groups && ${[...caller.roleAliases]}::text[]) limit 1`)) ||
      (await db.one(sql`select 1 from flow_copy where tenant_id = ${db.tenantId} and instance_id = ${id}
        and user_id = ${caller.userId} limit 1`)) ||
      (await db.one(sql`select 1 from flow_act where tenant_id = ${db.tenantId} and instance_id = ${id}
        and user_id = ${caller.userId} limit 1`)))
  if (!isTheirs) throw new Refused('not_found', { label: flowInstance.label })
  return row
}

const historyOf = ({ db }: Call, instanceId: string): Promise<Passed[]> =>
  db.query<Passed>(sql`select h.node, h.name, h.element, h.create_time, h.end_time, t.assignee::text as assignee,
    t.comment, t.is_passed, (extract(epoch from h.end_time - h.create_time) * 1000)::float8 as millis
    from flow_history h left join flow_task t
      on t.tenant_id = h.tenant_id and t.instance_id = h.instance_id and t.key = h.key
    where h.tenant_id = ${db.tenantId} and h.instance_id = ${instanceId} order by h.id`)

/**
 * Returns the diagram and the state of its elements: finished, running or ahead. Later entries of an element take
 * precedence.
 */
async function modelView(call: Call<{ processInstanceId: string | null; processDefinitionId: string | null }>) {
  const { db, input } = call
  const instance = input.processInstanceId ? await requireVisibleInstance(call, input.processInstanceId) : undefined
  const process = await db.get(flowProcess, instance?.processDefinitionId ?? input.processDefinitionId ?? '0')
  if (!process) throw new Refused('not_found', { label: flowProcess.label })
  const xml = addMissingDiagram(process.xml!, graphOfProcess(process))
  if (!instance) return { xml }
  const passed = await historyOf(call, instance.id)
  const seen = new Set(passed.map((one) => one.node))
  const unclaimed = new Set(requireProcessState(instance).tasks.flatMap((one) => (one.assignee ? [] : [one.node])))
  const notReached = Object.values(graphOfProcess(process).nodes).filter(
    (node) => !seen.has(node.id) && !instance.endTime,
  )
  return {
    xml,
    flow: [
      ...notReached.map((node) => ({ ...item(node.id, node.name, 'candidate'), endTime: '' })),
      ...passed.map((one) => ({
        ...item(one.node, one.name, !one.endTime && unclaimed.has(one.node) ? 'candidate' : one.element),
        createTime: one.createTime,
        endTime: one.endTime ?? '',
      })),
    ],
  }
}

type Drawn = { processInstanceId: string | null; processDefinitionId: string | null }

/** Headers that keep an SVG from running scripts or loading anything, wherever it is opened. */
const PICTURE = {
  'content-type': 'image/svg+xml; charset=utf-8',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'; sandbox",
  'x-content-type-options': 'nosniff',
  'cache-control': 'private, no-store',
}

/** Returns the diagram as SVG, for clients that show a picture; for an instance with its progress. */
async function picture(call: Call<Drawn>): Promise<HttpReply> {
  const { db, input } = call
  const instance = input.processInstanceId ? await requireVisibleInstance(call, input.processInstanceId) : undefined
  const process = await db.get(flowProcess, instance?.processDefinitionId ?? input.processDefinitionId ?? '0')
  if (!process) throw new Refused('not_found', { label: flowProcess.label })
  const progress = instance && progressOf(await historyOf(call, instance.id))
  return call.reply({ headers: PICTURE, body: drawProcessSvg(graphOfProcess(process), process.xml!, progress) })
}

const progressOf = (passed: readonly Passed[]): Map<string, ProcessElementProgress> =>
  new Map(passed.map(({ node, element, endTime }) => [node, element === LINE ? 'way' : endTime ? 'done' : 'now']))

const LINE = 'sequenceFlow'

const item = (historyActivityId: string, historyActivityName: string, historyActivityType: string) => ({
  historyActivityId,
  historyActivityName,
  historyActivityType,
})

const SHOWN_ELEMENTS: readonly string[] = [
  bpmnElementByNodeType.start,
  bpmnElementByNodeType.user,
  bpmnElementByNodeType.end,
]
const UNITS = [
  [86_400_000, '天', 'd'],
  [3_600_000, '小时', 'h'],
  [60_000, '分', 'min'],
  [1000, '秒', 's'],
] as const

/** Formats a duration in its two largest units ("2天3小时"). */
function lengthText(millis: number, lang: 'zh' | 'en'): string {
  let left = millis
  const parts = UNITS.flatMap(([size, zh, en]) => {
    const count = Math.floor(left / size)
    left -= count * size
    return count ? [lang === 'zh' ? `${count}${zh}` : `${count} ${en}`] : []
  })
  return parts.slice(0, 2).join(lang === 'zh' ? '' : ' ')
}

async function historyList(call: Call<{ processInstanceId: string }>) {
  const instance = await requireVisibleInstance(call, call.input.processInstanceId)
  const passed = (await historyOf(call, instance.id)).filter((one) => SHOWN_ELEMENTS.includes(one.element))
  const starter = instance.startUserId!
  const names = await findUserNames(call.db, [starter, ...passed.flatMap((one) => one.assignee ?? [])])
  return passed.map((one) => {
    const assignee = one.element === bpmnElementByNodeType.start ? starter : (one.assignee ?? '')
    return {
      ...item(one.node, one.name, one.element),
      assignee,
      assigneeName: names.get(assignee) ?? '',
      createTime: one.createTime,
      endTime: one.endTime ?? '',
      historyActivityDurationTime: one.millis === null ? '' : lengthText(one.millis, call.lang),
      comment: one.comment ?? '',
      pass: one.isPassed ?? false,
      processInstanceId: instance.id,
      processIsFinished: instance.endTime ? 'finished' : 'unfinished',
    }
  })
}

/** Stops a running instance: drops its tasks and records the reason in its history. */
async function endInstance(call: Call<{ processInstanceId: string; deleteReason: string | null }>): Promise<void> {
  const { db, input, caller } = call
  const row = await db.get(flowInstance, input.processInstanceId, 'forUpdate')
  if (!row || row.endTime) throw new Refused('not_found', { label: flowInstance.label })
  if (row.suspensionState === PROCESS_SUSPENSION_STATE.suspended)
    await db.update(flowInstance, row.id, { suspensionState: PROCESS_SUSPENSION_STATE.active })
  const ground = createFlowContext(call)
  await advanceInstance(ground, row.id, { do: 'stop' }, () => PROCESS_OUTCOME.stopped)
  await recordTaskAction(ground, row.id, { act: 'stop', by: caller.userId, comment: input.deleteReason ?? '' })
}

const instanceId = f.ref('', { label: flowInstance.label, required: true })

/** Creates a route for a picture. Images and frames send no header, so the session cookie identifies the caller. */
const pictureRoute = (name: string, title: LocalizedText): Route =>
  defineRoute({
    method: 'GET',
    path: `/api/blade-flow/process/${name}`,
    title,
    can: own,
    tokenInCookie: true,
    input: {
      processInstanceId: f.ref('', { label: flowInstance.label }),
      processDefinitionId: f.ref('', { label: flowProcess.label }),
    },
    handle: picture,
  })

export const diagramRoutes: Route[] = [
  pictureRoute('diagram-view', { zh: '流程跟踪图', en: 'Process tracking diagram' }),
  pictureRoute('resource-view', { zh: '流程图图片', en: 'Process diagram image' }),
  defineRoute({
    method: 'GET',
    path: '/api/blade-flow/process/model-view',
    title: { zh: '流程图', en: 'Process diagram' },
    can: own,
    input: {
      processInstanceId: f.ref('', { label: flowInstance.label }),
      processDefinitionId: f.ref('', { label: flowProcess.label }),
    },
    handle: modelView,
  }),
  defineRoute({
    method: 'GET',
    path: '/api/blade-flow/process/history-flow-list',
    title: { zh: '流转历史', en: 'Process history' },
    can: own,
    input: { processInstanceId: instanceId },
    handle: historyList,
  }),
  defineRoute({
    method: 'POST',
    path: '/api/blade-flow/follow/delete-process-instance',
    title: { zh: '终止流程', en: 'Terminate process' },
    can: 'flow_follow_delete',
    input: {
      processInstanceId: instanceId,
      deleteReason: f.text({ label: { zh: '原因', en: 'Reason' }, max: 200 }),
    },
    handle: endInstance,
  }),
]
