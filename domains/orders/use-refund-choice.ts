import { useState } from 'react'
import { centsOf } from '#kit/fields/money/cents.ts'
import { pickOf } from './refund-preview.ts'
import { restocksFor } from './refund-reasons.ts'
import type { OrderLine, WholeOrder } from './use-whole-order.ts'

export type RefundChoice = ReturnType<typeof useRefundChoice>

/** What of an order somebody wants back, what that is worth, and whether it is all that must be said. */
export function useRefundChoice({ lines: all, refundableAmount }: WholeOrder) {
  const lines = all.filter((line) => line.refundableQuantity > 0)
  const [chosen, setChosen] = useState<Record<string, number>>(() =>
    lines.length === 1 ? { [lines[0]!.id]: lines[0]!.refundableQuantity } : {},
  )
  // What was typed instead of the amount the pieces are worth.
  const [typed, setTyped] = useState<Record<string, string>>({})
  const [pictures, setPictures] = useState<string[]>([])
  const [reason, setReason] = useState('')
  // The reason decides until somebody has touched the switch.
  const [said, setSaid] = useState<boolean>()
  const restock = said ?? restocksFor(reason)
  const [isReasonMissing, setReasonMissing] = useState(false)

  const picked = lines.flatMap((line) => {
    const pick = { line, ...pickOf(line, chosen[line.id] ?? 0, typed[line.id]) }
    return pick.pieces > 0 ? [pick] : []
  })
  return {
    lines,
    picked,
    ...sumsOf(picked, lines.length, refundableAmount),
    chosen,
    typed,
    reason,
    restock,
    isRestockSaid: said !== undefined,
    isReasonMissing,
    pictures,
    setPictures,
    setRestock: setSaid,
    setReason: (text: string) => {
      setReason(text)
      setReasonMissing(false)
    },
    chooseAll: (isAsked: boolean) =>
      setChosen(isAsked ? Object.fromEntries(lines.map((line) => [line.id, line.refundableQuantity])) : {}),
    setPieces: (id: string, pieces: number) => {
      setChosen((before) => ({ ...before, [id]: pieces }))
      // The typed amount was for other pieces.
      setTyped(({ [id]: _gone, ...rest }) => rest)
    },
    setAmount: (id: string, text: string) => setTyped((before) => ({ ...before, [id]: text })),
    /** Whether it can be sent; leads to the first place that hinders. */
    isComplete: (): boolean => {
      if (!picked.length) return false
      const bad = picked.find((one) => one.isBad)
      if (bad) {
        document.getElementById(`refund-amount-${bad.line.id}`)?.focus()
        return false
      }
      const isMissing = !reason.trim()
      setReasonMissing(isMissing)
      if (isMissing) document.getElementById('refund-reason')?.focus()
      return !isMissing
    },
  }
}

type Picked = ReturnType<typeof pickOf> & { line: OrderLine }

function sumsOf(picked: Picked[], lines: number, refundableAmount: string) {
  const isAll =
    picked.length === lines &&
    picked.every(({ line, pieces, cents, worth }) => pieces === line.refundableQuantity && cents === worth)
  const goods = picked.reduce((sum, one) => sum + one.cents, 0)
  // Freight goes back only with everything.
  const total = isAll ? centsOf(refundableAmount) : goods
  return { isAll, total, freight: total - goods }
}
