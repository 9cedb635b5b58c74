import type { WireRow } from '#kit/resource/index.ts'
import { Input } from 'antd'
import { useEffect, useState } from 'react'
import { useDebouncedValue } from '#kit/web/inputs/use-options.ts'
import { useLocalize } from '#kit/web/base/language.tsx'
import { Pager } from '#kit/web/list/pager.tsx'
import { formatListTotal, useResourceList } from '#kit/web/list/use-list.ts'
import { words as kit } from '#kit/web/base/page-words.ts'
import { ErrorNote, EmptyStateNote } from '#kit/web/parts/states.tsx'
import { CountResultNote, GoodCountForm } from './good-to-count.tsx'
import type { stocktake } from './stocktake.resource.ts'
import { stocktakeLine } from './stocktake-line.resource.ts'
import { useGoodToCount } from './use-good-to-count.ts'
import './stock.css'
import './count.css'

type Row = WireRow<typeof stocktake>

const words = {
  count: {
    zh: '还有 {total} 种有库存的商品没有盘到',
    en: '{total} {total|product|products} in stock not counted yet',
  },
  find: { zh: '按名称或条码尾号查找', en: 'Search by name or last barcode digits' },
  books: { zh: '账面 {stock} 件', en: '{stock} on the books' },
  all: { zh: '有库存的商品都盘到了', en: 'All products in stock were counted' },
  allHint: { zh: '可以看差异并过账', en: 'You can review the discrepancies and post' },
}

const SIZE = 30

/** List filter for the lines of a stocktake nobody has counted yet. */
export const uncountedLinesFilter = (take: Row) => ({ stocktakeId: take.id, isUncounted: 'true' })

/** List of goods in stock nobody has counted yet, by shelf; a tap opens the form to count one. */
export function UncountedGoods({ take, mayCount }: { take: Row; mayCount: boolean }) {
  const t = useLocalize()
  const counting = useGoodToCount(String(take.id))
  const [text, setText] = useState('')
  const goodText = useDebouncedValue(text.trim())
  const list = useResourceList(stocktakeLine, {
    inAddress: false,
    fixed: { ...uncountedLinesFilter(take), ...(goodText && { goodText }), ascs: 'shelfNo', size: SIZE },
    follows: 'goodInfo',
  })

  const { rows, total, isPending, error, state, set } = list
  const go = (current: number) => set((before) => ({ ...before, current }))
  // When the last product of the last page has been counted, the page before is shown.
  const last = Math.max(1, Math.ceil(total / SIZE))
  useEffect(() => {
    if (!isPending && state.current > last) set((before) => ({ ...before, current: last }))
  }, [isPending, state, last, set])

  if (error) return <ErrorNote title={t(kit.failedList)} error={error} retry={list.refetch} />
  return (
    <section className="goods-card goods-part">
      {!isPending && !goodText && total > 0 && (
        <h3>{t(words.count, { total: formatListTotal(list), count: total })}</h3>
      )}
      <Input
        size="large"
        allowClear
        maxLength={50}
        value={text}
        aria-label={t(words.find)}
        placeholder={t(words.find)}
        onChange={(event) => {
          setText(event.target.value)
          go(1)
        }}
      />
      <CountResultNote counting={counting} />
      {!total &&
        !isPending &&
        (goodText ? (
          <EmptyStateNote icon="search" title={t(kit.noMatch)} />
        ) : (
          <EmptyStateNote icon="check-circle" title={t(words.all)} hint={t(words.allHint)} />
        ))}
      <ul className="kit-rows">
        {rows.map((line) => (
          <Line key={String(line.id)} line={line} counting={counting} mayCount={mayCount} />
        ))}
      </ul>
      {total > SIZE && (
        <Pager current={state.current} size={SIZE} total={total} totalCapped={list.totalCapped} onChange={go} />
      )}
    </section>
  )
}

type LineProps = {
  line: WireRow<typeof stocktakeLine>
  counting: ReturnType<typeof useGoodToCount>
  mayCount: boolean
}

function Line({ line, counting, mayCount }: LineProps) {
  const t = useLocalize()
  const good = { id: String(line.goodId), name: String(line.goodName), facts: [line.shelfNo, line.upc] }
  if (counting.good?.id === good.id)
    return (
      <li className="count-here">
        <GoodCountForm counting={counting} />
      </li>
    )
  const named = (
    <>
      {good.name}
      <small>{good.facts.filter(Boolean).join(' · ')}</small>
    </>
  )
  return (
    <li>
      {mayCount ? (
        <button type="button" className="count-row" onClick={() => counting.choose(good)}>
          {named}
        </button>
      ) : (
        <span>{named}</span>
      )}
      <strong>{t(words.books, { stock: line.stock })}</strong>
    </li>
  )
}
