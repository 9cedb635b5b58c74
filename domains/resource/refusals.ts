import { defineRefusals, type CodesOf } from '#kit/server/refused.ts'

const refusals = defineRefusals({
  no_file: { zh: '请选择要上传的文件', en: 'Choose a file to upload' },
  store_unreachable: {
    zh: '对象存储 {name} 无法访问，请检查资源地址',
    en: 'The object store {name} cannot be reached, check its endpoint',
  },
  store_refused: {
    zh: '对象存储 {name} 拒绝了访问，请检查密钥和空间名: {code}',
    en: 'The object store {name} refused, check its keys and bucket: {code}',
  },
  store_in_use: {
    zh: '对象存储 {name} 中仍有文件，不能删除',
    en: 'The object store {name} still holds files and cannot be removed',
  },
  endpoint_private: { zh: '{label}不能指向内部网络地址', en: '{label} may not point into the internal network' },
  ticket_spent: {
    zh: '下载链接已失效，请重新下载',
    en: 'This download link is no longer valid, download again',
    status: 404,
  },
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
