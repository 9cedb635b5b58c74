import { defineDict } from '#kit/resource/index.ts'

export const ownFieldKinds = defineDict({
  code: 'own_field_kind',
  label: { zh: '自定义字段类型', en: 'Kind of own field' },
  entries: [
    { key: 'text', zh: '单行文字', en: 'Text' },
    { key: 'longText', zh: '多行文字', en: 'Longer text' },
    { key: 'number', zh: '数字', en: 'Number' },
    { key: 'money', zh: '金额', en: 'Amount' },
    { key: 'percent', zh: '百分比', en: 'Per cent' },
    { key: 'date', zh: '日期', en: 'Day' },
    { key: 'datetime', zh: '日期时间', en: 'Day and time' },
    { key: 'boolean', zh: '是否', en: 'Yes or no' },
    { key: 'choice', zh: '单选', en: 'One choice' },
    { key: 'choices', zh: '多选', en: 'Several choices' },
    { key: 'ref', zh: '引用', en: 'Somebody or something' },
    { key: 'phone', zh: '电话', en: 'Phone' },
    { key: 'email', zh: '邮箱', en: 'E-mail' },
    { key: 'url', zh: '网址', en: 'Link' },
  ],
})

/** Families an own field may name rows of: those that people of every tenant know by name. */
export const ownFieldTargets = defineDict({
  code: 'own_field_target',
  label: { zh: '自定义字段引用对象', en: 'What an own field names' },
  entries: [
    { key: 'user', zh: '人员', en: 'A person' },
    { key: 'dept', zh: '部门', en: 'A department' },
    { key: 'basicShopInfo', zh: '门店', en: 'A shop' },
    { key: 'goodInfo', zh: '商品', en: 'Goods' },
    { key: 'supplierInfo', zh: '供应商', en: 'A supplier' },
    { key: 'wxUser', zh: '会员', en: 'A customer' },
  ],
})
