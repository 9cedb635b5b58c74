import { useCallback, useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { Fields } from '#kit/fields/base/field-kind.ts'
import type { ActiveFilters } from './filters.ts'
import { useLatestRef } from '../base/use-latest.ts'
import { parseListState, initialListState, listStateToQuery, type ListState } from './list-state.ts'

export type SetListState = (change: (state: ListState) => ListState) => void

/**
 * Returns the state of a list. A page's list keeps it in the address; others, such as one inside a detail, in memory.
 */
export function useListState(fields: Fields, inAddress: boolean, start?: ActiveFilters): [ListState, SetListState] {
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  const own = useRef(pathname)
  const written = useRef(search)
  const [state, setState] = useState(() => (inAddress ? parseListState(search, fields, start) : initialListState()))
  const latest = useRef(state)
  // The router's function changes with every address; the ref keeps `set` stable.
  const go = useLatestRef(navigate)

  const set = useCallback<SetListState>(
    (change) => {
      const next = change(latest.current)
      latest.current = next
      setState(next)
      if (!inAddress) return
      const address = listStateToQuery(next, start)
      if (address === written.current) return
      written.current = address
      void go.current({ pathname: own.current, search: address }, { replace: true })
    },
    [inAddress, go, start],
  )

  useEffect(() => {
    if (!inAddress || pathname !== own.current || search === written.current) return
    if (search === '') {
      // The user came back through the menu, without a query: the list stays as it was left, and its address is
      // restored.
      void navigate({ pathname, search: written.current }, { replace: true })
      return
    }
    written.current = search
    latest.current = parseListState(search, fields, start)
    setState(latest.current)
  }, [inAddress, pathname, search, fields, navigate, start])
  return [state, set]
}
