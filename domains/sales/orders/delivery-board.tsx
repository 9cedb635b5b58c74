import type { WireRow } from '#kit/resource/index.ts'
import { useQuery } from '@tanstack/react-query'
import { Segmented } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { apiGet } from '#kit/web/http/http.ts'
import { useLanguage, useLocalize, type LocalizedText } from '#kit/web/base/language.tsx'
import { useLiveRefetch } from '#kit/web/live/live.ts'
import { words as kit } from '#kit/web/base/page-words.ts'
import { ErrorNote, EmptyStateNote } from '#kit/web/parts/states.tsx'
import { useScreenSize } from '#kit/web/base/screen.ts'
import { useDictionary } from '#kit/web/parts/use-dictionary.ts'
import { deliveryInfo } from './delivery-info.resource.ts'
import { DeliveryCard } from './delivery.panel.tsx'
import { DELIVERY_STATE } from './dictionaries.ts'
import { changedTopicOf } from '#kit/resource/index.ts'
import './orders.css'

type Row = WireRow<typeof deliveryInfo>

const words = {
  none: { zh: '没有要送的订单', en: 'No deliveries' },
  noneHint: { zh: '顾客支付配送订单后会自动出现在这里', en: 'Paid delivery orders appear here automatically' },
  order: { zh: '订单 {no}', en: 'order {no}' },
  empty: { zh: '暂无', en: 'None' },
} satisfies Record<string, LocalizedText>

const LANES = [DELIVERY_STATE.waiting, DELIVERY_STATE.accepted, DELIVERY_STATE.pickedUp]
const BOARD_MAX = 200

/** Open deliveries in a column per state; on a phone one column at a time. */
export function DeliveryBoard() {
  const t = useLocalize()
  const language = useLanguage()
  const { data, error, refetch } = useQuery({
    queryKey: ['list', deliveryInfo.name, language, 'board'],
    queryFn: ({ signal }) =>
      apiGet<{ records: Row[] }>(
        `${deliveryInfo.path}/list`,
        { status: LANES.join(','), size: BOARD_MAX, ascs: 'createTime' },
        { quiet: true, signal },
      ),
    staleTime: 0,
  })
  useLiveRefetch(changedTopicOf('deliveryInfo'), refetch)
  if (error) return <ErrorNote title={t(kit.failedList)} error={error} retry={() => void refetch()} />
  if (!data) return <Waiting />
  if (!data.records.length)
    return (
      <div className="order-card">
        <EmptyStateNote icon="car" title={t(words.none)} hint={t(words.noneHint)} />
      </div>
    )
  return <Lanes rows={data.records} onDone={() => void refetch()} />
}

const Waiting = () => (
  <div className="delivery-lanes" aria-busy>
    {LANES.map((lane) => (
      <section key={lane}>
        <span className="kit-skeleton" />
        <span className="kit-skeleton" />
      </section>
    ))}
  </div>
)

type LanesProps = { rows: Row[]; onDone: () => void }

function Lanes({ rows, onDone }: LanesProps) {
  const isPhone = useScreenSize() === 0
  const labelOf = useLaneNames()
  const [chosen, setLane] = useState<number>()
  const rowsOf = (lane: number) => rows.filter((row) => Number(row.status) === lane)
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
          <Lane key={lane} label={labelOf(lane)} isHeaded={!isPhone} rows={rowsOf(lane)} onDone={onDone} />
        ))}
      </div>
    </>
  )
}

function Lane({ label, isHeaded, rows, onDone }: LanesProps & { label: string; isHeaded: boolean }) {
  const t = useLocalize()
  return (
    <section aria-label={label}>
      {isHeaded && (
        <h2>
          {label} <span className="kit-quiet">{rows.length}</span>
        </h2>
      )}
      {rows.map((row) => (
        <DeliveryCard
          key={String(row.id)}
          row={row}
          onDone={onDone}
          order={
            <Link to={`/order/shoppingOrder/${String(row.orderId)}`}>
              {t(words.order, { no: String(row.orderNo).slice(-6) })}
            </Link>
          }
        />
      ))}
      {!rows.length && <p className="kit-quiet delivery-empty">{t(words.empty)}</p>}
    </section>
  )
}

function useLaneNames() {
  const { choices } = useDictionary('delivery_status')
  return (lane: number) => String(choices.find((one) => one.key === String(lane))?.label ?? '')
}
