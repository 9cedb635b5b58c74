import { listBarcodeForms } from '#domains/catalogue/products/index.ts'
import { shopIdField } from '#domains/shops/shops/index.ts'
import { defineResource, f } from '#kit/resource/index.ts'

const judging = { zh: '判定', en: 'Review' }

/**
 * Something a run reports to have seen, with its confidence and the box in the picture; a person judges it right or
 * wrong. Until then, seeing the same kind at the same place again only raises its count.
 */
export const aiFinding = defineResource({
  name: 'aiFinding',
  path: '/api/shop/aiFinding',
  label: { zh: 'AI 发现', en: 'AI detection' },
  tenancy: 'tenant',
  writer: 'system',
  retentionDays: 1,
  scope: { shop: 'shopId' },
  menu: { under: 'ai', path: '/ai/aiFinding', icon: 'eye', sort: 15 },
  title: 'said',
  fields: {
    said: f.text({ label: { zh: '发现', en: 'Detection' }, max: 200, form: 'read', search: 'like', width: 220 }),
    picture: f.picture({ label: { zh: '图片', en: 'Image' }, form: 'read', width: 110 }),
    type: f.dict('ai_finding', { label: { zh: '类型', en: 'Type' }, form: 'read', search: 'in', width: 110 }),
    confidence: f.percent({ label: { zh: '把握', en: 'Confidence' }, form: 'read', width: 90 }),
    box: f.json({ label: { zh: '位置', en: 'Location' }, form: 'hidden', detail: false }),
    advice: f.text({ label: { zh: '建议', en: 'Recommendation' }, max: 300, form: 'read', width: 200 }),
    upc: f.text({
      forms: listBarcodeForms,
      label: { zh: '商品条码', en: 'Barcode' },
      max: 64,
      form: 'read',
      search: 'eq',
      width: 130,
    }),
    taskId: f.ref('aiTask', {
      label: { zh: '任务', en: 'Task' },
      labelKey: 'taskName',
      form: 'read',
      search: 'eq',
      width: 150,
    }),
    logId: f.ref('aiTaskLog', { label: { zh: '运行', en: 'Run' }, labelKey: 'logName', form: 'read', search: 'eq' }),
    shopId: shopIdField({ form: 'read' }),
    targetName: f.text({ label: { zh: '对象', en: 'Subject' }, max: 200, form: 'read', width: 140 }),
    count: f.number({ label: { zh: '次数', en: 'Occurrences' }, form: 'read', default: 1, width: 80 }),
    firstTime: f.datetime({ label: { zh: '首次', en: 'First seen' }, form: 'read', width: 160 }),
    lastTime: f.datetime({ label: { zh: '最近', en: 'Last seen' }, form: 'read', search: 'range', width: 160 }),
    // Unique among unjudged findings, so that a place and kind has only one; cleared by the judgement.
    openKey: f.text({ label: { zh: '未判定标识', en: 'Open key' }, max: 200, form: 'hidden', detail: false }),
    // Subject of the event or work order the finding led to, which tells causes apart while that is open.
    subject: f.text({ label: { zh: '标识', en: 'Fingerprint' }, max: 100, form: 'hidden', detail: false }),
    eventId: f.ref('event', { label: { zh: '门店事件', en: 'Store event' }, labelKey: 'eventName', form: 'read' }),
    workId: f.ref('workInfo', { label: { zh: '工单', en: 'Work order' }, labelKey: 'workName', form: 'read' }),
    verdict: f.dict('ai_verdict', {
      label: { zh: '判定', en: 'Review' },
      form: 'read',
      default: 'open',
      search: 'in',
      group: judging,
      width: 100,
    }),
    judge: f.ref('user', {
      label: { zh: '判定人', en: 'Reviewed by' },
      labelKey: 'judgeName',
      form: 'read',
      group: judging,
      width: 110,
    }),
    judgeTime: f.datetime({ label: { zh: '判定时间', en: 'Reviewed' }, form: 'read', group: judging, width: 160 }),
  },
  list: {
    columns: [
      'said',
      'picture',
      'type',
      'confidence',
      'verdict',
      'taskId',
      'shopId',
      'targetName',
      'count',
      'firstTime',
      'lastTime',
    ],
    time: 'lastTime',
    sort: '-lastTime',
  },
  row: { sub: ['shopId', 'taskId'], state: 'verdict', act: 'right' },
  unique: [['openKey']],
  indexes: [['taskId', 'verdict'], ['logId'], ['verdict', 'createTime']],
  actions: {
    right: {
      on: 'row',
      bulk: true,
      label: { zh: '判为正确', en: 'Confirm' },
      icon: 'check',
      enabled: { verdict: { ne: 'right' } },
    },
    wrong: {
      on: 'row',
      bulk: true,
      label: { zh: '判为误报', en: 'Mark as false alarm' },
      icon: 'close',
      enabled: { verdict: { ne: 'wrong' } },
    },
  },
})
