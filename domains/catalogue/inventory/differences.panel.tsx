import { formatAmount } from '#kit/fields/money/cents.ts'
import type { WireRow } from '#kit/resource/index.ts'
import { useQuery } from '@tanstack/react-query'
import { Button, Radio } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { apiGet } from '#kit/web/http/http.ts'
import { Icon } from '#kit/web/theme/icon.tsx'
import { useLocalize } from '#kit/web/base/language.tsx'
import { useLiveRefetch } from '#kit/web/live/live.ts'
import { Money } from '#kit/web/parts/money.tsx'
import { words as kit } from '#kit/web/base/page-words.ts'
import { callAction, useActionRunner } from '#kit/web/row/run-action.ts'
import { ErrorNote, EmptyStateNote } from '#kit/web/parts/states.tsx'
import { useDictionary } from '#kit/web/parts/use-dictionary.ts'
import { useResourcePermissions } from '#kit/web/session/use-may.ts'
import { useResourceList } from '#kit/web/list/use-list.ts'
import { STOCKTAKE_STATE } from './dictionaries.ts'
import { stocktake } from './stocktake.resource.ts'
import { stocktakeLine } from './stocktake-line.resource.ts'
import { changedTopicOf } from '#kit/resource/index.ts'
import '#kit/web/parts/parts.css'

type Row = WireRow<typeof stocktake>

const ActionDialog = lazy(() => import('#kit/web/form/action-dialog.tsx'))
const ConfirmDialog = lazy(() => import('#kit/web/parts/confirm-dialog.tsx'))

const words = {
  surplus: { zh: '盘盈（进价）', en: 'Surplus at cost' },
  short: { zh: '盘亏（进价）', en: 'Shortage at cost' },
  pieces: { zh: '{count} 件', en: '{count} {count|piece|pieces}' },
  uncounted: {
    zh: '还有 {count} 种有库存的商品没有盘到',
    en: '{count} {count|product|products} in stock not counted yet',
  },
  moved: {
    zh: '{count} 种商品点数时有销售，建议复盘',
    en: '{count} {count|product was|products were} sold during the count, recount recommended',
  },
  none: { zh: '没有差异', en: 'No discrepancies' },
  noneHint: { zh: '盘到的商品都与账面一致', en: 'Everything counted matches the books' },
  nothing: { zh: '还没有盘点', en: 'Nothing was counted yet' },
  nothingHint: { zh: '盘到商品后，差异显示在这里', en: 'Discrepancies appear here once products are counted' },
  after: { zh: '库存 {stock} → {after}', en: 'stock {stock} → {after}' },
  post: { zh: '过账 {count} 项差异', en: 'Post {count} {count|discrepancy|discrepancies}' },
  close: { zh: '没有差异，结束盘点', en: 'No discrepancies, finish count' },
  closeUncounted: { zh: '不盘点，直接结束', en: 'Finish without counting' },
  will: {
    zh: '{shop}：{count} 种商品的库存会改为盘点结果，过账后不能撤销。',
    en: '{shop}: stock of {count} {count|product|products} changes to the counted quantity. This cannot be undone.',
  },
  noCost: { zh: '没有填进价', en: 'no cost entered' },
  willMore: { zh: '盘盈 {count} 件，按进价 ¥{amount}', en: 'Surplus: {count} {count|piece|pieces}, ¥{amount} at cost' },
  willLess: {
    zh: '盘亏 {count} 件，按进价 ¥{amount}',
    en: 'Shortage: {count} {count|piece|pieces}, ¥{amount} at cost',
  },
  willClose: {
    zh: '{shop}：没有库存会改变，盘点结束后不能再点数。',
    en: '{shop}: no stock changes. Counting ends when you finish.',
  },
  posted: { zh: '过账结果', en: 'Posting result' },
  counted: { zh: '应有 {expected}，实盘 {counted}', en: '{expected} expected, {counted} counted' },
}

type Preview = {
  differences: number
  counted: number
  surplus: number
  short: number
  surplusAmount: string
  shortAmount: string
  uncounted: number
  moved: number
  /** Name, barcode, stock and amount are empty for people who may not see them. */
  lines: {
    goodId: string
    name: string
    upc: string
    stock: number | ''
    change: number
    after: number | ''
    amount: string
  }[]
}

