import { Segmented } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { useSearchParams } from 'react-router'
import { useLocalize, type LocalizedText } from '#kit/web/base/language.tsx'
import { deliveryInfo } from './delivery-info.resource.ts'
import { DeliveryBoard } from './delivery-board.tsx'
import '#kit/web/base/kit.css'
import './orders.css'

const ResourcePage = lazy(() =>
  import('#kit/web/page/resource-page.tsx').then((page) => ({ default: page.ResourcePage })),
)

const words = {
  intro: {
    zh: '待接单的先送；一步一点，送达后订单自动完成',
    en: 'Unassigned deliveries come first. One tap per step. A delivered order is completed automatically.',
  },
  board: { zh: '看板', en: 'Board' },
  list: { zh: '全部', en: 'All' },
} satisfies Record<string, LocalizedText>

/** Open deliveries as a board by state, or all deliveries as a list. */
export default function DeliveriesPage() {
  const t = useLocalize()
  const [query, setQuery] = useSearchParams()
  // A link with a filter or to one row opens the list.
  const [isList, setList] = useState(() => query.size > 0)
  const toggle = (
    <Segmented
      value={isList ? 'list' : 'board'}
      onChange={(next) => {
        setQuery({}, { replace: true })
        setList(next === 'list')
      }}
      options={[
        { value: 'board', label: t(words.board) },
        { value: 'list', label: t(words.list) },
      ]}
      aria-label={t(deliveryInfo.label)}
    />
  )
  if (isList)
    return (
      <Suspense>
        <ResourcePage
          resource={deliveryInfo}
          page={{ intro: words.intro, head: () => <div className="order-tabs">{toggle}</div> }}
        />
      </Suspense>
    )
  return (
    <div className="kit-page">
      <header className="kit-title">
        <h1>{t(deliveryInfo.label)}</h1>
        <p>{t(words.intro)}</p>
      </header>
      <div className="order-tabs">{toggle}</div>
      <DeliveryBoard />
    </div>
  )
}
