import { useState } from 'react'
import type { ApiError } from '#kit/web/http/http.ts'
import { useLocalize } from '#kit/web/base/language.tsx'
import { useResourceList } from '#kit/web/list/use-list.ts'
import { useSession } from '#kit/web/session/session.ts'
import { stocktakeLine } from './stocktake-line.resource.ts'
import { useCounting, type StocktakeCountRequest, type StocktakeCountResult } from './use-counting.ts'

/** Details of a product shown while it is counted. */
type ToCount = { id: string; name: string; facts: readonly unknown[]; picture?: unknown }
type CountFeedback = { text: string; isBad?: boolean }

const words = { saved: { zh: '“{name}”共 {counted}', en: '“{name}” total {counted}' } }

export type GoodToCountState = ReturnType<typeof useGoodToCount>

/** Hook with the product being counted in a stocktake, the entered quantity and the result of the last count. */
export function useGoodToCount(stocktakeId: string) {
  const t = useLocalize()
  const { count, left } = useCounting(stocktakeId)
  const [good, setGood] = useState<ToCount>()
  const [quantity, setQuantity] = useState<number | null>(null)
  const [note, setNote] = useState<CountFeedback>()
  const showSaved = (counted: StocktakeCountResult | undefined) =>
    counted && setNote({ text: t(words.saved, { name: counted.name, counted: counted.counted }) })
  const failed = (reason: unknown) => setNote({ text: (reason as ApiError).message, isBad: true })
  const choose = (next?: ToCount) => {
    setGood(next)
    setQuantity(null)
    setNote(undefined)
  }
  const counted = useOwnCount(stocktakeId, good?.id)
  /** Saves the entered quantity: `set` replaces this person's earlier count of the product, `add` adds to it. */
  const save = async (mode: StocktakeCountRequest['mode'] = 'set') => {
    if (!good || quantity === null) return
    setGood(undefined)
    try {
      showSaved(await count({ goodId: good.id, quantity, mode }))
    } catch (reason) {
      failed(reason)
    }
  }
  /** Adds one piece to the count of a barcode or product; throws the server's refusal. */
  const countOne = async (of: Pick<StocktakeCountRequest, 'upc' | 'goodId'>) =>
    showSaved(await count({ ...of, quantity: 1, mode: 'add' }))
  return { good, choose, quantity, setQuantity, counted, save, countOne, note, setNote, failed, left }
}

/** Counted pieces of a product if this user counted some of them; undefined otherwise. */
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