const signed = (value: number) => (value > 0 ? `+${value}` : `−${-value}`)

/** The differences of a stocktake and their value: a preview while it is open, the posted ones afterwards. */
export function StocktakeDifferences({ take }: { take: Row }) {
  return take.status === STOCKTAKE_STATE.counting ? (
    <DifferencePreview take={take} />
  ) : (
    <PostedDifferences take={take} />
  )
}

type FiguresProps = { surplus?: number; short?: number; surplusAmount: unknown; shortAmount: unknown }

function Figures({ surplus, short, surplusAmount, shortAmount }: FiguresProps) {
  const t = useLocalize()
  return (
    <dl className="goods-figures">
      <div>
        <dt>{t(words.surplus)}</dt>
        <dd>
          <Money value={surplusAmount} />
        </dd>
        {surplus !== undefined && <small>{t(words.pieces, { count: surplus })}</small>}
      </div>
      <div>
        <dt>{t(words.short)}</dt>
        <dd className={Number(shortAmount) ? 'goods-low' : undefined}>
          <Money value={shortAmount} />
        </dd>
        {short !== undefined && <small>{t(words.pieces, { count: short })}</small>}
      </div>
    </dl>
  )
}

function DifferencePreview({ take }: { take: Row }) {
  const [uncounted, setUncounted] = useState('keep')
  const t = useLocalize()
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: ['detail', stocktake.name, 'preview', take.id, uncounted],
    queryFn: () => apiGet<Preview>(`${stocktake.path}/preview`, { id: take.id, uncounted }, { quiet: true }),
    staleTime: 0,
  })
  useLiveRefetch(changedTopicOf('stocktakeLine'), refetch)

  if (error)
    return (
      <section className="goods-card">
        <ErrorNote title={t(kit.failedDetail)} error={error} retry={() => void refetch()} />
      </section>
    )
  if (!data)
    return (
      <section className="goods-card goods-wait">
        {[1, 2, 3, 4].map((n) => (
          <span key={n} className="kit-skeleton" />
        ))}
      </section>
    )

  // When nothing was counted yet, the page does not say that all quantities match.
  const isCounted = data.counted > 0
  return (
    <>
      <section className="goods-card goods-part">
        <Figures {...data} />
        {data.moved > 0 && (
          <p className="goods-soon">
            <Icon name="exclamation-circle" />
            {t(words.moved, { count: data.moved })}
          </p>
        )}
        {data.uncounted > 0 && <Uncounted count={data.uncounted} value={uncounted} onChange={setUncounted} />}
        {isCounted || data.differences ? (
          <PostButton take={take} uncounted={uncounted} preview={data} isStale={isFetching} />
        ) : (
          <EndButton take={take} isStale={isFetching} />
        )}
      </section>
      <section className="goods-card goods-part">
        {!data.lines.length &&
          (isCounted ? (
            <EmptyStateNote icon="check-circle" title={t(words.none)} hint={t(words.noneHint)} />
          ) : (
            <EmptyStateNote icon="exclamation-circle" title={t(words.nothing)} hint={t(words.nothingHint)} />
          ))}
        <Changes lines={data.lines} />
      </section>
    </>
  )
}

type UncountedProps = { count: number; value: string; onChange: (next: string) => void }

/** Choice between leaving uncounted goods as they are and setting them to zero. */
function Uncounted({ count, value, onChange }: UncountedProps) {
  const t = useLocalize()
  const { choices } = useDictionary('stocktake_uncounted')
  return (
    <fieldset className="kit-choice">
      <legend>{t(words.uncounted, { count })}</legend>
      <Radio.Group
        value={value}
        onChange={(event) => onChange(String(event.target.value))}
        options={choices.map(({ key, label }) => ({ value: key, label }))}
      />
    </fieldset>
  )
}

type PostProps = { take: Row; uncounted: string; preview: Preview; isStale: boolean }

