import { shopIdField } from '#domains/shops/shops/index.ts'
import { defineResource, f, remarkField } from '#kit/resource/index.ts'
import { timeOfDayField } from './clock-field.ts'

/**
 * A rule for when a power device is on. A device is on while any of its rules wants it, and one without rules is only
 * switched by hand. The opening hours of lights are part of the shop's settings.
 */
export const powerRule = defineResource({
  name: 'powerRule',
  path: '/api/shop/powerRule',
  label: { zh: '用电规则', en: 'Power schedule' },
  tenancy: 'tenant',
  scope: { shop: 'shopId' },
  menu: { under: 'device', path: '/device/powerRule', icon: 'clock-circle', sort: 32 },
  title: 'deviceId',
  fields: {
    deviceId: f.ref('epaDevice', {
      label: { zh: '用电设备', en: 'Power device' },
      labelKey: 'deviceName',
      onRemoval: 'remove',
      required: true,
      form: 'add',
      search: 'eq',
      width: 150,
    }),
    shopId: shopIdField({ form: 'hidden', systemUpdated: true }),
    kind: f.dict('power_rule_kind', {
      label: { zh: '何时通电', en: 'Switched on' },
      required: true,
      default: 'hours',
      search: 'eq',
      width: 130,
    }),
    fromTime: timeOfDayField({
      label: { zh: '开始', en: 'Start' },
      requiredWhen: { kind: { eq: 'times' } },
    }),
    toTime: timeOfDayField({
      label: { zh: '结束', en: 'End' },
      requiredWhen: { kind: { eq: 'times' } },
      help: {
        zh: '日落后留空为到日出',
        en: 'After sunset: leave blank to stay on until sunrise',
      },
    }),
    days: f.dicts('power_weekday', {
      label: { zh: '星期', en: 'Days' },
      help: { zh: '留空为每天', en: 'Leave blank for every day' },
      width: 160,
    }),
    offsetMinutes: f.number({
      label: { zh: '日落偏移', en: 'Sunset offset' },
      help: { zh: '负数为提前', en: 'Negative means before sunset' },
      min: -180,
      max: 180,
      default: 0,
      unit: { zh: '分钟', en: 'min' },
      width: 110,
    }),
    lingerMinutes: f.number({
      label: { zh: '离店后延时', en: 'Off delay after leaving' },
      min: 0,
      max: 240,
      default: 5,
      unit: { zh: '分钟', en: 'min' },
      width: 110,
    }),
    enabled: f.boolean({ label: { zh: '启用', en: 'Active' }, default: true, search: 'eq', width: 80 }),
    remark: remarkField(),
  },
  list: {
    columns: ['deviceId', 'shopId', 'enabled', 'kind', 'fromTime', 'toTime', 'days', 'offsetMinutes', 'lingerMinutes'],
    time: false,
    sort: '-createTime',
  },
  row: { sub: ['kind', 'fromTime', 'toTime'], state: 'enabled' },
  indexes: [['deviceId']],
})
