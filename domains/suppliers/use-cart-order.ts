import { useMemo, useState } from 'react'
import { centsOf } from '#kit/fields/money/cents.ts'
import type { Words } from '#kit/resource/words.ts'
import { useUnsaved } from '#kit/web/form/unsaved.ts'
import { useSay } from '#kit/web/language.tsx'
import { useTab } from '#kit/web/tab.ts'
import type { Reason } from './suggest.ts'
import { words } from './supplier-cart-words.ts'
import { supplierCart } from './supplier-cart.resource.ts'

export type Goods = {
  supplierGoodsId: string
  supplierId: string
  supplierName: string
  goodId: string
  upc: string
  name: string
  spec: string
  unit: string
  picture: string
  price: string
  minAmount: string
  freight: string
  available: number | ''
  boxQty: number
  minOrder: number
  stock: number
  onOrder: number
  inCart: number
  otherOffers: number
  quantity: number
  perDay: number
  lastsDays: number | ''
  reasons: Reason[]
}
type Look = 'needed' | 'all' | 'chosen'

export const countId = (goods: Goods) => `count-${goods.supplierGoodsId}`

/** Why a quantity cannot be ordered, as the server would say it. */
export function wrongOf(
  { minOrder, boxQty, available, unit }: Goods,
  count: number,
): { words: Words; values: Record<string, unknown> } | undefined {
  if (!count) return undefined
  if (available !== '' && count > available) return { words: words.notEnough, values: { stock: available, unit } }
  if (count < minOrder) return { words: words.tooFew, values: { min: minOrder, unit } }
  return count % boxQty ? { words: words.notBoxes, values: { box: boxQty, unit } } : undefined
}

export type CartOrder = ReturnType<typeof useCartOrder>

/** Quantities of one shop while they are typed, and the orders they make, one to each supplier. */
export function useCartOrder(goods: Goods[]) {
  const say = useSay()
  const [look, setLook] = useState<Look>('needed')
  const [typed, setTyped] = useState<Record<string, number>>({})
  // What stands in the cart goes before what is suggested, what was typed before both.
  const countOf = (one: Goods) => typed[one.supplierGoodsId] ?? (one.inCart || one.quantity)
  const chosen = goods.filter((one) => countOf(one) > 0)
  const shown = goods.filter(
    (one) =>
      look === 'all' ||
      (look === 'chosen'
        ? countOf(one) > 0
        : one.quantity > 0 || one.inCart > 0 || typed[one.supplierGoodsId] !== undefined),
  )
  const groups = useMemo(() => [...Map.groupBy(shown, (one) => one.supplierId).values()], [shown])
  const wrong = chosen.filter((one) => wrongOf(one, countOf(one)))
  const sumOf = (lines: Goods[]) => lines.reduce((sum, one) => sum + countOf(one) * centsOf(one.price), 0)
  const orders = [...Map.groupBy(chosen, (one) => one.supplierId).values()].map((lines) => ({
    ...lines[0]!,
    kinds: lines.length,
    sum: sumOf(lines),
  }))

  const { key: tab } = useTab()
  useUnsaved(Object.keys(typed).length > 0, say(supplierCart.label), tab)
  return {
    look,
    setLook,
    chosen,
    groups,
    wrong,
    orders,
    countOf,
    sumOf,
    setCount: (one: Goods, count: number) => setTyped({ ...typed, [one.supplierGoodsId]: count }),
    forgetTyped: () => setTyped({}),
    /** Every line that shall be, or no longer be, in the cart. */
    lines: goods
      .filter((one) => countOf(one) > 0 || one.inCart > 0)
      .map((one) => ({ supplierGoodsId: one.supplierGoodsId, quantity: countOf(one) })),
    showFirstWrong: () => {
      setLook('chosen')
      setTimeout(() => document.getElementById(countId(wrong[0]!))?.focus())
    },
  }
}
