import { shopIdField } from './basic-shop-info.resource.ts'
import {
  defineDict,
  defineResource,
  defineStates,
  f,
  startTimeField,
  objectSchema,
  rowIdSchema,
  nullableSchema,
  integerSchema,
} from '#kit/resource/index.ts'

export const unmannedDictionaries = [
  defineDict({
    code: 'unmanned_trigger',
    label: { zh: '无人值守触发', en: 'Unattended mode trigger' },
    entries: [
      { key: 'schedule', zh: '定时', en: 'Scheduled' },
      { key: 'staff', zh: '店内人员', en: 'Store staff' },
      { key: 'remote', zh: '后台', en: 'Back office' },
    ],
  }),
  defineDict({
    code: 'unmanned_status',
    label: { zh: '无人值守状态', en: 'Unattended mode status' },
    entries: [
      { key: '1', zh: '值守中', en: 'Active', colour: 'processing' },
      { key: '2', zh: '已结束', en: 'Ended', colour: 'default' },
    ],
  }),
]

/** States of a period: 1 running → 2 over. */
const UNMANNED_STATE = { running: 1, over: 2 } as const

/** A period without staff in the shop. Its orders and sales are added up at the end. */
export const unmannedLog = defineResource({
  name: 'unmannedLog',
  path: '/api/shop/unmannedLog',
  label: { zh: '无人值守记录', en: 'Unattended session' },
  tenancy: 'tenant',
  writer: 'device',
  scope: { shop: 'shopId' },
  menu: { under: 'shop', path: '/shop/unmannedLog', icon: 'moon', sort: 38 },
  title: 'startTime',
  fields: {
    shopId: shopIdField({ width: 160 }),
    status: f.dict('unmanned_status', { label: { zh: '状态', en: 'Status' }, numeric: true, search: 'eq', width: 100 }),
    startTime: startTimeField(),
    endTime: f.datetime({ label: { zh: '结束时间', en: 'End' }, width: 160 }),
    trigger: f.dict('unmanned_trigger', { label: { zh: '触发方式', en: 'Trigger' }, search: 'eq', width: 110 }),
    startUser: f.ref('user', { label: { zh: '开始人', en: 'Started by' }, labelKey: 'startUserName', width: 110 }),
    endUser: f.ref('user', { label: { zh: '结束人', en: 'Ended by' }, labelKey: 'endUserName', width: 110 }),
    orders: f.number({ label: { zh: '订单数', en: 'Orders' }, width: 90 }),
    amount: f.money({ label: { zh: '销售额', en: 'Sales' }, width: 110 }),
    // Unique while the period lasts, so that a shop has only one.
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
  row: { title: 'shopId', sub: ['trigger', 'startUser'] },
  unique: [['shopId', 'openKey']],
  states: defineStates({
    field: 'status',
    values: UNMANNED_STATE,
    initial: ['running'],
    moves: {
      end: { from: ['running'], to: 'over' },
    },
  }),
  actions: {
    start: {
      on: 'toolbar',
      label: { zh: '开始值守', en: 'Start unattended mode' },
      icon: 'play-circle',
      input: { shopId: shopIdField({ required: true, width: 160 }) },
      answer: objectSchema({ id: rowIdSchema }),
    },
    end: {
      on: 'row',
      label: { zh: '结束值守', en: 'End unattended mode' },
      answer: objectSchema({ id: rowIdSchema, orders: nullableSchema(integerSchema) }),
      icon: 'stop',
      confirm: { zh: '结束“{shopName}”的无人值守？', en: 'End unattended mode at “{shopName}”?' },
    },
  },
})
