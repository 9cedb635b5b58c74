import { periodStateField } from '#domains/sales/customers/index.ts'
import { allShopsIfEmptyFieldOptions, shopIdsField } from '#domains/shops/shops/index.ts'
import {
  defineResource,
  f,
  enabledField,
  remarkField,
  nameField,
  startTimeField,
  endTimeField,
} from '#kit/resource/index.ts'

const when = { zh: '播放安排', en: 'Schedule' }
const clock = '^([01]\\d|2[0-3]):[0-5]\\d$'
const clockWords = { zh: '时刻写作 08:30', en: 'Enter a time, for example, 08:30' }

/** An ad that the screens in the shops play. */
export const advertising = defineResource({
  name: 'advertising',
  path: '/api/shop/advertising',
  label: { zh: '广告', en: 'Ad' },
  tenancy: 'tenant',
  menu: { under: 'marketing', path: '/marketing/advertising', icon: 'play-circle', sort: 50 },
  title: 'name',
  fields: {
    name: nameField({ required: true, width: 180 }),
    screen: f.dict('advert_screen', {
      label: { zh: '屏幕', en: 'Screen' },
      required: true,
      default: 'register',
      search: 'eq',
      width: 110,
    }),
    type: f.dict('advert_type', {
      label: { zh: '类型', en: 'Type' },
      required: true,
      default: 'picture',
      search: 'eq',
      width: 80,
    }),
    material: f.file({
      label: { zh: '素材', en: 'Creative' },
      required: true,
      maxKb: 51_200,
      width: 160,
      help: { zh: '图片或 MP4 视频，最大 50 MB', en: 'An image or MP4 video, up to 50 MB' },
    }),
    seconds: f.number({
      label: { zh: '时长', en: 'Duration' },
      required: true,
      min: 3,
      max: 600,
      default: 10,
      width: 80,
    }),
    shopIds: shopIdsField({ ...allShopsIfEmptyFieldOptions, width: 150 }),
    startTime: startTimeField({ group: when }),
    endTime: endTimeField({ group: when }),
    dayStart: f.text({
      label: { zh: '每日开始', en: 'Daily start' },
      requiredWhen: { dayEnd: { ne: '' } },
      max: 5,
      pattern: clock,
      patternWords: clockWords,
      sample: '08:00',
      group: when,
      width: 90,
      help: { zh: '不填则全天播放', en: 'Leave blank to play all day' },
    }),
    dayEnd: f.text({
      label: { zh: '每日结束', en: 'Daily end' },
      requiredWhen: { dayStart: { ne: '' } },
      max: 5,
      pattern: clock,
      patternWords: clockWords,
      sample: '22:00',
      group: when,
      width: 90,
      help: { zh: '早于每日开始即跨零点', en: 'Earlier than the daily start means past midnight' },
    }),
    state: periodStateField(),
    sort: f.number({ label: { zh: '播放顺序', en: 'Play order' }, min: 0, default: 0, group: when, width: 90 }),
    enabled: enabledField(),
    remark: remarkField(),
  },
  list: {
    columns: [
      'name',
      'screen',
      'type',
      'enabled',
      'material',
      'seconds',
      'state',
      'startTime',
      'endTime',
      'dayStart',
      'dayEnd',
      'shopIds',
    ],
    sort: 'sort',
  },
  indexes: [['screen', 'sort']],
})
