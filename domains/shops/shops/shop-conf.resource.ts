import { shopIdField } from './basic-shop-info.resource.ts'
import { DOOR_HELD_OPEN_SECONDS_RANGE, DOOR_RELOCK_SECONDS_RANGE } from './door-settings.ts'
import { defineDict, defineResource, f, longRemarkField } from '#kit/resource/index.ts'

export const shopConfDictionaries = [
  defineDict({
    code: 'entry_mode',
    label: { zh: '进店方式', en: 'Entry method' },
    entries: [
      { key: 'scan', zh: '扫码进店', en: 'Scan QR code' },
      { key: 'face', zh: '刷脸进店', en: 'Face recognition' },
      { key: 'open', zh: '自由进店', en: 'Open entry' },
    ],
  }),
  defineDict({
    code: 'absent_office',
    label: { zh: '断网时的门', en: 'Door behavior when offline' },
    entries: [
      { key: 'refuse', zh: '不开门', en: 'Stay closed' },
      { key: 'open', zh: '开门', en: 'Open' },
    ],
  }),
]

const entry = { zh: '进店与门禁', en: 'Entry & doors' }
const unattended = { zh: '无人值守', en: 'Unattended mode' }
const selling = { zh: '收款与经营', en: 'Payment & operation' }
const points = { zh: '积分', en: 'Points' }
const asParameter = { zh: '留空按系统参数', en: 'Leave blank to use the system parameter' }
const warning = { zh: '提醒', en: 'Alerts' }
const gateway = { zh: '网关同步', en: 'Gateway sync' }

