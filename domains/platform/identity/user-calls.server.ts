import { f, keywordField } from '#kit/resource/index.ts'
import { publishPermissionsChanged } from '#kit/server/request/authenticate.ts'
import { canReadField, canReadUnmasked } from '#kit/server/database/data-scope.ts'
import { awaitBatch, empty, readBatch, sql, type Sql } from '#kit/server/database/db.ts'
import { handleDetailCall } from '#kit/server/resource/detail-of.ts'
import { unitOfWorkOptionsForRead, handleListCall, visibleRowsSql } from '#kit/server/resource/list-of.ts'
import { hasHiddenFieldFilter, escapeLike, findFilterField, queryFilterSql } from '#kit/server/query/filters.ts'
import { maskedValueMatchSql } from '#kit/server/query/masked-filters.ts'
import { omitHiddenFieldValues } from '#kit/server/resource/present.ts'
import { parseEntity } from '#kit/server/request/parse-input.ts'
import { lockAgainstRemoval } from '#kit/server/resource/references.ts'
import { requireIdList, forEachTenantOfRows } from '#kit/server/resource/remove-of.ts'
import { isEmptyInput } from '#kit/fields/base/field-kind.ts'
import { fieldKindOf } from '#kit/fields/kinds.ts'
import { permissionCodeOf } from '#kit/resource/define-resource.ts'
import { hasPermission } from '#kit/server/base/caller.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { invalidInputRefusal, defineRoute, type Call, type Route } from '#kit/server/module/module.ts'
import { hashPasswordMd5, verifyPassword } from '#kit/server/security/index.ts'
import { requireUnchangedSet } from '#kit/server/resource/expected-set.ts'
import { lockVisibleRow, submitOperationOf, handleSubmitCall } from '#kit/server/resource/submit-of.ts'
import { beginLoginAttempt, unlockAccount } from './attempts.ts'
import { createInitialPasswordFactory, type InitialPassword, type IssuedPassword } from './first-password.ts'
import { requireStrongHashedPassword, requireUnusedPassword, loadPasswordRules } from './password-rules.ts'
import { requireAccountsWithinLimits, requireAccountChangeAllowed } from './standing.ts'
import { user } from './user.resource.ts'
import {
  requireBirthdayNotInFuture,
  requirePasswordResetAllowed,
  requireAssignableRoles,
  requireUsersNotAboveCaller,
  toIssuedPassword,
  setPasswords,
  userServer,
  type UserRow,
} from './user.server.ts'

const title = (zh: string, en: string) => ({ zh, en })
const FIELDS_OF_ONESELF = ['name', 'realName', 'avatar', 'phone', 'email', 'sex', 'birthday'] as const

/**
 * Splits off the department filter as an SQL condition that includes all departments below. Refuses it when the caller
 * may not see the field.
 */
export async function parseDepartmentFilter(call: Call): Promise<{ query: Record<string, string>; where: Sql }> {
  const { deptId, ...query } = call.query
  if (isEmptyInput(deptId) || deptId === '0') return { query, where: empty }
  if (hasHiddenFieldFilter(user, { deptId: deptId! }, call.caller))
    throw new Refused('filter_hidden', { label: user.fields.deptId.label })
  if (!/^\d{1,19}$/.test(deptId!)) throw new Refused('bad_parameter', { name: 'deptId' })
  const [rows] = await readBatch(call.services.pool, unitOfWorkOptionsForRead(call), [
    sql`select id::text as id from dept where is_deleted = 0 and (id = ${deptId}
      or ${deptId} = any(string_to_array(ancestors, ',')))`,
  ])
  return { query, where: sql` and r.dept_id && ${[deptId!, ...rows!.map((row) => row.id as string)]}::bigint[]` }
}

/**
 * Returns a page of users, filtered by department with all below it. Older clients also filter by role names; the kit
 * ignores unknown keys.
 */
async function page(call: Call) {
  const { query, where } = await parseDepartmentFilter(call)
  return handleListCall({ ...userServer, hooks: { ...userServer.hooks, where: () => where } }, { ...call, query })
}

