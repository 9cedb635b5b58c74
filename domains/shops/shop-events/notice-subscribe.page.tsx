import { Segmented } from 'antd'
import { useState } from 'react'
import { useLocalize } from '#kit/web/base/language.tsx'
import { ResourcePage } from '#kit/web/page/resource-page.tsx'
import { useSession } from '#kit/web/session/session.ts'
import { useResourcePermissions } from '#kit/web/session/use-may.ts'
import { noticeSubscribe } from './notice-subscribe.resource.ts'
import { NoticeSubscriptionMatrix } from './notice-matrix.tsx'
import './events.css'

const words = {
  intro: { zh: '门店出事时，怎么通知谁', en: 'Who is notified how when something happens in the stores' },
  mine: { zh: '我的通知', en: 'My notifications' },
  everybody: { zh: '所有人的订阅', en: 'All subscriptions' },
  show: { zh: '显示', en: 'Show' },
}

/** Page with the user's own notification matrix, and for managers the list of everybody's subscriptions. */
export default function NoticeSubscribePage() {
  const t = useLocalize()
  const may = useResourcePermissions(noticeSubscribe)
  const isLimited = useSession((session) => ['boss', 'clerk'].includes(String(session.user?.roleName)))
  const [isMine, setMine] = useState(true)
  const tabs = may.add && !isLimited && (
    <Segmented
      className="kit-tabs"
      value={isMine ? 'mine' : 'everybody'}
      onChange={(next) => setMine(next === 'mine')}
      aria-label={t(words.show)}
      options={[
        { value: 'mine', label: t(words.mine) },
        { value: 'everybody', label: t(words.everybody) },
      ]}
    />
  )
  if (!isMine) return <ResourcePage resource={noticeSubscribe} page={{ intro: words.intro, head: () => tabs }} />
  return (
    <div className="kit-page">
      <header className="kit-title">
        <h1>{t(noticeSubscribe.label)}</h1>
        <p>{t(words.intro)}</p>
      </header>
      <section className="kit-list">
        {tabs}
        <NoticeSubscriptionMatrix />
      </section>
    </div>
  )
}
