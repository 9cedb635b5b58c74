import { useRef, useState } from 'react'
import { useParams } from 'react-router'
import { useLocalize, type LocalizedText } from '#kit/web/base/language.tsx'
import { useTabTitle } from '#kit/web/base/tab.ts'
import { goodChoiceNote, searchGoods, type GoodInfoRow } from './find-goods.ts'
import { GoodChoices } from './good-choices.tsx'
import { ScanBox } from './scan-box.tsx'
import { ScannedGoodCard, receiveStockLabel, type StockAction } from './good-in-hand.tsx'
import '#kit/web/base/kit.css'
import './stock.css'

const words = {
  look: { zh: '扫码查货', en: 'Scan product' },
  receive: receiveStockLabel,
  loss: { zh: '登记报损', en: 'Record write-off' },
  lookHint: { zh: '扫一件商品，看库存、价格和到期日', en: 'Scan a product to view stock, price and expiry' },
  receiveHint: { zh: '扫到货的商品，填数量和到期日', en: 'Scan delivered products and enter quantity and expiry' },
  lossHint: {
    zh: '扫损坏或过期的商品，填数量和原因',
    en: 'Scan damaged or expired products and enter quantity and reason',
  },
} satisfies Record<string, LocalizedText>

/** Page to scan one product after another and see its stock, receive it, write it off or count it. */
export default function ScanPage() {
  const t = useLocalize()
  const { action } = useParams()
  const aim: StockAction | undefined = action === 'receive' || action === 'loss' ? action : undefined
  const title = words[aim === 'receive' ? 'receive' : aim === 'loss' ? 'loss' : 'look']
  const hint = words[aim === 'receive' ? 'receiveHint' : aim === 'loss' ? 'lossHint' : 'lookHint']
  const box = useRef<HTMLInputElement>(null)
  const { found, note, chosen, setChosen, look } = useLook()
  useTabTitle(t(title))
  return (
    <div className="kit-page count-page">
      <header className="goods-card count-head">
        <div>
          <h1>{t(title)}</h1>
          <p className="kit-quiet">{t(hint)}</p>
        </div>
      </header>
      <ScanBox field={box} onCode={(text) => void look(text)}>
        <p className={note?.isBad ? 'goods-bad' : 'kit-quiet'} role="status" aria-live="polite">
          {note?.text}
        </p>
      </ScanBox>
      {!chosen && found.length > 1 && (
        <GoodChoices
          goods={found}
          facts={(good) => [good.spec, good.shopName, good.upc]}
          aside={(good) => String(good.stock)}
          onChoose={(good) => setChosen(String(good.id))}
        />
      )}
      {chosen && <ScannedGoodCard key={chosen} id={chosen} aim={aim} onDone={() => box.current?.focus()} />}
    </div>
  )
}

/** Searches goods by the scanned or typed text; chooses the result when it is the only one. */
function useLook() {
  const t = useLocalize()
  const [found, setFound] = useState<GoodInfoRow[]>([])
  const [chosen, setChosen] = useState<string>()
  const [note, setNote] = useState<{ text: string; isBad?: boolean }>()
  const look = async (text: string) => {
    setChosen(undefined)
    try {
      const answer = await searchGoods(text)
      const { words: sentence, values, isBad } = goodChoiceNote(answer, text)
      const [only, ...others] = answer.goods
      setFound(answer.goods)
      if (only && !others.length) setChosen(String(only.id))
      setNote(only && !others.length ? undefined : { text: t(sentence, values), isBad })
    } catch (reason) {
      setNote({ text: (reason as Error).message, isBad: true })
    }
  }
  return { found, note, chosen, setChosen, look }
}
