import { useQuery } from '@tanstack/react-query'
import { useDebouncedValue } from '#kit/web/inputs/use-options.ts'
import { apiGet } from '#kit/web/http/http.ts'
import { useLanguage } from '#kit/web/base/language.tsx'
import { dataScope } from './scopes.resource.ts'

type Column = { name: string; label: string; unit?: string }
type Meaning = {
  known: boolean
  label: string
  types: number[]
  userColumns: Column[]
  deptColumns: Column[]
  columns: Column[]
}

/** Loads what a data scope of this resource code can use; undefined while loading or when no code is entered. */
export function useDataScopeRules(values: Record<string, unknown>): Meaning | undefined {
  const language = useLanguage()
  const resourceCode = useDebouncedValue(String(values.resourceCode ?? '').trim())
  const { data } = useQuery({
    queryKey: ['scope-meaning', resourceCode, language],
    queryFn: () => apiGet<Meaning>(`${dataScope.path}/meaning`, { resourceCode }, { quiet: true }),
    enabled: resourceCode !== '',
    staleTime: 60_000,
  })
  return resourceCode ? data : undefined
}
