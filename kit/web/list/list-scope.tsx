import { createContext, useContext, useEffect, useMemo, useState, type Context, type ReactNode } from 'react'
import type { Resource } from '#kit/resource/define-resource.ts'
import { useActionRunner } from '../form/run-action.ts'
import type { Row } from '../form/form-values.ts'
import { useKey } from '../keys.ts'
import { useLang } from '../language.tsx'
import { useFreshOwnFields, useOwned } from '../own-fields.ts'
import type { PageParts } from '../page-parts.ts'
import { words } from '../page-words.ts'
import { useMay } from '../session/use-may.ts'
import { useFreshDictionaries } from '../use-dictionary.ts'
import { useLatest } from '../use-latest.ts'
import { columnsOf, type Column } from './columns.tsx'
import { inlineColumns } from './inline-cell.tsx'
import { useActionsOf, useListActionHandlers, type Layers, type ListActions } from './list-actions.ts'
import { arrange, type ListSettings } from './list-settings.ts'
import { defaultSort, type Sort } from './list-state.ts'
import type { RowAction } from './row-buttons.tsx'
import { useList, type List } from './use-list.ts'
import { useListSettings } from './use-list-settings.ts'
import { useViews, type Views } from './use-views.ts'

export type ListPlan = { resource: Resource<any, any>; page: PageParts; may: ReturnType<typeof useMay> }

type ListRows = Pick<
  List,
  'rows' | 'total' | 'totalCapped' | 'isTree' | 'isPending' | 'isFetching' | 'error' | 'refetch' | 'arrived' | 'set'
> & {
  sort: Sort
  current: number
  size: number
  hasFilters: boolean
  /** The rows to draw: of what the server sends whole, those of the page. */
  shown: Row[]
}

export type ListSelection = {
  chosen: Row[]
  choose: (rows: Row[]) => void
  /** All that the filters find is chosen, beyond the rows on screen. */
  isAll: boolean
  setAll: (isAll: boolean) => void
}

type ListShape = {
  columns: Column[]
  /** Keys of the columns whose cells turn into inputs. */
  inline: readonly string[]
  settings: ListSettings
  setSettings: (settings: ListSettings) => void
}

// Cut by what changes together: a dialog that opens, a detail that is read or a tick in a box draws no row again.
const PlanContext = createContext<ListPlan | undefined>(undefined)
const ListContext = createContext<List | undefined>(undefined)
const RowsContext = createContext<ListRows | undefined>(undefined)
const ChoiceContext = createContext<ListSelection | undefined>(undefined)
const ShapeContext = createContext<ListShape | undefined>(undefined)
const ViewsContext = createContext<Views | undefined>(undefined)
const WorkContext = createContext<ListActions | undefined>(undefined)
const ActionsContext = createContext<((row: Row) => RowAction[]) | undefined>(undefined)
const LayersContext = createContext<Layers | undefined>(undefined)

function useWithin<T>(context: Context<T | undefined>): T {
  const value = useContext(context)
  if (value === undefined) throw new Error('A part of a list stands outside of <ListScope>')
  return value
}

/** What list this is: its resource, the module's own parts, and who may what. Never changes while rows come and go. */
export const useListPlan = () => useWithin(PlanContext)
/** The whole list, with what it is asked with. Changes with every filter, page and open detail. */
export const useShownList = () => useWithin(ListContext)
/** The rows on screen and how they are sorted and paged. */
export const useListRows = () => useWithin(RowsContext)
/** The rows somebody chose. */
export const useListSelection = () => useWithin(ChoiceContext)
/** The columns in the user's order, and how the list is set. */
export const useListShape = () => useWithin(ShapeContext)
/** The saved views of the list. */
export const useListViews = () => useWithin(ViewsContext)
/** What can be begun: add, edit, remove, actions, the detail. Never changes. */
export const useListActions = () => useWithin(WorkContext)
/** What can be done with one row. */
export const useRowActionsOf = () => useWithin(ActionsContext)
/** What is open above the list. */
export const useLayers = () => useWithin(LayersContext)

const NO_PARTS: PageParts = {}

type Props = { resource: Resource<any, any>; page?: PageParts; children: ReactNode }

