import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { Resource } from '#kit/resource/define-resource.ts'
import type { WireRowOrUntyped } from './form-values.ts'
import { apiGet } from '../http/http.ts'
import { useLanguage } from '../base/language.tsx'
import { useLiveEvents } from '../live/live.ts'
import { changedTopicOf } from '../../resource/topic.ts'

/** Fetches one row from its detail route, again whenever the row changes. */
export function useRowDetail<R extends Resource<any, any>>(resource: R, id: string | undefined) {
  const language = useLanguage()
  const query = useQuery({
    queryKey: ['detail', resource.name, language, id],
    queryFn: ({ signal }) => apiGet<WireRowOrUntyped<R>>(`${resource.path}/detail`, { id }, { quiet: true, signal }),
    enabled: !!id,
  })
  useLiveEvents(
    changedTopicOf(resource),
    ({ ids }) => id && (!ids || ids.map(String).includes(id)) && void query.refetch(),
    () => id && void query.refetch(),
  )
  return query
}

/** Returns a function that refetches all lists, details and options of a resource; call it after writing. */
export function useInvalidateResource() {
  const client = useQueryClient()
  return (resource: { name: string }) =>
    Promise.all(
      ['list', 'detail', 'options'].map((kind) => client.invalidateQueries({ queryKey: [kind, resource.name] })),
    )
}
