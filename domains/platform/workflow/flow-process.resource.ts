import { defineDict, defineResource, f } from '#kit/resource/index.ts'
import { processCategoryField, olderClientLabel } from './flow-fields.ts'

/** Suspension states in the protocol. */
export const PROCESS_SUSPENSION_STATE = { active: 1, suspended: 2 } as const

export const suspensionStateDictionary = defineDict({
  code: 'flow_state',
  label: { zh: '流程状态', en: 'Process status' },
  entries: [
    { key: '1', zh: '激活', en: 'Active', colour: 'success' },
    { key: '2', zh: '挂起', en: 'Suspended', colour: 'warning' },
  ],
})

/** A deployed process: one version of a model, for one tenant or for all. */
export const flowProcess = defineResource({
  name: 'flowProcess',
  path: '/api/blade-flow/manager',
  code: 'flow_manager',
  label: { zh: '流程部署', en: 'Deployment' },
  tenancy: 'shared',
  writer: 'system',
  history: false,
  menu: { under: 'flow', path: '/flow/manager', icon: 'deployment-unit', sort: 2 },
  title: 'name',
  fields: {
    name: f.text({ label: { zh: '流程名称', en: 'Process name' }, max: 200, form: 'read', search: 'like', width: 180 }),
    key: f.text({ label: { zh: '流程标识', en: 'Process key' }, max: 200, form: 'read', search: 'like', width: 140 }),
    category: processCategoryField(),
    processVersion: f.number({ label: { zh: '流程版本', en: 'Process version' }, min: 1, form: 'read', width: 80 }),
    suspensionState: f.dict('flow_state', {
      label: { zh: '状态', en: 'Status' },
      numeric: true,
      form: 'read',
      search: 'eq',
      width: 90,
    }),
    xml: f.longText({ label: { zh: '流程图', en: 'Diagram' }, max: 1_000_000, form: 'hidden' }),
    graph: f.json({ label: { zh: '运行图', en: 'Running diagram' }, form: 'hidden' }),
    forms: f.json({ label: { zh: '表单', en: 'Forms' }, max: 100_000, form: 'hidden' }),
  },
  list: { columns: ['name', 'key', 'category', 'processVersion', 'suspensionState', 'createTime'], time: 'createTime' },
  unique: [['key', 'processVersion']],
  permissions: {
    state: { zh: '变更状态', en: 'Suspend or resume' },
    remove: { zh: '删除部署', en: 'Delete deployment' },
    image: olderClientLabel('流程图', 'Diagram'),
  },
})
