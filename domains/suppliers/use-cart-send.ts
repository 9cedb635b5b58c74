import { useState } from 'react'
import { useNavigate } from 'react-router'
import { useRenew } from '#kit/web/detail/use-detail.ts'
import { post } from '#kit/web/http.ts'
import { useSay } from '#kit/web/language.tsx'
import { toast } from '#kit/web/parts/toast.ts'
import { words } from './supplier-cart-words.ts'
import { supplierCart } from './supplier-cart.resource.ts'
import { supplierOrder } from './supplier-order.resource.ts'
import type { CartOrder } from './use-cart-order.ts'

type Kept = { lines: { id: string; supplierId: string }[] }

/** Keeps the cart of a shop, and orders what is in it from the suppliers that are to be ordered from now. */
export function useCartSend(shopId: string, order: CartOrder) {
  const say = useSay()
  const navigate = useNavigate()
  const renew = useRenew()
  const [isSending, setSending] = useState(false)
  const [problem, setProblem] = useState<string>()
  const send = async (isOrder: boolean) => {
    if (isSending) return
    setSending(true)
    setProblem(undefined)
    const isPart = !order.orders.every(order.isOrdered)
    try {
      const { lines } = await post<Kept>(
        `${supplierCart.path}/fill`,
        { body: { shopId, lines: order.linesToKeep(isOrder) } },
        { quiet: true },
      )
      if (isOrder) {
        const ids = lines.filter(order.isOrdered).map(({ id }) => id)
        await post(`${supplierCart.path}/place`, { query: { ids: ids.join(',') } }, { quiet: true })
      } else toast.success(say(words.kept))
      await Promise.all([supplierCart, supplierOrder].map(renew))
      order.startAgain()
      // Where something is left to order, one stays with it.
      if (isOrder && !isPart) void navigate(`/supplier/supplierOrder?shopId=${shopId}&status=0`)
    } catch (reason) {
      setProblem((reason as Error).message)
      throw reason
    } finally {
      setSending(false)
    }
  }
  return { isSending, problem, send }
}
