import { randomUUID } from 'node:crypto'
import { tencentAuthorization, tencentContentType } from '#kit/server/request/cloud-signatures.ts'
import { postExternal } from '#kit/server/request/external-request.ts'
import { SpeechRejectedError } from './speech-refused.ts'
import type { SpeechSynthesizer } from './speech.client.ts'
import { parseUntrustedJson } from '#kit/server/base/outside-json.ts'

/** Tencent's speed steps and the factor each stands for. */
const SPEEDS = [
  [-2, 0.6],
  [-1, 0.8],
  [0, 1],
  [1, 1.2],
  [2, 1.5],
  [6, 2.5],
] as const

/** Interpolates Tencent's speed step for a factor. */
function stepOf(speed: number): number {
  const above = SPEEDS.findIndex(([, times]) => times >= speed)
  if (above <= 0) return -2
  const [[low, slow], [high, fast]] = [SPEEDS[above - 1]!, SPEEDS[above]!]
  return Math.round((low + ((speed - slow) / (fast - slow)) * (high - low)) * 100) / 100
}

/** Error codes for Tencent's own failures and limits. The job tries again; other codes reject the request. */
const THEIRS = /^(InternalError|RequestLimitExceeded|ResourceUnavailable)/

const PARTS_MAX = 1_000

export const speakByTencent: SpeechSynthesizer = async (config, { text, voice, speed }, timeoutMs) => {
  const url = new URL('/', config.endpoint || 'https://tts.tencentcloudapi.com')
  const body = JSON.stringify({
    Text: text,
    SessionId: randomUUID(),
    VoiceType: Number(voice),
    Codec: 'wav',
    SampleRate: 16_000,
    Speed: stepOf(speed),
    Volume: 0,
  })
  const timestamp = Math.floor(Date.now() / 1000)
  const { accessKey, secretKey } = config
  const answer = await postExternal({
    url: url.href,
    body,
    contentType: tencentContentType,
    headers: {
      authorization: tencentAuthorization({ service: 'tts', host: url.host, body, timestamp, accessKey, secretKey }),
      'x-tc-action': 'TextToVoice',
      'x-tc-version': '2019-08-23',
      'x-tc-region': config.region || 'ap-shanghai',
      'x-tc-timestamp': String(timestamp),
    },
    timeoutMs,
    answers: 'media',
    mayBeInside: config.mayBeInside,
  })
  const responseText = answer.body.toString('utf8')
  // A valid answer is one long text. An answer with many parts is refused before it is parsed.
  if (responseText.split(/[,[{]/, PARTS_MAX).length === PARTS_MAX) throw new Error('the answer is no sound')
  const { Audio, Error: refusal } = parseUntrustedJson(responseText).Response ?? {}
  if (refusal && !THEIRS.test(refusal.Code)) throw new SpeechRejectedError(refusal.Code, refusal.Message ?? '')
  if (typeof Audio !== 'string' || !Audio) throw new Error(refusal?.Code ?? `HTTP ${answer.status} without a sound`)
  return Buffer.from(Audio, 'base64')
}
