import { defineResource, f, enabledField, remarkField } from '#kit/resource/index.ts'

const qualification = { zh: '如何达到', en: 'Qualification' }
const benefits = { zh: '权益', en: 'Benefits' }

/** What being a member is worth, from the lowest level up. Bought by an annual fee, reached by spending, or given. */
export const vipLevel = defineResource({
  name: 'vipLevel',
  path: '/api/shop/vipLevel',
  label: { zh: '会员等级', en: 'Membership tier' },
  tenancy: 'tenant',
  menu: { under: 'member', path: '/member/vipLevel', icon: 'trophy', sort: 20 },
  title: 'name',
  fields: {
    name: f.text({ label: { zh: '等级名称', en: 'Tier name' }, required: true, max: 30, search: 'like', width: 140 }),
    rank: f.number({
      label: { zh: '级别', en: 'Rank' },
      required: true,
      min: 1,
      max: 1000,
      width: 80,
      help: { zh: '数字越大等级越高', en: 'A higher number is a higher tier' },
    }),
    discountRate: f.percent({
      label: { zh: '折扣率', en: 'Discount rate' },
      required: true,
      min: 1,
      max: 100,
      default: '100.00',
      group: benefits,
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
      group: benefits,
      width: 100,
    }),
    benefits: f.longText({ label: { zh: '权益说明', en: 'Benefits' }, max: 500, group: benefits, width: 240 }),
    spendThreshold: f.money({
      label: { zh: '消费达标', en: 'Required spend' },
      max: 99_999_999,
      group: qualification,
      width: 120,
      help: {
        zh: '近 12 个月实付满此金额即升级，有效 12 个月；不填则不能靠消费达到',
        en:
          'Spending this amount within 12 months upgrades the customer for 12 months. Leave blank if the ' +
          'tier cannot be reached by spending.',
      },
    }),
    enabled: enabledField(),
    remark: remarkField(),
  },
  list: {
    columns: ['name', 'rank', 'discountRate', 'integralTimes', 'enabled', 'spendThreshold', 'benefits'],
    sort: 'rank',
  },
  unique: [['rank'], ['name']],
})
