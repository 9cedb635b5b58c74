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

/** Keeps the cart of a shop, and orders what is in it. */
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
    try {
      const { ids } = await post<{ ids: string[] }>(
        `${supplierCart.path}/fill`,
        { body: { shopId, lines: order.lines } },
        { quiet: true },
      )
      if (!isOrder) {
        toast.success(say(words.kept))
      } else {
        await post(`${supplierCart.path}/place`, { query: { ids: ids.join(',') } }, { quiet: true })
      }
      await Promise.all([supplierCart, supplierOrder].map(renew))
      order.forgetTyped()
      if (isOrder) void navigate(`/supplier/supplierOrder?shopId=${shopId}&status=0`)
    } catch (reason) {
      setProblem((reason as Error).message)
      throw reason
    } finally {
      setSending(false)
    }
  }
  return { isSending, problem, send }
}
