export type SessionUser = {
  userId: string
  tenantId: string
  account: string
  userName: string
  nickName: string
  realName: string
  avatar: string
  roleId: string
  roleName: string
  deptId: string
  oauthId: string
  /** The server answers nothing else before the password is changed. */
  mustChange: boolean
  /** Works in a practice tenant, where everything is simulated. */
  isPractice: boolean
}

const text = (value: unknown) => (value === undefined || value === null ? '' : String(value))

/** Who came in, of what the server answers beside the tokens. */
export function toSessionUser(answer: Record<string, unknown>): SessionUser {
  return {
    userId: text(answer.user_id),
    tenantId: text(answer.tenant_id),
    account: text(answer.account ?? answer.user_name),
    userName: text(answer.user_name),
    nickName: text(answer.nick_name),
    realName: text(answer.real_name),
    avatar: text(answer.avatar),
    roleId: text(answer.role_id),
    roleName: text(answer.role_name),
    deptId: text(answer.dept_id),
    oauthId: text(answer.oauth_id),
    mustChange: String(answer.must_change_password) === 'true',
    isPractice: String(answer.is_practice) === 'true',
  }
}
