import { moneyMoveSchema } from '#domains/money/payment-channels/index.ts'
import { merchantIdField } from './merchant-info.resource.ts'
import { shopIdField } from '#domains/shops/shops/index.ts'
import { defineResource, f, remarkField } from '#kit/resource/index.ts'

/**
 * A profit-sharing move: part of an order's money to a receiver, its return, or the release of the rest to the
 * merchant. Limits are checked when it is written; a job sends it and queries it until it has finished.
 */
export const shareLog = defineResource({
  name: 'shareLog',
  path: '/api/merchant/shareLog',
  label: { zh: '分账记录', en: 'Profit share' },
  tenancy: 'tenant',
  scope: { shop: 'shopId' },
  menu: { under: 'merchant', path: '/merchant/shareLog', icon: 'share-alt', sort: 40 },
  title: 'outOrderNo',
  remove: false,
  fields: {
    outOrderNo: f.text({
      label: { zh: '分账单号', en: 'Share no.' },
      max: 64,
      form: 'hidden',
      search: 'eq',
      width: 200,
    }),
    kind: f.dict('share_kind', {
      label: { zh: '类型', en: 'Type' },
      form: 'hidden',
      default: 'share',
      search: 'eq',
      width: 90,
    }),
    orderId: f.ref('shoppingOrder', {
      label: { zh: '订单', en: 'Order' },
      labelKey: 'orderNo',
      required: true,
      form: 'add',
      search: 'eq',
      width: 200,
    }),
    shopId: shopIdField({ form: 'hidden', width: 140 }),
    merchantId: merchantIdField({ onRemoval: 'refuse', form: 'hidden' }),
    transactionNo: f.text({
      label: { zh: '支付流水号', en: 'Transaction ID' },
      max: 64,
      form: 'hidden',
      search: 'eq',
      width: 180,
    }),
    receivers: f.json({
      label: { zh: '接收方', en: 'Receivers' },
      required: true,
      form: 'add',
      wide: true,
      width: 200,
    }),
    amount: f.money({ label: { zh: '分账金额', en: 'Amount' }, form: 'hidden', width: 100 }),
    finishAmount: f.money({ label: { zh: '已到账', en: 'Received' }, form: 'hidden', default: '0.00', width: 100 }),
    description: f.text({ label: { zh: '说明', en: 'Description' }, required: true, max: 80, form: 'add', width: 160 }),
    status: f.dict('share_status', {
      label: { zh: '状态', en: 'Status' },
      numeric: true,
      form: 'hidden',
      default: 0,
      search: 'eq',
      width: 100,
    }),
    results: f.json({ label: { zh: '各接收方结果', en: 'Result by receiver' }, form: 'hidden', wide: true }),
    ofShareNo: f.text({ label: { zh: '原分账单号', en: 'Original share no.' }, max: 64, form: 'hidden' }),
    forRefundNo: f.text({ label: { zh: '为退款', en: 'For refund' }, max: 64, form: 'hidden' }),
    sentTime: f.datetime({ label: { zh: '提交时间', en: 'Submitted' }, form: 'hidden', width: 160 }),
    finishTime: f.datetime({ label: { zh: '完成时间', en: 'Completed' }, form: 'hidden', width: 160 }),
    failReason: f.text({ label: { zh: '失败原因', en: 'Failure reason' }, max: 500, form: 'hidden' }),
    remark: remarkField(),
  },
  list: {
    columns: [
      'outOrderNo',
      'kind',
      'orderId',
      'status',
      'amount',
      'shopId',
      'merchantId',
      'receivers',
      'finishAmount',
      'description',
      'createTime',
    ],
    time: 'createTime',
    sort: '-createTime',
  },
  row: { title: ['kind', 'merchantId'], sub: ['shopId', '…outOrderNo'] },
  unique: [['outOrderNo']],
  indexes: [['orderId'], ['merchantId', 'finishTime']],
  actions: {
    letGo: {
      on: 'toolbar',
      label: { zh: '解冻订单', en: 'Release order' },
      answer: moneyMoveSchema,
      icon: 'unlock',
      input: {
        orderId: f.ref('shoppingOrder', {
          label: { zh: '订单', en: 'Order' },
          required: true,
          help: {
            zh: '没有分过账的订单也可以：冻结的钱归商户，之后不能再分账',
            en:
              'Also for orders without a profit share. Frozen funds go to the merchant and nothing can be ' +
              'shared after that.',
          },
        }),
      },
      done: {
        zh: '已提交；超过限额的等第二人确认，再由微信支付确认',
        en: 'Submitted. Above the limit it needs a second approval, then WeChat Pay confirms it.',
      },
    },
    unfreeze: {
      on: 'row',
      label: { zh: '解冻剩余金额', en: 'Release remaining funds' },
      answer: moneyMoveSchema,
      confirm: {
        zh: '解冻剩余金额？钱归商户，这个订单不能再分账',
        en: 'Release the remaining funds? They go to the merchant, and this order can no longer be shared.',
      },
      done: {
        zh: '已提交；超过限额的等第二人确认，再由微信支付确认',
        en: 'Submitted. Above the limit it needs a second approval, then WeChat Pay confirms it.',
      },
      enabled: { status: { in: ['2', '3'] }, kind: { in: ['share', ''] } },
      icon: 'unlock',
    },
  },
})
