import { defineResource, f } from '#kit/resource/index.ts'

export const menu = defineResource({
  name: 'menu', path: '/api/blade-system/menu', tenancy: 'platform',
  label: { zh: '菜单', en: 'Menu' },
  menu: { under: 'system', path: '/system/menu', icon: 'menu', sort: 6 },
  fields: {
    name: f.text({ label: { zh: '菜单名称', en: 'Name' }, required: true, max: 64, search: 'like' }),
    nameEn: f.text({ label: { zh: '英文名称', en: 'English name' }, max: 64, search: 'like' }),
    path: f.text({ label: { zh: '路由地址', en: 'Path' }, max: 255, sample: '/sample/page' }),
    parentId: f.tree('menu', { label: { zh: '上级菜单', en: 'Parent menu' }, default: '0' }),
    source: f.icon({ label: { zh: '菜单图标', en: 'Icon' } }),
    code: f.text({ label: { zh: '菜单编号', en: 'Code' }, required: true, max: 100, search: 'like', pattern: '^[A-Za-z0-9_.:-]+$', sample: 'sample_menu' }),
    category: f.dict('menu_category', { label: { zh: '菜单类型', en: 'Type' }, required: true, numeric: true, default: 1 }),
    alias: f.text({ label: { zh: '菜单别名', en: 'Alias' }, max: 64, search: 'like' }),
    action: f.dict('button_func', { label: { zh: '按钮功能', en: 'Button place' }, numeric: true }),
    isOpen: f.dict('yes_no', { label: { zh: '新窗口', en: 'New window' }, numeric: true, default: 1 }),
    component: f.text({ label: { zh: '组件地址', en: 'Component' } }),
    sort: f.number({ label: { zh: '菜单排序', en: 'Order' }, required: true, min: 0, max: 1_000_000, default: 1 }),
    remark: f.text({ label: { zh: '菜单备注', en: 'Remark' } }),
    declared: f.boolean({ label: { zh: '系统内置', en: 'Built in' }, form: 'hidden', secret: true }),
    touched: f.boolean({ label: { zh: '已修改', en: 'Edited' }, form: 'hidden', secret: true }),
  },
  title: 'name', titleCode: 'code',
  list: { columns: ['name', 'nameEn', 'path', 'source', 'code', 'alias', 'category', 'sort'], sort: 'sort', paged: false },
  unique: [['code']],
  indexes: [['parentId', 'sort']],
})
