import { createHmac } from 'node:crypto'
import type { SmsSender } from './sms.client.ts'
import { postExternalJson } from '#kit/server/request/external-request.ts'

const contentType = 'application/json'

type Signed = { host: string; path: string; body: string; accessKey: string; secretKey: string }

/**
 * Returns Qiniu's management authorization header: HMAC-SHA1 over the request as it is sent, in URL-safe base64 with
 * padding.
 */
export function signQiniuRequest({ host, path, body, accessKey, secretKey }: Signed): string {
  const toSign = `POST ${path}\nHost: ${host}\nContent-Type: ${contentType}\n\n${body}`
  const signature = createHmac('sha1', secretKey)
    .update(toSign)
    .digest('base64')
    .replaceAll('+', '-')
    .replaceAll('/', '_')
  return `Qiniu ${accessKey}:${signature}`
}

export const sendSmsByQiniu: SmsSender = async (config, message, timeoutMs) => {
  const url = new URL('/v1/message', config.endpoint || 'https://sms.qiniuapi.com')
  const body = JSON.stringify({
    signature_id: message.signName,
    template_id: message.templateId,
    mobiles: message.phones,
    parameters: message.params,
  })
  const authorization = signQiniuRequest({ host: url.host, path: url.pathname, body, ...config })
  const {
    job_id,
    error,
    message: reason,
  } = await postExternalJson({
    url: url.href,
    body,
    contentType,
    headers: { authorization },
    timeoutMs,
    mayBeInside: config.mayBeInside,
  })
  return job_id
    ? { success: true, code: 'OK', msg: 'OK', bizId: String(job_id) }
    : { success: false, code: error ?? 'unknown', msg: reason ?? '', bizId: '' }
}
