import { shopIdField } from '#domains/shops/shops/index.ts'
import {
  defineResource,
  f,
  enabledField,
  nameField,
  objectSchema,
  rowIdSchema,
  textSchema,
} from '#kit/resource/index.ts'

const words = { zh: '内容', en: 'Content' }
const playing = { zh: '播放', en: 'Playback' }
const sound = { zh: '语音', en: 'Audio' }

/** An announcement of a shop: synthesised text or a recording, played on a schedule, on an event, or by hand. */
export const audioConf = defineResource({
  name: 'audioConf',
  path: '/api/shop/audioConf',
  label: { zh: '语音播报', en: 'Voice announcement' },
  tenancy: 'tenant',
  scope: { shop: 'shopId' },
  menu: { under: 'device', path: '/device/audioConf', icon: 'sound', sort: 60 },
  title: 'name',
  fields: {
    name: nameField({ required: true, width: 140, group: words }),
    shopId: shopIdField({ required: true, group: words }),
    text: f.longText({
      label: { zh: '播报内容', en: 'Content' },
      required: true,
      max: 500,
      width: 260,
      group: words,
    }),
    voice: f.dict('audio_voice', {
      label: { zh: '音色', en: 'Voice' },
      default: 'female',
      required: true,
      width: 90,
      group: words,
    }),
    speed: f.number({
      label: { zh: '语速', en: 'Speed' },
      min: 0.5,
      max: 2,
      decimals: 1,
      default: 1,
      width: 80,
      group: words,
    }),
    pitch: f.number({
      label: { zh: '音调', en: 'Pitch' },
      min: 0.5,
      max: 1.5,
      decimals: 1,
      default: 1,
      width: 80,
      group: words,
    }),
    recording: f.file({
      label: { zh: '录音', en: 'Recording' },
      accept: ['.wav', '.mp3'],
      help: {
        zh: 'WAV 或 MP3；上传后播放录音，不再合成语音',
        en: 'WAV or MP3. If uploaded, the recording is played and no speech is generated.',
      },
      group: words,
    }),
    trigger: f.dict('audio_trigger', {
      label: { zh: '何时播放', en: 'Play when' },
      required: true,
      default: 'manual',
      search: 'eq',
      width: 110,
      group: playing,
    }),
    cron: f.cron({
      label: { zh: '定时', en: 'Schedule' },
      requiredWhen: { trigger: { eq: 'schedule' } },
      help: { zh: '何时播放为“定时”时填写', en: 'Required when “Play when” is “Scheduled”' },
      group: playing,
    }),
    alarmTypes: f.dicts('event_type', {
      label: { zh: '告警类型', en: 'Alarm types' },
      help: {
        zh: '何时播放为“告警”时有效；不选为所有紧急事件',
        en: 'Applies when “Play when” is “On alarm”. Leave blank for all urgent events.',
      },
      width: 160,
      group: playing,
    }),
    volume: f.number({
      label: { zh: '音量', en: 'Volume' },
      min: 0,
      max: 100,
      default: 70,
      width: 80,
      group: playing,
    }),
    times: f.number({
      label: { zh: '遍数', en: 'Repetitions' },
      min: 1,
      max: 5,
      default: 1,
      width: 80,
      group: playing,
    }),
    gbId: f.text({
      label: { zh: '国标通道编号', en: 'GB28181 channel' },
      max: 20,
      pattern: '^\\d{20}$',
      patternWords: { zh: '国标编号是 20 位数字', en: 'A GB28181 ID has 20 digits' },
      sample: '34020000001370000001',
      group: playing,
    }),
    enabled: enabledField({ group: playing }),
    state: f.dict('audio_state', {
      label: { zh: '语音状态', en: 'Audio status' },
      form: 'hidden',
      default: 'NONE',
      search: 'eq',
      width: 110,
      systemUpdated: true,
      group: sound,
    }),
    failReason: f.text({
      label: { zh: '失败原因', en: 'Failure reason' },
      max: 300,
      form: 'hidden',
      systemUpdated: true,
      group: sound,
    }),
    audioUrl: f.file({
      label: { zh: '音频文件', en: 'Audio file' },
      form: 'hidden',
      systemUpdated: true,
      group: sound,
    }),
    // A copy of the sound for cameras, which only play A-law.
    alawUrl: f.file({
      label: { zh: 'A 律音频', en: 'A-law audio' },
      form: 'hidden',
      detail: false,
      systemUpdated: true,
      group: sound,
    }),
    seconds: f.number({
      label: { zh: '时长', en: 'Duration' },
      min: 0,
      form: 'hidden',
      unit: { zh: '秒', en: 's' },
      width: 80,
      systemUpdated: true,
      group: sound,
    }),
    // Id of the latest request to generate the sound. Results of older requests are discarded.
    soundAsk: f.text({
      label: { zh: '生成请求', en: 'Generation request' },
      max: 32,
      form: 'hidden',
      detail: false,
      secret: true,
      systemUpdated: true,
    }),
  },
  list: {
    columns: ['name', 'shopId', 'enabled', 'state', 'text', 'trigger', 'seconds', 'voice', 'volume', 'updateTime'],
    time: false,
    sort: '-createTime',
  },
  indexes: [['trigger']],
  actions: {
    genAudio: {
      on: 'row',
      label: { zh: '生成语音', en: 'Generate audio' },
      answer: objectSchema({ id: rowIdSchema, state: textSchema }),
      icon: 'sound',
    },
  },
  permissions: { play: { zh: '播放', en: 'Play' } },
})
