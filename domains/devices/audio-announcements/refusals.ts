import { defineRefusals, type CodesOf } from '#kit/server/base/refused.ts'

const refusals = defineRefusals({
  audio_not_ready: {
    zh: '“{name}”还没有可播放的语音，请先生成语音',
    en: '“{name}” has no audio yet. Generate it first.',
    status: 409,
  },
  camera_has_no_voice: {
    zh: '没有接入视频平台，请选择门店网关播放',
    en: 'No video platform is connected. Select a store gateway.',
  },
  shop_without_gateway: {
    zh: '门店没有网关，无法播放',
    en: 'The store has no gateway to play audio',
  },
  no_speaker: {
    zh: '“{name}”没有扬声器，请选择门店网关',
    en: '“{name}” has no speaker. Select a store gateway.',
  },
  no_speech_engine: {
    zh: '没有启用的语音引擎，本机也没有装 espeak-ng。请启用引擎或上传录音',
    en: 'No text-to-speech engine is active and espeak-ng is not installed. Activate an engine or upload a recording.',
  },
  speech_too_long: {
    zh: '生成语音的内容不能超过 {max} 个字',
    en: 'Generated speech can have up to {max} characters',
  },
  recording_unusable: {
    zh: '录音应为上传到本系统的 WAV 或 MP3 文件',
    en: 'The recording must be a WAV or MP3 file uploaded to this system',
  },
})

declare module '#kit/server/base/refused.ts' {
  interface Refusals extends CodesOf<typeof refusals> {}
}
