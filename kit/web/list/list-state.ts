import type { Fields } from '#kit/fields/base/field-kind.ts'
import { PAGE_SIZES } from '../../resource/page-sizes.ts'
import { parseFilterKey, type ActiveFilters } from './filters.ts'

export const DEFAULT_PAGE_SIZE = 10

export type ListSort = { key: string; descending: boolean }

/** State of a list, kept in the page's address, so that a link reproduces it. */
export type ListState = {
  filters: ActiveFilters
  current: number
  size: number
  sort?: ListSort
  /** Id of the row whose detail is open. */
  detail?: string
  /** A row whose form a link opens, at the named field; removed from the state once the form is open. */
  edit?: { id: string; field?: string }
  /**
   * The saved view the list was opened with. `base` is the view's own state, once loaded. Until then the list does not
   * fetch, unless the address also holds changes to the view.
   */
  view?: { id: string; base?: SavedViewState; isChanged?: boolean }
}

export type SavedViewState = Pick<ListState, 'filters' | 'sort' | 'size'>

const baseOf = ({ filters, sort, size }: SavedViewState): string =>
  JSON.stringify([Object.entries(filters).sort(([a], [b]) => a.localeCompare(b)), sort?.key, sort?.descending, size])

/** Returns whether the list shows something other than its saved view. */
export const differsFromSavedView = (state: ListState): boolean =>
  !!state.view && (state.view.base ? baseOf(state) !== baseOf(state.view.base) : !!state.view.isChanged)

export const initialListState = (): ListState => ({ filters: {}, current: 1, size: DEFAULT_PAGE_SIZE })

/**
 * Query keys of the address that belong to the list itself. A field with such a name is filtered only with a suffix
 * (`size_ge`).
 */
const OWN_WORDS = new Set(['current', 'size', 'ascs', 'descs', 'detail', 'edit', 'field', 'view', 'changed', 'all'])

const NONE: ActiveFilters = {}

export const isSameFilters = (a: ActiveFilters, b: ActiveFilters): boolean =>
  Object.keys(a).length === Object.keys(b).length && Object.entries(a).every(([key, value]) => b[key] === value)

/** Returns the state an address describes; without filters it begins with `start`. Ignores invalid values. */
export function parseListState(search: string, fields: Fields, start = NONE): ListState {
  const query = new URLSearchParams(search)
  const size = wholeIn(query, 'size')
  const filters = filtersIn(query, fields)
  const sort = sortIn(query, fields)
  const detail = query.get('detail')
  const edit = idIn(query, 'edit')
  const field = query.get('field') ?? ''
  const view = idIn(query, 'view')
  const isStart = !Object.keys(filters).length && !view && !query.has('all')
  return {
    filters: isStart ? { ...start } : filters,
    current: wholeIn(query, 'current') ?? 1,
    size: size && PAGE_SIZES.includes(size) ? size : DEFAULT_PAGE_SIZE,
    ...(sort && { sort }),
    ...(detail && { detail }),
    ...(edit && { edit: { id: edit, ...(fields[field] && { field }) } }),
    ...(view && { view: { id: view, isChanged: query.has('changed') } }),
  }
}

function wholeIn(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name) ?? ''
  return /^[1-9]\d{0,7}$/.test(text) ? Number(text) : undefined
}

function idIn(query: URLSearchParams, name: string): string | undefined {
  const text = query.get(name) ?? ''
  return /^\d{1,19}$/.test(text) ? text : undefined
}

function sortIn(query: URLSearchParams, fields: Fields): ListSort | undefined {
  const key = query.get('descs') || query.get('ascs')
  return key && parseFilterKey(fields, key)?.suffix === '' ? { key, descending: query.has('descs') } : undefined
}

function filtersIn(query: URLSearchParams, fields: Fields): ActiveFilters {
  const filters: ActiveFilters = {}
  for (const [name, value] of query)
    if (value !== '' && !OWN_WORDS.has(name) && parseFilterKey(fields, name)) filters[name] = value
  return filters
}

/** Returns the default sort order of a list; "-createTime" means latest first. */
export const defaultListSort = ({ list }: { list: { sort: string } }): ListSort => ({
  key: list.sort.replace(/^-/, ''),
  descending: list.sort.startsWith('-'),
})

/** Returns the query parameters of the list call for a state, without its page. */
export function listQueryParams({ filters, sort }: ListState): Record<string, string> {
  return { ...filters, ...(sort && { [sort.descending ? 'descs' : 'ascs']: sort.key }) }
}

/**
 * Returns the query string for a state. Values equal to the start are left out, so that a plain list has a plain
 * address.
 */
export function listStateToQuery(state: ListState, start = NONE): string {
  // An unchanged view is fully described by its id.
  const isView = !!state.view && !differsFromSavedView(state)
  const shown = isSameFilters(state.filters, start) ? { ...state, filters: NONE } : state
  const query = new URLSearchParams(
    isView ? [] : Object.entries(listQueryParams(shown)).filter(([, value]) => value !== ''),
  )
  // Marks "no filters" in the address if the list would otherwise begin with some.
  if (!state.view && !Object.keys(state.filters).length && Object.keys(start).length) query.set('all', '1')
  if (state.view) query.set('view', state.view.id)
  if (state.view && !isView) query.set('changed', '1')
  if (state.current > 1) query.set('current', String(state.current))
  if (!isView && state.size !== DEFAULT_PAGE_SIZE) query.set('size', String(state.size))
  if (state.detail) query.set('detail', state.detail)
  const text = query.toString()
  return text ? `?${text}` : ''
}

/** Returns the state with changed filters, on its first page; empty filters are removed. */
export function withListFilters(state: ListState, changes: ActiveFilters): ListState {
  const filters = Object.fromEntries(
    Object.entries({ ...state.filters, ...changes }).filter(([, value]) => value !== ''),
  )
  return { ...state, filters, current: 1 }
}
