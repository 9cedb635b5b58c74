import { wxUserIdField, customerPhoneField } from '#domains/sales/customers/index.ts'
import { shopIdField } from '#domains/shops/shops/index.ts'
import { orderIdField } from './shopping-order.resource.ts'
import { defineResource, defineStates, f, longRemarkField } from '#kit/resource/index.ts'
import { DELIVERY_STATE } from './dictionaries.ts'

const goal = { zh: '送到哪里', en: 'Destination' }
const courier = { zh: '谁送', en: 'Courier' }
const times = { zh: '进度', en: 'Progress' }

/** One attempt to deliver an order. The shop's own deliveries are advanced here; platforms report theirs. */
export const deliveryInfo = defineResource({
  name: 'deliveryInfo',
  path: '/api/shop/deliveryInfo',
  label: { zh: '配送', en: 'Delivery' },
  tenancy: 'tenant',
  writer: 'customer',
  scope: { shop: 'shopId' },
  menu: { under: 'order', path: '/order/deliveryInfo', icon: 'car', sort: 40 },
  title: 'address',
  fields: {
    orderId: orderIdField({ form: 'read' }),
    shopId: shopIdField({ form: 'read', width: 140 }),
    wxUserId: wxUserIdField({ form: 'read' }),
    status: f.dict('delivery_status', {
      label: { zh: '状态', en: 'Status' },
      numeric: true,
      form: 'read',
      search: 'eq',
      width: 90,
    }),
    name: f.text({
      label: { zh: '收货人', en: 'Recipient' },
      max: 50,
      mask: 'name',
      form: 'read',
      search: 'like',
      group: goal,
      width: 100,
    }),
    phone: customerPhoneField({ form: 'read', group: goal }),
    address: f.text({
      label: { zh: '收货地址', en: 'Delivery address' },
      max: 200,
      form: 'read',
      search: 'like',
      group: goal,
      width: 240,
    }),
    longitude: f.number({ label: { zh: '经度', en: 'Longitude' }, decimals: 6, form: 'read', group: goal }),
    latitude: f.number({ label: { zh: '纬度', en: 'Latitude' }, decimals: 6, form: 'read', group: goal }),
    distance: f.number({
      label: { zh: '距离', en: 'Distance' },
      unit: { zh: '米', en: 'm' },
      min: 0,
      form: 'read',
      group: goal,
      width: 90,
    }),
    expectTime: f.datetime({
      label: { zh: '期望送达', en: 'Expected delivery' },
      form: 'read',
      group: goal,
      width: 150,
    }),
    carrier: f.dict('delivery_carrier', {
      label: { zh: '配送方', en: 'Carrier' },
      form: 'read',
      search: 'eq',
      group: courier,
      width: 100,
    }),
    riderName: f.text({ label: { zh: '配送员', en: 'Courier' }, max: 50, form: 'read', group: courier, width: 100 }),
    riderPhone: f.phone({
      label: { zh: '配送员电话', en: 'Courier phone' },
      mask: 'phone',
      form: 'read',
      group: courier,
    }),
    fee: f.money({
      label: { zh: '配送费', en: 'Delivery fee' },
      form: 'read',
      default: '0.00',
      group: courier,
      width: 90,
    }),
    acceptTime: f.datetime({ label: { zh: '接单时间', en: 'Accepted' }, form: 'read', group: times }),
    pickTime: f.datetime({ label: { zh: '取货时间', en: 'Picked up' }, form: 'read', group: times }),
    finishTime: f.datetime({ label: { zh: '送达时间', en: 'Delivered' }, form: 'read', group: times, width: 150 }),
    failReason: f.text({
      label: { zh: '失败原因', en: 'Failure reason' },
      max: 200,
      form: 'read',
      group: times,
      width: 160,
    }),
    pictures: f.pictures({ label: { zh: '送达照片', en: 'Delivery photos' }, form: 'read', group: times }),
    track: f.json({ label: { zh: '轨迹', en: 'Track' }, form: 'hidden', detail: false }),
    remark: longRemarkField(),
  },
  documents: {
    deliveryNote: {
      label: { zh: '送货单', en: 'Delivery note' },
      number: 'orderId',
      facts: ['name', 'phone', 'address', 'expectTime', 'shopId', 'riderName', 'remark'],
      lines: {
        of: 'shoppingOrderDetail',
        by: 'orderId',
        from: 'orderId',
        sort: 'sort',
        columns: ['upc', 'name', 'spec', 'quantity', 'amount'],
        sums: { quantity: '', amount: '' },
      },
      signs: [
        { zh: '送货人', en: 'Delivered by' },
        { zh: '收货人', en: 'Received by' },
      ],
    },
  },
  list: {
    columns: [
      'address',
      'orderId',
      'status',
      'name',
      'phone',
      'expectTime',
      'riderName',
      'shopId',
      'carrier',
      'distance',
      'fee',
      'failReason',
      'createTime',
    ],
    time: 'createTime',
    sort: '-createTime',
  },
  row: { title: 'address', sub: ['name', 'riderName'], amount: false, late: 'expectTime', act: 'accept' },
  buttons: { edit: true },
  indexes: [
    ['orderId'],
    ['shopId', 'status', 'createTime', 'id'],
    ['status', 'createTime', 'id'],
    ['createTime', 'id'],
  ],
  states: defineStates({
    field: 'status',
    values: DELIVERY_STATE,
    initial: ['waiting'],
    moves: {
      accept: { from: ['waiting'], to: 'accepted' },
      pickUp: { from: ['accepted'], to: 'pickedUp' },
      leaveShop: { from: ['waiting', 'accepted'], to: 'pickedUp' },
      deliver: { from: ['pickedUp'], to: 'delivered' },
      fail: { from: ['waiting', 'accepted', 'pickedUp'], to: 'failed' },
      // What a platform says of its own riders.
      follow: { from: ['waiting', 'accepted', 'pickedUp'], to: ['accepted', 'pickedUp'] },
      arrive: { from: ['waiting', 'accepted', 'pickedUp'], to: 'delivered' },
    },
  }),
  actions: {
    accept: {
      on: 'row',
      label: { zh: '接单', en: 'Accept order' },
      icon: 'check',
      enabled: { carrier: { eq: 'self' } },
      input: {
        riderName: f.text({
          label: { zh: '配送员', en: 'Courier' },
          max: 50,
          help: { zh: '不填就是自己送', en: 'Leave blank to deliver it yourself' },
        }),
        riderPhone: f.phone({ label: { zh: '配送员电话', en: 'Courier phone' } }),
      },
    },
    pickUp: {
      on: 'row',
      label: { zh: '取货出发', en: 'Start delivery' },
      icon: 'car',
      enabled: { carrier: { eq: 'self' } },
    },
    deliver: {
      on: 'row',
      label: { zh: '已送达', en: 'Delivered' },
      confirm: {
        zh: '已送到 {address}？订单随之完成',
        en: 'Mark as delivered to {address}? The order is then completed.',
      },
      icon: 'check-circle',
      enabled: { carrier: { eq: 'self' } },
      input: { pictures: f.pictures({ label: { zh: '送达照片', en: 'Delivery photos' }, maxCount: 3 }) },
    },
    fail: {
      on: 'row',
      label: { zh: '送不到', en: 'Mark as failed' },
      icon: 'close-circle',
      danger: true,
      enabled: { carrier: { eq: 'self' } },
      input: { failReason: f.text({ label: { zh: '失败原因', en: 'Failure reason' }, required: true, max: 200 }) },
    },
    again: {
      on: 'row',
      label: { zh: '再送一次', en: 'Redeliver' },
      confirm: { zh: '重新配送到 {address}？', en: 'Redeliver to {address}?' },
      icon: 'redo',
      enabled: { status: { eq: 4 } },
    },
    contact: {
      on: 'row',
      label: { zh: '联系顾客', en: 'Contact customer' },
      icon: 'phone',
      enabled: { status: { in: [0, 1, 2] } },
    },
  },
})
