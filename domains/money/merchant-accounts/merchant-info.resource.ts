import { shopIdsField } from '#domains/shops/shops/index.ts'
import {
  defineResource,
  f,
  longRemarkField,
  reusableField,
  contactPhoneField,
  objectSchema,
  rowIdSchema,
} from '#kit/resource/index.ts'

const basics = { zh: '基本信息', en: 'Basics' }
const account = { zh: '收款账户', en: 'Bank account' }
const sharing = { zh: '支付与分账', en: 'Payment and profit sharing' }

/** A merchant: the owner of the money that some shops take. */
export const merchantInfo = defineResource({
  name: 'merchantInfo',
  path: '/api/merchant/merchantInfo',
  label: { zh: '商户', en: 'Merchant' },
  tenancy: 'tenant',
  scope: { shop: 'shopIds' },
  menu: { under: 'merchant', path: '/merchant/merchantInfo', icon: 'bank', sort: 10 },
  title: 'name',
  titleCode: 'merchantNo',
  fields: {
    name: f.text({
      label: { zh: '商户名称', en: 'Merchant name' },
      required: true,
      max: 100,
      search: 'like',
      group: basics,
      width: 200,
    }),
    merchantNo: f.text({
      label: { zh: '商户编号', en: 'Merchant code' },
      required: true,
      max: 32,
      search: 'like',
      group: basics,
      width: 110,
      pattern: '^[A-Za-z0-9_-]+$',
      patternWords: {
        zh: '商户编号只能含字母、数字、横线',
        en: 'A merchant code can contain only letters, digits and dashes',
      },
      sample: 'M10',
    }),
    type: f.dict('merchant_type', {
      label: { zh: '类型', en: 'Type' },
      required: true,
      default: 'enterprise',
      search: 'eq',
      group: basics,
      width: 110,
    }),
    status: f.dict('merchant_status', {
      label: { zh: '状态', en: 'Status' },
      numeric: true,
      default: 1,
      required: true,
      search: 'eq',
      group: basics,
      width: 80,
    }),
    shopIds: shopIdsField({
      group: basics,
      width: 220,
      help: {
        zh: '这些门店的收款归这个商户；一家门店只属于一个商户',
        en: 'Payments of these stores go to this merchant. A store belongs to one merchant only.',
      },
    }),
    licenceNo: f.text({ label: { zh: '营业执照号', en: 'Business license no.' }, max: 30, group: basics }),
    legalPerson: f.text({ label: { zh: '法人', en: 'Legal representative' }, max: 50, group: basics, width: 90 }),
    contact: f.text({ label: { zh: '联系人', en: 'Contact' }, max: 50, group: basics, width: 90 }),
    phone: contactPhoneField({ group: basics }),
    bankName: f.text({ label: { zh: '开户行', en: 'Bank' }, max: 100, group: account }),
    bankAccount: f.text({
      label: { zh: '银行账号', en: 'Bank account' },
      max: 300,
      secret: true,
      group: account,
      pattern: '^[0-9 *]{6,40}$',
      patternWords: { zh: '银行账号是 6 到 40 位数字', en: 'A bank account number has 6 to 40 digits' },
      sample: '62220212020090',
      help: {
        zh: '只显示后四位；不填表示不改',
        en: 'Only the last four digits are shown. Leave blank to keep it.',
      },
    }),
    bankAccountTail: f.text({
      label: { zh: '银行账号', en: 'Bank account' },
      max: 20,
      form: 'hidden',
      group: account,
      width: 110,
    }),
    subMchid: f.text({
      label: { zh: '特约商户号', en: 'Sub-merchant ID' },
      max: 32,
      search: 'eq',
      group: sharing,
      width: 130,
      pattern: '^\\d{6,32}$',
      patternWords: { zh: '特约商户号是 6 到 32 位数字', en: 'A sub-merchant ID has 6 to 32 digits' },
      sample: '1900000109',
    }),
    feeRate: f.percent({
      label: { zh: '手续费率', en: 'Fee rate' },
      min: 0,
      max: 10,
      default: '0.60',
      group: sharing,
      width: 90,
    }),
    shareRatio: f.percent({
      label: { zh: '分账上限', en: 'Profit-sharing limit' },
      min: 0,
      max: 30,
      default: '30.00',
      group: sharing,
      width: 90,
      help: { zh: '支付平台最多允许 30%', en: 'The payment platform allows up to 30%' },
    }),
    receivers: f.json({ label: { zh: '分账接收方', en: 'Profit-sharing receivers' }, group: sharing, wide: true }),
    receiverStates: f.json({
      label: { zh: '接收方登记结果', en: 'Receiver registration' },
      form: 'hidden',
      group: sharing,
      wide: true,
    }),
    remark: longRemarkField(),
  },
  list: {
    columns: [
      'name',
      'merchantNo',
      'type',
      'status',
      'shopIds',
      'subMchid',
      'feeRate',
      'shareRatio',
      'contact',
      'phone',
    ],
    time: false,
    sort: '-createTime',
  },
  unique: [['merchantNo'], ['subMchid']],
  actions: {
    addReceivers: {
      on: 'row',
      label: { zh: '登记分账接收方', en: 'Add profit-sharing receivers' },
      answer: objectSchema({ id: rowIdSchema }),
      confirm: { zh: '把这些接收方登记到微信支付?', en: 'Register these receivers with WeChat Pay?' },
      done: { zh: '已提交，等待微信支付确认', en: 'Submitted, awaiting confirmation by WeChat Pay' },
      icon: 'usergroup-add',
    },
  },
})

/** Reusable field for the merchant of a row. */
export const merchantIdField = reusableField.ref(merchantInfo.name, {
  label: merchantInfo.label,
  labelKey: 'merchantName',
  search: 'eq',
  width: 150,
})
