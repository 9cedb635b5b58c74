import type { WireRow } from '#kit/resource/index.ts'
import { useQuery } from '@tanstack/react-query'
import { Badge, Button, Segmented } from 'antd'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import type { CellProps } from '#kit/fields/web-kind.ts'
import { meetsCondition } from '#kit/fields/base/condition.ts'
import type { ActionRequest } from '#kit/web/form/action-dialog.tsx'
import { apiGet, apiPost } from '#kit/web/http/http.ts'
import { useKeyboardShortcut } from '#kit/web/base/keys.ts'
import { useLocalize } from '#kit/web/base/language.tsx'
import { useLiveRefetch } from '#kit/web/live/live.ts'
import { ResourcePage } from '#kit/web/page/resource-page.tsx'
import { RelativeTime } from '#kit/web/parts/relative-time.tsx'
import { RowLink } from '#kit/web/inputs/row-link.tsx'
import type { RowAction } from '#kit/web/list/row-buttons.tsx'
import { useInvalidateResource } from '#kit/web/row/use-detail.ts'
import type { ResourceList } from '#kit/web/list/use-list.ts'
import { useResourcePermissions } from '#kit/web/session/use-may.ts'
import { event } from './event.resource.ts'
import { changedTopicOf } from '#kit/resource/index.ts'
import './events.css'

type Row = WireRow<typeof event>

const ActionDialog = lazy(() => import('#kit/web/form/action-dialog.tsx'))

const words = {
  intro: {
    zh: '门店里需要有人知道的事；同一件事重复发生只计次数',
    en: 'Everything in your stores that someone should know. Repeated events are counted.',
  },
  show: { zh: '显示', en: 'Show' },
  all: { zh: '全部', en: 'All' },
  unread: { zh: '未读', en: 'Unread' },
  open: { zh: '未解决', en: 'Open' },
  important: { zh: '重要与紧急', en: 'Important & urgent' },
  mine: { zh: '我认领的', en: 'Claimed by me' },
  readAll: { zh: '全部已读', en: 'Mark all as read' },
  isNew: { zh: '未读', en: 'Unread' },
  times: { zh: '{count} 次', en: '{count} {count|time|times}' },
  next: { zh: '下一条', en: 'Next' },
  previous: { zh: '上一条', en: 'Previous' },
}

type View = 'all' | 'unread' | 'open' | 'important' | 'mine'
type Inbox = { unread: number; mine: number; open: number }

const fixedOf: Record<View, Record<string, string> | undefined> = {
  all: undefined,
  unread: { isUnread: 'true' },
  open: { status: '0,1' },
  important: { status: '0,1', level: '2,3' },
  mine: { isMine: 'true' },
}

function ContentCell({ row, place }: CellProps<Row>) {
  const t = useLocalize()
  if (place === 'detail') return <About row={row} />
  const isNew = row.isRead !== true && Number(row.status) < 2
  return (
    <span className="event-content" data-new={isNew}>
      {isNew && <i role="img" aria-label={t(words.isNew)} />}
      <span data-tip-cut={String(row.content)}>{String(row.content)}</span>
      {Number(row.count) > 1 && <em>{t(words.times, { count: Number(row.count) })}</em>}
    </span>
  )
}

/** Text of an event, as a link to its visit if it is about one. */
function About({ row }: { row: Row }) {
  const [, visitId] = /^visit\/(\d+)$/.exec(String(row.subject ?? '')) ?? []
  const content = String(row.content)
  return visitId ? (
    <RowLink to="customerVisitLog" id={visitId}>
      {content}
    </RowLink>
  ) : (
    content
  )
}

type SilentDevice = { key: string; name: string; since: string }

/** Cell with the devices that are offline, and since when. */
function DevicesCell({ value }: CellProps<Row>) {
  if (!Array.isArray(value)) return <span className="kit-quiet">—</span>
  return (
    <ul className="event-devices">
      {(value as SilentDevice[]).map(({ key, name, since }) => (
        <li key={key}>
          {name} <RelativeTime at={since} />
        </li>
      ))}
    </ul>
  )
}

const cells = {
  devices: (props: CellProps<Row>) => <DevicesCell {...props} />,
  content: (props: CellProps<Row>) => <ContentCell {...props} />,
  goodId: ({ row }: CellProps<Row>) => (
    <RowLink to="goodInfo" id={String(row.goodId)}>
      {String(row.goodName)}
    </RowLink>
  ),
}

