import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Button, Pagination, Segmented, Skeleton, Tag } from 'antd'
import { useState } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import { apiGet, apiPost } from '#kit/web/http/http.ts'
import { useLanguage, useLocalize } from '#kit/web/base/language.tsx'
import { ErrorNote, EmptyStateNote } from '#kit/web/parts/states.tsx'
import { toast } from '#kit/web/base/toast.ts'
import { RelativeTime } from '#kit/web/parts/relative-time.tsx'
import { useSession } from '#kit/web/session/session.ts'
import { ChangeRequestStateTag } from './change-state.tsx'
import { ProcessOutcomeTag } from './process-history.tsx'
import { words } from './work-words.ts'
import './workflow.css'

const TABS = ['todo', 'claim', 'start', 'send', 'done', 'copy'] as const
type Tab = (typeof TABS)[number]
const SIZE = 20
const PAGED: ReadonlySet<Tab> = new Set(['send', 'done', 'copy'])
/** Interval of reloading: others may claim or assign tasks meanwhile. */
const AGAIN_MS = 20_000

type Task = {
  taskId: string
  taskName: string
  assigneeName: string
  category: string
  categoryName: string
  createTime: string
  endTime: string
  dueTime: string
  processInstanceId: string
  processDefinitionName: string
  processIsFinished: string
  businessId: string
  comment: string
  pass: boolean
  ownerName: string
  outcome: number
  status: string
  /** State of the change request the task decides on, -1 without one. */
  changeState: number
  /** Why that change request was not executed, '' otherwise. */
  changeWhy: string
}
type Process = { id: string; name: string; key: string; category: string; categoryName: string; version: number }
type Page<T> = { records: T[]; total: number }

/** Lists the user's tasks: open, claimable, startable, started and finished ones. */
export default function MyTasksPage() {
  const t = useLocalize()
  const lang = useLanguage()
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const [current, setCurrent] = useState(1)
  const tab = TABS.find((one) => pathname.endsWith(`/${one}`)) ?? 'todo'

  const list = useQuery({
    queryKey: ['work', tab, current, lang],
    queryFn: ({ signal }) =>
      apiGet<Page<Task & Process>>(
        `/api/blade-flow/work/${tab}-list`,
        { current, size: SIZE },
        { quiet: true, signal },
      ),
    refetchInterval: AGAIN_MS,
    placeholderData: keepPreviousData,
  })
  const { data, error, refetch } = list

  const choose = (next: Tab) => {
    setCurrent(1)
    void navigate(`/work/${next}`)
  }

  return (
    <div className="kit-page">
      <header className="kit-title">
        <h1>{t(words.title)}</h1>
        <p>{t(words.intro)}</p>
      </header>
      <Segmented
        className="work-tabs"
        aria-label={t(words.title)}
        value={tab}
        onChange={choose}
        options={TABS.map((value) => ({ value, label: t(words[value]) }))}
      />
      {error && !data ? (
        <ErrorNote title={t(words.failed)} error={error} retry={() => void refetch()} />
      ) : !data || list.isPlaceholderData ? (
        <Skeleton active paragraph={{ rows: 6 }} />
      ) : !data.records.length ? (
        <EmptyStateNote icon="carry-out" title={t(words[`none_${tab}`])} />
      ) : (
        <ul className="work-list">
          {data.records.map((row) =>
            tab === 'start' ? (
              <ProcessRow key={row.id} row={row} />
            ) : (
              <TaskRow key={row.taskId} row={row} tab={tab} again={refetch} />
            ),
          )}
        </ul>
      )}
      {(data?.total ?? 0) > SIZE && PAGED.has(tab) && (
        <Pagination align="end" current={current} pageSize={SIZE} total={data!.total} onChange={setCurrent} />
      )}
    </div>
  )
}

/**
 * Returns the base path of a category's own pages, by the remark of its dictionary entry; undefined when it has none.
 */
function usePagesOf(category: string): string | undefined {
  const name = useSession((state) => state.flowRoutes[category])
  return name === 'leave' ? `/work/process/${name}` : undefined
}

