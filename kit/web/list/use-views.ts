import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { get, post } from '../http.ts'
import { useSay } from '../language.tsx'
import { readSettings, type ListSettings } from './list-settings.ts'
import type { Filters } from './filters.ts'
import {
  differsFromView,
  isSameFilters,
  PAGE_SIZE,
  PAGE_SIZES,
  startState,
  type Sort,
  type ViewBase,
} from './list-state.ts'
import { words } from './list-words.ts'
import { toast } from '../parts/toast.ts'
import type { List } from './use-list.ts'

export type View = {
  id: string
  name: string
  roleId: string
  roleName: string
  version: number
  mayChange: boolean
  /** A condition of it is hidden from its reader or gone: it finds more than it was made for. */ isLess: boolean
  base: ViewBase
  settings: ListSettings
}
type Wire = Omit<View, 'base' | 'settings'> & { state: unknown }
type Answer = { views: Wire[]; roles: { id: string; name: string }[] }

/** What a view keeps, as the server gives it back: only what is understood is used. */
function readView({ state, ...view }: Wire): View {
  const { filters, sort, size } = (typeof state === 'object' && state !== null ? state : {}) as {
    filters?: unknown
    sort?: Partial<Sort>
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
      size: PAGE_SIZES.includes(Number(size)) ? Number(size) : PAGE_SIZE,
      ...(typeof sort?.key === 'string' && { sort: { key: sort.key, descending: sort.descending === true } }),
    },
    settings: readSettings(state),
  }
}

export type Views = ReturnType<typeof useViews>

/** The saved views of a list, and the one it stands on. `own` are the user's settings of the list without a view. */
export function useViews(
  name: string,
  list: List,
  own: ListSettings,
  setOwn: (settings: ListSettings) => void,
  { isOwnKnown, isUsed, start = {} }: { isOwnKnown: boolean; isUsed: boolean; start?: Filters },
) {
  const { state, set } = list
  const client = useQueryClient()
  const say = useSay()
  const queryKey = ['views', name]
  const path = `/api/kit/views/${name}`
  // Nobody waits for the names of views but a list that was opened by one.
  const isWanted = isUsed && (!!state.view || !!own.view || !list.isPending)
  const { data, error } = useQuery({
    queryKey,
    queryFn: async () => {
      const answer = await get<Answer>(path, undefined, { quiet: true })
      return { roles: answer.roles, views: answer.views.map(readView) }
    },
    enabled: isWanted,
    staleTime: 60_000,
    retry: false,
  })
  const [columns, setColumns] = useState<{ id: string; settings: ListSettings }>()
  const current = data?.views.find((view) => view.id === state.view?.id)
  const settings = !current ? own : columns?.id === current.id ? columns.settings : current.settings
  const warn = (view: View) => void (view.isLess && toast.warning(say(words.viewLess, { name: view.name })))
  const stepIn = (view: View) => {
    warn(view)
    set((before) => ({ ...startState(), ...view.base, detail: before.detail, view: { id: view.id, base: view.base } }))
  }
  const leave = () => {
    setColumns(undefined)
    set((before) => ({ ...startState(), detail: before.detail }))
  }

  // What the address named is known now: the list begins, or goes on with what was changed; a view that is gone is
  // left.
  const wanted = state.view && !state.view.base ? state.view.id : undefined
  useEffect(() => {
    if (!wanted || (!data && !error)) return
    const view = data?.views.find(({ id }) => id === wanted)
    if (!view) {
      if (data) toast.warning(say(words.viewGone))
      return set(({ view: _gone, ...before }) => before)
    }
    warn(view)
    if (state.view?.isChanged) set((before) => ({ ...before, view: { id: view.id, base: view.base } }))
    else set((before) => ({ ...before, ...view.base, sort: view.base.sort, view: { id: view.id, base: view.base } }))
  })

  // A plain visit begins with the view the user made their own beginning, once.
  const isBegun = useRef(false)
  useEffect(() => {
    if (isBegun.current || !isUsed || !isOwnKnown || (own.view && !data && !error)) return
    isBegun.current = true
    const view = data?.views.find(({ id }) => id === own.view)
    const isPlain = !state.view && !state.sort && isSameFilters(state.filters, start) && state.current === 1
    if (view && isPlain) stepIn(view)
  })

  const isChanged =
    differsFromView(state) ||
    (!!current &&
      columns?.id === current.id &&
      JSON.stringify([columns.settings.columns, columns.settings.density]) !==
        JSON.stringify([current.settings.columns, current.settings.density]))
  /** Keeps what is shown now; renaming and sharing leave what the view says as it is. */
  const save = async (view: { id?: string; version?: number; name: string; roleId?: string }, isRenaming = false) => {
    const shown =
      isRenaming && current
        ? { ...current.base, ...current.settings }
        : { filters: state.filters, sort: state.sort, size: state.size, ...settings }
    const content = {
      filters: shown.filters,
      sort: shown.sort,
      size: shown.size,
      columns: shown.columns,
      density: shown.density,
    }
    const keep = async () => {
      try {
        return await post<{ id: string }>(path, { body: { ...view, state: content } }, { quiet: true })
      } finally {
        // Refused or not: what somebody else made of it meanwhile is known from here on.
        await client.invalidateQueries({ queryKey })
      }
    }
    const { id } = await keep()
    if (isRenaming) return
    setColumns(undefined)
    set((before) => ({
      ...before,
      view: { id, base: { filters: before.filters, sort: before.sort, size: before.size } },
    }))
  }
  return {
    all: data?.views ?? [],
    roles: data?.roles ?? [],
    current,
    isChanged,
    settings,
    setSettings: (next: ListSettings) => (current ? setColumns({ id: current.id, settings: next }) : setOwn(next)),
    choose: (id: string) => {
      const view = data?.views.find((one) => one.id === id)
      setColumns(undefined)
      if (view) stepIn(view)
      else leave()
    },
    save,
    remove: async (id: string) => {
      await post(`${path}/remove`, { body: { ids: id } })
      if (own.view === id) setOwn({ ...own, view: undefined })
      leave()
      await client.invalidateQueries({ queryKey })
    },
    defaultId: own.view,
    setDefault: (id: string | undefined) => setOwn({ ...own, view: id }),
  }
}
