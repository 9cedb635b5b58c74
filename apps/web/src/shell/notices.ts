import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { apiGet, apiPost } from '#kit/web/http/http.ts'
import { useLanguage } from '#kit/web/base/language.tsx'
import { useResourcePath } from '#kit/web/inputs/row-link.tsx'
import { onLiveEvent, useLiveEvents } from '#kit/web/live/live.ts'
import { throttle } from '#kit/web/live/throttle.ts'
import { changedTopicOf } from '#kit/resource/index.ts'
import { noticeDeliveredTopic } from '#domains/shops/shop-events/index.ts'
import { noticePublishedTopic, noticeRemovedTopic } from '#domains/messaging/notices/index.ts'

export type UserNotice = {
  id: string
  title: string
  category: number
  categoryName: string
  releaseTime: string
  isRead: boolean
}

export const NOTICE_BOXES = ['events', 'mail', 'messages', 'notices'] as const
export type NoticeBox = (typeof NOTICE_BOXES)[number]

/** Returns the box a notice is shown in, by its category: 4 and 6 are mail, 2 and 3 messages, all others notices. */
export function noticeBoxOf(category: number): NoticeBox {
  if (category === 4 || category === 6) return 'mail'
  return category === 2 || category === 3 ? 'messages' : 'notices'
}

const OWN = '/api/blade-desk/notice/mine'
const EVENTS = '/api/shop/event/list'
const KEY = ['own-notices']
/** Most notices and events to fetch: practically all unread notices, but only the newest events. */
const [NOTICES_SHOWN, EVENTS_SHOWN] = [200, 30]

/** An event of a shop that this user has not read. */
type UnreadEvent = { id: string; content: string; shopName: string; typeName: string; occurTime: string }

/** The unread items of one source, newest first, and their total, from one answer. */
type Unread<T> = { records: T[]; total: number }

/** A notice that has just arrived, with the id of its event if it is about one. */
export type ArrivedNotice = { text: string; eventId?: string }

/** Throttles refetching, since events come by the hundred when many shops trade. */
const EVENTS_PACE = { waitMs: 150, everyMs: 5_000 }

/**
 * Refetches the unread items of a source when it changes, events at most every few seconds; returns a function to stop.
 */
export function followUnread(queries: Pick<QueryClient, 'invalidateQueries'>): () => void {
  const renew = (source: 'notices' | 'events') => void queries.invalidateQueries({ queryKey: [...KEY, source] })
  const notices = () => renew('notices')
  const events = throttle(() => renew('events'), EVENTS_PACE)
  const stops = [
    onLiveEvent(noticePublishedTopic, notices, notices),
    onLiveEvent(noticeRemovedTopic, notices),
    onLiveEvent(changedTopicOf('event'), events.later, events.later),
    events.cancel,
  ]
  return () => stops.forEach((stop) => stop())
}

/** Returns the unread notices and events of this user, kept up to date, and calls `arrived` for each new one. */
export function useUnreadNotices(arrived: (notice: ArrivedNotice) => void) {
  const queries = useQueryClient()
  const language = useLanguage()
  const mayEvents = useResourcePath('event') !== undefined
  const query = useQuery({
    queryKey: [...KEY, 'notices', language],
    queryFn: ({ signal }) =>
      apiGet<Partial<Unread<UserNotice>>>(
        OWN,
        { isUnread: 'true', current: 1, size: NOTICES_SHOWN },
        { quiet: true, signal },
      ),
    staleTime: 60_000,
  })
  const events = useQuery({
    queryKey: [...KEY, 'events', language],
    queryFn: ({ signal }) =>
      apiGet<Partial<Unread<UnreadEvent>>>(
        EVENTS,
        { isUnread: 'true', descs: 'occurTime', current: 1, size: EVENTS_SHOWN },
        { quiet: true, signal },
      ),
    staleTime: 60_000,
    enabled: mayEvents,
  })

  const again = () => void queries.invalidateQueries({ queryKey: KEY })
  useEffect(() => followUnread(queries), [queries])
  useLiveEvents(noticePublishedTopic, ({ title }) => title && arrived({ text: title }))
  useLiveEvents(noticeDeliveredTopic, ({ content, contentEn, eventId }) => {
    const text = language === 'en' ? contentEn : content
    if (text) arrived({ text, eventId: eventId ?? undefined })
  })
  const counts = { notices: query.data?.total ?? 0, events: (mayEvents && events.data?.total) || 0 }

  return {
    mayEvents,
    notices: query.data?.records ?? [],
    events: (mayEvents && events.data?.records) || [],
    counts,
    unread: counts.notices + counts.events,
    failed: query.isError || events.isError,
    again,
    /** Returns a notice with its text; fetching it marks it as read. */
    read: async (id: string) => {
      const notice = await apiGet<UserNotice & { content: string }>(`${OWN}/detail`, { id })
      again()
      return notice
    },
    readAll: async () => {
      await apiPost(`${OWN}/read`)
      if (mayEvents) await apiPost('/api/shop/event/read')
      again()
    },
  }
}
