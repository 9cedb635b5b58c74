import { defineResource, f } from '#kit/resource/index.ts'

export const role = defineResource({
  name: 'role',
  path: '/api/blade-system/role',
  table: 'sys_role',
  tenancy: 'tenant',
  ownFields: false,
  label: { zh: '角色', en: 'Role' },
  menu: { under: 'authority', path: '/authority/role', icon: 'team', sort: 1 },
  fields: {
    roleName: f.text({ label: { zh: '角色名称', en: 'Role name' }, required: true, max: 64, search: 'like' }),
    roleAlias: f.text({
      label: { zh: '角色别名', en: 'Role alias' },
      required: true,
      max: 64,
      search: 'like',
      pattern: '^[A-Za-z][A-Za-z0-9_-]*$',
      patternWords: {
        zh: '{label}应以字母开头，只含字母、数字、下划线和连字符',
        en: '{label} must start with a letter and can contain only letters, digits, _ and -',
      },
      sample: 'staff',
    }),
    parentId: f.tree('role', { label: { zh: '上级角色', en: 'Parent role' }, default: '0' }),
    ownShops: f.boolean({
      label: { zh: '只看所属门店', en: 'Own stores only' },
      help: {
        zh: '得到这个角色的人只看得到自己的门店；之后以用户自己的设置为准',
        en: 'People who get this role only see their own stores. Afterwards the setting of the user applies.',
      },
    }),
    sort: f.number({ label: { zh: '角色排序', en: 'Sort order' }, required: true, min: 0, max: 1_000_000, default: 1 }),
  },
  title: 'roleName',
  titleCode: 'roleAlias',
  list: { columns: ['roleName', 'tenantId', 'roleAlias', 'sort'], sort: 'sort', paged: false },
  permissions: { grant: { zh: '权限设置', en: 'Permissions' } },
})
