import { useState } from 'react'
import { useNavigate } from 'react-router'
import { useInvalidateResource } from '#kit/web/row/use-detail.ts'
import { apiPost, type ApiError } from '#kit/web/http/http.ts'
import { useLocalize } from '#kit/web/base/language.tsx'
import { toast } from '#kit/web/base/toast.ts'
import { words } from './supplier-cart-words.ts'
import { supplierCart } from './supplier-cart.resource.ts'
import { supplierOrder } from './supplier-order.resource.ts'
import type { SupplierCartState } from './use-cart-order.ts'

/** Hook that saves the cart of a shop, or orders from the chosen suppliers. */
export function useCartSend(shopId: string, order: SupplierCartState) {
  const t = useLocalize()
  const navigate = useNavigate()
  const renew = useInvalidateResource()
  const [isSending, setSending] = useState(false)
  const [problem, setProblem] = useState<string>()
  const send = async (isOrder: boolean) => {
    if (isSending) return
    setSending(true)
    setProblem(undefined)
    const isPart = !order.orders.every(order.isOrdered)
    try {
      const from = order.orders.filter(order.isOrdered).map(({ supplierId }) => supplierId)
      const body = { shopId, lines: order.linesToKeep(isOrder), ...(isOrder && { orderFrom: from.join(',') }) }
      await apiPost(`${supplierCart.path}/fill`, { body }, { quiet: true })
      if (!isOrder) toast.success(t(words.kept))
      await Promise.all([supplierCart, supplierOrder].map(renew))
      order.startAgain()
      // When some suppliers are left to order from, the page stays open.
      if (isOrder && !isPart) void navigate(`/supplier/supplierOrder?shopId=${shopId}&status=0`)
    } catch (reason) {
      // The fresh quantities are shown beside the typed ones.
      if ((reason as ApiError).status === 409) await renew(supplierCart)
      setProblem((reason as Error).message)
      throw reason
    } finally {
      setSending(false)
    }
  }
  return { isSending, problem, send }
}
