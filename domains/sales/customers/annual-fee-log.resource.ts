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

/** A membership bought: the fee, and the term it gave. */
export const annualFeeLog = defineResource({
  name: 'annualFeeLog',
  path: '/api/shop/annualFeeLog',
  label: { zh: '年费记录', en: 'Membership payment' },
  tenancy: 'tenant',
  writer: 'customer',
  scope: { shop: 'shopId' },
  menu: { under: 'member', path: '/member/annualFeeLog', icon: 'reconciliation', sort: 65 },
  title: 'feeNo',
  fields: {
    feeNo: f.text({ label: { zh: '年费单号', en: 'Payment no.' }, max: 64, search: 'likeright', width: 190 }),
    wxUserId: wxUserIdField({ width: 140 }),
    confId: f.ref('annualFeeConf', {
      label: { zh: '套餐', en: 'Plan' },
      labelKey: 'confName',
      search: 'eq',
      width: 150,
    }),
    level: f.ref('vipLevel', { label: { zh: '等级', en: 'Tier' }, labelKey: 'levelName', search: 'eq', width: 120 }),
    fee: f.money({ label: { zh: '费用', en: 'Fee' }, search: 'range', width: 110 }),
    months: f.number({ label: { zh: '月数', en: 'Duration (months)' }, width: 80 }),
    startTime: f.datetime({ label: { zh: '开始时间', en: 'Start' }, width: 160 }),
    endTime: f.datetime({ label: { zh: '到期时间', en: 'Valid until' }, width: 160 }),
    vipInfoId: f.ref('vipInfo', { label: { zh: '会员卡', en: 'Membership' }, labelKey: 'vipInfoName', width: 150 }),
    payType: f.dict('member_pay_type', { label: { zh: '收款方式', en: 'Payment method' }, search: 'eq', width: 100 }),
    payStatus: f.dict('member_pay_status', {
      label: { zh: '状态', en: 'Status' },
      numeric: true,
      search: 'eq',
      width: 100,
    }),
    payTime: f.datetime({ label: { zh: '到账时间', en: 'Paid' }, search: 'range', width: 160 }),
    transactionNo: f.text({ label: { zh: '支付流水号', en: 'Transaction ID' }, max: 64, search: 'eq', width: 180 }),
    shopId: shopIdField(),
    refundAmount: f.money({ label: { zh: '已退金额', en: 'Refunded amount' }, default: '0.00', width: 110 }),
    reason: reasonField({ width: 160 }),
    refundReason: f.text({ label: { zh: '退款原因', en: 'Refund reason' }, max: 200, width: 160 }),
  },
  list: {
    columns: [
      'feeNo',
      'wxUserId',
      'level',
      'payStatus',
      'fee',
      'months',
      'startTime',
      'endTime',
      'payType',
      'shopId',
      'refundAmount',
      'payTime',
    ],
    time: 'payTime',
    sort: '-createTime',
  },
  row: { sub: ['level', 'shopId', '…feeNo'] },
  unique: [['feeNo']],
  indexes: [['wxUserId', 'createTime', 'id'], ['confId'], ['payTime'], ['transactionNo']],
  states: defineStates({
    field: 'payStatus',
    values: MEMBER_PAYMENT_STATE,
    initial: ['waiting', 'paid'],
    moves: {
      refund: { from: ['paid', 'partly'], to: ['partly', 'refunded'] },
    },
  }),
  actions: {
    buy: {
      on: 'toolbar',
      label: { zh: '办理年费', en: 'Sell membership' },
      icon: 'idcard',
      input: {
        wxUserId: requiredCustomerField,
        confId: f.ref('annualFeeConf', { label: { zh: '年费套餐', en: 'Membership plan' }, required: true }),
        payType: f.dict('member_pay_type', {
          label: { zh: '收款方式', en: 'Payment method' },
          required: true,
          default: 'cash',
        }),
        transactionNo: transactionNoField(),
        shopId: recordedInShopField,
        reason: reasonField(),
        feeNo: f.text({
          label: { zh: '年费单号', en: 'Payment no.' },
          max: 64,
          ...IDENTIFIER_FORMAT,
          form: 'hidden',
          help: { zh: '同一单号只办理一次', en: 'The same number is processed only once' },
        }),
      },
      answer: objectSchema({
        id: rowIdSchema,
        feeNo: nullableSchema(textSchema),
        endTime: nullableSchema(textSchema),
        repeated: booleanSchema,
      }),
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
          help: {
            zh: '全额退款时，还没用完的会员时间一起收回',
            en: 'With a full refund the remaining membership time is revoked',
          },
        }),
        reason: reasonField({
          label: { zh: '退款原因', en: 'Refund reason' },
          required: true,
          suggestions: [
            { zh: '办错套餐', en: 'Wrong plan' },
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
