import { shopIdField } from '#domains/shops/shops/index.ts'
import { defineResource, f } from '#kit/resource/index.ts'
import { RETRYABLE_ACTION_STATES } from './dictionaries.ts'

/**
 * An action on an order that a platform is asked to perform: stored before the call, done when the platform confirms
 * it.
 */
export const platformAsk = defineResource({
  name: 'platformAsk',
  path: '/api/thirdparty/platformAsk',
  label: { zh: '外卖订单操作', en: 'Platform command' },
  tenancy: 'tenant',
  writer: 'platform',
  scope: { shop: 'shopId' },
  menu: { under: 'order', path: '/order/platformAsk', icon: 'api', sort: 60 },
  title: 'platformOrderNo',
  remove: false,
  fields: {
    platform: f.dict('third_platform', {
      label: { zh: '平台', en: 'Platform' },
      form: 'read',
      search: 'eq',
      width: 100,
    }),
    kind: f.dict('platform_ask_kind', { label: { zh: '操作', en: 'Command' }, form: 'read', search: 'eq', width: 110 }),
    platformOrderNo: f.text({
      label: { zh: '平台订单号', en: 'Platform order no.' },
      max: 64,
      form: 'read',
      search: 'eq',
      width: 190,
    }),
    shopId: shopIdField({ form: 'read' }),
    shopThere: f.text({ label: { zh: '平台门店', en: 'Platform store' }, max: 20, form: 'hidden', detail: false }),
    refundNo: f.text({
      label: { zh: '退款或配送编号', en: 'Refund or delivery no.' },
      max: 64,
      form: 'read',
      width: 150,
    }),
    riderName: f.text({ label: { zh: '配送员', en: 'Courier' }, max: 50, form: 'read', width: 100 }),
    riderPhone: f.phone({ label: { zh: '配送员电话', en: 'Courier phone' }, mask: 'phone', form: 'read' }),
    reason: f.text({ label: { zh: '原因', en: 'Reason' }, max: 200, form: 'read', width: 180 }),
    reasonCode: f.text({ label: { zh: '原因代码', en: 'Reason code' }, max: 20, form: 'read' }),
    lines: f.json({ label: { zh: '退款商品', en: 'Refunded products' }, form: 'hidden', detail: false }),
    known: f.json({ label: { zh: '已有退款', en: 'Earlier refunds' }, form: 'hidden', detail: false }),
    state: f.dict('platform_ask_state', {
      label: { zh: '状态', en: 'Status' },
      form: 'read',
      search: 'in',
      width: 130,
    }),
    tries: f.number({ label: { zh: '尝试次数', en: 'Attempts' }, min: 0, default: 0, form: 'read', width: 90 }),
    failReason: f.text({ label: { zh: '失败原因', en: 'Failure reason' }, max: 500, form: 'read', width: 220 }),
    askUntil: f.datetime({ label: { zh: '最晚查询到', en: 'Check until' }, form: 'read', width: 160 }),
    doneTime: f.datetime({ label: { zh: '完成时间', en: 'Completed' }, form: 'read', width: 160 }),
  },
  list: {
    columns: [
      'createTime',
      'platform',
      'kind',
      'platformOrderNo',
      'shopId',
      'state',
      'reason',
      'failReason',
      'doneTime',
    ],
    time: 'createTime',
    sort: '-createTime',
  },
  row: { title: ['kind', 'shopId'], sub: ['platform', 'reason', '…platformOrderNo'] },
  actions: {
    askNow: {
      on: 'row',
      label: { zh: '立即查询', en: 'Check now' },
      confirm: {
        zh: '现在再查一次？先看平台上的订单，已经做过的不会再做',
        en: 'Check the platform again now? The order is read first. Nothing is done twice.',
      },
      icon: 'sync',
      hideWhenDisabled: true,
      enabled: { state: { in: RETRYABLE_ACTION_STATES } },
    },
  },
  unique: [['platform', 'platformOrderNo', 'kind', 'refundNo']],
})
