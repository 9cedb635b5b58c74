import { useQuery } from '@tanstack/react-query'
import { apiGet } from '#kit/web/http/http.ts'
import { useLocalize, type LocalizedText } from '#kit/web/base/language.tsx'
import { withListFilters } from '#kit/web/list/list-state.ts'
import type { ResourceList } from '#kit/web/list/use-list.ts'
import { useLiveRefetch } from '#kit/web/live/live.ts'
import { Chart } from '#kit/web/parts/chart.tsx'
import type { ChartSeries } from '#kit/web/parts/chart-series.ts'
import { Money } from '#kit/web/parts/money.tsx'
import { useDictionary } from '#kit/web/parts/use-dictionary.ts'
import { LOSS_KINDS, type LossKind } from './loss-causes.ts'
import { shopLoss } from './shop-loss.resource.ts'
import { changedTopicOf } from '#kit/resource/index.ts'

const words = {
  all: { zh: '合计（商品按进价）', en: 'Total (products at cost)' },
  rows: { zh: '{count} 笔', en: '{count} {count|record|records}' },
  byShop: { zh: '按门店', en: 'By store' },
  byDay: { zh: '按天', en: 'By day' },
  day: { zh: '日期', en: 'Date' },
  none: { zh: '没有发现损耗', en: 'No shrinkage found' },
} satisfies Record<string, LocalizedText>

/** Explanation of each kind of loss. */
const MEANS: Record<LossKind, LocalizedText> = {
  unpaid: { zh: '摄像头看到拿走、没付款也没放回，按进价', en: 'Taken on camera, neither paid nor put back, at cost' },
  expired: {
    zh: '过期未卖出、过期报损或因过期退款，按进价',
    en: 'Expired unsold, written off or refunded as expired, at cost',
  },
  miscounted: { zh: '盘点少了又没有别的解释，按进价', en: 'Count shortage without another explanation, at cost' },
  price: { zh: '低于后台售价收款的差额，按售价', en: 'Charged below the listed price, at sale price' },
  refund: { zh: '频繁退款且商品没回来，按退出的钱', en: 'Frequent refunds without returned products, refunded amount' },
  written: { zh: '破损等其他报损，按进价', en: 'Damaged or otherwise written off, at cost' },
}

type Sum = { key: string; name: string; amount: string; count: number; kinds: Record<string, string> }
type Figures = { amount: string; count: number; kinds: Sum[]; shops: Sum[]; days: Sum[] }
type Of = { list: Pick<ResourceList, 'state' | 'set' | 'params'> }

const SHOPS_SHOWN = 8

/** Sums of the filtered losses; each figure is a link to its rows. */
export function LossFigures({ list }: Of) {
  const t = useLocalize()
  const { data, refetch } = useQuery({
    queryKey: ['list', shopLoss.name, 'figures', list.params],
    queryFn: () => apiGet<Figures>(`${shopLoss.path}/figures`, list.params, { quiet: true }),
    placeholderData: (before) => before,
  })
  useLiveRefetch(changedTopicOf(shopLoss), refetch)
  const narrow = (filters: Record<string, string>) => list.set((before) => withListFilters(before, filters))
  if (!data) return null
  return (
    <div className="guard-loss">
      <Kinds data={data} value={list.state.filters.kind ?? ''} onChoose={(kind) => narrow({ kind })} />
      {data.count === 0 ? (
        <p className="kit-quiet">{t(words.none)}</p>
      ) : (
        <div className="guard-loss-two">
          <section className="guard-card">
            <h2>{t(words.byDay)}</h2>
            <Days days={data.days} />
          </section>
          <section className="guard-card">
            <h2>{t(words.byShop)}</h2>
            <ShopSums data={data} value={list.state.filters.shopId ?? ''} onChoose={(shopId) => narrow({ shopId })} />
          </section>
        </div>
      )}
    </div>
  )
}

function Kinds({ data, value, onChoose }: { data: Figures; value: string; onChoose: (kind: string) => void }) {
  const t = useLocalize()
  const { choices } = useDictionary('loss_kind')
  const sums = new Map(data.kinds.map((one) => [one.key, one]))
  return (
    <div className="guard-tiles">
      <button type="button" aria-pressed={!value} onClick={() => onChoose('')}>
        <small>{t(words.all)}</small>
        <strong>
          <Money value={data.amount} />
        </strong>
        <span className="kit-quiet">{t(words.rows, { count: data.count })}</span>
      </button>
      {LOSS_KINDS.map((kind) => (
        <button
          key={kind}
          type="button"
          aria-pressed={value === kind}
          data-tip={t(MEANS[kind])}
          onClick={() => onChoose(value === kind ? '' : kind)}
        >
          <small>{choices.find(({ key }) => key === kind)?.label ?? kind}</small>
          <strong>
            <Money value={sums.get(kind)?.amount ?? '0.00'} />
          </strong>
          <span className="kit-quiet">{t(words.rows, { count: sums.get(kind)?.count ?? 0 })}</span>
        </button>
      ))}
    </div>
  )
}

function Days({ days }: { days: readonly Sum[] }) {
  const t = useLocalize()
  const lines: ChartSeries[] = [
    { name: t(words.all), values: days.map(({ amount }) => Number(amount)), as: 'bar', tone: 'main', unit: 'yuan' },
  ]
  return (
    <Chart caption={t(words.byDay)} axis={t(words.day)} labels={days.map(({ key }) => key.slice(5))} lines={lines} />
  )
}

function ShopSums({ data, value, onChoose }: { data: Figures; value: string; onChoose: (shopId: string) => void }) {
  const most = Math.max(1, ...data.shops.map(({ amount }) => Number(amount)))
  return (
    <ul className="guard-sums">
      {data.shops.slice(0, SHOPS_SHOWN).map((one) => (
        <li key={one.key}>
          <button
            type="button"
            aria-pressed={value === one.key}
            onClick={() => onChoose(value === one.key ? '' : one.key)}
          >
            <span>{one.name}</span>
            <i style={{ inlineSize: `${(Number(one.amount) / most) * 100}%` }} />
            <Money value={one.amount} />
          </button>
        </li>
      ))}
    </ul>
  )
}
