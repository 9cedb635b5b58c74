import { defineDict, defineResource, f } from '#kit/resource/index.ts'

export const logDictionaries = [
  defineDict({
    code: 'log_level',
    label: { zh: '日志级别', en: 'Log level' },
    entries: [
      { key: 'error', zh: '错误', en: 'Error', colour: 'error' },
      { key: 'warn', zh: '警告', en: 'Warning', colour: 'warning' },
      { key: 'info', zh: '信息', en: 'Info', colour: 'processing' },
    ],
  }),
]

const text = (zh: string, en: string, more: { search?: 'like' | 'eq'; ngramIndex?: true; max?: number } = {}) =>
  f.text({ label: { zh, en }, form: 'hidden', max: 4000, ...more })
const heavy = (zh: string, en: string) => f.longText({ label: { zh, en }, form: 'hidden', heavy: true, max: 100_000 })

/** Options of text fields in logs with few rows: searched by any part, with an n-gram index. */
const indexed = { search: 'like', ngramIndex: true } as const
/**
 * Options of text fields in the operation log: searched without index, as every change writes a row and an index would
 * cost as much as the row.
 */
const lookedThrough = { search: 'like' } as const

/** Fields common to all logs: service and server, request and caller, duration. */
const common = (found: typeof indexed | typeof lookedThrough) => ({
  serviceId: text('服务', 'Service', found),
  serverHost: text('服务器', 'Server', found),
  serverIp: text('服务器地址', 'Server address'),
  env: text('环境', 'Environment'),
  method: text('请求方法', 'Request method', { search: 'eq' }),
  requestUri: text('请求地址', 'Request URL', found),
  userAgent: text('用户代理', 'User agent'),
  remoteIp: text('来源地址', 'Source address', found),
  methodClass: text('模块', 'Module'),
  methodName: text('方法', 'Function'),
  params: heavy('参数', 'Parameters'),
  time: text('耗时（毫秒）', 'Duration (ms)'),
  createBy: text('操作人', 'Operator', found),
  traceId: text('追踪号', 'Trace ID', { search: 'eq', max: 64 }),
})

/** Minimum retention in days of logs of who did what: half a year, as the law requires. */
export const LEGAL_LOG_RETENTION_DAYS = 180

const shared = {
  tenancy: 'tenant',
  indexedList: true,
  writer: 'system',
  appendOnly: true,
  retentionDays: LEGAL_LOG_RETENTION_DAYS,
  partitioned: 'month',
} as const

/** System log: events of the running product, such as started, imported, cleared. */
export const logUsual = defineResource({
  ...shared,
  name: 'logUsual',
  path: '/api/blade-log/usual',
  code: 'log_usual',
  label: { zh: '系统日志', en: 'System log' },
  menu: { under: 'log', path: '/monitor/log/usual', icon: 'file-text', sort: 1 },
  fields: {
    ...common(indexed),
    logLevel: f.dict('log_level', { label: { zh: '级别', en: 'Severity' }, form: 'hidden', search: 'eq' }),
    logId: text('日志编号', 'Log ID', indexed),
    logData: heavy('内容', 'Content'),
  },
  title: 'logId',
  list: {
    columns: ['createTime', 'serviceId', 'serverHost', 'serverIp', 'logLevel', 'logId', 'requestUri', 'createBy'],
  },
  row: { title: ['logLevel', 'requestUri'], sub: ['createBy'], state: false },
})

/** Operation log: every call that changed something or tried to. */
export const logApi = defineResource({
  ...shared,
  name: 'logApi',
  path: '/api/blade-log/api',
  code: 'log_api',
  label: { zh: '接口日志', en: 'API log' },
  menu: { under: 'log', path: '/monitor/log/api', icon: 'audit', sort: 2 },
  fields: {
    ...common(lookedThrough),
    type: text('类型', 'Type'),
    title: text('操作', 'Operation', lookedThrough),
    httpStatus: f.number({ label: { zh: '状态码', en: 'Status code' }, form: 'hidden', search: 'eq' }),
    reason: text('拒绝原因', 'Rejection reason'),
  },
  title: 'title',
  list: {
    columns: [
      'createTime',
      'title',
      'method',
      'requestUri',
      'httpStatus',
      'time',
      'createBy',
      'remoteIp',
      'serverHost',
    ],
  },
})

/** Error log: unexpected errors of the server and of browsers. */
export const logError = defineResource({
  ...shared,
  name: 'logError',
  path: '/api/blade-log/error',
  code: 'log_error',
  retentionDays: 1,
  label: { zh: '错误日志', en: 'Error log' },
  menu: { under: 'log', path: '/monitor/log/error', icon: 'bug', sort: 3 },
  fields: {
    ...common(indexed),
    exceptionName: text('异常', 'Exception', indexed),
    summary: text('错误消息', 'Error message', indexed),
    message: heavy('消息', 'Message'),
    stackTrace: heavy('堆栈', 'Stack trace'),
    fileName: text('文件', 'File'),
    lineNumber: f.number({ sortable: false, label: { zh: '行号', en: 'Line number' }, form: 'hidden' }),
  },
  title: 'exceptionName',
  list: {
    columns: [
      'createTime',
      'serviceId',
      'exceptionName',
      'summary',
      'fileName',
      'lineNumber',
      'method',
      'requestUri',
      'createBy',
      'traceId',
    ],
  },
  row: { title: 'exceptionName', sub: ['summary'] },
})
