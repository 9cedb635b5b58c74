import { defineResource, f, longRemarkField, reusableField, contactPhoneField } from '#kit/resource/index.ts'

const basics = { zh: '基本信息', en: 'Basics' }
const terms = { zh: '供货与结算', en: 'Delivery and payment' }

/** A supplier the shops buy from. */
export const supplierInfo = defineResource({
  name: 'supplierInfo',
  path: '/api/shop/supplierInfo',
  label: { zh: '供应商', en: 'Supplier' },
  tenancy: 'tenant',
  menu: { under: 'supplier', path: '/supplier/supplierInfo', icon: 'team', sort: 40 },
  title: 'name',
  fields: {
    name: f.text({
      label: { zh: '供应商名称', en: 'Supplier name' },
      required: true,
      max: 100,
      search: 'like',
      group: basics,
      width: 200,
    }),
    status: f.dict('supplier_status', {
      label: { zh: '状态', en: 'Status' },
      numeric: true,
      default: 1,
      required: true,
      search: 'eq',
      group: basics,
      width: 90,
    }),
    contact: f.text({ label: { zh: '联系人', en: 'Contact' }, max: 50, search: 'like', group: basics, width: 100 }),
    phone: contactPhoneField({ group: basics }),
    district: f.region({ label: { zh: '所在地区', en: 'Region' }, group: basics, search: 'likeright', width: 160 }),
    address: f.text({ label: { zh: '地址', en: 'Address' }, max: 200, group: basics }),
    licenceNo: f.text({ label: { zh: '营业执照号', en: 'Business license no.' }, max: 30, group: basics }),
    licence: f.picture({ label: { zh: '营业执照', en: 'License' }, group: basics }),
    leadDays: f.number({
      label: { zh: '到货天数', en: 'Lead time' },
      min: 0,
      max: 90,
      default: 2,
      required: true,
      unit: { zh: '天', en: 'day|days' },
      group: terms,
      width: 90,
      help: {
        zh: '下单到送达要几天，用来算该订多少',
        en: 'Days from order to delivery. Used to calculate order quantities.',
      },
    }),
    minAmount: f.money({
      label: { zh: '起送金额', en: 'Minimum order amount' },
      max: 99_999_999,
      group: terms,
      width: 100,
    }),
    freight: f.money({
      label: { zh: '每单运费', en: 'Shipping per order' },
      max: 9_999_999,
      default: '0.00',
      group: terms,
      width: 100,
    }),
    settlementDays: f.number({
      label: { zh: '账期', en: 'Payment term' },
      min: 0,
      max: 365,
      default: 30,
      unit: { zh: '天', en: 'day|days' },
      group: terms,
      width: 80,
    }),
    bankName: f.text({ label: { zh: '开户行', en: 'Bank' }, max: 100, group: terms }),
    account: f.text({ label: { zh: '收款账号', en: 'Bank account' }, max: 40, group: terms }),
    remark: longRemarkField(),
  },
  list: {
    inline: ['leadDays', 'minAmount'],
    bulk: ['leadDays', 'settlementDays'],
    columns: [
      'name',
      'status',
      'contact',
      'phone',
      'district',
      'leadDays',
      'minAmount',
      'settlementDays',
      'createTime',
    ],
    time: false,
    sort: '-createTime',
  },
  unique: [['name']],
})

/** Reusable field for the supplier of a row. */
export const supplierIdField = reusableField.ref(supplierInfo.name, {
  label: supplierInfo.label,
  labelKey: 'supplierName',
  search: 'eq',
  width: 160,
})
