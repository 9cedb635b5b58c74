import { formatYuan } from '#kit/fields/money/cents.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { newId } from '#kit/server/database/snowflake.ts'
import { tableNameSql } from '#kit/server/database/row-sql.ts'
import { raw, sql, type Db } from '#kit/server/database/db.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import type { Resource } from '#kit/resource/index.ts'
import type { Call } from '#kit/server/module/module.ts'
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
  /** Input field the refusal is shown at when the account would go below zero. */
  field?: string
}

/** An open account of a customer, locked: balance in cents, and points. */
export type LockedCustomer = { id: string; balance: number; integral: number }

/** Most points an account is given. It stays below the column's limit, so that a refund can always give points back. */
export const POINTS_BALANCE_MAX = 2_000_000_000

const ledgers = { balance: balanceLog, integral: integralLog }

/**
 * Locks and returns the open account of a customer: their own, or the one it was merged into. Throws `not_found`. Hold
 * this lock to book for the customer, or to write rows in their name that a merge must find. The merged accounts on the
 * way are not locked: two callers who start from different accounts would deadlock.
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
 * Makes the hook `beforeLock` of a resource whose actions also change the customer: locks the customer before the row,
 * in the order purchases lock them. If a merge moves the row meanwhile, the account it is moved to is locked too.
 */
export const lockCustomerOfRow =
  (resource: Resource<any, any>) =>
  async (id: string, { db }: Pick<Call, 'db'>): Promise<void> => {
    const row = await db.one<{ wxUserId: string | null }>(
      sql`select wx_user_id from ${tableNameSql(resource)} where id = ${id} and tenant_id = ${db.tenantId}`,
    )
    if (row?.wxUserId) await lockCustomer(db, row.wxUserId)
  }

/** Returns the id of the open account of a customer without locking it; undefined when there is no such customer. */
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

export const insufficientBalanceRefusal = (balance: number, details: { field?: string } = {}): Refused =>
  new Refused('balance_short', { balance: formatYuan(balance) }, details)

/** Changes an account and writes its log row; refuses to go below zero. Callers on one customer wait for each other. */
export async function changeCustomerAccount(
  db: Db,
  account: CustomerAccountKind,
  ask: AccountChange,
): Promise<{ wxUserId: string; before: number; after: number }> {
  const holder = await lockCustomer(db, ask.wxUserId)
  const before = holder[account]
  const after = before + ask.change
  const details = ask.field ? { field: ask.field } : {}
  if (after < 0)
    throw account === 'balance'
      ? insufficientBalanceRefusal(before, details)
      : new Refused('integral_short', { integral: before }, details)
  if (account === 'integral' && ask.change > 0 && ask.type !== 'refund' && after > POINTS_BALANCE_MAX)
    throw new Refused('integral_full', { held: before, max: POINTS_BALANCE_MAX }, details)
  db.waitUntil(
    db.run(
      sql`update wx_user set ${raw(`"${account}"`)} = ${after}, update_time = now() where id = ${holder.id}
        and tenant_id = ${db.tenantId}`,
    ),
  )
  writeCustomerAccountLog(db, account, { ...ask, wxUserId: holder.id }, before)
  return { wxUserId: holder.id, before, after }
}

/** Writes the log row of a change, without changing the account. The caller holds the customer's lock. */
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
