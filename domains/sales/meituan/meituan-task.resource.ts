import { shopIdField } from '#domains/shops/shops/index.ts'
import { defineResource, f } from '#kit/resource/index.ts'
import { meituanShopIdField } from './meituan-shop-info.resource.ts'

const count = (zh: string, en: string) => f.number({ label: { zh, en }, min: 0, default: 0, form: 'read', width: 80 })

/**
 * A batch of products with the same kind of change, submitted to Meituan: stored before it is sent, then asked about by
 * the platform's number until it ends. The detail is looked up by that number.
 */
export const meituanTask = defineResource({
  name: 'meituanTask',
  path: '/api/meituan/task',
  label: { zh: '美团批量任务', en: 'Meituan batch job', isName: true },
  tenancy: 'tenant',
  writer: 'platform',
  scope: { shop: 'shopId' },
  menu: { under: 'meituan', path: '/meituan/task', icon: 'schedule', sort: 100 },
  title: 'taskId',
  fields: {
    taskId: f.text({ label: { zh: '任务编号', en: 'Job ID' }, max: 64, form: 'read', search: 'eq', width: 170 }),
    meituanShopId: meituanShopIdField({ form: 'read' }),
    shopId: shopIdField({ form: 'hidden' }),
    taskType: f.dict('meituan_task_type', {
      label: { zh: '任务类型', en: 'Job type' },
      form: 'read',
      search: 'eq',
      width: 130,
    }),
    status: f.dict('meituan_task_status', {
      label: { zh: '状态', en: 'Status' },
      numeric: true,
      form: 'read',
      search: 'eq',
      width: 130,
    }),
    total: count('总数', 'Total'),
    success: count('成功', 'Succeeded'),
    failed: count('失败', 'Failed'),
    // Per product, with the reason; shown next to the list.
    failures: f.json({ label: { zh: '失败的商品', en: 'Failed products' }, form: 'hidden', detail: false }),
    known: f.json({ label: { zh: '已有任务', en: 'Earlier jobs' }, form: 'hidden', detail: false }),
    detailLink: f.url({ label: { zh: '结果文件', en: 'Result file' }, form: 'read', width: 120 }),
    sentTime: f.datetime({ label: { zh: '提交时间', en: 'Submitted' }, form: 'read', width: 160 }),
    finishTime: f.datetime({ label: { zh: '完成时间', en: 'Completed' }, form: 'read', width: 160 }),
    error: f.text({ label: { zh: '错误', en: 'Error' }, max: 500, form: 'read' }),
  },
  list: {
    columns: [
      'taskId',
      'meituanShopId',
      'shopId',
      'taskType',
      'status',
      'total',
      'success',
      'failed',
      'createTime',
      'finishTime',
    ],
    time: 'createTime',
    sort: '-createTime',
  },
  row: { title: ['taskType', 'meituanShopId'], sub: ['shopId', '…taskId'] },
  unique: [['taskId']],
  indexes: [['status', 'createTime', 'id']],
})
