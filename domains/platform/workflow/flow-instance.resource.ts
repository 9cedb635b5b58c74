import { defineDict, defineResource, f } from '#kit/resource/index.ts'
import { processCategoryField } from './flow-fields.ts'

/** Outcome of an instance. */
export const PROCESS_OUTCOME = { running: 0, agreed: 1, refused: 2, withdrawn: 3, stopped: 4 } as const

export const processOutcomeDictionary = defineDict({
  code: 'flow_outcome',
  label: { zh: '流程结果', en: 'Process result' },
  entries: [
    { key: '0', zh: '进行中', en: 'In progress', colour: 'processing' },
    { key: '1', zh: '已通过', en: 'Approved', colour: 'success' },
    { key: '2', zh: '已驳回', en: 'Rejected', colour: 'error' },
    { key: '3', zh: '已撤回', en: 'Withdrawn', colour: 'default' },
    { key: '4', zh: '已终止', en: 'Terminated', colour: 'warning' },
  ],
})

/** A process instance. Its state is one JSON value that only the engine (machine.ts) computes. */
export const flowInstance = defineResource({
  name: 'flowInstance',
  path: '/api/blade-flow/follow',
  code: 'flow_follow',
  label: { zh: '流程实例', en: 'Process instance' },
  tenancy: 'tenant',
  writer: 'system',
  history: false,
  menu: { under: 'flow', path: '/flow/follow', icon: 'eye', sort: 3 },
  title: 'name',
  fields: {
    name: f.text({ label: { zh: '流程名称', en: 'Process name' }, max: 200, form: 'read', search: 'like', width: 180 }),
    processDefinitionKey: f.text({
      label: { zh: '流程标识', en: 'Process key' },
      max: 200,
      form: 'read',
      search: 'eq',
      width: 140,
    }),
    processDefinitionId: f.ref('flowProcess', {
      label: { zh: '流程部署', en: 'Deployment' },
      form: 'read',
      onRemoval: 'keep',
    }),
    processVersion: f.number({ label: { zh: '流程版本', en: 'Process version' }, min: 1, form: 'read', width: 80 }),
    category: processCategoryField(),
    startUserId: f.ref('user', {
      label: { zh: '发起人', en: 'Initiator' },
      labelKey: 'startUser',
      form: 'read',
      search: 'eq',
      onRemoval: 'keep',
      width: 110,
    }),
    startTime: f.datetime({ label: { zh: '发起时间', en: 'Started' }, form: 'read', search: 'range', width: 160 }),
    endTime: f.datetime({ label: { zh: '结束时间', en: 'Ended' }, form: 'read', width: 160 }),
    outcome: f.dict('flow_outcome', {
      label: { zh: '结果', en: 'Outcome' },
      numeric: true,
      form: 'read',
      width: 90,
    }),
    suspensionState: f.dict('flow_state', {
      label: { zh: '状态', en: 'Status' },
      numeric: true,
      form: 'read',
      search: 'eq',
      width: 90,
    }),
    businessTable: f.text({ label: { zh: '业务', en: 'Business' }, max: 60, form: 'hidden' }),
    businessId: f.ref('', {
      label: { zh: '业务数据', en: 'Business data' },
      by: 'businessTable',
      resourceByValue: { process_leave: 'processLeave', flow_change: 'flowChange' },
      form: 'hidden',
      onRemoval: 'keep',
    }),
    stand: f.json({ label: { zh: '运行位置', en: 'Current step' }, form: 'hidden' }),
  },
  list: {
    columns: ['name', 'category', 'processVersion', 'suspensionState', 'startUserId', 'startTime'],
    sort: '-startTime',
  },
  indexes: [['startUserId', 'startTime'], ['processDefinitionId']],
  actions: {
    suspend: {
      on: 'row',
      label: { zh: '挂起', en: 'Suspend' },
      confirm: { zh: '挂起“{name}”？恢复前不能办理。', en: 'Suspend “{name}”? It cannot be processed until resumed.' },
      enabled: { suspensionState: { ne: 2 } },
    },
    resume: {
      on: 'row',
      label: { zh: '恢复', en: 'Resume' },
      enabled: { suspensionState: { eq: 2 } },
    },
    move: {
      on: 'row',
      label: { zh: '迁移版本', en: 'Migrate version' },
      bulk: true,
      input: {
        processId: f.ref('flowProcess', { label: { zh: '目标版本', en: 'Target version' }, required: true }),
      },
    },
  },
  permissions: { delete: { zh: '终止流程', en: 'Terminate process' } },
})
