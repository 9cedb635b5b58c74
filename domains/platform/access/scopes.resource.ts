import { defineResource, f, REMARK_LABEL } from '#kit/resource/index.ts'
import { DATA_SCOPE_CUSTOM } from './dictionaries.ts'

const menuId = f.ref('menu', { label: { zh: '菜单', en: 'Menu' }, required: true, search: 'eq' })
const scopeName = f.text({ label: { zh: '权限名称', en: 'Scope name' }, required: true, max: 255, search: 'like' })
const resourceCode = f.text({
  label: { zh: '权限编号', en: 'Scope code' },
  required: true,
  max: 255,
  search: 'like',
  sample: 'notice',
})
const remark = f.text({ label: REMARK_LABEL })

/**
 * Rules for which rows and fields of a resource the holders of a role see. Every tenant may use the platform's and add
 * its own.
 */
export const dataScope = defineResource({
  name: 'dataScope',
  path: '/api/blade-system/data-scope',
  table: 'scope_data',
  code: 'data_scope',
  tenancy: 'shared',
  label: { zh: '数据权限', en: 'Data scope' },
  menu: { under: 'authority', path: '/authority/datascope', icon: 'filter', sort: 2 },
  fields: {
    menuId,
    scopeName,
    resourceCode,
    scopeColumn: f.text({
      label: { zh: '权限字段', en: 'Column' },
      max: 64,
      help: {
        zh: '留空时：本人为 create_user，部门为 create_dept',
        en: 'Leave blank to use create_user for own rows and create_dept for departments',
      },
    }),
    scopeType: f.dict('data_scope_type', {
      label: { zh: '规则类型', en: 'Type' },
      required: true,
      numeric: true,
      search: 'eq',
    }),
    scopeField: f.text({ label: { zh: '可见字段', en: 'Visible fields' }, max: 255, default: '*' }),
    scopeClass: f.text({ label: { zh: '权限类名', en: 'Class' }, max: 500 }),
    scopeValue: f.longText({
      label: { zh: '规则值', en: 'Condition' },
      requiredWhen: { scopeType: { eq: DATA_SCOPE_CUSTOM } },
      max: 2000,
      help: {
        zh: "如 create_dept in (${deptIds}) and status = '1'",
        en: "For example, create_dept in (${deptIds}) and status = '1'",
      },
    }),
    remark,
  },
  title: 'scopeName',
  list: { columns: ['menuId', 'scopeName', 'resourceCode', 'scopeColumn', 'scopeType'], time: false },
  row: { title: 'scopeName', sub: ['menuId'] },
  indexes: [['menuId']],
  permissions: { setting: { zh: '权限配置', en: 'Permissions' } },
})

/** API paths that only holders of the scope, and administrators, may call. */
export const apiScope = defineResource({
  name: 'apiScope',
  path: '/api/blade-system/api-scope',
  table: 'scope_api',
  code: 'api_scope',
  tenancy: 'platform',
  label: { zh: '接口权限', en: 'API scope' },
  menu: { under: 'authority', path: '/authority/apiscope', icon: 'api', sort: 3 },
  fields: {
    menuId,
    scopeName,
    resourceCode,
    scopePath: f.text({
      label: { zh: '接口地址', en: 'Path' },
      required: true,
      max: 255,
      search: 'like',
      pattern: '^(?!/?api/[\\w.-]*$)/?[\\w.-]+/[\\w.-]+(/[\\w.-]*)*$',
      patternWords: {
        zh: '{label}应为接口地址的一部分，至少两段，如 /blade-desk/notice',
        en: '{label} must be part of an API path with at least two segments, for example, /blade-desk/notice',
      },
      sample: '/api/blade-desk/sample/list',
    }),
    scopeType: f.dict('api_scope_type', {
      label: { zh: '接口类型', en: 'Type' },
      required: true,
      numeric: true,
      search: 'eq',
    }),
    remark,
  },
  title: 'scopeName',
  list: { columns: ['menuId', 'scopeName', 'resourceCode', 'scopePath', 'scopeType'], time: false },
  row: { title: 'scopeName', sub: ['menuId'] },
  indexes: [['menuId']],
  permissions: { setting: { zh: '权限配置', en: 'Permissions' } },
})
