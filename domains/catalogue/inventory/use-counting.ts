import { useCallback, useEffect, useRef, useState } from 'react'
import { ApiError, apiPost } from '#kit/web/http/http.ts'
import { createIdempotencyKey } from '#kit/web/form/new-key.ts'
import { setStoredValue, getStoredValue } from '#kit/web/base/storage.ts'
import { useInvalidateResource } from '#kit/web/row/use-detail.ts'
import { stocktake } from './stocktake.resource.ts'
import { stocktakeLine } from './stocktake-line.resource.ts'

export type StocktakeCountResult = { id: string; goodId: string; name: string; counted: number; isMoved: boolean }
export type StocktakeCountRequest = { upc?: string; goodId?: string; quantity: number; mode: 'set' | 'add' }
const COUNT_PATH = `${stocktake.path}/count`

type Entry = StocktakeCountRequest & { requestKey: string }

const RETRY = 4000

/**
 * Hook that sends counts one after the other. Unsent counts stay in the browser's storage, even if the phone goes off,
 * and are sent again; their request key prevents double counting. A refused count is thrown to the caller.
 */
export function useCounting(id: string) {
  const renew = useInvalidateResource()
  const place = `stocktake-${id}`
  const waiting = useRef<Entry[]>(getStoredValue<Entry[]>(place) ?? [])
  const [left, setLeft] = useState(waiting.current.length)
  const running = useRef<Promise<StocktakeCountResult | undefined>>(undefined)
  const refused = useRef<Entry>(undefined)

  const save = useCallback(() => {
    setStoredValue(place, waiting.current)
    setLeft(waiting.current.length)
  }, [place])

  const send = useCallback(async (): Promise<StocktakeCountResult | undefined> => {
    let last: StocktakeCountResult | undefined
    while (waiting.current[0]) {
      const [entry] = waiting.current
      try {
        last = await apiPost<StocktakeCountResult>(COUNT_PATH, { body: { id, ...entry } }, { quiet: true })
      } catch (reason) {
        // No answer of the server: the count stays and is retried.
        if (!(reason instanceof ApiError) || reason.status === 0 || reason.status >= 500) return undefined
        refused.current = waiting.current.shift()
        save()
        throw reason
      }
      waiting.current.shift()
      save()
    }
    void renew(stocktakeLine)
    return last
  }, [id, renew, save])

  const flush = useCallback((): Promise<StocktakeCountResult | undefined> => {
    running.current ??= send().finally(() => {
      running.current = undefined
    })
    return running.current
  }, [send])

  useEffect(() => {
    const timer = setInterval(() => waiting.current.length && void flush().catch(() => {}), RETRY)
    return () => clearInterval(timer)
  }, [flush])

  const count = async (entry: StocktakeCountRequest): Promise<StocktakeCountResult | undefined> => {
    await running.current?.catch(() => {})
    const own = { ...entry, requestKey: createIdempotencyKey() }
    waiting.current.push(own)
    save()
    try {
      return await flush()
    } catch (reason) {
      // Another count of the queue was refused; this one is counted or will be.
      throw refused.current === own ? reason : new Error((reason as ApiError).message)
    }
  }
  return { count, left }
}
