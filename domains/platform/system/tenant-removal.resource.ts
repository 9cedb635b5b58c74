import { defineDict, defineResource, f, objectSchema, rowIdSchema, textSchema } from '#kit/resource/index.ts'
import { tenant } from './tenant.resource.ts'

export const tenantRemovalStateDictionary = defineDict({
  code: 'tenant_removal_state',
  label: { zh: '租户注销状态', en: 'Tenant deletion status' },
  entries: [
    { key: 'waiting', zh: '待删除', en: 'Pending', colour: 'warning' },
    { key: 'running', zh: '删除中', en: 'Deleting', colour: 'processing' },
    { key: 'done', zh: '已删除', en: 'Deleted', colour: 'success' },
    { key: 'cancelled', zh: '已取消', en: 'Canceled', colour: 'default' },
  ],
})

const time = (zh: string, en: string) => f.datetime({ label: { zh, en }, form: 'read', width: 160 })
const count = (zh: string, en: string) =>
  f.number({ label: { zh, en }, form: 'read', default: 0, min: 0, big: true, width: 100 })

/** Label of the input in which the tenant number is typed as confirmation. */
const CONFIRM = { zh: '再次输入租户编号', en: 'Confirm tenant number' }

/**
 * The removal of a tenant, from request to certificate. Refers to the tenant by its number only, as it outlives all
 * else of it.
 */
export const tenantRemoval = defineResource({
  name: 'tenantRemoval',
  path: '/api/blade-system/tenant-removal',
  code: 'tenantremoval',
  tenancy: 'platform',
  writer: 'system',
  label: { zh: '租户注销', en: 'Tenant deletion' },
  menu: { under: 'system', path: '/system/tenantremoval', icon: 'safety', sort: 10 },
  title: 'tenantNo',
  history: false,
  fields: {
    tenantNo: f.text({
      label: { zh: '租户编号', en: 'Tenant' },
      required: true,
      max: 20,
      form: 'read',
      search: 'eq',
      width: 100,
    }),
    state: f.dict('tenant_removal_state', {
      label: { zh: '状态', en: 'Status' },
      required: true,
      form: 'read',
      search: 'eq',
      width: 100,
    }),
    dueTime: time('计划删除时间', 'Scheduled deletion'),
    startTime: time('开始时间', 'Started'),
    finishTime: time('完成时间', 'Completed'),
    hurriedBy: f.ref('user', {
      label: { zh: '立即删除确认人', en: 'Immediate deletion confirmed by' },
      form: 'read',
      labelKey: 'hurrierName',
    }),
    tableCount: count('数据表', 'Tables'),
    rowsRemoved: count('已删除行数', 'Rows deleted'),
    filesRemoved: count('已删除文件', 'Files deleted'),
    rowsLeft: count('剩余行数', 'Rows remaining'),
    filesLeft: count('未能删除的外部文件', 'External files not deleted'),
    certificate: f.longText({
      label: { zh: '删除证明', en: 'Deletion certificate' },
      form: 'read',
      heavy: true,
      max: 100_000,
    }),
    digest: f.text({ label: { zh: '证明摘要 SHA-256', en: 'Certificate SHA-256' }, form: 'read', max: 64 }),
    isPractice: f.boolean({
      label: tenant.fields.isPractice.label,
      form: 'hidden',
      secret: true,
      detail: false,
      default: false,
    }),
    quietSince: f.datetime({
      label: { zh: '无新数据起', en: 'No new data since' },
      form: 'hidden',
      secret: true,
      detail: false,
    }),
  },
  list: {
    columns: [
      'tenantNo',
      'state',
      'dueTime',
      'startTime',
      'finishTime',
      'tableCount',
      'rowsRemoved',
      'filesRemoved',
      'rowsLeft',
      'createUser',
      'createTime',
    ],
    time: 'createTime',
  },
  row: { title: ['tenantNo', 'createUser'] },
  indexes: [['tenantNo']],
  actions: {
    ask: {
      on: 'toolbar',
      label: { zh: '申请注销', en: 'Request deletion' },
      danger: true,
      done: { zh: '已申请，将于 {dueTime} 删除', en: 'Requested. It will be deleted on {dueTime}.' },
      input: {
        tenantId: f.text({
          label: { zh: '租户编号', en: 'Tenant' },
          required: true,
          max: 20,
          help: {
            zh: '已过期或已删除的租户。等待期过后全部数据永久删除，期间可取消',
            en:
              'Expired or deleted tenants. All data is permanently deleted after the waiting period. It can be ' +
              'canceled meanwhile.',
          },
        }),
        confirm: f.text({ label: CONFIRM, required: true, max: 20 }),
      },
      answer: objectSchema({ id: rowIdSchema, dueTime: textSchema }),
    },
    cancel: {
      on: 'row',
      label: { zh: '取消注销', en: 'Cancel deletion' },
      icon: 'undo',
      confirm: {
        zh: '取消注销租户 {tenantNo}？数据全部保留',
        en: 'Cancel the deletion of tenant {tenantNo}? All data is kept.',
      },
      enabled: { state: { eq: 'waiting' } },
    },
    hurry: {
      on: 'row',
      label: { zh: '立即删除', en: 'Delete now' },
      icon: 'delete',
      danger: true,
      confirm: {
        zh: '马上永久删除租户 {tenantNo} 的全部数据和文件？不能恢复，且要由申请人以外的平台管理员确认',
        en:
          'Permanently delete all data and files of tenant {tenantNo} now? This cannot be undone and ' +
          'requires another platform administrator.',
      },
      input: { confirm: f.text({ label: CONFIRM, required: true, max: 20 }) },
      enabled: { state: { eq: 'waiting' } },
    },
  },
})
