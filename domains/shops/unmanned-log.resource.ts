import { shopId } from './basic-shop-info.resource.ts'
import { defineDict, defineResource, f, startTime } from '#kit/resource/index.ts'

export const unmannedDictionaries = [
  defineDict({
    code: 'unmanned_trigger',
    label: { zh: '无人值守触发', en: 'Start of an unattended period' },
    entries: [
      { key: 'schedule', zh: '定时', en: 'By schedule' },
      { key: 'staff', zh: '店内人员', en: 'By staff' },
      { key: 'remote', zh: '后台', en: 'From the office' },
    ],
  }),
  defineDict({
    code: 'unmanned_status',
    label: { zh: '无人值守状态', en: 'State of an unattended period' },
    entries: [
      { key: '1', zh: '值守中', en: 'Going on', colour: 'processing' },
      { key: '2', zh: '已结束', en: 'Over', colour: 'default' },
    ],
  }),
]

/** A time without anybody in the shop. Its orders and takings are counted when it ends. */
export const unmannedLog = defineResource({
  name: 'unmannedLog',
  path: '/api/shop/unmannedLog',
  label: { zh: '无人值守记录', en: 'Unattended period' },
  tenancy: 'tenant',
  writer: 'device',
  scope: { shop: 'shopId' },
  menu: { under: 'shop', path: '/shop/unmannedLog', icon: 'moon', sort: 38 },
  title: 'startTime',
  fields: {
    shopId: shopId({ width: 160 }),
    status: f.dict('unmanned_status', { label: { zh: '状态', en: 'State' }, numeric: true, search: 'eq', width: 100 }),
    startTime: startTime(),
    endTime: f.datetime({ label: { zh: '结束时间', en: 'Until' }, width: 160 }),
    trigger: f.dict('unmanned_trigger', { label: { zh: '触发方式', en: 'Started' }, search: 'eq', width: 110 }),
    startUser: f.ref('user', { label: { zh: '开始人', en: 'Started by' }, labelKey: 'startUserName', width: 110 }),
    endUser: f.ref('user', { label: { zh: '结束人', en: 'Ended by' }, labelKey: 'endUserName', width: 110 }),
    orders: f.number({ label: { zh: '订单数', en: 'Orders' }, width: 90 }),
    amount: f.money({ label: { zh: '销售额', en: 'Takings' }, width: 110 }),
    // Set while the period goes on: the database itself allows one per shop.
    openKey: f.text({
      label: { zh: '未结标识', en: 'Open key' },
      max: 40,
      form: 'hidden',
      detail: false,
      secret: true,
    }),
  },
  list: {
    columns: ['shopId', 'status', 'startTime', 'endTime', 'trigger', 'orders', 'amount', 'startUser', 'endUser'],
    sort: '-startTime',
  },
  unique: [['shopId', 'openKey']],
  actions: {
    start: {
      on: 'toolbar',
      label: { zh: '开始值守', en: 'Start a period' },
      icon: 'play-circle',
      input: { shopId: shopId({ required: true, width: 160 }) },
    },
    end: {
      on: 'row',
      label: { zh: '结束值守', en: 'End' },
      icon: 'stop',
      confirm: { zh: '确定结束“{shopName}”的无人值守?', en: 'End the unattended period of "{shopName}"?' },
      enabled: { status: { eq: 1 } },
    },
  },
})
