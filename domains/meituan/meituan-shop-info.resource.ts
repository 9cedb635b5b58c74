import { shopId, longitude, latitude } from '#domains/shops/index.ts'
import { defineResource, f, remark, fragment, contactPhone } from '#kit/resource/index.ts'
import { syncFields } from '#domains/thirdparty/index.ts'

const here = { zh: '我们的门店', en: 'Our shop' }
const there = { zh: '美团门店', en: 'Shop at Meituan' }

/** One of our shops as it stands at Meituan. Applying and synchronising come with the platform's connection. */
export const meituanShopInfo = defineResource({
  name: 'meituanShopInfo',
  path: '/api/meituan/meituanShopInfo',
  label: { zh: '美团门店', en: 'Shop at Meituan' },
  tenancy: 'tenant',
  scope: { shop: 'shopId' },
  menu: { under: 'meituan', path: '/meituan/meituanShopInfo', icon: 'shop', sort: 10 },
  title: 'name',
  titleCode: 'platformShopId',
  fields: {
    shopId: shopId({ required: true, form: 'add', group: here }),
    name: f.text({
      label: { zh: '平台店名', en: 'Name there' },
      required: true,
      max: 100,
      search: 'like',
      group: there,
      width: 180,
    }),
    platformShopId: f.text({
      label: { zh: '平台门店编号', en: 'Number there' },
      max: 64,
      form: 'hidden',
      search: 'eq',
      group: there,
      width: 130,
    }),
    auditStatus: f.dict('meituan_audit_status', {
      label: { zh: '入驻状态', en: 'Review' },
      numeric: true,
      default: 0,
      form: 'hidden',
      search: 'eq',
      group: there,
      width: 110,
    }),
    isOnline: f.dict('meituan_online_status', {
      label: { zh: '上线状态', en: 'Online' },
      numeric: true,
      default: 0,
      form: 'hidden',
      search: 'eq',
      group: there,
      width: 100,
    }),
    openLevel: f.dict('meituan_open_level', {
      label: { zh: '营业状态', en: 'Open' },
      numeric: true,
      form: 'hidden',
      search: 'eq',
      group: there,
      width: 100,
    }),
    categoryName: f.text({ label: { zh: '品类', en: 'Category' }, max: 100, group: there }),
    phone: contactPhone({ group: there }),
    address: f.text({ label: { zh: '地址', en: 'Address' }, max: 200, group: there }),
    longitude: longitude({ group: there }),
    latitude: latitude({ group: there }),
    logo: f.picture({ label: { zh: '门店标志', en: 'Logo' }, group: there }),
    shippingTime: f.text({
      label: { zh: '营业时间', en: 'Hours' },
      max: 100,
      group: there,
      sample: '08:00-22:00',
      pattern: '^\\d{2}:\\d{2}-\\d{2}:\\d{2}(,\\d{2}:\\d{2}-\\d{2}:\\d{2})*$',
      patternWords: {
        zh: '营业时间写作 08:00-22:00，多段用逗号隔开',
        en: 'Write hours as 08:00-22:00, several with commas',
      },
    }),
    shippingFee: f.money({ label: { zh: '配送费', en: 'Delivery fee' }, max: 9900, group: there }),
    promotionInfo: f.text({ label: { zh: '门店公告', en: 'Announcement' }, max: 200, group: there }),
    isInvoiceSupported: f.boolean({ label: { zh: '支持开票', en: 'Invoices' }, default: false, group: there }),
    ...syncFields,
    remark: remark(),
  },
  list: {
    columns: [
      'name',
      'shopId',
      'platformShopId',
      'auditStatus',
      'syncStatus',
      'isOnline',
      'openLevel',
      'phone',
      'shippingTime',
      'syncTime',
    ],
    sort: '-createTime',
  },
  unique: [['shopId']],
  uniqueEverywhere: [['platformShopId']],
})

/** The shop at Meituan of a row. */
export const meituanShopId = fragment.ref(meituanShopInfo.name, {
  label: meituanShopInfo.label,
  labelKey: 'meituanShopName',
  search: 'eq',
  width: 180,
})
