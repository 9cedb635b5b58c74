import { f, defineCall, objectSchema, booleanSchema, textSchema, rowIdSchema } from '#kit/resource/index.ts'
import { sms } from './sms.resource.ts'

/** Send SMS. */
export const endpointSendMessageCall = defineCall({
  method: 'POST',
  path: `${sms.path}/endpoint/send-message`,
  input: {
    code: f.text({ label: sms.fields.smsCode.label, max: 32 }),
    phones: f.longText({ label: { zh: '手机号码', en: 'Phone numbers' }, required: true, max: 4000 }),
    params: f.longText({ label: { zh: '短信参数', en: 'SMS parameters' }, max: 4000, secret: true }),
  },
  answer: objectSchema({ success: booleanSchema, code: textSchema, msg: textSchema, id: rowIdSchema }),
})
