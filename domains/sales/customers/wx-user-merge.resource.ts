import {
  defineResource,
  defineStates,
  f,
  reasonField,
  objectSchema,
  rowIdSchema,
  nullableSchema,
  textSchema,
} from '#kit/resource/index.ts'

/** Two accounts of one person made one: who did it and why, and what moved. */
export const wxUserMerge = defineResource({
  name: 'wxUserMerge',
  path: '/api/shop/wxUserMerge',
  label: { zh: '账户合并', en: 'Account merge' },
  tenancy: 'tenant',
  writer: 'system',
  menu: { under: 'member', path: '/member/wxUserMerge', icon: 'user-switch', sort: 90 },
  title: 'reason',
  fields: {
    sourceId: f.ref('wxUser', {
      label: { zh: '被并入的账户', en: 'Source account' },
      labelKey: 'sourceName',
      search: 'eq',
      width: 150,
    }),
    targetId: f.ref('wxUser', {
      label: { zh: '保留的账户', en: 'Target account' },
      labelKey: 'targetName',
      search: 'eq',
      width: 150,
    }),
    balance: f.money({ label: { zh: '转入余额', en: 'Balance transferred' }, width: 110 }),
    integral: f.number({ label: { zh: '转入积分', en: 'Points transferred' }, width: 100 }),
    state: f.dict('merge_state', { label: { zh: '状态', en: 'Status' }, search: 'eq', width: 100 }),
    moved: f.json({ label: { zh: '转入记录数', en: 'Records transferred' } }),
    movedCount: f.number({ label: { zh: '转入记录', en: 'Total records transferred' }, default: 0, width: 100 }),
    finishTime: f.datetime({ label: { zh: '完成时间', en: 'Completed' }, width: 160 }),
    reason: reasonField({ width: 180 }),
  },
  states: defineStates({
    field: 'state',
    values: { moving: 'moving', done: 'done' },
    initial: ['moving'],
    moves: {
      // Late rows are moved after the end too.
      finish: { from: ['moving', 'done'], to: 'done' },
    },
  }),
  list: {
    columns: [
      'sourceId',
      'targetId',
      'balance',
      'integral',
      'movedCount',
      'state',
      'reason',
      'createUser',
      'createTime',
    ],
    time: 'createTime',
    sort: '-createTime',
  },
  row: { title: ['sourceId', 'targetId'], sub: ['createUser'] },
  unique: [['sourceId']],
  indexes: [['targetId']],
  actions: {
    merge: {
      on: 'toolbar',
      label: { zh: '合并账户', en: 'Merge accounts' },
      icon: 'user-switch',
      danger: true,
      input: {
        sourceId: f.ref('wxUser', {
          label: { zh: '被并入的账户', en: 'Source account' },
          required: true,
          help: {
            zh: '余额、积分、会员、订单、优惠券都转走，然后关闭',
            en: 'Balance, points, membership, orders and coupons are moved, then the account is closed',
          },
        }),
        targetId: f.ref('wxUser', { label: { zh: '保留的账户', en: 'Target account' }, required: true }),
        reason: reasonField({ required: true }),
        isSamePerson: f.boolean({
          label: { zh: '已确认是同一个人', en: 'Confirmed as the same person' },
          default: false,
          help: {
            zh: '两个账户的手机号或微信身份不同时必须确认；合并后不能撤销',
            en: 'Required when phone numbers or WeChat identities differ. A merge cannot be undone.',
          },
        }),
      },
      answer: objectSchema({ id: rowIdSchema, state: nullableSchema(textSchema) }),
    },
  },
})
