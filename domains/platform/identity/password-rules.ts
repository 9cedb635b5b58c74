import { defineRefusals, Refused, type CodesOf } from '#kit/server/base/refused.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { md5Hex, verifyPassword } from '#kit/server/security/index.ts'
import type { Services } from '#kit/server/module/services.ts'
import { parseShanghaiTime } from '#kit/server/base/time.ts'
import { newId } from '#kit/server/database/snowflake.ts'
import { paramNumber } from '#domains/platform/system/api.ts'
import { guessablePasswordReason } from './guessable.ts'
import {
  PASSWORD_VALIDITY_DAYS_PARAM,
  PASSWORD_HISTORY_PARAM,
  PASSWORD_CHARACTER_KINDS_PARAM,
  PASSWORD_LENGTH_MIN_PARAM,
} from './params.ts'

const refusals = defineRefusals({
  password_blank: { zh: '密码不能全是空格', en: 'The password cannot be blank' },
  password_short: { zh: '密码至少 {length} 位', en: 'The password must have at least {length} characters' },
  password_simple: {
    zh: '密码要含大写字母、小写字母、数字、符号中的至少 {kinds} 种',
    en: 'The password must contain at least {kinds} of: uppercase, lowercase, digits, symbols',
  },
  password_is_account: {
    zh: '密码不能与账号相同，也不能只是账号加数字或符号',
    en: 'The password cannot be the account, nor the account with digits or symbols added',
  },
  password_common: { zh: '这个密码太常见，请换一个', en: 'This password is too common. Choose another.' },
  password_known: {
    zh: '不能使用现在的密码或最近 {count} 次用过的密码',
    en: 'You cannot use the current password or any of the last {count}',
  },
  password_unseen: {
    zh: '系统设有密码规则，这个客户端发来的密码无法检查，请在后台网页的个人信息中修改',
    en:
      'Password rules apply and this client sends passwords that cannot be checked. Change it under ' +
      'your profile in the web back office.',
  },
})

declare module '#kit/server/base/refused.ts' {
  // oxlint-disable-next-line typescript/consistent-type-definitions
  interface Refusals extends CodesOf<typeof refusals> {}
}

const KINDS = [/[A-Z]/, /[a-z]/, /[0-9]/, /[^A-Za-z0-9]/]

/** Returns the current password rules, for people who choose one. */
export async function loadPasswordRules(
  services: Services,
): Promise<{ length: number; kinds: number; history: number }> {
  const [length, kinds, history] = await Promise.all([
    paramNumber(services, PASSWORD_LENGTH_MIN_PARAM),
    paramNumber(services, PASSWORD_CHARACTER_KINDS_PARAM),
    paramNumber(services, PASSWORD_HISTORY_PARAM),
  ])
  return { length: length, kinds: kinds, history: history }
}

/** Refuses a password in plain text that breaks the rules, naming the input field. */
export async function requireStrongPassword(
  services: Services,
  plain: string,
  account: string,
  field: string,
): Promise<void> {
  if (!plain.trim()) throw new Refused('password_blank', {}, { field })
  const { length, kinds } = await loadPasswordRules(services)
  if ([...plain].length < length) throw new Refused('password_short', { length }, { field })
  if (KINDS.filter((kind) => kind.test(plain)).length < kinds)
    throw new Refused('password_simple', { kinds }, { field })
  refuseGuessable(services, md5Hex(plain), account, field)
  refuseGuessable(services, md5Hex(plain.toLowerCase()), account, field)
}

const REASONS = { account: 'password_is_account', common: 'password_common' } as const

function refuseGuessable(services: Services, md5: string, account: string, field: string): void {
  const found = guessablePasswordReason(md5, account, services.now())
  if (found) throw new Refused(REASONS[found], {}, { field })
}

/**
 * Refuses a password, sent as md5, that breaks the rules. Our client also sends it in plain text so that it can be
 * checked. An md5 alone, from other clients, is only compared with common passwords, and refused when the rules are
 * stricter than the product's defaults, as it cannot be checked.
 */
export async function requireStrongHashedPassword(
  services: Services,
  { md5, plain, account }: { md5: string; plain: string | null; account: string },
): Promise<void> {
  if (plain !== null && md5Hex(plain) === md5) return requireStrongPassword(services, plain, account, 'newPassword')
  const { length, kinds } = await loadPasswordRules(services)
  if (length > Number(PASSWORD_LENGTH_MIN_PARAM.value) || kinds > Number(PASSWORD_CHARACTER_KINDS_PARAM.value))
    throw new Refused('password_unseen', {}, { field: 'newPassword' })
  refuseGuessable(services, md5, account, 'newPassword')
}

const DAY_MS = 86_400_000

/** Whether a password set at `since` is older than the rules allow. */
export async function isPasswordExpired(services: Services, since: string): Promise<boolean> {
  const days = await paramNumber(services, PASSWORD_VALIDITY_DAYS_PARAM)
  return days > 0 && parseShanghaiTime(since).getTime() < services.now().getTime() - days * DAY_MS
}

const KEPT_MAX = 10

/** Refuses the current password and as many earlier ones as the rules say. */
export async function requireUnusedPassword(
  db: Db,
  services: Services,
  userId: string,
  md5: string,
  present: string | null,
): Promise<void> {
  const { history } = await loadPasswordRules(services)
  const rows = history
    ? await db.query<{ hash: string }>(
        sql`select hash from user_password where tenant_id = ${db.tenantId} and user_id = ${userId} order by id desc
          limit ${history}`,
      )
    : []
  for (const hash of [present, ...rows.map((row) => row.hash)])
    if (hash && (await verifyPassword(md5, hash)))
      throw new Refused('password_known', { count: Math.max(1, history) }, { field: 'newPassword' })
}

/** Stores the users' current passwords as former ones, before they are changed. */
export async function archiveCurrentPasswords(db: Db, userIds: readonly string[]): Promise<void> {
  const ids = userIds as string[]
  await db.run(sql`
    insert into user_password (id, tenant_id, user_id, hash) select x.new_id, u.tenant_id, u.id, u.password
    from unnest(${ids}::bigint[], ${ids.map(() => newId())}::bigint[]) as x(user_id, new_id)
    join sys_user u on u.id = x.user_id
    where u.tenant_id = ${db.tenantId} and u.is_deleted = 0 and u.password is not null`)
  await db.run(sql`
    delete from user_password p using (select id, row_number() over (partition by user_id order by id desc) as n
    from user_password where tenant_id = ${db.tenantId} and user_id = any(${ids}::bigint[])) old
    where p.id = old.id and p.tenant_id = ${db.tenantId} and old.n > ${KEPT_MAX}`)
}
