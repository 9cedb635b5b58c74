import type { WireRow } from '#kit/resource/index.ts'
import { Progress, Segmented } from 'antd'
import { lazy, Suspense } from 'react'
import { useParams, useSearchParams } from 'react-router'
import { DictTag } from '#kit/web/parts/dict-tag.tsx'
import { RowHistoryButton } from '#kit/web/detail/history-button.tsx'
import { RowSidePanel } from '#kit/web/detail/row-side-panel.tsx'
import { PrintRowButton } from '#kit/web/list/print-button.tsx'
import { useLocalize } from '#kit/web/base/language.tsx'
import { words as kit } from '#kit/web/base/page-words.ts'
import { ErrorNote } from '#kit/web/parts/states.tsx'
import { useTabTitle } from '#kit/web/base/tab.ts'
import { useRowDetail } from '#kit/web/row/use-detail.ts'
import { formatListTotal, useResourceList } from '#kit/web/list/use-list.ts'
import { useResourcePermissions } from '#kit/web/session/use-may.ts'
import { StocktakeDifferences } from './differences.panel.tsx'
import { STOCKTAKE_STATE } from './dictionaries.ts'
import { stocktake } from './stocktake.resource.ts'
import { stocktakeLine } from './stocktake-line.resource.ts'
import { StocktakeCounting } from './counting.tsx'
import { UncountedGoods, uncountedLinesFilter } from './uncounted.panel.tsx'
import '#kit/web/base/kit.css'
import './stock.css'
import './count.css'

type Row = WireRow<typeof stocktake>

const words = {
  progress: { zh: '已盘 {counted} / {goods} 种', en: '{counted} of {goods} products counted' },
  counted: { zh: '已盘 {counted} 种', en: '{counted} {counted|product|products} counted' },
  count: { zh: '盘点', en: 'Count' },
  uncounted: { zh: '未盘 {total}', en: 'Not counted {total}' },
  differences: { zh: '差异与过账', en: 'Discrepancies & posting' },
  show: { zh: '显示', en: 'Show' },
}

const CountStart = lazy(() => import('./count-start.panel.tsx'))

/** Page to count a stocktake with a phone: scan, enter the quantity, next. Shows the counts of other people live. */
export default function CountPage() {
  const { id = '' } = useParams()
  return id === 'new' ? (
    <Suspense>
      <CountStart />
    </Suspense>
  ) : (
    <Take id={id} />
  )
}

function Take({ id }: { id: string }) {
  const t = useLocalize()
  const [query, setQuery] = useSearchParams()
  const { data: take, error, refetch } = useRowDetail(stocktake, id)
  const may = useResourcePermissions(stocktake)
  useTabTitle(take && `${t(words.count)} ${String(take.countNo).slice(-4)}`)

  if (!take)
    return (
      <div className="kit-page count-page">
        {error ? (
          <ErrorNote title={t(kit.failedDetail)} error={error} retry={() => void refetch()} />
        ) : (
          <div className="goods-card goods-wait">
            {[1, 2, 3, 4].map((n) => (
              <span key={n} className="kit-skeleton" />
            ))}
          </div>
        )}
      </div>
    )

  const isOpen = take.status === STOCKTAKE_STATE.counting
  const mayCount = isOpen && may.act('count')
  const view = viewOf(query.get('view'), isOpen, mayCount)
  return (
    <div className="kit-page count-page">
      <header className="goods-card count-head">
        <span className="count-acts">
          <PrintRowButton resource={stocktake} row={take} />
          <RowHistoryButton resource={stocktake} row={take} />
        </span>
        <div>
          <h1>{String(take.shopName)}</h1>
          <p>
            <DictTag code="stocktake_status" value={take.status} />
            <span className="kit-quiet">
              {String(take.scopeName)}
              {take.shelfNo ? ` ${String(take.shelfNo)}` : ''}
              {take.goodTypeName ? ` ${String(take.goodTypeName)}` : ''} · {String(take.ruleName)}
            </span>
          </p>
        </div>
        <Done take={take} />
        {isOpen && (
          <Views
            take={take}
            mayCount={mayCount}
            view={view}
            onChange={(next) => setQuery(next === 'count' ? {} : { view: next }, { replace: true })}
          />
        )}
      </header>
      {view === 'count' && <StocktakeCounting take={take} />}
      {view === 'uncounted' && <UncountedGoods take={take} mayCount={mayCount} />}
      {view === 'differences' && <StocktakeDifferences take={take} />}
      <RowSidePanel resource={stocktake.name} id={id} />
    </div>
  )
}

type View = 'count' | 'uncounted' | 'differences'

/** Chooses the view: counting for people who may count, only the differences once the stocktake is closed. */
function viewOf(requestedView: string | null, isOpen: boolean, mayCount: boolean): View {
  if (!isOpen || requestedView === 'differences') return 'differences'
  if (requestedView === 'uncounted') return 'uncounted'
  return mayCount ? 'count' : 'differences'
}

type ViewsProps = { take: Row; mayCount: boolean; view: View; onChange: (view: View) => void }

function Views({ take, mayCount, view, onChange }: ViewsProps) {
  const t = useLocalize()
  const left = useLeft(take)
  return (
    <Segmented
      block
      value={view}
      aria-label={t(words.show)}
      onChange={onChange}
      options={[
        ...(mayCount ? [{ value: 'count' as const, label: t(words.count) }] : []),
        {
          value: 'uncounted' as const,
          label: t(words.uncounted, { total: left.isPending ? '' : formatListTotal(left) }),
        },
        { value: 'differences' as const, label: t(words.differences) },
      ]}
    />
  )
}

function Done({ take }: { take: Row }) {
  const t = useLocalize()
  const { rows, total } = useResourceList(stocktakeLine, {
    inAddress: false,
    fixed: { stocktakeId: take.id, counted_notnull: '1', size: 1 },
  })
  const left = useLeft(take)
  const counted = rows.length ? total : Number(take.counted ?? 0)
  if (take.status !== STOCKTAKE_STATE.counting)
    return <p className="count-progress kit-number">{t(words.counted, { counted })}</p>
  // Products without stock are lines too, but nobody has to count them, so they are not in the total.
  const goods = counted + left.total
  const text = t(words.progress, { counted, goods })
  return (
    <div className="count-progress">
      <span className="kit-number">{text}</span>
      <Progress percent={goods ? Math.round((counted / goods) * 100) : 0} showInfo={false} aria-label={text} />
    </div>
  )
}

/** Number of products in stock nobody has counted yet; not asked of a closed stocktake. */
const useLeft = (take: Row) =>
  useResourceList(stocktakeLine, {
    inAddress: false,
    fixed: { ...uncountedLinesFilter(take), size: 1 },
    enabled: take.status === STOCKTAKE_STATE.counting,
    follows: 'goodInfo',
  })
