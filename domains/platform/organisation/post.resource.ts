import { defineResource, f } from '#kit/resource/index.ts'

export const post = defineResource({
  name: 'post',
  path: '/api/blade-system/post',
  tenancy: 'tenant',
  label: { zh: '岗位', en: 'Position' },
  menu: { under: 'system', path: '/system/post', icon: 'idcard', sort: 3 },
  fields: {
    category: f.dict('post_category', {
      label: { zh: '岗位类型', en: 'Position type' },
      required: true,
      numeric: true,
      search: 'eq',
    }),
    postCode: f.text({
      label: { zh: '岗位编号', en: 'Position code' },
      required: true,
      max: 30,
      search: 'like',
      sample: 'post',
    }),
    postName: f.text({ label: { zh: '岗位名称', en: 'Position name' }, required: true, max: 50, search: 'like' }),
    sort: f.number({ label: { zh: '岗位排序', en: 'Sort order' }, required: true, min: 0, max: 1_000_000, default: 1 }),
    remark: f.text({ label: { zh: '岗位描述', en: 'Description' } }),
  },
  title: 'postName',
  titleCode: 'postCode',
  list: {
    inline: ['postName', 'sort'],
    bulk: ['category'],
    columns: ['tenantId', 'category', 'postCode', 'postName', 'sort', 'remark'],
    sort: 'sort',
  },
  unique: [['postCode']],
})
