import { useState } from 'react'
import { wireYuanToCents } from '#kit/fields/money/cents.ts'
import { pickRefundLine } from './refund-preview.ts'
import { isRestockableRefundReason } from './refund-reasons.ts'
import type { WholeOrderLine, WholeOrder } from './use-whole-order.ts'

/** Id of the checkbox for all lines; it gets the focus when no line was chosen. */
export const ALL_LINES_CHECKBOX_ID = 'refund-all'

export type RefundChoiceState = ReturnType<typeof useRefundChoice>

/** State of the refund form: the chosen lines, their worth, and whether the form is complete. */
export function useRefundChoice({ lines: all, refundableAmount }: WholeOrder) {
  const lines = all.filter((line) => line.refundableQuantity > 0)
  const [chosen, setChosen] = useState<Record<string, number>>(() =>
    lines.length === 1 ? { [lines[0]!.id]: lines[0]!.refundableQuantity } : {},
  )
  // What was typed instead of the amount the pieces are worth.
  const [typed, setTyped] = useState<Record<string, string>>({})
  const [pictures, setPictures] = useState<string[]>([])
  const [reason, setReason] = useState('')
  // Undefined until the user touches the switch; until then the reason decides.
  const [chosenRestock, setChosenRestock] = useState<boolean>()
  const restock = chosenRestock ?? isRestockableRefundReason(reason)
  const [isChecked, setChecked] = useState(false)

  const picked = lines.flatMap((line) => {
    const pick = { line, ...pickRefundLine(line, chosen[line.id] ?? 0, typed[line.id]) }
    return pick.pieces > 0 ? [pick] : []
  })
  const isNothing = !picked.length
  const bad = picked.find((one) => one.isBad)
  const isReasonMissing = !reason.trim()
  return {
    lines,
    picked,
    ...sumsOf(picked, lines.length, refundableAmount),
    chosen,
    typed,
    reason,
    restock,
    isRestockSaid: chosenRestock !== undefined,
    // Problems are shown only after the first attempt to continue.
    isNothing: isChecked && isNothing,
    isReasonMissing: isChecked && isReasonMissing,
    pictures,
    setPictures,
    setRestock: setChosenRestock,
    setReason,
    chooseAll: (isChosen: boolean) =>
      setChosen(isChosen ? Object.fromEntries(lines.map((line) => [line.id, line.refundableQuantity])) : {}),
    setPieces: (id: string, pieces: number) => {
      setChosen((before) => ({ ...before, [id]: pieces }))
      // The typed amount was for other pieces.
      setTyped(({ [id]: _gone, ...rest }) => rest)
    },
    setAmount: (id: string, text: string) => setTyped((before) => ({ ...before, [id]: text })),
    /** Whether the form is complete; otherwise moves the focus to the first problem. */
    isComplete: (): boolean => {
      setChecked(true)
      const place = isNothing
        ? ALL_LINES_CHECKBOX_ID
        : bad
          ? `refund-amount-${bad.line.id}`
          : isReasonMissing
            ? 'refund-reason'
            : undefined
      if (place) document.getElementById(place)?.focus()
      return !place
    },
  }
}

type Picked = ReturnType<typeof pickRefundLine> & { line: WholeOrderLine }

function sumsOf(picked: Picked[], lines: number, refundableAmount: string) {
  const isAll =
    picked.length === lines &&
    picked.every(({ line, pieces, cents, worth }) => pieces === line.refundableQuantity && cents === worth)
  const goods = picked.reduce((sum, one) => sum + one.cents, 0)
  // Freight goes back only with everything.
  const total = isAll ? wireYuanToCents(refundableAmount) : goods
  return { isAll, total, freight: total - goods }
}
