import { defineDict } from '#kit/resource/index.ts'

export const announcementDictionaries = [
  defineDict({
    code: 'audio_trigger',
    label: { zh: '播放时机', en: 'Playback trigger' },
    entries: [
      { key: 'enter', zh: '进店', en: 'On entry' },
      { key: 'leave', zh: '离店', en: 'On exit' },
      { key: 'manual', zh: '手动', en: 'Manual' },
      { key: 'schedule', zh: '定时', en: 'Scheduled' },
      { key: 'alarm', zh: '告警', en: 'On alarm' },
    ],
  }),
  defineDict({
    code: 'audio_voice',
    label: { zh: '音色', en: 'Voice' },
    entries: [
      { key: 'female', zh: '女声', en: 'Female' },
      { key: 'male', zh: '男声', en: 'Male' },
      { key: 'child', zh: '童声', en: 'Child' },
    ],
  }),
  defineDict({
    code: 'audio_state',
    label: { zh: '语音状态', en: 'Audio status' },
    entries: [
      { key: 'NONE', zh: '未生成', en: 'Not generated', colour: 'default' },
      { key: 'GENERATING', zh: '生成中', en: 'Generating', colour: 'processing' },
      { key: 'READY', zh: '可播放', en: 'Ready', colour: 'success' },
      { key: 'FAILED', zh: '生成失败', en: 'Failed', colour: 'error' },
    ],
  }),
  defineDict({
    code: 'speech_engine',
    label: { zh: '语音引擎', en: 'Text-to-speech engine' },
    entries: [
      { key: 'local', zh: '本机 espeak-ng', en: 'Local espeak-ng' },
      { key: 'aliyun', zh: '阿里云', en: 'Alibaba Cloud' },
      { key: 'tencent', zh: '腾讯云', en: 'Tencent Cloud' },
      { key: 'azure', zh: '微软 Azure', en: 'Microsoft Azure' },
    ],
  }),
]
