import { defineResource, f, enabledField, remarkField, nameField, sortOrderField } from '#kit/resource/index.ts'

const gifts = { zh: '赠送', en: 'Bonus' }

/** An amount a customer can recharge, and what they are given on top. */
export const rechargeConf = defineResource({
  name: 'rechargeConf',
  path: '/api/shop/rechargeConf',
  label: { zh: '充值套餐', en: 'Top-up offer' },
  tenancy: 'tenant',
  menu: { under: 'member', path: '/member/rechargeConf', icon: 'gift', sort: 50 },
  title: 'name',
  fields: {
    name: nameField({ required: true, width: 180 }),
    amount: f.money({
      label: { zh: '充值金额', en: 'Top-up amount' },
      required: true,
      min: 1,
      max: 10_000_000,
      width: 120,
    }),
    giftAmount: f.money({
      label: { zh: '赠送金额', en: 'Bonus amount' },
      max: 10_000_000,
      default: '0.00',
      group: gifts,
      width: 120,
    }),
    giftIntegral: f.number({
      label: { zh: '赠送积分', en: 'Bonus points' },
      min: 0,
      max: 1_000_000,
      default: 0,
      group: gifts,
      width: 100,
    }),
    giftTicketId: f.ref('discountTicket', {
      label: { zh: '赠送优惠券', en: 'Bonus coupon' },
      labelKey: 'giftTicketName',
      group: gifts,
      width: 150,
    }),
    perUser: f.number({
      label: { zh: '每人限次', en: 'Limit per customer' },
      min: 0,
      max: 1000,
      default: 0,
      width: 100,
      help: { zh: '0 为不限', en: '0 means no limit' },
    }),
    enabled: enabledField(),
    sort: sortOrderField(),
    remark: remarkField(),
  },
  list: {
    inline: ['giftAmount', 'enabled', 'sort'],
    bulk: ['enabled'],
    columns: ['name', 'amount', 'giftAmount', 'enabled', 'giftIntegral', 'giftTicketId', 'perUser', 'sort'],
    sort: 'sort',
  },
})
