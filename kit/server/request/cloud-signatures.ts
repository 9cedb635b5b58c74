import { createHash, createHmac } from 'node:crypto'

/** Request signatures of Aliyun and Tencent Cloud. */

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

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()

export const tencentContentType = 'application/json; charset=utf-8'
const signedHeaders = 'content-type;host'

type Signed = {
  /** First part of the host name, such as `sms` or `tts`. */
  service: string
  host: string
  body: string
  timestamp: number
  accessKey: string
  secretKey: string
}

/** Tencent Cloud's TC3-HMAC-SHA256 authorization header of a call with a JSON body. */
export function tencentAuthorization({ service, host, body, timestamp, accessKey, secretKey }: Signed): string {
  const canonical = [
    'POST',
    '/',
    '',
    `content-type:${tencentContentType}`,
    `host:${host}`,
    '',
    signedHeaders,
    sha256(body),
  ].join('\n')
  const day = new Date(timestamp * 1000).toISOString().slice(0, 10)
  const scope = `${day}/${service}/tc3_request`
  const toSign = ['TC3-HMAC-SHA256', timestamp, scope, sha256(canonical)].join('\n')
  const key = hmac(hmac(hmac(`TC3${secretKey}`, day), service), 'tc3_request')
  const signature = hmac(key, toSign).toString('hex')
  return `TC3-HMAC-SHA256 Credential=${accessKey}/${scope}, SignedHeaders=${signedHeaders}, Signature=${signature}`
}
