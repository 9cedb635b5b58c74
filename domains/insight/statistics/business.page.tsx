import { Button } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { useHasPermission } from '#kit/web/session/can.ts'
import { apiDownload, apiGet, apiPost } from '#kit/web/http/http.ts'
import { Icon } from '#kit/web/theme/icon.tsx'
import { useLocalize, type LocalizedText } from '#kit/web/base/language.tsx'
import { useLiveRefetch } from '#kit/web/live/live.ts'
import { Money } from '#kit/web/parts/money.tsx'
import { useResourcePath } from '#kit/web/inputs/row-link.tsx'
import { formatWireTime } from '#kit/web/parts/when-words.ts'
import { RelativeTime } from '#kit/web/parts/relative-time.tsx'
import { ShopChoice, SpanChoice } from './choice.tsx'
import { homeWords as home } from './home-words.ts'
import { useStatisticsSelection, type ComparedDaySpan } from './span.ts'
import { SalesByGoodType, CustomerBreakdown, IncomeCurve, paidOrdersQuery, TopShops } from './trade.tsx'
import { HomeFigureChange } from './home-parts.tsx'
import { useStatistics, type SalesSumsWire, type PreviousSalesSumsWire } from './use-home.ts'
import { GoodsRanking, formatProfitMargin } from './goods-ranking.tsx'
import { rollupsRebuiltTopic } from './topics.ts'
import '#kit/web/base/kit.css'
import './home.css'

const ConfirmDialog = lazy(() => import('#kit/web/parts/confirm-dialog.tsx'))

const words = {
  title: { zh: '经营分析', en: 'Sales performance' },
  intro: {
    zh: '看任意时间、任意门店卖得怎么样，赚了多少。',
    en: 'How any store performed over any period and how much it earned.',
  },
  export: { zh: '导出', en: 'Export' },
  rebuild: { zh: '重算统计', en: 'Recalculate' },
  rebuildText: {
    zh: '按订单和退款逐笔重新计算统计数据，期间照常营业，通常几秒到几分钟。',
    en:
      'Recalculates all statistics from orders and refunds. Stores keep selling. It usually takes ' +
      'seconds to minutes.',
  },
  asked: { zh: '已开始重算', en: 'Recalculation started' },
  lastCount: { zh: '上次重算', en: 'Last recalculated' },
  noneWrong: { zh: '全部一致', en: 'all figures match' },
  wrong: { zh: '更正 {count} 项', en: '{count} {count|figure|figures} corrected' },
  income: { zh: '收入', en: 'Revenue' },
  net: { zh: '净收入', en: 'Net revenue' },
  refunds: { zh: '退款', en: 'Refunds' },
  orders: { zh: '订单', en: 'Orders' },
  profit: { zh: '毛利', en: 'Gross profit' },
  discount: { zh: '优惠', en: 'Discounts' },
  before: { zh: '较上期', en: 'vs. previous period' },
  beforeSoFar: { zh: '较上期同期', en: 'vs. previous period to date' },
  dayBefore: { zh: '较前一日', en: 'vs. previous day' },
  dayBeforeSoFar: { zh: '较昨日同期', en: 'vs. yesterday to date' },
} satisfies Record<string, LocalizedText>

/** Page with income, profit, shops, types, products and customers of a period, for one shop or all. */
export default function BusinessAnalysisPage() {
  const t = useLocalize()
  const now = formatWireTime()
  const today = now.slice(0, 10)
  const { span, shopId, setSpan, setShop } = useStatisticsSelection(today, '30')
  const { data: shops = [] } = useQuery({
    queryKey: ['statistics-shops'],
    queryFn: () =>
      apiGet<{ id: string; shopName: string }[]>('/api/shop/basicShopInfo/query', undefined, { quiet: true }),
    staleTime: 60_000,
  })

  return (
    <div className="kit-page home">
      <header className="kit-title home-title">
        <h1>{t(words.title)}</h1>
        <p>{t(words.intro)}</p>
      </header>
      <div className="home-bar home-card">
        <SpanChoice span={span} onChange={setSpan} />
        <div className="home-actions">
          <ShopChoice shops={shops} value={shopId} onChange={setShop} />
          <Button
            type="primary"
            icon={<Icon name="download" />}
            onClick={() =>
              void apiDownload('/api/shop/statistics/export', {
                createTime_dategt: span.from,
                createTime_datelt: span.to,
                shopIds: shopId || undefined,
              })
            }
          >
            {t(words.export)}
          </Button>
        </div>
      </div>
      <Totals span={span} shopId={shopId} />
      <section className="home-card">
        <h2>
          {t(span.days === 1 ? home.hours : home.days)}
          <small className="kit-quiet">{t(home.unit)}</small>
        </h2>
        <IncomeCurve span={span} shopId={shopId} now={{ date: today, hour: Number(now.slice(11, 13)) }} />
      </section>
      <div className="home-three">
        {!shopId && shops.length > 1 && <TopShops span={span} shopId={shopId} />}
        <SalesByGoodType span={span} shopId={shopId} />
        <CustomerBreakdown span={span} shopId={shopId} />
      </div>
      <GoodsRanking span={span} shopId={shopId} />
      <Recount />
    </div>
  )
}

