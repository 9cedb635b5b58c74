import { defineDict } from '#kit/resource/index.ts'

export const announcementDictionaries = [
  defineDict({
    code: 'audio_trigger',
    label: { zh: '播放时机', en: 'When it is said' },
    entries: [
      { key: 'enter', zh: '进店', en: 'On entering' },
      { key: 'leave', zh: '离店', en: 'On leaving' },
      { key: 'manual', zh: '手动', en: 'By hand' },
      { key: 'schedule', zh: '定时', en: 'On a schedule' },
      { key: 'alarm', zh: '告警', en: 'On an alarm' },
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
    label: { zh: '语音状态', en: 'State of a sound' },
    entries: [
      { key: 'NONE', zh: '未生成', en: 'Not made', colour: 'default' },
      { key: 'GENERATING', zh: '生成中', en: 'Being made', colour: 'processing' },
      { key: 'READY', zh: '可播放', en: 'Ready', colour: 'success' },
      { key: 'FAILED', zh: '生成失败', en: 'Failed', colour: 'error' },
    ],
  }),
  defineDict({
    code: 'speech_engine',
    label: { zh: '语音引擎', en: 'Speech engine' },
    entries: [
      { key: 'local', zh: '本机 espeak-ng', en: 'espeak-ng on this machine' },
      { key: 'aliyun', zh: '阿里云', en: 'Alibaba Cloud' },
      { key: 'tencent', zh: '腾讯云', en: 'Tencent Cloud' },
      { key: 'azure', zh: '微软 Azure', en: 'Microsoft Azure' },
    ],
  }),
]
