import { defineResource, f, REMARK_LABEL } from '#kit/resource/index.ts'

export const dept = defineResource({
  name: 'dept',
  path: '/api/blade-system/dept',
  tenancy: 'tenant',
  ownFields: false,
  label: { zh: '部门', en: 'Department' },
  menu: { under: 'system', path: '/system/dept', icon: 'apartment', sort: 2 },
  fields: {
    deptName: f.text({
      label: { zh: '部门名称', en: 'Department name' },
      required: true,
      max: 45,
      search: 'like',
      sample: 'dept',
    }),
    fullName: f.text({
      label: { zh: '部门全称', en: 'Full name' },
      required: true,
      max: 45,
      search: 'like',
      sample: 'department',
    }),
    parentId: f.tree('dept', { label: { zh: '上级部门', en: 'Parent department' }, default: '0' }),
    deptCategory: f.dict('org_category', { label: { zh: '部门类型', en: 'Type' }, required: true, numeric: true }),
    sort: f.number({ label: { zh: '排序', en: 'Sort order' }, required: true, min: 0, max: 1_000_000, default: 1 }),
    remark: f.text({ label: REMARK_LABEL }),
    ancestors: f.text({
      systemUpdated: true,
      label: { zh: '祖级列表', en: 'Ancestors' },
      form: 'hidden',
      detail: false,
      max: 2000,
    }),
  },
  title: 'deptName',
  list: { columns: ['deptName', 'tenantId', 'fullName', 'deptCategory', 'sort'], sort: 'sort', paged: false },
  indexes: [['parentId', 'sort']],
})
