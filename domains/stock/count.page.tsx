import { Button, InputNumber, Progress, Segmented, Switch } from 'antd'
import { lazy, Suspense, useRef, useState } from 'react'
import { useParams, useSearchParams } from 'react-router'
import { DictTag } from '#kit/web/parts/dict-tag.tsx'
import type { Row } from '#kit/web/form/form-values.ts'
import { get, type HttpError } from '#kit/web/http.ts'
import { HistoryButton } from '#kit/web/detail/history-button.tsx'
import { Icon } from '#kit/web/theme/icon.tsx'
import { useSay } from '#kit/web/language.tsx'
import { words as kit } from '#kit/web/page-words.ts'
import { ErrorNote } from '#kit/web/parts/states.tsx'
import { useTabTitle } from '#kit/web/tab.ts'
import { useDetail } from '#kit/web/detail/use-detail.ts'
import { useList } from '#kit/web/list/use-list.ts'
import { useMay } from '#kit/web/session/use-may.ts'
import { When } from '#kit/web/parts/when.tsx'
import { Differences } from './differences.panel.tsx'
import { STOCKTAKE } from './dictionaries.ts'
import { goodInfo } from '#domains/goods/index.ts'
import { ScanBox } from './scan-box.tsx'
import { stocktake } from './stocktake.resource.ts'
import { stocktakeLine } from './stocktake-line.resource.ts'
import { useCounting, type Counted } from './use-counting.ts'
import '#kit/web/kit.css'
import './stock.css'
import './count.css'

const words = {
  progress: { zh: '已盘 {counted} / {goods}', en: '{counted} of {goods} counted' },
  count: { zh: '盘点', en: 'Count' },
  differences: { zh: '差异与过账', en: 'Differences' },
  show: { zh: '显示', en: 'Show' },
  scan: { zh: '扫描或输入条码', en: 'Scan or type a barcode' },
  each: { zh: '每扫一次加 1', en: 'Each scan adds one' },
  missing: { zh: '本店没有条码 {upc}', en: 'The shop has no goods with barcode {upc}' },
  quantity: { zh: '我数到的数量', en: 'How many I found' },
  less: { zh: '少 1', en: 'One less' },
  more: { zh: '多 1', en: 'One more' },
  save: { zh: '记下', en: 'Save' },
  saved: { zh: '“{name}”共 {counted}', en: '"{name}": {counted} altogether' },
  waiting: {
    zh: '{left} 条待发送，联网后自动发出',
    en: '{left} not sent yet; they go by themselves once there is a connection',
  },
  latest: { zh: '刚刚盘到', en: 'Just counted' },
  none: { zh: '还没有人点数。扫一件商品开始。', en: 'Nobody has counted yet. Scan something to begin.' },
  moved: { zh: '点数时有销售，建议复盘', en: 'sold while counted, better count again' },
  pieces: { zh: '{counted} 件', en: '{counted}' },
}

const CountStart = lazy(() => import('./count-start.panel.tsx'))

/** Counting with a phone: scan, say how many, next. Others count at the same time; what they find appears by itself. */
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
  const say = useSay()
  const [query, setQuery] = useSearchParams()
  const { data: take, error, refetch } = useDetail(stocktake, id)
  const may = useMay(stocktake)
  useTabTitle(take && `${say(words.count)} ${String(take.countNo).slice(-4)}`)
  if (!take)
    return (
      <div className="kit-page count-page">
        {error ? (
          <ErrorNote title={say(kit.failedDetail)} error={error} retry={() => void refetch()} />
        ) : (
          <div className="goods-card goods-wait">
            {[1, 2, 3, 4].map((n) => (
              <span key={n} className="kit-skeleton" />
            ))}
          </div>
        )}
      </div>
    )
  const isOpen = take.status === STOCKTAKE.counting
  const mayCount = isOpen && may.act('count')
  const view = !mayCount || query.get('view') === 'differences' ? 'differences' : 'count'
  return (
    <div className="kit-page count-page">
      <header className="goods-card count-head">
        <HistoryButton resource={stocktake} row={take} />
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
        {mayCount && (
          <Segmented
            block
            value={view}
            aria-label={say(words.show)}
            onChange={(next) => setQuery(next === 'differences' ? { view: 'differences' } : {}, { replace: true })}
            options={[
              { value: 'count', label: say(words.count) },
              { value: 'differences', label: say(words.differences) },
            ]}
          />
        )}
      </header>
      {view === 'count' ? <Counting take={take} /> : <Differences take={take} />}
    </div>
  )
}

function Done({ take }: { take: Row }) {
  const say = useSay()
  const { rows, total } = useList(stocktakeLine, {
    inAddress: false,
    fixed: { stocktakeId: take.id, counted_notnull: '1', size: 1 },
  })
  const counted = rows.length ? total : Number(take.counted ?? 0)
  const goods = Math.max(Number(take.goods ?? 0), counted)
  const text = say(words.progress, { counted, goods })
  return (
    <div className="count-progress">
      <span className="kit-number">{text}</span>
      <Progress percent={goods ? Math.round((counted / goods) * 100) : 0} showInfo={false} aria-label={text} />
    </div>
  )
}

