import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { apiGet, prefetchedPayload, apiPost } from '../http/http.ts'
import { EMPTY_LIST_SETTINGS, parseListSettings, type ListSettings } from './list-settings.ts'

const SAVE_DELAY_MS = 700

type StoredSettings = { value?: unknown }

/**
 * Returns a user's settings of a list and a function to change them. The server stores them, so they apply on every
 * device.
 */
export function useListSettings(name: string): [ListSettings, (settings: ListSettings) => void, boolean] {
  const client = useQueryClient()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const queryKey = ['settings', `list.${name}`]
  const path = `/api/kit/settings/list.${name}`
  const { data, isError } = useQuery({
    queryKey,
    queryFn: async () => parseListSettings((await apiGet<StoredSettings>(path, undefined, { quiet: true })).value),
    initialData: () => {
      const early = prefetchedPayload<StoredSettings>(path)
      return early && parseListSettings(early.value)
    },
    staleTime: Infinity,
  })
  const save = (settings: ListSettings) => {
    client.setQueryData(queryKey, settings)
    clearTimeout(timer.current)
    timer.current = setTimeout(
      () => void apiPost(path, { body: { value: settings } }, { quiet: true }).catch(() => {}),
      SAVE_DELAY_MS,
    )
  }
  return [data ?? EMPTY_LIST_SETTINGS, save, !!data || isError]
}