type Total = 'income' | 'refunds' | 'net' | 'orders' | 'profit' | 'discount'
const COMPARED = { compare: 'true' }

/**
 * Totals of the period, each compared with the period before of equal length; of an unfinished one with the same
 * elapsed time.
 */
function Totals({ span, shopId }: { span: ComparedDaySpan; shopId: string }) {
  const t = useLocalize()
  const orders = useResourcePath('shoppingOrder')
  const refunds = useResourcePath('refunds')
  const { data } = useStatistics<{ sale: SalesSumsWire; before?: PreviousSalesSumsWire }>(
    'countSaleAndStorage',
    span,
    shopId,
    COMPARED,
  )

  const ofShop = shopId && `&shopId=${shopId}`
  const rows = orders && `${orders}?${paidOrdersQuery(span)}${ofShop}`
  const back = refunds && `${refunds}?status=3&finishTime_dategt=${span.from}&finishTime_datelt=${span.to}${ofShop}`
  const list: { key: Total; to?: string; isBadUp?: boolean }[] = [
    { key: 'income', to: rows },
    { key: 'refunds', to: back, isBadUp: true },
    { key: 'net' },
    { key: 'orders', to: rows },
    { key: 'profit' },
    { key: 'discount', to: rows, isBadUp: true },
  ]

  const { sale, before } = data ?? {}
  const isDay = span.days === 1
  const against = before?.isSoFar
    ? isDay
      ? words.dayBeforeSoFar
      : words.beforeSoFar
    : isDay
      ? words.dayBefore
      : words.before

  return (
    <ul className="home-totals">
      {list.map(({ key, to, isBadUp }) => (
        <li key={key} className="home-card">
          <span className="kit-quiet">{to ? <Link to={to}>{t(words[key])}</Link> : t(words[key])}</span>
          <strong className="kit-number">
            {sale ? <Sum sums={sale} of={key} /> : <span className="kit-skeleton" />}
            {sale && key === 'profit' && <small> {formatProfitMargin(sale.profit, sale.income)}</small>}
          </strong>
          {sale && before && (
            <small className="kit-quiet">
              {t(against)}
              <span>
                <HomeFigureChange
                  now={Number(sale[key])}
                  then={Number(before[key])}
                  isCount={typeof sale[key] === 'number'}
                  isBadUp={isBadUp}
                />{' '}
                <Sum sums={before} of={key} />
              </span>
            </small>
          )}
        </li>
      ))}
    </ul>
  )
}

const Sum = ({ sums, of }: { sums: SalesSumsWire; of: Total }) =>
  of === 'orders' ? <>{sums.orders.toLocaleString('en-US')}</> : <Money value={sums[of]} />

/** Shows when the roll-up sums were last recounted, and the button that recounts them. */
function Recount() {
  const t = useLocalize()
  const [isConfirmOpen, setConfirmOpen] = useState(false)
  const mayRebuild = useHasPermission('businessAnalysis_rebuild')
  const { data, refetch } = useQuery({
    queryKey: ['statistics-recount'],
    queryFn: () => apiGet<{ at?: string; wrong?: number }>('/api/shop/statistics/recount', undefined, { quiet: true }),
  })
  useLiveRefetch(rollupsRebuiltTopic, refetch)
  if (!mayRebuild) return null
  return (
    <p className="home-recount kit-quiet">
      {data?.at && (
        <span>
          {t(words.lastCount)} <RelativeTime at={data.at} />
          {' · '}
          {data.wrong ? t(words.wrong, { count: data.wrong }) : t(words.noneWrong)}
        </span>
      )}
      <Button type="link" size="small" onClick={() => setConfirmOpen(true)}>
        {t(words.rebuild)}
      </Button>
      {isConfirmOpen && (
        <Suspense fallback={null}>
          <ConfirmDialog
            title={words.rebuild}
            text={t(words.rebuildText)}
            success={words.asked}
            run={() => apiPost('/api/shop/statistics/rebuild')}
            onClose={() => setConfirmOpen(false)}
          />
        </Suspense>
      )}
    </p>
  )
}
