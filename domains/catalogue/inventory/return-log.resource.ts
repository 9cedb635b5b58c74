import { goodIdField, upcField } from '#domains/catalogue/products/index.ts'
import { shopIdField } from '#domains/shops/shops/index.ts'
import {
  defineResource,
  defineStates,
  f,
  remarkField,
  objectSchema,
  rowIdSchema,
  nullableSchema,
  integerSchema,
} from '#kit/resource/index.ts'
import { RETURN_STATE } from './dictionaries.ts'

/**
 * Returned goods: to a supplier, or from a customer. Saving a return moves the stock; one that names an order may not
 * exceed it.
 */
export const returnLog = defineResource({
  name: 'returnLog',
  path: '/api/shop/returnLog',
  label: { zh: '退货记录', en: 'Return' },
  tenancy: 'tenant',
  scope: { shop: 'shopId' },
  menu: { under: 'goods', path: '/goods/returnLog', icon: 'rollback', sort: 36 },
  title: 'returnNo',
  remove: false,
  fields: {
    returnNo: f.text({
      generated: true,
      label: { zh: '退货单号', en: 'Return no.' },
      max: 40,
      form: 'hidden',
      search: 'like',
      width: 160,
    }),
    direction: f.dict('return_direction', {
      label: { zh: '退货方向', en: 'Direction' },
      required: true,
      form: 'add',
      default: 'supplier',
      search: 'eq',
      width: 120,
    }),
    shopId: shopIdField({ required: true, form: 'add' }),
    goodId: goodIdField({ same: 'shopId', required: true, form: 'add' }),
    upc: upcField({ form: 'hidden' }),
    quantity: f.number({
      label: { zh: '数量', en: 'Quantity' },
      required: true,
      min: 1,
      max: 1_000_000,
      form: 'add',
      width: 80,
    }),
    batchId: f.ref('storageBatch', {
      label: { zh: '批次', en: 'Batch' },
      labelKey: 'batchNo',
      same: 'goodId',
      form: 'add',
      width: 150,
      help: {
        zh: '退供应商不选则先退最早到期的；顾客退回不选则计入未入批次',
        en:
          'Leave blank to take the earliest expiring batch for suppliers, or to keep customer returns ' +
          'without a batch',
      },
    }),
    amount: f.money({
      label: { zh: '金额', en: 'Amount' },
      width: 100,
      help: {
        zh: '不填则按采购价、批次进价、订单实付或售价计算',
        en: 'Leave blank to use the purchase price, batch cost, order payment or sale price',
      },
    }),
    reason: f.dict('return_reason', {
      label: { zh: '原因', en: 'Reason' },
      required: true,
      default: 'expiring',
      search: 'eq',
      width: 110,
    }),
    status: f.dict('return_status', {
      label: { zh: '状态', en: 'Status' },
      numeric: true,
      form: 'read',
      default: 1,
      search: 'eq',
      width: 90,
    }),
    refId: f.ref('', {
      by: 'direction',
      resourceByValue: { customer: 'shoppingOrder', supplier: 'supplierOrder' },
      label: { zh: '关联单号', en: 'Reference no.' },
      form: 'add',
      search: 'eq',
      width: 170,
    }),
    pictures: f.pictures({ label: { zh: '图片', en: 'Photos' }, width: 90 }),
    batches: f.json({ label: { zh: '涉及批次', en: 'Batches' }, form: 'hidden', detail: false }),
    remark: remarkField(),
  },
  measures: {
    quantity: { label: { zh: '退货件数', en: 'Pieces' }, sum: 'quantity', more: 'bad', where: { status_in: '1' } },
    amount: { label: { zh: '退货金额', en: 'Amount' }, sum: 'amount', more: 'bad', where: { status_in: '1' } },
    returns: { label: { zh: '退货笔数', en: 'Returns' }, more: 'bad' },
  },
  list: {
    columns: [
      'goodId',
      'direction',
      'quantity',
      'amount',
      'reason',
      'status',
      'shopId',
      'batchId',
      'createTime',
      'createUser',
      'returnNo',
    ],
    time: 'createTime',
  },
  row: { sub: ['shopId', 'reason', '…returnNo'] },
  unique: [['returnNo']],
  indexes: [['goodId', 'createTime'], ['refId']],
  states: defineStates({
    field: 'status',
    values: RETURN_STATE,
    initial: ['done'],
    moves: {
      cancel: { from: ['done'], to: 'undone' },
    },
  }),
  actions: {
    cancel: {
      on: 'row',
      label: { zh: '撤销', en: 'Undo' },
      answer: objectSchema({ id: rowIdSchema, status: nullableSchema(integerSchema) }),
      icon: 'undo',
      danger: true,
      confirm: {
        zh: '撤销退货 {returnNo}？库存将恢复到退货之前',
        en: 'Undo return {returnNo}? Stock is restored to what it was before.',
      },
    },
  },
})
