import { shopIdField } from '#domains/shops/shops/index.ts'
import { defineResource, f, reasonField, objectSchema, textSchema } from '#kit/resource/index.ts'

const registerId = () =>
  f.ref('cashRegister', {
    label: { zh: '收银机', en: 'Register' },
    labelKey: 'registerName',
    search: 'eq',
    required: true,
    width: 150,
  })

/** A screenshot of a register: who asked for it and why. It is shown only to users who give a reason. */
export const registerScreenshot = defineResource({
  name: 'registerScreenshot',
  path: '/api/shop/registerScreenshot',
  label: { zh: '收银机截屏', en: 'Register screenshot' },
  tenancy: 'tenant',
  writer: 'device',
  history: false,
  scope: { shop: 'shopId' },
  menu: { under: 'device', path: '/device/registerScreenshot', icon: 'picture', sort: 12 },
  title: 'reason',
  fields: {
    registerId: registerId(),
    shopId: shopIdField(),
    userId: f.ref('user', { label: { zh: '操作人', en: 'Operator' }, labelKey: 'userName', search: 'eq', width: 110 }),
    reason: reasonField({ width: 200 }),
    commandId: f.ref('deviceCommand', { label: { zh: '指令', en: 'Command' }, labelKey: 'commandMethod' }),
    size: f.number({ label: { zh: '大小', en: 'Size' }, unit: { zh: '字节', en: 'byte|bytes' }, width: 100 }),
    openings: f.number({ label: { zh: '查看次数', en: 'Views' }, default: 0, systemUpdated: true, width: 90 }),
    fileKey: f.text({ label: { zh: '文件', en: 'File' }, max: 400, form: 'hidden', secret: true }),
  },
  list: { columns: ['createTime', 'registerId', 'shopId', 'userId', 'reason', 'size', 'openings'], time: 'createTime' },
  buttons: { import: false, export: false },
  indexes: [['registerId', 'createTime'], ['createTime']],
  actions: {
    open: {
      on: 'row',
      label: { zh: '查看截屏', en: 'View screenshot' },
      icon: 'eye',
      input: { reason: reasonField({ required: true }) },
      answer: objectSchema({ url: textSchema }),
    },
  },
})

/** Who looked at which screenshot, when and why. Append-only. */
export const screenshotOpening = defineResource({
  name: 'screenshotOpening',
  path: '/api/shop/screenshotOpening',
  label: { zh: '截屏查看日志', en: 'Screenshot access log' },
  tenancy: 'tenant',
  writer: 'system',
  appendOnly: true,
  retentionDays: 90,
  scope: { shop: 'shopId' },
  menu: { under: 'log', path: '/monitor/log/screenshot', icon: 'eye', sort: 6 },
  title: 'reason',
  fields: {
    screenshotId: f.ref('registerScreenshot', {
      label: { zh: registerScreenshot.label.zh, en: 'Screenshot' },
      labelKey: 'screenshotReason',
      search: 'eq',
      width: 160,
    }),
    registerId: registerId(),
    shopId: shopIdField(),
    userId: f.ref('user', { label: { zh: '查看人', en: 'Viewed by' }, labelKey: 'userName', search: 'eq', width: 110 }),
    reason: reasonField({ width: 240 }),
  },
  list: { columns: ['createTime', 'userId', 'reason', 'screenshotId', 'registerId', 'shopId'] },
  indexes: [['screenshotId'], ['createTime']],
})
