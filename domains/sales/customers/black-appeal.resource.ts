import { shopIdField } from '#domains/shops/shops/index.ts'
import {
  defineResource,
  defineStates,
  f,
  objectSchema,
  rowIdSchema,
  integerSchema,
  nullableSchema,
} from '#kit/resource/index.ts'
import { BLACK_LIST_APPEAL_STATE } from './dictionaries.ts'
import { customerPhoneField } from './wx-user.resource.ts'

/** An objection to a blacklist entry. Whoever made the entry may not decide it. */
export const blackAppeal = defineResource({
  name: 'blackAppeal',
  path: '/api/shop/blackAppeal',
  label: { zh: '黑名单申诉', en: 'Blocklist appeal' },
  tenancy: 'tenant',
  menu: { under: 'shop', path: '/shop/blackAppeal', icon: 'solution', sort: 61 },
  title: 'statement',
  remove: false,
  buttons: { edit: false, import: false },
  fields: {
    blackListId: f.ref('blackList', {
      label: { zh: '黑名单', en: 'Blocklist entry' },
      labelKey: 'blackListReason',
      required: true,
      form: 'add',
      search: 'eq',
      help: { zh: '门口会告知名单编号', en: 'The entry number is given at the door' },
      width: 180,
    }),
    shopId: shopIdField({ form: 'hidden', emptyLabel: { zh: '全部门店', en: 'All stores' } }),
    statement: f.longText({
      label: { zh: '申诉内容', en: 'Appeal' },
      required: true,
      max: 500,
      form: 'add',
      width: 260,
    }),
    phone: customerPhoneField({ form: 'add' }),
    pictures: f.pictures({ label: { zh: '凭证图片', en: 'Evidence photos' }, form: 'add' }),
    status: f.dict('appeal_status', {
      label: { zh: '状态', en: 'Status' },
      numeric: true,
      form: 'read',
      default: 0,
      search: 'eq',
      width: 100,
    }),
    decideUser: f.ref('user', {
      label: { zh: '处理人', en: 'Decided by' },
      labelKey: 'decideUserName',
      form: 'read',
      width: 110,
    }),
    decideTime: f.datetime({ label: { zh: '处理时间', en: 'Decided' }, form: 'read', width: 160 }),
    decision: f.text({ label: { zh: '处理意见', en: 'Decision' }, max: 200, form: 'read', width: 200 }),
  },
  list: {
    columns: [
      'statement',
      'blackListId',
      'shopId',
      'status',
      'phone',
      'decideUser',
      'decision',
      'createUser',
      'createTime',
    ],
    time: 'createTime',
    sort: '-createTime',
  },
  row: { title: 'statement', sub: ['shopId', 'phone'] },
  indexes: [['blackListId'], ['shopId', 'createTime', 'id'], ['status']],
  states: defineStates({
    field: 'status',
    values: BLACK_LIST_APPEAL_STATE,
    initial: ['open'],
    moves: {
      uphold: { from: ['open'], to: 'upheld' },
      lift: { from: ['open'], to: 'lifted' },
    },
  }),
  actions: {
    uphold: {
      on: 'row',
      label: { zh: '维持', en: 'Uphold' },
      icon: 'stop',
      confirm: { zh: '名单继续有效，到期自动解除', en: 'The entry stays active until it expires automatically' },
      input: { decision: f.text({ label: { zh: '处理意见', en: 'Decision' }, required: true, max: 200 }) },
      answer: objectSchema({ id: rowIdSchema, status: nullableSchema(integerSchema) }),
    },
    lift: {
      on: 'row',
      label: { zh: '解除', en: 'Lift' },
      icon: 'unlock',
      confirm: { zh: '名单立即结束，本人可以进店', en: 'The entry ends immediately. The customer can enter again.' },
      input: { decision: f.text({ label: { zh: '处理意见', en: 'Decision' }, required: true, max: 200 }) },
      answer: objectSchema({ id: rowIdSchema, status: nullableSchema(integerSchema) }),
    },
  },
})
