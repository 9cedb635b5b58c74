import { useQuery } from '@tanstack/react-query'
import { get } from '#kit/web/http.ts'
import type { Kind } from './paper.ts'

/** The documents templates are made for. */
export const useKinds = (): readonly Kind[] | undefined =>
  useQuery({
    queryKey: ['print-kinds'],
    queryFn: () => get<Kind[]>('/api/prints/kinds', undefined, { quiet: true }),
    staleTime: 60_000,
  }).data
