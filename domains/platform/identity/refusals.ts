import { defineRefusals, type CodesOf } from '#kit/server/base/refused.ts'

const refusals = defineRefusals({
  login_wrong: { zh: '用户名或密码不正确', en: 'The user name or password is wrong' },
  no_role: { zh: '未获得用户的角色信息', en: 'This account has no role yet. An administrator must approve it.' },
  user_disabled: { zh: '账号已停用,请联系管理员', en: 'This account is deactivated. Contact an administrator.' },
  captcha_wrong: { zh: '验证码不正确', en: 'The captcha is wrong' },
  login_locked: { zh: '登录错误次数过多,请稍后再试', en: 'Too many failed sign-ins. Try again later.' },
  tenant_missing: { zh: '未获得用户的租户信息', en: 'This tenant does not exist' },
  tenant_expired: {
    zh: '租户授权已过期,请联系管理员',
    en: 'The license of this tenant has expired. Contact an administrator.',
  },
  session_over: { status: 401, zh: '令牌授权已过期', en: 'Your session has expired' },
  grant_unknown: { zh: '不支持的授权类型: {grant}', en: 'Unsupported grant type: {grant}' },
  grant_not_for_client: { zh: '这个客户端不能使用这种登录方式', en: 'This client cannot use this sign-in method' },
  code_invalid: { zh: '授权码无效或已过期', en: 'The authorization code is invalid or expired' },
  redirect_not_registered: {
    zh: '回调地址与客户端登记的不一致',
    en: 'The redirect URL is not registered for this client',
  },
  social_state_over: {
    zh: '登录请求已过期,请重新发起第三方登录',
    en: 'The sign-in request has expired. Start it again.',
  },
  social_taken: { zh: '这个第三方账号已绑定用户', en: 'This third-party account is already linked to a user' },
  social_missing: { zh: '第三方登陆信息错误!', en: 'The third-party sign-in is not valid' },
  register_tenant: { zh: '租户信息错误!', en: 'The tenant is not valid' },
  register_closed: { zh: '当前系统未开放注册', en: 'Registration is closed' },
  user_exists: { zh: '当前用户 [{account}] 已存在!', en: 'User [{account}] already exists' },
  quota_reached: { zh: '当前租户已到最大账号额度!', en: 'This tenant has reached its account limit' },
  own_account_stays: { zh: '不能删除本账号!', en: 'You cannot delete your own account' },
  choose_user: { zh: '请至少选择一个用户', en: 'Select at least one user' },
  passwords_differ: { zh: '请输入正确的确认密码!', en: 'The new passwords do not match' },
  password_wrong: { zh: '原密码不正确!', en: 'The old password is wrong' },
  role_beyond_own: {
    status: 403,
    zh: '不能授予权限超出自己的角色',
    en: 'You cannot assign a role with more permissions than your own',
  },
  user_above: {
    status: 403,
    zh: '不能修改权限高于自己的用户',
    en: 'You cannot change a user with more permissions than your own',
  },
  own_roles_stay: { status: 403, zh: '不能改变自己的角色', en: 'You cannot change your own roles' },
  own_depts_stay: {
    status: 403,
    zh: '您能看到的数据取决于部门，不能改变自己的部门',
    en: 'Your departments determine which data you see. You cannot change them yourself.',
  },
  limits_stay: {
    status: 403,
    zh: '您只看得到自己的门店，不能让别人看到更多',
    en: 'You only see your own stores and cannot let others see more',
  },
  own_role_stays: { zh: '不能移除自己的管理员角色', en: 'You cannot remove your own administrator role' },
  users_not_imported: { zh: '导入失败：{rows}', en: 'Import failed: {rows}' },
})

declare module '#kit/server/base/refused.ts' {
  interface Refusals extends CodesOf<typeof refusals> {}
}
