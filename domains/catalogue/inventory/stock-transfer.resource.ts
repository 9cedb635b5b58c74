import { goodIdField, upcField } from '#domains/catalogue/products/index.ts'
import {
  changedTopicOf,
  defineResource,
  defineStates,
  f,
  remarkField,
  objectSchema,
  rowIdSchema,
  nullableSchema,
  integerSchema,
} from '#kit/resource/index.ts'
import { TRANSFER_STATE } from './dictionaries.ts'

/** Shows an action only to people of the sending shop, or of both shops. */
const sends = { side: { ne: 'to' } } as const

/**
 * Transfer of goods between two shops: sending takes them out of the first shop's stock, receiving adds what arrived to
 * the second's.
 */
export const stockTransfer = defineResource({
  name: 'stockTransfer',
  path: '/api/shop/stockTransfer',
  label: { zh: '调拨单', en: 'Stock transfer' },
  tenancy: 'tenant',
  menu: { under: 'goods', path: '/goods/stockTransfer', icon: 'swap', sort: 34 },
  title: 'transferNo',
  remove: false,
  // A transfer is a process with steps and cannot be imported from a spreadsheet.
  buttons: { import: false },
  fields: {
    transferNo: f.text({
      generated: true,
      label: { zh: '调拨单号', en: 'Transfer no.' },
      max: 40,
      form: 'hidden',
      search: 'like',
      width: 160,
    }),
    status: f.dict('stock_transfer_status', {
      label: { zh: '状态', en: 'Status' },
      numeric: true,
      form: 'read',
      default: 0,
      search: 'eq',
      width: 100,
    }),
    fromShopId: f.ref('basicShopInfo', {
      label: { zh: '调出门店', en: 'From store' },
      labelKey: 'fromShopName',
      required: true,
      requiredOf: 'shop',
      form: 'add',
      search: 'eq',
      width: 160,
    }),
    toShopId: f.ref('basicShopInfo', {
      label: { zh: '调入门店', en: 'To store' },
      labelKey: 'toShopName',
      required: true,
      ignoresScope: true,
      form: 'add',
      search: 'eq',
      width: 160,
    }),
    lines: f.json({
      label: { zh: '商品', en: 'Products' },
      detail: false,
      help: { zh: '每行一种商品和调出的数量', en: 'One product per row with the quantity to transfer' },
    }),
    summary: f.text({ label: { zh: '内容', en: 'Content' }, max: 250, form: 'hidden', width: 240 }),
    pieces: f.number({ label: { zh: '调出件数', en: 'Shipped' }, form: 'read', default: 0, width: 90 }),
    received: f.number({ label: { zh: '收货件数', en: 'Received' }, form: 'read', min: 0, width: 90 }),
    costAmount: f.money({ label: { zh: '成本', en: 'Cost' }, form: 'read', width: 100 }),
    remainder: f.dict('stock_transfer_remainder', {
      label: { zh: '差异处理', en: 'Discrepancy handling' },
      form: 'read',
      search: 'eq',
      width: 110,
    }),
    missing: f.number({ label: { zh: '差异件数', en: 'Missing' }, form: 'read', default: 0, search: 'ge', width: 90 }),
    sendTime: f.datetime({ label: { zh: '发出时间', en: 'Shipped' }, form: 'read', width: 150 }),
    sendUser: f.ref('user', {
      label: { zh: '发货人', en: 'Shipped by' },
      labelKey: 'sendUserName',
      form: 'read',
      width: 100,
    }),
    receiveTime: f.datetime({ label: { zh: '收货时间', en: 'Received' }, form: 'read', width: 150 }),
    receiveUser: f.ref('user', {
      label: { zh: '收货人', en: 'Received by' },
      labelKey: 'receiveUserName',
      form: 'read',
      width: 100,
    }),
    remark: remarkField(),
    side: f.text({ label: { zh: '本方', en: 'Our side' }, computed: true, form: 'hidden', detail: false }),
  },
  documents: {
    transferNote: {
      label: { zh: '调拨出库单', en: 'Transfer note' },
      facts: ['fromShopId', 'toShopId', 'status', 'sendTime', 'sendUser', 'receiveTime', 'receiveUser', 'remark'],
      lines: {
        in: 'lines',
        fields: {
          upc: upcField(),
          name: f.text({ label: goodIdField().label, width: 240 }),
          quantity: f.number({ label: { zh: '调出', en: 'Shipped' }, width: 90 }),
          received: f.number({ label: { zh: '实收', en: 'Received' }, width: 90 }),
        },
        columns: ['upc', 'name', 'quantity', 'received'],
        sums: { quantity: 'pieces', received: 'received' },
      },
      totals: ['pieces', 'received', 'missing'],
      signs: [
        { zh: '发货人', en: 'Shipped by' },
        { zh: '承运人', en: 'Carrier' },
        { zh: '收货人', en: 'Received by' },
      ],
    },
  },
  list: {
    columns: [
      'transferNo',
      'status',
      'fromShopId',
      'toShopId',
      'summary',
      'pieces',
      'received',
      'missing',
      'costAmount',
      'createTime',
      'sendTime',
      'receiveTime',
    ],
    time: 'createTime',
  },
  row: { title: 'summary', sub: ['fromShopId', 'toShopId', '…transferNo'], act: 'receive' },
  unique: [['transferNo']],
  indexes: [['fromShopId', 'createTime'], ['toShopId', 'createTime'], ['status']],
  states: defineStates({
    field: 'status',
    values: TRANSFER_STATE,
    initial: ['draft'],
    moves: {
      dispatch: { from: ['draft'], to: 'onTheWay' },
      receive: { from: ['onTheWay'], to: 'received' },
      recall: { from: ['onTheWay'], to: 'recalled' },
      cancel: { from: ['draft'], to: 'cancelled' },
    },
    // Told to the people of both shops.
    tells: [
      {
        topic: changedTopicOf('stockTransfer'),
        ids: 'id',
        permission: 'stockTransfer',
        limits: { shop: 'fromShopId' },
      },
      { topic: changedTopicOf('stockTransfer'), ids: 'id', permission: 'stockTransfer', limits: { shop: 'toShopId' } },
    ],
  }),
  actions: {
    dispatch: {
      on: 'row',
      label: { zh: '发出', en: 'Ship' },
      answer: objectSchema({
        id: rowIdSchema,
        status: nullableSchema(integerSchema),
        received: nullableSchema(integerSchema),
        missing: nullableSchema(integerSchema),
      }),
      icon: 'truck',
      confirm: {
        zh: '发出 {pieces} 件到“{toShopName}”？库存立即从“{fromShopName}”扣减',
        en:
          'Ship {pieces} {pieces|piece|pieces} to “{toShopName}”? They are deducted from “{fromShopName}” ' +
          'immediately.',
      },
      visibleWhen: sends,
    },
    receive: {
      on: 'row',
      label: { zh: '收货', en: 'Receive' },
      icon: 'import',
      input: {
        lines: f.json({
          label: { zh: '实收', en: 'Received' },
          help: {
            zh: '[{goodId, received}]，未列出的视为全部收到',
            en: '[{goodId, received}]. Products not listed are received in full.',
          },
        }),
        remainder: f.dict('stock_transfer_remainder', {
          label: { zh: '差异处理', en: 'Discrepancy handling' },
          default: 'lost',
          help: {
            zh: '遗失计入调出门店的损失；未发则退回其库存',
            en: 'Lost pieces are charged to the sending store. Pieces not shipped are returned to its stock.',
          },
        }),
        remark: f.text({ label: { zh: '说明', en: 'Message' }, max: 200 }),
      },
      answer: objectSchema({
        id: rowIdSchema,
        status: nullableSchema(integerSchema),
        received: nullableSchema(integerSchema),
        missing: nullableSchema(integerSchema),
      }),
      visibleWhen: { side: { ne: 'from' } },
    },
    recall: {
      on: 'row',
      label: { zh: '撤回', en: 'Recall' },
      answer: objectSchema({
        id: rowIdSchema,
        status: nullableSchema(integerSchema),
        received: nullableSchema(integerSchema),
        missing: nullableSchema(integerSchema),
      }),
      icon: 'undo',
      danger: true,
      confirm: {
        zh: '撤回 {transferNo}？在途的 {pieces} 件退回“{fromShopName}”',
        en: 'Recall {transferNo}? {pieces} {pieces|piece|pieces} in transit return to “{fromShopName}”.',
      },
      visibleWhen: sends,
    },
    cancel: {
      on: 'row',
      label: { zh: '取消', en: 'Cancel' },
      answer: objectSchema({
        id: rowIdSchema,
        status: nullableSchema(integerSchema),
        received: nullableSchema(integerSchema),
        missing: nullableSchema(integerSchema),
      }),
      icon: 'close-circle',
      danger: true,
      confirm: { zh: '取消调拨单 {transferNo}？', en: 'Cancel transfer {transferNo}?' },
      visibleWhen: sends,
    },
  },
})
