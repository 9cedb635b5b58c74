import { defineRefusals, type CodesOf } from '#kit/server/refused.ts'

const refusals = defineRefusals({
  sms_not_configured: { zh: '没有启用的短信配置', en: 'No SMS configuration is enabled' },
  sms_param_missing: { zh: '短信模板缺少参数 {name}', en: 'The SMS template needs parameter {name}' },
  sms_params: {
    zh: '短信参数应为 JSON 对象，如 {"code":"1234"}',
    en: 'SMS parameters must be a JSON object such as {"code":"1234"}',
  },
  sms_phone: { zh: '手机号码 {phone} 格式不正确', en: 'Phone number {phone} has the wrong format' },
  sms_too_many: { zh: '一次最多发送 {max} 个号码', en: 'At most {max} numbers can be sent to at once' },
  sms_too_often: {
    zh: '手机号码 {phone} 发送过于频繁，请稍后再试',
    en: 'Too many messages to {phone}, try again later',
  },
  sms_refused: { zh: '短信发送失败: {msg}', en: 'The message was not sent: {msg}' },
})

declare module '#kit/server/refused.ts' {
  interface Refusals extends CodesOf<typeof refusals> {}
}
