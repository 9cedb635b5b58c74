import { Button, Segmented } from 'antd'
import { lazy, Suspense, useMemo, useState } from 'react'
import { Link, useParams } from 'react-router'
import type { Asked } from '#kit/web/form/action-dialog.tsx'
import { useCan } from '#kit/web/session/can.ts'
import { Chart, type ChartLine } from '#kit/web/parts/chart.tsx'
import { Copyable } from '#kit/web/parts/copyable.tsx'
import { DictTag } from '#kit/web/parts/dict-tag.tsx'
import type { Row } from '#kit/web/form/form-values.ts'
import { HistoryButton } from '#kit/web/detail/history-button.tsx'
import { Icon } from '#kit/web/theme/icon.tsx'
import { useSay, type Words } from '#kit/web/language.tsx'
import { useLive } from '#kit/web/live/live.ts'
import { Money } from '#kit/web/parts/money.tsx'
import { words as kit } from '#kit/web/page-words.ts'
import { RowLink, usePathOf } from '#kit/web/list/row-link.tsx'
import { ErrorNote } from '#kit/web/parts/states.tsx'
import { useTabTitle } from '#kit/web/tab.ts'
import { useDetail } from '#kit/web/detail/use-detail.ts'
import { useList } from '#kit/web/list/use-list.ts'
import { useMay } from '#kit/web/session/use-may.ts'
import { When } from '#kit/web/parts/when.tsx'
import { goodInfo, goodPriceLog } from '#domains/goods/index.ts'
import { Batches, Ledger } from './good-beside.panel.tsx'
import { priceTag } from '#domains/tags/index.ts'
import { useSales } from './use-sales.ts'
import '#kit/web/kit.css'
import './stock.css'

const ActionDialog = lazy(() => import('#kit/web/form/action-dialog.tsx'))
const EditDialog = lazy(() => import('#kit/web/form/edit-dialog.tsx'))
const ReceiveDialog = lazy(() => import('./receive.panel.tsx'))

const words = {
  soldBy: { zh: '售出', en: 'Sold' },
  evening: { zh: '日终库存', en: 'Stock in the evening' },
  date: { zh: '日期', en: 'Date' },
  stock: { zh: '库存', en: 'In stock' },
  low: { zh: '预警 {low}', en: 'warns at {low}' },
  isLow: { zh: '库存不足', en: 'Low stock' },
  lasts: { zh: '约够卖 {days} 天', en: 'lasts about {days} days' },
  price: { zh: '售价', en: 'Price' },
  vipPrice: { zh: '会员价', en: 'Member price' },
  costPrice: { zh: '进价', en: 'Cost' },
  margin: { zh: '毛利率 {margin}%', en: '{margin}% margin' },
  offSale: { zh: '已下架', en: 'Off sale' },
  receive: { zh: '入库', en: 'Receive' },
  sales: { zh: '销量与库存', en: 'Sales and stock' },
  sold: { zh: '{days} 天售出 {count} 件，日均 {average}', en: '{count} sold in {days} days, {average} a day' },
  unsold: { zh: '{days} 天里没有卖出', en: 'Nothing sold in {days} days' },
  days: { zh: '{days} 天', en: '{days} days' },
  period: { zh: '时间', en: 'Period' },
  tags: { zh: '价签', en: 'Price tags' },
  noTags: { zh: '没有绑定价签', en: 'No tag shows these goods' },
  shows: { zh: '显示 {shown}，应为 {wanted}', en: 'shows {shown}, should show {wanted}' },
  allTags: { zh: '全部价签', en: 'All tags' },
  prices: { zh: '价格记录', en: 'Price history' },
  noPrices: { zh: '价格没有变过', en: 'The prices never changed' },
  first: { zh: '建档', en: 'Added' },
}

/**
 * Some goods of one shop with everything about them: price, stock by batch, movements, how they sell, tags, and what
 * they cost when.
 */
export default function GoodPage() {
  const { id = '' } = useParams()
  const say = useSay()
  const { data: good, error, refetch } = useDetail(goodInfo, id)
  useTabTitle(good && String(good.name))
  useLive(
    'shoppingOrder.changed',
    () => void refetch(),
    () => void refetch(),
  )
  if (!good) {
    return (
      <div className="kit-page goods-page">
        {error ? <ErrorNote title={say(kit.failedDetail)} error={error} retry={() => void refetch()} /> : <Skeleton />}
      </div>
    )
  }
  return (
    <div className="kit-page goods-page">
      <Head good={good} />
      <div className="goods-columns">
        <div className="goods-stack">
          <div className="goods-card">
            <Sales good={good} />
          </div>
          <Movements goodId={id} />
        </div>
        <aside className="goods-stack">
          <Stock goodId={id} />
          <Tags goodId={id} />
          <Prices goodId={id} />
        </aside>
      </div>
    </div>
  )
}

