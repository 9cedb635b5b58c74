import { allShopsIfEmptyFieldOptions, shopIdField } from '#domains/shops/shops/index.ts'
import { defineResource, f, enabledField, remarkField, nameField } from '#kit/resource/index.ts'

/** Days of the week or month on which members pay less or earn more. */
export const vipDay = defineResource({
  name: 'vipDay',
  path: '/api/shop/vipDay',
  label: { zh: '会员日', en: 'Member day' },
  tenancy: 'tenant',
  menu: { under: 'member', path: '/member/vipDay', icon: 'calendar', sort: 40 },
  title: 'name',
  fields: {
    name: nameField({ required: true }),
    shopId: shopIdField({ ...allShopsIfEmptyFieldOptions }),
    cycle: f.dict('vip_day_cycle', {
      label: { zh: '周期', en: 'Cycle' },
      required: true,
      search: 'eq',
      default: 'weekly',
      width: 90,
    }),
    days: f.dicts('vip_day_number', {
      label: { zh: '日期', en: 'Days' },
      required: true,
      width: 160,
      help: {
        zh: '每周：1 为周一，7 为周日；每月：1 至 31 日，当月没有的日子算在月末',
        en: 'Weekly: 1 is Monday, 7 is Sunday. Monthly: 1 to 31. Missing days fall on the last day of the month.',
      },
    }),
    discountRate: f.percent({
      label: { zh: '折扣率', en: 'Discount rate' },
      required: true,
      min: 1,
      max: 100,
      default: '100.00',
      width: 100,
      help: {
        zh: '95 即付原价的 95%，100 为不打折',
        en: '95 means customers pay 95% of the price. 100 means no discount.',
      },
    }),
    integralTimes: f.number({
      label: { zh: '积分倍数', en: 'Points multiplier' },
      required: true,
      decimals: 2,
      min: 0,
      max: 20,
      default: '1.00',
      width: 100,
    }),
    startDate: f.date({ label: { zh: '开始日期', en: 'Start date' }, width: 110 }),
    endDate: f.date({ label: { zh: '结束日期', en: 'End date' }, width: 110 }),
    enabled: enabledField(),
    remark: remarkField(),
  },
  list: {
    inline: ['enabled'],
    bulk: ['enabled'],
    columns: ['name', 'shopId', 'cycle', 'enabled', 'days', 'discountRate', 'integralTimes', 'startDate', 'endDate'],
    time: false,
    sort: '-createTime',
  },
  indexes: [['shopId']],
})
