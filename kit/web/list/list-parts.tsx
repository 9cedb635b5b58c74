import type { QueryParams } from '../http/query-params.ts'
import { Button } from 'antd'
import { lazy, Suspense, useMemo } from 'react'
import type { Resource } from '#kit/resource/define-resource.ts'
import { sentenceLabelParams, pluralOf } from '#kit/base/localized-text.ts'
import { rowTitleOf } from '../row/action-words.ts'
import { currentLanguage, useLocalize } from '../base/language.tsx'
import { words } from '../base/page-words.ts'
import { ErrorNote, isRefusalError, EmptyStateNote } from '../parts/states.tsx'
import { Icon } from '../theme/icon.tsx'
import { DataTable } from './data-table.tsx'
import { FilterChips } from './filter-chips.tsx'
import { filterableListFields, timeFieldOfList } from './filters.ts'
import { InlineEditingProvider } from './inline-cell.tsx'
import {
  useListSelection,
  useListRowActions,
  useListDefinition,
  useListRows,
  useListColumns,
  useCurrentList,
  useListActions,
} from './list-scope.tsx'
import { columnSettingsOf } from './list-settings.ts'
import { withListFilters } from './list-state.ts'
import { ListToolbar, useCanSelectRows } from './list-toolbar.tsx'
import { rowClickHandlerOf } from './list-actions.ts'
import { Pager } from './pager.tsx'
import type { RowLinesOptions } from './row-lines-options.ts'
import { SearchBar } from './search-bar.tsx'
import { useSession, type UserScopeLimits } from '../session/session.ts'
import type { TablePaging } from './table-props.ts'

const ViewChooser = lazy(() => import('./view-chooser.tsx'))
const ViewTabs = lazy(() => import('./view-tabs.tsx'))

/** Head of a list page: title, introduction, chooser of the saved view and the views shown as tabs. */
export function ListTitle() {
  const t = useLocalize()
  const { resource, page } = useListDefinition()
  return (
    <>
      <header className="kit-title">
        <h1>{t(pluralOf(resource.label))}</h1>
        {page.intro && <p>{t(page.intro)}</p>}
        {!page.call && (
          <Suspense fallback={<div className="kit-views-place" />}>
            <ViewChooser />
          </Suspense>
        )}
      </header>
      {!page.call && (
        <Suspense>
          <ViewTabs />
        </Suspense>
      )}
    </>
  )
}

/** The search boxes and, in the same line, `beside`: the list's toolbar by default. */
export function ListFilters({ beside = <ListToolbar /> }: { beside?: React.ReactNode }) {
  const { resource, page } = useListDefinition()
  const { state, set } = useCurrentList()
  return (
    <SearchBar
      fields={page.embedded ? resource.fields : filterableListFields(resource)}
      filters={state.filters}
      boxes={page.boxes}
      time={page.embedded ? undefined : timeFieldOfList(resource)}
      onChange={(changes) => set((before) => withListFilters(before, changes))}
      beside={beside}
    />
  )
}

/** Chips of the list's active filters, each with a button that removes it. */
export function ListFilterChips() {
  const { resource, page } = useListDefinition()
  const { state, set } = useCurrentList()
  const drop = (keys: string[]) =>
    set((before) => withListFilters(before, Object.fromEntries(keys.map((key) => [key, '']))))
  return <FilterChips fields={resource.fields} filters={state.filters} texts={page.chips} onDrop={drop} />
}

/** Content the page declares above the table. */
export function ListPageHead() {
  return useListDefinition().page.head?.(useCurrentList())
}

/** Content the page declares beside the list. */
export function ListPagePanel() {
  return <aside className="kit-panel">{useListDefinition().page.panel?.(useCurrentList())}</aside>
}

/** Notice that the rows shown are old because refetching them failed. */
export function ListStaleNotice() {
  const t = useLocalize()
  const { error, rows, refetch } = useListRows()
  if (!error || !rows.length) return null
  return (
    <div className="kit-stale" role="alert">
      {isRefusalError(error) ? (
        error.message
      ) : (
        <>
          {t(words.failedList)}: {error.message}{' '}
          <Button type="link" size="small" onClick={refetch}>
            {t(words.retry)}
          </Button>
        </>
      )}
    </div>
  )
}

