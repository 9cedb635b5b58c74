import { defineResource, f, REMARK_LABEL, DOTTED_IDENTIFIER_FORMAT } from '#kit/resource/index.ts'

export const param = defineResource({
  name: 'param',
  path: '/api/blade-system/param',
  table: 'sys_param',
  tenancy: 'platform',
  label: { zh: '系统参数', en: 'System parameter' },
  menu: { under: 'system', path: '/system/param', icon: 'control', sort: 8 },
  fields: {
    paramName: f.text({ label: { zh: '参数名称', en: 'Parameter name' }, required: true, max: 255, search: 'like' }),
    paramKey: f.text({
      label: { zh: '参数键名', en: 'Parameter key' },
      required: true,
      max: 255,
      search: 'like',
      ...DOTTED_IDENTIFIER_FORMAT,
      sample: 'sample.key',
    }),
    paramValue: f.longText({
      label: { zh: '参数键值', en: 'Parameter value' },
      required: true,
      max: 20_000,
      rows: 6,
      search: 'like',
    }),
    remark: f.text({ label: REMARK_LABEL }),
  },
  list: { columns: ['paramName', 'paramKey', 'paramValue', 'remark', 'updateTime'], time: false },
  unique: [['paramKey']],
})
