import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { App, Button, Skeleton } from 'antd'
import { useState, type ReactNode } from 'react'
import type { Resource } from '#kit/resource/define-resource.ts'
import { FieldChanges } from '../row/changes.tsx'
import type { UntypedRow } from '../row/form-values.ts'
import { apiGet, apiPost } from '../http/http.ts'
import { Icon } from '../theme/icon.tsx'
import { useLanguage, useLocalize } from '../base/language.tsx'
import { useLiveEvents } from '../live/live.ts'
import { words } from '../base/list-words.ts'
import { ErrorNote } from '../parts/states.tsx'
import { toast } from '../base/toast.ts'
import { useInvalidateResource } from '../row/use-detail.ts'
import { useResourcePermissions } from '../session/use-may.ts'
import { RelativeTime } from '../parts/relative-time.tsx'
import { changedTopicOf } from '../../resource/topic.ts'
import '../row/list-work.css'

type Past = {
  id: string
  kind: 'edit' | 'remove' | 'restore'
  time: string
  userId: string
  userName: string
  via: string
  keys: string[]
  hidden: string[]
  was: UntypedRow
  now: UntypedRow
  mayRestore: boolean
}
type Page = {
  records: Past[]
  more: boolean
  version: number
  created: { time: string; userId: string; userName: string }
}

const ICONS = { edit: 'edit', remove: 'delete', restore: 'rest' } as const

type Props = { resource: Resource<any, any>; id: string; isRemoved?: boolean }

/** Lists who changed what in a row, from the newest change to its creation; a former version can be restored. */
export default function RowHistory({ resource, id, isRemoved }: Props) {
  const t = useLocalize()
  const may = useResourcePermissions(resource)
  const query = useHistory(resource, id)
  if (query.error)
    return <ErrorNote title={t(words.historyFailed)} error={query.error} retry={() => void query.refetch()} />
  if (!query.data) return <Skeleton active paragraph={{ rows: 6 }} />
  const records = query.data.pages.flatMap((page) => page.records)
  const { created, version } = query.data.pages[0]!
  return (
    <div className="kit-history">
      {!records.length && <p className="kit-quiet">{t(words.historyEmpty)}</p>}
      <ol>
        {records.map((past) => (
          <Step key={past.id} past={past} resource={resource}>
            {past.mayRestore && may.edit && !isRemoved && (
              <SetBack resource={resource} id={id} past={past} version={version} />
            )}
          </Step>
        ))}
        {query.hasNextPage && (
          <li className="kit-history-more">
            <Button loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
              {t(words.earlier)}
            </Button>
          </li>
        )}
        {!query.hasNextPage && created.time && <Beginning {...created} />}
      </ol>
    </div>
  )
}

function useHistory(resource: Resource<any, any>, id: string) {
  const language = useLanguage()
  const query = useInfiniteQuery({
    queryKey: ['history', resource.name, language, id],
    queryFn: ({ pageParam, signal }) =>
      apiGet<Page>(`/api/kit/history/${resource.name}`, { id, before: pageParam, size: 20 }, { quiet: true, signal }),
    initialPageParam: '',
    getNextPageParam: (last) => (last.more ? last.records.at(-1)?.id : undefined),
  })
  useLiveEvents(changedTopicOf(resource), ({ ids }) => (!ids || ids.map(String).includes(id)) && void query.refetch())
  return query
}

function Step({ past, resource, children }: { past: Past; resource: Resource<any, any>; children: ReactNode }) {
  const t = useLocalize()
  const titles = { edit: past.via || t(words.changed), remove: t(words.removed), restore: t(words.restored) }
  return (
    <li>
      <Icon name={ICONS[past.kind]} className="kit-history-icon" />
      <header>
        <strong>{titles[past.kind]}</strong>
        <By {...past} />
        <span className="kit-grow" />
        {children}
      </header>
      <FieldChanges fields={resource.fields} keys={past.keys} was={past.was} now={past.now} hidden={past.hidden} />
    </li>
  )
}

function Beginning(created: Page['created']) {
  const t = useLocalize()
  return (
    <li>
      <Icon name="plus" className="kit-history-icon" />
      <header>
        <strong>{t(words.added)}</strong>
        <By {...created} />
      </header>
    </li>
  )
}

function By({ userName, userId, time }: Page['created']) {
  const t = useLocalize()
  return (
    <>
      <span className="kit-quiet">{userName || userId || t(words.system)}</span>
      <RelativeTime at={time} />
    </>
  )
}

function SetBack({
  resource,
  id,
  past,
  version,
}: {
  resource: Resource<any, any>
  id: string
  past: Past
  version: number
}) {
  const t = useLocalize()
  const { modal } = App.useApp()
  const renew = useInvalidateResource()
  const client = useQueryClient()
  const [running, setRunning] = useState(false)
  const go = async () => {
    setRunning(true)
    try {
      await apiPost(`/api/kit/history/${resource.name}/restore`, { body: { id, change: past.id, version } })
      toast.success(t(words.setBackDone))
      void renew(resource)
    } catch {
      // The refusal was shown as a toast; the history is fetched again below.
    } finally {
      void client.invalidateQueries({ queryKey: ['history', resource.name] })
      setRunning(false)
    }
  }
  return (
    <Button
      size="small"
      type="link"
      loading={running}
      onClick={() =>
        modal.confirm({ title: t(words.setBack), content: t(words.setBackAsk, { time: past.time }), onOk: go })
      }
    >
      {t(words.setBack)}
    </Button>
  )
}
