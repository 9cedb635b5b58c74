import { defineResource, f } from '#kit/resource/index.ts'

/** Design of a printed report, made in an external report tool, which opens it by name. */
export const reportFile = defineResource({
  name: 'reportFile',
  path: '/api/blade-report/report/rest',
  code: 'report_list',
  label: { zh: '报表文件', en: 'Report file' },
  tenancy: 'platform',
  menu: { under: 'report', path: '/report/reportlist', icon: 'file-text', sort: 20 },
  title: 'name',
  fields: {
    name: f.text({
      label: { zh: '报表名称', en: 'Report name' },
      required: true,
      max: 100,
      search: 'like',
      width: 280,
      sample: 'report.ureport.xml',
      pattern: '^[^\\s\\/\\\\?%*:|"<>]+$',
      patternWords: {
        zh: '报表名称不能含空格和 / \\ ? % * : | " < >',
        en: 'A report name cannot contain spaces or / \\ ? % * : | " < >',
      },
      help: {
        zh: '报表工具按这个名称打开，如 daily.ureport.xml',
        en: 'The report tool opens it by this name, for example, daily.ureport.xml',
      },
    }),
    content: f.longText({
      label: { zh: '设计文件', en: 'Design file' },
      required: true,
      heavy: true,
      max: 1_000_000,
      rows: 14,
      sample: '<ureport/>',
      help: { zh: '报表工具保存的 XML', en: 'The XML file saved by the report tool' },
    }),
    previewUrl: f.url({ label: { zh: '预览地址', en: 'Preview URL' }, computed: true, form: 'hidden', detail: false }),
    designUrl: f.url({ label: { zh: '设计地址', en: 'Designer URL' }, computed: true, form: 'hidden', detail: false }),
  },
  list: { columns: ['name', 'createTime', 'updateTime', 'updateUser'], time: false, sort: '-createTime' },
  unique: [['name']],
})
