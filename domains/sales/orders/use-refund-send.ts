import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { formatYuan } from '#kit/fields/money/cents.ts'
import { createIdempotencyKey } from '#kit/web/form/new-key.ts'
import { ApiError, apiPost } from '#kit/web/http/http.ts'
import { useLocalize } from '#kit/web/base/language.tsx'
import { useHasPermission } from '#kit/web/session/can.ts'
import { words } from './refund-dialog-words.ts'
import { refunds } from './refunds.resource.ts'
import type { RefundChoiceState } from './use-refund-choice.ts'

export type RefundSending = ReturnType<typeof useRefundSend>

/** Sends a refund once: further clicks while it is sent do nothing, and a repetition has the same key. */
export function useRefundSend({ onMade, onStale }: { onMade: (id: string) => void; onStale: () => void }) {
  const t = useLocalize()
  const client = useQueryClient()
  const isNow = useHasPermission('refunds_approve')
  const [isSending, setSending] = useState(false)
  const [problem, setProblem] = useState<string>()
  // One for one opened dialog: sent twenty times, it is the same refund.
  const key = useRef<string>(undefined)
  const isInFlight = useRef(false)
  const send = async (orderId: string, choice: RefundChoiceState) => {
    if (isInFlight.current) return
    isInFlight.current = true
    setSending(true)
    setProblem(undefined)
    key.current ??= createIdempotencyKey()
    try {
      const { id } = await apiPost<{ id: string }>(
        `${refunds.path}/${isNow ? 'now' : 'submit'}`,
        { body: { orderId, ...bodyOf(choice), requestKey: key.current } },
        { quiet: true },
      )
      void client.invalidateQueries({ queryKey: ['whole-order', orderId] })
      onMade(id)
    } catch (failure) {
      const isUnclear = failure instanceof ApiError && (failure.status === 0 || failure.status >= 500)
      setProblem(isUnclear ? t(words.unclear) : (failure as Error).message)
      if (!isUnclear) onStale()
    } finally {
      isInFlight.current = false
      setSending(false)
    }
  }
  return { isSending, problem, setProblem, send }
}

const bodyOf = ({ isAll, picked, reason, restock, pictures }: RefundChoiceState) => ({
  ...(isAll
    ? { full: true }
    : {
        lines: picked.map(({ line, pieces, cents }) => ({
          detailId: line.id,
          quantity: pieces,
          amount: formatYuan(cents),
        })),
      }),
  reason: reason.trim(),
  restock,
  ...(pictures.length ? { pictures: pictures.join(',') } : {}),
})
