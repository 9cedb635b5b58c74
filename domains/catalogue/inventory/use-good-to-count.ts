import { useState } from 'react'
import type { HttpError } from '#kit/web/http.ts'
import { useLocalize } from '#kit/web/language.tsx'
import { useResourceList } from '#kit/web/list/use-list.ts'
import { useSession } from '#kit/web/session/session.ts'
import { stocktakeLine } from './stocktake-line.resource.ts'
import { useCounting, type StocktakeCountRequest, type StocktakeCountResult } from './use-counting.ts'

/** What has to be known of goods to count them. */
type ToCount = { id: string; name: string; facts: readonly unknown[]; picture?: unknown }
type CountFeedback = { text: string; isBad?: boolean }

const words = { saved: { zh: '“{name}”共 {counted}', en: '“{name}” total {counted}' } }

export type GoodToCountState = ReturnType<typeof useGoodToCount>

/** The goods somebody has before him and how many he found, into one stocktake; says what came of it. */
export function useGoodToCount(stocktakeId: string) {
  const t = useLocalize()
  const { count, left } = useCounting(stocktakeId)
  const [good, setGood] = useState<ToCount>()
  const [quantity, setQuantity] = useState<number | null>(null)
  const [note, setNote] = useState<CountFeedback>()
  const said = (counted: StocktakeCountResult | undefined) =>
    counted && setNote({ text: t(words.saved, { name: counted.name, counted: counted.counted }) })
  const failed = (reason: unknown) => setNote({ text: (reason as HttpError).message, isBad: true })
  const choose = (next?: ToCount) => {
    setGood(next)
    setQuantity(null)
    setNote(undefined)
  }
  const counted = useOwnCount(stocktakeId, good?.id)
  /** What was found, instead of what the same person counted of it before or on top of that. */
  const save = async (mode: StocktakeCountRequest['mode'] = 'set') => {
    if (!good || quantity === null) return
    setGood(undefined)
    try {
      said(await count({ goodId: good.id, quantity, mode }))
    } catch (reason) {
      failed(reason)
    }
  }
  /** One more of something; refuses as the server does. */
  const countOne = async (of: Pick<StocktakeCountRequest, 'upc' | 'goodId'>) =>
    said(await count({ ...of, quantity: 1, mode: 'add' }))
  return { good, choose, quantity, setQuantity, counted, save, countOne, note, setNote, failed, left }
}

/** How many of some goods are counted, where the reader has counted some of them before; undefined otherwise. */
function useOwnCount(stocktakeId: string, goodId: string | undefined): number | undefined {
  const me = useSession((session) => session.user?.userId)
  const { rows } = useResourceList(stocktakeLine, {
    inAddress: false,
    enabled: !!goodId,
    fixed: { stocktakeId, goodId: goodId ?? '', counted_notnull: '1', size: 1 },
  })
  const line = goodId ? rows[0] : undefined
  const isMine = line !== undefined && String(line.counters).split(',').includes(String(me))
  return isMine && String(line.goodId) === goodId ? Number(line.counted) : undefined
}
