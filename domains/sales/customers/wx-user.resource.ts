import { defineResource, f, longRemarkField, reusableField } from '#kit/resource/index.ts'

export const customerPhoneField = reusableField.phone({
  label: { zh: '手机号', en: 'Mobile number' },
  mask: 'phone',
  search: 'like',
  width: 130,
})

/** A customer, known by WeChat. Customers write these rows; the office reads them and keeps a remark. */
export const wxUser = defineResource({
  name: 'wxUser',
  path: '/api/shop/wxUser',
  label: { zh: '顾客', en: 'Customer' },
  tenancy: 'tenant',
  indexedList: true,
  writer: 'customer',
  menu: { under: 'shop', path: '/shop/wxUser', icon: 'wechat', sort: 30 },
  title: 'nickname',
  titleCode: 'phone',
  fields: {
    nickname: f.text({
      label: { zh: '昵称', en: 'Nickname' },
      max: 64,
      search: 'like',
      ngramIndex: true,
      form: 'read',
      width: 140,
    }),
    avatar: f.picture({ label: { zh: '头像', en: 'Avatar' }, mask: 'face', form: 'read', width: 70 }),
    phone: customerPhoneField({ form: 'read' }),
    gender: f.dict('customer_gender', { label: { zh: '性别', en: 'Gender' }, numeric: true, form: 'read', default: 0 }),
    openid: f.text({ label: { zh: '微信 openid', en: 'WeChat openid' }, max: 64, form: 'hidden' }),
    unionid: f.text({ label: { zh: '微信 unionid', en: 'WeChat unionid' }, max: 64, form: 'hidden' }),
    balance: f.money({
      systemUpdated: true,
      label: { zh: '余额', en: 'Balance' },
      form: 'read',
      default: '0.00',
      width: 110,
    }),
    integral: f.number({
      systemUpdated: true,
      label: { zh: '积分', en: 'Points' },
      form: 'read',
      default: 0,
      width: 90,
    }),
    vipLevel: f.number({
      systemUpdated: true,
      label: { zh: '会员等级', en: 'Membership tier' },
      min: 0,
      form: 'read',
      default: 0,
      search: 'eq',
      width: 90,
    }),
    vipEndTime: f.datetime({ systemUpdated: true, label: { zh: '会员到期', en: 'Membership expires' }, form: 'read' }),
    totalSpent: f.money({
      systemUpdated: true,
      label: { zh: '累计消费', en: 'Total spent' },
      form: 'read',
      default: '0.00',
      width: 120,
    }),
    orderCount: f.number({
      systemUpdated: true,
      label: { zh: '订单数', en: 'Orders' },
      form: 'read',
      default: 0,
      width: 90,
    }),
    lastVisitTime: f.datetime({
      systemUpdated: true,
      label: { zh: '最近到店', en: 'Last visit' },
      form: 'read',
      width: 160,
    }),
    mergedInto: f.ref('wxUser', {
      label: { zh: '已并入账户', en: 'Merged into' },
      labelKey: 'mergedIntoName',
      form: 'hidden',
      width: 140,
    }),
    mergeTime: f.datetime({ label: { zh: '合并时间', en: 'Merged' }, form: 'hidden' }),
    remark: longRemarkField(),
  },
  measures: {
    customers: { label: { zh: '顾客数', en: 'Customers' } },
    spent: { label: { zh: '累计消费', en: 'Total spent' }, sum: 'totalSpent' },
    balance: { label: { zh: '余额', en: 'Balance' }, sum: 'balance' },
    points: { label: { zh: '积分', en: 'Points' }, sum: 'integral' },
  },
  list: {
    columns: [
      'nickname',
      'avatar',
      'phone',
      'balance',
      'integral',
      'vipLevel',
      'totalSpent',
      'orderCount',
      'lastVisitTime',
    ],
    time: 'createTime',
    sort: '-createTime',
  },
  row: { sub: ['phone'], amount: 'totalSpent', time: 'lastVisitTime', group: false },
  buttons: { edit: true },
  unique: [['openid']],
  indexes: [['phone'], ['unionid'], ['mergedInto'], ['lastVisitTime']],
})

const CUSTOMER = { zh: '顾客', en: 'Customer' }

/** Required field of an action: the customer it is for. */
export const requiredCustomerField = f.ref(wxUser.name, { label: CUSTOMER, required: true })

/** The customer of a row. */
export const wxUserIdField = reusableField.ref(wxUser.name, {
  label: CUSTOMER,
  labelKey: 'wxUserName',
  search: 'eq',
  width: 120,
})
