import { Popover } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { toast } from '#kit/web/toast.ts'
import { useT } from '../words/index.ts'
import { BarButton } from './bar-button.tsx'
import { useNotices } from './notices.ts'

const NoticePanel = lazy(() => import('./notice-panel.tsx'))

/** The bell: what the office has announced, as it is announced. */
export function NoticeButton() {
  const t = useT()
  const [open, setOpen] = useState(false)
  const notices = useNotices((title) => toast.info(t('notices.arrived', { title })))
  const { unread } = notices
  return (
    <Popover
      trigger="click" placement="bottomRight" arrow={false} open={open} onOpenChange={setOpen}
      classNames={{ root: 'notice-pop' }}
      content={
        <Suspense fallback={<div className="panel-wait" />}>
          <NoticePanel notices={notices} onClose={() => setOpen(false)} />
        </Suspense>
      }
    >
      <BarButton icon="bell" badge={unread > 99 ? '99+' : unread}
        label={unread ? t('notices.count', { count: unread }) : t('notices')} />
    </Popover>
  )
}
