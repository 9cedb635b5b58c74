import { shopIdField } from '#domains/shops/shops/index.ts'
import { defineResource, f, objectSchema, rowIdSchema } from '#kit/resource/index.ts'

/** A print job and its result. */
export const printJob = defineResource({
  name: 'printJob',
  path: '/api/shop/printJob',
  label: { zh: '打印任务', en: 'Print job' },
  tenancy: 'tenant',
  writer: 'system',
  history: false,
  retentionDays: 7,
  scope: { shop: 'shopId' },
  menu: { under: 'device', path: '/device/printJob', icon: 'file-done', sort: 41 },
  title: 'title',
  fields: {
    title: f.text({ label: { zh: '标题', en: 'Title' }, max: 100, form: 'hidden', search: 'like', width: 220 }),
    kind: f.dict('print_kind', { label: { zh: '内容', en: 'Content' }, form: 'hidden', search: 'eq', width: 100 }),
    state: f.dict('print_state', { label: { zh: '状态', en: 'Status' }, form: 'hidden', search: 'in', width: 100 }),
    printerId: f.ref('printerInfo', {
      label: { zh: '打印机', en: 'Printer' },
      labelKey: 'printerName',
      onRemoval: 'keep',
      form: 'hidden',
      search: 'eq',
      width: 140,
    }),
    shopId: shopIdField({ form: 'hidden' }),
    orderId: f.ref('shoppingOrder', {
      label: { zh: '订单', en: 'Order' },
      labelKey: 'orderNo',
      onRemoval: 'keep',
      form: 'hidden',
      search: 'eq',
      width: 200,
    }),
    copies: f.number({ label: { zh: '份数', en: 'Copies' }, form: 'hidden', width: 70 }),
    reason: f.text({ label: { zh: '说明', en: 'Message' }, max: 500, form: 'hidden', width: 220 }),
    makerNo: f.text({ label: { zh: '平台单号', en: 'Vendor job ID' }, max: 100, form: 'hidden', search: 'eq' }),
    // Layout and width as they were at the request, so that a reprint looks the same.
    parts: f.json({ label: { zh: '版面', en: 'Layout' }, form: 'hidden', detail: false, heavy: true }),
    columns: f.number({ label: { zh: '每行字宽', en: 'Characters per line' }, form: 'hidden', detail: false }),
    reprintOf: f.ref('printJob', {
      label: { zh: '重打自', en: 'Reprint of' },
      onRemoval: 'keep',
      form: 'hidden',
    }),
    expireTime: f.datetime({ label: { zh: '失效时间', en: 'Expires' }, form: 'hidden' }),
    sentTime: f.datetime({ label: { zh: '发送时间', en: 'Sent' }, form: 'hidden' }),
    printedTime: f.datetime({ label: { zh: '打印时间', en: 'Printed' }, form: 'hidden', width: 160 }),
  },
  list: {
    columns: ['title', 'kind', 'state', 'printerId', 'shopId', 'copies', 'reason', 'createTime', 'printedTime'],
    time: 'createTime',
    sort: '-createTime',
  },
  indexes: [['orderId'], ['printerId'], ['makerNo'], ['state']],
  actions: {
    reprint: {
      on: 'row',
      label: { zh: '重打', en: 'Reprint' },
      answer: objectSchema({ id: rowIdSchema }),
      confirm: {
        zh: '“{title}”再打印一次？若第一次其实已打出，会有两张',
        en: 'Reprint “{title}”? If the first print did come out, there will be two copies.',
      },
      icon: 'printer',
      enabled: { state: { in: ['printed', 'failed', 'unconfirmed', 'expired'] } },
    },
  },
})
