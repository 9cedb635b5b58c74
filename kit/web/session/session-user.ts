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
  /** The user must change the password first; until then the server refuses everything else. */
  mustChange: boolean
  /** The user works in a practice tenant, where everything is simulated. */
  isPractice: boolean
}

const text = (value: unknown) => (value === undefined || value === null ? '' : String(value))

/** Converts the server's token answer to the signed-in user. */
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
