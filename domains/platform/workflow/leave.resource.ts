import { defineResource, f } from '#kit/resource/index.ts'

/** A leave request with the process that decides on it. Its routes have a path of their own. */
export const processLeave = defineResource({
  name: 'processLeave',
  path: '/api/blade-flow/leave',
  label: { zh: '请假申请', en: 'Leave request' },
  tenancy: 'tenant',
  writer: 'system',
  history: false,
  title: 'reason',
  fields: {
    reason: f.text({ label: { zh: '请假理由', en: 'Leave reason' }, required: true, max: 500, form: 'read' }),
    startTime: f.datetime({ label: { zh: '开始时间', en: 'Start' }, required: true, form: 'read', search: 'range' }),
    endTime: f.datetime({ label: { zh: '结束时间', en: 'End' }, required: true, form: 'read' }),
    taskUser: f.ref('user', { label: { zh: '审批人', en: 'Approver' }, form: 'read', onRemoval: 'keep' }),
    applyUser: f.ref('user', { label: { zh: '申请人', en: 'Requester' }, form: 'read', onRemoval: 'keep' }),
    applyTime: f.datetime({ label: { zh: '申请时间', en: 'Requested' }, form: 'read' }),
    processDefinitionId: f.ref('flowProcess', {
      label: { zh: '流程部署', en: 'Deployment' },
      form: 'read',
      onRemoval: 'keep',
    }),
    processInstanceId: f.ref('flowInstance', {
      label: { zh: '流程实例', en: 'Process instance' },
      form: 'read',
      onRemoval: 'keep',
    }),
  },
  list: { columns: ['reason', 'startTime', 'endTime', 'createTime'], time: 'startTime' },
})
