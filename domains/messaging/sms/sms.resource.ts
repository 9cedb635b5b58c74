import { defineResource, f, allowPrivateNetworkField, REMARK_LABEL, SERVER_URL_FORMAT } from '#kit/resource/index.ts'

export const sms = defineResource({
  name: 'sms',
  path: '/api/blade-resource/sms',
  tenancy: 'tenant',
  label: { zh: '短信服务商', en: 'SMS provider' },
  menu: { under: 'resource', path: '/resource/sms', icon: 'message', sort: 2 },
  fields: {
    category: f.dict('sms', { label: { zh: '分类', en: 'Provider' }, required: true, numeric: true, search: 'eq' }),
    smsCode: f.text({ label: { zh: '资源编号', en: 'Code' }, required: true, max: 32, search: 'like' }),
    templateId: f.text({
      label: { zh: '模板内容或编号', en: 'Template text or ID' },
      required: true,
      max: 500,
      search: 'like',
    }),
    accessKey: f.text({ label: { zh: '访问密钥', en: 'Access key' }, required: true, max: 255, asked: false }),
    secretKey: f.password({ label: { zh: '加密密钥', en: 'Secret key' }, max: 255 }),
    regionId: f.text({ label: { zh: '地域或应用编号', en: 'Region or app ID' }, max: 100, default: 'cn-hangzhou' }),
    signName: f.text({ label: { zh: '短信签名', en: 'SMS signature' }, max: 64 }),
    endpoint: f.text({
      label: { zh: '接口地址', en: 'Endpoint' },
      max: 255,
      ...SERVER_URL_FORMAT,
      sample: 'https://sms.example.com',
      help: { zh: '留空使用服务商地址', en: 'Leave blank to use the provider address' },
    }),
    mayBeInside: allowPrivateNetworkField(),
    status: f.dict('yes_no', { label: { zh: '是否启用', en: 'Active' }, numeric: true, form: 'hidden', default: 1 }),
    remark: f.text({ label: REMARK_LABEL }),
  },
  title: 'smsCode',
  list: {
    columns: ['category', 'smsCode', 'templateId', 'status', 'accessKey', 'signName', 'createTime'],
    time: false,
  },
  unique: [['smsCode']],
  actions: {
    enable: {
      on: 'row',
      label: { zh: '启用', en: 'Activate' },
      confirm: { zh: '启用这个配置？', en: 'Activate this provider?' },
      icon: 'check',
    },
  },
})

/** Log of every requested message and its result. */
export const smsRecord = defineResource({
  name: 'smsRecord',
  path: '/api/blade-resource/sms/record',
  code: 'smsrecord',
  tenancy: 'tenant',
  writer: 'system',
  retentionDays: 30,
  label: { zh: '短信记录', en: 'SMS log' },
  menu: { under: 'resource', path: '/resource/smsrecord', icon: 'history', sort: 4 },
  fields: {
    batchId: f.text({ label: { zh: '批次号', en: 'Batch no.' }, form: 'hidden', search: 'eq' }),
    smsId: f.ref('sms', { label: { zh: '短信服务商', en: 'SMS provider' }, form: 'hidden', search: 'eq' }),
    phone: f.phone({ label: { zh: '手机号码', en: 'Phone' }, form: 'hidden', mask: 'phone', search: 'eq' }),
    params: f.longText({ label: { zh: '参数', en: 'Parameters' }, form: 'hidden', secret: true, max: 4000 }),
    state: f.dict('sms_state', { label: { zh: '状态', en: 'Status' }, form: 'hidden', search: 'eq' }),
    attempts: f.number({ label: { zh: '尝试次数', en: 'Attempts' }, form: 'hidden' }),
    leaseUntil: f.datetime({ label: { zh: '占用至', en: 'Locked until' }, form: 'hidden', detail: false }),
    sentTime: f.datetime({ label: { zh: '发送时间', en: 'Sent' }, form: 'hidden' }),
    providerCode: f.text({ label: { zh: '返回码', en: 'Return code' }, form: 'hidden' }),
    providerMsg: f.text({ label: { zh: '返回信息', en: 'Return message' }, form: 'hidden', max: 1000 }),
    bizId: f.text({ label: { zh: '回执号', en: 'Receipt ID' }, form: 'hidden', max: 1000 }),
  },
  title: 'batchId',
  titleCode: 'phone',
  list: {
    columns: ['createTime', 'smsId', 'phone', 'state', 'attempts', 'providerCode', 'providerMsg', 'sentTime'],
    time: 'createTime',
  },
  row: { title: 'phone', sub: ['smsId', 'providerMsg'] },
  indexes: [['batchId']],
})
