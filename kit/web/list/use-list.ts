import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { treeParentKeyOf } from '#kit/fields/kinds.ts'
import type { Resource } from '#kit/resource/define-resource.ts'
import type { ActiveFilters } from './filters.ts'
import type { UntypedRow, WireRowOrUntyped } from '../row/form-values.ts'
import { apiGet, prefetchedPayload } from '../http/http.ts'
import type { QueryParams } from '../http/query-params.ts'
import { useLanguage } from '../base/language.tsx'
import { listQueryParams, type ListState } from './list-state.ts'
import { useLiveRefetch } from '../live/live.ts'
import { useThrottled } from '../live/throttle.ts'
import { nestRowsByParent } from './nest.ts'
import { useEndlessList, type EndlessScroll } from './use-endless-list.ts'
import { useListState, type SetListState } from './use-list-state.ts'
import { changedTopicOf } from '../../resource/topic.ts'

type Page = { records: UntypedRow[]; total: number; totalCapped?: boolean }

/** A list of rows on screen. `R` is the wire type of a row. */
export type ResourceList<R extends object = UntypedRow> = {
  state: ListState
  set: SetListState
  /** Query of the list without its page: filters, fixed ones included, and sort order. */
  params: QueryParams
  rows: R[]
  total: number
  /** `total` is a lower bound. */
  totalCapped: boolean
  /** The rows have `children`. */
  isTree: boolean
  isPending: boolean
  isFetching: boolean
  error: Error | null
  refetch: () => void
  /** Ids of rows that appeared in the last seconds through live events. */
  arrived: ReadonlySet<string>
  /** How the list goes on, where it has no pages: on a phone. */
  endless?: EndlessScroll
}

/** Returns the total of a list as text; "+" marks a lower bound. */
export const formatListTotal = ({ total, totalCapped }: { total: number; totalCapped?: boolean }): string =>
  `${total.toLocaleString('en-US')}${totalCapped ? '+' : ''}`

type Options = {
  fixed?: QueryParams
  inAddress?: boolean
  enabled?: boolean
  call?: string
  start?: ActiveFilters
  follows?: string
  endless?: boolean
}

const PACE = { waitMs: 150, everyMs: 1_200 }
const SHOWN_AS_NEW = 2400

/**
 * Fetches a list of a resource's rows with filters, sort order and page, and refetches it on live events. `fixed` are
 * filters the user cannot change (the orders of one shop), and may set the page size. `start` are filters the list
 * begins with. `inAddress: false` keeps the state out of the address. `call` replaces the last part of the declared
 * path. `follows` names another resource whose changes also refetch the list (batches of a written-off product).
 * `endless`: fetches page after page as one list; the page of the state is then the number of pages shown.
 */
export function useResourceList<R extends Resource<any, any>>(
  resource: R,
  options: Options = {},
): ResourceList<WireRowOrUntyped<R>> {
  const { fixed, inAddress = true, enabled = true, call = resource.list.path, start, follows } = options
  const language = useLanguage()
  const [state, set] = useListState(resource.fields, inAddress, start)
  const isEndless = !!options.endless && resource.list.paged
  const filters = useSame({ ...listQueryParams(state), ...fixed })
  const params = { ...filters, ...pagingOf(resource, state, fixed) }
  const isReady = enabled && isStateKnown(state)
  const query = useQuery({
    queryKey: ['list', resource.name, language, call, params],
    queryFn: ({ signal }) => apiGet<Page | UntypedRow[]>(`${resource.path}/${call}`, params, { quiet: true, signal }),
    initialData: () => prefetchedPayload<Page | UntypedRow[]>(`${resource.path}/${call}`, params),
    placeholderData: keepPreviousData,
    // Live events were missed while the tab was hidden, so data always counts as stale.
    staleTime: 0,
    enabled: isReady && !isEndless,
  })
  const { data, refetch } = query
  useFreshness([resource.name, follows], enabled && !isEndless, () => void refetch())
  const endless = useEndlessList(resource, {
    enabled: isReady && isEndless,
    call,
    params: filters,
    current: state.current,
    set,
    follows,
  })

  const parent = treeParentKeyOf(resource.fields)
  const rows = useMemo(() => {
    if (!data) return []
    if (!Array.isArray(data)) return data.records ?? []
    return parent ? nestRowsByParent(data, parent) : data
  }, [data, parent])
  const again = useCallback(() => void refetch(), [refetch])
  const counted = countIn(data)
  const { isPending, isFetching, error, isPlaceholderData } = query
  const source = isEndless
    ? endless
    : { rows, ...counted, isPending, isFetching, error, isPlaceholderData, refetch: again, scroll: undefined }
  const arrived = useArrived(source.rows, JSON.stringify(params), source.isPlaceholderData)
  const isTree = !resource.list.paged && !!parent
  return useSameFields({
    state,
    set,
    params: filters,
    rows: source.rows as WireRowOrUntyped<R>[],
    total: source.total,
    totalCapped: source.totalCapped,
    isTree,
    isPending: source.isPending,
    isFetching: source.isFetching,
    error: source.error,
    refetch: source.refetch,
    arrived,
    endless: source.scroll,
  })
}

const pagingOf = ({ list }: Resource<any, any>, { current, size }: ListState, fixed: QueryParams | undefined) =>
  list.paged ? { current, size: fixed?.size ?? size } : {}

/** A list opened with a saved view waits until the view is loaded. */
const isStateKnown = ({ view }: ListState): boolean => !view || !!view.base || !!view.isChanged

/** Returns the same object as long as each of its values is the same. */
function useSameFields<T extends object>(value: T): T {
  const [same, setSame] = useState(value)
  const isSame = Object.entries(value).every(([key, one]) => Object.is(one, same[key as keyof T]))
  if (isSame) return same
  setSame(value)
  return value
}

/** Returns the total of an answer: its `total`, or the number of rows if it is not paged. */
const countIn = (data: Page | UntypedRow[] | undefined): Pick<ResourceList, 'total' | 'totalCapped'> =>
  Array.isArray(data)
    ? { total: data.length, totalCapped: false }
    : { total: Number(data?.total ?? 0), totalCapped: data?.totalCapped === true }

/** Returns the same object as long as its content is equal. */
function useSame<T>(value: T): T {
  const text = JSON.stringify(value)
  const [same, setSame] = useState({ text, value })
  if (same.text === text) return same.value
  setSame({ text, value })
  return value
}

/** Refetches soon after a change, throttled. Hidden tabs refetch when they are shown again. */
function useFreshness([own, followed]: [string, string?], enabled: boolean, fetch: () => void) {
  const later = useThrottled(fetch, PACE)
  const onChange = () => enabled && later()
  useLiveRefetch(changedTopicOf(own), onChange)
  useLiveRefetch(followed ? changedTopicOf(followed) : undefined, onChange)
}

/**
 * Returns the ids of rows that appeared through live events. `isOld`: the rows still belong to the previous filters;
 * rows that replace them do not count.
 */
function useArrived(rows: UntypedRow[], view: string, isOld: boolean): ReadonlySet<string> {
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
