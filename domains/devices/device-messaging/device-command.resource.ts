import { shopIdField } from '#domains/shops/shops/index.ts'
import { defineResource, f } from '#kit/resource/index.ts'

/**
 * A command to a device, from the request to the result. Its id is the number on the wire. `done` is what the device
 * reported; `seenTime` is when a sensor, a new start or a version confirmed it.
 */
export const deviceCommand = defineResource({
  name: 'deviceCommand',
  path: '/api/shop/deviceCommand',
  label: { zh: '设备指令', en: 'Device command' },
  tenancy: 'tenant',
  writer: 'device',
  history: false,
  scope: { shop: 'shopId' },
  menu: { under: 'device', path: '/device/deviceCommand', icon: 'send', sort: 7 },
  title: 'method',
  fields: {
    title: f.text({ label: { zh: '指令', en: 'Command' }, computed: true, width: 150 }),
    method: f.text({ label: { zh: '方法', en: 'Method' }, max: 40, width: 120 }),
    linkId: f.ref('deviceLink', {
      label: { zh: '设备', en: 'Device' },
      labelKey: 'linkName',
      search: 'eq',
      width: 150,
    }),
    clientId: f.text({ label: { zh: '设备编号', en: 'Device ID' }, max: 64, width: 150 }),
    shopId: shopIdField(),
    state: f.dict('command_state', {
      label: { zh: '状态', en: 'Status' },
      search: 'eq',
      width: 120,
      systemUpdated: true,
    }),
    source: f.dict('command_source', { label: { zh: '来源', en: 'Source' }, width: 100 }),
    userId: f.ref('user', { label: { zh: '操作人', en: 'Operator' }, labelKey: 'userName', search: 'eq', width: 110 }),
    reason: f.text({ label: { zh: '原因', en: 'Reason' }, max: 200, width: 160 }),
    params: f.json({ label: { zh: '参数', en: 'Parameters' } }),
    code: f.number({ label: { zh: '结果码', en: 'Result code' }, systemUpdated: true, width: 80 }),
    message: f.text({ label: { zh: '说明', en: 'Message' }, max: 500, systemUpdated: true, width: 200 }),
    result: f.json({ label: { zh: '结果', en: 'Result' }, systemUpdated: true }),
    step: f.text({ label: { zh: '进度', en: 'Progress' }, max: 40, systemUpdated: true, width: 110 }),
    percent: f.number({ label: { zh: '完成度', en: 'Completion (%)' }, systemUpdated: true, width: 80 }),
    sentTime: f.datetime({ label: { zh: '发送时间', en: 'Sent' }, systemUpdated: true, width: 160 }),
    takenTime: f.datetime({ label: { zh: '接收时间', en: 'Accepted' }, systemUpdated: true, width: 160 }),
    endTime: f.datetime({ label: { zh: '结束时间', en: 'Ended' }, systemUpdated: true, width: 160 }),
    seenTime: f.datetime({ label: { zh: '确认时间', en: 'Verified' }, systemUpdated: true, width: 160 }),
    expireTime: f.datetime({ label: { zh: '过期时间', en: 'Expires' }, width: 160 }),
    askKey: f.text({ label: { zh: '请求编号', en: 'Request ID' }, max: 100, form: 'hidden' }),
    lane: f.text({ label: { zh: '通道', en: 'Channel' }, max: 100, form: 'hidden' }),
    about: f.text({ label: { zh: '对象', en: 'Subject' }, max: 100, form: 'hidden' }),
    visitId: f.ref('customerVisitLog', { label: { zh: '到店记录', en: 'Visit' }, labelKey: 'visitTime' }),
    tries: f.number({
      label: { zh: '发送次数', en: 'Send attempts' },
      default: 0,
      form: 'hidden',
      systemUpdated: true,
    }),
  },
  list: {
    columns: [
      'createTime',
      'title',
      'linkId',
      'shopId',
      'state',
      'seenTime',
      'source',
      'userId',
      'reason',
      'message',
      'endTime',
    ],
    time: 'createTime',
  },
  buttons: { import: false },
  unique: [['askKey']],
  indexes: [['linkId', 'createTime'], ['about'], ['visitId']],
})
