import { postExternal } from '#kit/server/request/external-request.ts'
import { SpeechRejectedError } from './speech-refused.ts'
import type { SpeechSynthesizer } from './speech.client.ts'

const escaped = (text: string) => text.replace(/[<>&'"]/g, (sign) => `&#${sign.codePointAt(0)};`)
const percent = (times: number) => `${times < 1 ? '' : '+'}${Math.round((times - 1) * 100)}%`

/** Regions in China have a host name of their own. */
const hostOf = (region: string) =>
  `https://${region}.tts.speech.${region.startsWith('china') ? 'azure.cn' : 'microsoft.com'}`

export const speakByAzure: SpeechSynthesizer = async (config, { text, voice, speed, pitch }, timeoutMs) => {
  const prosody = `<prosody rate="${percent(speed)}" pitch="${percent(1 + (pitch - 1) / 2)}">${escaped(text)}</prosody>`
  const answer = await postExternal({
    url: new URL('/cognitiveservices/v1', config.endpoint || hostOf(config.region)).href,
    body: `<speak version="1.0" xml:lang="zh-CN"><voice name="${escaped(voice)}">${prosody}</voice></speak>`,
    contentType: 'application/ssml+xml',
    headers: {
      'ocp-apim-subscription-key': config.secretKey,
      'x-microsoft-outputformat': 'riff-16khz-16bit-mono-pcm',
      'user-agent': 'store-office',
    },
    timeoutMs,
    answers: 'media',
    mayBeInside: config.mayBeInside,
  })
  if (answer.status === 200) return answer.body
  // These mean busy or broken, so the job tries again. Any other status rejects the request itself.
  if (answer.status === 429 || answer.status >= 500 || answer.status < 400) throw new Error(`HTTP ${answer.status}`)
  throw new SpeechRejectedError(`HTTP ${answer.status}`, answer.body.toString('utf8').slice(0, 200))
}
