import { useState } from 'react'
import type { HttpError } from '#kit/web/http.ts'
import { useSay } from '#kit/web/language.tsx'
import { useCounting, type Count, type Counted } from './use-counting.ts'

/** What has to be known of goods to count them. */
type ToCount = { id: string; name: string; facts: readonly unknown[]; picture?: unknown }
type Said = { text: string; isBad?: boolean }

const words = { saved: { zh: '“{name}”共 {counted}', en: '"{name}": {counted} altogether' } }

export type GoodToCount = ReturnType<typeof useGoodToCount>

/** The goods somebody has before him and how many he found, into one stocktake; says what came of it. */
export function useGoodToCount(stocktakeId: string) {
  const say = useSay()
  const { count, left } = useCounting(stocktakeId)
  const [good, setGood] = useState<ToCount>()
  const [quantity, setQuantity] = useState<number | null>(null)
  const [note, setNote] = useState<Said>()
  const said = (counted: Counted | undefined) =>
    counted && setNote({ text: say(words.saved, { name: counted.name, counted: counted.counted }) })
  const failed = (reason: unknown) => setNote({ text: (reason as HttpError).message, isBad: true })
  const choose = (next?: ToCount) => {
    setGood(next)
    setQuantity(null)
    setNote(undefined)
  }
  const save = async () => {
    if (!good || quantity === null) return
    setGood(undefined)
    try {
      said(await count({ goodId: good.id, quantity, mode: 'set' }))
    } catch (reason) {
      failed(reason)
    }
  }
  /** One more of something; refuses as the server does. */
  const countOne = async (of: Pick<Count, 'upc' | 'goodId'>) => said(await count({ ...of, quantity: 1, mode: 'add' }))
  return { good, choose, quantity, setQuantity, save, countOne, note, setNote, failed, left }
}
