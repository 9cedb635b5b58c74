import { Button } from 'antd'
import { lazy, Suspense, useRef, useState } from 'react'
import { Link, useParams } from 'react-router'
import type { Asked } from '#kit/web/form/action-dialog.tsx'
import { useCan } from '#kit/web/session/can.ts'
import type { Row } from '#kit/web/form/form-values.ts'
import { get } from '#kit/web/http.ts'
import { Icon } from '#kit/web/theme/icon.tsx'
import { useSay, type Words } from '#kit/web/language.tsx'
import { Money } from '#kit/web/parts/money.tsx'
import { useTabTitle } from '#kit/web/tab.ts'
import { useDetail } from '#kit/web/detail/use-detail.ts'
import { useMay } from '#kit/web/session/use-may.ts'
import { isBarcode, isOwnCode, goodInfo } from '#domains/goods/index.ts'
import { Batches } from './good-beside.panel.tsx'
import { ScanBox } from './scan-box.tsx'
import '#kit/web/kit.css'
import './stock.css'

const ActionDialog = lazy(() => import('#kit/web/form/action-dialog.tsx'))
const ReceiveDialog = lazy(() => import('./receive.panel.tsx'))

const words = {
  look: { zh: '扫码查货', en: 'Look up goods' },
  receive: { zh: '收货入库', en: 'Receive goods' },
  loss: { zh: '登记报损', en: 'Record a loss' },
  lookHint: { zh: '扫一件商品，看库存、价格和到期日', en: 'Scan something to see its stock, price and expiry' },
  receiveHint: { zh: '扫到货的商品，填数量和到期日', en: 'Scan what arrived, then say how many and when it expires' },
  lossHint: { zh: '扫损坏或过期的商品，填数量和原因', en: 'Scan what is broken or expired, then say how many and why' },
  scan: { zh: '扫描条码，或输入条码、名称', en: 'Scan, or type a barcode or a name' },
  missing: { zh: '没有找到“{text}”', en: 'Nothing found for "{text}"' },
  found: { zh: '找到 {count} 件，请选择', en: '{count} found, choose one' },
  more: { zh: '只显示前 {count} 件，请多输入几个字', en: 'These are the first {count}; type a little more' },
  stock: { zh: '库存', en: 'In stock' },
  price: { zh: '售价', en: 'Price' },
  shelf: { zh: '货架', en: 'Shelf' },
  page: { zh: '打开商品页', en: 'Open its page' },
} satisfies Record<string, Words>

type Deed = 'receive' | 'loss' | 'stocktake'
const FOUND_MAX = 20

/** Goods in the hand: scan, see what there is of it, receive it, write it off or count it, next. */
export default function ScanPage() {
  const say = useSay()
  const { deed } = useParams()
  const aim: Deed | undefined = deed === 'receive' || deed === 'loss' ? deed : undefined
  const title = words[aim === 'receive' ? 'receive' : aim === 'loss' ? 'loss' : 'look']
  const hint = words[aim === 'receive' ? 'receiveHint' : aim === 'loss' ? 'lossHint' : 'lookHint']
  const box = useRef<HTMLInputElement>(null)
  const [found, setFound] = useState<Row[]>([])
  const [chosen, setChosen] = useState<string>()
  const [note, setNote] = useState<{ text: string; isBad?: boolean }>()
  useTabTitle(say(title))

  const look = async (text: string) => {
    setChosen(undefined)
    try {
      const ask = async (by: Record<string, string>) =>
        (
          await get<{ records: Row[] }>(
            `${goodInfo.path}/list`,
            { ...by, size: FOUND_MAX, ascs: 'name' },
            { quiet: true },
          )
        ).records
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
      {!chosen && found.length > 1 && (
        <section className="goods-card">
          <ul className="kit-rows">
            {found.map((good) => (
              <li key={String(good.id)}>
                <button type="button" className="count-row" onClick={() => setChosen(String(good.id))}>
                  {String(good.name)}
                  <small>{[good.spec, good.shopName, good.upc].filter(Boolean).join(' · ')}</small>
                </button>
                <strong>{String(good.stock)}</strong>
              </li>
            ))}
          </ul>
        </section>
      )}
      {chosen && <GoodInHand key={chosen} id={chosen} aim={aim} onDone={() => box.current?.focus()} />}
    </div>
  )
}

/** What is known of goods one holds, and what can be done with them; what the page was opened for is asked at once. */
function GoodInHand({ id, aim, onDone }: { id: string; aim?: Deed; onDone: () => void }) {
  const say = useSay()
  const may = useMay(goodInfo)
  const mayReceive = useCan('storageBatch_add')
  const mayBatches = useCan('storageBatch')
  const [doing, setDoing] = useState(aim)
  const { data: good } = useDetail(goodInfo, id)
  if (!good)
    return (
      <section className="goods-card goods-wait">
        {[1, 2, 3].map((n) => (
          <span key={n} className="kit-skeleton" />
        ))}
      </section>
    )
  const close = () => {
    setDoing(undefined)
    onDone()
  }
  const isLow = Number(good.stock) <= Number(good.lowStock)
  const asked: Asked | undefined =
    doing && doing !== 'receive' && may.act(doing)
      ? { name: doing, action: goodInfo.actions[doing], rows: [good] }
      : undefined
  return (
    <>
      <section className="goods-card count-good">
        <div className="count-name">
          {good.picture ? (
            <img className="goods-picture" src={String(good.picture).split(',')[0]} alt="" />
          ) : (
            <span className="goods-picture" aria-hidden>
              {String(good.name).slice(0, 1)}
            </span>
          )}
          <div>
            <strong>{String(good.name)}</strong>
            <small className="kit-quiet">{[good.spec, good.upc, good.shopName].filter(Boolean).join(' · ')}</small>
          </div>
        </div>
        <dl className="goods-figures">
          <div>
            <dt>{say(words.stock)}</dt>
            <dd className={isLow ? 'goods-low' : undefined}>
              {String(good.stock)} <small>{String(good.unit ?? '')}</small>
            </dd>
          </div>
          <div>
            <dt>{say(words.price)}</dt>
            <dd>
              <Money value={good.salePrice} />
            </dd>
          </div>
          {!!good.shelfNo && (
            <div>
              <dt>{say(words.shelf)}</dt>
              <dd>{String(good.shelfNo)}</dd>
            </div>
          )}
        </dl>
        <div className="goods-deeds">
          {mayReceive && (
            <Button
              size="large"
              type={aim === 'loss' ? 'default' : 'primary'}
              icon={<Icon name="import" />}
              onClick={() => setDoing('receive')}
            >
              {say(words.receive)}
            </Button>
          )}
          {(['stocktake', 'loss'] as const)
            .filter((name) => may.act(name))
            .map((name) => (
              <Button key={name} size="large" danger={name === 'loss'} onClick={() => setDoing(name)}>
                {say(goodInfo.actions[name].label)}
              </Button>
            ))}
          <Link className="count-open" to={`/goods/good/${id}`}>
            {say(words.page)}
          </Link>
        </div>
      </section>
      {mayBatches && (
        <div className="goods-card">
          <Batches goodId={id} />
        </div>
      )}
      <Suspense>
        {doing === 'receive' && mayReceive && <ReceiveDialog good={good} onClose={close} />}
        {asked && <ActionDialog resource={goodInfo} asked={asked} onClose={close} />}
      </Suspense>
    </>
  )
}
