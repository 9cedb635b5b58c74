import { findUserNames } from '#domains/platform/identity/api.ts'
import { f } from '#kit/resource/index.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { defineRoute, serve, type Call, type Route } from '#kit/server/module/module.ts'
import { rejectManualCreate } from '#kit/server/resource/read-only-fields.ts'
import { parseShanghaiTime, formatShanghaiTime } from '#kit/server/base/time.ts'
import { requireVisibleInstance } from './diagram.server.ts'
import { createFlowContext } from './flow-process.server.ts'
import { processLeave } from './leave.resource.ts'
import { startProcessInstance } from './process-runtime.ts'
import { flowActorOfCaller } from './work.server.ts'

/** Path of the leave routes (wire contract §20.3). */
const base = '/api/blade-desk/process/leave'
const DAY_MS = 86_400_000
const own = { signedIn: 'everybody may ask for leave, and sees what they have to do with' } as const

export const processLeaveServer = serve(processLeave, {
  without: ['list', 'detail', 'submit', 'remove'],
  beforeSave: (_draft, was) => rejectManualCreate(processLeave, was),
})

type LeaveRequest = {
  processDefinitionId: string
  taskUser: string
  startTime: string
  endTime: string
  reason: string
}

/**
 * Stores a leave request and starts its process in one transaction; the variable `days` is whole days (wire contract
 * §20.3).
 */
async function startLeave(call: Call<LeaveRequest>): Promise<{ id: string; processInstanceId: string }> {
  const { db, caller, input, services } = call
  const length = parseShanghaiTime(input.endTime).getTime() - parseShanghaiTime(input.startTime).getTime()
  if (length <= 0) throw new Refused('flow_leave_times', {}, { field: 'endTime' })
  const now = services.now()
  const row = await db.insert(processLeave, { ...input, applyUser: caller.userId, applyTime: formatShanghaiTime(now) })
  const processInstanceId = await startProcessInstance(createFlowContext(call), input.processDefinitionId, {
    who: flowActorOfCaller(call),
    variables: { createUser: caller.name, taskUser: input.taskUser, days: Math.floor(length / DAY_MS) },
    business: { table: processLeave.table, id: row.id },
  })
  db.waitUntil(db.update(processLeave, row.id, { processInstanceId }))
  return { id: row.id, processInstanceId }
}

async function leaveDetail(call: Call<{ businessId: string }>) {
  const { db, input } = call
  const row = await db.get(processLeave, input.businessId)
  if (!row) throw new Refused('not_found', { label: processLeave.label })
  await requireVisibleInstance(call, row.processInstanceId!)
  const names = await findUserNames(db, [row.applyUser!, row.taskUser!])
  const { id, processDefinitionId, processInstanceId, startTime, endTime, reason, taskUser, applyUser, applyTime } = row
  return {
    id,
    processDefinitionId,
    processInstanceId,
    startTime,
    endTime,
    reason,
    taskUser,
    applyUser,
    applyTime,
    taskUserName: names.get(taskUser!) ?? '',
    flow: { assignee: applyUser, assigneeName: names.get(applyUser!) ?? '' },
  }
}

const { reason, startTime, endTime } = processLeave.fields
const given = { required: true as const }

export const leaveRoutes: Route[] = [
  defineRoute({
    method: 'POST',
    path: `${base}/start-process`,
    title: { zh: '发起请假', en: 'Request leave' },
    can: own,
    input: {
      processDefinitionId: f.ref('', { label: { zh: '流程', en: 'Workflow' }, ...given }),
      taskUser: f.ref('', { label: processLeave.fields.taskUser.label, ...given }),
      startTime,
      endTime,
      reason,
    },
    handle: startLeave,
  }),
  defineRoute({
    method: 'GET',
    path: `${base}/detail`,
    title: { zh: '请假详情', en: 'Leave details' },
    can: own,
    input: { businessId: f.ref('', { label: processLeave.label, ...given }) },
    handle: leaveDetail,
  }),
]
