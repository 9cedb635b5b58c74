import type { WireRow } from '#kit/resource/index.ts'
import { Button, InputNumber, Switch } from 'antd'
import { useRef, useState } from 'react'
import { goodInfo } from '#domains/goods/index.ts'
import { get, type HttpError } from '#kit/web/http.ts'
import { useSay } from '#kit/web/language.tsx'
import { useList } from '#kit/web/list/use-list.ts'
import { When } from '#kit/web/parts/when.tsx'
import { Icon } from '#kit/web/theme/icon.tsx'
import { GoodName } from './good-name.tsx'
import { ScanBox } from './scan-box.tsx'
import type { stocktake } from './stocktake.resource.ts'
import { stocktakeLine } from './stocktake-line.resource.ts'
import { useCounting, type Counted } from './use-counting.ts'
import './stock.css'
import './count.css'

type Row = WireRow<typeof stocktake>

const words = {
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

type Found = { id: string; name: string; upc: string; spec: string; shelfNo: string; picture: string }

type Said = { text: string; isBad?: boolean }

/** Scan, say how many, next; what others find appears below by itself. */
export function Counting({ take }: { take: Row }) {
  const say = useSay()
  const box = useRef<HTMLInputElement>(null)
  const [isEach, setEach] = useState(false)
  const { good, quantity, setQuantity, note, left, look, save } = useGoodToCount(take, isEach)
  return (
    <>
      <ScanBox label={say(words.scan)} field={box} onCode={(upc) => void look(upc)}>
        <label className="count-each">
          <Switch checked={isEach} onChange={setEach} /> {say(words.each)}
        </label>
        <Note note={note} left={left} />
      </ScanBox>
      {good && (
        <section className="goods-card count-good">
          <GoodName name={good.name} picture={good.picture} facts={[good.spec, good.upc, good.shelfNo]} />
          <Quantity
            value={quantity}
            onChange={setQuantity}
            onSave={() => {
              if (quantity === null) return
              void save()
              box.current?.focus()
            }}
          />
        </section>
      )}
      <Latest id={String(take.id)} onPick={(upc) => void look(upc)} />
    </>
  )
}

/** What was scanned and how many were found; with `isEach` a scan is a count at once. */
function useGoodToCount(take: Row, isEach: boolean) {
  const say = useSay()
  const { count, left } = useCounting(String(take.id))
  const [good, setGood] = useState<Found>()
  const [quantity, setQuantity] = useState<number | null>(null)
  const [note, setNote] = useState<Said>()

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
    try {
      said(await count({ goodId: good.id, quantity, mode: 'set' }))
    } catch (reason) {
      failed(reason)
    }
  }
  return { good, quantity, setQuantity, note, left, look, save }
}

function Note({ note, left }: { note: Said | undefined; left: number }) {
  const say = useSay()
  return (
    <>
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
    </>
  )
}

type QuantityProps = { value: number | null; onChange: (value: number | null) => void; onSave: () => void }

function Quantity({ value, onChange, onSave }: QuantityProps) {
  const say = useSay()
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        onSave()
      }}
    >
      <Button size="large" aria-label={say(words.less)} onClick={() => onChange(Math.max(0, (value ?? 0) - 1))}>
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
        value={value}
        onChange={onChange}
        aria-label={say(words.quantity)}
        placeholder="—"
      />
      <Button size="large" aria-label={say(words.more)} onClick={() => onChange((value ?? 0) + 1)}>
        +
      </Button>
      <Button type="primary" size="large" htmlType="submit" disabled={value === null}>
        {say(words.save)}
      </Button>
    </form>
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
