import { defineDict, defineResource, f } from '#kit/resource/index.ts'
import { tenant } from './tenant.resource.ts'

export const removalState = defineDict({
  code: 'tenant_removal_state',
  label: { zh: '租户清除状态', en: 'State of a removal' },
  entries: [
    { key: 'waiting', zh: '待清除', en: 'Waiting', colour: 'warning' },
    { key: 'running', zh: '清除中', en: 'Under way', colour: 'processing' },
    { key: 'done', zh: '已清除', en: 'Removed', colour: 'success' },
    { key: 'cancelled', zh: '已取消', en: 'Cancelled', colour: 'default' },
  ],
})

const time = (zh: string, en: string) => f.datetime({ label: { zh, en }, form: 'read', width: 160 })
const count = (zh: string, en: string) =>
  f.number({ label: { zh, en }, form: 'read', default: 0, min: 0, big: true, width: 100 })

/** What is typed to say that it is meant: the number of the tenant. */
const CONFIRM = { zh: '再次输入租户编号', en: 'Its number again' }

/**
 * A tenant that leaves: asked for, then gone, and the certificate of it. It names the tenant by its number alone, for
 * it outlives everything else of it.
 */
export const tenantRemoval = defineResource({
  name: 'tenantRemoval',
  path: '/api/blade-system/tenant-removal',
  code: 'tenantremoval',
  tenancy: 'platform',
  writer: 'system',
  label: { zh: '租户清除', en: 'Tenant removal' },
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
      label: { zh: '状态', en: 'State' },
      required: true,
      form: 'read',
      search: 'eq',
      width: 100,
    }),
    dueTime: time('计划清除时间', 'Due'),
    startTime: time('开始时间', 'Begun'),
    finishTime: time('完成时间', 'Finished'),
    hurriedBy: f.ref('user', {
      label: { zh: '立即清除确认人', en: 'Hurried by' },
      form: 'read',
      labelKey: 'hurrierName',
    }),
    tableCount: count('数据表', 'Tables'),
    rowsRemoved: count('已清除行数', 'Rows removed'),
    filesRemoved: count('已清除文件', 'Files removed'),
    rowsLeft: count('剩余行数', 'Rows left'),
    filesLeft: count('未能清除的外部文件', 'Files left outside'),
    certificate: f.longText({
      label: { zh: '清除证明', en: 'Certificate' },
      form: 'read',
      heavy: true,
      max: 100_000,
    }),
    digest: f.text({ label: { zh: '证明摘要 SHA-256', en: 'SHA-256 of the certificate' }, form: 'read', max: 64 }),
    isPractice: f.boolean({
      label: tenant.fields.isPractice.label,
      form: 'hidden',
      secret: true,
      detail: false,
      default: false,
    }),
    quietSince: f.datetime({
      label: { zh: '无新数据起', en: 'Nothing since' },
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
  indexes: [['tenantNo']],
  actions: {
    ask: {
      on: 'toolbar',
      label: { zh: '申请清除', en: 'Ask for a removal' },
      danger: true,
      done: { zh: '已申请，将于 {dueTime} 清除', en: 'Asked for: due {dueTime}' },
      input: {
        tenantId: f.text({
          label: { zh: '租户编号', en: 'Tenant' },
          required: true,
          max: 20,
          help: {
            zh: '已过期或已删除的租户。等待期过后其全部数据永久清除，期间可取消',
            en: 'One that has expired or was removed. After a time of waiting all of it goes for ever',
          },
        }),
        confirm: f.text({ label: CONFIRM, required: true, max: 20 }),
      },
    },
    cancel: {
      on: 'row',
      label: { zh: '取消清除', en: 'Call off' },
      icon: 'undo',
      confirm: {
        zh: '取消清除租户 {tenantNo}？数据全部保留',
        en: 'Call off the removal of tenant {tenantNo}? Everything stays',
      },
      enabled: { state: { eq: 'waiting' } },
    },
    hurry: {
      on: 'row',
      label: { zh: '立即清除', en: 'Remove now' },
      icon: 'delete',
      danger: true,
      confirm: {
        zh: '租户 {tenantNo} 的全部数据和文件将立即永久清除，无法恢复。须由申请人以外的平台管理员确认',
        en:
          'All data and files of tenant {tenantNo} go now and for ever. Another administrator of the platform than ' +
          'the one who asked has to say so',
      },
      input: { confirm: f.text({ label: CONFIRM, required: true, max: 20 }) },
      enabled: { state: { eq: 'waiting' } },
    },
  },
})
