import { shopIdField } from '#domains/shops/shops/index.ts'
import { defineDict, defineResource, f, reasonField } from '#kit/resource/index.ts'

export const doorDictionaries = [
  defineDict({
    code: 'door_action',
    label: { zh: '门禁动作', en: 'Door action' },
    entries: [
      { key: 'open', zh: '开门', en: 'Open' },
      { key: 'close', zh: '关门', en: 'Close' },
      { key: 'hold', zh: '常开', en: 'Hold open', colour: 'warning' },
      { key: 'keepClosed', zh: '常闭', en: 'Keep closed', colour: 'warning' },
      { key: 'release', zh: '恢复', en: 'Release' },
      { key: 'focusClose', zh: '强制关门', en: 'Force closed', colour: 'error' },
    ],
  }),
  defineDict({
    code: 'door_source',
    label: { zh: '门禁指令来源', en: 'Door command source' },
    entries: [
      { key: 'customer', zh: '顾客', en: 'Customer' },
      { key: 'office', zh: '后台', en: 'Back office', colour: 'processing' },
      { key: 'schedule', zh: '定时', en: 'Schedule' },
      { key: 'emergency', zh: '紧急', en: 'Emergency', colour: 'error' },
      { key: 'button', zh: '店内按钮', en: 'Inside button' },
      { key: 'event', zh: '事件', en: 'Event' },
      { key: 'system', zh: '系统', en: 'System' },
    ],
  }),
  defineDict({
    code: 'door_result',
    label: { zh: '门禁结果', en: 'Door command result' },
    entries: [
      { key: 'done', zh: '已执行', en: 'Completed', colour: 'success' },
      { key: 'refused', zh: '已拒绝', en: 'Rejected', colour: 'error' },
      { key: 'failed', zh: '执行失败', en: 'Failed', colour: 'error' },
      { key: 'expired', zh: '已过期，未执行', en: 'Expired, not run', colour: 'default' },
      { key: 'unknown', zh: '未确认', en: 'Unconfirmed', colour: 'warning' },
    ],
  }),
]

/**
 * All door commands, refused and unconfirmed ones too, and all other openings. A command whose unknown result is
 * cleared up later has a second row with the same command id.
 */
export const doorControlLog = defineResource({
  name: 'doorControlLog',
  path: '/api/shop/doorControlLog',
  label: { zh: '门禁记录', en: 'Door access log' },
  tenancy: 'tenant',
  indexedList: true,
  writer: 'device',
  appendOnly: true,
  retentionDays: 30,
  partitioned: 'month',
  scope: { shop: 'shopId' },
  menu: { under: 'shop', path: '/shop/doorControlLog', icon: 'login', sort: 35 },
  title: 'commandId',
  fields: {
    shopId: shopIdField(),
    doorNo: f.text({ label: { zh: '门号', en: 'Door no.' }, max: 20, width: 80 }),
    action: f.dict('door_action', { label: { zh: '动作', en: 'Action' }, search: 'eq', width: 100 }),
    source: f.dict('door_source', { label: { zh: '来源', en: 'Source' }, search: 'eq', width: 100 }),
    userId: f.ref('user', { label: { zh: '操作人', en: 'Operator' }, labelKey: 'userName', search: 'eq', width: 110 }),
    wxUserId: f.ref('wxUser', {
      label: { zh: '顾客', en: 'Customer' },
      labelKey: 'wxUserName',
      search: 'eq',
      width: 120,
    }),
    result: f.dict('door_result', { label: { zh: '结果', en: 'Result' }, search: 'eq', width: 100 }),
    reason: reasonField({ width: 180 }),
    message: f.text({ label: { zh: '说明', en: 'Message' }, max: 500, width: 180 }),
    costMs: f.number({ label: { zh: '耗时', en: 'Duration' }, min: 0, unit: { zh: '毫秒', en: 'ms' }, width: 90 }),
    visitId: f.ref('customerVisitLog', { label: { zh: '到店记录', en: 'Visit' }, labelKey: 'visitTime', search: 'eq' }),
    clientId: f.text({ label: { zh: '网关编号', en: 'Gateway ID' }, max: 64, search: 'eq', width: 150 }),
    commandId: f.text({ label: { zh: '指令编号', en: 'Command ID' }, max: 40, search: 'eq', width: 180 }),
  },
  measures: {
    commands: { label: { zh: '开关门次数', en: 'Door commands' } },
    took: { label: { zh: '平均耗时（毫秒）', en: 'Average duration (ms)' }, average: 'costMs' },
  },
  list: {
    columns: [
      'createTime',
      'shopId',
      'doorNo',
      'action',
      'result',
      'message',
      'source',
      'wxUserId',
      'userId',
      'reason',
      'costMs',
    ],
  },
  row: { title: ['action', 'doorNo'], sub: ['shopId', 'userId', 'wxUserId'], state: 'result' },
  indexes: [['wxUserId', 'createTime'], ['visitId']],
  permissions: {
    control: { zh: '控制门', en: 'Control door' },
    forceClose: { zh: '强制关门', en: 'Force door closed' },
  },
})
