import { defineResource, f, nameField, remarkField } from '#kit/resource/index.ts'
import { timeOfDayField } from './clock-field.ts'

/** Price of a kilowatt-hour by time of day. A tariff without times applies to the rest of the day. */
export const powerTariff = defineResource({
  name: 'powerTariff',
  path: '/api/shop/powerTariff',
  label: { zh: '电价', en: 'Electricity rate' },
  tenancy: 'tenant',
  menu: { under: 'device', path: '/device/powerTariff', icon: 'wallet', sort: 33 },
  title: 'name',
  fields: {
    name: nameField({ required: true, width: 150 }),
    fromTime: timeOfDayField({
      label: { zh: '开始', en: 'Start' },
      requiredWhen: { toTime: { ne: '' } },
      help: { zh: '两项都留空为其余时间', en: 'Leave both blank for the rest of the day' },
    }),
    toTime: timeOfDayField({ label: { zh: '结束', en: 'End' }, requiredWhen: { fromTime: { ne: '' } } }),
    price: f.number({
      label: { zh: '单价', en: 'Unit price' },
      required: true,
      min: 0,
      max: 100,
      decimals: 4,
      unit: { zh: '元/度', en: 'CNY/kWh' },
      width: 110,
    }),
    remark: remarkField(),
  },
  list: { columns: ['name', 'fromTime', 'toTime', 'price', 'updateTime'], sort: 'fromTime' },
  row: { sub: ['fromTime', 'toTime'], amount: 'price' },
})
