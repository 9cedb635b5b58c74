import { useScreenSize } from '../base/screen.ts'
import { createContext, useContext, useEffect, useMemo, useState, type Context, type ReactNode } from 'react'
import type { Resource } from '#kit/resource/define-resource.ts'
import { useActionRunner } from '../row/run-action.ts'
import type { UntypedRow } from '../row/form-values.ts'
import { useKeyboardShortcut } from '../base/keys.ts'
import { useLanguage } from '../base/language.tsx'
import { useRefetchEditedCustomFields, useResourceWithCustomFields } from '../session/own-fields.ts'
import type { PageParts } from './page-parts.ts'
import { words } from '../base/page-words.ts'
import { useResourcePermissions } from '../session/use-may.ts'
import { useRefetchEditedDictionaries } from '../parts/use-dictionary.ts'
import { useLatestRef } from '../base/use-latest.ts'
import { tableColumnsOf, type TableColumn } from './columns.tsx'
import { withInlineEditing } from './inline-cell.tsx'
import { useAllRowActions, useListActionHandlers, type ListDialogsState, type ListActions } from './list-actions.ts'
import type { ListDefinition, ListSelection } from './list-definition.ts'
import { arrangeColumns, type ListSettings } from './list-settings.ts'
import { defaultListSort, type ListSort } from './list-state.ts'
import type { RowAction } from './row-buttons.tsx'
import { useResourceList, type ResourceList } from './use-list.ts'
import { useListSettings } from './use-list-settings.ts'
import { useSavedViewsOfList, type SavedViewsOfList } from './use-views.ts'

type ListRows = Pick<
  ResourceList,
  | 'rows'
  | 'total'
  | 'totalCapped'
  | 'isTree'
  | 'isPending'
  | 'isFetching'
  | 'error'
  | 'refetch'
  | 'arrived'
  | 'set'
  | 'params'
  | 'endless'
> & {
  sort: ListSort
  current: number
  size: number
  hasFilters: boolean
  /** The rows of the current page; cut out here if the server sends all rows at once. */
  shown: UntypedRow[]
}

type ListShape = {
  columns: TableColumn[]
  /** Keys of the columns whose cells can be edited in place. */
  inline: readonly string[]
  settings: ListSettings
  setSettings: (settings: ListSettings) => void
}

// Contexts split by what changes together, so that opening a dialog or detail or ticking a box redraws no rows.
const PlanContext = createContext<ListDefinition | undefined>(undefined)
const ListContext = createContext<ResourceList | undefined>(undefined)
const RowsContext = createContext<ListRows | undefined>(undefined)
const ChoiceContext = createContext<ListSelection | undefined>(undefined)
const ShapeContext = createContext<ListShape | undefined>(undefined)
const ViewsContext = createContext<SavedViewsOfList | undefined>(undefined)
const WorkContext = createContext<ListActions | undefined>(undefined)
const ActionsContext = createContext<((row: UntypedRow) => RowAction[]) | undefined>(undefined)
const LayersContext = createContext<ListDialogsState | undefined>(undefined)

function useWithin<T>(context: Context<T | undefined>): T {
  const value = useContext(context)
  if (value === undefined) throw new Error('A part of a list stands outside of <ListScope>')
  return value
}

/**
 * Returns the definition of the list: its resource, the page's own parts and the user's permissions. Never changes
 * while rows do.
 */
export const useListDefinition = () => useWithin(PlanContext)
/** Returns the whole list with its state. Changes with every filter, page and open detail. */
export const useCurrentList = () => useWithin(ListContext)
/** Returns the rows on screen with their sort order and paging. */
export const useListRows = () => useWithin(RowsContext)
/** Returns the selected rows. */
export const useListSelection = () => useWithin(ChoiceContext)
/** Returns the columns in the user's order, and the list's settings. */
export const useListColumns = () => useWithin(ShapeContext)
/** Returns the saved views of the list. */
export const useListSavedViews = () => useWithin(ViewsContext)
/** Returns the functions that start something: add, edit, remove, actions, detail. Never changes. */
export const useListActions = () => useWithin(WorkContext)
/** Returns a function that gives the actions of a row. */
export const useListRowActions = () => useWithin(ActionsContext)
/** Returns which dialogs are open above the list. */
export const useListDialogsState = () => useWithin(LayersContext)

const NO_PARTS: PageParts = {}

type Props = { resource: Resource<any, any>; page?: PageParts; children: ReactNode }

