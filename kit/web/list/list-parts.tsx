import { Button } from 'antd'
import { lazy, Suspense } from 'react'
import { labelsWithin, pluralOf } from '#kit/resource/localized-text.ts'
import { titleOf } from '../form/action-words.ts'
import { lang, useLocalize } from '../language.tsx'
import { words } from '../page-words.ts'
import { ErrorNote, isRefusal, StateNote } from '../parts/states.tsx'
import { Icon } from '../theme/icon.tsx'
import { DataTable } from './data-table.tsx'
import { FilterChips } from './filter-chips.tsx'
import { askedFields, listTime } from './filters.ts'
import { InlineTable } from './inline-cell.tsx'
import {
  useListSelection,
  useRowActionsOf,
  useListPlan,
  useListRows,
  useListShape,
  useShownList,
  useListActions,
} from './list-scope.tsx'
import { settingsOf } from './list-settings.ts'
import { withFilters } from './list-state.ts'
import { ListToolbar, useBulk } from './list-toolbar.tsx'
import { rowClickOf } from './list-actions.ts'
import { Pager } from './pager.tsx'
import { SearchBar } from './search-bar.tsx'
import type { Paging } from './table-props.ts'

const ViewChooser = lazy(() => import('./view-chooser.tsx'))
const ViewTabs = lazy(() => import('./view-tabs.tsx'))

/** What the page is called and for, the saved view it stands on, and those that are tabs. */
export function ListTitle() {
  const t = useLocalize()
  const { resource, page } = useListPlan()
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

/** The search boxes, and in their line what stands beside them: the buttons of the list, unless said otherwise. */
export function ListFilters({ beside = <ListToolbar /> }: { beside?: React.ReactNode }) {
  const { resource, page } = useListPlan()
  const { state, set } = useShownList()
  return (
    <SearchBar
      fields={page.embedded ? resource.fields : askedFields(resource)}
      filters={state.filters}
      boxes={page.boxes}
      time={page.embedded ? undefined : listTime(resource)}
      onChange={(changes) => set((before) => withFilters(before, changes))}
      beside={beside}
    />
  )
}

/** The filters at work, each with a way to drop it. */
export function ListChips() {
  const { resource, page } = useListPlan()
  const { state, set } = useShownList()
  const drop = (keys: string[]) =>
    set((before) => withFilters(before, Object.fromEntries(keys.map((key) => [key, '']))))
  return <FilterChips fields={resource.fields} filters={state.filters} texts={page.chips} onDrop={drop} />
}

/** What the module has above the table. */
export function ListHead() {
  return useListPlan().page.head?.(useShownList())
}

/** What the module has beside the list. */
export function ListPanel() {
  return <aside className="kit-panel">{useListPlan().page.panel?.(useShownList())}</aside>
}

/** Says that the rows on screen are those of before: asking for newer ones failed. */
export function ListStale() {
  const t = useLocalize()
  const { error, rows, refetch } = useListRows()
  if (!error || !rows.length) return null
  return (
    <div className="kit-stale" role="alert">
      {isRefusal(error) ? (
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

/** The rows, as a table or as cards, with their pager; where there are none, why. */
export function ListTable() {
  const t = useLocalize()
  const plan = useListPlan()
  const { resource, page } = plan
  const rows = useListRows()
  const { chosen, choose } = useListSelection()
  const { columns, inline, settings, setSettings } = useListShape()
  const isChosen = useBulk(resource) || !!page.many
  return (
    <InlineTable
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
        rowActions={useRowActionsOf()}
        actionsWidth={page.actionsWidth}
        current={page.current}
        chosen={chosen}
        onChoose={isChosen ? choose : undefined}
        onOpen={rowClickOf(plan, useListActions())}
        titleOf={(row) => titleOf(resource, row)}
        arrived={rows.arrived}
        density={settings.density}
        onWidth={(key, width) => setSettings({ ...settings, columns: settingsOf(columns, { [key]: { width } }) })}
        isTree={rows.isTree}
        below={page.rowExtras}
        totals={page.totals?.(rows.shown)}
      />
    </InlineTable>
  )
}

/** A pager by itself, for pages that draw the rows in their own way. */
export function ListPager() {
  const paging = usePaging()
  return paging && <Pager {...paging} />
}

function usePaging(): Paging | undefined {
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

/** What stands where the rows would be when there are none. */
function useInstead(): React.ReactNode {
  const { resource } = useListPlan()
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
  const { page } = useListPlan()
  const { current, total, hasFilters } = useListRows()
  if (current > 1 && total > 0) return <EmptyPage />
  if (hasFilters || page.isNarrowed) return <NothingFound />
  return <NothingYet />
}

function EmptyPage() {
  const t = useLocalize()
  const { set } = useListRows()
  return (
    <StateNote icon="inbox" title={t(words.emptyPage)}>
      <Button onClick={() => set((before) => ({ ...before, current: 1 }))}>{t(words.firstPage)}</Button>
    </StateNote>
  )
}

function NothingFound() {
  const t = useLocalize()
  const { set, hasFilters } = useListRows()
  return (
    <StateNote icon="file-search" title={t(words.emptyFilter)} hint={hasFilters ? t(words.emptyFilterHint) : undefined}>
      {hasFilters && (
        <Button onClick={() => set((before) => ({ ...before, filters: {}, current: 1 }))}>
          {t(words.clearFilters)}
        </Button>
      )}
    </StateNote>
  )
}

function NothingYet() {
  const t = useLocalize()
  const { resource, may } = useListPlan()
  const { add } = useListActions()
  return (
    <StateNote
      icon="inbox"
      title={t(words.emptyFirst, labelsWithin(resource.label, lang()))}
      hint={t(may.add ? words.emptyFirstHint : words.emptyFirstWait)}
    >
      {may.add && (
        <Button type="primary" icon={<Icon name="plus" />} onClick={() => add()}>
          {t(words.add)}
        </Button>
      )}
    </StateNote>
  )
}
