import { useMemo, useState } from 'react'
import { wireYuanToCents } from '#kit/fields/money/cents.ts'
import type { LocalizedText } from '#kit/base/localized-text.ts'
import { useReportUnsavedWork } from '#kit/web/base/unsaved.ts'
import { useLocalize } from '#kit/web/base/language.tsx'
import { useTab } from '#kit/web/base/tab.ts'
import type { ReorderReason } from './suggest.ts'
import { words } from './supplier-cart-words.ts'
import { supplierCart } from './supplier-cart.resource.ts'

export type SupplierCartGoods = {
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
  reasons: ReorderReason[]
}
type CartFilter = 'needed' | 'all' | 'chosen'

export const cartQuantityInputId = (goods: SupplierCartGoods) => `count-${goods.supplierGoodsId}`

/** Returns why a quantity cannot be ordered, in the words of the server; undefined if it can. */
export function findQuantityProblem(
  { minOrder, boxQty, available, unit }: SupplierCartGoods,
  count: number,
): { words: LocalizedText; values: Record<string, unknown> } | undefined {
  if (!count) return undefined
  if (available !== '' && count > available) return { words: words.notEnough, values: { stock: available, unit } }
  if (count < minOrder) return { words: words.tooFew, values: { min: minOrder, unit } }
  return count % boxQty ? { words: words.notBoxes, values: { box: boxQty, unit } } : undefined
}

/** One line of the request: the quantity, and the cart and order quantities the user saw. */
const lineOf = ({ supplierGoodsId, inCart, onOrder }: SupplierCartGoods, quantity: number) => ({
  supplierGoodsId,
  quantity,
  inCart,
  onOrder,
})

export type SupplierCartState = ReturnType<typeof useCartOrder>

/** Hook with the typed quantities of one shop and the orders they make, one for each supplier. */
export function useCartOrder(goods: SupplierCartGoods[]) {
  const t = useLocalize()
  const [look, setLook] = useState<CartFilter>('needed')
  const [typed, setTyped] = useState<Record<string, number>>({})
  const { isOrdered, ...suppliers } = useOrderedSuppliers()

  // A typed quantity takes precedence over the cart's, and that over the suggested one.
  const countOf = (one: SupplierCartGoods) => typed[one.supplierGoodsId] ?? (one.inCart || one.quantity)
  const isTyped = (one: SupplierCartGoods) => typed[one.supplierGoodsId] !== undefined
  const chosen = goods.filter((one) => countOf(one) > 0)
  const shown = goods.filter(
    (one) =>
      look === 'all' || (look === 'chosen' ? countOf(one) > 0 : one.quantity > 0 || one.inCart > 0 || isTyped(one)),
  )
  const groups = useMemo(() => [...Map.groupBy(shown, (one) => one.supplierId).values()], [shown])

  const ordered = chosen.filter(isOrdered)
  // Lines that are not ordered now may be corrected later.
  const wrong = ordered.filter((one) => findQuantityProblem(one, countOf(one)))
  const sumOf = (lines: typeof goods) => lines.reduce((sum, one) => sum + countOf(one) * wireYuanToCents(one.price), 0)

  const orders = [...Map.groupBy(chosen, (one) => one.supplierId).values()].map((lines) => ({
    ...lines[0]!,
    kinds: lines.length,
    sum: sumOf(lines),
  }))
  const { key: tab } = useTab()
  useReportUnsavedWork(Object.keys(typed).length > 0, t(supplierCart.label), tab)

  return {
    look,
    setLook,
    chosen,
    ordered,
    groups,
    wrong,
    orders,
    countOf,
    sumOf,
    setCount: (one: SupplierCartGoods, count: number) => setTyped({ ...typed, [one.supplierGoodsId]: count }),
    isOrdered,
    setOrdered: suppliers.setOrdered,
    /** Orders only from this supplier, or without one from all. */
    orderOnly: (supplierId?: string) =>
      suppliers.leaveOut(supplierId ? orders.map((one) => one.supplierId).filter((id) => id !== supplierId) : []),
    /** Discards typed quantities and the choice of suppliers, after the server has saved them. */
    startAgain: () => {
      setTyped({})
      suppliers.leaveOut([])
    },
    /**
     * Lines to save in the cart, with 0 for those to remove. When only some suppliers are ordered from, the suggestions
     * of the others are left out, as they are computed anew next time.
     */
    linesToKeep: (isOrder: boolean) =>
      goods
        .filter((one) => (countOf(one) > 0 || one.inCart > 0) && (!isOrder || isOrdered(one) || isTyped(one)))
        .map((one) => lineOf(one, countOf(one))),
    showFirstWrong: () => {
      setLook('chosen')
      setTimeout(() => document.getElementById(cartQuantityInputId(wrong[0]!))?.focus())
    },
  }
}

/** The suppliers ordered from: all but those left out. */
function useOrderedSuppliers() {
  const [leftOut, leaveOut] = useState<readonly string[]>([])
  return {
    isOrdered: ({ supplierId }: Pick<SupplierCartGoods, 'supplierId'>) => !leftOut.includes(supplierId),
    setOrdered: (supplierId: string, isNow: boolean) =>
      leaveOut((before) => (isNow ? before.filter((id) => id !== supplierId) : [...before, supplierId])),
    leaveOut,
  }
}
