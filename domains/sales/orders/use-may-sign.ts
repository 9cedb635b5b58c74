import { wireYuanToCents } from '#kit/fields/money/cents.ts'
import { useQuery } from '@tanstack/react-query'
import { callApi } from '#kit/web/http/call.ts'
import { useHasPermission } from '#kit/web/session/can.ts'
import { REFUND_STATE } from './dictionaries.ts'
import { refundsLimitCall } from './refunds.calls.ts'

type RefundToApprove = { status?: unknown; amount?: unknown; auditUser?: unknown; createUser?: unknown }

/** Tells which refunds the user may approve (own limit, second person), by the same rules as the server. */
export function useRefundApproval() {
  const mayApprove = useHasPermission('refunds_approve')
  const { data: rules } = useQuery({
    queryKey: ['refund-limit'],
    queryFn: ({ signal }) => callApi(refundsLimitCall, {}, { quiet: true, signal }),
    enabled: mayApprove,
    staleTime: 60_000,
  })
  const isWithin = (cents: number) => !rules?.limit || cents <= wireYuanToCents(rules.limit)
  return {
    rules,
    isWithin,
    /** Whether refunds of one order that add up to `cents` need a second person. */
    needsSecond: (cents: number) => !!rules && cents > wireYuanToCents(rules.secondAbove),
    /**
     * Why the reader cannot sign a refund that waits: above their limit, or somebody else has to; undefined when they
     * can.
     */
    hindrance: (refund: RefundToApprove): 'limit' | 'other' | undefined => {
      if (!mayApprove || !rules || Number(refund.status) !== REFUND_STATE.applied) return undefined
      if (!isWithin(wireYuanToCents(String(refund.amount)))) return 'limit'
      return refund.auditUser && [refund.auditUser, refund.createUser].map(String).includes(rules.userId)
        ? 'other'
        : undefined
    },
  }
}
