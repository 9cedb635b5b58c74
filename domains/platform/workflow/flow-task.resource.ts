import { defineDict, defineResource, f } from '#kit/resource/index.ts'
import { olderClientLabel } from './flow-fields.ts'

export const flowTaskStateDictionary = defineDict({
  code: 'flow_task_state',
  label: { zh: '任务状态', en: 'Task status' },
  entries: [
    { key: 'open', zh: '办理中', en: 'Open', colour: 'processing' },
    { key: 'done', zh: '已办理', en: 'Completed', colour: 'success' },
    { key: 'dropped', zh: '已取消', en: 'Canceled', colour: 'default' },
  ],
})

/**
 * A task for people; `key` is its id in the engine's state. A finished one stores who finished it, the comment and
 * whether it passed; a `dropped` one was no longer needed and nobody signed it.
 */
export const flowTask = defineResource({
  name: 'flowTask',
  path: '/api/blade-flow/task',
  code: 'work_todo',
  label: { zh: '待办', en: 'Open task', many: 'My open tasks' },
  tenancy: 'tenant',
  writer: 'system',
  history: false,
  menu: { under: 'work', path: '/work/todo', icon: 'carry-out', sort: 3 },
  title: 'name',
  permissions: {
    handle: olderClientLabel('处理', 'Process'),
    detail: olderClientLabel('详情', 'Details'),
    follow: olderClientLabel('跟踪', 'Track'),
  },
  fields: {
    name: f.text({ label: { zh: '任务', en: 'Task' }, max: 200, form: 'read', search: 'like', width: 160 }),
    instanceId: f.ref('flowInstance', {
      label: { zh: '流程', en: 'Workflow' },
      labelKey: 'instanceName',
      form: 'read',
      onRemoval: 'keep',
      width: 200,
    }),
    key: f.text({ label: { zh: '编号', en: 'ID' }, max: 20, form: 'hidden' }),
    node: f.text({ label: { zh: '节点', en: 'Step' }, max: 200, form: 'hidden' }),
    state: f.dict('flow_task_state', { label: { zh: '状态', en: 'Status' }, form: 'read', search: 'eq', width: 90 }),
    assignee: f.ref('user', {
      label: { zh: '办理人', en: 'Assignee' },
      form: 'read',
      search: 'eq',
      onRemoval: 'keep',
      width: 110,
    }),
    owner: f.ref('user', {
      label: { zh: '原办理人', en: 'Original assignee' },
      form: 'read',
      onRemoval: 'keep',
      width: 110,
    }),
    users: f.tags({ label: { zh: '候选人', en: 'Candidates' }, maxCount: 1000, form: 'hidden' }),
    groups: f.tags({ label: { zh: '候选角色', en: 'Candidate roles' }, maxCount: 1000, form: 'hidden' }),
    comment: f.text({ label: { zh: '批复意见', en: 'Comment' }, max: 500, form: 'read' }),
    isPassed: f.boolean({ label: { zh: '同意', en: 'Approved' }, form: 'read' }),
    dueTime: f.datetime({ label: { zh: '截止', en: 'Due' }, form: 'read', search: 'range', width: 160 }),
    claimTime: f.datetime({ label: { zh: '签收时间', en: 'Claimed' }, form: 'read' }),
    endTime: f.datetime({ label: { zh: '办理时间', en: 'Completed' }, form: 'read' }),
    urgeTime: f.datetime({ label: { zh: '催办时间', en: 'Last reminder' }, form: 'hidden' }),
  },
  list: { columns: ['name', 'instanceId', 'state', 'assignee', 'owner', 'dueTime', 'createTime'], time: 'createTime' },
  row: { sub: ['instanceId', 'owner'], late: 'dueTime' },
  unique: [['instanceId', 'key']],
  indexes: [
    ['assignee', 'state', 'endTime'],
    ['state', 'createTime'],
  ],
})
