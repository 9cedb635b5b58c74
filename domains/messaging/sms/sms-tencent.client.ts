import { tencentAuthorization, tencentContentType } from '#kit/server/request/cloud-signatures.ts'
import type { SmsSender } from './sms.client.ts'
import { postExternalJson } from '#kit/server/request/external-request.ts'

export const sendSmsByTencent: SmsSender = async (config, message, timeoutMs) => {
  const url = new URL(config.endpoint || 'https://sms.tencentcloudapi.com/')
  const body = JSON.stringify({
    PhoneNumberSet: message.phones.map((phone) => (phone.startsWith('+') ? phone : `+86${phone}`)),
    SmsSdkAppId: config.appId || config.regionId || '',
    SignName: message.signName,
    TemplateId: message.templateId,
    TemplateParamSet: Object.values(message.params),
  })
  const timestamp = Math.floor(Date.now() / 1000)
  const { Response = {} } = await postExternalJson({
    url: url.href,
    body,
    contentType: tencentContentType,
    headers: {
      authorization: tencentAuthorization({ service: 'sms', host: url.host, body, timestamp, ...config }),
      'x-tc-action': 'SendSms',
      'x-tc-version': '2021-01-11',
      'x-tc-region': 'ap-guangzhou',
      'x-tc-timestamp': String(timestamp),
    },
    timeoutMs,
    mayBeInside: config.mayBeInside,
  })
  if (Response.Error) return { success: false, code: Response.Error.Code, msg: Response.Error.Message, bizId: '' }
  const states: { Code: string; Message: string; SerialNo: string }[] = Response.SendStatusSet ?? []
  const bizId = states
    .map((state) => state.SerialNo)
    .filter(Boolean)
    .join(',')
  const failed = states.length === 0 ? { Code: 'unknown', Message: '' } : states.find((state) => state.Code !== 'Ok')
  return failed
    ? { success: false, code: failed.Code, msg: failed.Message, bizId }
    : { success: true, code: 'Ok', msg: 'send success', bizId }
}
