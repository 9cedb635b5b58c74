import { shopIdField } from '#domains/shops/shops/index.ts'
import { defineResource, defineStates, f } from '#kit/resource/index.ts'
import { REMOTE_SESSION_STATE } from './dictionaries.ts'

/** A remote session on a device: one person types, others may watch, and take it over. */
export const remoteSession = defineResource({
  name: 'remoteSession',
  path: '/api/shop/remoteSession',
  label: { zh: '远程会话', en: 'Remote session' },
  tenancy: 'tenant',
  writer: 'system',
  history: false,
  scope: { shop: 'shopId' },
  menu: { under: 'device', path: '/device/remoteSession', icon: 'api', sort: 8 },
  title: 'clientId',
  fields: {
    linkId: f.ref('deviceLink', {
      label: { zh: '设备', en: 'Device' },
      labelKey: 'linkName',
      search: 'eq',
      width: 150,
    }),
    clientId: f.text({ label: { zh: '设备编号', en: 'Device ID' }, max: 64, search: 'eq', width: 150 }),
    shopId: shopIdField(),
    userId: f.ref('user', {
      label: { zh: '操作人', en: 'Operator' },
      labelKey: 'userName',
      search: 'eq',
      systemUpdated: true,
      width: 110,
    }),
    operator: f.text({ label: { zh: '操作人姓名', en: 'Operator name' }, max: 100, systemUpdated: true, width: 130 }),
    tookFromId: f.ref('user', {
      label: { zh: '接管自', en: 'Taken over from' },
      labelKey: 'tookFromName',
      systemUpdated: true,
    }),
    state: f.dict('session_state', {
      label: { zh: '状态', en: 'Status' },
      search: 'eq',
      systemUpdated: true,
      width: 90,
    }),
    shell: f.text({ label: { zh: '命令解释器', en: 'Shell' }, max: 40, systemUpdated: true, width: 90 }),
    cwd: f.text({ label: { zh: '目录', en: 'Folder' }, max: 200, systemUpdated: true, width: 120 }),
    lastTime: f.datetime({ label: { zh: '最近操作', en: 'Last activity' }, systemUpdated: true, width: 160 }),
    endTime: f.datetime({ label: { zh: '结束时间', en: 'Ended' }, systemUpdated: true, width: 160 }),
    endReason: f.text({ label: { zh: '结束原因', en: 'End reason' }, max: 100, systemUpdated: true, width: 160 }),
    lastSeq: f.number({ label: { zh: '命令数', en: 'Commands' }, default: 0, systemUpdated: true, width: 80 }),
  },
  states: defineStates({
    field: 'state',
    values: REMOTE_SESSION_STATE,
    initial: ['opening'],
    moves: {
      open: { from: ['opening'], to: 'open' },
      end: { from: ['opening', 'open'], to: ['closed', 'lost'] },
    },
  }),
  list: {
    columns: ['createTime', 'linkId', 'shopId', 'operator', 'state', 'lastSeq', 'lastTime', 'endTime', 'endReason'],
    time: 'createTime',
  },
  buttons: { import: false },
  indexes: [['linkId', 'state']],
})

/** Input and output of remote sessions, verbatim except for masked secrets. Append-only. */
export const remoteLine = defineResource({
  name: 'remoteLine',
  path: '/api/shop/remoteLine',
  label: { zh: '远程会话日志', en: 'Remote session log' },
  tenancy: 'tenant',
  writer: 'system',
  appendOnly: true,
  retentionDays: 90,
  scope: { shop: 'shopId' },
  menu: { under: 'log', path: '/monitor/log/remote', icon: 'api', sort: 5 },
  title: 'clientId',
  fields: {
    sessionId: f.ref('remoteSession', {
      label: { zh: '会话', en: 'Session' },
      labelKey: 'sessionName',
      search: 'eq',
      width: 150,
    }),
    clientId: f.text({ label: { zh: '设备编号', en: 'Device ID' }, max: 64, search: 'eq', width: 150 }),
    shopId: shopIdField(),
    userId: f.ref('user', { label: { zh: '操作人', en: 'Operator' }, labelKey: 'userName', search: 'eq', width: 110 }),
    seq: f.number({ label: { zh: '第几条命令', en: 'Command no.' }, width: 90 }),
    kind: f.dict('session_line_kind', { label: { zh: '类型', en: 'Type' }, search: 'eq', width: 90 }),
    text: f.longText({ label: { zh: '内容', en: 'Content' }, max: 20_000, width: 400 }),
    exitCode: f.number({ label: { zh: '退出码', en: 'Exit code' }, width: 80 }),
  },
  list: { columns: ['createTime', 'clientId', 'shopId', 'userId', 'seq', 'kind', 'text', 'exitCode'] },
  row: { title: 'text', sub: ['userId', 'shopId'] },
  indexes: [['sessionId', 'seq'], ['createTime']],
})