const known = (value: unknown) => value !== -1 && value !== '' && value !== undefined

function Head({ good }: { good: Row }) {
  const say = useSay()
  const may = useMay(goodInfo)
  const mayReceive = useCan('storageBatch_add')
  const [asked, setAsked] = useState<Asked>()
  const [dialog, setDialog] = useState<'receive' | 'edit'>()
  const { data: sold } = useSales(String(good.id))
  const stock = Number(good.stock ?? 0)
  const isLow = stock <= Number(good.lowStock ?? 0)
  const daily = sold ? sold.total / sold.days.length : 0
  const [price, cost] = [Number(good.salePrice), Number(good.costPrice)]
  const picture = String(good.picture ?? '').split(',')[0]
  return (
    <header className="goods-card goods-head">
      {picture ? (
        <img className="goods-portrait" src={picture} alt="" />
      ) : (
        <span className="goods-portrait" aria-hidden>
          {String(good.name).slice(0, 1)}
        </span>
      )}
      <div className="goods-title">
        <h1>
          {String(good.name)} {good.onSale === false && <span className="kit-quiet">{say(words.offSale)}</span>}
        </h1>
        <p className="kit-quiet">
          <span>{[good.brand, good.spec, good.goodTypeName].filter(Boolean).join(' · ')}</span>
          <Copyable text={String(good.upc)} />
          <RowLink to="basicShopInfo" id={String(good.shopId)}>
            {String(good.shopName)}
          </RowLink>
          {!!good.shelfNo && <span>{String(good.shelfNo)}</span>}
        </p>
      </div>
      <dl className="goods-figures">
        <div>
          <dt>{say(words.price)}</dt>
          <dd>
            <Money value={good.salePrice} />
          </dd>
          <small>
            {known(good.vipPrice) && (
              <>
                {say(words.vipPrice)} <Money value={good.vipPrice} />
              </>
            )}
          </small>
        </div>
        {known(good.costPrice) && (
          <div>
            <dt>{say(words.costPrice)}</dt>
            <dd>
              <Money value={good.costPrice} />
            </dd>
            <small>{price > 0 && say(words.margin, { margin: (((price - cost) / price) * 100).toFixed(1) })}</small>
          </div>
        )}
        <div>
          <dt>{say(words.stock)}</dt>
          <dd className={isLow ? 'goods-low' : undefined}>
            {stock} <small>{String(good.unit ?? '')}</small>
          </dd>
          <small>
            {isLow ? (
              <span className="goods-low">
                <Icon name="exclamation-circle" />
                {say(words.isLow)} · {say(words.low, { low: good.lowStock })}
              </span>
            ) : daily > 0 ? (
              say(words.lasts, { days: Math.floor(stock / daily) })
            ) : (
              say(words.low, { low: good.lowStock })
            )}
          </small>
        </div>
      </dl>
      <div className="goods-deeds">
        {mayReceive && (
          <Button type="primary" icon={<Icon name="import" />} onClick={() => setDialog('receive')}>
            {say(words.receive)}
          </Button>
        )}
        {may.edit && (
          <Button icon={<Icon name="edit" />} onClick={() => setDialog('edit')}>
            {say(kit.edit)}
          </Button>
        )}
        {(['stocktake', 'correct', 'loss'] as const)
          .filter((name) => may.act(name))
          .map((name) => (
            <Button
              key={name}
              danger={name === 'loss'}
              onClick={() => setAsked({ name, action: goodInfo.actions[name], rows: [good] })}
            >
              {say(goodInfo.actions[name].label)}
            </Button>
          ))}
        <HistoryButton resource={goodInfo} row={good} />
      </div>
      <Suspense>
        {asked && <ActionDialog resource={goodInfo} asked={asked} onClose={() => setAsked(undefined)} />}
        {dialog === 'receive' && <ReceiveDialog good={good} onClose={() => setDialog(undefined)} />}
        {dialog === 'edit' && (
          <EditDialog resource={goodInfo} id={String(good.id)} onClose={() => setDialog(undefined)} />
        )}
      </Suspense>
    </header>
  )
}

