import { Button } from 'antd'
import { lazy, Suspense, useMemo, useState, type ReactNode } from 'react'
import { parentKeyOf } from '#kit/fields/kinds.ts'
import type { Action, BaseKey, Only, Resource } from '#kit/resource/define-resource.ts'
import type { Asked } from './form/action-dialog.tsx'
import { titleOf } from './form/action-words.ts'
import type { BulkAsk, Preview } from './list/bulk-dialog.tsx'
import { columnsOf, type Column } from './list/columns.tsx'
import { DataTable } from './list/data-table.tsx'
import type { FormLayout, Inputs } from './form/edit-form.tsx'
import type { Cells } from './detail/field-cell.tsx'
import { FilterChips } from './list/filter-chips.tsx'
import type { Filters } from './list/filters.ts'
import type { Row } from './form/form-values.ts'
import type { Params } from './http.ts'
import { Icon } from './theme/icon.tsx'
import { useKey } from './keys.ts'
import { useLang, useSay, type Words } from './language.tsx'
import { InlineTable, inlineColumns } from './list/inline-cell.tsx'
import { arrange, settingsOf, type ListSettings } from './list/list-settings.ts'
import { defaultSort, listParams, withFilters } from './list/list-state.ts'
import { ChosenBar, ListToolbar, useBulk } from './list/list-toolbar.tsx'
import { words } from './page-words.ts'
import { useRowDeeds, type Deed } from './list/row-buttons.tsx'
import { RowButtons } from './list/row-buttons.tsx'
import { callAction, refusalOf, targetOf, useActionRunner } from './form/run-action.ts'
import { SearchBar } from './list/search-bar.tsx'
import { ErrorNote, StateNote } from './parts/states.tsx'
import { toast } from './parts/toast.ts'
import { useFreshDictionaries } from './use-dictionary.ts'
import { useList, type List } from './list/use-list.ts'
import { useListSettings } from './list/use-list-settings.ts'
import { useMay } from './session/use-may.ts'
import { useViews } from './list/use-views.ts'
import './kit.css'

const ActionDialog = lazy(() => import('./form/action-dialog.tsx'))
const RemoveDialog = lazy(() => import('./form/remove-dialog.tsx'))
const BulkDialog = lazy(() => import('./list/bulk-dialog.tsx'))
const RecycleBin = lazy(() => import('./list/recycle-bin.tsx'))
const ViewChooser = lazy(() => import('./list/view-chooser.tsx'))
const SheetImport = lazy(() => import('./list/sheet-import.tsx'))
const EditDialog = lazy(() => import('./form/edit-dialog.tsx'))
const DetailDrawer = lazy(() => import('./detail/detail-drawer.tsx'))

/** What a room says about its page beyond the declaration. Every part is optional and replaces just that part. */
export type PageParts = {
  /** One sentence below the title: what the page is for. */
  intro?: Words
  /** Cells by field, in the table, on cards and in the detail. */
  cells?: Cells
  /** Inputs by field. */
  inputs?: Inputs
  formLayout?: FormLayout
  /** Columns of the page's own, after the declared ones or before one of them. */
  columns?: (Column & { before?: string })[]
  /** More things to do with a row. */
  deeds?: (row: Row, list: List) => Deed[]
  /** Below a row, when it is unfolded. */
  rowExtras?: (row: Row) => ReactNode
  /** Beside the table; gets the list, so that it can filter it. */
  panel?: (list: List) => ReactNode
  /** Above the table, below the filters: figures, a chart. */
  head?: (list: List) => ReactNode
  /** More buttons above the table. */
  toolbar?: (list: List) => ReactNode
  /** What else can be done with chosen rows, at the foot; left out for those who may do none of it. */
  many?: (rows: Row[]) => Deed[]
  /** Instead of the facts in the detail. */
  detail?: (row: Row) => ReactNode
  /** Beside the facts in the detail. */
  beside?: (row: Row) => ReactNode
  /** Instead of opening the detail when a row is clicked. */
  onRow?: (row: Row) => void
  /**
   * Id of the row shown beside the list, "" for none yet: a click (`onRow`) picks a row, and its detail opens by the
   * button.
   */
  current?: string
  /** Instead of the derived form, for adding and editing. */
  form?: (props: { id?: string; preset?: Row; onClose: (saved: boolean) => void }) => ReactNode
  /** A row was added by the derived form: what the server answered. */
  onAdded?: (answer: Row) => void
  /** Filters the reader cannot change. */
  fixed?: Params
  /** Filters the list begins with where the address says none; one object for the life of the page. */
  start?: Filters
  /** What doing something with many rows comes to, above its preview. */
  bulkNote?: (ask: BulkAsk, preview: Preview) => ReactNode
  /** The page narrows the list by itself now: without rows it says that nothing matches, not that there is nothing. */
  isNarrowed?: boolean
  /** Instead of the derived export; gets the filters. */
  onExport?: (params: Record<string, string>) => Promise<void>
  /** Last part of the list's path; `list` unless said. */
  call?: string
  /** What can be done with a row in the end: takes deeds away, greys them, reorders them. */
  tame?: (deeds: Deed[], row: Row) => Deed[]
  /** Width of the column of row buttons, and of the form. */
  deedsWidth?: number
  formWidth?: number
  /** Values a new row starts with. */
  preset?: (list: List) => Row
  /** Totals under the columns. */
  totals?: (rows: Row[]) => Record<string, ReactNode> | undefined
  /** A list inside something else: no title, and its state is not in the address. */
  embedded?: boolean
}

