import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

export type SignedRequest = { method: string; url: URL; headers: Record<string, string>; body: Buffer }
export type Keys = { accessKey: string; secretKey: string }

const clockSkewMs = 15 * 60_000
const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex')
const hmac = (key: string | Buffer, data: string) => createHmac('sha256', key).update(data).digest()

const AUTHORIZATION = new RegExp(
  String.raw`^AWS4-HMAC-SHA256 Credential=([^/]+)/(\d{8})/([^/]+)/s3/aws4_request, ?` +
    'SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$',
)

/** Returns S3's error code for a request whose AWS Signature Version 4 is not valid, undefined for a valid one. */
export function signatureFault(request: SignedRequest, keys: Keys, now = new Date()): string | undefined {
  const { headers } = request
  const match = AUTHORIZATION.exec(headers.authorization ?? '')
  if (!match) return 'AccessDenied'
  const [, accessKey, day, region, signedHeaders, signature] = match as unknown as string[]
  if (accessKey !== keys.accessKey) return 'InvalidAccessKeyId'

  const time = headers['x-amz-date'] ?? ''
  const at = Date.parse(time.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
  if (!(Math.abs(now.getTime() - at) < clockSkewMs) || !time.startsWith(day!)) return 'RequestTimeTooSkewed'

  const names = signedHeaders!.split(';')
  if (!names.includes('host')) return 'AccessDenied'
  const claimed = headers['x-amz-content-sha256'] ?? ''
  if (claimed !== 'UNSIGNED-PAYLOAD' && claimed !== sha256(request.body)) return 'XAmzContentSHA256Mismatch'

  const canonical = [
    request.method,
    encode(decodeURIComponent(request.url.pathname), '/'),
    canonicalQuery(request.url.searchParams),
    ...names.map((name) => `${name}:${(headers[name] ?? '').trim().replace(/ +/g, ' ')}`),
    '',
    signedHeaders,
    claimed,
  ].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const toSign = ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n')
  const key = hmac(hmac(hmac(hmac(`AWS4${keys.secretKey}`, day!), region!), 's3'), 'aws4_request')
  const isRight = timingSafeEqual(hmac(key, toSign), Buffer.from(signature!, 'hex'))
  return isRight ? undefined : 'SignatureDoesNotMatch'
}

function encode(text: string, keep = ''): string {
  const encoded = encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
  return keep ? encoded.replaceAll(encodeURIComponent(keep), keep) : encoded
}

function canonicalQuery(query: URLSearchParams): string {
  const pairs = [...query].map(([name, value]) => `${encode(name)}=${encode(value)}`)
  return pairs.toSorted((a, b) => (a < b ? -1 : 1)).join('&')
}
