import { shopId } from '#domains/shops/index.ts'
import { defineDict, defineResource, f, enabled, remark, ownName } from '#kit/resource/index.ts'

export const aiDictionaries = [
  defineDict({
    code: 'ai_target',
    label: { zh: 'AI 任务对象', en: 'What a task looks at' },
    entries: [
      { key: 'camera', zh: '摄像头', en: 'Camera' },
      { key: 'shelf', zh: '货架', en: 'Shelf' },
      { key: 'order', zh: '订单', en: 'Order' },
      { key: 'visit', zh: '到店', en: 'Visit' },
      { key: 'report', zh: '报表', en: 'Report' },
    ],
  }),
  defineDict({
    code: 'ai_run_status',
    label: { zh: 'AI 运行状态', en: 'State of a run' },
    entries: [
      { key: 'queued', zh: '排队', en: 'Waiting', colour: 'default' },
      { key: 'running', zh: '运行中', en: 'Running', colour: 'processing' },
      { key: 'succeeded', zh: '成功', en: 'Done', colour: 'success' },
      { key: 'failed', zh: '失败', en: 'Failed', colour: 'error' },
      { key: 'stopped', zh: '已停止', en: 'Stopped', colour: 'warning' },
    ],
  }),
]

/** The family of what a task may look at, by kind. */
export const aiTargets = {
  camera: 'deviceInfo',
  shelf: 'goodInfo',
  order: 'shoppingOrder',
  visit: 'customerVisitLog',
  report: 'basicShopInfo',
} as const

/** Something an AI workflow shall do for a shop, when and about what. Running it comes with the workflow platform. */
export const aiTask = defineResource({
  name: 'aiTask',
  path: '/api/shop/aiTask',
  label: { zh: 'AI 任务', en: 'AI task' },
  tenancy: 'tenant',
  scope: { shop: 'shopId' },
  menu: { under: 'ai', path: '/ai/aiTask', icon: 'robot', sort: 10 },
  title: 'name',
  fields: {
    name: ownName({ required: true }),
    shopId: shopId({ required: true }),
    targetType: f.dict('ai_target', {
      label: { zh: '对象', en: 'Looks at' },
      required: true,
      search: 'eq',
      width: 100,
    }),
    targetIds: f.refs('', {
      label: { zh: '具体对象', en: 'Which of them' },
      by: 'targetType',
      among: aiTargets,
      labelKey: 'targetNames',
      help: {
        zh: '不选表示该门店全部；货架以其上的一种商品表示',
        en: 'None chosen: all of the shop; a shelf is named by goods that stand on it',
      },
    }),
    workflow: f.text({ label: { zh: '工作流', en: 'Workflow' }, required: true, max: 100, width: 140 }),
    cron: f.cron({
      label: { zh: '定时', en: 'Schedule' },
      width: 130,
      help: { zh: '不填只手动运行', en: 'Left empty, by hand only' },
    }),
    inputs: f.json({ label: { zh: '输入参数', en: 'Inputs' } }),
    enabled: enabled(),
    lastRunTime: f.datetime({ label: { zh: '最近运行', en: 'Last run' }, form: 'hidden', width: 160 }),
    lastStatus: f.dict('ai_run_status', { label: { zh: '最近结果', en: 'Last result' }, form: 'hidden', width: 100 }),
    remark: remark(),
  },
  list: {
    columns: ['name', 'shopId', 'targetType', 'enabled', 'lastStatus', 'workflow', 'cron', 'lastRunTime'],
    sort: '-createTime',
  },
  unique: [['shopId', 'name']],
})

/** One run of a task, as the workflow platform reported it. */
export const aiTaskLog = defineResource({
  name: 'aiTaskLog',
  path: '/api/shop/aiTaskLog',
  label: { zh: 'AI 任务记录', en: 'Run of an AI task' },
  tenancy: 'tenant',
  writer: 'system',
  forgets: 1,
  scope: { shop: 'shopId' },
  menu: { under: 'ai', path: '/ai/aiTaskLog', icon: 'history', sort: 20 },
  title: 'runId',
  fields: {
    taskId: f.ref('aiTask', {
      label: { zh: '任务', en: 'Task' },
      labelKey: 'taskName',
      form: 'read',
      search: 'eq',
      width: 160,
    }),
    shopId: shopId({ form: 'read' }),
    runId: f.text({ label: { zh: '运行编号', en: 'Run' }, max: 64, form: 'read', search: 'eq', width: 150 }),
    status: f.dict('ai_run_status', { label: { zh: '状态', en: 'State' }, form: 'read', search: 'eq', width: 90 }),
    startTime: f.datetime({ label: { zh: '开始时间', en: 'Started' }, form: 'read', search: 'range', width: 160 }),
    seconds: f.number({
      label: { zh: '用时', en: 'Took' },
      min: 0,
      decimals: 1,
      form: 'read',
      unit: { zh: '秒', en: 's' },
      width: 90,
    }),
    tokens: f.number({ label: { zh: '消耗词元', en: 'Tokens' }, min: 0, form: 'read', width: 90 }),
    inputs: f.json({ label: { zh: '输入', en: 'Inputs' }, form: 'read' }),
    outputs: f.json({ label: { zh: '输出', en: 'Outputs' }, form: 'read', wide: true }),
    error: f.text({ label: { zh: '错误', en: 'Error' }, max: 1000, form: 'read', width: 200 }),
  },
  list: { columns: ['taskId', 'shopId', 'status', 'startTime', 'seconds', 'tokens', 'error'], sort: '-startTime' },
  indexes: [
    ['startTime', 'id'],
    ['taskId', 'startTime'],
    ['shopId', 'startTime'],
  ],
})
