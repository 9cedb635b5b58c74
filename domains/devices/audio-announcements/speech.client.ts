import { classifyExternalFailure } from '#kit/server/request/egress.ts'
import { joinSounds, readWav, UnreadableSoundError, type SampledSound } from './sound.ts'
import { speakByAliyun } from './speech-aliyun.client.ts'
import { speakByAzure } from './speech-azure.client.ts'
import { speakLocally } from './speech-local.client.ts'
import { speakByTencent } from './speech-tencent.client.ts'
import { SpeechRejectedError } from './speech-refused.ts'

export type SpeechVoice = 'female' | 'male' | 'child'

/** One account at an engine, as a row of the screen holds it. */
export type SpeechEngineConfig = {
  category: 'local' | 'aliyun' | 'tencent' | 'azure'
  accessKey: string
  secretKey: string
  /** Aliyun: the project's key. */
  appKey: string
  region: string
  /** Another address of the engine: a proxy or a simulator. */
  endpoint: string
  mayBeInside: boolean
  /** Names of voices at the engine, where others than the usual ones are wanted. */
  voices: Partial<Record<SpeechVoice, string>>
}

export type SpeechRequest = { text: string; voice: SpeechVoice; speed: number; pitch: number }

/** What one call to an engine says. */
type Part = { text: string; voice: string; speed: number; pitch: number }

/**
 * Answers a WAV file; throws `SpeechRejectedError` for what the engine says no to, anything else when it did not
 * answer.
 */
export type SpeechSynthesizer = (config: SpeechEngineConfig, part: Part, timeoutMs: number) => Promise<Buffer>

type Engine = { speak: SpeechSynthesizer; signsMax: number; voices: Record<SpeechVoice, string> }

const engines: Record<SpeechEngineConfig['category'], Engine> = {
  local: { speak: speakLocally, signsMax: 300, voices: { female: 'cmn+f3', male: 'cmn+m3', child: 'cmn+f5' } },
  aliyun: { speak: speakByAliyun, signsMax: 300, voices: { female: 'xiaoyun', male: 'xiaogang', child: 'sitong' } },
  tencent: { speak: speakByTencent, signsMax: 150, voices: { female: '101001', male: '101004', child: '101015' } },
  azure: {
    speak: speakByAzure,
    signsMax: 300,
    voices: { female: 'zh-CN-XiaoxiaoNeural', male: 'zh-CN-YunxiNeural', child: 'zh-CN-XiaoshuangNeural' },
  },
}

const TIMEOUT_MS = 30_000
const PAUSE_MS = 200

/** The engine's own name of a voice. */
export const vendorVoiceName = (
  { category, voices }: Pick<SpeechEngineConfig, 'category' | 'voices'>,
  voice: SpeechVoice,
): string => voices[voice] || engines[category].voices[voice]

/** Says a text: in several calls where the engine takes no more at once, joined with a breath between them. */
export async function speak(
  config: SpeechEngineConfig,
  speech: SpeechRequest,
  timeoutMs = TIMEOUT_MS,
): Promise<SampledSound> {
  const { speak: ask, signsMax } = engines[config.category]
  const voice = vendorVoiceName(config, speech.voice)
  const sounds: SampledSound[] = []
  for (const text of splitTextForSpeech(speech.text, signsMax)) {
    const file = await ask(config, { ...speech, text, voice }, timeoutMs).catch((error: unknown) => {
      throw error instanceof SpeechRejectedError
        ? error
        : new SpeechEngineUnavailableError(classifyExternalFailure(error), { cause: error })
    })
    try {
      sounds.push(readWav(file))
    } catch (error) {
      if (error instanceof UnreadableSoundError) throw new SpeechRejectedError('no_sound', error.message)
      throw error
    }
  }
  return joinSounds(sounds, PAUSE_MS)
}

/** The engine did not answer; asked again it may. */
export class SpeechEngineUnavailableError extends Error {}

/** A text in parts of at most so many signs, broken after sentences where there are some. */
export function splitTextForSpeech(text: string, max: number): string[] {
  const parts: string[] = []
  let part = ''
  const sentences = text.match(/[^。！？；.!?;\n]*[。！？；.!?;\n]*/g)!.flatMap((one) => cut(one.trim(), max))
  for (const sentence of sentences) {
    if (part && Array.from(part).length + Array.from(sentence).length > max) {
      parts.push(part)
      part = ''
    }
    part += sentence
  }
  return part ? [...parts, part] : parts
}

function cut(text: string, max: number): string[] {
  const signs = Array.from(text)
  const parts: string[] = []
  for (let at = 0; at < signs.length; at += max) parts.push(signs.slice(at, at + max).join(''))
  return parts
}
