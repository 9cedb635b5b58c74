import { defineDict, defineResource, f } from '#kit/resource/index.ts'

export const requestLogDictionaries = [
  defineDict({
    code: 'request_system',
    label: { zh: '外部系统', en: 'External system' },
    entries: [
      { key: 'wechat', zh: '微信支付', en: 'WeChat Pay' },
      { key: 'wechatMessage', zh: '微信消息', en: 'WeChat messages' },
      { key: 'payment', zh: '支付渠道', en: 'Payment channel' },
      { key: 'meituan', zh: '美团', en: 'Meituan' },
      { key: 'ele', zh: '饿了么', en: 'Ele.me' },
      { key: 'wvp', zh: '视频平台', en: 'Video platform' },
      { key: 'speech', zh: '语音引擎', en: 'Text-to-speech engine' },
      { key: 'dify', zh: 'AI 平台', en: 'AI platform' },
      { key: 'sms', zh: '短信', en: 'SMS' },
      { key: 'social', zh: '第三方登录', en: 'Third-party sign-in' },
      { key: 'printer', zh: '打印机', en: 'Printer' },
      { key: 'gateway', zh: '门店网关', en: 'Store gateway' },
    ],
  }),
  defineDict({
    code: 'request_direction',
    label: { zh: '请求方向', en: 'Request direction' },
    entries: [
      { key: 'out', zh: '发出', en: 'Sent', colour: 'processing' },
      { key: 'in', zh: '收到', en: 'Received', colour: 'default' },
    ],
  }),
]

const heavy = (zh: string, en: string) => f.longText({ label: { zh, en }, heavy: true, max: 20_000 })

/**
 * Log of requests to external systems and their answers. Secrets and personal data are masked before they are stored.
 */
export const requestLog = defineResource({
  name: 'requestLog',
  path: '/api/shop/requestLog',
  label: { zh: '外部调用日志', en: 'External call log' },
  tenancy: 'tenant',
  indexedList: true,
  writer: 'system',
  appendOnly: true,
  retentionDays: 1,
  partitioned: 'month',
  menu: { under: 'log', path: '/monitor/log/request', icon: 'api', sort: 4 },
  title: 'url',
  fields: {
    system: f.dict('request_system', { label: { zh: '系统', en: 'System' }, search: 'eq', width: 110 }),
    direction: f.dict('request_direction', { label: { zh: '方向', en: 'Direction' }, search: 'eq', width: 90 }),
    method: f.text({ label: { zh: '方法', en: 'Method' }, max: 10, width: 80 }),
    url: f.text({ label: { zh: '地址', en: 'Address' }, max: 1000, search: 'like', width: 300 }),
    httpStatus: f.number({ label: { zh: '状态码', en: 'Status code' }, search: 'eq', width: 90 }),
    bizCode: f.text({ label: { zh: '业务码', en: 'Business code' }, max: 100, search: 'eq', width: 120 }),
    costMs: f.number({ label: { zh: '耗时', en: 'Duration' }, unit: { zh: '毫秒', en: 'ms' }, width: 90 }),
    traceId: f.text({ label: { zh: '追踪号', en: 'Trace ID' }, max: 64, search: 'eq', width: 180 }),
    request: heavy('请求内容', 'Request'),
    response: heavy('返回内容', 'Response'),
  },
  list: {
    columns: ['createTime', 'system', 'direction', 'method', 'url', 'httpStatus', 'bizCode', 'costMs', 'traceId'],
  },
  row: { title: ['system', 'url'], sub: ['direction', 'method'], state: false },
  indexes: [['system', 'createTime'], ['traceId']],
})
