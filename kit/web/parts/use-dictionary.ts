import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { Lang } from '#kit/base/localized-text.ts'
import { apiGet } from '../http/http.ts'
import { useLanguage } from '../base/language.tsx'
import { useLiveRefetch } from '../live/live.ts'
import { dictionaryTopic } from '../../resource/kit-topics.ts'

type Choice = { key: string; label: string; colour?: string }

type PendingRequest = { code: string; settle: (choices: Choice[]) => void; fail: (reason: unknown) => void }
let waiting: PendingRequest[] = []

// Fetches a dictionary; all that are requested in the same tick travel in one call.
function fetchDictionary(code: string): Promise<Choice[]> {
  return new Promise((resolve, reject) => {
    waiting.push({ code, settle: resolve, fail: reject })
    if (waiting.length === 1) queueMicrotask(() => setTimeout(sendBatch, 0))
  })
}

function sendBatch() {
  const batch = waiting
  waiting = []
  const codes = [...new Set(batch.map(({ code }) => code))].toSorted()
  apiGet<Record<string, Choice[]>>('/api/kit/dictionary', { codes }, { quiet: true }).then(
    (found) =>
      batch.forEach(({ code, settle }) => settle((found[code] ?? []).map((one) => ({ ...one, key: String(one.key) })))),
    (reason) => batch.forEach(({ fail }) => fail(reason)),
  )
}

const dictionaryQuery = (code: string, lang: Lang) => ({
  queryKey: ['dictionary', code, lang],
  queryFn: () => fetchDictionary(code),
  staleTime: Infinity,
  gcTime: Infinity,
})

/** Returns the entries of a dictionary in the user's language; cached, and refetched after it was edited. */
export function useDictionary(code: string | undefined): {
  choices: Choice[]
  isPending: boolean
  isError: boolean
  retry: () => void
} {
  const language = useLanguage()
  const { data, isPending, isError, refetch } = useQuery({ ...dictionaryQuery(code ?? '', language), enabled: !!code })
  return { choices: data ?? [], isPending, isError, retry: () => void refetch() }
}

/** Refetches dictionaries after one was edited; mounted once per page. */
export function useRefetchEditedDictionaries() {
  const client = useQueryClient()
  const renew = () => void client.invalidateQueries({ queryKey: ['dictionary'] })
  useLiveRefetch(dictionaryTopic, renew)
}