/** Returns the caller's own user with all fields, whatever their data scopes. */
const own = (call: Call) =>
  handleDetailCall(userServer, {
    ...call,
    query: { id: call.caller.userId },
    caller: {
      ...call.caller,
      dataScopes: [],
      permissions: new Set([...call.caller.permissions, permissionCodeOf(user, 'edit')]),
    },
  })

/** Fields of a colleague that the picker shows, and so may be searched by. */
const PICKED = ['account', 'name', 'realName'] as const

/** Whether the caller sees account names: only who may list users; others see the real name instead. */
const seesAccounts = ({ caller }: Call) => hasPermission(caller, permissionCodeOf(user, 'list'))
const pickedColumns = (call: Call) => {
  const sees = (key: (typeof PICKED)[number]) => canReadField(user, key, call.caller)
  const name = sees('name') ? sql`coalesce(r.name, '')` : sql`''`
  const realName = sees('realName') ? sql`coalesce(r.real_name, '')` : sql`''`
  const account = sees('account') ? sql`r.account` : sql`''`
  return sql`r.id::text as id, ${
    seesAccounts(call) ? account : sql`coalesce(nullif(${realName}, ''), ${name})`
  } as account, ${name} as name, ${realName} as "realName"`
}

const keyOf = (name: string) => name.replace(/_[a-z]+$/, '')
const isPicked = (call: Call, name: string) =>
  keyOf(name) === 'account' ? seesAccounts(call) : ['id', ...PICKED].includes(keyOf(name))

/**
 * Lists colleagues for a picker. Refuses filters by fields the picker does not show, as the result would reveal their
 * values.
 */
async function userList(call: Call) {
  const hidden = Object.keys(call.query).find(
    (name) => findFilterField(user, keyOf(name)) && !isPicked(call, name) && keyOf(name) !== 'tenantId',
  )
  if (hidden) throw new Refused('filter_hidden', { label: findFilterField(user, keyOf(hidden))!.label })
  const caller = { ...call.caller, isPlatform: false }
  const [rows] = await readBatch(call.services.pool, { tenantId: caller.tenantId }, [
    sql`select ${pickedColumns(call)} ${visibleRowsSql(userServer, { ...call, caller })}${queryFilterSql(
      user,
      call.query,
      caller,
    )}
      order by ${seesAccounts(call) ? sql`r.account` : sql`r.real_name, r.id`} limit 1000`,
  ])
  return rows
}

/**
 * Finds colleagues by part of a name or account, or by phone number or its last four digits; shows the number masked as
 * in lists.
 */
async function searchWorker(call: Call<{ key: string | null }>) {
  const { caller, services, input } = call
  const key = input.key ?? ''
  const pattern = `%${escapeLike(key)}%`
  const { phone } = user.fields
  const isWhole = canReadUnmasked(user, phone, caller)
  // Does not search fields a data scope hides: a match would reveal the value.
  const sees = (field: keyof typeof user.fields) => canReadField(user, field, caller)
  const isPhone =
    key && sees('phone') && (isWhole ? sql`r.phone = ${key}` : maskedValueMatchSql(sql`r.phone`, phone, key, caller))
  const byPhone = isPhone ? sql` or ${isPhone}` : empty
  const [rows] = await readBatch(services.pool, { tenantId: caller.tenantId }, [
    sql`
    select ${pickedColumns(call)}, r.phone
    ${visibleRowsSql(userServer, { ...call, query: {}, caller: { ...caller, isPlatform: false } })}
    and coalesce(r.status, 1) <> 2
      and (${key === ''} or ${sees('account') && seesAccounts(call)} and r.account ilike ${pattern}
        or ${sees('name')} and r.name ilike ${pattern} or ${sees('realName')} and r.real_name ilike ${pattern}
        or ${sees('code')} and r.code = ${key}${byPhone})
    order by ${seesAccounts(call) ? sql`r.account` : sql`r.real_name, r.id`} limit 20`,
  ])
  const shown = isWhole ? { ...phone, mask: undefined } : phone
  return omitHiddenFieldValues(
    services.registry,
    user,
    caller,
    rows!.map((row) => ({ ...row, phone: fieldKindOf(phone).wire(row.phone, shown) })),
  )
}

