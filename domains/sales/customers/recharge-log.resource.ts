import { requiredCustomerField, wxUserIdField } from './wx-user.resource.ts'
import {
  defineResource,
  defineStates,
  f,
  reasonField,
  IDENTIFIER_FORMAT,
  objectSchema,
  rowIdSchema,
  nullableSchema,
  textSchema,
  booleanSchema,
  oneOfSchema,
  integerSchema,
} from '#kit/resource/index.ts'
import { MEMBER_PAYMENT_STATE } from './dictionaries.ts'
import { recordedInShopField, shopIdField } from '#domains/shops/shops/index.ts'
import { transactionNoField } from '#domains/money/payment-channels/index.ts'
import { refundDoneText } from './account-dictionaries.ts'

/** Money a customer put on their account: once per number, with what was given on top, and what of it went back. */
export const rechargeLog = defineResource({
  name: 'rechargeLog',
  path: '/api/shop/rechargeLog',
  label: { zh: '充值记录', en: 'Top-up' },
  tenancy: 'tenant',
  indexedList: true,
  writer: 'customer',
  scope: { shop: 'shopId' },
  menu: { under: 'member', path: '/member/rechargeLog', icon: 'wallet', sort: 60 },
  title: 'rechargeNo',
  fields: {
    rechargeNo: f.text({ label: { zh: '充值单号', en: 'Top-up no.' }, max: 64, search: 'likeright', width: 190 }),
    wxUserId: wxUserIdField({ width: 140 }),
    shopId: shopIdField(),
    confId: f.ref('rechargeConf', {
      label: { zh: '套餐', en: 'Plan' },
      labelKey: 'confName',
      search: 'eq',
      width: 150,
    }),
    amount: f.money({ label: { zh: '充值金额', en: 'Amount' }, search: 'range', width: 110 }),
    giftAmount: f.money({
      sortable: false,
      label: { zh: '赠送金额', en: 'Bonus amount' },
      default: '0.00',
      width: 110,
    }),
    giftIntegral: f.number({
      sortable: false,
      label: { zh: '赠送积分', en: 'Bonus points' },
      min: 0,
      default: 0,
      width: 100,
    }),
    giftTicketId: f.ref('discountTicket', {
      label: { zh: '赠送优惠券', en: 'Bonus coupon' },
      labelKey: 'giftTicketName',
      width: 150,
    }),
    payType: f.dict('member_pay_type', { label: { zh: '收款方式', en: 'Payment method' }, search: 'eq', width: 100 }),
    payStatus: f.dict('member_pay_status', {
      label: { zh: '状态', en: 'Status' },
      numeric: true,
      search: 'eq',
      width: 100,
    }),
    payTime: f.datetime({ label: { zh: '到账时间', en: 'Paid' }, search: 'range', width: 160 }),
    transactionNo: f.text({ label: { zh: '支付流水号', en: 'Transaction ID' }, max: 64, search: 'eq', width: 180 }),
    refundAmount: f.money({ label: { zh: '已退金额', en: 'Refunded amount' }, default: '0.00', width: 110 }),
    refundGiftAmount: f.money({ label: { zh: '收回赠金', en: 'Bonus money reclaimed' }, default: '0.00', width: 110 }),
    refundGiftIntegral: f.number({
      label: { zh: '收回赠分', en: 'Bonus points reclaimed' },
      min: 0,
      default: 0,
      width: 100,
    }),
    reason: reasonField({ width: 160 }),
    refundReason: f.text({ label: { zh: '退款原因', en: 'Refund reason' }, max: 200, width: 160 }),
  },
  measures: {
    amount: {
      label: { zh: '充值金额', en: 'Top-up amount' },
      help: { zh: '已到账的，含后来退款的', en: 'Paid top-ups, including those refunded later' },
      sum: 'amount',
      more: 'good',
      where: { payStatus_in: '1,2,3' },
    },
    gift: { label: { zh: '赠送金额', en: 'Bonus amount' }, sum: 'giftAmount', where: { payStatus_in: '1,2,3' } },
    refunded: { label: { zh: '已退金额', en: 'Refunded amount' }, sum: 'refundAmount', more: 'bad' },
    recharges: { label: { zh: '充值笔数', en: 'Top-ups' }, more: 'good', where: { payStatus_in: '1,2,3' } },
  },
  list: {
    columns: [
      'rechargeNo',
      'wxUserId',
      'amount',
      'giftAmount',
      'giftIntegral',
      'payStatus',
      'payType',
      'shopId',
      'confId',
      'refundAmount',
      'payTime',
      'createTime',
    ],
    time: 'payTime',
    sort: '-createTime',
  },
  row: { sub: ['shopId', '…rechargeNo'] },
  unique: [['rechargeNo']],
  indexes: [['wxUserId', 'createTime', 'id'], ['payStatus', 'createTime', 'id'], ['payTime'], ['transactionNo']],
  states: defineStates({
    field: 'payStatus',
    values: MEMBER_PAYMENT_STATE,
    initial: ['waiting', 'paid'],
    moves: {
      refund: { from: ['paid', 'partly'], to: ['partly', 'refunded'] },
    },
  }),
  actions: {
    recharge: {
      on: 'toolbar',
      label: { zh: '充值', en: 'Top-up' },
      icon: 'wallet',
      input: {
        wxUserId: requiredCustomerField,
        confId: f.ref('rechargeConf', { label: { zh: '套餐', en: 'Plan' } }),
        amount: f.money({
          label: { zh: '充值金额', en: 'Amount' },
          requiredWhen: { confId: { eq: '' } },
          min: 1,
          max: 10_000_000,
          help: {
            zh: '选了套餐可不填；不选套餐则没有赠送',
            en: 'Optional with an offer. Without an offer there is no bonus.',
          },
        }),
        payType: f.dict('member_pay_type', {
          label: { zh: '收款方式', en: 'Payment method' },
          required: true,
          default: 'cash',
          without: ['balance'],
        }),
        transactionNo: transactionNoField(),
        shopId: recordedInShopField,
        reason: reasonField({
          required: true,
          suggestions: [
            { zh: '到店充值', en: 'Paid in store' },
            { zh: '电话充值', en: 'Requested by phone' },
          ],
        }),
        rechargeNo: f.text({
          label: { zh: '充值单号', en: 'Top-up no.' },
          max: 64,
          ...IDENTIFIER_FORMAT,
          form: 'hidden',
          help: { zh: '同一单号只到账一次', en: 'The same number is credited only once' },
        }),
      },
      answer: objectSchema({ id: rowIdSchema, rechargeNo: nullableSchema(textSchema), repeated: booleanSchema }),
    },
    refund: {
      on: 'row',
      label: { zh: '退款', en: 'Refund' },
      icon: 'rollback',
      danger: true,
      done: refundDoneText,
      input: {
        amount: f.money({
          label: { zh: '退款金额', en: 'Refund amount' },
          required: true,
          min: 1,
          help: { zh: '赠送的金额和积分按比例收回', en: 'Bonus money and points are reclaimed proportionally' },
        }),
        reason: reasonField({
          label: { zh: '退款原因', en: 'Refund reason' },
          required: true,
          suggestions: [
            { zh: '充错金额', en: 'Wrong amount' },
            { zh: '顾客不再来', en: 'Customer left' },
          ],
        }),
        refundedBefore: f.money({
          label: { zh: '此前已退', en: 'Refunded earlier' },
          form: 'hidden',
          help: { zh: '与现在不符则不退', en: 'If this has changed, no refund is made' },
        }),
      },
      answer: oneOfSchema(
        objectSchema({
          id: rowIdSchema,
          payStatus: nullableSchema(integerSchema),
          refundNo: nullableSchema(textSchema),
          backState: nullableSchema(textSchema),
          howBack: textSchema,
        }),
        objectSchema({
          id: rowIdSchema,
          payStatus: nullableSchema(integerSchema),
          waits: booleanSchema,
          howBack: textSchema,
        }),
      ),
    },
  },
})
