import { shopIdsField } from '#domains/shops/shops/index.ts'
import { defineDict, defineResource, f, remarkField } from '#kit/resource/index.ts'

export const noticeChannels = ['site', 'sms', 'wechat'] as const
export type NoticeChannel = (typeof noticeChannels)[number]

export const noticeDictionaries = [
  defineDict({
    code: 'notice_channel',
    label: { zh: '通知渠道', en: 'Notification channel' },
    entries: [
      { key: 'site', zh: '站内', en: 'In-app', colour: 'geekblue' },
      { key: 'sms', zh: '短信', en: 'SMS', colour: 'default' },
      { key: 'wechat', zh: '微信', en: 'WeChat', colour: 'success' },
    ],
  }),
  defineDict({
    code: 'notice_template',
    label: { zh: '通知内容类别', en: 'Notification category' },
    entries: [
      { key: 'event', zh: '门店事件', en: 'Store event' },
      { key: 'work', zh: '工单', en: 'Work order' },
      { key: 'lead', zh: '加盟跟进', en: 'Franchise lead' },
      { key: 'flow', zh: '流程', en: 'Workflow' },
      { key: 'report', zh: '报表', en: 'Report' },
      { key: 'personal', zh: '个人信息', en: 'Personal data' },
    ],
  }),
  defineDict({
    code: 'notice_result',
    label: { zh: '通知结果', en: 'Notification result' },
    entries: [
      { key: 'asked', zh: '待发送', en: 'Queued', colour: 'warning' },
      { key: 'sent', zh: '已发送', en: 'Sent', colour: 'success' },
      { key: 'failed', zh: '发送失败', en: 'Failed', colour: 'error' },
      { key: 'undeliverable', zh: '无法送达', en: 'Undeliverable', colour: 'error' },
      { key: 'unconfirmed', zh: '已提交，未确认', en: 'Awaiting confirmation', colour: 'warning' },
      { key: 'dropped', zh: '不再需要', en: 'No longer needed', colour: 'default' },
    ],
  }),
]

const subscriber = { zh: '订阅人', en: 'Subscriber' }
const what = { zh: '通知内容', en: 'Notifications' }
const when = { zh: '免打扰', en: 'Quiet hours' }
const clock = {
  max: 5,
  pattern: '^([01]\\d|2[0-3]):[0-5]\\d$',
  patternWords: { zh: '时间格式应为 22:00', en: 'Enter a time, for example, 22:00' },
  group: when,
  width: 90,
}

/** Subscription of a person to types of events: channels, shops and quiet hours. */
export const noticeSubscribe = defineResource({
  name: 'noticeSubscribe',
  path: '/api/shop/noticeSubscribe',
  label: { zh: '通知订阅', en: 'Notification subscription' },
  tenancy: 'tenant',
  menu: { under: 'shop', path: '/shop/noticeSubscribe', icon: 'bell', sort: 70 },
  title: 'userId',
  fields: {
    userId: f.ref('user', {
      onRemoval: 'remove',
      label: { zh: '账号', en: 'Account' },
      labelKey: 'userName',
      search: 'eq',
      group: subscriber,
      width: 120,
    }),
    openid: f.text({
      label: { zh: '微信 OpenID', en: 'WeChat OpenID' },
      max: 64,
      search: 'eq',
      group: subscriber,
      help: {
        zh: '没有账号时，按店主微信绑定的账号通知',
        en: 'Without an account, the account linked to this WeChat is notified',
      },
    }),
    shopIds: shopIdsField({
      group: what,
      width: 220,
      help: { zh: '留空为此人看得到的所有门店', en: 'Leave blank for all stores the person can see' },
    }),
    eventTypes: f.dicts('event_type', {
      label: { zh: '事件类型', en: 'Event types' },
      required: true,
      search: 'in',
      group: what,
      width: 260,
    }),
    channels: f.dicts('notice_channel', {
      label: { zh: '渠道', en: 'Channels' },
      required: true,
      search: 'in',
      group: what,
      width: 140,
    }),
    quietStart: f.text({
      label: { zh: '免打扰开始', en: 'Quiet hours start' },
      requiredWhen: { quietEnd: { ne: '' } },
      sample: (n: number) => `22:${String(n % 60).padStart(2, '0')}`,
      ...clock,
    }),
    quietEnd: f.text({
      label: { zh: '免打扰结束', en: 'Quiet hours end' },
      requiredWhen: { quietStart: { ne: '' } },
      sample: (n: number) => `07:${String(n % 60).padStart(2, '0')}`,
      ...clock,
      help: {
        zh: '其间的通知等到结束再发；紧急事件照发',
        en: 'Notifications wait until the end. Urgent events are sent anyway.',
      },
    }),
    enabled: f.boolean({ label: { zh: '启用', en: 'Active' }, default: true, search: 'eq', group: when, width: 80 }),
    remark: remarkField(),
  },
  list: {
    inline: ['enabled'],
    bulk: ['enabled'],
    columns: ['userId', 'eventTypes', 'channels', 'enabled', 'shopIds', 'quietStart', 'quietEnd', 'updateTime'],
    time: false,
  },
  row: { sub: ['eventTypes', 'channels'], state: 'enabled' },
  indexes: [['userId']],
})
