import { defineDict, defineResource, f } from '#kit/resource/index.ts'

/** Where a change stands that others have to agree to. */
export const CHANGE = {
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

export const flowChangeState = defineDict({
  code: 'flow_change_state',
  label: { zh: '变更状态', en: 'State of a change' },
  entries: [
    { key: '0', zh: '待审批', en: 'Waits for consent', colour: 'processing' },
    { key: '1', zh: '已同意，待执行', en: 'Agreed, about to be done', colour: 'processing' },
    { key: '2', zh: '已执行', en: 'Done', colour: 'success' },
    { key: '3', zh: '已驳回', en: 'Refused', colour: 'error' },
    { key: '4', zh: '已撤回', en: 'Withdrawn', colour: 'default' },
    { key: '5', zh: '数据已变，未执行', en: 'Stale: the rows have moved, nothing was done', colour: 'warning' },
    { key: '6', zh: '执行时被拒绝', en: 'Refused when it was to be done', colour: 'error' },
    { key: '7', zh: '过期作废', en: 'Void: not agreed in time', colour: 'default' },
    { key: '8', zh: '执行中', en: 'Being done', colour: 'processing' },
    { key: '9', zh: '结果不明，请核对', en: 'Unknown: look whether it was done', colour: 'warning' },
  ],
})

/** An act that waits for others' consent, kept as the exact call it is and the rows it changes. */
export const flowChange = defineResource({
  name: 'flowChange',
  path: '/api/blade-flow/change',
  code: 'flow_change',
  label: { zh: '变更审批', en: 'Change to agree to' },
  tenancy: 'tenant',
  writer: 'system',
  history: false,
  menu: { under: 'flow', path: '/flow/change', icon: 'audit', sort: 5 },
  title: 'title',
  fields: {
    title: f.text({ label: { zh: '内容', en: 'What' }, max: 300, form: 'read', search: 'like', width: 240 }),
    titleEn: f.text({ label: { zh: '内容（英文）', en: 'What, in English' }, max: 300, form: 'hidden' }),
    path: f.text({ label: { zh: '操作', en: 'Act' }, max: 200, form: 'hidden' }),
    state: f.dict('flow_change_state', {
      label: { zh: '状态', en: 'State' },
      numeric: true,
      form: 'read',
      search: 'in',
      width: 130,
    }),
    userId: f.ref('user', {
      label: { zh: '提交人', en: 'Asked by' },
      form: 'read',
      search: 'eq',
      onRemoval: 'keep',
      width: 110,
    }),
    ruleId: f.ref('flowRule', { label: { zh: '规则', en: 'Rule' }, form: 'read', onRemoval: 'keep', width: 140 }),
    instanceId: f.ref('flowInstance', { label: { zh: '流程', en: 'Process' }, form: 'hidden', onRemoval: 'keep' }),
    expireTime: f.datetime({ label: { zh: '有效至', en: 'Good until' }, form: 'read', width: 160 }),
    endTime: f.datetime({ label: { zh: '完成时间', en: 'Ended' }, form: 'read', width: 160 }),
    outcome: f.text({ label: { zh: '说明', en: 'What became of it' }, max: 500, form: 'read', width: 200 }),
    outcomeEn: f.text({ label: { zh: '说明（英文）', en: 'What became of it, in English' }, max: 500, form: 'hidden' }),
    digest: f.text({ label: { zh: '摘要', en: 'Digest' }, max: 60, form: 'hidden' }),
  },
  list: { columns: ['title', 'state', 'userId', 'ruleId', 'createTime', 'endTime', 'outcome'], time: 'createTime' },
  indexes: [['userId', 'state', 'digest']],
})
