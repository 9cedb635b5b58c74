import { yuan } from '#kit/fields/money/cents.ts'
import { rolesHeld } from '#kit/server/caller.ts'
import { Refused } from '#kit/server/refused.ts'
import { serve, type Call } from '#kit/server/room.ts'
import { auditLimit } from './refund-audit.ts'
import { refundLimit } from './refund-limit.resource.ts'

type Limit = { roleId?: string | null; amount?: number | null }

/** Who has a limit cannot move it: not of a role of their own, and nobody's above theirs. */
async function requireAbove({ caller, db }: Call, rows: readonly (Limit | undefined)[]): Promise<void> {
  const most = await auditLimit(db, caller)
  if (most === Number.POSITIVE_INFINITY) return
  if (rows.some((row) => row?.roleId && rolesHeld(caller).includes(row.roleId))) throw new Refused('refund_limit_own')
  if (rows.some((row) => (row?.amount ?? 0) > most)) throw new Refused('refund_over_limit', { limit: yuan(most) })
}

export const refundLimitServer = serve(refundLimit, {
  beforeSave: (draft, was, call) => requireAbove(call, [was, { ...was, ...draft }]),
  beforeRemove: (rows, call) => requireAbove(call, rows),
})
