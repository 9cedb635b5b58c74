import { shopId, longitude, latitude } from '#domains/shops/index.ts'
import { defineResource, f, remark, fragment, contactPhone } from '#kit/resource/index.ts'
import {
  isAutoAccepted,
  markup,
  openFields,
  standingFields,
  stockBuffer,
  syncFields,
} from '#domains/thirdparty/index.ts'

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
    appPoiCode: f.text({
      label: { zh: '门店代码', en: 'Shop code' },
      max: 128,
      form: 'hidden',
      search: 'eq',
      group: there,
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
    auditReason: f.text({
      label: { zh: '驳回原因', en: 'Why refused' },
      max: 500,
      form: 'hidden',
      group: there,
      width: 200,
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
    isAutoAccepted: isAutoAccepted({ group: there }),
    markup: markup({ group: there }),
    stockBuffer: stockBuffer({ group: there }),
    ...standingFields,
    ...openFields,
    ...syncFields,
    remark: remark(),
  },
  list: {
    columns: ['name', 'shopId', 'standing', 'nextStep', 'platformShopId', 'phone', 'shippingTime', 'syncTime'],
    time: false,
    sort: '-createTime',
  },
  actions: {
    apply: {
      on: 'row',
      label: { zh: '申请入驻', en: 'Apply' },
      confirm: {
        zh: '把“{name}”连同分类、商品和资质提交给美团？',
        en: 'Hand "{name}" in at Meituan, with its types, goods and papers?',
      },
      done: { zh: '已提交，结果会显示在列表里', en: 'Handed in; the list shows what comes of it' },
      icon: 'send',
    },
    sync: {
      on: 'row',
      label: { zh: '与美团核对', en: 'Compare' },
      confirm: {
        zh: '读取“{name}”在美团的资料和商品，不一致的按我们的改过去？',
        en: 'Read "{name}" and its goods as they stand at Meituan, and bring there what differs?',
      },
      done: { zh: '正在核对', en: 'Being compared' },
      icon: 'cloud-upload',
      enabled: { platformShopId: { ne: '' } },
    },
  },
  unique: [['shopId'], ['platformShopId']],
})

/** The shop at Meituan of a row. */
export const meituanShopId = fragment.ref(meituanShopInfo.name, {
  label: meituanShopInfo.label,
  labelKey: 'meituanShopName',
  search: 'eq',
  width: 180,
})