/** Settings of a shop, one row each from its first day. A change the gateway needs raises the wanted version. */
export const shopConf = defineResource({
  name: 'shopConf',
  path: '/api/shop/shopConf',
  label: { zh: '门店设置', en: 'Store settings', many: 'Store settings' },
  tenancy: 'tenant',
  scope: { shop: 'shopId' },
  menu: { under: 'shop', path: '/shop/shopConf', icon: 'sliders', sort: 15 },
  title: 'shopId',
  fields: {
    shopId: shopIdField({ onRemoval: 'remove', required: true, form: 'add', width: 170 }),
    entryMode: f.dict('entry_mode', {
      label: { zh: '进店方式', en: 'Entry method' },
      default: 'scan',
      search: 'eq',
      group: entry,
      width: 110,
    }),
    doorHoldSeconds: f.number({
      label: { zh: '开门保持', en: 'Unlock time' },
      min: DOOR_RELOCK_SECONDS_RANGE.min,
      max: DOOR_RELOCK_SECONDS_RANGE.max,
      default: DOOR_RELOCK_SECONDS_RANGE.usual,
      unit: { zh: '秒', en: 's' },
      group: entry,
      width: 100,
    }),
    heldSeconds: f.number({
      label: { zh: '开门超时', en: 'Held-open alarm' },
      min: DOOR_HELD_OPEN_SECONDS_RANGE.min,
      max: DOOR_HELD_OPEN_SECONDS_RANGE.max,
      default: DOOR_HELD_OPEN_SECONDS_RANGE.usual,
      unit: { zh: '秒', en: 's' },
      help: { zh: '门开着超过这么久，网关会报告', en: 'The gateway reports doors open longer than this' },
      group: entry,
      width: 100,
    }),
    absentOffice: f.dict('absent_office', {
      label: { zh: '断网时', en: 'When offline' },
      default: 'refuse',
      help: {
        zh: '顾客扫码时网关连不上后台，按此处理',
        en: 'Applies when a customer scans and the gateway cannot reach the back office',
      },
      group: entry,
      width: 110,
    }),
    doorSettings: f.json({
      label: { zh: '单独设置的门', en: 'Separate door settings' },
      max: 4000,
      help: {
        zh: '没有单独设置的门、留空的项，按上面的设置',
        en: 'Doors without separate settings and blank fields use the settings above.',
      },
      group: entry,
    }),
    membersOnly: f.boolean({
      label: { zh: '仅会员进店', en: 'Members only' },
      default: false,
      help: { zh: '无人值守时只让会员进店', en: 'Only members can enter while unattended' },
      group: entry,
      width: 110,
    }),
    unmannedEnabled: f.boolean({
      label: { zh: '按时段无人值守', en: 'Unattended on schedule' },
      default: false,
      help: { zh: '时段在门店资料中填写', en: 'Set the hours in the store details' },
      group: unattended,
      width: 130,
    }),
    lightSchedule: f.json({
      label: { zh: '照明时段', en: 'Lighting hours' },
      max: 2000,
      help: { zh: '留空为全天照明', en: 'Leave blank to keep the lights always on' },
      group: unattended,
    }),
    welcomeAudioId: f.ref('audioConf', {
      onRemoval: 'empty',
      label: { zh: '欢迎语音', en: 'Welcome announcement' },
      labelKey: 'welcomeAudioName',
      same: 'shopId',
      search: 'eq',
      group: entry,
      width: 140,
    }),
    leaveAudioId: f.ref('audioConf', {
      onRemoval: 'empty',
      label: { zh: '离店语音', en: 'Exit announcement' },
      labelKey: 'leaveAudioName',
      same: 'shopId',
      search: 'eq',
      group: entry,
      width: 140,
    }),
    payTypes: f.dicts('pay_type', {
      label: { zh: '收款方式', en: 'Payment methods' },
      without: ['platform'],
      help: {
        zh: '收银机按此显示；已收下的其他方式照实入账，并在订单上提示；不选为不限',
        en:
          'Shown on registers. Payments received by other methods are recorded with an alert on the order. ' +
          'Leave blank for no limit.',
      },
      group: selling,
      width: 200,
    }),
    vipEnabled: f.boolean({ label: { zh: '会员价', en: 'Member prices' }, default: true, group: selling, width: 90 }),
    deliveryEnabled: f.boolean({
      label: { zh: '外卖配送', en: 'Delivery' },
      default: false,
      help: {
        zh: '关闭后顾客不能再下配送订单，外卖平台的订单不受影响',
        en: 'When off, customers cannot place delivery orders. Delivery platform orders are not affected.',
      },
      group: selling,
      width: 90,
    }),
    chargeConfirmedTag: f.boolean({
      label: { zh: '不高于价签收款', en: 'Cap price at ESL price' },
      default: false,
      help: {
        zh: '报价不高于这个商品价签最近确认显示的价格；已收下的照实入账，并在订单上提示',
        en:
          'Quotes never exceed the price last confirmed on the ESL tag. Payments received are recorded with ' +
          'an alert on the order.',
      },
      group: selling,
      width: 120,
    }),
    pointsPerYuan: f.number({
      label: { zh: '每消费 1 元得积分', en: 'Points per ¥1 spent' },
      decimals: 2,
      min: 0,
      max: 1000,
      help: asParameter,
      group: points,
      width: 120,
    }),
    pointsForYuan: f.number({
      label: { zh: '抵 1 元所需积分', en: 'Points per ¥1 redeemed' },
      min: 0,
      max: 1_000_000,
      help: asParameter,
      group: points,
      width: 120,
    }),
    pointsShare: f.number({
      label: { zh: '积分最多抵扣 %', en: 'Maximum share paid with points (%)' },
      min: 0,
      max: 100,
      help: asParameter,
      group: points,
      width: 120,
    }),
    lowStockThreshold: f.number({
      label: { zh: '库存预警', en: 'Low-stock alert' },
      min: 0,
      max: 10_000,
      default: 5,
      unit: { zh: '件', en: 'piece|pieces' },
      help: { zh: '新商品默认的库存预警值', en: 'Default for new products' },
      group: warning,
      width: 100,
    }),
    expiryWarnDays: f.number({
      label: { zh: '临期提前', en: 'Expiry warning' },
      min: 0,
      max: 365,
      default: 7,
      unit: { zh: '天', en: 'day|days' },
      help: {
        zh: '短保商品最多提前保质期的四分之一',
        en: 'For products with a short shelf life, up to a quarter of it',
      },
      group: warning,
      width: 100,
    }),
    alertPhones: f.tags({
      label: { zh: '告警电话', en: 'Alert phones' },
      maxCount: 10,
      help: {
        zh: '紧急事件发生时立即短信通知这些手机号',
        en: 'These numbers receive a text message immediately for urgent events',
      },
      group: warning,
      wide: true,
    }),
    wantedVersion: f.number({
      label: { zh: '期望版本', en: 'Expected version' },
      form: 'read',
      default: 1,
      min: 1,
      group: gateway,
      width: 100,
    }),
    reportedVersion: f.number({
      label: { zh: '网关版本', en: 'Gateway version' },
      form: 'read',
      default: 0,
      group: gateway,
      width: 100,
    }),
    reportedTime: f.datetime({
      label: { zh: '网关上报时间', en: 'Reported' },
      form: 'read',
      group: gateway,
      width: 160,
    }),
    remark: longRemarkField(),
  },
  list: {
    inline: ['lowStockThreshold', 'expiryWarnDays'],
    bulk: ['lowStockThreshold', 'expiryWarnDays', 'vipEnabled', 'deliveryEnabled', 'chargeConfirmedTag'],
    columns: [
      'shopId',
      'entryMode',
      'unmannedEnabled',
      'payTypes',
      'vipEnabled',
      'deliveryEnabled',
      'lowStockThreshold',
      'expiryWarnDays',
      'reportedVersion',
      'updateTime',
    ],
    time: false,
  },
  unique: [['shopId']],
  buttons: { add: false, delete: false },
})
