import './refusals.ts'
import type { MenuPage } from '#kit/resource/dictionary.ts'
import { defineModule, defineTodo } from '#kit/server/module/module.ts'
import { diagramRoutes } from './diagram.server.ts'
import { deploymentRoutes, flowInstanceServer, flowModelServer, flowProcessServer } from './flow-process.server.ts'
import { olderClientLabel } from './flow-fields.ts'
import { suspensionStateDictionary } from './flow-process.resource.ts'
import { leaveRoutes, processLeaveServer } from './leave.server.ts'
import { createApprovalGate } from './approval-gate.ts'
import { changeRequestRoutes, flowChangeServer, flowRuleServer } from './change.server.ts'
import { flowChange, changeRequestStateDictionary } from './flow-change.resource.ts'
import { approvalModeDictionary } from './flow-rule.resource.ts'
import { changeRequestEndListener, executeChangeRequestJob, UNAPPLIED_CHANGE_STATES } from './run-change.ts'
import { approvalGateSlot } from '#kit/server/request/approval-gate.ts'
import { flowAwayServer } from './flow-away.server.ts'
import { processOutcomeDictionary } from './flow-instance.resource.ts'
import { flowTask, flowTaskStateDictionary } from './flow-task.resource.ts'
import { flowTaskServer } from './flow-task.server.ts'
import { reassignTasksToDeputyJob, processEndListenersSlot, fireProcessTimerJob } from './process-runtime.ts'
import { flowActTable, changeRequestCallTable, flowCopyTable, flowHistoryTable } from './tables.ts'
import { processDetailRoutes } from './work-detail.server.ts'
import { processTaskRoutes } from './work.server.ts'

const page = (
  name: string,
  zh: string,
  en: string,
  icon: MenuPage['icon'],
  sort: number,
  permissions?: MenuPage['permissions'],
): MenuPage => ({
  ...(permissions && { permissions }),
  code: `work_${name}`,
  under: 'work',
  label: { zh, en },
  path: `/work/${name}`,
  icon,
  sort,
})

const detail = olderClientLabel('详情', 'Details')
const track = olderClientLabel('跟踪', 'Track')

/**
 * Pages of a user's own tasks and processes. The menu entries only show them; the routes check what is the caller's.
 */
const workPages = [
  page('start', '发起流程', 'Start process', 'plus-circle', 1, {
    flow: olderClientLabel('发起', 'Start'),
    image: olderClientLabel('流程图', 'Diagram'),
  }),
  page('claim', '待签收', 'Unclaimed tasks', 'solution', 2, {
    sign: olderClientLabel('签收', 'Claim'),
    detail,
    follow: track,
  }),
  page('send', '我发起的', 'Started by me', 'export', 4, { detail, follow: track }),
  page('done', '已办', 'Completed tasks', 'check-circle', 5, { detail, follow: track }),
  page('copy', '抄送我的', "CC'd to me", 'mail', 6),
]

/** Days a request that was not executed stays among the requester's tasks on the home page. */
const SHOWN_DAYS = 7

export default defineModule({
  name: 'platform/workflow',
  label: { zh: '流程', en: 'Workflow' },
  resources: [
    flowModelServer,
    flowProcessServer,
    flowInstanceServer,
    flowTaskServer,
    flowAwayServer,
    flowRuleServer,
    flowChangeServer,
    processLeaveServer,
  ],
  tables: [flowHistoryTable, flowActTable, flowCopyTable, changeRequestCallTable],
  routes: [
    ...processTaskRoutes,
    ...processDetailRoutes,
    ...changeRequestRoutes,
    ...deploymentRoutes,
    ...diagramRoutes,
    ...leaveRoutes,
  ],
  jobs: [fireProcessTimerJob, reassignTasksToDeputyJob, executeChangeRequestJob],
  dictionaries: [
    suspensionStateDictionary,
    processOutcomeDictionary,
    flowTaskStateDictionary,
    approvalModeDictionary,
    changeRequestStateDictionary,
  ],
  todos: [
    defineTodo(flowTask, {
      key: 'tasksToSign',
      label: { zh: '流程待办', en: 'Workflow tasks' },
      icon: 'carry-out',
      tone: 'warn',
      sort: 5,
      own: ['mine'],
      query: () => ({ mine: 'todo' }),
      line: {
        title: 'name',
        notes: ['instanceId', 'dueTime'],
        time: 'createTime',
        to: (row) => `/work/process/handle/${String(row.id)}/${String(row.instanceId)}`,
      },
    }),
    defineTodo(flowTask, {
      key: 'tasksToClaim',
      label: { zh: '流程待签', en: 'Unclaimed workflow tasks' },
      icon: 'solution',
      tone: 'warn',
      sort: 6,
      own: ['mine'],
      query: () => ({ mine: 'claim' }),
      line: {
        title: 'name',
        notes: ['instanceId'],
        time: 'createTime',
        to: (row) => `/work/process/handle/${String(row.id)}/${String(row.instanceId)}`,
      },
    }),
    defineTodo(flowChange, {
      key: 'changesNotDone',
      label: { zh: '已同意但未执行的变更', en: 'Approved changes not applied' },
      icon: 'audit',
      tone: 'warn',
      sort: 7,
      own: ['mine'],
      query: ({ daysAgo }) => ({
        mine: 'answered',
        state_in: UNAPPLIED_CHANGE_STATES.join(','),
        createTime_dategt: daysAgo(SHOWN_DAYS),
      }),
      line: {
        title: 'title',
        notes: ['state', 'outcome'],
        time: 'endTime',
        to: (row) => `/work/process/detail/${String(row.instanceId)}`,
      },
    }),
  ],
  menus: [
    { code: 'work', label: { zh: '我的流程', en: 'My tasks' }, path: '/work', icon: 'carry-out', sort: 2 },
    ...workPages,
    { code: 'flow', label: { zh: '流程管理', en: 'Workflow' }, path: '/flow', icon: 'apartment', sort: 5 },
    {
      code: 'flow_deploy',
      under: 'flow',
      label: olderClientLabel('上传部署', 'Deploy file'),
      path: '/flow/deploy',
      icon: 'cloud-upload',
      sort: 2,
      elsewhere: true,
    },
  ],
  start: async (services) => {
    services.slots.fill(approvalGateSlot, createApprovalGate(services))
    services.slots.add(processEndListenersSlot, flowChange.table, changeRequestEndListener)
  },
})