function ProcessRow({ row }: { row: Process }) {
  const t = useLocalize()
  const pages = usePagesOf(row.category) ?? '/work/process'
  return (
    <li>
      <div>
        <strong>{row.name}</strong> <Tag>{row.categoryName}</Tag>
        <p className="kit-quiet">
          {row.key} · v{row.version}
        </p>
      </div>
      <Link to={`${pages}/form/${row.id}`}>
        <Button type="primary">{t(words.begin)}</Button>
      </Link>
    </li>
  )
}

type TaskProps = { row: Task; tab: Exclude<Tab, 'start'>; again: () => Promise<unknown> }

/** Whether the list's rows are instances, not tasks. */
const isWhole = (tab: Tab): boolean => tab === 'send' || tab === 'copy'

function TaskRow({ row, tab, again }: TaskProps) {
  const t = useLocalize()
  return (
    <li>
      <div>
        <strong>{isWhole(tab) ? row.processDefinitionName : row.taskName}</strong> <Tag>{row.categoryName}</Tag>
        <EndTag row={row} tab={tab} />
        {row.status === 'unread' && <Tag color="processing">{t(words.unread)}</Tag>}
        {row.ownerName && <Tag>{t(words.forOwner, { name: row.ownerName })}</Tag>}
        {tab === 'done' && <DecisionTag row={row} />}
        <TaskOrigin row={row} tab={tab} />
        {row.comment && <p>{row.comment}</p>}
        {row.changeWhy && <p>{row.changeWhy}</p>}
      </div>
      <TaskActs row={row} tab={tab} again={again} />
    </li>
  )
}

type PartProps = Pick<TaskProps, 'row' | 'tab'>

/** Shows the state of the change request, or how the process ended. */
function EndTag({ row, tab }: PartProps) {
  if (row.changeState >= 0 && (isWhole(tab) || tab === 'done')) return <ChangeRequestStateTag state={row.changeState} />
  return isWhole(tab) && <ProcessOutcomeTag outcome={row.outcome} />
}

/** Shows the user's decision. Agreeing to a change request is not shown as success yet: its execution decides. */
function DecisionTag({ row: { pass, changeState } }: Pick<TaskProps, 'row'>) {
  const t = useLocalize()
  if (!pass) return <Tag color="error">{t(words.refused)}</Tag>
  return changeState < 0 ? (
    <Tag color="success">{t(words.passed)}</Tag>
  ) : (
    <Tag color="default">{t(words.youAgreed)}</Tag>
  )
}

/** Shows the process of a task, its sender, and since and until when it is open. */
function TaskOrigin({ row, tab }: PartProps) {
  const t = useLocalize()
  return (
    <p className="kit-quiet">
      {!isWhole(tab) && `${row.processDefinitionName} · `}
      {tab === 'copy' && row.assigneeName && `${row.assigneeName} · `}
      <RelativeTime at={tab === 'done' ? row.endTime : row.createTime} />
      {row.dueTime && tab !== 'done' && (
        <>
          {` · ${t(words.due)} `}
          <RelativeTime at={row.dueTime} />
        </>
      )}
    </p>
  )
}

function TaskActs({ row, tab, again }: TaskProps) {
  const t = useLocalize()
  const [isBusy, setBusy] = useState(false)
  const pages = usePagesOf(row.category)
  const claim = async () => {
    setBusy(true)
    try {
      await apiPost('/api/blade-flow/work/claim-task', { query: { taskId: row.taskId } })
      toast.success(t(words.claimed))
    } catch {
      // The client shows a toast: somebody else may have claimed it.
    }
    await again()
    setBusy(false)
  }
  const rest = pages && row.businessId ? `${row.processInstanceId}/${row.businessId}` : row.processInstanceId
  const base = pages && row.businessId ? pages : '/work/process'
  const isOpen = tab === 'todo' || tab === 'claim'
  return (
    <div className="work-acts">
      <Link to={isOpen ? `${base}/handle/${row.taskId}/${rest}` : `${base}/detail/${rest}`}>
        <Button type={tab === 'todo' ? 'primary' : 'default'}>{t(tab === 'todo' ? words.handle : words.look)}</Button>
      </Link>
      {tab === 'claim' && (
        <Button type="primary" loading={isBusy} onClick={() => void claim()}>
          {t(words.doClaim)}
        </Button>
      )}
    </div>
  )
}