type KeyOf<R extends Resource<any, any>> = Extract<keyof R['fields'], string> | BaseKey
type ArgumentOf<A> = { [K in keyof A]: A[K] extends { input: infer I } ? keyof I : never }[keyof A]

/** What is made for any resource has no keys to look at. */
type OfKeys<T, K extends string> = string extends keyof T ? T : T & Only<T, Record<K, unknown>>

/** Parts for one resource: cells and inputs of fields it does not have do not compile. */
export type PartsOf<R extends Resource<any, any>, C extends Cells, I extends Inputs> = PageParts & {
  cells?: OfKeys<C, KeyOf<R>>
  inputs?: OfKeys<I, KeyOf<R> | Extract<ArgumentOf<R['actions']>, string>>
}

type Editing = { id?: string; preset?: Row }

/** The page of a resource, derived from its declaration: title, filters, buttons, rows, form and detail. */
export function ResourcePage<
  R extends Resource<any, any>,
  C extends Cells = Record<never, never>,
  I extends Inputs = Record<never, never>,
>(props: { resource: R; page?: PartsOf<R, C, I> }) {
  const { resource, page = {} }: { resource: Resource<any, any>; page?: PageParts } = props
  const say = useSay()
  const may = useMay(resource)
  const list = useList(resource, { fixed: page.fixed, inAddress: !page.embedded, call: page.call, start: page.start })
  const { state, set } = list
  const [chosen, setChosen] = useState<Row[]>([])
  // All that the filters find is chosen, beyond the rows on screen.
  const [isAll, setAll] = useState(false)
  const [bulk, setBulk] = useState<BulkAsk>()
  const [isBinOpen, setBinOpen] = useState(false)
  const [own, setOwn, isOwnKnown] = useListSettings(resource.name)
  const views = useViews(resource.name, list, own, setOwn, {
    isOwnKnown,
    isUsed: !page.embedded && !page.call,
    start: page.start,
  })
  const [editing, setEditing] = useState<Editing>()
  const [removing, setRemoving] = useState<Row[]>()
  const [asked, setAsked] = useState<Asked>()
  const [importing, setImporting] = useState(false)
  const { run } = useActionRunner(resource)
  useFreshDictionaries()

  const open = (id: string | undefined) => set((before) => ({ ...before, detail: id }))
  const onRow = page.onRow ?? (may.view ? (row: Row) => open(String(row.id)) : undefined)
  const many = (deed: string, label: Words, rows: Row[], action?: Action) =>
    setBulk({
      deed,
      label,
      rows,
      action,
      filter: isAll ? { ...listParams({ ...state, sort: undefined }), ...page.fixed } : undefined,
    })
  const act = (name: string, action: Action, rows: Row[], isMany = false) => {
    if (isMany && (isAll || action.on === 'row')) return many(name, action.label, rows, action)
    if (action.confirm || action.danger || Object.keys(action.input ?? {}).length)
      return setAsked({ name, action, rows })
    const target =
      action.on === 'row'
        ? targetOf(rows[0]!)
        : action.on === 'bulk'
          ? { ids: rows.map((row) => row.id).join(',') }
          : {}
    void run(() => callAction(resource, name, action, target, undefined, { quiet: true }), action.done).catch(
      (reason: Error) => {
        const { row } = refusalOf(reason)
        if (row) setAsked({ name, action, rows, theirs: row })
        else toast.error(reason.message)
      },
    )
  }
  const allDeeds = useRowDeeds(
    resource,
    {
      onView: page.current !== undefined && may.view ? (row) => open(String(row.id)) : onRow,
      onEdit: (row) => setEditing({ id: String(row.id) }),
      onRemove: (row) => setRemoving([row]),
      onAction: (name, action, row) => act(name, action, [row]),
    },
    (row) => [
      ...(list.isTree && may.add
        ? [
            {
              key: 'below',
              label: words.addBelow,
              icon: 'plus',
              run: () => setEditing({ preset: { [parentKeyOf(resource.fields)!]: String(row.id) } }),
            },
          ]
        : []),
      ...(page.deeds?.(row, list) ?? []),
    ],
  )
  const deedsOf = (row: Row) => (page.tame ? page.tame(allDeeds(row), row) : allDeeds(row))
  const add = () => setEditing({})
  const presetOf = ({ id, preset }: Editing) => (id ? undefined : { ...page.preset?.(list), ...preset })
  useKey('n', words.add, () => may.add && !page.embedded && add())
  useKey('r', words.refresh, () => !page.embedded && list.refetch())
  const choose = (rows: Row[]) => {
    setAll(false)
    setChosen(rows)
  }
  const afterWrite = (done: boolean) => {
    if (done) choose([])
  }
  return (
    <div className={page.embedded ? 'kit-page kit-page-embedded' : 'kit-page'}>
      {!page.embedded && (
        <header className="kit-title">
          <h1>{say(resource.label)}</h1>
          {page.intro && <p>{say(page.intro)}</p>}
          {!page.call && (
            <Suspense>
              <ViewChooser views={views} />
            </Suspense>
          )}
        </header>
      )}
      <div className={page.panel ? 'kit-with-panel' : undefined}>
        {page.panel && <aside className="kit-panel">{page.panel(list)}</aside>}
        <ListCard
          resource={resource}
          page={page}
          list={list}
          settings={views.settings}
          onSettings={views.setSettings}
          chosen={chosen}
          onChoose={choose}
          isAll={isAll}
          onAll={page.call ? undefined : setAll}
          onRow={onRow}
          deedsOf={deedsOf}
          onAdd={add}
          onRemove={(rows) => (isAll || rows.length > 1 ? many('remove', words.remove, rows) : setRemoving(rows))}
          onAction={(name, action, rows) => act(name, action, rows, true)}
          onEdit={(rows) => many('edit', words.bulkEdit, rows)}
          onBin={() => setBinOpen(true)}
          onImport={page.embedded ? undefined : () => setImporting(true)}
        />
      </div>
      {/* Each layer waits by itself: one that is still on its way takes no other out of the document. */}
      <Suspense>
        {state.detail && (
          <DetailDrawer
            resource={resource}
            id={state.detail}
            onClose={() => open(undefined)}
            cells={page.cells}
            view={page.detail}
            beside={page.beside}
            actions={(row, wide) => <RowButtons wide={wide} deeds={deedsOf(row).filter(({ key }) => key !== 'view')} />}
          />
        )}
      </Suspense>
      <Suspense>
        {editing &&
          (page.form ? (
            page.form({ ...editing, preset: presetOf(editing), onClose: () => setEditing(undefined) })
          ) : (
            <EditDialog
              resource={resource}
              {...editing}
              preset={presetOf(editing)}
              inputs={page.inputs}
              cells={page.cells}
              layout={page.formLayout}
              width={page.formWidth}
              onAdded={page.onAdded}
              onClose={() => setEditing(undefined)}
            />
          ))}
      </Suspense>
      <Suspense>
        {bulk && (
          <BulkDialog
            resource={resource}
            ask={bulk}
            cells={page.cells}
            note={page.bulkNote}
            onClose={(done) => {
              setBulk(undefined)
              afterWrite(done)
            }}
          />
        )}
      </Suspense>
      <Suspense>
        {isBinOpen && <RecycleBin resource={resource} cells={page.cells} onClose={() => setBinOpen(false)} />}
      </Suspense>
      <Suspense>
        {removing && (
          <RemoveDialog
            resource={resource}
            rows={removing}
            onClose={(done) => {
              setRemoving(undefined)
              afterWrite(done)
              if (done && removing.some((row) => String(row.id) === state.detail)) open(undefined)
            }}
          />
        )}
      </Suspense>
      <Suspense>
        {importing && (
          <SheetImport label={say(resource.label)} path={resource.path} onClose={() => setImporting(false)} />
        )}
      </Suspense>
      <Suspense>
        {asked && (
          <ActionDialog
            resource={resource}
            asked={asked}
            inputs={page.inputs}
            onClose={(done) => {
              setAsked(undefined)
              afterWrite(done && asked.action.on === 'bulk')
            }}
          />
        )}
      </Suspense>
    </div>
  )
}

