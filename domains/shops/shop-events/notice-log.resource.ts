import { shopIdField } from '#domains/shops/shops/index.ts'
import { defineResource, f, reasonField } from '#kit/resource/index.ts'

/** One notification to one person on one channel, with its result. */
export const noticeLog = defineResource({
  name: 'noticeLog',
  path: '/api/shop/noticeLog',
  label: { zh: '通知记录', en: 'Notification log' },
  tenancy: 'tenant',
  indexedList: true,
  writer: 'system',
  retentionDays: 30,
  scope: { shop: 'shopId' },
  menu: { under: 'shop', path: '/shop/noticeLog', icon: 'send', sort: 72 },
  title: 'content',
  titleEn: 'contentEn',
  fields: {
    userId: f.ref('user', { label: { zh: '接收人', en: 'Recipient' }, labelKey: 'userName', search: 'eq', width: 110 }),
    channel: f.dict('notice_channel', { label: { zh: '渠道', en: 'Channel' }, search: 'eq', width: 90 }),
    receiver: f.text({ label: { zh: '接收地址', en: 'Recipient address' }, max: 64, width: 140 }),
    // Full number of a person without an account; never sent to clients.
    phone: f.phone({ label: { zh: '手机号', en: 'Mobile number' }, form: 'hidden', detail: false, secret: true }),
    template: f.dict('notice_template', { label: { zh: '类别', en: 'Category' }, search: 'eq', width: 100 }),
    content: f.text({ label: { zh: '内容', en: 'Content' }, max: 500, search: 'like', ngramIndex: true, width: 280 }),
    contentEn: f.text({
      label: { zh: '英文内容', en: 'Description (English)' },
      max: 500,
      form: 'hidden',
      detail: false,
    }),
    result: f.dict('notice_result', { label: { zh: '结果', en: 'Result' }, search: 'in', width: 110 }),
    error: reasonField({ max: 500, width: 220 }),
    retries: f.number({ sortable: false, label: { zh: '重试', en: 'Retries' }, width: 70 }),
    dueTime: f.datetime({ label: { zh: '应发时间', en: 'Scheduled' }, width: 160 }),
    sendTime: f.datetime({ label: { zh: '发送时间', en: 'Sent' }, search: 'range', width: 160 }),
    shopId: shopIdField(),
    eventId: f.ref('event', { label: { zh: '事件', en: 'Event' }, labelKey: 'eventContent', search: 'eq' }),
    subscribeId: f.ref('noticeSubscribe', {
      label: { zh: '订阅', en: 'Subscription' },
      labelKey: 'subscribeName',
      search: 'eq',
    }),
    batchId: f.text({ label: { zh: '短信批次', en: 'SMS batch' }, max: 40, form: 'hidden', detail: false }),
    wechatMessageId: f.ref('wechatMessage', {
      onRemoval: 'keep',
      label: { zh: '微信消息', en: 'WeChat message' },
      form: 'hidden',
      detail: false,
    }),
    // Prevents a second notification for the same occasion, person and channel.
    onceKey: f.text({
      label: { zh: '唯一标识', en: 'Idempotency key' },
      max: 160,
      form: 'hidden',
      detail: false,
      secret: true,
    }),
  },
  list: {
    columns: ['createTime', 'userId', 'channel', 'content', 'result', 'error', 'sendTime', 'shopId', 'retries'],
    time: 'createTime',
  },
  unique: [['onceKey']],
  indexes: [['userId', 'createTime'], ['result', 'dueTime'], ['eventId']],
})
