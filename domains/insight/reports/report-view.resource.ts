import { defineResource, f, remarkField } from '#kit/resource/index.ts'

/**
 * A saved report query about a resource. Those of the platform are open to everybody, a tenant's to their author and
 * the role they are shared with.
 */
export const reportView = defineResource({
  name: 'reportView',
  path: '/api/report/view',
  label: { zh: '报表', en: 'Report' },
  tenancy: 'shared',
  menu: { under: 'statistics', path: '/statistics/report', icon: 'bar-chart', sort: 20 },
  title: 'name',
  fields: {
    name: f.text({ label: { zh: '名称', en: 'Name' }, required: true, max: 60, search: 'like', width: 220 }),
    family: f.text({
      label: { zh: '数据', en: 'Data' },
      max: 60,
      form: 'hidden',
      width: 120,
    }),
    familyName: f.text({ label: { zh: '数据来源', en: 'Data source' }, computed: true, form: 'hidden', width: 120 }),
    question: f.json({ label: { zh: '问题', en: 'Query' }, required: true, max: 20_000 }),
    roleId: f.ref('role', {
      label: { zh: '共享给角色', en: 'Shared with roles' },
      onRemoval: 'empty',
      emptyLabel: { zh: '仅自己', en: 'Only me' },
      width: 130,
    }),
    paper: f.dict('report_paper', { label: { zh: '打印纸张', en: 'Paper size' }, default: 'portrait' }),
    heading: f.text({
      label: { zh: '打印标题', en: 'Print title' },
      max: 60,
      help: { zh: '不填则为报表名称', en: 'Leave blank to use the report name' },
    }),
    footer: f.text({ label: { zh: '打印页脚', en: 'Print footer' }, max: 100 }),
    builtIn: f.text({ label: { zh: '预置', en: 'Built-in' }, max: 40, form: 'hidden', detail: false }),
    remark: remarkField(),
  },
  list: { columns: ['name', 'familyName', 'roleId', 'remark', 'createUser', 'updateTime'], sort: '-updateTime' },
  buttons: { import: false },
  indexes: [['roleId']],
})
