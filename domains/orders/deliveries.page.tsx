import { useQuery } from '@tanstack/react-query'
import { Segmented } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import type { Row } from '#kit/web/form/form-values.ts'
import { get } from '#kit/web/http.ts'
import { useLang, useSay, type Words } from '#kit/web/language.tsx'
import { useLive } from '#kit/web/live/live.ts'
import { words as kit } from '#kit/web/page-words.ts'
import { useScreen } from '#kit/web/screen.ts'
import { ErrorNote, StateNote } from '#kit/web/parts/states.tsx'
import { useDictionary } from '#kit/web/use-dictionary.ts'
import { DELIVERY } from './dictionaries.ts'
import { DeliveryCard } from './delivery.panel.tsx'
import { deliveryInfo } from './delivery-info.resource.ts'
import '#kit/web/kit.css'
import './orders.css'

const ResourcePage = lazy(() => import('#kit/web/resource-page.tsx').then((page) => ({ default: page.ResourcePage })))

const words = {
  intro: {
    zh: '待接单的先送；一步一点，送达后订单自动完成',
    en: 'What waits comes first; one tap a step, and a delivered order is finished by itself',
  },
  board: { zh: '看板', en: 'Board' },
  list: { zh: '全部', en: 'All' },
  none: { zh: '没有要送的订单', en: 'Nothing to bring' },
  noneHint: { zh: '顾客支付配送订单后会自动出现在这里', en: 'Paid orders with an address show up here by themselves' },
  order: { zh: '订单 {no}', en: 'order {no}' },
  empty: { zh: '暂无', en: 'None' },
} satisfies Record<string, Words>

const LANES = [DELIVERY.waiting, DELIVERY.accepted, DELIVERY.pickedUp]
const BOARD_MAX = 200

/** What is to be brought now, by step; everything ever brought as a list beside it. */
export default function DeliveriesPage() {
  const say = useSay()
  const [query, setQuery] = useSearchParams()
  // A link with a filter, or to one row, means the list.
  const [isList, setList] = useState(() => query.size > 0)
  const toggle = (
    <Segmented
      value={isList ? 'list' : 'board'}
      onChange={(next) => {
        setQuery({}, { replace: true })
        setList(next === 'list')
      }}
      options={[
        { value: 'board', label: say(words.board) },
        { value: 'list', label: say(words.list) },
      ]}
      aria-label={say(deliveryInfo.label)}
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
        <h1>{say(deliveryInfo.label)}</h1>
        <p>{say(words.intro)}</p>
      </header>
      <div className="order-tabs">{toggle}</div>
      <Board />
    </div>
  )
}

function Board() {
  const say = useSay()
  const language = useLang()
  const isPhone = useScreen() === 0
  const { labelOf } = useLaneNames()
  const [chosen, setLane] = useState<number>()
  const { data, error, refetch } = useQuery({
    queryKey: ['list', deliveryInfo.name, language, 'board'],
    queryFn: ({ signal }) =>
      get<{ records: Row[] }>(
        `${deliveryInfo.path}/list`,
        { status: LANES.join(','), size: BOARD_MAX, ascs: 'createTime' },
        { quiet: true, signal },
      ),
    staleTime: 0,
  })
  useLive(
    'deliveryInfo.changed',
    () => void refetch(),
    () => void refetch(),
  )
  if (error) return <ErrorNote title={say(kit.failedList)} error={error} retry={() => void refetch()} />
  if (!data)
    return (
      <div className="delivery-lanes" aria-busy>
        {LANES.map((lane) => (
          <section key={lane}>
            <span className="kit-skeleton" />
            <span className="kit-skeleton" />
          </section>
        ))}
      </div>
    )
  if (!data.records.length)
    return (
      <div className="order-card">
        <StateNote icon="car" title={say(words.none)} hint={say(words.noneHint)} />
      </div>
    )
  const rowsOf = (lane: number) => data.records.filter((row) => Number(row.status) === lane)
  const shown = chosen ?? LANES.find((lane) => rowsOf(lane).length) ?? LANES[0]!
  const lanes = isPhone ? [shown] : LANES
  return (
    <>
      {isPhone && (
        <Segmented
          block
          size="large"
          className="delivery-pick"
          value={shown}
          onChange={(next) => setLane(Number(next))}
          options={LANES.map((lane) => ({ value: lane, label: `${labelOf(lane)} ${rowsOf(lane).length}` }))}
        />
      )}
      <div className="delivery-lanes">
        {lanes.map((lane) => (
          <section key={lane} aria-label={labelOf(lane)}>
            {!isPhone && (
              <h2>
                {labelOf(lane)} <span className="kit-quiet">{rowsOf(lane).length}</span>
              </h2>
            )}
            {rowsOf(lane).map((row) => (
              <DeliveryCard
                key={String(row.id)}
                row={row}
                onDone={() => void refetch()}
                order={
                  <Link to={`/order/shoppingOrder/${String(row.orderId)}`}>
                    {say(words.order, { no: String(row.orderNo).slice(-6) })}
                  </Link>
                }
              />
            ))}
            {!rowsOf(lane).length && <p className="kit-quiet delivery-empty">{say(words.empty)}</p>}
          </section>
        ))}
      </div>
    </>
  )
}

function useLaneNames() {
  const { choices } = useDictionary('delivery_status')
  return { labelOf: (lane: number) => String(choices.find((one) => one.key === String(lane))?.label ?? '') }
}
