import { defineDict } from '#kit/resource/index.ts'

export const smsProviderDictionary = defineDict({
  code: 'sms',
  label: { zh: '短信平台', en: 'SMS provider' },
  entries: [
    { key: '1', zh: '云片', en: 'Yunpian' },
    { key: '2', zh: '七牛云', en: 'Qiniu Cloud' },
    { key: '3', zh: '阿里云', en: 'Alibaba Cloud' },
    { key: '4', zh: '腾讯云', en: 'Tencent Cloud' },
  ],
})

export const smsStateDictionary = defineDict({
  code: 'sms_state',
  label: { zh: '短信状态', en: 'SMS status' },
  entries: [
    { key: 'asked', zh: '待发送', en: 'Queued', colour: 'default' },
    { key: 'sending', zh: '发送中', en: 'Sending', colour: 'processing' },
    { key: 'sent', zh: '已发送', en: 'Sent', colour: 'success' },
    { key: 'failed', zh: '发送失败', en: 'Failed', colour: 'error' },
    { key: 'expired', zh: '已过期', en: 'Expired', colour: 'warning' },
  ],
})
