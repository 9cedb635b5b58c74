import { shopId } from '#domains/shops/index.ts'
import { defineResource, f, enabled, ownName } from '#kit/resource/index.ts'

/** Something a shop says. The words are kept here; making the sound and playing it come with the devices. */
export const audioConf = defineResource({
  name: 'audioConf',
  path: '/api/shop/audioConf',
  label: { zh: '语音播报', en: 'Announcement' },
  tenancy: 'tenant',
  scope: { shop: 'shopId' },
  menu: { under: 'device', path: '/device/audioConf', icon: 'sound', sort: 60 },
  title: 'name',
  fields: {
    name: ownName({ required: true, width: 140 }),
    shopId: shopId({ required: true }),
    text: f.longText({ label: { zh: '播报内容', en: 'Words' }, required: true, max: 500, width: 260 }),
    trigger: f.dict('audio_trigger', {
      label: { zh: '何时播放', en: 'When' },
      required: true,
      default: 'manual',
      search: 'eq',
      width: 110,
    }),
    cron: f.cron({
      label: { zh: '定时', en: 'Schedule' },
      help: { zh: '何时播放为“定时”时填写', en: 'When it is on a schedule' },
    }),
    voice: f.dict('audio_voice', { label: { zh: '音色', en: 'Voice' }, default: 'female', required: true, width: 90 }),
    speed: f.number({ label: { zh: '语速', en: 'Speed' }, min: 0.5, max: 2, decimals: 1, default: 1, width: 80 }),
    volume: f.number({ label: { zh: '音量', en: 'Volume' }, min: 0, max: 100, default: 70, width: 80 }),
    gbId: f.text({
      label: { zh: '国标通道编号', en: 'GB28181 channel' },
      max: 20,
      pattern: '^\\d{20}$',
      patternWords: { zh: '国标编号是 20 位数字', en: 'A GB28181 number has 20 digits' },
      sample: '34020000001370000001',
    }),
    audioUrl: f.file({ label: { zh: '音频文件', en: 'Sound' }, form: 'hidden' }),
    seconds: f.number({
      label: { zh: '时长', en: 'Length' },
      min: 0,
      form: 'hidden',
      unit: { zh: '秒', en: 's' },
      width: 80,
    }),
    enabled: enabled(),
  },
  list: {
    columns: ['name', 'shopId', 'enabled', 'text', 'trigger', 'voice', 'volume', 'seconds', 'updateTime'],
    sort: '-createTime',
  },
})
