import { Refused } from '#kit/server/refused.ts'
import { defineTable } from '#kit/server/schema.ts'
import { newId } from '#kit/server/snowflake.ts'
import { raw, sql, type Db } from '#kit/server/db.ts'
import { formatDecimal } from '#kit/fields/field-kind.ts'

/** A customer's accounts: money in cents, points in whole numbers. Each equals the sum of its log, always. */
export type Account = 'balance' | 'integral'

export type AccountChange = {
  wxUserId: string
  /** Signed; negative takes away. */
  change: number
  type: 'recharge' | 'gift' | 'consume' | 'refund' | 'adjust'
  refType: string
  refId: string
  shopId?: string | null
  remark?: string
}

const logColumns = (amount: string) => ({
  id: 'bigint not null',
  tenant_id: 'text not null',
  shop_id: 'bigint',
  wx_user_id: 'bigint not null',
  type: 'text not null',
  change: `${amount} not null`,
  before: `${amount} not null`,
  after: `${amount} not null`,
  ref_type: 'text',
  ref_id: 'bigint',
  remark: 'text',
  create_user: 'bigint',
  create_dept: 'bigint',
  create_time: 'timestamptz(3) not null default now()',
  update_user: 'bigint',
  update_time: 'timestamptz(3) not null default now()',
  version: 'integer not null default 0',
})

const logTable = (account: Account, amount: string) =>
  defineTable({
    name: `${account}_log`,
    tenancy: 'tenant',
    appendOnly: true,
    busy: true,
    columns: logColumns(amount),
    indexes: {
      [`${account}_log_by_wx_user_id`]: '(tenant_id, wx_user_id, id desc)',
      [`${account}_log_by_ref_id`]: '(tenant_id, ref_id)',
    },
  })

/** The append-only ledgers behind `wxUser.balance` and `wxUser.integral`. */
export const accountTables = [logTable('balance', 'bigint'), logTable('integral', 'integer')]

/** Changes an account and writes its log row; refuses to go below zero. Callers on one customer wait for each other. */
export async function changeAccount(
  db: Db,
  account: Account,
  ask: AccountChange,
): Promise<{ before: number; after: number }> {
  const column = raw(`"${account}"`)
  const row = await db.one<{ held: number }>(
    sql`select coalesce(${column}, 0)::float8 as held from wx_user where id = ${ask.wxUserId} and tenant_id = ${db.tenantId} for update`,
  )
  if (!row) throw new Refused('not_found', { label: { zh: '顾客', en: 'Customer' } })
  const after = row.held + ask.change
  if (after < 0)
    throw account === 'balance'
      ? new Refused('balance_short', { balance: formatDecimal(row.held, 2) })
      : new Refused('integral_short', { integral: row.held })
  await db.run(
    sql`update wx_user set ${column} = ${after}, update_time = now() where id = ${ask.wxUserId} and tenant_id = ${db.tenantId}`,
  )
  await db.run(sql`insert into ${raw(`${account}_log`)} (id, tenant_id, shop_id, wx_user_id, type, change, before, after, ref_type, ref_id, remark, create_user)
    values (${newId()}, ${db.tenantId}, ${ask.shopId ?? null}, ${ask.wxUserId}, ${ask.type}, ${ask.change}, ${row.held}, ${after}, ${ask.refType}, ${ask.refId}, ${ask.remark ?? null}, ${db.userId})`)
  return { before: row.held, after }
}
