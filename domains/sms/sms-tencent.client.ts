import { createHash, createHmac } from 'node:crypto'
import type { SmsSend } from './sms.client.ts'
import { post } from './sms-http.client.ts'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()

const contentType = 'application/json; charset=utf-8'
const signedHeaders = 'content-type;host'

type Signed = { host: string; body: string; timestamp: number; accessKey: string; secretKey: string }

/** Tencent Cloud's TC3-HMAC-SHA256 authorization header of an SMS call. */
export function tencentAuthorization({ host, body, timestamp, accessKey, secretKey }: Signed): string {
  const canonical = [
    'POST',
    '/',
    '',
    `content-type:${contentType}`,
    `host:${host}`,
    '',
    signedHeaders,
    sha256(body),
  ].join('\n')
  const day = new Date(timestamp * 1000).toISOString().slice(0, 10)
  const scope = `${day}/sms/tc3_request`
  const toSign = ['TC3-HMAC-SHA256', timestamp, scope, sha256(canonical)].join('\n')
  const key = hmac(hmac(hmac(`TC3${secretKey}`, day), 'sms'), 'tc3_request')
  const signature = hmac(key, toSign).toString('hex')
  return `TC3-HMAC-SHA256 Credential=${accessKey}/${scope}, SignedHeaders=${signedHeaders}, Signature=${signature}`
}

export const sendByTencent: SmsSend = async (config, message, timeoutMs) => {
  const url = new URL(config.endpoint || 'https://sms.tencentcloudapi.com/')
  const body = JSON.stringify({
    PhoneNumberSet: message.phones.map((phone) => (phone.startsWith('+') ? phone : `+86${phone}`)),
    SmsSdkAppId: config.appId || config.regionId || '',
    SignName: message.signName,
    TemplateId: message.templateId,
    TemplateParamSet: Object.values(message.params),
  })
  const timestamp = Math.floor(Date.now() / 1000)
  const { Response = {} } = await post({
    url: url.href,
    body,
    contentType,
    headers: {
      authorization: tencentAuthorization({ host: url.host, body, timestamp, ...config }),
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
