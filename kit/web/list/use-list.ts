import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { parentKeyOf } from '#kit/fields/kinds.ts'
import type { Resource } from '#kit/resource/define-resource.ts'
import type { Filters } from './filters.ts'
import type { Row, RowFor } from '../form/form-values.ts'
import { get, gotEarly, type Params } from '../http.ts'
import { useLang } from '../language.tsx'
import { listParams, type ListState } from './list-state.ts'
import { useLiveRefetch } from '../live/live.ts'
import { useThrottled } from '../live/throttle.ts'
import { nest } from './nest.ts'
import { useListState, type SetListState } from './use-list-state.ts'

type Page = { records: Row[]; total: number; totalCapped?: boolean }

/** `R` is the row as it travels. */
export type List<R extends object = Row> = {
  state: ListState
  set: SetListState
  /** What the list is asked with, but for its page: filters, fixed ones too, and sort. */
  params: Params
  rows: R[]
  total: number
  /** The total is a lower bound. */
  totalCapped: boolean
  /** Rows have `children`. */
  isTree: boolean
  isPending: boolean
  isFetching: boolean
  error: Error | null
  refetch: () => void
  /** Ids of rows that arrived by themselves a moment ago. */
  arrived: ReadonlySet<string>
}

/** How many a list finds, as it is said. */
export const totalOf = ({ total, totalCapped }: { total: number; totalCapped?: boolean }): string =>
  `${total.toLocaleString('en-US')}${totalCapped ? '+' : ''}`

type Options = {
  fixed?: Params
  inAddress?: boolean
  enabled?: boolean
  call?: string
  start?: Filters
  follows?: string
}

const PACE = { waitMs: 150, everyMs: 1_200 }
const SHOWN_AS_NEW = 2400

/**
 * A list of a resource's rows: filters, sort and page, kept fresh by live events. `fixed` are filters the reader cannot
 * change (the orders of one shop) and how many rows a page has where they say so, `start` those it begins with;
 * `inAddress: false` keeps the state out of the address;
 * `call` is the last part of another path than the declared one; `follows` names another family whose changes change
 * these rows too, unsaid (batches of a good that was written off).
 */
export function useList<R extends Resource<any, any>>(resource: R, options: Options = {}): List<RowFor<R>> {
  const { fixed, inAddress = true, enabled = true, call = resource.list.path, start, follows } = options
  const language = useLang()
  const [state, set] = useListState(resource.fields, inAddress, start)
  const paging = resource.list.paged ? { current: state.current, size: fixed?.size ?? state.size } : {}
  const asked = useSame({ ...listParams(state), ...fixed })
  const params = { ...asked, ...paging }
  const query = useQuery({
    queryKey: ['list', resource.name, language, call, params],
    queryFn: ({ signal }) => get<Page | Row[]>(`${resource.path}/${call}`, params, { quiet: true, signal }),
    initialData: () => gotEarly<Page | Row[]>(`${resource.path}/${call}`, params),
    placeholderData: keepPreviousData,
    // What changed while the tab was hidden was not heard.
    staleTime: 0,
    // A list that was opened by the name of a view waits for what the view says.
    enabled: enabled && (!state.view || !!state.view.base || !!state.view.isChanged),
  })
  const { data, refetch } = query
  useFreshness([resource.name, follows], enabled, () => void refetch())

  const parent = parentKeyOf(resource.fields)
  const rows = useMemo(() => {
    if (!data) return []
    if (!Array.isArray(data)) return data.records ?? []
    return parent ? nest(data, parent) : data
  }, [data, parent])
  const { total, totalCapped } = countIn(data)
  const { isPending, isFetching, error, isPlaceholderData } = query
  const arrived = useArrived(rows, JSON.stringify(params), isPlaceholderData)
  const again = useCallback(() => void refetch(), [refetch])
  const isTree = !resource.list.paged && !!parent
  return useMemo(
    () => ({
      state,
      set,
      params: asked,
      rows: rows as RowFor<R>[],
      total,
      totalCapped,
      isTree,
      isPending,
      isFetching,
      error,
      refetch: again,
      arrived,
    }),
    [state, set, asked, rows, total, totalCapped, isTree, isPending, isFetching, error, again, arrived],
  )
}

/** How many rows an answer says there are: all of them where they come without pages. */
const countIn = (data: Page | Row[] | undefined): Pick<List, 'total' | 'totalCapped'> =>
  Array.isArray(data)
    ? { total: data.length, totalCapped: false }
    : { total: Number(data?.total ?? 0), totalCapped: data?.totalCapped === true }

/** The same object as long as it says the same. */
function useSame<T>(value: T): T {
  const text = JSON.stringify(value)
  const [same, setSame] = useState({ text, value })
  if (same.text === text) return same.value
  setSame({ text, value })
  return value
}

/** Fetches again soon after something changed, but not at every grain of it. A tab that comes back fetches anyway. */
function useFreshness([own, followed]: [string, string?], enabled: boolean, fetch: () => void) {
  const later = useThrottled(fetch, PACE)
  const onChange = () => enabled && later()
  useLiveRefetch(`${own}.changed`, onChange)
  useLiveRefetch(followed && `${followed}.changed`, onChange)
}

/**
 * `isOld`: the rows are those of the filters before, shown until the new ones are here; what replaces them has not
 * arrived by itself.
 */
function useArrived(rows: Row[], view: string, isOld: boolean): ReadonlySet<string> {
  const before = useRef<{ view: string; ids: Set<string> }>(undefined)
  const [arrived, setArrived] = useState<ReadonlySet<string>>(new Set())
  useEffect(() => {
    if (isOld) return
    const ids = new Set(rows.map((row) => String(row.id)))
    const known = before.current
    before.current = { view, ids }
    if (!known || known.view !== view || !known.ids.size) return
    const fresh = [...ids].filter((id) => !known.ids.has(id))
    if (!fresh.length) return
    setArrived(new Set(fresh))
    const timer = setTimeout(() => setArrived(new Set()), SHOWN_AS_NEW)
    return () => clearTimeout(timer)
  }, [rows, view, isOld])
  return arrived
}
