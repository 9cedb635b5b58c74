import { useQuery } from '@tanstack/react-query'
import { apiGet } from '#kit/web/http/http.ts'
import type { DocumentKind } from './paper.ts'

/** Loads the kinds of documents that can have templates. */
export const useDocumentKinds = (): readonly DocumentKind[] | undefined =>
  useQuery({
    queryKey: ['print-kinds'],
    queryFn: () => apiGet<DocumentKind[]>('/api/prints/kinds', undefined, { quiet: true }),
    staleTime: 60_000,
  }).data
