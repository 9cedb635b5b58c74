import { shopIdField, longitudeField, latitudeField } from '#domains/shops/shops/index.ts'
import {
  defineResource,
  f,
  remarkField,
  reusableField,
  contactPhoneField,
  objectSchema,
  rowIdSchema,
} from '#kit/resource/index.ts'
import {
  autoAcceptField,
  platformMarkupField,
  platformOpeningFields,
  platformShopStatusFields,
  stockBufferField,
  syncFields,
} from '#domains/sales/delivery-platforms/index.ts'

const ownShopGroup = { zh: '我们的门店', en: 'Our store' }
const platformShopGroup = { zh: '饿了么门店', en: 'Ele.me store' }

/** One of our shops at Ele. Actions submit it there and compare its products with ours. */
export const eleShopInfo = defineResource({
  name: 'eleShopInfo',
  path: '/api/ele/eleShopInfo',
  label: { zh: '饿了么门店', en: 'Ele.me store' },
  tenancy: 'tenant',
  scope: { shop: 'shopId' },
  menu: { under: 'ele', path: '/ele/eleShopInfo', icon: 'shop', sort: 10 },
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
    sysStatus: f.dict('ele_sys_status', {
      label: { zh: '审核状态', en: 'Review status' },
      numeric: true,
      default: 0,
      form: 'hidden',
      search: 'eq',
      group: platformShopGroup,
      width: 110,
    }),
    businessStatus: f.dict('ele_business_status', {
      label: { zh: '营业状态', en: 'Store status' },
      numeric: true,
      form: 'hidden',
      search: 'eq',
      group: platformShopGroup,
      width: 100,
    }),
    categoryId: f.text({ label: { zh: '经营类目', en: 'Business category' }, max: 64, group: platformShopGroup }),
    phone: contactPhoneField({ group: platformShopGroup }),
    province: f.text({ label: { zh: '平台省编号', en: 'Platform province ID' }, max: 20, group: platformShopGroup }),
    city: f.text({ label: { zh: '平台市编号', en: 'Platform city ID' }, max: 20, group: platformShopGroup }),
    county: f.text({ label: { zh: '平台区编号', en: 'Platform district ID' }, max: 20, group: platformShopGroup }),
    address: f.text({ label: { zh: '地址', en: 'Address' }, max: 200, group: platformShopGroup }),
    longitude: longitudeField({ group: platformShopGroup }),
    latitude: latitudeField({ group: platformShopGroup }),
    logo: f.picture({ label: { zh: '门店标志', en: 'Logo' }, group: platformShopGroup }),
    businessTime: f.text({
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
    packageFee: f.money({ label: { zh: '打包费', en: 'Packing fee' }, max: 9900, group: platformShopGroup }),
    minOrderPrice: f.money({ label: { zh: '起送价', en: 'Minimum order' }, max: 99_900, group: platformShopGroup }),
    isAutoAccepted: autoAcceptField({ group: platformShopGroup }),
    markup: platformMarkupField({ group: platformShopGroup }),
    stockBuffer: stockBufferField({ group: platformShopGroup }),
    ...platformShopStatusFields,
    ...platformOpeningFields,
    ...syncFields,
    remark: remarkField(),
  },
  list: {
    columns: ['name', 'shopId', 'standing', 'nextStep', 'platformShopId', 'phone', 'businessTime', 'syncTime'],
    time: false,
    sort: '-createTime',
  },
  row: { sub: ['shopId', 'standing', 'nextStep'] },
  actions: {
    apply: {
      on: 'row',
      label: { zh: '申请入驻', en: 'Apply for listing' },
      confirm: {
        zh: '把“{name}”连同分类、商品和资质提交给饿了么？',
        en: 'Submit “{name}” with its categories, products and licenses to Ele.me?',
      },
      done: { zh: '已提交，结果会显示在列表里', en: 'Submitted. The list shows the result.' },
      icon: 'send',
    },
    sync: {
      on: 'row',
      label: { zh: '同步', en: 'Sync now' },
      answer: objectSchema({ id: rowIdSchema }),
      done: { zh: '已开始同步，进度见“饿了么同步记录”', en: 'Sync started. See “Ele.me sync log” for progress.' },
      icon: 'sync',
      bulk: true,
    },
  },
  unique: [['shopId'], ['platformShopId']],
})

export const eleShopIdField = reusableField.ref(eleShopInfo.name, {
  label: eleShopInfo.label,
  labelKey: 'eleShopName',
  search: 'eq',
  width: 180,
})
