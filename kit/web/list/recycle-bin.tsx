import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { Button, Input } from 'antd'
import { lazy, Suspense, useMemo, useState } from 'react'
import type { Resource } from '#kit/resource/define-resource.ts'
import { pluralOf } from '#kit/base/localized-text.ts'
import { tableColumnsOf, type TableColumn } from './columns.tsx'
import { DataTable } from './data-table.tsx'
import { Drawer } from '../parts/drawer.tsx'
import type { CellOverrides } from '../row/field-cell.tsx'
import type { UntypedRow } from '../row/form-values.ts'
import { apiGet, apiPost } from '../http/http.ts'
import { Icon } from '../theme/icon.tsx'
import { useLanguage, useLocalize } from '../base/language.tsx'
import { DEFAULT_PAGE_SIZE } from './list-state.ts'
import { words } from '../base/list-words.ts'
import { words as kit } from '../base/page-words.ts'
import { ErrorNote, EmptyStateNote } from '../parts/states.tsx'
import { useTab } from '../base/tab.ts'
import { toast } from '../base/toast.ts'
import { useInvalidateResource } from '../row/use-detail.ts'
import { RelativeTime } from '../parts/relative-time.tsx'
import '../row/list-work.css'

const RowHistory = lazy(() => import('../detail/row-history.tsx'))

type Page = { records: UntypedRow[]; total: number }

type BinProps = { name: string; columns: TableColumn[]; onOpen?: (row: UntypedRow) => void }

/** Removed rows of a resource, newest first, with a search, the detail and a button to restore. */
export function RecycleBinRows({ name, columns, onOpen }: BinProps) {
  const t = useLocalize()
  const [key, setKey] = useState('')
  const [place, setPlace] = useState({ current: 1, size: DEFAULT_PAGE_SIZE })
  const [chosen, setChosen] = useState<UntypedRow[]>([])
  const query = useBin(name, { key, ...place })
  const { restore, running } = useRestore(name, () => setChosen([]))
  const { data, error } = query

  return (
    <>
      <div className="kit-bin-bar">
        <Input
          allowClear
          prefix={<Icon name="search" />}
          placeholder={t(words.binSearch)}
          aria-label={t(words.binSearch)}
          onChange={(event) => {
            setKey(event.target.value.trim())
            setPlace({ ...place, current: 1 })
          }}
        />
        {chosen.length > 0 && (
          <Button type="primary" loading={running} onClick={() => void restore(chosen)}>
            {t(words.restoreChosen)} ({chosen.length})
          </Button>
        )}
      </div>
      <DataTable
        label={t(kit.bin)}
        columns={useBinColumns(columns)}
        rows={data?.records ?? []}
        isPending={query.isPending}
        isFetching={query.isFetching}
        instead={
          error ? (
            <ErrorNote title={t(kit.failedList)} error={error} retry={() => void query.refetch()} />
          ) : (
            data && !data.total && <NothingIn isSearched={!!key} />
          )
        }
        paging={{ ...place, total: data?.total ?? 0, onChange: (current, size) => setPlace({ current, size }) }}
        rowActions={(row) => [
          { key: 'restore', label: words.restore, icon: 'rollback', run: () => void restore([row]), disabled: running },
        ]}
        chosen={chosen}
        onChoose={setChosen}
        onOpen={onOpen}
        density="small"
      />
    </>
  )
}

function useBin(name: string, query: { key: string; current: number; size: number }) {
  const language = useLanguage()
  return useQuery({
    queryKey: ['bin', name, language, query],
    queryFn: ({ signal }) => apiGet<Page>(`/api/kit/bin/${name}`, query, { quiet: true, signal }),
    placeholderData: keepPreviousData,
  })
}

function useRestore(name: string, onDone: () => void) {
  const t = useLocalize()
  const renew = useInvalidateResource()
  const client = useQueryClient()
  const [running, setRunning] = useState(false)
  const restore = async (rows: UntypedRow[]) => {
    setRunning(true)
    try {
      await apiPost(`/api/kit/bin/${name}/restore`, { body: { ids: rows.map((row) => row.id).join(',') } })
      toast.success(t(words.restoreDone))
      onDone()
      void renew({ name })
      void client.invalidateQueries({ queryKey: ['bin'] })
    } catch {
      // The error was shown as a toast.
    } finally {
      setRunning(false)
    }
  }
  return { restore, running }
}

/** Returns the columns of the recycle bin: the row's first column, who removed it and when, then the others. */
function useBinColumns([first, ...others]: TableColumn[]): TableColumn[] {
  const t = useLocalize()
  const nameOf = (row: UntypedRow) =>
    String(row.updateUserName || (String(row.updateUser) === '0' ? t(words.system) : row.updateUser))
  return [
    ...(first ? [first] : []),
    { key: '·by', label: words.removedBy, width: 110, cell: nameOf },
    { key: '·at', label: words.removedAt, width: 120, cell: (row) => <RelativeTime at={String(row.updateTime)} /> },
    ...others,
  ]
}

function NothingIn({ isSearched }: { isSearched: boolean }) {
  const t = useLocalize()
  return (
    <EmptyStateNote
      icon="rest"
      title={t(isSearched ? words.binNone : words.binEmpty)}
      hint={isSearched ? undefined : t(words.binEmptyHint)}
    />
  )
}

/** Drawer with the recycle bin of a resource, opened from its list. */
export default function RecycleBin({
  resource,
  cells,
  onClose,
}: {
  resource: Resource<any, any>
  cells?: CellOverrides
  onClose: () => void
}) {
  const t = useLocalize()
  const language = useLanguage()
  const { active } = useTab()
  const [shown, setShown] = useState<UntypedRow>()
  const columns = useMemo(
    () =>
      tableColumnsOf(resource, language, cells)
        .filter((column) => !column.hidden)
        .slice(0, 5)
        .map((column) => ({ ...column, sortable: false })),
    [resource, language, cells],
  )
  return (
    <Drawer
      open={active}
      title={t(words.binOf, { label: t(pluralOf(resource.label)) })}
      size={960}
      onClose={onClose}
      className="kit-drawer"
    >
      <RecycleBinRows name={resource.name} columns={columns} onOpen={setShown} />
      {shown && (
        <Drawer
          open={active}
          title={t(kit.history)}
          size={600}
          onClose={() => setShown(undefined)}
          className="kit-drawer"
        >
          <Suspense>
            <RowHistory resource={resource} id={String(shown.id)} isRemoved />
          </Suspense>
        </Drawer>
      )}
    </Drawer>
  )
}
