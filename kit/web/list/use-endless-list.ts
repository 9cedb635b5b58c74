import { keepPreviousData, useQueries, useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { Resource } from '#kit/resource/define-resource.ts'
import type { UntypedRow } from '../row/form-values.ts'
import { apiGet, prefetchedPayload } from '../http/http.ts'
import type { QueryParams } from '../http/query-params.ts'
import { useLanguage } from '../base/language.tsx'
import { changedTopicOf, type RowsChanged } from '../../resource/topic.ts'
import { useLiveEvents } from '../live/live.ts'
import { useThrottled } from '../live/throttle.ts'
import { useLatestRef } from '../base/use-latest.ts'
import type { SetListState } from './use-list-state.ts'

/** Rows fetched at a time; one of the page sizes every client may ask for. */
const ENDLESS_PAGE_SIZE = 30
/** After this many pages the reader asks for more by a button, so that the foot of the page can be reached. */
const PAGES_BY_SCROLLING = 10
const PACE = { waitMs: 150, everyMs: 1_200 }

type Page = { records: UntypedRow[]; total: number; totalCapped?: boolean }

/** How a list without pages goes on: more rows below, new rows above. */
export type EndlessScroll = {
  hasMore: boolean
  isFetchingMore: boolean
  /** The rows that come next could not be fetched; `retry` asks again. */
  hasFailed: boolean
  retry: () => void
  /** More rows come by a button, not by scrolling on. */
  needsButton: boolean
  fetchMore: () => void
  /** Number of new rows that are not shown yet, because the reader is further down. */
  newCount: number
  showNew: () => void
  /** Tells whether the reader is at the beginning of the list. */
  setAtTop: (isAtTop: boolean) => void
}

type Options = {
  enabled: boolean
  call: string
  /** Query of the list without its page. */
  params: QueryParams
  /** Pages shown so far, kept in the address as the page. */
  current: number
  set: SetListState
  follows?: string
}

/** The pages of a list fetched so far, as one list, with what is needed to go on. */
type EndlessList = Pick<UseQueryResult<Page>, 'isPending' | 'isFetching' | 'error' | 'isPlaceholderData'> & {
  rows: UntypedRow[]
  total: number
  totalCapped: boolean
  refetch: () => void
  scroll: EndlessScroll
}

/**
 * Fetches a list page by page while its reader scrolls down, and keeps the rows above. A live event refetches the first
 * page and those that hold the changed rows; rows that appear at the top while the reader is further down wait for a
 * touch, so that nothing moves under the finger.
 */
export function useEndlessList(resource: Resource<any, any>, options: Options): EndlessList {
  const { enabled, params, current, set } = options
  const results = usePages(resource, options)
  const latest = useLatestRef(results)
  const data = useSameList(results.map((one) => one.data))
  const rows = useMemo(() => mergePages(data), [data])
  const refetch = useCallback(() => latest.current.forEach((one) => void one.refetch()), [latest])
  useLivePages(resource, options, latest)
  const state = firstPageState(results[0]!)
  const { shown, count, show, setAtTop } = useNewRows(rows, JSON.stringify(params), state.isPlaceholderData)
  const { hasMore, hasFailed, isFetchingMore, total } = nextPageState(results, enabled, rows.length)
  const needsButton = current % PAGES_BY_SCROLLING === 0
  const retry = useCallback(() => void latest.current.at(-1)?.refetch(), [latest])
  const fetchMore = useCallback(() => set((before) => ({ ...before, current: before.current + 1 })), [set])
  const scroll = useMemo(
    () => ({
      hasMore,
      hasFailed,
      isFetchingMore,
      needsButton,
      fetchMore,
      retry,
      newCount: count,
      showNew: show,
      setAtTop,
    }),
    [hasMore, hasFailed, isFetchingMore, needsButton, fetchMore, retry, count, show, setAtTop],
  )
  return { ...state, rows: shown, total, refetch, scroll }
}

type PageResult = UseQueryResult<Page>

/** How the first page stands: what the whole list waits for. */
function firstPageState({ isPending, isFetching, isPlaceholderData, error, data }: PageResult) {
  return { isPending, isFetching, isPlaceholderData, error, totalCapped: data?.totalCapped === true }
}

/** Whether there are more rows than those fetched, and how fetching them stands. */
function nextPageState(results: readonly PageResult[], enabled: boolean, rowCount: number) {
  const last = results.at(-1)!
  const isFurther = results.length > 1
  const isFetchingMore = isFurther && last.isPending
  const hasFailed = isFurther && !!last.error
  const isFull = last.data?.records.length === ENDLESS_PAGE_SIZE
  const total = totalOf(results)
  return { total, isFetchingMore, hasFailed, hasMore: enabled && !hasFailed && isFull && rowCount < total }
}

/** The total of the page that came last; those before may be older. */
const totalOf = (results: readonly PageResult[]): number =>
  Number(results.findLast(({ data }) => data !== undefined)?.data?.total ?? 0)

/** Returns the same array as long as its members are the same. */
function useSameList<T>(list: readonly T[]): readonly T[] {
  const [same, setSame] = useState(list)
  if (list.length === same.length && list.every((one, at) => one === same[at])) return same
  setSame(list)
  return list
}

function usePages(resource: Resource<any, any>, { enabled, call, params, current }: Options): PageResult[] {
  const language = useLanguage()
  const path = `${resource.path}/${call}`
  const pageQuery = (page: number) => {
    const query = { ...params, current: page, size: ENDLESS_PAGE_SIZE }
    return {
      queryKey: ['list', resource.name, language, call, query],
      queryFn: ({ signal }: { signal: AbortSignal }) => apiGet<Page>(path, query, { quiet: true, signal }),
      initialData: () => prefetchedPayload<Page>(path, query),
      staleTime: 0,
    }
  }
  // Only a query of its own keeps the rows of the filters before until those of the new ones have come.
  const first = useQuery({ ...pageQuery(1), placeholderData: keepPreviousData, enabled })
  const others = useQueries({
    queries: Array.from({ length: enabled ? current - 1 : 0 }, (_, at) => pageQuery(at + 2)),
  })
  return [first, ...others]
}

/** One list of all pages; rows that moved to the next page because newer ones came are listed once. */
function mergePages(pages: readonly (Page | undefined)[]): UntypedRow[] {
  const byId = new Map<string, UntypedRow>()
  for (const page of pages) {
    if (!page) break
    for (const row of page.records) if (!byId.has(String(row.id))) byId.set(String(row.id), row)
  }
  return [...byId.values()]
}

/** Refetches the pages a live event is about. */
function useLivePages(
  resource: Resource<any, any>,
  { enabled, follows }: Options,
  results: { readonly current: readonly UseQueryResult<Page>[] },
) {
  const changed = useRef<Set<string> | 'all'>(new Set())
  const fetch = () => {
    const ids = changed.current
    changed.current = new Set()
    results.current.forEach((one, at) => {
      const isNamed = ids === 'all' || one.data?.records.some(({ id }) => ids.has(String(id)))
      if (at === 0 || isNamed) void one.refetch()
    })
  }
  const later = useThrottled(fetch, PACE)
  const note = (data?: RowsChanged) => {
    if (!enabled) return
    const ids = data?.ids
    if (!ids) changed.current = 'all'
    else if (changed.current !== 'all') for (const id of ids) changed.current.add(id)
    later()
  }
  useLiveEvents(changedTopicOf(resource), note, () => note())
  useLiveEvents(
    follows ? changedTopicOf(follows) : undefined,
    () => note(),
    () => note(),
  )
}

/** Holds back rows that appear above the first known one while the reader is further down. */
function useNewRows(rows: UntypedRow[], view: string, isOld: boolean) {
  const [isAtTop, setAtTop] = useState(true)
  const [known, setKnown] = useState<{ view: string; ids: ReadonlySet<string> }>()
  const accept = useCallback(() => setKnown({ view, ids: new Set(rows.map(({ id }) => String(id))) }), [rows, view])
  const isSameView = known?.view === view
  const above = isSameView && !isOld ? rows.findIndex(({ id }) => known.ids.has(String(id))) : 0
  const count = isAtTop ? 0 : Math.max(above, 0)
  useEffect(() => {
    // Rows that came by scrolling on are below the known ones and are known at once.
    if (!isOld && rows.length && count === 0) accept()
  }, [rows, isOld, count, accept])
  const shown = useMemo(() => (count > 0 ? rows.slice(count) : rows), [rows, count])
  return { shown, count, show: accept, setAtTop }
}
