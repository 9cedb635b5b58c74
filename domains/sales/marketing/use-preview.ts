import { useEffect, useState } from 'react'
import type { RowOption } from '#kit/web/inputs/use-options.ts'
import { apiPost } from '#kit/web/http/http.ts'
import type { PricedBasketWire } from './benefit-text.tsx'
import { discountConf } from './discount-conf.resource.ts'

type Line = { upc: string; name: string; quantity: number }
const RESTED_MS = 300

export type BasketPreview = ReturnType<typeof useBasketPreview>

/** A basket of one shop, priced by the server a moment after it was last touched. */
export function useBasketPreview(values: Record<string, unknown>) {
  const [shopId, setShopId] = useState('')
  const [chosen, setChosen] = useState('')
  const [lines, setLines] = useState<Line[]>([])
  const [isMember, setMember] = useState(false)
  const [withOthers, setOthers] = useState(true)

  const body = JSON.stringify({
    ...partsOf(values),
    shopId,
    lines: lines.map(({ upc, quantity }) => ({ upc, quantity })),
    isMember,
    withOthers,
  })
  const { answer, problem, forget } = useAnswer(shopId && lines.length ? body : undefined)

  return {
    shopId,
    chosen,
    lines,
    isMember,
    withOthers,
    answer,
    problem,
    setMember,
    setOthers,
    setShop: (next: string) => {
      setShopId(next)
      setChosen('')
      setLines([])
      forget()
    },
    setGoods: (next: string, options: readonly RowOption[]) => {
      setChosen(next)
      setLines((before) =>
        options.map((option) => ({
          upc: option.code ?? '',
          name: option.title,
          quantity: before.find((line) => line.upc === option.code)?.quantity ?? 1,
        })),
      )
    },
    setQuantity: (upc: string, quantity: number) =>
      setLines(lines.map((one) => (one.upc === upc ? { ...one, quantity } : one))),
  }
}

/** The values of a campaign that decide prices. */
const partsOf = ({
  type,
  rules,
  goodIds,
  goodTypeIds,
  membersOnly,
  stackable,
  withVip,
  withTicket,
  priority,
}: Record<string, unknown>) => ({
  type,
  rules,
  goodIds,
  goodTypeIds,
  membersOnly,
  stackable,
  withVip,
  withTicket,
  priority,
})

/** Returns the price of the latest request; answers to earlier ones are dropped. */
function useAnswer(body: string | undefined) {
  const [answer, setAnswer] = useState<PricedBasketWire>()
  const [problem, setProblem] = useState('')
  useEffect(() => {
    if (!body) return undefined
    let isStale = false
    const timer = setTimeout(() => {
      apiPost<PricedBasketWire>(
        `${discountConf.path}/preview`,
        { body: JSON.parse(body) as object },
        { quiet: true },
      ).then(
        (priced) => {
          if (!isStale) {
            setAnswer(priced)
            setProblem('')
          }
        },
        (error: Error) => {
          if (!isStale) setProblem(error.message)
        },
      )
    }, RESTED_MS)
    return () => {
      isStale = true
      clearTimeout(timer)
    }
  }, [body])
  return { answer, problem, forget: () => setAnswer(undefined) }
}
