import { defineDict } from '#kit/resource/index.ts'

export const menuCategoryDictionary = defineDict({
  code: 'menu_category',
  label: { zh: '菜单类型', en: 'Menu type' },
  entries: [
    { key: '1', zh: '菜单', en: 'Menu', colour: 'geekblue' },
    { key: '2', zh: '按钮', en: 'Button' },
  ],
})

export const buttonPositionDictionary = defineDict({
  code: 'button_func',
  label: { zh: '按钮功能', en: 'Button position' },
  entries: [
    { key: '1', zh: '工具栏', en: 'Toolbar' },
    { key: '2', zh: '操作栏', en: 'Row actions' },
    { key: '3', zh: '工具操作栏', en: 'Toolbar and row actions' },
  ],
})

export const scopeCategoryDictionary = defineDict({
  code: 'scope_category',
  label: { zh: '权限类型', en: 'Scope category' },
  entries: [
    { key: '1', zh: '数据权限', en: 'Data scope' },
    { key: '2', zh: '接口权限', en: 'API scope' },
  ],
})

export const DATA_SCOPE_OWN_ROWS = 2
export const DATA_SCOPE_OWN_DEPT = 3
export const DATA_SCOPE_DEPTS_BELOW = 4
export const DATA_SCOPE_CUSTOM = 5
export const DATA_SCOPE_OWN_SHOPS = 6

export const dataScopeTypeDictionary = defineDict({
  code: 'data_scope_type',
  label: { zh: '数据权限类型', en: 'Data scope type' },
  entries: [
    { key: '1', zh: '全部可见', en: 'All rows' },
    { key: '2', zh: '本人可见', en: 'Own rows' },
    { key: '3', zh: '所在部门可见', en: 'Own department' },
    { key: '4', zh: '所在部门及子级可见', en: 'Own department and below' },
    { key: '5', zh: '自定义', en: 'Custom' },
    { key: '6', zh: '所属门店可见', en: 'Own stores' },
  ],
})

export const apiScopeTypeDictionary = defineDict({
  code: 'api_scope_type',
  label: { zh: '接口权限类型', en: 'API scope type' },
  entries: [
    { key: '1', zh: '系统接口', en: 'System' },
    { key: '2', zh: '业务接口', en: 'Business' },
  ],
})