type Found = { id: string; name: string; upc: string; spec: string; shelfNo: string; picture: string }

function Counting({ take }: { take: Row }) {
  const say = useSay()
  const id = String(take.id)
  const box = useRef<HTMLInputElement>(null)
  const { count, left } = useCounting(id)
  const [good, setGood] = useState<Found>()
  const [quantity, setQuantity] = useState<number | null>(null)
  const [isEach, setEach] = useState(false)
  const [note, setNote] = useState<{ text: string; isBad?: boolean }>()

  const said = (counted: Counted | undefined) =>
    counted && setNote({ text: say(words.saved, { name: counted.name, counted: counted.counted }) })
  const failed = (reason: unknown) => setNote({ text: (reason as HttpError).message, isBad: true })

  const look = async (upc: string) => {
    try {
      if (isEach) return said(await count({ upc, quantity: 1, mode: 'add' }))
      const { records } = await get<{ records: Found[] }>(
        `${goodInfo.path}/list`,
        { shopId: take.shopId, upc_equal: upc, size: 1 },
        { quiet: true },
      )
      if (!records[0]) return setNote({ text: say(words.missing, { upc }), isBad: true })
      setGood(records[0])
      setQuantity(null)
      setNote(undefined)
    } catch (reason) {
      failed(reason)
    }
  }
  const save = async () => {
    if (!good || quantity === null) return
    setGood(undefined)
    box.current?.focus()
    try {
      said(await count({ goodId: good.id, quantity, mode: 'set' }))
    } catch (reason) {
      failed(reason)
    }
  }
  return (
    <>
      <ScanBox label={say(words.scan)} field={box} onCode={(upc) => void look(upc)}>
        <label className="count-each">
          <Switch checked={isEach} onChange={setEach} /> {say(words.each)}
        </label>
        <p className={note?.isBad ? 'goods-bad' : 'goods-good'} role="status" aria-live="polite">
          {note && (
            <>
              <Icon name={note.isBad ? 'close-circle' : 'check-circle'} />
              {note.text}
            </>
          )}
        </p>
        {left > 0 && (
          <p className="goods-soon" role="status">
            <Icon name="disconnect" />
            {say(words.waiting, { left })}
          </p>
        )}
      </ScanBox>
      {good && (
        <section className="goods-card count-good">
          <div className="count-name">
            {good.picture ? (
              <img className="goods-picture" src={good.picture.split(',')[0]} alt="" />
            ) : (
              <span className="goods-picture" aria-hidden>
                {good.name.slice(0, 1)}
              </span>
            )}
            <div>
              <strong>{good.name}</strong>
              <small className="kit-quiet">{[good.spec, good.upc, good.shelfNo].filter(Boolean).join(' · ')}</small>
            </div>
          </div>
          <form
            onSubmit={(event) => {
              event.preventDefault()
              void save()
            }}
          >
            <Button
              size="large"
              aria-label={say(words.less)}
              onClick={() => setQuantity(Math.max(0, (quantity ?? 0) - 1))}
            >
              −
            </Button>
            <InputNumber<number>
              className="count-number"
              autoFocus
              min={0}
              max={1_000_000}
              precision={0}
              controls={false}
              inputMode="numeric"
              value={quantity}
              onChange={setQuantity}
              aria-label={say(words.quantity)}
              placeholder="—"
            />
            <Button size="large" aria-label={say(words.more)} onClick={() => setQuantity((quantity ?? 0) + 1)}>
              +
            </Button>
            <Button type="primary" size="large" htmlType="submit" disabled={quantity === null}>
              {say(words.save)}
            </Button>
          </form>
        </section>
      )}
      <Latest id={id} onPick={(upc) => void look(upc)} />
    </>
  )
}

/** What everybody counted last, also on other phones. */
function Latest({ id, onPick }: { id: string; onPick: (upc: string) => void }) {
  const say = useSay()
  const { rows, isPending, arrived } = useList(stocktakeLine, {
    inAddress: false,
    fixed: { stocktakeId: id, counted_notnull: '1', descs: 'countTime', size: 30 },
  })
  return (
    <section className="goods-card goods-part">
      <h3>{say(words.latest)}</h3>
      {!rows.length && <p className="kit-quiet">{isPending ? '…' : say(words.none)}</p>}
      <ul className="kit-rows">
        {rows.map((line) => (
          <li key={String(line.id)} className={arrived.has(String(line.id)) ? 'count-new' : undefined}>
            <button type="button" className="count-row" onClick={() => onPick(String(line.upc))}>
              {String(line.goodName)}
              <small>
                {String(line.countersName ?? '')} <When at={String(line.countTime)} />
                {line.isMoved === true && (
                  <span className="goods-soon">
                    {' '}
                    <Icon name="exclamation-circle" />
                    {say(words.moved)}
                  </span>
                )}
              </small>
            </button>
            <strong>{say(words.pieces, { counted: line.counted })}</strong>
          </li>
        ))}
      </ul>
    </section>
  )
}
