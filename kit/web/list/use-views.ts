import { PAGE_SIZES } from '../../resource/page-sizes.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { apiGet, apiPost } from '../http/http.ts'
import { useLocalize } from '../base/language.tsx'
import { parseListSettings, type ListSettings } from './list-settings.ts'
import type { ActiveFilters } from './filters.ts'
import {
  differsFromSavedView,
  isSameFilters,
  DEFAULT_PAGE_SIZE,
  initialListState,
  type ListSort,
  type SavedViewState,
} from './list-state.ts'
import { words } from '../base/list-words.ts'
import { toast } from '../base/toast.ts'
import { PLACED_VIEWS_QUERY_KEY } from './placed-views.ts'
import type { ResourceList } from './use-list.ts'

export type SavedView = {
  id: string
  name: string
  roleId: string
  roleName: string
  version: number
  asTab: boolean
  asTile: boolean
  asLink: boolean
  mayChange: boolean
  /** A filter of the view is hidden from this user or gone, so it finds more rows than intended. */
  isLess: boolean
  base: SavedViewState
  settings: ListSettings
}
type Wire = Omit<SavedView, 'base' | 'settings'> & { state: unknown }
type Answer = { views: Wire[]; roles: { id: string; name: string }[] }

/** Reads a view from the server; ignores whatever it does not understand. */
function readView({ state, ...view }: Wire): SavedView {
  const { filters, sort, size } = (typeof state === 'object' && state !== null ? state : {}) as {
    filters?: unknown
    sort?: Partial<ListSort>
    size?: unknown
  }
  const known =
    typeof filters === 'object' && filters !== null
      ? Object.entries(filters).filter(
          (entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== '',
        )
      : []
  return {
    ...view,
    base: {
      filters: Object.fromEntries(known),
      size: PAGE_SIZES.includes(Number(size)) ? Number(size) : DEFAULT_PAGE_SIZE,
      ...(typeof sort?.key === 'string' && { sort: { key: sort.key, descending: sort.descending === true } }),
    },
    settings: parseListSettings(state),
  }
}

export type SavedViewsOfList = ReturnType<typeof useSavedViewsOfList>

type ViewToSave = Pick<SavedView, 'name'> &
  Partial<Pick<SavedView, 'id' | 'version' | 'roleId' | 'asTab' | 'asTile' | 'asLink'>>
/** The user's own settings of the list, used without a view. */
type Own = { settings: ListSettings; set: (settings: ListSettings) => void; isKnown: boolean }
type Options = { name: string; isUsed: boolean; start?: ActiveFilters }

/** Returns the saved views of a list, the current one, and functions to choose, save and remove them. */
export function useSavedViewsOfList({ name, isUsed, start }: Options, list: ResourceList, own: Own) {
  const { state, set } = list
  // The views are fetched after the rows, unless the list was opened with one.
  const saved = useSavedViews(name, isUsed && (!!state.view || !!own.settings.view || !list.isPending))
  const { views: all, roles } = saved.data ?? UNKNOWN
  const [columns, setColumns] = useState<{ id: string; settings: ListSettings }>()
  const current = all.find((view) => view.id === state.view?.id)
  const drawn = current && columns?.id === current.id ? columns.settings : undefined
  const settings = drawn ?? current?.settings ?? own.settings
  const { stepIn, leave } = useSteps(list, setColumns)
  useNamedView(list, saved)
  useFirstView(list, saved, own, stepIn, { isUsed, start })

  /** Saves what is shown now as the view; with `isRenaming` its filters and settings stay as stored. */
  const save = async (view: ViewToSave, isRenaming = false) => {
    const shown =
      isRenaming && current
        ? { ...current.base, ...current.settings }
        : { filters: state.filters, sort: state.sort, size: state.size, ...settings }
    const { id } = await saved.keep(view, shown)
    if (isRenaming) return
    setColumns(undefined)
    set((before) => ({ ...before, view: { id, base: baseOf(before) } }))
  }
  return {
    all,
    roles,
    current,
    isChanged: differsFromSavedView(state) || (!!current && !!drawn && !isSameLook(drawn, current.settings)),
    settings,
    setSettings: (next: ListSettings) => (current ? setColumns({ id: current.id, settings: next }) : own.set(next)),
    choose: (id: string) => {
      const view = all.find((one) => one.id === id)
      setColumns(undefined)
      if (view) stepIn(view)
      else leave()
    },
    save,
    remove: async (id: string) => {
      await apiPost(`${viewsPath(name)}/remove`, { body: { ids: id } })
      if (own.settings.view === id) own.set({ ...own.settings, view: undefined })
      leave()
      await saved.renew()
    },
    defaultId: own.settings.view,
    setDefault: (id: string | undefined) => own.set({ ...own.settings, view: id }),
  }
}

const UNKNOWN: { views: SavedView[]; roles: Answer['roles'] } = { views: [], roles: [] }
const viewsPath = (name: string) => `/api/kit/views/${name}`
const baseOf = ({ filters, sort, size }: SavedViewState): SavedViewState => ({ filters, sort, size })
const isSameLook = (one: ListSettings, other: ListSettings) =>
  JSON.stringify([one.columns, one.density]) === JSON.stringify([other.columns, other.density])

type Saved = ReturnType<typeof useSavedViews>

function useSavedViews(name: string, isWanted: boolean) {
  const client = useQueryClient()
  const queryKey = ['views', name]
  const path = viewsPath(name)
  const { data, error } = useQuery({
    queryKey,
    queryFn: async () => {
      const answer = await apiGet<Answer>(path, undefined, { quiet: true })
      return { roles: answer.roles, views: answer.views.map(readView) }
    },
    enabled: isWanted,
    staleTime: 60_000,
    retry: false,
  })
  const renew = () =>
    Promise.all([queryKey, [PLACED_VIEWS_QUERY_KEY]].map((one) => client.invalidateQueries({ queryKey: one })))
  const saveView = async (
    view: ViewToSave,
    { filters, sort, size, columns, density }: SavedViewState & ListSettings,
  ) => {
    try {
      const state = { filters, sort, size, columns, density }
      return await apiPost<{ id: string }>(path, { body: { ...view, state } }, { quiet: true })
    } finally {
      // Refetched even after a refusal, to learn what others changed meanwhile.
      await renew()
    }
  }
  return { data, isAnswered: !!data || !!error, renew, keep: saveView }
}

function useWarning() {
  const t = useLocalize()
  return (view: SavedView) => void (view.isLess && toast.warning(t(words.viewLess, { name: view.name })))
}

function useSteps({ set }: ResourceList, setColumns: (none: undefined) => void) {
  const warn = useWarning()
  return {
    stepIn: (view: SavedView) => {
      warn(view)
      set(({ detail }) => ({ ...initialListState(), ...view.base, detail, view: { id: view.id, base: view.base } }))
    },
    leave: () => {
      setColumns(undefined)
      set(({ detail }) => ({ ...initialListState(), detail }))
    },
  }
}

/**
 * Applies the view the address names once the views are loaded, or keeps the changes made to it; drops a removed view.
 */
function useNamedView({ state, set }: ResourceList, { data, isAnswered }: Saved) {
  const t = useLocalize()
  const warn = useWarning()
  const wanted = state.view && !state.view.base ? state.view.id : undefined
  useEffect(() => {
    if (!wanted || !isAnswered) return
    const view = data?.views.find(({ id }) => id === wanted)
    if (!view) {
      if (data) toast.warning(t(words.viewGone))
      return set(({ view: _gone, ...before }) => before)
    }
    warn(view)
    if (state.view?.isChanged) set((before) => ({ ...before, view: { id: view.id, base: view.base } }))
    else set((before) => ({ ...before, ...view.base, sort: view.base.sort, view: { id: view.id, base: view.base } }))
  })
}

/** Opens the user's default view, once, if the address says nothing else. */
function useFirstView(
  { state }: ResourceList,
  { data, isAnswered }: Saved,
  own: Own,
  stepIn: (view: SavedView) => void,
  { isUsed, start = {} }: Pick<Options, 'isUsed' | 'start'>,
) {
  const isBegun = useRef(false)
  useEffect(() => {
    if (isBegun.current || !isUsed || !own.isKnown || (own.settings.view && !isAnswered)) return
    isBegun.current = true
    const view = data?.views.find(({ id }) => id === own.settings.view)
    const isPlain = !state.view && !state.sort && isSameFilters(state.filters, start) && state.current === 1
    if (view && isPlain) stepIn(view)
  })
}
