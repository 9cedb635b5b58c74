import { defineResource, f } from '#kit/resource/index.ts'

export const post = defineResource({
  name: 'post',
  path: '/api/blade-system/post',
  tenancy: 'tenant',
  label: { zh: '岗位', en: 'Post' },
  menu: { under: 'system', path: '/system/post', icon: 'idcard', sort: 3 },
  fields: {
    category: f.dict('post_category', {
      label: { zh: '岗位类型', en: 'Type' },
      required: true,
      numeric: true,
      search: 'eq',
    }),
    postCode: f.text({
      label: { zh: '岗位编号', en: 'Post code' },
      required: true,
      max: 30,
      search: 'like',
      sample: 'post',
    }),
    postName: f.text({ label: { zh: '岗位名称', en: 'Post name' }, required: true, max: 50, search: 'like' }),
    sort: f.number({ label: { zh: '岗位排序', en: 'Order' }, required: true, min: 0, max: 1_000_000, default: 1 }),
    remark: f.text({ label: { zh: '岗位描述', en: 'Remark' } }),
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
