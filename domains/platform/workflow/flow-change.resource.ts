import { defineDict, defineResource, f } from '#kit/resource/index.ts'

/** States of a change request. */
export const CHANGE_REQUEST_STATE = {
  waiting: 0,
  agreed: 1,
  done: 2,
  refused: 3,
  withdrawn: 4,
  stale: 5,
  failed: 6,
  expired: 7,
  running: 8,
  unknown: 9,
} as const

export const changeRequestStateDictionary = defineDict({
  code: 'flow_change_state',
  label: { zh: '变更状态', en: 'Change request status' },
  entries: [
    { key: '0', zh: '待审批', en: 'Pending', colour: 'processing' },
    { key: '1', zh: '已同意，待执行', en: 'Approved, pending execution', colour: 'processing' },
    { key: '2', zh: '已执行', en: 'Completed', colour: 'success' },
    { key: '3', zh: '已驳回', en: 'Rejected', colour: 'error' },
    { key: '4', zh: '已撤回', en: 'Withdrawn', colour: 'default' },
    { key: '5', zh: '数据已变，未执行', en: 'Outdated, not applied', colour: 'warning' },
    { key: '6', zh: '执行时被拒绝', en: 'Rejected during execution', colour: 'error' },
    { key: '7', zh: '过期作废', en: 'Expired', colour: 'default' },
    { key: '8', zh: '执行中', en: 'Executing', colour: 'processing' },
    { key: '9', zh: '结果不明，请核对', en: 'Unknown result, check', colour: 'warning' },
  ],
})

/** A change request: an operation that waits for approval, stored as the exact call and the rows it changes. */
export const flowChange = defineResource({
  name: 'flowChange',
  path: '/api/blade-flow/change',
  code: 'flow_change',
  label: { zh: '变更审批', en: 'Change request' },
  tenancy: 'tenant',
  writer: 'system',
  history: false,
  menu: { under: 'flow', path: '/flow/change', icon: 'audit', sort: 5 },
  title: 'title',
  fields: {
    title: f.text({ label: { zh: '内容', en: 'Content' }, max: 300, form: 'read', search: 'like', width: 240 }),
    titleEn: f.text({ label: { zh: '内容（英文）', en: 'Description (English)' }, max: 300, form: 'hidden' }),
    path: f.text({ label: { zh: '操作', en: 'Action' }, max: 200, form: 'hidden' }),
    state: f.dict('flow_change_state', {
      label: { zh: '状态', en: 'Status' },
      numeric: true,
      form: 'read',
      search: 'in',
      width: 130,
    }),
    userId: f.ref('user', {
      label: { zh: '提交人', en: 'Requested by' },
      form: 'read',
      search: 'eq',
      onRemoval: 'keep',
      width: 110,
    }),
    ruleId: f.ref('flowRule', { label: { zh: '规则', en: 'Rule' }, form: 'read', onRemoval: 'keep', width: 140 }),
    instanceId: f.ref('flowInstance', { label: { zh: '流程', en: 'Workflow' }, form: 'hidden', onRemoval: 'keep' }),
    expireTime: f.datetime({ label: { zh: '有效至', en: 'Valid until' }, form: 'read', width: 160 }),
    endTime: f.datetime({ label: { zh: '完成时间', en: 'Completed' }, form: 'read', width: 160 }),
    outcome: f.text({ label: { zh: '说明', en: 'Message' }, max: 500, form: 'read', width: 200 }),
    outcomeEn: f.text({ label: { zh: '说明（英文）', en: 'Message (English)' }, max: 500, form: 'hidden' }),
    digest: f.text({ label: { zh: '摘要', en: 'Digest' }, max: 60, form: 'hidden' }),
  },
  list: { columns: ['title', 'state', 'userId', 'ruleId', 'createTime', 'endTime', 'outcome'], time: 'createTime' },
  indexes: [['userId', 'state', 'digest']],
})
