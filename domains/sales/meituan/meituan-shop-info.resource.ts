import { shopIdField, longitudeField, latitudeField } from '#domains/shops/shops/index.ts'
import { defineResource, f, remarkField, reusableField, contactPhoneField } from '#kit/resource/index.ts'
import {
  autoAcceptField,
  platformMarkupField,
  platformOpeningFields,
  platformShopStatusFields,
  stockBufferField,
  syncFields,
} from '#domains/sales/delivery-platforms/index.ts'

const ownShopGroup = { zh: '我们的门店', en: 'Our store' }
const platformShopGroup = { zh: '美团门店', en: 'Meituan store' }

/** One of our shops at Meituan. Actions submit it there and compare its products with ours. */
export const meituanShopInfo = defineResource({
  name: 'meituanShopInfo',
  path: '/api/meituan/meituanShopInfo',
  label: { zh: '美团门店', en: 'Meituan store', isName: true },
  tenancy: 'tenant',
  scope: { shop: 'shopId' },
  menu: { under: 'meituan', path: '/meituan/meituanShopInfo', icon: 'shop', sort: 10 },
  title: 'name',
  titleCode: 'platformShopId',
  fields: {
    shopId: shopIdField({ required: true, form: 'add', group: ownShopGroup }),
    name: f.text({
      label: { zh: '平台店名', en: 'Platform name' },
      required: true,
      max: 100,
      search: 'like',
      group: platformShopGroup,
      width: 180,
    }),
    platformShopId: f.text({
      label: { zh: '平台门店编号', en: 'Platform ID' },
      max: 64,
      form: 'hidden',
      search: 'eq',
      group: platformShopGroup,
      width: 130,
    }),
    appPoiCode: f.text({
      label: { zh: '门店代码', en: 'Store code' },
      max: 128,
      form: 'hidden',
      search: 'eq',
      group: platformShopGroup,
    }),
    auditStatus: f.dict('meituan_audit_status', {
      label: { zh: '入驻状态', en: 'Onboarding status' },
      numeric: true,
      default: 0,
      form: 'hidden',
      search: 'eq',
      group: platformShopGroup,
      width: 110,
    }),
    auditReason: f.text({
      label: { zh: '驳回原因', en: 'Rejection reason' },
      max: 500,
      form: 'hidden',
      group: platformShopGroup,
      width: 200,
    }),
    isOnline: f.dict('meituan_online_status', {
      label: { zh: '上线状态', en: 'Go-live status' },
      numeric: true,
      default: 0,
      form: 'hidden',
      search: 'eq',
      group: platformShopGroup,
      width: 100,
    }),
    openLevel: f.dict('meituan_open_level', {
      label: { zh: '营业状态', en: 'Store status' },
      numeric: true,
      form: 'hidden',
      search: 'eq',
      group: platformShopGroup,
      width: 100,
    }),
    categoryName: f.text({ label: { zh: '品类', en: 'Category' }, max: 100, group: platformShopGroup }),
    phone: contactPhoneField({ group: platformShopGroup }),
    address: f.text({ label: { zh: '地址', en: 'Address' }, max: 200, group: platformShopGroup }),
    longitude: longitudeField({ group: platformShopGroup }),
    latitude: latitudeField({ group: platformShopGroup }),
    logo: f.picture({ label: { zh: '门店标志', en: 'Logo' }, group: platformShopGroup }),
    shippingTime: f.text({
      label: { zh: '营业时间', en: 'Opening hours' },
      max: 100,
      group: platformShopGroup,
      sample: '08:00-22:00',
      pattern: '^\\d{2}:\\d{2}-\\d{2}:\\d{2}(,\\d{2}:\\d{2}-\\d{2}:\\d{2})*$',
      patternWords: {
        zh: '营业时间写作 08:00-22:00，多段用逗号隔开',
        en: 'Enter hours as 08:00-22:00. Separate several with commas.',
      },
    }),
    shippingFee: f.money({ label: { zh: '配送费', en: 'Delivery fee' }, max: 9900, group: platformShopGroup }),
    promotionInfo: f.text({ label: { zh: '门店公告', en: 'Store announcement' }, max: 200, group: platformShopGroup }),
    isInvoiceSupported: f.boolean({
      label: { zh: '支持开票', en: 'Invoices available' },
      default: false,
      group: platformShopGroup,
    }),
    isAutoAccepted: autoAcceptField({ group: platformShopGroup }),
    markup: platformMarkupField({ group: platformShopGroup }),
    stockBuffer: stockBufferField({ group: platformShopGroup }),
    ...platformShopStatusFields,
    ...platformOpeningFields,
    ...syncFields,
    remark: remarkField(),
  },
  list: {
    columns: ['name', 'shopId', 'standing', 'nextStep', 'platformShopId', 'phone', 'shippingTime', 'syncTime'],
    time: false,
    sort: '-createTime',
  },
  row: { sub: ['shopId', 'standing', 'nextStep'] },
  actions: {
    apply: {
      on: 'row',
      label: { zh: '申请入驻', en: 'Apply for listing' },
      confirm: {
        zh: '把“{name}”连同分类、商品和资质提交给美团？',
        en: 'Submit “{name}” with its categories, products and licenses to Meituan?',
      },
      done: { zh: '已提交，结果会显示在列表里', en: 'Submitted. The list shows the result.' },
      icon: 'send',
    },
    sync: {
      on: 'row',
      label: { zh: '与美团核对', en: 'Sync now' },
      confirm: {
        zh: '读取“{name}”在美团的资料和商品，不一致的按我们的改过去？',
        en: 'Read the details and products of “{name}” at Meituan and overwrite what differs with ours?',
      },
      done: { zh: '正在核对', en: 'Sync started' },
      icon: 'cloud-upload',
      enabled: { platformShopId: { ne: '' } },
    },
  },
  unique: [['shopId'], ['platformShopId']],
})

export const meituanShopIdField = reusableField.ref(meituanShopInfo.name, {
  label: meituanShopInfo.label,
  labelKey: 'meituanShopName',
  search: 'eq',
  width: 180,
})