/**
 * Runs `work` on the chosen users, locked, in a transaction of each tenant. Refuses users ranked above the caller or,
 * for callers limited to shops, of other shops.
 */
export async function withLockedUsers(
  call: Call,
  given: string | null,
  work: (users: UserRow[], inside: Call) => Promise<void>,
): Promise<undefined> {
  if (isEmptyInput(given)) throw new Refused('choose_user')
  await forEachTenantOfRows(call, user, requireIdList(user, given), async (ids, db) => {
    const inside = { ...call, db }
    // Locks in one batch and by id, so that parallel calls wait instead of deadlocking.
    const users: UserRow[] = await awaitBatch([...ids].sort().map((id) => lockVisibleRow(userServer, inside, id)))
    await requireUsersNotAboveCaller(inside, users)
    await requireAccountsWithinLimits(inside, users)
    await work(users, inside)
  })
  return undefined
}

/** Sets the roles of users. An empty list removes all; a missing one is refused as a client's mistake. */
const grant = (call: Call<{ userIds: string | null; roleIds: string[] | null }>) =>
  withLockedUsers(call, call.input.userIds, async (users, inside) => {
    if (call.query.roleIds === undefined && (call.body as { roleIds?: unknown } | null)?.roleIds === undefined)
      throw new Refused('missing_parameter', { name: 'roleIds' })
    const roleIds = call.input.roleIds ?? []
    if (users.length === 1)
      requireUnchangedSet((call.body as { was?: unknown } | null | undefined)?.was, users[0]!.roleId ?? [])
    await lockAgainstRemoval(inside.db, inside.services.registry.resource('role'), roleIds)
    const known = await inside.db.one<{ n: number }>(
      sql`select count(*)::int as n from sys_role where tenant_id = ${inside.db.tenantId} and is_deleted = 0
        and id = any(${roleIds}::bigint[])`,
    )
    if (known!.n !== roleIds.length) throw new Refused('not_found', { label: user.fields.roleId.label })
    await requireAssignableRoles(
      inside,
      roleIds.filter((id) => !users.every((one) => one.roleId?.includes(id))),
    )
    if (
      users.some((one) => one.id === call.caller.userId) &&
      call.caller.isAdmin &&
      !call.caller.roleIds.some((id) => roleIds.includes(id))
    )
      throw new Refused('own_role_stays')
    for (const one of users)
      await inside.db.update(user, one.id, {
        roleId: roleIds,
        ownShops: await requireAccountChangeAllowed(inside, { roleId: roleIds }, one),
      })
    publishPermissionsChanged(inside.services, inside.db, { userIds: users.map((one) => one.id) })
  })

const resetPassword = async (call: Call<{ userIds: string | null }>) => {
  const first = await createInitialPasswordFactory(call.services)
  const given: IssuedPassword[] = []
  await withLockedUsers(call, call.input.userIds, async (users, inside) => {
    await requirePasswordResetAllowed(inside, users)
    const passwords: (InitialPassword & { userId: string })[] = []
    for (const one of users) passwords.push({ userId: one.id, ...(await first()) })
    await setPasswords(inside, passwords)
    given.push(...users.map((one, at) => toIssuedPassword(one, passwords[at]!)))
  })
  return { first: given }
}

const unlockUsers = (call: Call<{ userIds: string | null }>) =>
  withLockedUsers(call, call.input.userIds, async (users, inside) => {
    for (const one of users) await unlockAccount(inside.services, inside.db.tenantId, one.account)
  })

const md5Of = (text: string | null, name: string) => {
  const md5 = (text ?? '').toLowerCase()
  if (!/^[0-9a-f]{32}$/.test(md5)) throw new Refused('bad_parameter', { name })
  return md5
}

