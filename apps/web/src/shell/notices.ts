import { useQuery, useQueryClient } from '@tanstack/react-query'
import { get, post } from '#kit/web/http.ts'
import { useLang } from '#kit/web/language.tsx'
import { useLive } from '#kit/web/live/live.ts'

export type Notice = {
  id: string
  title: string
  category: number
  categoryName: string
  releaseTime: string
  isRead: boolean
}

export const boxes = ['mail', 'messages', 'notices'] as const
export type Box = (typeof boxes)[number]

/** Which box a notice lies in, by its category: orders and affairs are letters, what is passed on are messages. */
export function boxOf(category: number): Box {
  if (category === 4 || category === 6) return 'mail'
  return category === 2 || category === 3 ? 'messages' : 'notices'
}

const OWN = '/api/blade-desk/notice/mine'
const KEY = ['own-notices']
const SIZE = 30

/** A notice that has just come, and the event it tells of. */
export type Arrived = { text: string; eventId?: string }

/** The latest notices to this user, as they come in, and which of them are read. */
export function useNotices(arrived: (notice: Arrived) => void) {
  const queries = useQueryClient()
  const language = useLang()
  const query = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) =>
      get<{ records?: Notice[]; unread?: number }>(OWN, { current: 1, size: SIZE }, { quiet: true, signal }),
    staleTime: 60_000,
  })
  const again = () => void queries.invalidateQueries({ queryKey: KEY })
  useLive<{ title?: string }>(
    'notice.published',
    ({ title }) => {
      again()
      if (title) arrived({ text: title })
    },
    again,
  )
  useLive('notice.removed', again)
  useLive<{ content: string; contentEn: string; eventId?: string }>('notice.sent', ({ content, contentEn, eventId }) =>
    arrived({ text: language === 'en' ? contentEn : content, eventId }),
  )
  return {
    notices: query.data?.records ?? [],
    unread: query.data?.unread ?? 0,
    failed: query.isError,
    again,
    /** The text of a notice; fetching it marks it as read. */
    read: async (id: string) => {
      const notice = await get<Notice & { content: string }>(`${OWN}/detail`, { id })
      again()
      return notice
    },
    readAll: async () => {
      await post(`${OWN}/read`)
      again()
    },
  }
}
