import { wxUserIdField } from '#domains/sales/customers/index.ts'
import { defineResource, defineStates, f, remarkField, reasonField } from '#kit/resource/index.ts'
import { COUPON_STATE } from './dictionaries.ts'

/**
 * A ticket in a customer's hand: unused → locked by a quote → used, or expired. The system writes it; the office may
 * take it back.
 */
export const customerTicket = defineResource({
  name: 'customerTicket',
  path: '/api/shop/customerTicket',
  label: { zh: '顾客优惠券', en: 'Customer coupon' },
  tenancy: 'tenant',
  writer: 'system',
  menu: { under: 'marketing', path: '/marketing/customerTicket', icon: 'idcard', sort: 30 },
  title: 'ticketNo',
  fields: {
    ticketNo: f.text({ label: { zh: '券号', en: 'Coupon no.' }, max: 40, form: 'read', search: 'eq', width: 190 }),
    ticketId: f.ref('discountTicket', {
      label: { zh: '优惠券', en: 'Coupon' },
      labelKey: 'ticketName',
      form: 'read',
      search: 'eq',
      width: 170,
    }),
    wxUserId: wxUserIdField({ form: 'read', width: 130 }),
    status: f.dict('customer_ticket_status', {
      label: { zh: '状态', en: 'Status' },
      numeric: true,
      form: 'read',
      default: 0,
      search: 'eq',
      width: 90,
    }),
    startTime: f.datetime({ label: { zh: '生效时间', en: 'Valid from' }, form: 'read', width: 160 }),
    endTime: f.datetime({ label: { zh: '到期时间', en: 'Valid until' }, form: 'read', search: 'range', width: 160 }),
    source: f.dict('ticket_source', { label: { zh: '来源', en: 'Source' }, form: 'read', search: 'eq', width: 110 }),
    lockTime: f.datetime({ label: { zh: '锁定时间', en: 'Locked' }, form: 'read' }),
    quoteId: f.ref('', { label: { zh: '报价', en: 'Quote' }, form: 'hidden', detail: false }),
    usedTime: f.datetime({ label: { zh: '使用时间', en: 'Used' }, form: 'read', search: 'range', width: 160 }),
    usedAmount: f.money({ label: { zh: '抵扣金额', en: 'Discount amount' }, form: 'read', width: 100 }),
    orderId: f.ref('shoppingOrder', {
      label: { zh: '订单', en: 'Order' },
      labelKey: 'orderNo',
      form: 'read',
      search: 'eq',
      width: 200,
    }),
    shopId: f.ref('basicShopInfo', {
      label: { zh: '使用门店', en: 'Used at store' },
      labelKey: 'shopName',
      form: 'read',
      search: 'eq',
      width: 150,
    }),
    shopIds: f.refs('basicShopInfo', {
      label: { zh: '可用门店', en: 'Valid stores' },
      labelKey: 'shopNames',
      form: 'read',
      width: 150,
    }),
    isRevoked: f.boolean({ label: { zh: '不再归还', en: 'Not restored' }, form: 'hidden', detail: false }),
    remark: remarkField({ form: 'read' }),
  },
  list: {
    columns: [
      'ticketNo',
      'ticketId',
      'wxUserId',
      'status',
      'endTime',
      'source',
      'usedTime',
      'usedAmount',
      'shopId',
      'createTime',
    ],
    time: 'createTime',
    sort: '-createTime',
  },
  row: { sub: ['wxUserId', 'shopId', '…ticketNo'] },
  unique: [['ticketNo']],
  indexes: [
    ['wxUserId', 'status', 'endTime'],
    ['ticketId', 'wxUserId'],
    ['status', 'endTime'],
    ['orderId'],
    ['quoteId'],
  ],
  states: defineStates({
    field: 'status',
    values: COUPON_STATE,
    initial: ['unused'],
    moves: {
      lock: { from: ['unused'], to: 'locked' },
      redeem: { from: ['unused', 'locked', 'expired'], to: 'used' },
      expire: { from: ['unused'], to: 'expired', by: 'statement' },
      takeBack: { from: ['unused'], to: 'takenBack' },
      // Each by its own end and by what was taken back meanwhile.
      release: { from: ['locked', 'used'], to: ['unused', 'expired', 'takenBack'], by: 'statement' },
      revoke: { from: ['unused', 'locked'], to: 'takenBack', by: 'statement' },
    },
  }),
  actions: {
    takeBack: {
      on: 'row',
      label: { zh: '收回', en: 'Revoke' },
      icon: 'rollback',
      danger: true,
      confirm: { zh: '从顾客手中收回券 {ticketNo}？', en: 'Revoke coupon {ticketNo} from the customer?' },
      input: { remark: reasonField({ required: true }) },
    },
  },
})
