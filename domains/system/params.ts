import { defineParam } from '#kit/resource/index.ts'

/** Menus a new tenant's administrator gets besides the business menus of the rooms. */
export const tenantMenuCodes = ['desk', 'flow', 'work', 'monitor', 'resource', 'role', 'user', 'dept', 'post', 'dictbiz', 'topmenu']

export const TENANT_PASSWORD = defineParam({ key: 'tenant.default.password', value: 'admin', label: { zh: '新租户管理员密码', en: "Password of a new tenant's administrator" }, help: { zh: '首次登录后请修改', en: 'To be changed after the first sign-in' } })
export const TENANT_ACCOUNTS = defineParam({ key: 'tenant.default.accountNumber', value: '100', number: { min: -1, max: 1_000_000 }, label: { zh: '新租户账号额度', en: 'Accounts of a new tenant' }, help: { zh: '-1 为不限', en: '-1: no limit' } })
export const TENANT_MENUS = defineParam({ key: 'tenant.default.menuCode', value: tenantMenuCodes.join(','), label: { zh: '新租户菜单', en: 'Menus of a new tenant' }, help: { zh: '菜单编号，逗号分隔', en: 'Menu codes, separated by commas' } })

export const systemParams = [TENANT_PASSWORD, TENANT_ACCOUNTS, TENANT_MENUS]