function PostButton({ take, uncounted, preview, isStale }: PostProps) {
  const t = useLocalize()
  const may = useResourcePermissions(stocktake)
  const [isConfirmOpen, setConfirmOpen] = useState(false)
  const { differences } = preview
  if (!may.act('post')) return null
  return (
    <>
      <Button type="primary" size="large" disabled={isStale} onClick={() => setConfirmOpen(true)}>
        {differences ? t(words.post, { count: differences }) : t(words.close)}
      </Button>
      <Suspense>
        {isConfirmOpen && (
          <Sure take={take} uncounted={uncounted} preview={preview} onClose={() => setConfirmOpen(false)} />
        )}
      </Suspense>
    </>
  )
}

/** Ends a stocktake in which nothing was counted by cancelling it; the cancel dialog asks for confirmation. */
function EndButton({ take, isStale }: Pick<PostProps, 'take' | 'isStale'>) {
  const t = useLocalize()
  const may = useResourcePermissions(stocktake)
  const [isConfirmOpen, setConfirmOpen] = useState(false)
  const { cancel } = stocktake.actions
  if (!may.act('cancel')) return null
  return (
    <>
      <Button size="large" disabled={isStale} onClick={() => setConfirmOpen(true)}>
        {t(words.closeUncounted)}
      </Button>
      <Suspense>
        {isConfirmOpen && (
          <ActionDialog
            resource={stocktake}
            asked={{ name: 'cancel', action: cancel, rows: [take] }}
            onClose={() => setConfirmOpen(false)}
          />
        )}
      </Suspense>
    </>
  )
}

type SureProps = Omit<PostProps, 'isStale'> & { onClose: () => void }

/** Confirmation before posting. Counts that others add while it is open change the preview and are posted too. */
function Sure({ take, uncounted, preview, onClose }: SureProps) {
  const t = useLocalize()
  const { run } = useActionRunner(stocktake)
  const { differences, surplus, short, surplusAmount, shortAmount } = preview
  const post = () =>
    run(() => callAction(stocktake, 'post', stocktake.actions.post, { id: String(take.id) }, { uncounted }))
  return (
    <ConfirmDialog
      title={stocktake.actions.post.label}
      text={t(differences ? words.will : words.willClose, { shop: take.shopName, count: differences })}
      names={[
        ...(surplus ? [t(words.willMore, { count: surplus, amount: formatAmount(surplusAmount) })] : []),
        ...(short ? [t(words.willLess, { count: short, amount: formatAmount(shortAmount) })] : []),
      ]}
      run={post}
      success={null}
      onClose={onClose}
    />
  )
}

function Changes({ lines }: Pick<Preview, 'lines'>) {
  const t = useLocalize()
  return (
    <ul className="kit-rows">
      {lines.map((line) => (
        <li key={line.goodId}>
          <span>
            {line.name}
            <small>
              {line.upc}
              {line.stock !== '' && ` · ${t(words.after, { stock: line.stock, after: line.after })}`}
            </small>
          </span>
          <span className={line.change < 0 ? 'goods-low' : 'kit-yes'}>
            {signed(line.change)}
            <small>{line.amount ? <Money value={line.amount} /> : t(words.noCost)}</small>
          </span>
        </li>
      ))}
    </ul>
  )
}

function PostedDifferences({ take }: { take: Row }) {
  const t = useLocalize()
  const { rows, isPending } = useResourceList(stocktakeLine, {
    inAddress: false,
    fixed: { stocktakeId: take.id, posted_notequal: '0', posted_notnull: '1', size: 200 },
  })
  return (
    <section className="goods-card goods-part">
      <h3>{t(words.posted)}</h3>
      <Figures surplusAmount={take.surplusAmount} shortAmount={take.shortAmount} />
      {!rows.length && !isPending && <EmptyStateNote icon="check-circle" title={t(words.none)} />}
      <ul className="kit-rows">
        {rows.map((line) => (
          <li key={String(line.id)}>
            <span>
              {String(line.goodName)}
              <small>
                {String(line.upc)}
                {Number(line.counted) >= 0 && line.countTime
                  ? ` · ${t(words.counted, { expected: line.expected, counted: line.counted })}`
                  : ''}
              </small>
            </span>
            <span className={Number(line.posted) < 0 ? 'goods-low' : 'kit-yes'}>
              {signed(Number(line.posted))}
              <small>{String(line.countersName ?? '')}</small>
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
