import {
  defineDict,
  defineResource,
  defineStates,
  f,
  objectSchema,
  constSchema,
  rowIdSchema,
  nullableSchema,
  textSchema,
  type ResponseTypeOf,
} from '#kit/resource/index.ts'

export const MONEY_MOVE_STATE = { waiting: 'waiting', confirmed: 'confirmed', declined: 'declined' } as const

export const moneyDictionaries = [
  defineDict({
    code: 'money_move_kind',
    label: { zh: '资金操作', en: 'Money operation' },
    entries: [
      { key: 'redirect', zh: '改退到其他账户', en: 'Refund to another account' },
      { key: 'unfreeze', zh: '解冻剩余', en: 'Release remaining funds' },
      { key: 'giveThere', zh: '外卖平台退款', en: 'Delivery platform refund' },
      { key: 'paidBack', zh: '充值、年费退款', en: 'Top-up or membership refund' },
      { key: 'overpaid', zh: '多付退回', en: 'Overpayment refund' },
      { key: 'tally', zh: '处理对账差异', en: 'Resolve discrepancy' },
    ],
  }),
  defineDict({
    code: 'money_move_state',
    label: { zh: '复核状态', en: 'Dual approval status' },
    entries: [
      { key: MONEY_MOVE_STATE.waiting, zh: '待第二人确认', en: 'Awaiting second approval', colour: 'warning' },
      { key: MONEY_MOVE_STATE.confirmed, zh: '已确认', en: 'Confirmed', colour: 'success' },
      { key: MONEY_MOVE_STATE.declined, zh: '已驳回', en: 'Rejected', colour: 'default' },
    ],
  }),
]

/**
 * A movement of money above the dual-approval limit. It waits for a second person and is executed in the transaction of
 * the approval. Its input is kept as requested, even if the limit changes.
 */
/** What asking for a move of money answers: whether it waits for a second person, or what was done at once. */
export const moneyMoveSchema = objectSchema(
  { waits: constSchema(true), id: rowIdSchema, outOrderNo: nullableSchema(textSchema) },
  ['waits', 'id', 'outOrderNo'],
)
export type MoneyMoveResult = ResponseTypeOf<typeof moneyMoveSchema>

export const moneyMove = defineResource({
  name: 'moneyMove',
  path: '/api/pay/moneyMove',
  label: { zh: '资金复核', en: 'Dual approval' },
  tenancy: 'tenant',
  writer: 'system',
  scope: { shop: 'shopId' },
  menu: { under: 'order', path: '/order/moneyMove', icon: 'safety', sort: 35 },
  title: 'subjectNo',
  remove: false,
  fields: {
    kind: f.dict('money_move_kind', {
      label: { zh: '事项', en: 'Operation' },
      form: 'read',
      search: 'eq',
      width: 150,
    }),
    subjectNo: f.text({ label: { zh: '单号', en: 'Reference no.' }, max: 64, form: 'read', search: 'eq', width: 200 }),
    orderId: f.ref('shoppingOrder', {
      label: { zh: '订单', en: 'Order' },
      labelKey: 'orderNo',
      form: 'read',
      search: 'eq',
      width: 200,
    }),
    shopId: f.ref('basicShopInfo', {
      label: { zh: '门店', en: 'Store' },
      labelKey: 'shopName',
      form: 'read',
      search: 'eq',
      width: 140,
    }),
    amount: f.money({ label: { zh: '金额', en: 'Amount' }, form: 'read', search: 'range', width: 110 }),
    state: f.dict('money_move_state', { label: { zh: '状态', en: 'Status' }, form: 'read', search: 'eq', width: 130 }),
    askUser: f.ref('user', {
      label: { zh: '提出人', en: 'Requested by' },
      labelKey: 'askUserName',
      form: 'read',
      width: 110,
    }),
    secondUser: f.ref('user', {
      label: { zh: '第二人', en: 'Second approver' },
      labelKey: 'secondUserName',
      form: 'read',
      width: 110,
    }),
    secondTime: f.datetime({ label: { zh: '处理时间', en: 'Decided' }, form: 'read', width: 160 }),
    secondRemark: f.text({ label: { zh: '意见', en: 'Decision' }, max: 200, form: 'read', width: 160 }),
    subjectKey: f.text({ label: { zh: '对象', en: 'Subject' }, max: 64, form: 'hidden', secret: true }),
    sealedAsk: f.text({ label: { zh: '内容', en: 'Content' }, max: 4000, form: 'hidden', secret: true }),
  },
  list: {
    columns: [
      'kind',
      'state',
      'amount',
      'subjectNo',
      'orderId',
      'shopId',
      'askUser',
      'createTime',
      'secondUser',
      'secondTime',
      'secondRemark',
    ],
    time: 'createTime',
    sort: '-createTime',
  },
  row: { title: 'kind', sub: ['shopId', 'askUser', '…subjectNo'], act: 'confirm' },
  buttons: { add: false, edit: false, delete: false, import: false },
  indexes: [['state', 'createTime', 'id'], ['orderId']],
  states: defineStates({
    field: 'state',
    values: MONEY_MOVE_STATE,
    initial: ['waiting'],
    moves: {
      confirm: { from: ['waiting'], to: 'confirmed' },
      decline: { from: ['waiting'], to: 'declined' },
    },
  }),
  actions: {
    confirm: {
      on: 'row',
      label: { zh: '确认', en: 'Approve' },
      confirm: {
        zh: '同意 {amount}？您是第二审核人，同意后马上执行',
        en: 'Approve {amount} as second approver? It is processed immediately.',
      },
      icon: 'check-circle',
      input: { secondRemark: f.text({ label: { zh: '意见', en: 'Decision' }, max: 200 }) },
    },
    decline: {
      on: 'row',
      label: { zh: '驳回', en: 'Reject' },
      confirm: { zh: '驳回 {amount}？什么都不会执行', en: 'Reject {amount}? Nothing is processed.' },
      icon: 'close-circle',
      danger: true,
      input: { secondRemark: f.text({ label: { zh: '原因', en: 'Reason' }, required: true, max: 200 }) },
    },
  },
})
