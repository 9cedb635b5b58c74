import { listBarcodeForms } from '#domains/catalogue/products/index.ts'
import { supplierIdField } from './supplier-info.resource.ts'
import { shopIdField } from '#domains/shops/shops/index.ts'
import {
  defineResource,
  f,
  remarkField,
  objectSchema,
  arraySchema,
  rowIdSchema,
  nullableSchema,
  textSchema,
  yuanSchema,
} from '#kit/resource/index.ts'

/** Purchase cart of a shop: one row for each supplier product. */
export const supplierCart = defineResource({
  name: 'supplierCart',
  path: '/api/supplier/supplierCart',
  label: { zh: '进货车', en: 'Purchase cart' },
  tenancy: 'tenant',
  scope: { shop: 'shopId' },
  menu: { under: 'supplier', path: '/supplier/supplierCart', icon: 'shopping-cart', sort: 10 },
  title: 'upc',
  remove: 'hard',
  fields: {
    shopId: shopIdField({ required: true, form: 'add' }),
    supplierGoodsId: f.ref('supplierGoodsInfo', {
      onRemoval: 'remove',
      label: { zh: '商品', en: 'Products' },
      labelKey: 'supplierGoodsName',
      required: true,
      form: 'add',
      search: 'eq',
      width: 200,
    }),
    supplierId: supplierIdField({ form: 'hidden' }),
    upc: f.text({
      forms: listBarcodeForms,
      label: { zh: '条码', en: 'Barcode' },
      max: 13,
      form: 'hidden',
      search: 'likeright',
      width: 140,
    }),
    quantity: f.number({ label: { zh: '数量', en: 'Quantity' }, required: true, min: 1, max: 1_000_000, width: 90 }),
    price: f.money({ label: { zh: '供货价', en: 'Supply price' }, computed: true, form: 'hidden', width: 100 }),
    amount: f.money({ label: { zh: '金额', en: 'Amount' }, computed: true, form: 'hidden', width: 110 }),
    remark: remarkField(),
  },
  list: {
    inline: ['quantity'],
    columns: ['shopId', 'supplierGoodsId', 'supplierId', 'upc', 'quantity', 'price', 'amount', 'createTime'],
    time: false,
    sort: '-createTime',
  },
  row: { sub: ['shopId'], amount: 'amount', group: 'supplierId' },
  unique: [['shopId', 'supplierGoodsId']],
  actions: {
    place: {
      on: 'bulk',
      label: { zh: '下单', en: 'Place order' },
      confirm: { zh: '按供应商和门店生成采购单?', en: 'Create purchase orders by supplier and store?' },
      icon: 'send',
      input: { remark: remarkField() },
      answer: objectSchema({
        orders: arraySchema(
          objectSchema({
            id: rowIdSchema,
            orderNo: nullableSchema(textSchema),
            shopId: textSchema,
            supplierId: textSchema,
            amount: yuanSchema,
          }),
        ),
      }),
    },
  },
})