/** The rows as a table or cards with their pager, or the reason why there are none. */
export function ListTable() {
  const t = useLocalize()
  const plan = useListDefinition()
  const { resource, page } = plan
  const rows = useListRows()
  const { chosen, choose } = useListSelection()
  const { columns, inline, settings, setSettings } = useListColumns()
  const isChosen = useCanSelectRows(resource) || !!page.many

  return (
    <InlineEditingProvider
      resource={resource}
      rows={rows.shown}
      keys={columns.filter(({ key, hidden }) => !hidden && inline.includes(key)).map(({ key }) => key)}
      cells={page.cells}
    >
      <DataTable
        label={t(pluralOf(resource.label))}
        columns={columns}
        rows={rows.shown}
        isPending={rows.isPending && !rows.error}
        isFetching={rows.isFetching}
        instead={useInstead()}
        sort={rows.sort}
        onSort={(sort) => rows.set((before) => ({ ...before, sort, current: 1 }))}
        paging={usePaging()}
        rowActions={useListRowActions()}
        actionsWidth={page.actionsWidth}
        current={page.current}
        chosen={chosen}
        onChoose={isChosen ? choose : undefined}
        onOpen={rowClickHandlerOf(plan, useListActions())}
        titleOf={(row) => rowTitleOf(resource, row)}
        arrived={rows.arrived}
        density={settings.density}
        onWidth={(key, width) => setSettings({ ...settings, columns: columnSettingsOf(columns, { [key]: { width } }) })}
        isTree={rows.isTree}
        below={page.rowExtras}
        totals={page.totals?.(rows.shown)}
        lines={useRowLines()}
      />
    </InlineEditingProvider>
  )
}

/** How the list's rows are drawn on a phone. */
function useRowLines(): RowLinesOptions {
  const { resource } = useListDefinition()
  const { params, endless } = useListRows()
  const { isChoosing, setChoosing } = useListSelection()
  const limits = useSession((session) => session.limits)
  const omit = useMemo(() => sameForAll(resource, params, limits), [resource, params, limits])
  return useMemo(
    () => ({ resource, params, scroll: endless, omit, isChoosing, onChoosing: setChoosing }),
    [resource, params, endless, omit, isChoosing, setChoosing],
  )
}

/** Fields that have one value in all rows: of a limit with one row, such as a shop, or of a filter by one value. */
function sameForAll({ scope }: Resource<any, any>, params: QueryParams, limits: UserScopeLimits): ReadonlySet<string> {
  const keys = Object.entries(scope)
    .filter(([limit, key]) => limits[limit]?.only !== undefined || /^\d+$/.test(String(params[key] ?? '')))
    .map(([, key]) => key)
  return new Set(keys)
}

/** The pager alone, for pages that draw the rows themselves. */
export function ListPager() {
  const paging = usePaging()
  return paging && <Pager {...paging} />
}

function usePaging(): TablePaging | undefined {
  const { isTree, current, size, total, totalCapped, set } = useListRows()
  if (isTree) return undefined
  return {
    current,
    size,
    total,
    totalCapped,
    onChange: (nextCurrent, nextSize) => set((before) => ({ ...before, current: nextCurrent, size: nextSize })),
  }
}

/** Returns what to show instead of rows: an error or the reason the list is empty; undefined if there are rows. */
function useInstead(): React.ReactNode {
  const { resource } = useListDefinition()
  const { rows, shown, error, isPending, isTree, current } = useListRows()
  if (error && !rows.length) return <FailedList />
  const isBeyond = !resource.list.paged && !isTree && !shown.length && current > 1
  if (isPending || (rows.length && !isBeyond)) return undefined
  return <EmptyList />
}

function FailedList() {
  const t = useLocalize()
  const { error, refetch } = useListRows()
  return error && <ErrorNote title={t(words.failedList)} error={error} retry={refetch} />
}

function EmptyList() {
  const { page } = useListDefinition()
  const { current, total, hasFilters } = useListRows()
  if (current > 1 && total > 0) return <EmptyPage />
  if (hasFilters || page.isNarrowed) return <NothingFound />
  return <NothingYet />
}

function EmptyPage() {
  const t = useLocalize()
  const { set } = useListRows()
  return (
    <EmptyStateNote icon="inbox" title={t(words.emptyPage)}>
      <Button onClick={() => set((before) => ({ ...before, current: 1 }))}>{t(words.firstPage)}</Button>
    </EmptyStateNote>
  )
}

function NothingFound() {
  const t = useLocalize()
  const { set, hasFilters } = useListRows()
  return (
    <EmptyStateNote
      icon="file-search"
      title={t(words.emptyFilter)}
      hint={hasFilters ? t(words.emptyFilterHint) : undefined}
    >
      {hasFilters && (
        <Button onClick={() => set((before) => ({ ...before, filters: {}, current: 1 }))}>
          {t(words.clearFilters)}
        </Button>
      )}
    </EmptyStateNote>
  )
}

function NothingYet() {
  const t = useLocalize()
  const { resource, may } = useListDefinition()
  const { add } = useListActions()
  return (
    <EmptyStateNote
      icon="inbox"
      title={t(words.emptyFirst, sentenceLabelParams(resource.label, currentLanguage()))}
      hint={t(may.add ? words.emptyFirstHint : words.emptyFirstWait)}
    >
      {may.add && (
        <Button type="primary" icon={<Icon name="plus" />} onClick={() => add()}>
          {t(words.add)}
        </Button>
      )}
    </EmptyStateNote>
  )
}
