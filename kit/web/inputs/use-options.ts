import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { apiGet } from '../http/http.ts'
import type { QueryParams } from '../http/query-params.ts'
import { useLanguage } from '../base/language.tsx'

/** A row of a resource as an option to choose. */
export type RowOption = {
  id: string
  title: string
  code?: string
  parentId?: string
  hasChildren?: boolean
  children?: RowOption[]
}

const optionsPath = (to: string) => `/api/kit/options/${to}`

/** Returns the value after it has not changed for `ms` milliseconds. */
export function useDebouncedValue<T>(value: T, ms = 250): T {
  const [rested, setRested] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return rested
}

/** Fetches up to 20 rows of a resource whose title or code contains the text. */
export function useRowOptions(to: string, text: string, filter: QueryParams | undefined, enabled: boolean) {
  const language = useLanguage()
  return useQuery({
    queryKey: ['options', to, language, text, filter ?? {}],
    queryFn: ({ signal }) =>
      apiGet<RowOption[]>(
        optionsPath(to),
        { ...filter, ...(text && { key: text }), size: 20 },
        { quiet: true, signal },
      ),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
    enabled,
  })
}

/** Fetches the titles of rows by id, for values chosen earlier. */
export function useRowOptionsById(to: string, ids: string[], reach?: QueryParams) {
  const language = useLanguage()
  return useQuery({
    queryKey: ['options', to, language, 'ids', ids.join(','), reach ?? {}],
    queryFn: ({ signal }) =>
      apiGet<RowOption[]>(optionsPath(to), { ...reach, ids, size: Math.max(ids.length, 1) }, { quiet: true, signal }),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    enabled: ids.length > 0,
  })
}

/** Fetches the whole tree of a resource's rows. */
export function useRowOptionTree(to: string, filter?: QueryParams) {
  const language = useLanguage()
  return useQuery({
    queryKey: ['options', to, language, 'tree', filter ?? {}],
    queryFn: ({ signal }) => apiGet<RowOption[]>(optionsPath(to), { ...filter, tree: 1 }, { quiet: true, signal }),
    staleTime: 30_000,
  })
}
