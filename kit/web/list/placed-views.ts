import { useQuery } from '@tanstack/react-query'
import { apiGet } from '../http/http.ts'
import { useLanguage } from '../base/language.tsx'

/** A saved view shown as a tab above its list, a tile on the home page or a link in the menu. */
export type PlacedSavedView = {
  id: string
  name: string
  /** Id of the role the view is shared with; "" for the user's own view. */
  roleId: string
  resource: string
  /** Label of the resource whose rows the view lists. */
  label: string
  /** Number of rows the view finds; undefined if this user may not see it. */
  count?: number
  isCapped?: boolean
  /** Sum of the rows' amounts, if the resource has any. */
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

/** Returns the number of rows of a view as text; "+" marks a lower bound, "" an unknown number. */
export const viewCountText = ({ count, isCapped }: PlacedSavedView): string =>
  count === undefined ? '' : `${count.toLocaleString('en-US')}${isCapped ? '+' : ''}`
