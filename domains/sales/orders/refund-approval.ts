import { formatYuan } from '#kit/fields/money/cents.ts'
import { allRoleIds, type Caller } from '#kit/server/base/caller.ts'
import { sql, type Db, type Sql } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/base/refused.ts'
import type { Call } from '#kit/server/module/module.ts'
import { REFUND_STATE } from './dictionaries.ts'
import type { Refund } from './refund.ts'

/** Cents a role without its own limit may approve; the field's help says the same number. */
export const DEFAULT_REFUND_LIMIT_CENTS = 20_000

/** A person who approves, and the largest refund in cents they may approve. */
export type RefundApprover = { userId: string; limit: number; at: string }

const isUnlimited = (caller: Caller) => caller.isPlatform || caller.isAdmin

type Holder = Pick<Caller, 'roleIds' | 'heldRoleIds'>

/**
 * The limit of the roles a session was opened for, else of the person's others: leaving a role out does not lift its
 * limit.
 */
const limitOf = (holder: Holder, tenantId: Sql): Sql => {
  const most = (roleIds: readonly string[]) =>
    sql`select max(l.amount) from refund_limit l where l.tenant_id = ${tenantId}
      and l.role_id = any(${roleIds}::bigint[]) and l.is_deleted = 0`
  return sql`coalesce((${most(holder.roleIds)}), (${most(allRoleIds(holder))}), ${DEFAULT_REFUND_LIMIT_CENTS})`
}

/** The largest refund a caller may sign, in cents; Infinity for administrators. */
export async function findRefundApprovalLimit(db: Db, caller: Caller): Promise<number> {
  if (isUnlimited(caller)) return Number.POSITIVE_INFINITY
  const row = await db.one<{ most: number }>(sql`select ${limitOf(caller, sql`${db.tenantId}`)} as most`)
  return row!.most
}

/** Whether these roles may approve no larger refund than the caller. */
export async function canGrantRefundLimit(
  { caller, db }: Pick<Call, 'caller' | 'db'>,
  roleIds: readonly string[],
): Promise<boolean> {
  const theirs = await db.one<{ most: number }>(sql`select ${limitOf({ roleIds }, sql`${db.tenantId}`)} as most`)
  return theirs!.most <= (await findRefundApprovalLimit(db, caller))
}

/** Refunds, alias `r`, that wait for a signature the caller may give. */
export const awaitingRefundApprovalSql = (caller: Caller): Sql =>
  sql` and r.status = ${REFUND_STATE.applied} and (r.audit_user is null or (r.audit_user <> ${caller.userId}
    and r.create_user <> ${caller.userId}))${
      isUnlimited(caller) ? sql`` : sql` and r.amount <= ${limitOf(caller, sql`r.tenant_id`)}`
    }`

/**
 * Columns after one more approval of a waiting refund. Refuses an amount above the approver's limit, and a second
 * approval by the applicant or the first approver. The caller has locked the refund.
 */
export function refundSignaturePatch(
  refund: Pick<Refund, 'amount' | 'auditUser' | 'createUser' | 'signaturesNeeded'>,
  by: RefundApprover,
  remark: string | null,
): Partial<Refund> {
  if (refund.amount! > by.limit) throw new Refused('refund_over_limit', { limit: formatYuan(by.limit) })
  if (!refund.auditUser) {
    const isEnough = (refund.signaturesNeeded ?? 1) < 2
    return {
      status: isEnough ? REFUND_STATE.approved : REFUND_STATE.applied,
      auditUser: by.userId,
      auditTime: by.at,
      auditRemark: remark,
    }
  }
  if (by.userId === refund.auditUser || by.userId === refund.createUser) throw new Refused('refund_other_person')
  return { status: REFUND_STATE.approved, secondUser: by.userId, secondTime: by.at, secondRemark: remark }
}
