import { defineResource, f, enabledField, remarkField, nameField, sortOrderField } from '#kit/resource/index.ts'

/** A membership for sale: which level, for how many months, for how much. */
export const annualFeeConf = defineResource({
  name: 'annualFeeConf',
  path: '/api/shop/annualFeeConf',
  label: { zh: '年费套餐', en: 'Membership plan' },
  tenancy: 'tenant',
  menu: { under: 'member', path: '/member/annualFeeConf', icon: 'idcard', sort: 25 },
  title: 'name',
  fields: {
    name: nameField({ required: true }),
    level: f.ref('vipLevel', {
      label: { zh: '会员等级', en: 'Membership tier' },
      labelKey: 'levelName',
      required: true,
      search: 'eq',
      width: 130,
    }),
    fee: f.money({ label: { zh: '费用', en: 'Fee' }, required: true, max: 10_000_000, width: 110 }),
    months: f.number({
      label: { zh: '月数', en: 'Duration (months)' },
      required: true,
      min: 1,
      max: 120,
      default: 12,
      width: 80,
    }),
    benefits: f.longText({ label: { zh: '权益说明', en: 'Benefits' }, max: 500, width: 240 }),
    enabled: enabledField(),
    sort: sortOrderField(),
    remark: remarkField(),
  },
  list: {
    inline: ['fee', 'enabled', 'sort'],
    bulk: ['enabled'],
    columns: ['name', 'level', 'fee', 'months', 'benefits', 'enabled', 'sort'],
    sort: 'sort',
  },
  indexes: [['level']],
})
