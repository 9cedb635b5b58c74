import { randomUUID } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { aliyunSignature } from '#kit/server/request/cloud-signatures.ts'
import { postExternal } from '#kit/server/request/external-request.ts'
import { SpeechRejectedError } from './speech-refused.ts'
import type { SpeechEngineConfig, SpeechSynthesizer } from './speech.client.ts'
import { parseUntrustedJson } from '#kit/server/base/outside-json.ts'

const RATE = 16_000
const tokens = new LRUCache<string, string>({ max: 500 })

const tokenKey = ({ endpoint, accessKey, secretKey }: SpeechEngineConfig) => `${endpoint} ${accessKey} ${secretKey}`
const parsed = (body: Buffer): Record<string, any> | undefined => {
  try {
    return parseUntrustedJson(body.toString('utf8'))
  } catch {
    return undefined
  }
}

/** Returns a cached access token, valid for about a day, and fetches a new one before it expires. */
async function tokenOf(config: SpeechEngineConfig, timeoutMs: number): Promise<string> {
  const key = tokenKey(config)
  const known = tokens.get(key)
  if (known) return known
  const region = config.region || 'cn-shanghai'
  const parameters = {
    AccessKeyId: config.accessKey,
    Action: 'CreateToken',
    Format: 'JSON',
    RegionId: region,
    SignatureMethod: 'HMAC-SHA1',
    SignatureNonce: randomUUID(),
    SignatureVersion: '1.0',
    Timestamp: new Date().toISOString().replace(/\.\d+Z$/, 'Z'),
    Version: '2019-02-28',
  }
  const Signature = aliyunSignature(parameters, config.secretKey)
  const answer = await postExternal({
    url: new URL('/', config.endpoint || `https://nls-meta.${region}.aliyuncs.com`).href,
    body: new URLSearchParams({ ...parameters, Signature }).toString(),
    contentType: 'application/x-www-form-urlencoded',
    timeoutMs,
    mayBeInside: config.mayBeInside,
  })
  const body = parsed(answer.body)
  if (body?.Token?.Id) {
    const ttl = Number(body.Token.ExpireTime) * 1000 - Date.now() - 60_000
    if (ttl > 0) tokens.set(key, body.Token.Id, { ttl })
    return body.Token.Id
  }
  if (body?.Code) throw new SpeechRejectedError(String(body.Code), String(body.Message ?? ''))
  throw new Error(`HTTP ${answer.status} without a token`)
}

/** Maps a factor from 0.5 to 2 to Aliyun's scale from -500 to 500. */
const scaled = (times: number) => Math.max(-500, Math.min(500, Math.round(Math.log2(times) * 500)))

export const speakByAliyun: SpeechSynthesizer = async (config, { text, voice, speed, pitch }, timeoutMs) => {
  const token = await tokenOf(config, timeoutMs)
  const answer = await postExternal({
    url: new URL(
      '/stream/v1/tts',
      config.endpoint || `https://nls-gateway-${config.region || 'cn-shanghai'}.aliyuncs.com`,
    ).href,
    body: JSON.stringify({
      appkey: config.appKey,
      token,
      text,
      format: 'wav',
      sample_rate: RATE,
      voice,
      volume: 100,
      speech_rate: scaled(speed),
      pitch_rate: scaled(pitch),
    }),
    contentType: 'application/json',
    timeoutMs,
    answers: 'media',
    mayBeInside: config.mayBeInside,
  })
  if (answer.contentType.startsWith('audio/')) return answer.body
  const body = parsed(answer.body)
  // Codes beginning with 5 are failures of Aliyun's servers, so the job tries again.
  if (!body?.status || String(body.status).startsWith('5')) throw new Error(`HTTP ${answer.status} without a sound`)
  // The token may have been revoked early, so the next call fetches a new one.
  tokens.delete(tokenKey(config))
  throw new SpeechRejectedError(String(body.status), String(body.message ?? ''))
}