type CardProps = {
  resource: Resource<any, any>
  page: PageParts
  list: List
  chosen: Row[]
  onChoose: (rows: Row[]) => void
  onRow?: (row: Row) => void
  deedsOf: (row: Row) => Deed[]
  onAdd: () => void
  onRemove: (rows: Row[]) => void
  onAction: (name: string, action: Action, rows: Row[]) => void
  settings: ListSettings
  onSettings: (settings: ListSettings) => void
  isAll: boolean
  onAll?: (isAll: boolean) => void
  onEdit: (rows: Row[]) => void
  onBin: () => void
  onImport?: () => void
}

function ListCard({
  resource,
  page,
  list,
  settings,
  onSettings,
  chosen,
  onChoose,
  isAll,
  onAll,
  onRow,
  deedsOf,
  onAdd,
  onRemove,
  onAction,
  onEdit,
  onBin,
  onImport,
}: CardProps) {
  const say = useSay()
  const language = useLang()
  const { state, set } = list
  const hasBulk = useBulk(resource) || !!page.many
  const may = useMay(resource)
  // A cell of the page's own may hold an input already, which cannot stand in a button.
  const inline = useMemo(
    () => (may.edit ? resource.list.inline.filter((key) => !page.cells?.[key]) : NONE),
    [may.edit, resource, page.cells],
  )
  const declared = useMemo(
    () => inlineColumns(mixIn(columnsOf(resource, language, page.cells), page.columns), inline),
    [resource, language, page.cells, page.columns, inline],
  )
  const columns = useMemo(() => arrange(declared, settings), [declared, settings])
  const isPaged = resource.list.paged
  // What the server sends whole is still shown by the page; a tree is one piece.
  const rows =
    isPaged || list.isTree ? list.rows : list.rows.slice((state.current - 1) * state.size, state.current * state.size)
  return (
    <section className="kit-list">
      <SearchBar
        fields={resource.fields}
        filters={state.filters}
        noTime={!isPaged || page.embedded}
        onChange={(changes) => set((before) => withFilters(before, changes))}
        beside={
          <ListToolbar
            resource={resource}
            list={list}
            columns={columns}
            settings={settings}
            onSettings={onSettings}
            onAdd={onAdd}
            onAction={onAction}
            onBin={onBin}
            extra={page.toolbar?.(list)}
            onExport={page.onExport}
            onImport={onImport}
          />
        }
      />
      <FilterChips
        fields={resource.fields}
        filters={state.filters}
        onDrop={(keys) => set((before) => withFilters(before, Object.fromEntries(keys.map((key) => [key, '']))))}
      />
      {page.head?.(list)}
      {list.error && list.rows.length > 0 && (
        <div className="kit-stale" role="alert">
          {say(words.failedList)}: {list.error.message}{' '}
          <Button type="link" size="small" onClick={list.refetch}>
            {say(words.retry)}
          </Button>
        </div>
      )}
      <InlineTable
        resource={resource}
        rows={rows}
        keys={columns.filter(({ key, hidden }) => !hidden && inline.includes(key)).map(({ key }) => key)}
        cells={page.cells}
      >
        <DataTable
          label={say(resource.label)}
          columns={columns}
          rows={rows}
          isPending={list.isPending && !list.error}
          isFetching={list.isFetching}
          instead={insteadOf(resource, list, onAdd, page.isNarrowed)}
          sort={state.sort ?? defaultSort(resource)}
          onSort={(sort) => set((before) => ({ ...before, sort, current: 1 }))}
          paging={
            !list.isTree
              ? {
                  current: state.current,
                  size: state.size,
                  total: list.total,
                  totalCapped: list.totalCapped,
                  onChange: (current, size) => set((before) => ({ ...before, current, size })),
                }
              : undefined
          }
          deeds={deedsOf}
          deedsWidth={page.deedsWidth}
          current={page.current}
          chosen={chosen}
          onChoose={hasBulk ? onChoose : undefined}
          onOpen={onRow}
          titleOf={(row) => titleOf(resource, row)}
          arrived={list.arrived}
          density={settings.density}
          onWidth={(key, width) => onSettings({ ...settings, columns: settingsOf(columns, { [key]: { width } }) })}
          isTree={list.isTree}
          below={page.rowExtras}
          totals={page.totals?.(rows)}
        />
      </InlineTable>
      <ChosenBar
        resource={resource}
        list={list}
        chosen={chosen}
        more={page.many}
        onChoose={onChoose}
        onRemove={onRemove}
        onAction={onAction}
        isAll={isAll}
        onAll={onAll}
        onEdit={onEdit}
      />
    </section>
  )
}

