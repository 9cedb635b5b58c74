import { periodStateField } from '#domains/sales/customers/index.ts'
import { defineResource, f, remarkField, startTimeField, endTimeField } from '#kit/resource/index.ts'

/** An article about current offers: read in the mini program, copied into chat groups, or printed. */
export const marketingInfo = defineResource({
  name: 'marketingInfo',
  path: '/api/shop/marketingInfo',
  label: { zh: '营销内容', en: 'Content' },
  tenancy: 'tenant',
  menu: { under: 'marketing', path: '/marketing/marketingInfo', icon: 'read', sort: 60 },
  title: 'title',
  fields: {
    title: f.text({ label: { zh: '标题', en: 'Title' }, required: true, max: 80, search: 'like', width: 240 }),
    cover: f.picture({ label: { zh: '封面', en: 'Cover' }, maxKb: 2048, width: 90 }),
    channel: f.dict('marketing_channel', {
      label: { zh: '渠道', en: 'Channel' },
      required: true,
      default: 'mini',
      search: 'eq',
      width: 120,
    }),
    discountConfId: f.ref('discountConf', {
      label: { zh: '关联活动', en: 'Related promotion' },
      labelKey: 'discountConfName',
      search: 'eq',
      width: 160,
    }),
    startTime: startTimeField(),
    endTime: endTimeField(),
    state: periodStateField(),
    enabled: f.boolean({ label: { zh: '发布', en: 'Published' }, default: true, search: 'eq', width: 80 }),
    readCount: f.number({ label: { zh: '阅读数', en: 'Views' }, form: 'read', default: 0, width: 90 }),
    body: f.richText({ label: { zh: '正文', en: 'Body' }, required: true, max: 50_000, heavy: true, wide: true }),
    remark: remarkField(),
  },
  list: {
    columns: ['title', 'cover', 'channel', 'enabled', 'discountConfId', 'state', 'startTime', 'endTime', 'readCount'],
    time: false,
    sort: '-createTime',
  },
  indexes: [['channel', 'createTime']],
})
