import { defineDict } from '#kit/resource/index.ts'

export const customFieldKindDictionary = defineDict({
  code: 'own_field_kind',
  label: { zh: '自定义字段类型', en: 'Custom field type' },
  entries: [
    { key: 'text', zh: '单行文字', en: 'Single-line text' },
    { key: 'longText', zh: '多行文字', en: 'Multi-line text' },
    { key: 'number', zh: '数字', en: 'Number' },
    { key: 'money', zh: '金额', en: 'Amount' },
    { key: 'percent', zh: '百分比', en: 'Percentage' },
    { key: 'date', zh: '日期', en: 'Date' },
    { key: 'datetime', zh: '日期时间', en: 'Date and time' },
    { key: 'boolean', zh: '是否', en: 'Yes/no' },
    { key: 'choice', zh: '单选', en: 'Single choice' },
    { key: 'choices', zh: '多选', en: 'Multiple choice' },
    { key: 'ref', zh: '引用', en: 'Reference' },
    { key: 'phone', zh: '电话', en: 'Phone' },
    { key: 'email', zh: '邮箱', en: 'Email' },
    { key: 'url', zh: '网址', en: 'Link' },
  ],
})

/** Resources a custom field may refer to: those whose rows every tenant's users know by name. */
export const customFieldTargetDictionary = defineDict({
  code: 'own_field_target',
  label: { zh: '自定义字段引用对象', en: 'Custom field reference' },
  entries: [
    { key: 'user', zh: '人员', en: 'Person' },
    { key: 'dept', zh: '部门', en: 'Department' },
    { key: 'basicShopInfo', zh: '门店', en: 'Store' },
    { key: 'goodInfo', zh: '商品', en: 'Products' },
    { key: 'supplierInfo', zh: '供应商', en: 'Supplier' },
    { key: 'wxUser', zh: '顾客', en: 'Customer' },
  ],
})
