import { defineResource, f } from '#kit/resource/index.ts'

export const role = defineResource({
  name: 'role', path: '/api/blade-system/role', table: 'sys_role', tenancy: 'tenant',
  label: { zh: '角色', en: 'Role' },
  menu: { under: 'authority', path: '/authority/role', icon: 'team', sort: 1 },
  fields: {
    roleName: f.text({ label: { zh: '角色名称', en: 'Role name' }, required: true, max: 64, search: 'like' }),
    roleAlias: f.text({ label: { zh: '角色别名', en: 'Role alias' }, required: true, max: 64, search: 'like', pattern: '^[A-Za-z][A-Za-z0-9_-]*$', patternWords: { zh: '{label}应以字母开头，只含字母、数字、下划线和连字符', en: '{label} starts with a letter and holds letters, digits, _ and - only' }, sample: 'staff' }),
    parentId: f.tree('role', { label: { zh: '上级角色', en: 'Parent role' }, default: '0' }),
    sort: f.number({ label: { zh: '角色排序', en: 'Order' }, required: true, min: 0, max: 1_000_000, default: 1 }),
  },
  title: 'roleName', titleCode: 'roleAlias',
  list: { columns: ['roleName', 'tenantId', 'roleAlias', 'sort'], sort: 'sort', paged: false },
  permissions: { grant: { zh: '权限设置', en: 'Grant rights' } },
})
