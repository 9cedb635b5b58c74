import { merchantIdField } from '#domains/money/merchant-accounts/index.ts'
import { moneyMoveSchema } from '#domains/money/payment-channels/index.ts'
import { shopIdField } from '#domains/shops/shops/index.ts'
import { defineResource, defineStates, f } from '#kit/resource/index.ts'
import { STATEMENT_DIFFERENCE_STATE } from './dictionaries.ts'
import { DIFFERENCE_KINDS_WITHOUT_ACTION, DIFFERENCE_KINDS } from './kinds.ts'

const facts = { zh: '差异', en: 'Discrepancy' }
const numbers = { zh: '单号', en: 'Reference numbers' }
const course = { zh: '处理', en: 'Resolution' }

const DIFFERENCE_KINDS_WITH_ACTION = Object.keys(DIFFERENCE_KINDS).filter(
  (key) => !DIFFERENCE_KINDS_WITHOUT_ACTION.includes(key),
)

/** A difference between our books and a statement, with its kind. `worth` is the platform's amount less ours. */
export const reconciliationDifference = defineResource({
  name: 'tallyDifference',
  path: '/api/tally/difference',
  label: { zh: '对账差异', en: 'Discrepancy', many: 'Reconciliation discrepancies' },
  tenancy: 'tenant',
  writer: 'system',
  menu: { under: 'merchant', path: '/merchant/tallyDifference', icon: 'file-search', sort: 34 },
  title: 'title',
  fields: {
    title: f.text({
      label: { zh: '单号', en: 'Reference no.' },
      max: 64,
      form: 'read',
      search: 'eq',
      group: facts,
      width: 200,
    }),
    kind: f.dict('tally_kind', {
      label: { zh: '种类', en: 'Type' },
      form: 'read',
      search: 'eq',
      group: facts,
      width: 190,
    }),
    state: f.dict('tally_state', {
      label: { zh: '状态', en: 'Status' },
      form: 'read',
      search: 'eq',
      group: facts,
      width: 130,
    }),
    day: f.date({ label: { zh: '日期', en: 'Date' }, form: 'read', search: 'range', group: facts, width: 110 }),
    age: f.number({
      label: { zh: '已过天数', en: 'Age (days)' },
      form: 'read',
      computed: true,
      group: facts,
      width: 95,
    }),
    ours: f.money({
      label: { zh: '我方金额', en: 'Our amount' },
      form: 'read',
      default: '0.00',
      group: facts,
      width: 105,
    }),
    theirs: f.money({
      label: { zh: '平台金额', en: 'Platform amount' },
      form: 'read',
      default: '0.00',
      group: facts,
      width: 105,
    }),
    worth: f.money({
      detail: false,
      label: { zh: '差额', en: 'Difference' },
      form: 'read',
      default: '0.00',
      group: facts,
      width: 105,
      help: {
        zh: '平台 − 我方；正数是账户里多出的钱',
        en: 'Platform − ours. Positive means extra money in the account.',
      },
    }),
    side: f.dict('tally_side', {
      label: { zh: '平台', en: 'Platform' },
      form: 'read',
      search: 'eq',
      group: facts,
      width: 100,
    }),
    dayId: f.ref('tallyDay', {
      label: { zh: '对账日', en: 'Reconciliation day' },
      labelKey: 'accountName',
      form: 'read',
      search: 'eq',
      group: facts,
    }),
    merchantId: merchantIdField({ form: 'read', group: facts }),
    shopId: shopIdField({ form: 'read', group: facts, width: 150 }),
    orderId: f.ref('shoppingOrder', {
      label: { zh: '订单', en: 'Order' },
      labelKey: 'orderOrderNo',
      form: 'hidden',
      detail: false,
      search: 'eq',
    }),
    orderNo: f.text({
      label: { zh: '订单号', en: 'Order no.' },
      max: 64,
      form: 'read',
      search: 'eq',
      group: numbers,
      width: 200,
    }),
    refundNo: f.text({
      label: { zh: '退款或分账单号', en: 'Refund or share no.' },
      max: 64,
      form: 'read',
      search: 'eq',
      group: numbers,
      width: 200,
    }),
    transactionNo: f.text({
      label: { zh: '平台流水号', en: 'Platform transaction ID' },
      max: 64,
      form: 'read',
      search: 'eq',
      group: numbers,
      width: 200,
    }),
    remark: f.text({ label: { zh: '说明', en: 'Message' }, max: 300, form: 'read', group: course, width: 200 }),
    doneUser: f.ref('user', {
      label: { zh: '处理人', en: 'Resolved by' },
      labelKey: 'doneUserName',
      form: 'read',
      group: course,
    }),
    doneTime: f.datetime({ label: { zh: '处理时间', en: 'Resolved' }, form: 'read', group: course, width: 160 }),
    mark: f.text({ label: { zh: '标识', en: 'Fingerprint' }, max: 120, form: 'hidden', detail: false }),
    runNo: f.number({
      label: { zh: '比对次数', en: 'Reconciliation runs' },
      default: 0,
      form: 'hidden',
      detail: false,
    }),
  },
  list: {
    columns: ['kind', 'state', 'worth', 'age', 'title', 'day', 'side', 'ours', 'theirs', 'remark'],
    sort: '-day',
  },
  unique: [['dayId', 'mark']],
  indexes: [['orderId'], ['state', 'day']],
  remove: false,
  states: defineStates({
    field: 'state',
    values: STATEMENT_DIFFERENCE_STATE,
    initial: ['open', 'explained'],
    moves: {
      // Reading again may change nothing: then it stays open until the comparison settles it.
      settle: { from: ['open', 'waits', 'declined', 'asked'], to: ['waits', 'asked', 'open'] },
      accept: { from: ['open', 'waits', 'declined', 'asked'], to: 'accepted' },
      decline: { from: ['waits'], to: 'declined' },
      request: { from: ['open'], to: 'asked' },
      // Money that could not be sent back has to be looked at, whatever was thought of it.
      reopen: {
        from: ['open', 'waits', 'declined', 'asked', 'settled', 'accepted', 'explained'],
        to: 'open',
      },
      vanish: { from: ['open', 'waits', 'declined', 'asked', 'accepted', 'explained'], to: 'settled' },
      findAgain: {
        from: ['open', 'waits', 'declined', 'asked', 'settled', 'accepted', 'explained'],
        to: ['open', 'explained'],
        by: 'upsert',
      },
    },
  }),
  actions: {
    settle: {
      on: 'row',
      label: { zh: '处理', en: 'Resolve' },
      answer: moneyMoveSchema,
      icon: 'check',
      enabled: { kind: { in: DIFFERENCE_KINDS_WITH_ACTION } },
      confirm: {
        zh: '按“{kindName}”的办法处理？每笔只会做一次',
        en: 'Resolve as “{kindName}”? Each is done only once.',
      },
      done: { zh: '已开始，结果会写在这条差异上', en: 'Started. The result appears on this discrepancy.' },
    },
    accept: {
      on: 'row',
      label: { zh: '认可差异', en: 'Accept discrepancy' },
      icon: 'file-done',
      input: { remark: f.text({ label: { zh: '原因', en: 'Reason' }, required: true, max: 200 }) },
    },
  },
})
