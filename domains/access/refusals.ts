import { defineRefusals } from '#kit/server/refused.ts'

defineRefusals({
  menu_taken: { zh: '菜单名或编号已存在!', en: 'This menu name or code is taken already' },
  parent_not_menu: { zh: '父节点只可选择菜单类型!', en: 'Only a menu can be a parent' },
  menu_built_in: { zh: '系统内置菜单的编号、类型不可修改', en: 'Code and type of a built-in menu cannot be changed' },
  no_right_for_administrator: { status: 403, zh: '无权限创建超管角色！', en: 'You may not make a platform administrator role' },
  no_right_for_admin: { status: 403, zh: '无权限创建或修改管理员角色', en: 'You may not make or change an administrator role' },
  administrator_stays: { zh: '超管角色不可删除', en: 'The platform administrator role cannot be removed' },
  role_held: { zh: '角色 {name} 已分配给用户，不能删除', en: 'Role {name} is held by users and cannot be removed' },
  beyond_own_rights: { status: 403, zh: '不能授予自己没有的权限', en: 'You cannot grant what you do not hold' },
  scope_unreadable: { zh: '规则值无法识别', en: 'The condition cannot be understood' },
  scope_resource_unknown: { zh: '权限编号 {code} 没有对应的数据', en: 'No data belongs to resource code {code}' },
})
