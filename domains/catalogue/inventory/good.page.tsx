import type { WireRow } from '#kit/resource/index.ts'
import { Segmented } from 'antd'
import { useMemo, useState } from 'react'
import { Link, useParams } from 'react-router'
import { Chart } from '#kit/web/parts/chart.tsx'
import type { ChartSeries } from '#kit/web/parts/chart-series.ts'
import { useLocalize } from '#kit/web/base/language.tsx'
import { useLiveRefetch } from '#kit/web/live/live.ts'
import { words as kit } from '#kit/web/base/page-words.ts'
import { useResourcePath } from '#kit/web/inputs/row-link.tsx'
import { useSlotContents } from '#kit/web/base/page-slots.ts'
import { ErrorNote } from '#kit/web/parts/states.tsx'
import { useTabTitle } from '#kit/web/base/tab.ts'
import { useRowDetail } from '#kit/web/row/use-detail.ts'
import { goodInfo } from '#domains/catalogue/products/index.ts'
import { GoodBatches, GoodStockLedger } from './product-side-panel.panel.tsx'
import { useSales } from './use-sales.ts'
import { GoodHead } from './good-head.tsx'
import { GoodPriceHistory, GoodPriceTags } from './good-prices.tsx'
import { stockExplanationSlot } from './slots.ts'
import { words } from './good-words.ts'
import { changedTopicOf } from '#kit/resource/index.ts'
import '#kit/web/base/kit.css'
import './stock.css'

type Row = WireRow<typeof goodInfo>

/** Page of one product of a shop: prices, stock by batch, movements, sales, price tags and price history. */
export default function GoodPage() {
  const { id = '' } = useParams()
  const t = useLocalize()
  const { data: good, error, refetch } = useRowDetail(goodInfo, id)
  useTabTitle(good && String(good.name))
  useLiveRefetch(changedTopicOf('shoppingOrder'), refetch)
  if (!good) {
    return (
      <div className="kit-page goods-page">
        {error ? <ErrorNote title={t(kit.failedDetail)} error={error} retry={() => void refetch()} /> : <Skeleton />}
      </div>
    )
  }
  return (
    <div className="kit-page goods-page">
      <GoodHead good={good} />
      <div className="goods-columns">
        <div className="goods-stack">
          <div className="goods-card">
            <Sales good={good} />
          </div>
          <Movements goodId={id} />
        </div>
        <aside className="goods-stack">
          <Figure goodId={id} />
          <Stock goodId={id} />
          <GoodPriceTags goodId={id} />
          <GoodPriceHistory goodId={id} />
        </aside>
      </div>
    </div>
  )
}

function Sales({ good }: { good: Row }) {
  const t = useLocalize()
  const [days, setDays] = useState(30)
  const { data } = useSales(String(good.id), days)
  const details = useResourcePath('shoppingOrderDetail')

  const labels = useMemo(() => (data?.days ?? []).map(({ date }) => date.slice(5)), [data])
  const lines = useMemo(
    (): ChartSeries[] | undefined =>
      data && [
        { name: t(words.soldBy), as: 'bar', tone: 'main', unit: 'pieces', values: data.days.map((day) => day.sold) },
        {
          name: t(words.evening),
          as: 'steps',
          tone: 'quiet',
          unit: 'pieces',
          isRight: true,
          values: data.days.map((day) => day.stock),
        },
      ],
    [data, t],
  )
  const line =
    data &&
    (data.total
      ? t(words.sold, {
          days: data.days.length,
          count: data.total,
          average: data.rate.perDay.toFixed(1),
        })
      : t(words.unsold, { days: data.days.length }))
  const detailsLink =
    details && data && data.total > 0
      ? `${details}?goodId=${String(good.id)}&createTime_datege=${data.days[0]!.date}`
      : undefined

  return (
    <section className="goods-part">
      <h3>
        {t(words.sales)}
        {detailsLink ? <Link to={detailsLink}>{line}</Link> : <span className="kit-quiet">{line}</span>}
        <span className="kit-grow" />
        <Segmented
          size="small"
          value={days}
          onChange={setDays}
          aria-label={t(words.period)}
          options={[7, 30, 90].map((count) => ({ value: count, label: t(words.days, { days: count }) }))}
        />
      </h3>
      <Chart caption={`${t(words.sales)}: ${line}`} axis={t(words.date)} labels={labels} lines={lines} />
    </section>
  )
}

const Movements = ({ goodId }: { goodId: string }) =>
  useResourcePath('storageLog') ? (
    <div className="goods-card">
      <GoodStockLedger goodId={goodId} />
    </div>
  ) : null
function Figure({ goodId }: { goodId: string }) {
  const parts = useSlotContents(stockExplanationSlot)
  const mayRead = useResourcePath('storageLog')
  if (!parts?.length || !mayRead) return null
  return (
    <div className="goods-card">
      {parts.map((Part, at) => (
        <Part key={at} goodId={goodId} />
      ))}
    </div>
  )
}

const Stock = ({ goodId }: { goodId: string }) =>
  useResourcePath('storageBatch') ? (
    <div className="goods-card">
      <GoodBatches goodId={goodId} />
    </div>
  ) : null

const Skeleton = () => (
  <>
    <div className="goods-card goods-head">
      <span className="kit-skeleton" style={{ width: '40%', height: 48 }} />
    </div>
    <div className="goods-columns">
      {[8, 6].map((rows) => (
        <div key={rows} className="goods-card goods-wait">
          {Array.from({ length: rows }, (_, index) => (
            <span key={index} className="kit-skeleton" />
          ))}
        </div>
      ))}
    </div>
  </>
)