const resource = {
  ...event,
  fields: { ...event.fields, content: { ...event.fields.content, width: 300 } },
  list: {
    ...event.list,
    columns: ['content', 'shopId', 'level', 'status', 'occurTime', 'type', 'handler', 'lastTime'],
  },
}

/** Inbox of events: unread, mine, done. */
export default function EventPage() {
  const { search } = useLocation()
  const [view, setView] = useState<View>(() => (new URLSearchParams(search).size ? 'all' : 'important'))
  const [actionRequest, setActionRequest] = useState<ActionRequest>()
  const may = useResourcePermissions(event)
  const ask = (name: 'acknowledge' | 'resolve', rows: Row[]) => {
    const ready = rows.filter((row) => meetsCondition(row, event.actions[name].enabled))
    if (ready.length) setActionRequest({ name, action: event.actions[name], rows: ready })
  }
  const rowActions = (row: Row): RowAction[] =>
    (['acknowledge', 'resolve'] as const)
      .filter((name) => may.act(name) && meetsCondition(row, event.actions[name].enabled))
      .map((name) => ({
        key: name,
        label: event.actions[name].label,
        icon: event.actions[name].icon,
        run: () => ask(name, [row]),
      }))
  return (
    <>
      <ResourcePage
        resource={resource}
        page={{
          intro: words.intro,
          cells,
          rowActions,
          fixed: fixedOf[view],
          isNarrowed: view !== 'all',
          head: (list) => (
            <div className="kit-tabs event-head">
              <Views value={view} onChange={setView} />
              <Reading list={list} onAsk={ask} />
            </div>
          ),
        }}
      />
      <Suspense>
        {actionRequest && (
          <ActionDialog resource={event} asked={actionRequest} onClose={() => setActionRequest(undefined)} />
        )}
      </Suspense>
    </>
  )
}

/** Tabs of the inbox with the number of events in each. */
function Views({ value, onChange }: { value: View; onChange: (view: View) => void }) {
  const t = useLocalize()
  const renew = useInvalidateResource()
  const { data: inbox, refetch } = useQuery({
    queryKey: ['list', event.name, 'inbox'],
    queryFn: () => apiGet<Inbox>(`${event.path}/inbox`, undefined, { quiet: true }),
    staleTime: 0,
  })
  useLiveRefetch(changedTopicOf('event'), refetch)

  const readAll = async () => {
    await apiPost(`${event.path}/read`)
    await renew(event)
  }
  const option = (of: View, count?: number) => ({
    value: of,
    label: (
      <span className="event-tab">
        {t(words[of])}
        {count ? <Badge count={count} size="small" color={of === 'unread' ? undefined : 'var(--text-3)'} /> : null}
      </span>
    ),
  })

  return (
    <>
      <Segmented
        value={value}
        onChange={onChange}
        aria-label={t(words.show)}
        options={[
          option('important'),
          option('open'),
          option('unread', inbox?.unread),
          option('mine', inbox?.mine),
          option('all'),
        ]}
      />
      {inbox && inbox.unread > 0 && (
        <Button type="text" onClick={() => void readAll()}>
          {t(words.readAll)}
        </Button>
      )}
    </>
  )
}

/** Marks an opened event as read; keyboard shortcuts move between events. */
function Reading({
  list,
  onAsk,
}: {
  list: ResourceList<Row>
  onAsk: (name: 'acknowledge' | 'resolve', rows: Row[]) => void
}) {
  const renew = useInvalidateResource()
  const { detail } = list.state
  const at = list.rows.findIndex((row) => String(row.id) === detail)
  const current = list.rows[at]
  const isUnread = current && current.isRead !== true
  useEffect(() => {
    if (!detail || !isUnread) return
    void apiPost(`${event.path}/read`, { query: { ids: detail } }, { quiet: true }).then(
      () => renew(event),
      () => {},
    )
    // Runs once for each opened event; `renew` is a new function on every render.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [detail, isUnread])
  const go = (by: number) => {
    const next = list.rows[Math.max(0, Math.min(list.rows.length - 1, at + by))]
    if (next) list.set((before) => ({ ...before, detail: String(next.id) }))
  }
  useKeyboardShortcut('j', words.next, () => go(1))
  useKeyboardShortcut('k', words.previous, () => go(-1))
  useKeyboardShortcut('e', event.actions.acknowledge.label, () => current && onAsk('acknowledge', [current]))
  useKeyboardShortcut('s', event.actions.resolve.label, () => current && onAsk('resolve', [current]))
  return null
}
