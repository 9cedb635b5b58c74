import { createHmac, randomUUID } from 'node:crypto'
import type { SmsSend } from './sms.client.ts'
import { post } from './sms-http.client.ts'

/** RFC 3986, stricter than encodeURIComponent. */
const encode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)

/** Aliyun's RPC signature, version 1.0 (HMAC-SHA1 over the sorted parameters). */
export function aliyunSignature(parameters: Record<string, string>, secretKey: string, method = 'POST'): string {
  const pairs = Object.keys(parameters)
    .toSorted()
    .map((name) => `${encode(name)}=${encode(parameters[name]!)}`)
  const toSign = `${method}&${encode('/')}&${encode(pairs.join('&'))}`
  return createHmac('sha1', `${secretKey}&`).update(toSign).digest('base64')
}

export const sendByAliyun: SmsSend = async (config, message, timeoutMs) => {
  const parameters = {
    AccessKeyId: config.accessKey,
    Action: 'SendSms',
    Format: 'JSON',
    PhoneNumbers: message.phones.join(','),
    RegionId: config.regionId || 'cn-hangzhou',
    SignName: message.signName,
    SignatureMethod: 'HMAC-SHA1',
    SignatureNonce: randomUUID(),
    SignatureVersion: '1.0',
    TemplateCode: message.templateId,
    TemplateParam: JSON.stringify(message.params),
    Timestamp: new Date().toISOString().replace(/\.\d+Z$/, 'Z'),
    Version: '2017-05-25',
  }
  const Signature = aliyunSignature(parameters, config.secretKey)
  const { Code, Message, BizId } = await post({
    url: config.endpoint || 'https://dysmsapi.aliyuncs.com/',
    body: new URLSearchParams({ ...parameters, Signature }).toString(),
    contentType: 'application/x-www-form-urlencoded',
    timeoutMs,
    mayBeInside: config.mayBeInside,
  })
  return { success: Code === 'OK', code: Code ?? 'unknown', msg: Message ?? '', bizId: BizId ?? '' }
}
