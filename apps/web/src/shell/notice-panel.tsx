import { App } from 'antd'
import DOMPurify from 'dompurify'
import { useState } from 'react'
import type { KeyboardEvent } from 'react'
import { useNavigate } from 'react-router'
import { Icon } from '#kit/web/theme/icon.tsx'
import { leaves } from '#kit/web/menus.ts'
import { useSession } from '#kit/web/session/session.ts'
import { useT } from '../words/index.ts'
import { boxes, boxOf } from './notices.ts'
import type { Box, Notice, useNotices } from './notices.ts'

const ALL = '/desk/notice'

type Props = { notices: ReturnType<typeof useNotices>; onClose: () => void }

/** Three boxes of notices; opening one marks it as read. */
export default function NoticePanel({ notices, onClose }: Props) {
  const t = useT()
  const [box, setBox] = useState<Box>('notices')
  const open = useReading({ notices, onClose })
  const rows = notices.notices.filter((notice) => boxOf(notice.category) === box)
  return (
    <div className="notice-panel">
      <BoxTabs notices={notices} box={box} onBox={setBox} />
      <ul id="notice-list" role="tabpanel" aria-labelledby={`notice-tab-${box}`}>
        {rows.map((notice) => (
          <li key={notice.id}>
            <button type="button" data-new={!notice.isRead} onClick={() => void open(notice).catch(() => {})}>
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
      {!notices.failed && !rows.length && (
        <p className="notice-none">
          <Icon name="inbox" />
          {t(`notices.none.${box}`)}
        </p>
      )}
      <Foot notices={notices} onClose={onClose} />
    </div>
  )
}

function useReading({ notices, onClose }: Props) {
  const t = useT()
  const { modal } = App.useApp()
  return async (notice: Notice) => {
    onClose()
    const { title, content, categoryName, releaseTime } = await notices.read(notice.id)
    // What people wrote with an editor is shown as they wrote it, less anything that could act.
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

function BoxTabs({ notices, box, onBox }: Pick<Props, 'notices'> & { box: Box; onBox: (box: Box) => void }) {
  const t = useT()
  const fresh = (name: Box) => notices.notices.filter((each) => boxOf(each.category) === name && !each.isRead).length
  function turn(event: KeyboardEvent) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (!step) return
    const next = boxes[(boxes.indexOf(box) + step + boxes.length) % boxes.length] as Box
    onBox(next)
    document.getElementById(`notice-tab-${next}`)?.focus()
  }
  return (
    <div role="tablist" aria-label={t('notices')} className="notice-tabs" onKeyDown={turn}>
      {boxes.map((name) => (
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
          {fresh(name) > 0 && <b>{fresh(name)}</b>}
        </button>
      ))}
    </div>
  )
}

function Foot({ notices, onClose }: Props) {
  const t = useT()
  const navigate = useNavigate()
  const menus = useSession((session) => session.menuAll)
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
      {leaves(menus).some(({ menu }) => menu.path === ALL) && (
        <button
          type="button"
          className="text-button"
          onClick={() => {
            onClose()
            void navigate(ALL)
          }}
        >
          {t('notices.more')}
        </button>
      )}
    </footer>
  )
}
