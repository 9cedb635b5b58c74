import { Button } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { useCan } from '#kit/web/session/can.ts'
import { download, get, post } from '#kit/web/http.ts'
import { Icon } from '#kit/web/theme/icon.tsx'
import { useSay, type Words } from '#kit/web/language.tsx'
import { useLiveAgain } from '#kit/web/live/live.ts'
import { Money } from '#kit/web/parts/money.tsx'
import { usePathOf } from '#kit/web/list/row-link.tsx'
import { dayOf } from '#kit/web/parts/when-words.ts'
import { When } from '#kit/web/parts/when.tsx'
import { ShopChoice, SpanChoice } from './choice.tsx'
import { homeWords as home } from './home-words.ts'
import { useChoice, type Span } from './span.ts'
import { ByType, Customers, IncomeCurve, paidWithin, TopShops } from './trade.tsx'
import { useFigures, type Sums } from './use-home.ts'
import { GoodsRanking, profitShare } from './goods-ranking.tsx'
import '#kit/web/kit.css'
import './home.css'

const ConfirmDialog = lazy(() => import('#kit/web/form/confirm-dialog.tsx'))

const words = {
  title: { zh: '经营分析', en: 'Business analysis' },
  intro: {
    zh: '看任意时间、任意门店卖得怎么样，赚了多少。',
    en: 'How any shops did over any days, and what they earned.',
  },
  export: { zh: '导出', en: 'Export' },
  rebuild: { zh: '重算统计', en: 'Count anew' },
  rebuildText: {
    zh: '按订单和退款逐笔重新计算统计数据，期间照常营业，通常几秒到几分钟。',
    en: 'Figures are counted anew from every order and refund. Shops go on selling; it takes seconds to minutes.',
  },
  asked: { zh: '已开始重算', en: 'Counting' },
  lastCount: { zh: '上次重算', en: 'Last counted' },
  noneWrong: { zh: '全部一致', en: 'all figures were right' },
  wrong: { zh: '更正 {count} 项', en: '{count} {count|figure|figures} corrected' },
  income: { zh: '收入', en: 'Income' },
  net: { zh: '净收入', en: 'Net income' },
  refunds: { zh: '退款', en: 'Refunds' },
  orders: { zh: '订单', en: 'Orders' },
  profit: { zh: '毛利', en: 'Gross profit' },
  discount: { zh: '优惠', en: 'Discounts' },
  before: { zh: '上期 {value}', en: 'before {value}' },
} satisfies Record<string, Words>

/** Income, profit, shops, types, goods and customers of any days and shops. */
export default function BusinessPage() {
  const say = useSay()
  const { span, shopId, setSpan, setShop } = useChoice(dayOf(), '30')
  const { data: shops = [] } = useQuery({
    queryKey: ['statistics-shops'],
    queryFn: () => get<{ id: string; shopName: string }[]>('/api/shop/basicShopInfo/query', undefined, { quiet: true }),
    staleTime: 60_000,
  })
  return (
    <div className="kit-page home">
      <header className="kit-title home-title">
        <h1>{say(words.title)}</h1>
        <p>{say(words.intro)}</p>
      </header>
      <div className="home-bar home-card">
        <SpanChoice span={span} onChange={setSpan} />
        <div className="home-actions">
          <ShopChoice shops={shops} value={shopId} onChange={setShop} />
          <Button
            type="primary"
            icon={<Icon name="download" />}
            onClick={() =>
              void download('/api/shop/statistics/export', {
                createTime_dategt: span.from,
                createTime_datelt: span.to,
                shopIds: shopId || undefined,
              })
            }
          >
            {say(words.export)}
          </Button>
        </div>
      </div>
      <Totals span={span} shopId={shopId} />
      <section className="home-card">
        <h2>
          {say(span.days === 1 ? home.hours : home.days)}
          <small className="kit-quiet">{say(home.unit)}</small>
        </h2>
        <IncomeCurve span={span} shopId={shopId} />
      </section>
      <div className="home-three">
        {!shopId && shops.length > 1 && <TopShops span={span} shopId={shopId} />}
        <ByType span={span} shopId={shopId} />
        <Customers span={span} shopId={shopId} />
      </div>
      <GoodsRanking span={span} shopId={shopId} />
      <Recount />
    </div>
  )
}

function Totals({ span, shopId }: { span: Span; shopId: string }) {
  const say = useSay()
  const orders = usePathOf('shoppingOrder')
  const refunds = usePathOf('refunds')
  const { data } = useFigures<{ sale: Sums }>('countSaleAndStorage', span, shopId)
  const { data: earlier } = useFigures<{ sale: Sums }>('countSaleAndStorage', span.before, shopId)
  const ofShop = shopId && `&shopId=${shopId}`
  const rows = orders && `${orders}?${paidWithin(span)}${ofShop}`
  const back = refunds && `${refunds}?status=3&finishTime_dategt=${span.from}&finishTime_datelt=${span.to}${ofShop}`
  const list: [Words, (sums: Sums) => React.ReactNode, string | undefined][] = [
    [words.income, (sums) => <Money value={sums.income} />, rows],
    [words.refunds, (sums) => <Money value={sums.refunds} />, back],
    [words.net, (sums) => <Money value={sums.net} />, undefined],
    [words.orders, (sums) => Number(sums.orders).toLocaleString('en-US'), rows],
    [
      words.profit,
      (sums) => (
        <>
          <Money value={sums.profit} /> <small>{profitShare(sums.profit, sums.income)}</small>
        </>
      ),
      undefined,
    ],
    [words.discount, (sums) => <Money value={sums.discount} />, rows],
  ]
  return (
    <ul className="home-totals">
      {list.map(([label, value, to]) => (
        <li key={label.en} className="home-card">
          <span className="kit-quiet">{to ? <Link to={to}>{say(label)}</Link> : say(label)}</span>
          <strong className="kit-number">{data ? value(data.sale) : <span className="kit-skeleton" />}</strong>
          <small className="kit-quiet">
            {earlier && (
              <>
                {say(words.before, { value: '' })}
                {value(earlier.sale)}
              </>
            )}
          </small>
        </li>
      ))}
    </ul>
  )
}

/** When the sums were last counted anew, and the button that does it. */
function Recount() {
  const say = useSay()
  const [isAsked, setAsked] = useState(false)
  const mayRebuild = useCan('businessAnalysis_rebuild')
  const { data, refetch } = useQuery({
    queryKey: ['statistics-recount'],
    queryFn: () => get<{ at?: string; wrong?: number }>('/api/shop/statistics/recount', undefined, { quiet: true }),
  })
  useLiveAgain('statistics.recounted', refetch)
  if (!mayRebuild) return null
  return (
    <p className="home-recount kit-quiet">
      {data?.at && (
        <span>
          {say(words.lastCount)} <When at={data.at} />
          {' · '}
          {data.wrong ? say(words.wrong, { count: data.wrong }) : say(words.noneWrong)}
        </span>
      )}
      <Button type="link" size="small" onClick={() => setAsked(true)}>
        {say(words.rebuild)}
      </Button>
      {isAsked && (
        <Suspense fallback={null}>
          <ConfirmDialog
            title={words.rebuild}
            text={say(words.rebuildText)}
            success={words.asked}
            run={() => post('/api/shop/statistics/rebuild')}
            onClose={() => setAsked(false)}
          />
        </Suspense>
      )}
    </p>
  )
}
