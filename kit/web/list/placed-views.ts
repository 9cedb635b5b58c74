import { useQuery } from '@tanstack/react-query'
import { apiGet } from '../http.ts'
import { useLanguage } from '../language.tsx'

/** A saved view that stands above its list, on the home page or in the menu. */
export type PlacedSavedView = {
  id: string
  name: string
  /** The role it is shared with; "" for one's own. */
  roleId: string
  resource: string
  /** What its rows are called. */
  label: string
  /** How many rows it finds; nothing where that cannot be said to this reader. */
  count?: number
  isCapped?: boolean
  /** What they come to, where the family has amounts. */
  amount?: string
  amountLabel?: string
}

type Options = { family?: string; enabled?: boolean }

export const PLACED_VIEWS_QUERY_KEY = 'placed-views'

export function usePlacedSavedViews(place: 'tab' | 'tile' | 'link', { family, enabled }: Options = {}) {
  const language = useLanguage()
  return useQuery({
    queryKey: [PLACED_VIEWS_QUERY_KEY, place, family, language],
    queryFn: ({ signal }) =>
      apiGet<PlacedSavedView[]>('/api/kit/placed-views', { place, family }, { quiet: true, signal }),
    enabled,
    staleTime: place === 'link' ? 300_000 : 30_000,
    placeholderData: (before) => before,
    retry: false,
  })
}

/** The number of rows a view finds, as it stands beside its name. */
export const viewCountText = ({ count, isCapped }: PlacedSavedView): string =>
  count === undefined ? '' : `${count.toLocaleString('en-US')}${isCapped ? '+' : ''}`