/** Provides the contexts for the parts of a list. Pages use `ListProvider`, which also renders the dialogs. */
export function ListContextProviders({ resource: declared, page = NO_PARTS, children }: Props) {
  const resource = useResourceWithCustomFields(declared)
  const may = useResourcePermissions(resource)
  const plan = useMemo(() => ({ resource, page, may }), [resource, page, may])
  const list = useResourceList(resource, {
    fixed: page.fixed,
    inAddress: !page.embedded,
    call: page.call,
    start: page.start,
    endless: useScreenSize() === 0,
  })
  const choice = useChoosing()
  const [layers, setLayers] = useState<ListDialogsState>({})
  const { run } = useActionRunner(resource)
  const work = useListActionHandlers({ plan, list, choice, setLayers, run })
  const views = useOwnViews(plan, list)
  useEditFromLink(plan, list, work)
  useRefetchEditedDictionaries()
  useRefetchEditedCustomFields()
  useKeyboardShortcut('n', words.add, () => may.add && !page.embedded && work.add())
  useKeyboardShortcut('r', words.refresh, () => !page.embedded && list.refetch())
  return (
    <PlanContext value={plan}>
      <WorkContext value={work}>
        <ActionsContext value={useAllRowActions(plan, work, list)}>
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

/** Opens the form that a link names, at its field; the detail instead, if the user may not edit. */
function useEditFromLink({ may }: ListDefinition, { state, set }: ResourceList, work: ListActions): void {
  const { edit } = state
  useEffect(() => {
    if (!edit) return
    set(({ edit: _opened, ...rest }) => rest)
    if (may.edit) work.edit(edit.id, edit.field)
    else work.open(edit.id)
  }, [edit, may, set, work])
}

function useRows(resource: Resource<any, any>, list: ResourceList): ListRows {
  const { rows, total, totalCapped, isTree, isPending, isFetching, error, refetch, arrived, set, state } = list
  const { params, endless } = list
  const { current, size } = state
  const sort = useMemo(() => state.sort ?? defaultListSort(resource), [state.sort, resource])
  const hasFilters = Object.keys(state.filters).length > 0
  const isWhole = resource.list.paged || isTree
  const isPhone = useScreenSize() === 0
  const shown = useMemo(
    () => (isWhole ? rows : rows.slice(isPhone ? 0 : (current - 1) * size, current * size)),
    [isWhole, isPhone, rows, current, size],
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
      params,
      endless,
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
      params,
      endless,
    ],
  )
}

function useChoosing(): ListSelection {
  const [{ chosen, isAll, isChoosing }, set] = useState<Pick<ListSelection, 'chosen' | 'isAll' | 'isChoosing'>>({
    chosen: [],
    isAll: false,
    isChoosing: false,
  })
  return useMemo(
    () => ({
      chosen,
      isAll,
      isChoosing,
      choose: (rows) => set((before) => ({ ...before, chosen: rows, isAll: false })),
      setAll: (next) => set((before) => ({ ...before, isAll: next })),
      setChoosing: (next) => set({ chosen: [], isAll: false, isChoosing: next }),
    }),
    [chosen, isAll, isChoosing],
  )
}

function useOwnViews({ resource, page }: ListDefinition, list: ResourceList): SavedViewsOfList {
  const [own, setOwn, isOwnKnown] = useListSettings(resource.name)
  return useSavedViewsOfList({ name: resource.name, isUsed: !page.embedded && !page.call, start: page.start }, list, {
    settings: own,
    set: setOwn,
    isKnown: isOwnKnown,
  })
}

const NONE: readonly string[] = []

function useShape({ resource, page, may }: ListDefinition, { settings, setSettings }: SavedViewsOfList): ListShape {
  const language = useLanguage()
  const latest = useLatestRef(setSettings)
  // A page's own cell may contain an input, which cannot stand inside the button that starts editing.
  const inline = useMemo(
    () => (may.edit ? resource.list.inline.filter((key) => !page.cells?.[key]) : NONE),
    [may.edit, resource, page.cells],
  )
  const declared = useMemo(
    () => withInlineEditing(mergePatch(tableColumnsOf(resource, language, page.cells), page.columns), inline),
    [resource, language, page.cells, page.columns, inline],
  )
  return useMemo(
    () => ({
      columns: arrangeColumns(declared, settings),
      inline,
      settings,
      setSettings: (next) => latest.current(next),
    }),
    [declared, inline, settings, latest],
  )
}

function mergePatch(columns: TableColumn[], own: PageParts['columns'] = []): TableColumn[] {
  const mixed = [...columns]
  for (const column of own) {
    const before = column.before
      ? mixed.findIndex(({ key }) => key === column.before)
      : mixed.findIndex(({ hidden }) => hidden)
    mixed.splice(before === -1 ? mixed.length : before, 0, column)
  }
  return mixed
}
