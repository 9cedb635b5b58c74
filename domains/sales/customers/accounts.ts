import { formatYuan } from '#kit/fields/money/cents.ts'
import { Refused } from '#kit/server/refused.ts'
import { newId } from '#kit/server/database/snowflake.ts'
import { tableNameSql } from '#kit/server/database/rows.ts'
import { raw, sql, type Db } from '#kit/server/database/db.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import type { Resource } from '#kit/resource/index.ts'
import type { Call } from '#kit/server/module.ts'
import { balanceLog, integralLog } from './account-log.resource.ts'
import type { CustomerAccountChangeSource, CustomerAccountChangeType } from './account-dictionaries.ts'
import { wxUser } from './wx-user.resource.ts'

/** A customer's accounts: money in cents, points in whole numbers. Each equals the sum of its log, always. */
export type CustomerAccountKind = 'balance' | 'integral'

export type AccountChange = {
  wxUserId: string
  /** Signed; negative takes away. */
  change: number
  type: CustomerAccountChangeType
  refType: CustomerAccountChangeSource
  refId: string
  shopId?: string | null
  remark?: string
  /** Input that asked for it, where a refusal is said. */
  field?: string
}

/** A customer's row as accounts see it, locked; a merged one has handed everything on. */
export type LockedCustomer = { id: string; balance: number; integral: number }

/** More points than this an account is not given; those that come back with a refund find room above it. */
export const POINTS_BALANCE_MAX = 2_000_000_000

const ledgers = { balance: balanceLog, integral: integralLog }

/**
 * Locks the account that stands for a customer today: their own, or the one it was merged into. Whoever books for
 * them, or writes rows in their name that a merge must find, holds this lock. What was merged is not locked on the way:
 * who comes by the old name and who comes by the new one would wait for each other.
 */
export async function lockCustomer(db: Db, wxUserId: string): Promise<LockedCustomer> {
  for (let id: string | undefined = wxUserId; id; id = await resolveMergedCustomerId(db, id)) {
    const holder: LockedCustomer | undefined = await db.one(
      sql`select id, coalesce(balance, 0) as balance, coalesce(integral, 0) as integral
        from wx_user where id = ${id} and tenant_id = ${db.tenantId} and merged_into is null for no key update`,
    )
    if (holder) return holder
  }
  throw new Refused('not_found', { label: wxUser.label })
}

/**
 * The hook `beforeLock` of a family of a customer's rows whose acts go on to the customer: the customer first, as
 * whoever buys does, then the row. A row that a merge moves meanwhile is moved to an account that is locked here too.
 */
export const lockCustomerOfRow =
  (resource: Resource<any, any>) =>
  async (id: string, { db }: Pick<Call, 'db'>): Promise<void> => {
    const row = await db.one<{ wxUserId: string | null }>(
      sql`select wx_user_id from ${tableNameSql(resource)} where id = ${id} and tenant_id = ${db.tenantId}`,
    )
    if (row?.wxUserId) await lockCustomer(db, row.wxUserId)
  }

/** The account that stands for a customer today, without a lock; undefined when there is no such customer. */
export async function resolveMergedCustomerId(db: Db, wxUserId: string): Promise<string | undefined> {
  const row = await db.one<{ id: string }>(sql`
    with recursive chain as (
      select id, merged_into from wx_user where id = ${wxUserId} and tenant_id = ${db.tenantId}
      union select w.id, w.merged_into from chain c join wx_user w on w.id = c.merged_into
      and w.tenant_id = ${db.tenantId}
    )
    select id from chain where merged_into is null`)
  return row?.id
}

export const insufficientBalanceRefusal = (balance: number, said: { field?: string } = {}): Refused =>
  new Refused('balance_short', { balance: formatYuan(balance) }, said)

/** Changes an account and writes its log row; refuses to go below zero. Callers on one customer wait for each other. */
export async function changeAccount(
  db: Db,
  account: CustomerAccountKind,
  ask: AccountChange,
): Promise<{ wxUserId: string; before: number; after: number }> {
  const holder = await lockCustomer(db, ask.wxUserId)
  const before = holder[account]
  const after = before + ask.change
  const said = ask.field ? { field: ask.field } : {}
  if (after < 0)
    throw account === 'balance'
      ? insufficientBalanceRefusal(before, said)
      : new Refused('integral_short', { integral: before }, said)
  if (account === 'integral' && ask.change > 0 && ask.type !== 'refund' && after > POINTS_BALANCE_MAX)
    throw new Refused('integral_full', { held: before, max: POINTS_BALANCE_MAX }, said)
  db.waitUntil(
    db.run(
      sql`update wx_user set ${raw(`"${account}"`)} = ${after}, update_time = now() where id = ${holder.id}
        and tenant_id = ${db.tenantId}`,
    ),
  )
  writeCustomerAccountLog(db, account, { ...ask, wxUserId: holder.id }, before)
  return { wxUserId: holder.id, before, after }
}

/** The row of a change in the account's log, for an account that is locked. */
export function writeCustomerAccountLog(
  db: Db,
  account: CustomerAccountKind,
  ask: AccountChange,
  before: number,
): void {
  const id = newId()
  db.waitUntil(
    db.run(sql`insert into ${raw(`${account}_log`)} (id, tenant_id, shop_id, wx_user_id, type, change, before,
      after, ref_type, ref_id, remark, create_user, create_time)
      values (${id}, ${db.tenantId}, ${ask.shopId ?? null}, ${ask.wxUserId}, ${ask.type}, ${ask.change}, ${before},
      ${before + ask.change}, ${ask.refType}, ${ask.refId}, ${ask.remark ?? null}, ${db.userId}, ${db.timestampSql})`),
  )
  publishRowsChanged({ db }, ledgers[account], [{ id, shopId: ask.shopId ?? null }])
}