const NONE: readonly string[] = []

function mixIn(columns: Column[], own: PageParts['columns'] = []): Column[] {
  const mixed = [...columns]
  for (const column of own) {
    const before = column.before
      ? mixed.findIndex(({ key }) => key === column.before)
      : mixed.findIndex(({ hidden }) => hidden)
    mixed.splice(before === -1 ? mixed.length : before, 0, column)
  }
  return mixed
}

/** What stands where the rows would be when there are none. */
function insteadOf(resource: Resource<any, any>, list: List, onAdd: () => void, isNarrowed?: boolean): ReactNode {
  if (list.error && !list.rows.length) return <FailedList list={list} />
  const isBeyond =
    !resource.list.paged && !list.isTree && (list.state.current - 1) * list.state.size >= list.rows.length
  if (list.isPending || (list.rows.length && !isBeyond)) return undefined
  return <EmptyList resource={resource} list={list} onAdd={onAdd} isNarrowed={isNarrowed} />
}

function FailedList({ list }: { list: List }) {
  return <ErrorNote title={useSay()(words.failedList)} error={list.error!} retry={list.refetch} />
}

function EmptyList({
  resource,
  list,
  onAdd,
  isNarrowed,
}: {
  resource: Resource<any, any>
  list: List
  onAdd: () => void
  isNarrowed?: boolean
}) {
  const say = useSay()
  const may = useMay(resource)
  const { state, set } = list
  if (state.current > 1 && list.total > 0) {
    return (
      <StateNote icon="inbox" title={say(words.emptyPage)}>
        <Button onClick={() => set((before) => ({ ...before, current: 1 }))}>{say(words.firstPage)}</Button>
      </StateNote>
    )
  }
  const hasFilters = Object.keys(state.filters).length > 0
  if (hasFilters || isNarrowed) {
    return (
      <StateNote
        icon="file-search"
        title={say(words.emptyFilter)}
        hint={hasFilters ? say(words.emptyFilterHint) : undefined}
      >
        {hasFilters && (
          <Button onClick={() => set((before) => ({ ...before, filters: {}, current: 1 }))}>
            {say(words.clearFilters)}
          </Button>
        )}
      </StateNote>
    )
  }
  return (
    <StateNote
      icon="inbox"
      title={say(words.emptyFirst, { label: say(resource.label) })}
      hint={say(may.add ? words.emptyFirstHint : words.emptyFirstWait)}
    >
      {may.add && (
        <Button type="primary" icon={<Icon name="plus" />} onClick={onAdd}>
          {say(words.add)}
        </Button>
      )}
    </StateNote>
  )
}