/** What the parts of a list take from around them; pages use `ListScope`, which has its dialogs too. */
export function ListProviders({ resource: declared, page = NO_PARTS, children }: Props) {
  const resource = useOwned(declared)
  const may = useMay(resource)
  const plan = useMemo(() => ({ resource, page, may }), [resource, page, may])
  const list = useList(resource, { fixed: page.fixed, inAddress: !page.embedded, call: page.call, start: page.start })
  const choice = useChoosing()
  const [layers, setLayers] = useState<Layers>({})
  const { run } = useActionRunner(resource)
  const work = useListActionHandlers({ plan, list, choice, setLayers, run })
  const views = useOwnViews(plan, list)
  useAskedEdit(plan, list, work)
  useFreshDictionaries()
  useFreshOwnFields()
  useKey('n', words.add, () => may.add && !page.embedded && work.add())
  useKey('r', words.refresh, () => !page.embedded && list.refetch())
  return (
    <PlanContext value={plan}>
      <WorkContext value={work}>
        <ActionsContext value={useActionsOf(plan, work, list)}>
          <ListContext value={list}>
            <RowsContext value={useRows(resource, list)}>
              <ChoiceContext value={choice}>
                <ShapeContext value={useShape(plan, views)}>
                  <ViewsContext value={views}>
                    <LayersContext value={layers}>{children}</LayersContext>
                  </ViewsContext>
                </ShapeContext>
              </ChoiceContext>
            </RowsContext>
          </ListContext>
        </ActionsContext>
      </WorkContext>
    </PlanContext>
  )
}

/** A link that names a row and a field opens the row's form there, for who may change it. */
function useAskedEdit({ may }: ListPlan, { state, set }: List, work: ListActions): void {
  const { edit } = state
  useEffect(() => {
    if (!edit) return
    set(({ edit: _opened, ...rest }) => rest)
    if (may.edit) work.edit(edit.id, edit.field)
    else work.open(edit.id)
  }, [edit, may, set, work])
}

function useRows(resource: Resource<any, any>, list: List): ListRows {
  const { rows, total, totalCapped, isTree, isPending, isFetching, error, refetch, arrived, set, state } = list
  const { current, size } = state
  const sort = useMemo(() => state.sort ?? defaultSort(resource), [state.sort, resource])
  const hasFilters = Object.keys(state.filters).length > 0
  const isWhole = resource.list.paged || isTree
  const shown = useMemo(
    () => (isWhole ? rows : rows.slice((current - 1) * size, current * size)),
    [isWhole, rows, current, size],
  )
  return useMemo(
    () => ({
      rows,
      total,
      totalCapped,
      isTree,
      isPending,
      isFetching,
      error,
      refetch,
      arrived,
      set,
      sort,
      current,
      size,
      hasFilters,
      shown,
    }),
    [
      rows,
      total,
      totalCapped,
      isTree,
      isPending,
      isFetching,
      error,
      refetch,
      arrived,
      set,
      sort,
      current,
      size,
      hasFilters,
      shown,
    ],
  )
}

function useChoosing(): ListSelection {
  const [{ chosen, isAll }, set] = useState<{ chosen: Row[]; isAll: boolean }>({ chosen: [], isAll: false })
  return useMemo(
    () => ({
      chosen,
      isAll,
      choose: (rows) => set({ chosen: rows, isAll: false }),
      setAll: (next) => set((before) => ({ ...before, isAll: next })),
    }),
    [chosen, isAll],
  )
}

function useOwnViews({ resource, page }: ListPlan, list: List): Views {
  const [own, setOwn, isOwnKnown] = useListSettings(resource.name)
  return useViews({ name: resource.name, isUsed: !page.embedded && !page.call, start: page.start }, list, {
    settings: own,
    set: setOwn,
    isKnown: isOwnKnown,
  })
}

const NONE: readonly string[] = []

function useShape({ resource, page, may }: ListPlan, { settings, setSettings }: Views): ListShape {
  const language = useLang()
  const latest = useLatest(setSettings)
  // A cell of the page's own may hold an input already, which cannot stand in a button.
  const inline = useMemo(
    () => (may.edit ? resource.list.inline.filter((key) => !page.cells?.[key]) : NONE),
    [may.edit, resource, page.cells],
  )
  const declared = useMemo(
    () => inlineColumns(mergePatch(columnsOf(resource, language, page.cells), page.columns), inline),
    [resource, language, page.cells, page.columns, inline],
  )
  return useMemo(
    () => ({
      columns: arrange(declared, settings),
      inline,
      settings,
      setSettings: (next) => latest.current(next),
    }),
    [declared, inline, settings, latest],
  )
}

function mergePatch(columns: Column[], own: PageParts['columns'] = []): Column[] {
  const mixed = [...columns]
  for (const column of own) {
    const before = column.before
      ? mixed.findIndex(({ key }) => key === column.before)
      : mixed.findIndex(({ hidden }) => hidden)
    mixed.splice(before === -1 ? mixed.length : before, 0, column)
  }
  return mixed
}
