import { forCustomer, wxUserId } from './wx-user.resource.ts'
import { defineResource, f, reason, PLAIN_SIGNS } from '#kit/resource/index.ts'
import { bookedIn, shopId } from '#domains/shops/index.ts'
import { transactionNo } from '#domains/payments/index.ts'
import { paidBackWords } from './account-dictionaries.ts'

/** Money a customer put on their account: once per number, with what was given on top, and what of it went back. */
export const rechargeLog = defineResource({
  name: 'rechargeLog',
  path: '/api/shop/rechargeLog',
  label: { zh: '充值记录', en: 'Recharge' },
  tenancy: 'tenant',
  big: true,
  writer: 'customer',
  scope: { shop: 'shopId' },
  menu: { under: 'member', path: '/member/rechargeLog', icon: 'wallet', sort: 60 },
  title: 'rechargeNo',
  fields: {
    rechargeNo: f.text({ label: { zh: '充值单号', en: 'Recharge number' }, max: 64, search: 'likeright', width: 190 }),
    wxUserId: wxUserId({ width: 140 }),
    shopId: shopId(),
    confId: f.ref('rechargeConf', {
      label: { zh: '档位', en: 'Offer' },
      labelKey: 'confName',
      search: 'eq',
      width: 150,
    }),
    amount: f.money({ label: { zh: '充值金额', en: 'Amount' }, search: 'range', width: 110 }),
    giftAmount: f.money({
      sortable: false,
      label: { zh: '赠送金额', en: 'Money on top' },
      default: '0.00',
      width: 110,
    }),
    giftIntegral: f.number({
      sortable: false,
      label: { zh: '赠送积分', en: 'Points on top' },
      min: 0,
      default: 0,
      width: 100,
    }),
    giftTicketId: f.ref('discountTicket', {
      label: { zh: '赠送优惠券', en: 'Ticket on top' },
      labelKey: 'giftTicketName',
      width: 150,
    }),
    payType: f.dict('member_pay_type', { label: { zh: '收款方式', en: 'Paid by' }, search: 'eq', width: 100 }),
    payStatus: f.dict('member_pay_status', {
      label: { zh: '状态', en: 'State' },
      numeric: true,
      search: 'eq',
      width: 100,
    }),
    payTime: f.datetime({ label: { zh: '到账时间', en: 'Paid at' }, search: 'range', width: 160 }),
    transactionNo: f.text({ label: { zh: '支付流水号', en: 'Transaction number' }, max: 64, search: 'eq', width: 180 }),
    refundAmount: f.money({ label: { zh: '已退金额', en: 'Refunded' }, default: '0.00', width: 110 }),
    refundGiftAmount: f.money({ label: { zh: '收回赠金', en: 'Gift money taken back' }, default: '0.00', width: 110 }),
    refundGiftIntegral: f.number({
      label: { zh: '收回赠分', en: 'Gift points taken back' },
      min: 0,
      default: 0,
      width: 100,
    }),
    reason: reason({ width: 160 }),
    refundReason: f.text({ label: { zh: '退款原因', en: 'Refund reason' }, max: 200, width: 160 }),
  },
  measures: {
    amount: {
      label: { zh: '充值金额', en: 'Recharged' },
      help: { zh: '已到账的，含后来退款的', en: 'What was paid, refunded later or not' },
      sum: 'amount',
      more: 'good',
      where: { payStatus_in: '1,2,3' },
    },
    gift: { label: { zh: '赠送金额', en: 'Given on top' }, sum: 'giftAmount', where: { payStatus_in: '1,2,3' } },
    refunded: { label: { zh: '已退金额', en: 'Refunded' }, sum: 'refundAmount', more: 'bad' },
    recharges: { label: { zh: '充值笔数', en: 'Recharges' }, more: 'good', where: { payStatus_in: '1,2,3' } },
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
  unique: [['rechargeNo']],
  indexes: [['wxUserId', 'createTime', 'id'], ['payStatus', 'createTime', 'id'], ['payTime'], ['transactionNo']],
  actions: {
    recharge: {
      on: 'toolbar',
      label: { zh: '充值', en: 'Recharge' },
      icon: 'wallet',
      input: {
        wxUserId: forCustomer,
        confId: f.ref('rechargeConf', { label: { zh: '档位', en: 'Offer' } }),
        amount: f.money({
          label: { zh: '充值金额', en: 'Amount' },
          requiredWhen: { confId: { eq: '' } },
          min: 1,
          max: 10_000_000,
          help: {
            zh: '选了档位可不填；不选档位则没有赠送',
            en: 'May be empty with an offer; without an offer nothing is given on top',
          },
        }),
        payType: f.dict('member_pay_type', {
          label: { zh: '收款方式', en: 'Paid by' },
          required: true,
          default: 'cash',
          without: ['balance'],
        }),
        transactionNo: transactionNo(),
        shopId: bookedIn,
        reason: reason({
          required: true,
          usual: [
            { zh: '到店充值', en: 'Paid in the shop' },
            { zh: '电话充值', en: 'Asked by phone' },
          ],
        }),
        rechargeNo: f.text({
          label: { zh: '充值单号', en: 'Recharge number' },
          max: 64,
          ...PLAIN_SIGNS,
          form: 'hidden',
          help: { zh: '同一单号只到账一次', en: 'The same number is booked once' },
        }),
      },
    },
    refund: {
      on: 'row',
      label: { zh: '退款', en: 'Refund' },
      icon: 'rollback',
      danger: true,
      enabled: { payStatus: { in: [1, 2] } },
      done: paidBackWords,
      input: {
        amount: f.money({
          label: { zh: '退款金额', en: 'Amount' },
          required: true,
          min: 1,
          help: { zh: '赠送的金额和积分按比例收回', en: 'Money and points given on top are taken back in proportion' },
        }),
        reason: reason({
          label: { zh: '退款原因', en: 'Reason' },
          required: true,
          usual: [
            { zh: '充错金额', en: 'Wrong amount' },
            { zh: '顾客不再来', en: 'Customer leaves' },
          ],
        }),
        refundedBefore: f.money({
          label: { zh: '此前已退', en: 'Refunded before' },
          form: 'hidden',
          help: { zh: '与现在不符则不退', en: 'When it is no longer so, nothing is refunded' },
        }),
      },
    },
  },
})
