import { periodStateField } from '#domains/sales/customers/index.ts'
import {
  defineResource,
  f,
  enabledField,
  remarkField,
  startTimeField,
  endTimeField,
  sortOrderField,
} from '#kit/resource/index.ts'

/** A picture of the mini program's carousel. */
export const bannerConf = defineResource({
  name: 'bannerConf',
  path: '/api/shop/bannerConf',
  label: { zh: '轮播图', en: 'Banner' },
  tenancy: 'tenant',
  menu: { under: 'marketing', path: '/marketing/bannerConf', icon: 'picture', sort: 40 },
  title: 'title',
  fields: {
    title: f.text({ label: { zh: '标题', en: 'Title' }, required: true, max: 50, search: 'like', width: 180 }),
    position: f.dict('banner_position', {
      label: { zh: '位置', en: 'Position' },
      required: true,
      default: 'home',
      search: 'eq',
      width: 130,
    }),
    picture: f.picture({
      label: { zh: '图片', en: 'Image' },
      required: true,
      maxKb: 2048,
      width: 160,
      help: { zh: '建议 750 × 320', en: '750 × 320 recommended' },
    }),
    link: f.text({
      label: { zh: '跳转链接', en: 'Link' },
      max: 300,
      pattern: '^(https?://|/).+',
      patternWords: { zh: '链接以 http(s):// 或 / 开头', en: 'A link starts with http(s):// or /' },
      sample: '/pages/goods/index',
      wide: true,
      width: 200,
      help: {
        zh: '小程序页面以 / 开头；不填则不跳转',
        en: 'Mini program pages start with /. Leave blank for no link.',
      },
    }),
    startTime: startTimeField({ help: { zh: '不填则立即展示', en: 'Leave blank to show immediately' } }),
    endTime: endTimeField({ help: { zh: '不填则长期展示', en: 'Leave blank for no end' } }),
    state: periodStateField(),
    sort: sortOrderField(),
    enabled: enabledField(),
    remark: remarkField(),
  },
  list: {
    columns: ['picture', 'title', 'position', 'state', 'enabled', 'startTime', 'endTime', 'link', 'sort'],
    sort: 'sort',
  },
  indexes: [['position', 'sort']],
})
