import { lazy, useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { Popup } from '#kit/web/parts/popup.tsx'
import { useResourcePath } from '#kit/web/inputs/row-link.tsx'
import { toast } from '#kit/web/base/toast.ts'
import { useShellTranslation } from '../words/index.ts'
import { TopBarButton } from './bar-button.tsx'
import { createBurstCollector } from './gather.ts'
import { useUnreadNotices, type ArrivedNotice } from './notices.ts'

const NoticePanel = lazy(() => import('./notice-panel.tsx'))

/** Bell with the number of unread notices and events; shows new ones as toasts and opens their panel. */
export function NoticeBellButton() {
  const t = useShellTranslation()
  const [open, setOpen] = useState(false)
  const notices = useUnreadNotices(useAnnounce())
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
      <TopBarButton
        icon="bell"
        badge={unread > 99 ? '99+' : unread}
        label={unread ? t('notices.count', { count: unread }) : t('notices')}
      />
    </Popup>
  )
}

/**
 * Returns a function that shows a toast for new notices: one with its text, several with their number. The toast links
 * to the events page if they are events.
 */
function useAnnounce() {
  const t = useShellTranslation()
  const navigate = useNavigate()
  const inbox = useResourcePath('event')
  const announce = (all: ArrivedNotice[]) => {
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
  const latest = useRef(announce)
  useEffect(() => {
    latest.current = announce
  })
  const [take] = useState(() => createBurstCollector<ArrivedNotice>((all) => latest.current(all)))
  return take
}
