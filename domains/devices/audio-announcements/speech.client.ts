import { classifyExternalFailure } from '#kit/server/request/egress.ts'
import { joinSounds, readWav, UnreadableSoundError, type SampledSound } from './sound.ts'
import { speakByAliyun } from './speech-aliyun.client.ts'
import { speakByAzure } from './speech-azure.client.ts'
import { speakLocally } from './speech-local.client.ts'
import { speakByTencent } from './speech-tencent.client.ts'
import { SpeechRejectedError } from './speech-refused.ts'

export type SpeechVoice = 'female' | 'male' | 'child'

/** Account at a speech engine, decrypted from its row. */
export type SpeechEngineConfig = {
  category: 'local' | 'aliyun' | 'tencent' | 'azure'
  accessKey: string
  secretKey: string
  /** Aliyun only: the app key of the project. */
  appKey: string
  region: string
  /** Overrides the engine's address, for a proxy or a simulator. Empty for the default. */
  endpoint: string
  mayBeInside: boolean
  /** Overrides the engine's default voice names. */
  voices: Partial<Record<SpeechVoice, string>>
}

export type SpeechRequest = { text: string; voice: SpeechVoice; speed: number; pitch: number }

/** Text and voice settings of one call to an engine. */
type Part = { text: string; voice: string; speed: number; pitch: number }

/**
 * Returns a WAV file. Throws `SpeechRejectedError` when the engine rejects the request, any other error when it fails
 * or does not answer.
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

/** Returns the engine's own name for a voice. */
export const vendorVoiceName = (
  { category, voices }: Pick<SpeechEngineConfig, 'category' | 'voices'>,
  voice: SpeechVoice,
): string => voices[voice] || engines[category].voices[voice]

/**
 * Synthesises a text. Splits it into several calls where it exceeds the engine's limit, and joins them with a pause.
 */
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

/** Thrown when an engine fails or does not answer. Trying again may help. */
export class SpeechEngineUnavailableError extends Error {}

/** Splits a text into parts of at most `max` characters, after sentences where possible. */
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
