import type { WireRow } from '#kit/resource/index.ts'
import { useRef, useState } from 'react'
import { useParams } from 'react-router'
import { get } from '#kit/web/http.ts'
import { useSay, type Words } from '#kit/web/language.tsx'
import { useTabTitle } from '#kit/web/tab.ts'
import { isBarcode, isOwnCode, goodInfo } from '#domains/goods/index.ts'
import { ScanBox } from './scan-box.tsx'
import { GoodInHand, receive, type StockAction } from './good-in-hand.tsx'
import '#kit/web/kit.css'
import './stock.css'

type Row = WireRow<typeof goodInfo>

const words = {
  look: { zh: '扫码查货', en: 'Look up goods' },
  receive,
  loss: { zh: '登记报损', en: 'Record a loss' },
  lookHint: { zh: '扫一件商品，看库存、价格和到期日', en: 'Scan something to see its stock, price and expiry' },
  receiveHint: { zh: '扫到货的商品，填数量和到期日', en: 'Scan what arrived, then say how many and when it expires' },
  lossHint: { zh: '扫损坏或过期的商品，填数量和原因', en: 'Scan what is broken or expired, then say how many and why' },
  scan: { zh: '扫描条码，或输入条码、名称', en: 'Scan, or type a barcode or a name' },
  missing: { zh: '没有找到“{text}”', en: 'Nothing found for "{text}"' },
  found: { zh: '找到 {count} 件，请选择', en: '{count} found, choose one' },
  more: { zh: '只显示前 {count} 件，请多输入几个字', en: 'These are the first {count}; type a little more' },
} satisfies Record<string, Words>

const FOUND_MAX = 20

/** Goods in the hand: scan, see what there is of it, receive it, write it off or count it, next. */
export default function ScanPage() {
  const say = useSay()
  const { action } = useParams()
  const aim: StockAction | undefined = action === 'receive' || action === 'loss' ? action : undefined
  const title = words[aim === 'receive' ? 'receive' : aim === 'loss' ? 'loss' : 'look']
  const hint = words[aim === 'receive' ? 'receiveHint' : aim === 'loss' ? 'lossHint' : 'lookHint']
  const box = useRef<HTMLInputElement>(null)
  const { found, note, chosen, setChosen, look } = useLook()
  useTabTitle(say(title))
  return (
    <div className="kit-page count-page">
      <header className="goods-card count-head">
        <div>
          <h1>{say(title)}</h1>
          <p className="kit-quiet">{say(hint)}</p>
        </div>
      </header>
      <ScanBox label={say(words.scan)} field={box} isText onCode={(text) => void look(text)}>
        <p className={note?.isBad ? 'goods-bad' : 'kit-quiet'} role="status" aria-live="polite">
          {note?.text}
        </p>
      </ScanBox>
      {!chosen && found.length > 1 && <Choices found={found} onChoose={setChosen} />}
      {chosen && <GoodInHand key={chosen} id={chosen} aim={aim} onDone={() => box.current?.focus()} />}
    </div>
  )
}

/** Goods by what was scanned or typed: a barcode when it is one, a name otherwise; the only one found is chosen. */
function useLook() {
  const say = useSay()
  const [found, setFound] = useState<Row[]>([])
  const [chosen, setChosen] = useState<string>()
  const [note, setNote] = useState<{ text: string; isBad?: boolean }>()
  const look = async (text: string) => {
    setChosen(undefined)
    try {
      const coded = isBarcode(text) || isOwnCode(text) ? await ask({ upc_equal: text }) : []
      const records = coded.length ? coded : await ask({ name_like: text })
      setFound(records)
      if (records.length === 1) setChosen(String(records[0]!.id))
      setNote(
        !records.length
          ? { text: say(words.missing, { text }), isBad: true }
          : records.length === 1
            ? undefined
            : { text: say(records.length === FOUND_MAX ? words.more : words.found, { count: records.length }) },
      )
    } catch (reason) {
      setNote({ text: (reason as Error).message, isBad: true })
    }
  }
  return { found, note, chosen, setChosen, look }
}

const ask = async (by: Record<string, string>) => {
  const query = { ...by, size: FOUND_MAX, ascs: 'name' }
  return (await get<{ records: Row[] }>(`${goodInfo.path}/list`, query, { quiet: true })).records
}

function Choices({ found, onChoose }: { found: Row[]; onChoose: (id: string) => void }) {
  return (
    <section className="goods-card">
      <ul className="kit-rows">
        {found.map((good) => (
          <li key={String(good.id)}>
            <button type="button" className="count-row" onClick={() => onChoose(String(good.id))}>
              {String(good.name)}
              <small>{[good.spec, good.shopName, good.upc].filter(Boolean).join(' · ')}</small>
            </button>
            <strong>{String(good.stock)}</strong>
          </li>
        ))}
      </ul>
    </section>
  )
}
