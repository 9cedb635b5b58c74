import { shopIdField } from '#domains/shops/shops/index.ts'
import { defineResource, f, remarkField, nameField, objectSchema, rowIdSchema } from '#kit/resource/index.ts'

/** A printer in a shop. The protocol adds printers with `save` and changes them with `submit`. */
export const printerInfo = defineResource({
  name: 'printerInfo',
  path: '/api/shop/printerInfo',
  label: { zh: '打印机', en: 'Printer' },
  tenancy: 'tenant',
  scope: { shop: 'shopId' },
  menu: { under: 'device', path: '/device/printerInfo', icon: 'printer', sort: 40 },
  title: 'name',
  titleCode: 'sn',
  fields: {
    name: nameField({ required: true, width: 140 }),
    shopId: shopIdField({ required: true }),
    brand: f.dict('printer_brand', {
      label: { zh: '品牌', en: 'Brand' },
      required: true,
      form: 'add',
      search: 'eq',
      width: 110,
    }),
    sn: f.text({
      label: { zh: '打印机编号', en: 'Printer number' },
      required: true,
      max: 40,
      form: 'add',
      search: 'like',
      width: 140,
    }),
    printKey: f.text({
      label: { zh: '打印机密钥', en: 'Printer key' },
      max: 300,
      secret: true,
      help: {
        zh: '机身标签上的密钥；不填表示不改',
        en: 'The key on the printer label. Leave blank to keep the current key.',
      },
    }),
    paperWidth: f.dict('paper_width', {
      label: { zh: '纸宽', en: 'Paper width' },
      numeric: true,
      default: 58,
      required: true,
      width: 80,
    }),
    usage: f.dict('printer_usage', {
      label: { zh: '用途', en: 'Purpose' },
      default: 'receipt',
      required: true,
      search: 'eq',
      width: 100,
    }),
    labelSize: f.dict('label_size', {
      label: { zh: '标签尺寸', en: 'Label size' },
      default: '40x30',
      help: { zh: '仅标签打印机', en: 'Label printers only' },
    }),
    autoPrint: f.boolean({
      label: { zh: '自动打印小票', en: 'Print receipts automatically' },
      default: false,
      help: { zh: '门店的订单付款后自动打印', en: 'Prints automatically when a store order is paid' },
      width: 120,
    }),
    copies: f.number({ label: { zh: '份数', en: 'Copies' }, min: 1, max: 9, default: 1, required: true, width: 70 }),
    status: f.dict('printer_status', {
      systemUpdated: true,
      label: { zh: '状态', en: 'Status' },
      numeric: true,
      form: 'hidden',
      default: 0,
      search: 'eq',
      width: 90,
    }),
    statusTime: f.datetime({
      systemUpdated: true,
      label: { zh: '状态时间', en: 'Status as of' },
      form: 'hidden',
      width: 160,
    }),
    note: f.text({ systemUpdated: true, label: { zh: '平台答复', en: 'Vendor response' }, max: 300, form: 'hidden' }),
    remark: remarkField(),
  },
  createPath: 'save',
  list: {
    columns: ['name', 'shopId', 'brand', 'status', 'sn', 'usage', 'paperWidth', 'copies', 'statusTime'],
    time: false,
    sort: '-createTime',
  },
  unique: [['brand', 'sn']],
  actions: {
    testPrint: {
      on: 'row',
      label: { zh: '打印测试页', en: 'Print test page' },
      answer: objectSchema({ id: rowIdSchema }),
      icon: 'experiment',
      can: 'edit',
    },
  },
})
