import { defineSystemParam } from '#kit/resource/index.ts'

export const REGISTRATION_ALLOWED_PARAM = defineSystemParam({
  key: 'account.registerUser',
  value: 'true',
  label: { zh: '是否开启注册功能', en: 'Allow registration' },
  help: { zh: 'true 开启，false 关闭', en: 'true to allow, false to disallow' },
})
export const INITIAL_PASSWORD_PARAM = defineSystemParam({
  key: 'account.initPassword',
  value: 'random',
  label: { zh: '账号初始密码', en: 'Initial account password' },
  help: {
    zh: '新增、导入和重置密码时使用；random 为每个账号随机生成，仅显示一次，也可填所有账号共用的固定密码',
    en:
      'Used for new, imported and reset accounts. random generates a password for each account and ' +
      'shows it once. You can also enter one fixed password for all accounts.',
  },
})
export const INITIAL_PASSWORD_CHANGE_PARAM = defineSystemParam({
  key: 'account.firstPasswordChange',
  value: 'true',
  label: { zh: '初始密码要修改', en: 'Force initial password change' },
  help: {
    zh: 'true 首次登录要修改；false 可一直使用，仅供不能修改密码的旧版客户端',
    en: 'true forces a change at first sign-in. false keeps it valid, only for older clients that cannot change it.',
  },
})
export const LOGIN_FAILURES_MAX_PARAM = defineSystemParam({
  key: 'account.failCount',
  value: '5',
  number: { min: 1, max: 1000 },
  label: { zh: '登录失败锁定次数', en: 'Failed sign-ins before lock' },
  help: { zh: '半小时内失败达到此数即锁定', en: 'Locked when this number is reached within half an hour' },
})

export const PASSWORD_LENGTH_MIN_PARAM = defineSystemParam({
  key: 'account.passwordLength',
  value: '6',
  number: { min: 1, max: 64 },
  label: { zh: '密码最短位数', en: 'Minimum password length' },
  help: {
    zh: '设置和修改密码时检查；最常用的一千个密码和账号的变形一律不接受，旧版客户端也是；大于 6 时旧版客户端不能修改密码',
    en:
      'Checked when passwords are set or changed. The 1,000 most common passwords and variants of the ' +
      'account are always rejected, also for older clients. Above 6, older clients cannot change ' +
      'passwords.',
  },
})
export const PASSWORD_CHARACTER_KINDS_PARAM = defineSystemParam({
  key: 'account.passwordKinds',
  value: '1',
  number: { min: 1, max: 4 },
  label: { zh: '密码字符种类', en: 'Password character types' },
  help: {
    zh: '大写、小写、数字、符号中至少几种；大于 1 时旧版客户端不能修改密码',
    en: 'Minimum number of uppercase, lowercase, digits and symbols. Above 1, older clients cannot change passwords.',
  },
})
export const PASSWORD_HISTORY_PARAM = defineSystemParam({
  key: 'account.passwordHistory',
  value: '0',
  number: { min: 0, max: 10 },
  label: { zh: '不可重复的旧密码数', en: 'Previous passwords not allowed' },
  help: { zh: '0 为仅不能与现在的相同', en: '0 means only the current one is not allowed' },
})
export const PASSWORD_VALIDITY_DAYS_PARAM = defineSystemParam({
  key: 'account.passwordDays',
  value: '0',
  number: { min: 0, max: 3650 },
  label: { zh: '密码有效天数', en: 'Password validity (days)' },
  help: {
    zh: '到期后登录要先修改密码，0 为不过期',
    en: 'After that, the password must be changed at sign-in. 0 means no expiry.',
  },
})

export const identityParams = [
  REGISTRATION_ALLOWED_PARAM,
  INITIAL_PASSWORD_PARAM,
  INITIAL_PASSWORD_CHANGE_PARAM,
  LOGIN_FAILURES_MAX_PARAM,
  PASSWORD_LENGTH_MIN_PARAM,
  PASSWORD_CHARACTER_KINDS_PARAM,
  PASSWORD_HISTORY_PARAM,
  PASSWORD_VALIDITY_DAYS_PARAM,
]
