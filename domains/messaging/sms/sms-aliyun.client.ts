import { randomUUID } from 'node:crypto'
import { aliyunSignature } from '#kit/server/request/cloud-signatures.ts'
import type { SmsSender } from './sms.client.ts'
import { postExternalJson } from '#kit/server/request/external-request.ts'

export const sendSmsByAliyun: SmsSender = async (config, message, timeoutMs) => {
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
  const { Code, Message, BizId } = await postExternalJson({
    url: config.endpoint || 'https://dysmsapi.aliyuncs.com/',
    body: new URLSearchParams({ ...parameters, Signature }).toString(),
    contentType: 'application/x-www-form-urlencoded',
    timeoutMs,
    mayBeInside: config.mayBeInside,
  })
  return { success: Code === 'OK', code: Code ?? 'unknown', msg: Message ?? '', bizId: BizId ?? '' }
}
