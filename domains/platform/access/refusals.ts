import { defineRefusals, type CodesOf } from '#kit/server/base/refused.ts'

const refusals = defineRefusals({
  menu_taken: { zh: '菜单名或编号已存在!', en: 'This menu name or code already exists' },
  parent_not_menu: { zh: '父节点只可选择菜单类型!', en: 'Only a menu can be a parent' },
  menu_built_in: { zh: '系统内置菜单的编号、类型不可修改', en: 'Code and type of a built-in menu cannot be changed' },
  no_right_for_administrator: {
    status: 403,
    zh: '无权限创建超管角色！',
    en: 'You cannot create a platform administrator role',
  },
  no_right_for_admin: {
    status: 403,
    zh: '无权限创建或修改管理员角色',
    en: 'You cannot create or change an administrator role',
  },
  administrator_stays: { zh: '超管角色不可删除', en: 'The platform administrator role cannot be deleted' },
  held_role_stays: {
    status: 403,
    zh: '不能修改自己持有的角色 {name}',
    en: 'You cannot change role {name} because you hold it',
  },
  alias_of_administrators: {
    status: 403,
    zh: '角色别名 {alias} 决定由谁审批，只有管理员能使用或改变它',
    en: 'Role alias {alias} determines who approves. Only administrators can use or change it.',
  },
  role_allows_more: {
    status: 403,
    zh: '角色 {name} 含有您没有的权限，不能删除',
    en: 'Role {name} has permissions you do not have. You cannot delete it.',
  },
  role_of_other_shops: {
    status: 403,
    zh: '持有角色 {name} 的人不都在您的门店，不能修改它的权限',
    en: 'Not everyone with role {name} is in your stores. You cannot change its permissions.',
  },
  scope_must_stay: {
    status: 403,
    zh: '您自己受数据权限 {name} 限制，角色也应保留它',
    en: 'You are limited by data scope {name}. The role must keep it.',
  },
  scope_bounds_self: {
    status: 403,
    zh: '您自己受 {code} 的数据权限限制，不能修改它',
    en: 'You are limited by the data scope of {code} and cannot change it',
  },
  scope_bounds_others: {
    status: 403,
    zh: '您只看得到自己的门店，不能改变限制他人的 {code} 数据权限',
    en: 'You only see your own stores and cannot change data scopes of {code} that limit others',
  },
  beyond_own_rights: { status: 403, zh: '不能授予自己没有的权限', en: 'You cannot grant permissions you do not have' },
  scope_unreadable: { zh: '规则值格式不对', en: 'The condition is not valid' },
  scope_resource_unknown: { zh: '权限编号 {code} 没有对应的数据', en: 'Scope code {code} has no data' },
  scope_without_meaning: {
    zh: '规则类型不适用于{label}：这些数据没有所需的人员、部门或门店',
    en: 'This type does not fit {label}. The data has no such person, department or store.',
  },
  scope_column_no_user: {
    zh: '权限字段 {column} 不是{label}中的人员',
    en: 'Column {column} is not a person of {label}',
  },
  scope_column_no_dept: {
    zh: '权限字段 {column} 不是{label}中的部门',
    en: 'Column {column} is not a department of {label}',
  },
})

declare module '#kit/server/base/refused.ts' {
  interface Refusals extends CodesOf<typeof refusals> {}
}
