import { App } from 'antd'
import DOMPurify from 'dompurify'
import { useState, type KeyboardEvent } from 'react'
import { useNavigate } from 'react-router'
import { useResourcePath } from '#kit/web/inputs/row-link.tsx'
import { Icon } from '#kit/web/theme/icon.tsx'
import { listMenuPages } from '#kit/web/base/menus.ts'
import { useSession } from '#kit/web/session/session.ts'
import { useShellTranslation } from '../words/index.ts'
import { NOTICE_BOXES, noticeBoxOf, type NoticeBox, type UserNotice, type useUnreadNotices } from './notices.ts'

const ALL = '/desk/notice'

type Props = { notices: ReturnType<typeof useUnreadNotices>; onClose: () => void }

/** Unread events of shops and notices in three boxes, newest first. Opening one marks it as read. */
export default function NoticePanel({ notices, onClose }: Props) {
  const t = useShellTranslation()
  const shown = boxesOf(notices)
  // Opens with the first box that has unread items and stays there when new ones arrive.
  const [box, setBox] = useState<NoticeBox>(() => shown.find((name) => freshIn(notices, name) > 0) ?? 'notices')
  const open = useReading({ notices, onClose })
  const rows = notices.notices.filter((notice) => noticeBoxOf(notice.category) === box)
  const isEmpty = box === 'events' ? !notices.events.length : !rows.length
  return (
    <div className="notice-panel">
      <BoxTabs notices={notices} box={box} onBox={setBox} />
      <ul id="notice-list" role="tabpanel" aria-labelledby={`notice-tab-${box}`}>
        {box === 'events' && <Events notices={notices} onClose={onClose} />}
        {rows.map((notice) => (
          <li key={notice.id}>
            <button type="button" data-new onClick={() => void open(notice).catch(() => {})}>
              <span>{notice.title}</span>
              <small>{[notice.categoryName, notice.releaseTime].filter(Boolean).join(' · ')}</small>
            </button>
          </li>
        ))}
      </ul>
      {notices.failed && (
        <p className="notice-none" role="alert">
          {t('notices.failed')}{' '}
          <button type="button" className="text-button" onClick={notices.again}>
            {t('retry')}
          </button>
        </p>
      )}
      {!notices.failed && isEmpty && (
        <p className="notice-none">
          <Icon name="inbox" />
          {t(`notices.none.${box}`)}
        </p>
      )}
      <Foot notices={notices} box={box} onClose={onClose} />
    </div>
  )
}

const boxesOf = ({ mayEvents }: Props['notices']) => NOTICE_BOXES.filter((name) => name !== 'events' || mayEvents)

const freshIn = (notices: Props['notices'], name: NoticeBox): number =>
  name === 'events'
    ? notices.counts.events
    : notices.notices.filter((each) => noticeBoxOf(each.category) === name).length

/** Unread events of shops; each links to its detail page, which marks it as read. */
function Events({ notices, onClose }: Props) {
  const navigate = useNavigate()
  const inbox = useResourcePath('event')
  return notices.events.map(({ id, content, shopName, typeName, occurTime }) => (
    <li key={id}>
      <button
        type="button"
        data-new
        onClick={() => {
          onClose()
          void navigate(`${inbox}?detail=${id}`)
        }}
      >
        <span>{content}</span>
        <small>{[typeName, shopName, occurTime].filter(Boolean).join(' · ')}</small>
      </button>
    </li>
  ))
}

function useReading({ notices, onClose }: Props) {
  const t = useShellTranslation()
  const { modal } = App.useApp()
  return async (notice: UserNotice) => {
    onClose()
    const { title, content, categoryName, releaseTime } = await notices.read(notice.id)
    // HTML from an editor is shown formatted, but without scripts.
    const html = DOMPurify.sanitize(content)
    modal.info({
      title,
      icon: null,
      width: 640,
      okText: t('close'),
      content: (
        <>
          <p className="notice-meta">{[categoryName, releaseTime].filter(Boolean).join(' · ')}</p>
          <div className="notice-text" dangerouslySetInnerHTML={{ __html: html }} />
        </>
      ),
    })
  }
}

function BoxTabs({
  notices,
  box,
  onBox,
}: Pick<Props, 'notices'> & { box: NoticeBox; onBox: (box: NoticeBox) => void }) {
  const t = useShellTranslation()
  const shown = boxesOf(notices)
  function turn(event: KeyboardEvent) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (!step) return
    const next = shown[(shown.indexOf(box) + step + shown.length) % shown.length] as NoticeBox
    onBox(next)
    document.getElementById(`notice-tab-${next}`)?.focus()
  }
  return (
    <div role="tablist" aria-label={t('notices')} className="notice-tabs" onKeyDown={turn}>
      {shown.map((name) => (
        <button
          key={name}
          id={`notice-tab-${name}`}
          type="button"
          role="tab"
          aria-selected={name === box}
          aria-controls="notice-list"
          tabIndex={name === box ? 0 : -1}
          onClick={() => onBox(name)}
        >
          {t(`notices.${name}`)}
          {freshIn(notices, name) > 0 && <b>{freshIn(notices, name)}</b>}
        </button>
      ))}
    </div>
  )
}

function Foot({ notices, box, onClose }: Props & { box: NoticeBox }) {
  const t = useShellTranslation()
  const navigate = useNavigate()
  const menus = useSession((session) => session.menuAll)
  const inbox = useResourcePath('event')
  const all = box === 'events' ? inbox : listMenuPages(menus).some(({ menu }) => menu.path === ALL) ? ALL : undefined
  return (
    <footer>
      <button
        type="button"
        className="text-button"
        disabled={!notices.unread}
        onClick={() => void notices.readAll().catch(() => {})}
      >
        {t('notices.readAll')}
      </button>
      {all && (
        <button
          type="button"
          className="text-button"
          onClick={() => {
            onClose()
            void navigate(all)
          }}
        >
          {t('notices.more')}
        </button>
      )}
    </footer>
  )
}
