import { formatYuan } from '#kit/fields/money/cents.ts'
import { allRoleIds } from '#kit/server/base/caller.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { serve, type Call } from '#kit/server/module/module.ts'
import { findRefundApprovalLimit, DEFAULT_REFUND_LIMIT_CENTS } from './refund-approval.ts'
import { refundLimit } from './refund-limit.resource.ts'

type Limit = { roleId?: string | null; amount?: number | null }

/** Refuses callers who change the limit of a role of their own, or any limit above theirs. */
async function requireAbove({ caller, db }: Call, rows: readonly (Limit | undefined)[]): Promise<void> {
  const most = await findRefundApprovalLimit(db, caller)
  if (most === Number.POSITIVE_INFINITY) return
  if (rows.some((row) => row?.roleId && allRoleIds(caller).includes(row.roleId))) throw new Refused('refund_limit_own')
  if (rows.some((row) => (row?.amount ?? 0) > most)) throw new Refused('refund_over_limit', { limit: formatYuan(most) })
}

/** The limit of a role without a row, checked when one is removed. */
const without = ({ roleId }: Limit): Limit => ({ roleId, amount: DEFAULT_REFUND_LIMIT_CENTS })

export const refundLimitServer = serve(refundLimit, {
  beforeSave: (draft, was, call) => {
    const after = { ...was, ...draft }
    return requireAbove(call, [was, after, ...(was && was.roleId !== after.roleId ? [without(was)] : [])])
  },
  beforeRemove: (rows, call) => requireAbove(call, [...rows, ...rows.map(without)]),
})
