import { defineRefusals, type CodesOf } from '#kit/server/refused.ts'

const refusals = defineRefusals({
  login_wrong: { zh: '用户名或密码不正确', en: 'Account or password is wrong' },
  no_role: { zh: '未获得用户的角色信息', en: 'This account has no role yet; an administrator has to approve it' },
  user_disabled: { zh: '账号已停用,请联系管理员', en: 'This account is disabled; please ask an administrator' },
  captcha_wrong: { zh: '验证码不正确', en: 'The captcha is wrong' },
  login_locked: { zh: '登录错误次数过多,请稍后再试', en: 'Too many failed sign-ins, try again later' },
  tenant_missing: { zh: '未获得用户的租户信息', en: 'This tenant is not known' },
  tenant_expired: {
    zh: '租户授权已过期,请联系管理员',
    en: 'The licence of this tenant has expired; please ask an administrator',
  },
  session_over: { status: 401, zh: '令牌授权已过期', en: 'Your session has ended' },
  grant_unknown: { zh: '不支持的授权类型: {grant}', en: 'Unknown grant type: {grant}' },
  grant_not_for_client: { zh: '该客户端不能使用此登录方式', en: 'This client may not sign in this way' },
  code_invalid: { zh: '授权码无效或已过期', en: 'The authorization code is not valid any more' },
  redirect_not_registered: {
    zh: '回调地址与客户端登记的不一致',
    en: 'The redirect address is not registered for this client',
  },
  social_state_over: { zh: '登录请求已过期,请重新发起第三方登录', en: 'This sign-in has expired; start it again' },
  social_taken: { zh: '该第三方账号已绑定用户', en: 'This account of the other service belongs to a user already' },
  social_missing: { zh: '第三方登陆信息错误!', en: 'The sign-in through the other service is not known' },
  register_tenant: { zh: '租户信息错误!', en: 'This tenant is not known' },
  register_closed: { zh: '当前系统未开放注册', en: 'Registration is closed' },
  user_exists: { zh: '当前用户 [{account}] 已存在!', en: 'User [{account}] exists already' },
  quota_reached: { zh: '当前租户已到最大账号额度!', en: 'This tenant has reached its number of accounts' },
  own_account_stays: { zh: '不能删除本账号!', en: 'You cannot remove your own account' },
  choose_user: { zh: '请至少选择一个用户', en: 'Choose at least one user' },
  passwords_differ: { zh: '请输入正确的确认密码!', en: 'The two new passwords differ' },
  password_wrong: { zh: '原密码不正确!', en: 'The old password is wrong' },
  role_beyond_own: {
    status: 403,
    zh: '不能授予权限超出自己的角色',
    en: 'You cannot assign a role that allows more than you may do',
  },
  user_above: { status: 403, zh: '不能修改权限高于自己的用户', en: 'You cannot change a user who ranks above you' },
  own_roles_stay: { status: 403, zh: '不能改变自己的角色', en: 'You cannot change your own roles' },
  own_depts_stay: {
    status: 403,
    zh: '您能看到的数据取决于部门，不能改变自己的部门',
    en: 'Your departments decide which rows you see; you cannot change them yourself',
  },
  limits_stay: {
    status: 403,
    zh: '您只看得到自己的门店，不能让别人看到更多',
    en: 'You see your own shops alone and cannot let others see more',
  },
  own_role_stays: { zh: '不能移除自己的管理员角色', en: 'You cannot take away your own administrator role' },
  users_not_imported: { zh: '导入失败：{rows}', en: 'Nothing was imported: {rows}' },
})

declare module '#kit/server/refused.ts' {
  interface Refusals extends CodesOf<typeof refusals> {}
}
