import { defineRefusals, type CodesOf } from '#kit/server/base/refused.ts'

const refusals = defineRefusals({
  sms_not_configured: { zh: '没有启用的短信服务商', en: 'No active SMS provider' },
  sms_param_missing: { zh: '短信模板缺少参数 {name}', en: 'The SMS template requires parameter {name}' },
  sms_params: {
    zh: '短信参数应为 JSON 对象，如 {"code":"1234"}',
    en: 'SMS parameters must be a JSON object, for example, {"code":"1234"}',
  },
  sms_phone: { zh: '手机号码 {phone} 格式不正确', en: 'Check the format of phone number {phone}' },
  sms_too_many: { zh: '一次最多发送 {max} 个号码', en: 'You can send to up to {max} {max|number|numbers} at a time' },
  sms_too_often: {
    zh: '手机号码 {phone} 发送过于频繁，请稍后再试',
    en: 'Too many messages to {phone}. Try again later.',
  },
  sms_refused: { zh: '短信发送失败: {msg}', en: 'The message could not be sent: {msg}' },
})

declare module '#kit/server/base/refused.ts' {
  interface Refusals extends CodesOf<typeof refusals> {}
}