function Sales({ good }: { good: Row }) {
  const say = useSay()
  const [days, setDays] = useState(30)
  const { data } = useSales(String(good.id), days)
  const details = usePathOf('shoppingOrderDetail')
  const labels = useMemo(() => (data?.days ?? []).map(({ date }) => date.slice(5)), [data])
  const lines = useMemo(
    (): ChartLine[] | undefined =>
      data && [
        { name: say(words.soldBy), as: 'bar', tone: 'main', unit: 'pieces', values: data.days.map((day) => day.sold) },
        {
          name: say(words.evening),
          as: 'steps',
          tone: 'quiet',
          unit: 'pieces',
          isRight: true,
          values: data.days.map((day) => day.stock),
        },
      ],
    [data, say],
  )
  const line =
    data &&
    (data.total
      ? say(words.sold, {
          days: data.days.length,
          count: data.total,
          average: (data.total / data.days.length).toFixed(1),
        })
      : say(words.unsold, { days: data.days.length }))
  const behind =
    details && data && data.total > 0
      ? `${details}?goodId=${String(good.id)}&createTime_datege=${data.days[0]!.date}`
      : undefined
  return (
    <section className="goods-part">
      <h3>
        {say(words.sales)}
        {behind ? <Link to={behind}>{line}</Link> : <span className="kit-quiet">{line}</span>}
        <span className="kit-grow" />
        <Segmented
          size="small"
          value={days}
          onChange={setDays}
          aria-label={say(words.period)}
          options={[7, 30, 90].map((count) => ({ value: count, label: say(words.days, { days: count }) }))}
        />
      </h3>
      <Chart caption={`${say(words.sales)}: ${line}`} axis={say(words.date)} labels={labels} lines={lines} />
    </section>
  )
}

const Movements = ({ goodId }: { goodId: string }) =>
  usePathOf('storageLog') ? (
    <div className="goods-card">
      <Ledger goodId={goodId} />
    </div>
  ) : null
const Stock = ({ goodId }: { goodId: string }) =>
  usePathOf('storageBatch') ? (
    <div className="goods-card">
      <Batches goodId={goodId} />
    </div>
  ) : null

function Part({
  title,
  more,
  children,
}: {
  title: Words
  more?: { to: string; label: Words }
  children: React.ReactNode
}) {
  const say = useSay()
  return (
    <div className="goods-card">
      <section className="goods-part">
        <h3>
          {say(title)}
          <span className="kit-grow" />
          {more && <Link to={more.to}>{say(more.label)}</Link>}
        </h3>
        {children}
      </section>
    </div>
  )
}

function Tags({ goodId }: { goodId: string }) {
  const say = useSay()
  const path = usePathOf('priceTag')
  const { rows, isPending } = useList(priceTag, {
    inAddress: false,
    fixed: { goodId, size: 20, ascs: 'tagId' },
    enabled: !!path,
  })
  if (!path) return null
  return (
    <Part title={words.tags} more={{ to: `${path}?view=tags&goodId=${goodId}`, label: words.allTags }}>
      {!rows.length && <p className="kit-quiet">{isPending ? '…' : say(words.noTags)}</p>}
      <ul className="kit-rows">
        {rows.map((tag) => (
          <li key={String(tag.id)}>
            <span>
              {String(tag.tagId)}
              <small>
                {known(tag.shownPrice) && tag.shownPrice !== tag.wantedPrice ? (
                  say(words.shows, { shown: `¥${String(tag.shownPrice)}`, wanted: `¥${String(tag.wantedPrice)}` })
                ) : tag.lastSyncTime ? (
                  <When at={String(tag.lastSyncTime)} />
                ) : (
                  '—'
                )}
              </small>
            </span>
            <span>
              <DictTag code="price_tag_status" value={tag.status} label={String(tag.statusName ?? '')} />
            </span>
          </li>
        ))}
      </ul>
    </Part>
  )
}

function Prices({ goodId }: { goodId: string }) {
  const say = useSay()
  const path = usePathOf('goodPriceLog')
  const { rows, isPending } = useList(goodPriceLog, { inAddress: false, fixed: { goodId, size: 8 }, enabled: !!path })
  if (!path) return null
  const pair = (was: unknown, now: unknown) => (
    <>
      {known(was) ? <Money value={was} /> : '—'} → {known(now) ? <Money value={now} /> : '—'}
    </>
  )
  const changes = [
    ['oldPrice', 'newPrice', words.price],
    ['oldVipPrice', 'newVipPrice', words.vipPrice],
    ['oldCostPrice', 'newCostPrice', words.costPrice],
  ] as const
  return (
    <Part title={words.prices}>
      {!rows.length && <p className="kit-quiet">{isPending ? '…' : say(words.noPrices)}</p>}
      <ul className="kit-rows">
        {rows.map((row) => {
          const isFirst = !known(row.oldPrice)
          return (
            <li key={String(row.id)}>
              <span>
                <When at={String(row.createTime)} />
                <small>{isFirst ? say(words.first) : String(row.operatorName ?? '')}</small>
              </span>
              <span>
                {changes
                  .filter(([was, now]) => (isFirst ? known(row[now]) : row[was] !== row[now]))
                  .map(([was, now, label]) => (
                    <span key={now} className="goods-price-line">
                      <span className="kit-quiet">{say(label)}</span>{' '}
                      {isFirst ? <Money value={row[now]} /> : pair(row[was], row[now])}
                    </span>
                  ))}
              </span>
            </li>
          )
        })}
      </ul>
    </Part>
  )
}

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
