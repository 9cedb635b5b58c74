import { defineResource, f } from '#kit/resource/index.ts'

export const topMenu = defineResource({
  name: 'topMenu',
  path: '/api/blade-system/topmenu',
  table: 'top_menu',
  code: 'topmenu',
  tenancy: 'tenant',
  ownFields: false,
  label: { zh: '顶部菜单', en: 'Top menu' },
  menu: { under: 'system', path: '/system/topmenu', icon: 'layout', sort: 7 },
  fields: {
    name: f.text({ label: { zh: '菜单名称', en: 'Menu name' }, required: true, max: 64, search: 'like' }),
    nameEn: f.text({ label: { zh: '英文名称', en: 'English name' }, max: 64 }),
    code: f.text({ label: { zh: '菜单编号', en: 'Code' }, required: true, max: 64, search: 'like', sample: 'top' }),
    source: f.icon({ label: { zh: '菜单图标', en: 'Icon' } }),
    path: f.text({ label: { zh: '路由地址', en: 'Path' }, max: 255 }),
    sort: f.number({ label: { zh: '菜单排序', en: 'Sort order' }, required: true, min: 0, max: 1_000_000, default: 1 }),
  },
  title: 'name',
  titleCode: 'code',
  list: { columns: ['tenantId', 'name', 'nameEn', 'code', 'source', 'sort'], sort: 'sort' },
  unique: [['code']],
  permissions: { setting: { zh: '菜单配置', en: 'Select menus' } },
})