/** Changes the caller's password. The first three arrive as md5. Wrong old passwords count like failed sign-ins. */
async function updatePassword(
  call: Call<{
    oldPassword: string
    newPassword: string
    newPassword1: string
    newPlain: string | null
  }>,
): Promise<undefined> {
  const { caller, services, input } = call
  const [old, next, again] = [
    md5Of(input.oldPassword, 'oldPassword'),
    md5Of(input.newPassword, 'newPassword'),
    md5Of(input.newPassword1, 'newPassword1'),
  ]
  if (next !== again) throw new Refused('passwords_differ')
  // Read from the body: the field's parsing would trim it.
  const typed = (call.body as { newPlain?: unknown } | null)?.newPlain
  const plain = typeof typed === 'string' && typed ? typed : input.newPlain
  await requireStrongHashedPassword(services, { md5: next, plain, account: caller.account })
  const attempt = await beginLoginAttempt(services, caller.tenantId, caller.account, call.request.ip)
  const me = (await call.db.get(user, caller.userId, 'forUpdate'))!
  if (!(await verifyPassword(old, me.password ?? undefined))) throw new Refused('password_wrong')
  await attempt.succeeded()
  await requireUnusedPassword(call.db, services, me.id, next, me.password)
  await setPasswords(call, [{ userId: me.id, hash: await hashPasswordMd5(next) }], { exceptSession: caller.sessionId })
  return undefined
}

/** Updates the caller's own contact data; account name, roles and departments are changed by others. */
async function updateInfo(call: Call): Promise<undefined> {
  if (typeof call.body !== 'object' || call.body === null || Array.isArray(call.body)) throw new Refused('bad_body')
  const fields = Object.fromEntries(FIELDS_OF_ONESELF.map((key) => [key, user.fields[key]]))
  const { draft, problems } = parseEntity(fields, call.body as Record<string, unknown>, false)
  await call.services.labels.ready(call.caller.tenantId)
  if (
    draft.sex !== undefined &&
    draft.sex !== null &&
    !call.services.labels.hasKey(call.caller.tenantId, user.fields.sex, String(draft.sex))
  ) {
    problems.sex = { problem: { code: 'not_a_choice' }, field: user.fields.sex }
  }
  if (Object.keys(problems).length) throw invalidInputRefusal(problems)
  requireBirthdayNotInFuture(draft, call)
  await call.db.update(user, call.caller.userId, draft)
  publishPermissionsChanged(call.services, call.db, {})
  return undefined
}

async function update(call: Call): Promise<undefined> {
  const body = call.body as Record<string, unknown> | null
  if (typeof body !== 'object' || body === null || isEmptyInput(body.id))
    throw new Refused('missing_parameter', { name: 'id' })
  await handleSubmitCall(userServer, call)
  return undefined
}

async function platformDetail(call: Call) {
  const found = await handleDetailCall(userServer, call)
  const [rows] = await readBatch(call.services.pool, unitOfWorkOptionsForRead(call), [
    sql`select ext from user_ext where user_id = ${String(found.id)} and user_type = ${Number(found.userType)}`,
  ])
  return { ...found, userExt: (rows![0]?.ext as string | undefined) ?? '' }
}

const updatePlatform = (call: Call<{ userId: string; userType: number; userExt: string | null }>) =>
  withLockedUsers(call, call.input.userId, async ([one], inside) => {
    await inside.db.run(sql`
    insert into user_ext (tenant_id, user_id, user_type, ext)
    values (${inside.db.tenantId}, ${one!.id}, ${call.input.userType}, ${call.input.userExt ?? ''})
    on conflict (tenant_id, user_id, user_type) do update set ext = excluded.ext`)
    await inside.db.update(user, one!.id, { userType: call.input.userType })
  })

const BASE = user.path
const userIds = f.longText({ label: { zh: '用户', en: 'Users' }, max: 22_000 })
const password = (zh: string, en: string) => f.text({ label: { zh, en }, required: true, max: 64 })
const colleagues = { signedIn: 'names of colleagues, for pickers' }

