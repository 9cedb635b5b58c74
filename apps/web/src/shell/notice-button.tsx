import { lazy, useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { Popup } from '#kit/web/parts/popup.tsx'
import { usePathOf } from '#kit/web/list/row-link.tsx'
import { toast } from '#kit/web/parts/toast.ts'
import { useT } from '../words/index.ts'
import { BarButton } from './bar-button.tsx'
import { gather } from './gather.ts'
import { useNotices, type Arrived } from './notices.ts'

const NoticePanel = lazy(() => import('./notice-panel.tsx'))

/** The bell: what the office has announced, as it is announced. */
export function NoticeButton() {
  const t = useT()
  const [open, setOpen] = useState(false)
  const notices = useNotices(useAnnounce())
  const { unread } = notices
  return (
    <Popup
      label={t('notices')}
      placement="bottomRight"
      arrow={false}
      open={open}
      onOpenChange={setOpen}
      classNames={{ root: 'notice-pop' }}
      content={<NoticePanel notices={notices} onClose={() => setOpen(false)} />}
    >
      <BarButton
        icon="bell"
        badge={unread > 99 ? '99+' : unread}
        label={unread ? t('notices.count', { count: unread }) : t('notices')}
      />
    </Popup>
  )
}

/** Says what has come: one notice in its own words, a rush of them by its number; both lead to where they lie. */
function useAnnounce() {
  const t = useT()
  const navigate = useNavigate()
  const inbox = usePathOf('event')
  const tell = (all: Arrived[]) => {
    const [one] = all
    const isOne = all.length === 1
    const ofEvents = inbox && all.some(({ eventId }) => eventId)
    toast.info(isOne ? t('notices.arrived', { title: one!.text }) : t('notices.arrivedMany', { count: all.length }), {
      key: 'notices',
      act: ofEvents
        ? { label: t('notices.look'), run: () => void navigate(isOne ? `${inbox}?detail=${one!.eventId}` : inbox) }
        : undefined,
    })
  }
  const latest = useRef(tell)
  useEffect(() => {
    latest.current = tell
  })
  const [take] = useState(() => gather<Arrived>((all) => latest.current(all)))
  return take
}
