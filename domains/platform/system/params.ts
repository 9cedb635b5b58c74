import { defineSystemParam } from '#kit/resource/index.ts'

/** Menus a new tenant's administrator gets besides the business menus of the modules. */
export const defaultTenantMenuCodes = [
  'desk',
  'flow',
  'work',
  'monitor',
  'resource',
  'role',
  'data_scope',
  'user',
  'dept',
  'post',
  'dictbiz',
  'ownField',
  'topmenu',
  'thirdApi',
]

export const TENANT_ADMIN_PASSWORD_PARAM = defineSystemParam({
  key: 'tenant.default.password',
  value: 'admin',
  label: { zh: '新租户管理员密码', en: 'New tenant administrator password' },
  help: {
    zh: '首次登录要修改；填 random 则每个租户随机生成，仅在新建时显示一次',
    en: 'Must be changed at first sign-in. random generates one per tenant, shown once on creation.',
  },
})
export const TENANT_ACCOUNTS_MAX_PARAM = defineSystemParam({
  key: 'tenant.default.accountNumber',
  value: '100',
  number: { min: -1, max: 1_000_000 },
  label: { zh: '新租户账号额度', en: 'New tenant account limit' },
  help: { zh: '-1 为不限', en: '-1 means no limit' },
})
export const TENANT_MENUS_PARAM = defineSystemParam({
  key: 'tenant.default.menuCode',
  value: defaultTenantMenuCodes.join(','),
  label: { zh: '新租户菜单', en: 'New tenant menus' },
  help: { zh: '菜单编号，逗号分隔', en: 'Menu codes, separated by commas' },
})

export const TENANT_REMOVAL_DAYS_PARAM = defineSystemParam({
  key: 'tenant.removalDays',
  value: '30',
  number: { min: 1, max: 3650 },
  label: { zh: '租户注销等待天数', en: 'Tenant deletion waiting period (days)' },
  help: {
    zh: '申请注销后等待这些天，期间可取消；已申请的不受修改影响',
    en:
      'Days between the request and the deletion. It can be canceled meanwhile. Existing requests are ' +
      'not affected by changes.',
  },
})

export const systemParams = [
  TENANT_ADMIN_PASSWORD_PARAM,
  TENANT_ACCOUNTS_MAX_PARAM,
  TENANT_MENUS_PARAM,
  TENANT_REMOVAL_DAYS_PARAM,
]