export const userRoutes: Route[] = [
  defineRoute({
    method: 'GET',
    path: `${BASE}/page`,
    title: title('用户列表', 'List users'),
    can: 'user',
    tx: false,
    handle: page,
  }),
  defineRoute({
    method: 'GET',
    path: `${BASE}/list`,
    title: title('用户列表', 'List users'),
    can: 'user',
    tx: false,
    handle: page,
  }),
  defineRoute({
    method: 'GET',
    path: `${BASE}/info`,
    title: title('个人信息', 'My profile'),
    can: { signedIn: 'oneself' },
    tx: false,
    allowedBeforePasswordChange: true,
    handle: own,
  }),
  defineRoute({
    method: 'GET',
    path: `${BASE}/platform-detail`,
    title: title('用户平台信息', 'User platform data'),
    can: 'user',
    tx: false,
    handle: platformDetail,
  }),
  defineRoute({
    method: 'GET',
    path: `${BASE}/user-list`,
    title: title('用户选择', 'User options'),
    can: colleagues,
    tx: false,
    handle: userList,
  }),
  defineRoute({
    method: 'GET',
    path: `${BASE}/search/worker`,
    title: title('搜索员工', 'Search staff'),
    can: colleagues,
    tx: false,
    input: { key: keywordField() },
    handle: searchWorker,
  }),
  defineRoute({
    method: 'POST',
    path: `${BASE}/update`,
    title: title('修改用户', 'Update user'),
    can: 'user_edit',
    comesTo: () => [`${BASE}/submit`],
    asks: (call) => submitOperationOf(userServer, call),
    handle: update,
  }),
  defineRoute({
    method: 'POST',
    path: `${BASE}/update-info`,
    title: title('修改个人信息', 'Update my profile'),
    can: { signedIn: 'oneself' },
    handle: updateInfo,
  }),
  defineRoute({
    method: 'POST',
    path: `${BASE}/update-platform`,
    title: title('用户平台配置', 'Set user platform'),
    can: 'user_edit',
    input: {
      userId: f.ref('user', { label: user.label, required: true }),
      userType: f.number({ label: user.fields.userType.label, required: true, min: 1, max: 3 }),
      userExt: f.longText({ label: { zh: '扩展信息', en: 'Extension' }, max: 20_000 }),
    },
    handle: updatePlatform,
  }),
  defineRoute({
    method: 'POST',
    path: `${BASE}/grant`,
    title: title('用户角色配置', 'Assign roles'),
    can: 'user_role',
    input: { userIds, roleIds: f.refs('role', { label: user.fields.roleId.label }) },
    handle: grant,
  }),
  defineRoute({
    method: 'POST',
    path: `${BASE}/reset-password`,
    title: title('重置密码', 'Reset password'),
    can: 'user_reset',
    input: { userIds },
    handle: resetPassword,
  }),
  defineRoute({
    method: 'POST',
    path: `${BASE}/unlock`,
    title: title('解封账号', 'Unlock account'),
    can: ['user_unlock', 'user_reset'],
    input: { userIds },
    handle: unlockUsers,
  }),
  defineRoute({
    method: 'GET',
    path: `${BASE}/password-rules`,
    title: title('密码规则', 'Password rules'),
    can: { signedIn: 'shown where one chooses a password' },
    tx: false,
    allowedBeforePasswordChange: true,
    handle: ({ services }) => loadPasswordRules(services),
  }),
  defineRoute({
    method: 'POST',
    path: `${BASE}/update-password`,
    title: title('修改密码', 'Change password'),
    can: { signedIn: 'oneself' },
    perMinute: 20,
    allowedBeforePasswordChange: true,
    input: {
      oldPassword: password('原密码', 'Old password'),
      newPassword: password('新密码', 'New password'),
      newPassword1: password('确认密码', 'Confirm password'),
      newPlain: f.text({ label: { zh: '新密码', en: 'New password' }, max: 64, secret: true }),
    },
    handle: updatePassword,
  }),
]
